// SPDX-License-Identifier: GPL-3.0-or-later
// Two shapes of the flame graph: from the allocating functions outwards; and one
// function with all its callers above and all its callees below.

// The first frame, from f outwards, that is outside the folded library.
function outOfStd(f) {
	while (f && inStd(f))
		f = callerOld(f);
	return f;
}

// A tree whose nodes are made on demand.  A node has frames, each with its figure:
// `from', and `past' in the old run.  next(node, n, add) adds the frames of its
// kids; frames with the same id(frame) become one kid.
function lazyTree(root, id, next) {
	const R = M.frames, node = [Object.assign({ parent: -1, kids: null }, root)];
	const kids = (n) => {
		const by = new Map();

		next(node[n], n, (frame, value, past) => {
			const func = past ? funcOld(frame) : R.func[frame];
			const key = frame > 0 ? id(frame) : func;
			let k = by.get(key);

			if (!frame || !value || func < 0)
				return;
			if (!k)
				by.set(key, k = { value: 0, was: 0, func: func,
					from: new Map(), past: new Map() });
			const to = past ? k.past : k.from;
			k[past ? 'was' : 'value'] += value;
			to.set(frame, (to.get(frame) || 0) + value);
		});
		return Array.from(by).sort((a, b) => b[1].value - a[1].value ||
			a[0] - b[0]).map(([key, k]) => node.push(Object.assign(k,
			{ id: key, parent: n, kids: null })) - 1);
	};
	const frameOf = (n) => Array.from(node[n].from.keys()).concat(
		Array.from(node[n].past.keys()))[0];
	const tree = {
		value: (n) => node[n].value,
		was: (n) => node[n].was,
		func: (n) => node[n].func,
		funcs: (n) => (node[n].id < 0 ? M.on_paths[M.frames.cycle[
			frameOf(n)] - 1] : [node[n].func]),
		label: (n) => (node[n].id < 0 ? elementName(frameOf(n), nameOf)
			: nameOf(node[n].func)),
		cycle: () => false,
		frame: () => 0,
		lines: () => [],
		severity: () => 0,
		parent: (n) => node[n].parent,
		kids: (n) => (node[n].kids ??= kids(n)),
		key: (n) => {
			const path = [];

			for (; n; n = node[n].parent)
				path.push(node[n].id);
			return path.reverse().join('.');
		},
		find: (key) => {
			let n = 0;

			for (const f of key ? key.split('.') : []) {
				n = tree.kids(n).find((k) =>
					node[k].id === Number(f)) || -1;
				if (n < 0)
					return 0;
			}
			return n;
		},
	};
	return tree;
}

// The tree from the leaves outwards.
function upTree(id) {
	const s = M.sites, v = siteValues(id);
	const old = M.old && M.old.known(id);

	return lazyTree({ func: -1, value: totalOf(id), was: old
		? nodesOld(id)[0] : 0 }, elementOf, (me, n, add) => {
		if (n) {
			me.from.forEach((value, f) => add(outOfStd(callerOf(f)),
				value));
			me.past.forEach((value, f) => add(outOfStd(callerOld(f)),
				value, true));
			return;
		}
		for (let i = 0; i < s.n; i++)
			add(outOfStd(s.leaf[i]) || s.leaf[i], v[i]);
		if (old)
			M.old.first.forEach((i, r) => {
				const f = i < 0 ? leafGone(r) : s.leaf[i];

				add(outOfStd(f) || f, M.old[id][r], true);
			});
	});
}

// The function in the middle: the chosen one, or the one that allocates most itself.
function middle() {
	const v = selfValues(S.metric);

	return S.fn >= 0 ? S.fn : v.reduce((best, n, i) => (n > v[best] ? i
		: best), 0);
}

// Add a frame's callees; for a callee in the folded library, add its callees.
// past: add figures of the old run, whose positions may be on a path that is
// gone.
function addCallees(f, v, add, past) {
	const R = M.frames, to = f < 0 ? [calleeGone(f)].filter(Boolean)
		: R.kids.subarray(R.start[f], R.start[f + 1]);

	for (const k of to)
		if (inStd(k))
			addCallees(k, v, add, past);
		else
			add(k, k < 0 ? v.gone(k) : v[k], past);
}

// The metric of the old run by frame of the new run, including callees, as
// frameValues() is; gone(at): of a position on a path that is gone.
function frameValuesOld(id) {
	return cached('frame old ' + id, () => {
		const R = M.frames, O = M.old, v = new Float64Array(R.n + 1);

		O.first.forEach((i, r) => {
			if (i >= 0)
				v[M.sites.leaf[i]] += O[id][r];
		});
		for (let f = R.n; f > 0; f--)
			v[R.parent[f]] += v[f];
		v.gone = (at) => O[id][rowGone(at)];
		return v;
	});
}

// The first frames of a function on its call paths, with their figures in the
// old run.
function pastOf(fn, id) {
	const R = M.frames, O = M.old, v = frameValuesOld(id), out = new Map();
	const first = firsts();

	for (let f = 1; f <= R.n; f++)
		if (R.func[f] === fn && first[f] && v[f])
			out.set(f, v[f]);
	O.gone.forEach((names, r) => {
		const k = names.lastIndexOf(M.funcs.name[fn]);

		if (k >= 0 && O[id][r])
			out.set(leafGone(r) - k, O[id][r]);
	});
	return out;
}

// One function with its callees, kids(), and its callers, callers(); each block
// counts once.  Nodes below it have even numbers, nodes above it odd ones.
function aroundTree(id) {
	const R = M.frames, fn = middle(), v = frameValues(id), first = firsts();
	const from = new Map(), funcOf = (f) => R.func[f];

	for (let f = 1; f <= R.n; f++)
		if (R.func[f] === fn && first[f] && v[f])
			from.set(f, v[f]);
	const past = M.old && M.old.known(id) ? pastOf(fn, id) : new Map();
	const root = { func: fn, value: funcTotal(id)[fn], id: fn, from: from,
		was: Array.from(past.values()).reduce((a, b) => a + b, 0),
		past: past };
	const old = past.size && frameValuesOld(id);
	const caller = (f) => (f < 0 ? callerOld(f) : R.parent[f]);
	const sides = [lazyTree(root, funcOf, (me, n, add) => {
		me.from.forEach((value, f) => addCallees(f, v, add));
		me.past.forEach((value, f) => addCallees(f, old, add, true));
	}), lazyTree(root, funcOf, (me, n, add) => {
		me.from.forEach((value, f) => add(outOfStd(caller(f)), value));
		me.past.forEach((value, f) => add(outOfStd(caller(f)), value,
			true));
	})];
	const tree = {}, number = (odd, k) => (k ? 2 * k - odd : 0);
	const numbers = (odd, list) => list.map((k) => number(odd, k));
	const ask = (name, n) => sides[n % 2][name](Math.ceil(n / 2));

	for (const name in sides[0])
		tree[name] = (n) => ask(name, n);
	return Object.assign(tree, {
		kids: (n) => numbers(n % 2, ask('kids', n)),
		callers: () => numbers(1, sides[1].kids(0)),
		parent: (n) => number(n % 2, ask('parent', n)),
		key: (n) => (n % 2 ? 'u' : '') + ask('key', n),
		find: (key) => (key[0] === 'u' ? number(1, sides[1].find(
			key.slice(1))) : number(0, sides[0].find(key))),
	});
}
