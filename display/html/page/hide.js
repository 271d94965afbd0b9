// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that are left out of call paths, as by mpreduce --hide: what they
// allocated counts for their callers.  S.hide: their numbers, with dots between.

function hiddenFuncs() {
	return S.hide ? S.hide.split('.').map(Number) : [];
}

function hideText() {
	return S.hide && 'hidden: ' + hiddenFuncs().map(nameOf).join(', ');
}

// Hide some functions, and remain near the call path of frame f.
function hideThem(funcs, f) {
	const all = new Set(hiddenFuncs().concat(funcs.filter((fn) =>
		fn >= 0 && fn < M.funcs.n)));
	let at = f;

	while (at && all.has(M.frames.func[at]))
		at = M.frames.parent[at];
	go({ hide: Array.from(all).join('.'), at: at ? String(at) : '', row: -1 });
}

function hideButton(funcs, f) {
	return link('hide it', () => hideThem(funcs, f), 'in all views, what ' +
		funcs.map(nameOf).join(', ') + ' allocated counts for ' +
		'callers (Shift and Delete)');
}

// Make the model of the call paths without the hidden functions.
function applyHide() {
	const all = M.loaded;

	if (!/^(\d+(\.\d+)*)?$/.test(S.hide) || hiddenFuncs().some((fn) =>
		fn >= M.funcs.n))
		S.hide = '';
	if ((M.hide || '') === S.hide)
		return;
	M = Object.assign({}, all, { hide: S.hide, cache: new Map() });
	if (!S.hide)
		return;
	const off = new Uint8Array(M.funcs.count);
	for (const fn of hiddenFuncs())
		off[fn] = 1;
	hideFrames(off);
	findCycles();
	M.funcs = Object.assign({}, all.funcs, { cycle: graphCycles() });
	if (all.old)
		hideOld(off);
}

// The frames without those of some functions.  They keep their numbers; a
// hidden frame has no function.
function hideFrames(off) {
	const from = M.loaded, R = from.frames, n = R.n;
	const to = new Int32Array(n + 1), leaf = from.sites.leaf.slice();

	for (let f = 1; f <= n; f++)
		to[f] = off[R.func[f]] ? to[R.parent[f]] : f;
	leaf.forEach((f, i) => {
		leaf[i] = to[f];
	});
	// Paths without frames need one; it may be there.
	const lost = R.func[n] === M.funcs.n ? n : n + 1;
	const add = leaf.includes(0) ? lost - n : 0;
	M.frames = Object.assign({}, R, { n: n + add,
		parent: new Int32Array(n + 1 + add),
		func: new Int32Array(n + 1 + add), line: null });
	M.frames.func[lost] = M.funcs.n;
	for (let f = 0; f <= n; f++) {
		M.frames.parent[f] = to[f] === f ? to[R.parent[f]] : 0;
		M.frames.func[f] = to[f] === f ? R.func[f] : -1;
	}
	M.frames.func[0] = -1;
	M.sites = Object.assign({}, from.sites, { leaf: leaf.map((f) =>
		f || lost) });
	addKids(M.frames);
	M.sites.path = M.sites.leaf.map(alikeFrames());
}

// The number of call paths of some sites.
function pathsOf(list) {
	const of = M.sites.path;

	return of ? new Set(list.map((i) => of[i])).size : list.length;
}

// Sites of one call path as one list.
function byPath(list) {
	const of = M.sites.path, all = new Map();

	if (!of)
		return list.map((i) => [i]);
	for (const i of list)
		all.set(of[i], []);
	of.forEach((path, i) => all.has(path) && all.get(path).push(i));
	return Array.from(all.values());
}

// Calls of one function at one place, in equal call paths, are one frame of
// mpreduce.  Returns a function: the first of the frames that are one with f.
function alikeFrames() {
	const R = M.frames, first = new Int32Array(R.n + 1), found = new Map();
	const calls = D.strings.length + 2;

	for (let f = 1; f <= R.n; f++) {
		const key = (first[R.parent[f]] * (M.funcs.count + 1) +
			R.func[f]) * calls + (R.call[f - 1] || 0);

		if (!found.has(key))
			found.set(key, f);
		first[f] = found.get(key);
	}
	return (f) => first[f];
}

// By function: a number that all lines of one function share.
function wholeFuncs() {
	const F = M.loaded.funcs, numbers = new Map();

	return F.name.map((name, fn) => {
		const key = [name, F.module[fn], F.file[fn], F.line[fn]].join();

		if (!numbers.has(key))
			numbers.set(key, numbers.size);
		return numbers.get(key);
	});
}

