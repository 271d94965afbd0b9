// SPDX-License-Identifier: GPL-3.0-or-later
// The flame graph: icicle and flame; callers.js has the other shapes.  Boxes below
// half a pixel are never computed.

let boxHigh = 20; // pixels; makeGraph() makes boxes higher for fingers

const STD = 1; // whose: code of the language's library

// ---------------------------------------------------------------- trees --

// What a node is, in its key: a function, a cycle, the language's library, or a
// frame of one that is open.
const MARKS = ['', 'c', 'l', 'x'];

// child(up, id, func, frame, mark): the node with that id below `up', which is
// added if there is none.
function makeNodes(N, most) {
	const ids = new Int32Array(most);
	let size = 2;

	while (size < 1.3 * most)
		size *= 2;
	const slots = new Int32Array(size);
	for (const c of ['parent', 'func', 'frame', 'mark'])
		N[c] = new Int32Array(most);
	N.parent[0] = N.func[0] = -1;
	N.n = 1;
	return (up, id, func, frame, mark) => {
		const h = Math.imul(up, 0x9e3779b1) ^ Math.imul(id, 0x85ebca6b);
		let at = (h ^ h >>> 15) & size - 1;

		for (; slots[at]; at = at + 1 & size - 1)
			if (N.parent[slots[at]] === up && ids[slots[at]] === id)
				return slots[at];
		slots[at] = N.n;
		ids[N.n] = id;
		N.parent[N.n] = up;
		N.func[N.n] = func;
		N.frame[N.n] = frame;
		N.mark[N.n] = mark;
		return N.n++;
	};
}

function nodeKey(N, n) {
	return n ? MARKS[N.mark[n]] + N.frame[n] : '';
}

// The node with a key; 0: none.
function findNode(N, key) {
	const m = /^([clx]?)(\d+)$/.exec(key), f = m && Number(m[2]);
	const at = f ? N.of[f] || 0 : 0, mark = m && MARKS.indexOf(m[1]);
	const found = [at, N.parent[at], N.in[f]].find((n) => n > 0 &&
		N.mark[n] === mark && N.frame[n] === f);

	return found || (m && /^x?$/.test(m[1]) ? at : 0);
}

// The elements of all paths as nodes, parents first; of[]: the node of each
// frame.  All calls of a function from one caller are one node, on any line.
// So are all cycles there that are one cycle of the call graph, and adjacent
// functions of the language's library.  An open cycle has nodes for the
// functions that lead out of it; an open library has nodes for all its frames.
function elementNodes() {
	const key = S.lib + S.open;

	if (M.elements && M.elements.made === key)
		return M.elements;
	const R = M.frames, all = M.funcs.count, open = S.open.split('.');
	const N = { made: key, cycles: new Map(), std: new Map(),
		in: new Int32Array(R.n + 1), of: new Int32Array(R.n + 1) };
	const child = makeNodes(N, 2 * R.n + 1);
	const isOpen = (n) => S.open !== '' && open.includes(nodeKey(N, n));
	const note = (map, n, what) => (map.get(n) || map.set(n, new Set())
		.get(n)).add(what);

	for (let i = 1; i <= R.n; i++) {
		const up = N.of[callerOf(i)], fn = R.func[i];

		if (fn < 0)
			continue;
		if (R.cycle[i]) {
			const graph = M.funcs.cycle[fn];
			// One of the graph, or any other, by its last function.
			const n = child(up, graph ? 2 * all + graph
				: 3 * all + fn, R.func[R.entry[i]], i, 1);

			note(N.cycles, n, R.cycle[i]);
			N.of[i] = isOpen(n) ? child(n, fn, fn, i, 3) : n;
		} else if (!inStd(i)) {
			N.of[i] = child(up, fn, fn, i, 0);
		} else {
			const n = N.in[callerOf(i)] ||
				child(up, all + fn, fn, i, 2);

			N.in[i] = n;
			note(N.std, n, fn);
			N.of[i] = !isOpen(n) ? n : child(N.in[callerOf(i)] ? up
				: n, fn, fn, i, 3);
		}
	}
	for (const c of ['parent', 'func', 'frame', 'mark'])
		N[c] = N[c].slice(0, N.n);
	M.elements = N;
	return N;
}

// The calls in the frames of a node that is a function.
function nodeCalls(n) {
	const N = elementNodes(), out = new Set();

	for (let f = 1; n && !N.mark[n] && f <= M.frames.n; f++)
		if (N.of[f] === n)
			out.add(M.frames.call[f - 1]);
	return Array.from(out);
}

