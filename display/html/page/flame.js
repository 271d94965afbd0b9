// SPDX-License-Identifier: GPL-3.0-or-later
// The flame graph: icicle, flame, and callers (from the allocating function
// outwards).  Only what is at least half a pixel wide is ever looked at.

const BOX = 20;

// ---------------------------------------------------------------- trees --

// A tree gives numbers of nodes: kids(n), the largest first.
function downTree(id) {
	const R = M.frames, v = frameValues(id), done = new Uint8Array(R.n + 1);

	return {
		value: (n) => v[n],
		func: (n) => R.func[n],
		frame: (n) => n,
		parent: (n) => (n ? R.parent[n] : -1),
		kids: (n) => {
			const k = R.kids.subarray(R.start[n], R.start[n + 1]);

			if (!done[n]) {
				done[n] = 1;
				k.sort((a, b) => v[b] - v[a] || a - b);
			}
			return k;
		},
		key: (n) => (n ? String(n) : ''),
		was: (n) => framesOld(id)[n],
		find: (key) => (/^\d+$/.test(key) && Number(key) <= R.n
			? Number(key) : 0),
	};
}

// From the ends of the chains outwards: nodes are made when they are seen.
function upTree(id) {
	const R = M.frames, s = M.sites, v = siteValues(id);
	const old = M.old && M.old.known(id);
	const node = [{ func: -1, parent: -1, value: totalOf(id), kids: null,
		from: null, past: null, was: old ? framesOld(id)[0] : 0 }];
	const expand = (n) => {
		const by = new Map(), me = node[n];
		const add = (frame, value, past) => {
			const func = past ? funcOld(frame) : R.func[frame];
			let k = by.get(func);

			if (!frame || !value || func < 0)
				return;
			if (!k)
				by.set(func, k = { value: 0, was: 0,
					from: new Map(), past: new Map() });
			const to = past ? k.past : k.from;
			k[past ? 'was' : 'value'] += value;
			to.set(frame, (to.get(frame) || 0) + value);
		};

		if (n === 0) {
			for (let i = 0; i < s.n; i++)
				add(s.tip[i], v[i]);
			if (old)
				M.old.first.forEach((i, r) => add(i < 0
					? tipGone(r) : s.tip[i], M.old[id][r],
				true));
		} else {
			me.from.forEach((value, f) => add(R.parent[f], value));
			me.past.forEach((value, f) => add(callerOld(f), value,
				true));
		}
		me.kids = [];
		Array.from(by).sort((a, b) => b[1].value - a[1].value ||
			a[0] - b[0]).forEach(([func, k]) => {
			me.kids.push(node.length);
			node.push(Object.assign(k, { func: func, parent: n,
				kids: null }));
		});
	};
	const tree = {
		value: (n) => node[n].value,
		was: (n) => node[n].was,
		func: (n) => node[n].func,
		frame: (n) => (n ? node[n].from.keys().next().value : 0),
		parent: (n) => node[n].parent,
		kids: (n) => {
			if (!node[n].kids)
				expand(n);
			return node[n].kids;
		},
		key: (n) => {
			const path = [];

			for (; n; n = node[n].parent)
				path.push(node[n].func);
			return path.reverse().join('.');
		},
		find: (key) => {
			let n = 0;

			for (const f of key ? key.split('.') : []) {
				n = tree.kids(n).find((k) =>
					node[k].func === Number(f)) || -1;
				if (n < 0)
					return 0;
			}
			return n;
		},
	};
	return tree;
}

function flameTree() {
	return cached('tree ' + S.mode + S.metric, () =>
		(S.mode === 'callers' ? upTree : downTree)(S.metric));
}

// --------------------------------------------------------------- colours --

const HUES = [212, 28, 152, 268, 48, 188, 340, 96, 236, 10, 128, 300];

function colourOf(c, n) {
	const tree = c.tree, dark = c.dark;
	const F = M.funcs, f = tree.func(n);

	if (n === 0)
		return dark ? '#2b313b' : '#dfe3e9';
	if (c.change)
		return changeColour(changeShare(tree.value(n), tree.was(n)),
			dark);
	if (c.severity) {
		const s = frameSeverity()[tree.frame(n)];

		return s ? heat((s - 1) / 11, dark) : dark ? '#353b45'
			: '#e4e7ec';
	}
	const h = hashText(F.name[f]);
	const hue = HUES[hashText(F.module[f]) % HUES.length] +
		hashText(F.file[f]) % 71 - 35;

	return dark ? 'hsl(' + hue + ',' + (26 + h % 9) + '%,' +
		(30 + (h >> 4) % 8) + '%)'
		: 'hsl(' + hue + ',' + (48 + h % 14) + '%,' +
		(78 + (h >> 4) % 8) + '%)';
}

// From 0 to 1: pale to dark red, ever darker (or, in the dark, lighter), so
// that it can be told without colour.
function heat(x, dark) {
	const l = dark ? 24 + 40 * x : 90 - 42 * x;

	return 'hsl(' + (50 - 42 * x) + ',' + (45 + 35 * x) + '%,' + l + '%)';
}

function colourings() {
	const all = [['module', 'module']];

	if (frameSeverity()[0] && S.mode !== 'callers')
		all.unshift(['severity', 'severity']);
	if (M.old && M.old.known(S.metric))
		all.unshift(['change', 'change']);
	return all;
}

// What it is coloured by: the first of these if nothing else is said.
function colouring() {
	const all = colourings();

	return (all.find((x) => x[0] === S.colour) || all[0])[0];
}

// ---------------------------------------------------------------- layout --

// Boxes by level: x from, x to, node; what is too narrow is left out.
function layBoxes(tree, zoom, width) {
	const levels = [], whole = tree.value(zoom);
	const stack = [[zoom, 0, width, 0]];

	while (stack.length && whole > 0) {
		const [n, x0, x1, depth] = stack.pop();

		while (levels.length <= depth)
			levels.push({ x0: [], x1: [], node: [] });
		const level = levels[depth];
		level.x0.push(x0);
		level.x1.push(x1);
		level.node.push(n);
		let x = x0;
		const next = [];
		for (const k of tree.kids(n)) {
			const w = tree.value(k) / whole * width;

			if (w < 0.5)
				break;
			next.push([k, x, x + w, depth + 1]);
			x += w;
		}
		// The first one is popped first: levels ascend.
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

// As much of the text as has room.
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

// The same of a name: its scopes go first, from the outermost on.
function fitName(g, text, width) {
	let t = text;

	if (S.full)
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
	const tree = c.tree, f = tree.func(n), on = c.on && c.on[f];

	g.globalAlpha = c.on && !on ? 0.35 : 1;
	g.fillStyle = colourOf(c, n);
	g.fillRect(x, y, Math.max(w - 0.6, 0.5), BOX - 1);
	if (c.severity && w > 6 && n &&
		frameSeverity()[tree.frame(n)] >= 9)
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
	let label = n ? nameOf(f) : c.all;
	const s = c.severity && n
		? frameSeverity()[tree.frame(n)] : 0;
	if (s)
		label = '[' + Math.round(s) + '] ' + label;
	if (c.change)
		label = '[' + signed(tree.value(n) - tree.was(n),
			humanBytes) + '] ' + label;
	g.fillStyle = c.ink;
	g.globalAlpha = c.on && !on ? 0.6 : 1;
	g.fillText(fitName(g, label, w - 8), x + 4, y + BOX / 2 - 0.5);
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