// Find the recursions on call paths, as reduce/callgraph/elements.c does.
function findCycles() {
	const R = M.frames, whole = wholeFuncs(), found = new Map();
	const numbers = () => new Int32Array(R.n + 1);
	const on = new Int32Array(M.funcs.count), depth = numbers();
	// How many elements a frame's path has, and what begin[] was before.
	const begin = [], size = numbers(), was = numbers();

	R.entry = numbers();
	R.cycle = numbers();
	M.on_paths = [];
	walk((f, up) => {
		const fn = whole[R.func[f]];
		let n = size[up];

		depth[f] = depth[up] + 1;
		if (on[fn]) {
			while (depth[begin[n - 1]] > depth[on[fn]])
				n--;
			R.entry[f] = begin[n - 1];
		} else {
			on[fn] = f;
			was[f] = begin[n];
			begin[n++] = f;
		}
		size[f] = n;
	}, (f) => {
		if (R.entry[f])
			return;
		on[whole[R.func[f]]] = 0;
		begin[size[f] - 1] = was[f];
	});
	for (let f = 1; f <= R.n; f++) {
		const all = R.entry[f] && cycleFuncs(f, whole), key = all &&
			all[0] + ':' + all.map((fn) => whole[fn]).sort().join();

		if (!all)
			continue;
		if (!found.has(key))
			found.set(key, M.on_paths.push(all));
		R.cycle[f] = found.get(key);
	}
}

// The functions of the cycle that ends with frame f, the entry first, and the
// last function behind all others.
function cycleFuncs(f, whole) {
	const R = M.frames, F = M.funcs, entry = R.func[R.entry[f]];
	const same = (a, b) => whole[a] === whole[b], others = new Map();

	for (let at = f; at !== R.entry[f]; at = R.parent[at])
		if (!same(R.func[at], R.func[f]) && !same(R.func[at], entry))
			others.set(whole[R.func[at]], R.func[at]);
	return [entry].concat(Array.from(others.values()).sort((a, b) =>
		(F.name[a] < F.name[b] ? -1 : 1)), same(R.func[f], entry) ? []
		: R.func[f]);
}

// By function: the number of its cycle in the call graph; 0: none.  A cycle that
// falls apart has new numbers.
function graphCycles() {
	const R = M.frames, was = M.loaded.funcs.cycle, out = was.slice();
	const next = [new Map(), new Map()], add = (side, a, b) =>
		next[side].set(a, (next[side].get(a) || new Set()).add(b));
	const reached = (side, fn) => {
		const all = new Set([fn]);

		for (const f of all)
			for (const g of next[side].get(f) || [])
				all.add(g);
		return all;
	};
	const done = new Set(), used = new Set();
	let last = was.reduce((a, b) => Math.max(a, b), 0);

	for (let f = 1; f <= R.n; f++) {
		const a = R.func[R.parent[f]], b = R.func[f];

		if (a >= 0 && b >= 0 && was[a] && was[a] === was[b]) {
			add(0, a, b);
			add(1, b, a);
		}
	}
	was.forEach((cycle, fn) => {
		if (!cycle || done.has(fn))
			return;
		const below = reached(0, fn), all = Array.from(reached(1, fn))
			.filter((f) => below.has(f));
		const number = all.length < 2 ? 0 : used.has(cycle) ? ++last
			: cycle;

		if (number)
			used.add(cycle);
		for (const f of all) {
			done.add(f);
			out[f] = number;
		}
	});
	return out;
}

// Rows of the old run whose call paths have become equal are one row.
function hideOld(off) {
	const O = M.loaded.old, s = M.sites, rows = new Map();
	const names = new Set(M.funcs.name.filter((name, fn) => off[fn]));
	const gone = (r) => (O.gone.get(r) || []).filter((t) => !names.has(t));
	const path = (r) => (O.first[r] < 0 ? gone(r) : elements(s.leaf[
		O.first[r]]).map((f) => (M.frames.cycle[f] ? elementOf(f)
		: M.funcs.name[M.frames.func[f]]))).join('\n');
	const row = Array.from({ length: O.n }, (x, r) => {
		const key = path(r);

		if (!rows.has(key))
			rows.set(key, rows.size);
		return rows.get(key);
	});
	const n = rows.size, o = M.old = Object.assign({}, O, { n: n, row: row,
		of: O.of.map((r) => r && row[r - 1] + 1), gone: new Map(),
		leaf: null, lines: null });

	for (const id of COMPARED.concat('was')) {
		o[id] = new Float64Array(n);
		row.forEach((to, r) => {
			o[id][to] += O[id][r];
		});
	}
	firstSites(o);
	row.forEach((to, r) => {
		if (o.first[to] < 0 && O.gone.has(r))
			o.gone.set(to, gone(r));
	});
}