// The functions of a node; for a cycle, those of all cycles in the node.
function nodeFuncs(n) {
	const N = elementNodes();

	return N.cycles.has(n) ? Array.from(new Set(Array.from(N.cycles.get(n))
		.flatMap((c) => M.on_paths[c - 1]))) : N.std.has(n)
		? Array.from(N.std.get(n)) : [N.func[n]];
}

// Is the frame in the language's library, and folded with its neighbours?  Not
// if the profile has nothing else.  A negative f: see leafGone().
function inStd(f) {
	if (S.lib || M.funcs.whose[funcOld(f)] !== STD)
		return false;
	M.anyOwn ??= M.funcs.whose.subarray(0, M.funcs.n).some((w) =>
		w !== STD);
	return M.anyOwn;
}

// Sums by node, including callees.  add() gets a function that adds to a frame.
function nodeSums(N, add) {
	const out = new Float64Array(N.parent.length);

	add((frame, v) => {
		out[N.of[frame]] += v;
	});
	for (let n = out.length - 1; n > 0; n--)
		out[N.parent[n]] += out[n];
	return out;
}

function nodeValues(id) {
	return cached('node ' + S.lib + S.open + id, () => nodeSums(elementNodes(),
		(add) => siteValues(id).forEach((v, i) =>
			add(M.sites.leaf[i], v))));
}

// The types of blocks that the functions of a node allocated themselves.
function nodeTypes(n) {
	const N = elementNodes();

	N.types ??= M.sites.leaf.reduce((map, leaf, i) => {
		const at = N.of[leaf];

		return map.set(at, (map.get(at) || new Set()).add(siteType(i)));
	}, new Map());
	return Array.from(N.types.get(n) || []).filter(Boolean);
}

function nodesOld(id) {
	return cached('node old ' + S.lib + S.open + id, () => nodeSums(elementNodes(),
		(add) => tipsOld().forEach((f, r) => add(f, M.old[id][r]))));
}

// The mean severity of each node's blocks, weighted by bytes; 0: unknown.
function nodeSeverity() {
	return cached('node severity ' + S.lib + S.open, () => {
		const s = M.sites, N = elementNodes();
		const sums = (of) => nodeSums(N, (add) => {
			for (let i = 0; i < s.n; i++)
				if (s.severity[i])
					add(s.leaf[i], of(i) * (s.bytes[i] + 1));
		});
		const all = sums(() => 1);

		return sums((i) => s.severity[i]).map((v, n) =>
			(all[n] ? v / all[n] : 0));
	});
}

// A tree has numbers for nodes.  kids(n): the largest first.
function downTree(id) {
	const N = elementNodes(), v = nodeValues(id);
	// Below node n: all[start[n] .. start[n + 1]].
	const start = new Int32Array(N.n + 1), all = new Int32Array(N.n);
	const kids = new Map();

	for (let n = 1; n < N.n; n++)
		start[N.parent[n] + 1]++;
	for (let n = 1; n <= N.n; n++)
		start[n] += start[n - 1];
	const to = start.slice();
	for (let n = 1; n < N.n; n++)
		all[to[N.parent[n]]++] = n;
	return {
		value: (n) => v[n],
		func: (n) => N.func[n],
		funcs: nodeFuncs,
		label: (n) => (N.cycles.has(n) ? cycleLabel(n) : (N.std.has(n)
			? '[std] ' : '') + nameOf(N.func[n])),
		cycle: (n) => N.cycles.has(n) || N.std.has(n),
		frame: (n) => (N.cycles.has(n) || N.std.has(n) ? 0
			: N.frame[n]),
		lines: (n) => nodeCalls(n).map(callLine).filter(Boolean),
		severity: (n) => nodeSeverity()[n],
		error: (n) => nodeValues('e_' + id)[n],
		parent: (n) => N.parent[n],
		kids(n) {
			if (!kids.has(n))
				kids.set(n, Array.from(all.subarray(start[n],
					start[n + 1])).sort((a, b) => v[b] -
					v[a] || a - b));
			return kids.get(n);
		},
		key: (n) => nodeKey(N, n),
		was: (n) => nodesOld(id)[n],
		find: (key) => findNode(N, key),
	};
}

function cycleLabel(n) {
	const funcs = nodeFuncs(n), number = M.funcs.cycle[funcs[0]];
	const some = funcs.slice(0, funcs.length > MEMBERS + 1 ? MEMBERS
		: funcs.length).map(nameOf);

	return '<cycle' + (number ? ' ' + number : '') + ': ' +
		some.join(', ') + (some.length < funcs.length ? ', ' +
		(funcs.length - some.length) + ' more' : '') + '>';
}

