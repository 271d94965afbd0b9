// SPDX-License-Identifier: GPL-3.0-or-later
// The flame graph: icicle and flame; callers.js has the other shapes.  Boxes below
// half a pixel are never computed.

const BOX = 20;

const STD = 1; // whose: code of the language's library

// ---------------------------------------------------------------- trees --

// The elements of all paths as nodes, parents first; of[]: the node of each
// frame.  All calls of a function from one caller are one node, on any line.
// So are all cycles there that are one cycle of the call graph, and adjacent
// functions of the language's library.  An open cycle has nodes for the
// functions that lead out of it; an open library has nodes for all its frames.
function elementNodes() {
	const key = S.lib + S.open;

	if (M.elements && M.elements.made === key)
		return M.elements;
	const R = M.frames, open = new Set(S.open.split('.'));
	const N = { made: key, parent: [-1], func: [-1], frame: [0], key: [''],
		cycles: [null], std: [null], lines: [null],
		in: new Int32Array(R.n + 1), of: new Int32Array(R.n + 1),
		number: new Map([['', 0]]) };
	const found = new Map(), kinds = 4 * M.funcs.count;
	// kind: 0, a function; 1, the library; 2, a cycle of the graph; 3, any
	// other cycle, by its last function.
	const child = (up, kind, id, func, frame, mark) => {
		const at = up * kinds + kind * M.funcs.count + id;
		const was = found.get(at);

		if (was !== undefined)
			return was;
		found.set(at, N.parent.length);
		N.number.set(mark + frame, N.parent.length);
		N.func.push(func);
		N.frame.push(frame);
		N.key.push(mark + frame);
		N.cycles.push(mark === 'c' ? new Set() : null);
		N.std.push(mark === 'l' ? new Set() : null);
		N.lines.push(new Set());
		return N.parent.push(up) - 1;
	};

	for (let i = 1; i <= R.n; i++) {
		const up = N.of[callerOf(i)], fn = R.func[i];

		if (fn < 0)
			continue;
		if (R.cycle[i]) {
			const graph = M.funcs.cycle[fn];
			const n = child(up, graph ? 2 : 3, graph || fn,
				R.func[R.entry[i]], i, 'c');

			N.cycles[n].add(R.cycle[i]);
			N.of[i] = open.has(N.key[n])
				? child(n, 0, fn, fn, i, 'x') : n;
		} else if (!inStd(i)) {
			N.of[i] = child(up, 0, fn, fn, i, '');
			N.lines[N.of[i]].add(R.call[i - 1]);
		} else {
			const n = N.in[callerOf(i)] ||
				child(up, 1, fn, fn, i, 'l');

			N.in[i] = n;
			N.std[n].add(fn);
			N.of[i] = !open.has(N.key[n]) ? n : child(
				N.in[callerOf(i)] ? up : n, 0, fn, fn, i, 'x');
		}
	}
	M.elements = N;
	return N;
}

// The functions of a node; for a cycle, those of all cycles in the node.
function nodeFuncs(n) {
	const N = elementNodes();

	return N.cycles[n] ? Array.from(new Set(Array.from(N.cycles[n])
		.flatMap((c) => M.on_paths[c - 1]))) : N.std[n]
		? Array.from(N.std[n]) : [N.func[n]];
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
	const kids = N.parent.map(() => []);

	for (let n = 1; n < kids.length; n++)
		kids[N.parent[n]].push(n);
	kids.forEach((k) => k.sort((a, b) => v[b] - v[a] || a - b));
	return {
		value: (n) => v[n],
		func: (n) => N.func[n],
		funcs: nodeFuncs,
		label: (n) => (N.cycles[n] ? cycleLabel(n) : N.std[n] ? '[std] ' +
			nameOf(N.func[n]) : nameOf(N.func[n])),
		cycle: (n) => N.cycles[n] !== null || N.std[n] !== null,
		frame: (n) => (N.cycles[n] || N.std[n] ? 0 : N.frame[n]),
		lines: (n) => Array.from(N.lines[n] || [], callLine).filter(Boolean),
		severity: (n) => nodeSeverity()[n],
		error: (n) => nodeValues('e_' + id)[n],
		parent: (n) => N.parent[n],
		kids: (n) => kids[n],
		key: (n) => N.key[n],
		was: (n) => nodesOld(id)[n],
		find: (key) => (N.number.has(key) ? N.number.get(key)
			: /^x?\d+$/.test(key) ? N.of[Number(key.replace('x',
				''))] || 0 : 0),
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
	const l = dark ? 24 + 40 * x : 90 - 34 * x;

	return 'hsl(' + (50 - 42 * x) + ',' + (45 + 35 * x) + '%,' + l + '%)';
}

function colourings() {
	const all = [['module', 'module']];

	if (nodeSeverity()[0] && !merged())
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
// the lens, are left out.
function layBoxes(tree, zoom, width, lens) {
	const levels = [], whole = tree.value(zoom);
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

			if (w < 0.5 || x > width)
				break;
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

// As much of the name as fits.  Scopes are dropped first, the outermost first.
function fitName(g, text, width) {
	let t = text;

	// Don't drop scopes in the names of a cycle.
	if (S.full || text.includes(', '))
		return fitText(g, text, width);

	for (let at = t.indexOf('::'); at > 0; at = t.indexOf('::')) {
		if (g.measureText(t).width <= width)
			return t;
		const bracket = /^\[[^\]]*\] /.exec(t);

		t = (bracket ? bracket[0] : '') + t.slice(at + 2);
	}
	return fitText(g, t, width);
}

function drawBox(g, c, x, y, w, n) {
	const tree = c.tree, on = c.on && c.on(n);

	g.globalAlpha = c.on && !on ? 0.35 : 1;
	g.fillStyle = colourOf(c, n);
	g.fillRect(x, y, Math.max(w - 0.6, 0.5), BOX - 1);
	if (c.severity && w > 6 && n && tree.severity(n) >= 9)
		hatch(g, x, y, w - 0.6, BOX - 1, c.dark);
	g.globalAlpha = 1;
	if (on) {
		g.fillStyle = c.mark;
		g.fillRect(x, y + BOX - 3, Math.max(w - 0.6, 0.5), 2);
	}
	if (n === c.selected) {
		g.strokeStyle = c.ink;
		g.lineWidth = 2;
		g.strokeRect(x + 1, y + 1, Math.max(w - 2.6, 1), BOX - 3);
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
	// In the dark theme, dark letters on light boxes.
	g.fillStyle = c.dark && s >= 6 ? '#101318' : c.ink;
	g.globalAlpha = c.on && !on ? 0.6 : 1;
	g.fillText((tree.colour ? fitText : fitName)(g, label, w - 8), x + 4,
		y + BOX / 2 - 0.5);
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