// The new list of open things when a cycle's frame or a row is opened or
// closed.
function toggled(list, key) {
	const open = list ? list.split('.') : [];

	return (open.includes(key) ? open.filter((k) => k !== key)
		: open.concat(key)).join('.');
}

// Is the shape one of callers.js?
function merged() {
	return S.mode === 'callers' || S.mode === 'around';
}

// The shape, and the function in its middle.
function shapeKey() {
	return S.mode + (S.mode === 'around' ? middle() : '');
}

function flameTree() {
	const tree = { callers: upTree, around: aroundTree }[S.mode] || downTree;

	return cached('tree ' + [shapeKey(), S.metric, S.lib, S.open].join(),
		() => tree(S.metric));
}

// --------------------------------------------------------------- colours --

const HUES = [212, 28, 152, 268, 48, 188, 340, 96, 236, 10, 128, 300];

function colourOf(c, n) {
	const tree = c.tree, dark = c.dark;
	const F = M.funcs, f = tree.func(n);

	if (n === 0)
		return dark ? '#2b313b' : '#dfe3e9';
	// Blocks have the colours of their types.
	if (tree.colour)
		return tree.colour(n, dark);
	if (c.change)
		return changeColour(changeShare(tree.value(n), tree.was(n)),
			dark);
	if (c.paint)
		return paintColour(c.paint[n], dark);
	if (c.severity) {
		const s = tree.severity(n);

		return s ? heat((s - 1) / 11, dark) : dark ? '#353b45'
			: '#e4e7ec';
	}
	return moduleColour(moduleOf(f), hashText(F.name[f]), dark);
}

// The group that a function's colour shows: its library, or 'std' for the
// language's library.
function moduleOf(fn) {
	return M.funcs.whose[fn] === STD ? 'std' : M.funcs.module[fn];
}

// The groups, those that allocate most first, each with the number of its
// colour.
function moduleRanks() {
	if (!M.ranks) {
		const sum = new Map();

		funcTotal('bytes').forEach((v, fn) => sum.set(moduleOf(fn),
			(sum.get(moduleOf(fn)) || 0) + v));
		M.ranks = new Map(Array.from(sum).sort((a, b) => b[1] - a[1] ||
			(a[0] < b[0] ? -1 : 1)).map(([m], k) => [m, k]));
	}
	return M.ranks;
}

// Functions of one group differ a little in lightness, by h.
function moduleColour(module, h, dark) {
	const k = moduleRanks().get(module), hue = HUES[k % HUES.length];

	return dark ? 'hsl(' + hue + ',30%,' + (28 + h % 11) + '%)'
		: 'hsl(' + hue + ',55%,' + (77 + h % 11) + '%)';
}

// x from 0 to 1: pale to dark red.  The lightness changes all the way, so that
// the scale is readable without colour.
function heat(x, dark) {
	const l = dark ? 24 + 40 * x : 90 - 33 * x;

	return 'hsl(' + (50 - 42 * x) + ',' + (45 + 35 * x) + '%,' + l + '%)';
}

// The letters on the colour of a severity in the dark theme: white ones as long as
// they have a contrast of 4.5.
function lettersOn(s) {
	return s < 5.2 ? '#fff' : '#000';
}

function colourings() {
	const all = [['module', 'module']];

	if (M.sites.scores.size && nodeSeverity()[0] && !merged())
		all.unshift(['severity', 'severity']);
	if (M.old && M.old.known(S.metric))
		all.unshift(['change', 'change']);
	if (paints().length && !merged())
		all.unshift(['patterns', 'patterns']);
	return all;
}

// The meaning of the colours; by default, the first choice.
function colouring() {
	const all = colourings();

	return (all.find((x) => x[0] === S.colour) || all[0])[0];
}

// ---------------------------------------------------------------- layout --

// The boxes of each level: x from, x to, node.  Boxes that are too narrow, or out of
// the lens, are left out.  .narrow: how many are too narrow, without their callees.
function layBoxes(tree, zoom, width, lens) {
	const levels = Object.assign([], { narrow: 0 }), whole = tree.value(zoom);
	const all = width / (lens.to - lens.from), left = -lens.from * all;
	const stack = [[zoom, left, left + all, 0]];

	while (stack.length && whole > 0) {
		const [n, x0, x1, depth] = stack.pop();

		while (levels.length <= depth)
			levels.push({ x0: [], x1: [], node: [] });
		const level = levels[depth];
		level.x0.push(Math.max(x0, 0));
		level.x1.push(Math.min(x1, width));
		level.node.push(n);
		let x = x0;
		const next = [];
		for (const k of tree.kids(n)) {
			const w = tree.value(k) / whole * all;

			if (w < 0.5 || x > width) {
				levels.narrow += tree.kids(n).filter((m) =>
					tree.value(m) > 0 && tree.value(m) /
					whole * all < 0.5).length;
				break;
			}
			if (x + w > 0)
				next.push([k, x, x + w, depth + 1]);
			x += w;
		}
		// Levels must ascend: pop the first child first.
		while (next.length)
			stack.push(next.pop());
	}
	return levels;
}

function above(tree, n) {
	const path = [];

	for (let p = n; p > 0; p = tree.parent(p))
		path.push(p);
	return path.reverse();
}

function boxAt(levels, depth, x) {
	const level = levels[depth];

	if (!level)
		return -1;
	let low = 0, high = level.x0.length;
	while (low < high) {
		const mid = (low + high) >> 1;

		if (level.x0[mid] <= x)
			low = mid + 1;
		else
			high = mid;
	}
	return low && level.x1[low - 1] > x ? low - 1 : -1;
}

// --------------------------------------------------------------- drawing --

// As much of the text as fits.
function fitText(g, text, width) {
	const per = fitText.per || (fitText.per = g.measureText('n').width);
	const most = Math.floor(width / per);

	if (text.length <= most && g.measureText(text).width <= width)
		return text;
	for (let n = Math.min(text.length, most + 4); n > 2; n--) {
		const t = text.slice(0, n) + '\u2026';

		if (g.measureText(t).width <= width)
			return t;
	}
	return '';
}

// As much of the name as fits.  Scopes are dropped first, the outermost first,
// but not those that an operator belongs to.
function fitName(g, text, width) {
	let t = text;

	// Don't drop scopes in the names of a cycle.
	if (S.full || /, |<cycle/.test(text))
		return fitText(g, text, width);
	if (g.measureText(t).width > width)
		t = lambdas(t);

	for (let at = t.indexOf('::'); at > 0; at = t.indexOf('::')) {
		if (g.measureText(t).width <= width)
			return t;
		if (/^operator\W/.test(t.slice(at + 2)))
			break;
		const bracket = /^\[[^\]]*\] /.exec(t);

		t = (bracket ? bracket[0] : '') + t.slice(at + 2);
	}
	return fitText(g, t, width);
}

function drawBox(g, c, x, y, w, n) {
	const tree = c.tree, on = c.on && c.on(n);

	g.globalAlpha = c.on && !on ? 0.35 : 1;
	g.fillStyle = colourOf(c, n);
	g.fillRect(x, y, Math.max(w - 0.6, 0.5), boxHigh - 1);
	if (c.severity && w > 6 && n && tree.severity(n) >= 9)
		hatch(g, x, y, w - 0.6, boxHigh - 1, c.dark);
	g.globalAlpha = 1;
	if (on) {
		g.fillStyle = c.mark;
		g.fillRect(x, y + boxHigh - 3, Math.max(w - 0.6, 0.5), 2);
	}
	if (n === c.selected) {
		g.strokeStyle = c.ink;
		g.lineWidth = 2;
		g.strokeRect(x + 1, y + 1, Math.max(w - 2.6, 1), boxHigh - 3);
	}
	if (w < 24)
		return;
	let label = n ? tree.label(n) : spaced(c.all);
	const s = c.severity && n ? tree.severity(n) : 0;
	if (s)
		label = '[' + Math.round(s) + '] ' + label;
	if (c.change)
		label = '[' + signed(tree.value(n) - tree.was(n),
			humanBytes) + '] ' + label;
	g.fillStyle = c.dark && s ? lettersOn(s) : c.ink;
	g.globalAlpha = c.on && !on ? 0.6 : 1;
	g.fillText((tree.colour ? fitText : fitName)(g, label, w - 8), x + 4,
		y + boxHigh / 2 - 0.5);
	g.globalAlpha = 1;
}

function hatch(g, x, y, w, h, dark) {
	g.save();
	g.beginPath();
	g.rect(x, y, w, h);
	g.clip();
	g.strokeStyle = dark ? '#ffffff30' : '#00000030';
	g.lineWidth = 1;
	g.beginPath();
	for (let i = x - x % 6 - h; i < x + w; i += 6) {
		g.moveTo(i, y + h);
		g.lineTo(i + h, y);
	}
	g.stroke();
	g.restore();
}
