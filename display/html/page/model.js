// SPDX-License-Identifier: GPL-3.0-or-later
// The profile: the page's data as arrays, and figures computed from them.
//
// Frames have numbers from 1; 0 is the root.  A caller has a lower number than
// its callees.  A function's number is its index in the data; the number after
// the last is for unknown call paths.

let D; // the page's data
let M; // the model; .loaded: without hidden functions

function column(table, name, n) {
	return table[name] ? Float64Array.from(table[name])
		: new Float64Array(n);
}

function text(i) {
	return D.strings[i];
}

// Short names, with the suffixes that distinguish functions of the same name.
function briefNames(F) {
	return F.label.map((label, i) => brief(F.name[i]) +
		(label.startsWith(F.name[i]) ? label.slice(F.name[i].length)
			: ''));
}

function nameOf(fn) {
	return (S.full ? M.funcs.label : M.funcs.brief)[fn];
}

function loadFunctions() {
	const f = D.functions, n = f.n;
	const F = { n: n, label: [], name: [], module: [], file: [] };

	for (let i = 0; i < n; i++) {
		F.label.push(text(f.label ? f.label[i] : 0));
		F.name.push(text(f.name ? f.name[i] : 0));
		F.module.push(text(f.module ? f.module[i] : 0));
		F.file.push(text(f.file ? f.file[i] : 0));
	}
	for (const c of ['line', 'whose', 'graph', 'cycle', 'inlined', 'calls',
		'recursive', 'outcalls'])
		F[c] = column(f, c, n);
	F.label.push('(no chain)');
	F.name.push('(no chain)');
	F.module.push('');
	F.file.push('');
	F.count = n + 1;
	F.brief = briefNames(F);
	return F;
}

function loadFrames(lost) {
	const f = D.frames, n = f.n + (lost ? 1 : 0);
	const R = { n: n, parent: new Int32Array(n + 1),
		func: new Int32Array(n + 1), inlined: new Uint8Array(n),
		call: new Int32Array(n), entry: new Int32Array(n + 1),
		cycle: new Int32Array(n + 1) };
	const [func, inlined, call] = ['function', 'inlined', 'call'].map((c) =>
		column(D.places, c, D.places.n));

	R.func[0] = -1;
	for (let i = 0; i < f.n; i++) {
		const k = f.place ? f.place[i] : 0;

		R.parent[i + 1] = i + 1 - f.back[i];
		R.func[i + 1] = func[k];
		R.inlined[i] = inlined[k];
		R.call[i] = call[k];
		R.cycle[i + 1] = f.cycle ? f.cycle[i] : 0;
		R.entry[i + 1] = !R.cycle[i + 1] ? 0 : f.entry[i] ? i + 1 -
			f.entry[i] : R.entry[R.parent[i + 1]];
	}
	if (lost)
		R.func[n] = D.functions.n;
	addKids(R);
	return R;
}

// The children of frame f are kids[start[f] .. start[f + 1]], without hidden
// frames.
function addKids(R) {
	const n = R.n, shown = (i) => R.func[i] >= 0;

	R.start = new Int32Array(n + 2);
	for (let i = 1; i <= n; i++)
		R.start[R.parent[i] + 1] += shown(i);
	for (let i = 1; i <= n + 1; i++)
		R.start[i] += R.start[i - 1];
	R.kids = new Int32Array(n);
	const at = R.start.slice();
	for (let i = 1; i <= n; i++)
		if (shown(i))
			R.kids[at[R.parent[i]]++] = i;
}

function loadSites() {
	const s = D.sites, n = s.n;
	const T = { n: n };

	for (const c of ['leaf', 'start', 'allocs', 'bytes', 'frees', 'freed',
		'peak', 'peak_blocks', 'reallocs', 'type', 'mark', 'temps',
		'by_others', 'mean', 'timed', 'spread', 'reads', 'writes', 'handed',
		'handed_bytes', 'hidden', 'kept', 'severity', 'save', 'leaked',
		'leaked_blocks', 'pinned', 'lost', 'indirect', 'interior',
		'reachable'])
		T[c] = column(s, c, n);
	Object.entries(variances(s, n)).forEach(([id, v]) => {
		T['e_' + id] = v;
	});
	T.scores = new Map();
	T.flags = new Map();
	for (let i = 0, k = 0, at = 0; i < n; i++) {
		if (!T.severity[i])
			continue;
		T.scores.set(i, s.scores.slice(k, k + 4));
		k += 4;
		T.flags.set(i, s.flags.slice(at + 1, at + 1 + 2 * s.flags[at]));
		at += 1 + 2 * s.flags[at];
	}
	return T;
}

// Turns differences, as in the data, back into sums.
function sums(v) {
	const out = new Float64Array(v.length);
	let sum = 0;

	for (let i = 0; i < v.length; i++)
		out[i] = sum += v[i];
	return out;
}

const COUNTS = ['allocs', 'bytes', 'frees', 'freed'];

// The bytes live at a time, from counts over time, which include suppressed
// blocks.
function liveAt(T, i) {
	return Math.max(0, T.bytes[i] - T.freed[i]);
}

function loadTime() {
	const t = D.time;

	if (!t.at)
		return null;
	const T = { n: t.at.length, at: sums(t.at), step: t.step,
		every: t.every || 1 };
	for (const c of COUNTS)
		T[c] = sums(t[c]);
	T.peak = t.peak && t.peak.map((n, i) => (n === null ? n
		: Math.max(n, liveAt(T, i))));
	T.rss = t.rss || null;
	T.sites = t.sites && rowsOverTime(t.sites);
	T.threads = t.threads && rowsOverTime(t.threads);
	return T;
}

// Counts of rows: those of row i are at the snapshots start[i] to start[i + 1] - 1.
function rowsOverTime(t) {
	const n = t.n.length, all = t.snapshot.length;
	const R = { start: new Int32Array(n + 1),
		snapshot: new Int32Array(all) };
	for (const c of COUNTS)
		R[c] = new Float64Array(all);
	for (let i = 0, k = 0; i < n; i++) {
		let m = 0, sum = [0, 0, 0, 0];

		R.start[i] = k;
		for (let e = k + t.n[i]; k < e; k++) {
			R.snapshot[k] = m += t.snapshot[k];
			COUNTS.forEach((c, j) => {
				R[c][k] = sum[j] += t[c][k];
			});
		}
		R.start[i + 1] = k;
	}
	return R;
}

function load() {
	D = JSON.parse(document.getElementById('data').textContent);
	M = { total: D.total, on_paths: D.on_paths, cache: new Map(), lines: { text: [''],
		of: new Int32Array(D.strings.length + 2), number: new Map() } };
	M.sites = loadSites();
	M.total.save = D.total.used ? M.sites.save.reduce((a, b) => a + b, 0)
		: null;
	const lost = M.sites.leaf.indexOf(0) >= 0;
	M.funcs = loadFunctions();
	M.frames = loadFrames(lost);
	for (let i = 0; lost && i < M.sites.n; i++)
		if (!M.sites.leaf[i])
			M.sites.leaf[i] = M.frames.n;
	M.threads = loadThreads();
	M.time = loadTime();
	M.old = loadOld();
	loadOldTypes();
	M.log = loadLog();
	M.graph = loadGraph();
	M.program = D.program.replace(/.*\//, '') || D.program;
	M.loaded = M;
}

// The value of make() for a key and for the part of the run that is shown.
// make() is called once.
function cached(key, make) {
	const k = key + '/' + (spanned() ? S.a + '-' + S.b : '') + S.only;

	if (!M.cache.has(k)) {
		if (M.cache.size > 60)
			M.cache.clear();
		M.cache.set(k, make());
	}
	return M.cache.get(k);
}

// ------------------------------------------------------------- metrics --

const METRICS = [
	{ id: 'peak', name: 'held at the peak', short: 'at peak', bytes: true },
	{ id: 'kept', name: 'not freed', short: 'not freed', bytes: true },
	{ id: 'bytes', name: 'bytes allocated', short: 'bytes', bytes: true },
	{ id: 'allocs', name: 'allocations', short: 'allocs' },
	{ id: 'temps', name: 'short-lived', short: 'short-lived', hint:
		'blocks freed before their thread\u2019s next allocation' },
	{ id: 'leaked', name: 'leaked', short: 'leaked', bytes: true,
		hint: 'lost or indirectly lost' },
	{ id: 'grown', name: 'grown', short: 'grown', bytes: true, hint:
		'more live at the end of the span than at its begin, of the ' +
		'call paths that have grown' },
	{ id: 'save', name: 'worst used', short: 'worst used', bytes: true,
		hint: 'bytes allocated \u00d7 (1 - score): how well the blocks ' +
			'are used, see mpreduce --scores' },
	{ id: 'pinned', name: 'pinned', short: 'pinned', bytes: true, hint:
		'free bytes on pages that live blocks keep, see mpreduce ' +
		'--memory=pins' },
	{ id: 'reads', name: 'reads', short: 'reads' },
	{ id: 'writes', name: 'writes', short: 'writes' },
	{ id: 'frees', name: 'frees', short: 'frees', column: true },
	{ id: 'freed', name: 'bytes freed', short: 'freed', bytes: true,
		column: true },
];

function metric(id) {
	return METRICS.find((m) => m.id === id);
}

// Is the metric known for the part of the run that is shown?
function known(id) {
	if (['peak', 'leaked', 'save', 'reads', 'writes', 'temps', 'pinned']
		.includes(id))
		return M.total[id] !== null && !spanned() && (!threaded() ||
			id === 'peak' && M.threads.peak_known[onlyParts().number] > 0);
	return id !== 'grown' || spanned();
}

// The metric of the view's figures: the chosen one, unless the view lacks it.
function shownMetric(view) {
	return view.metrics && !view.metrics.includes(S.metric) ? 'bytes'
		: S.metric;
}

// The metric's name.  Some views show the whole run, not the span.
function metricName(m) {
	if (!spanned() || views.some((v) => v.id === S.view && v.whole))
		return m.name;
	return m.id === 'kept' ? 'live at the end of the span'
		: m.name + ' in the span';
}

function metricShort(m) {
	return m.id === 'kept' && metricName(m) !== m.name ? 'live' : m.short;
}

// "1000 bytes held at the peak", "12 allocations".
function amountOf(id, n) {
	const name = metricName(metric(id));

	return show(id, n) + (metric(id).bytes && !/^(bytes|worst)/.test(name)
		? ' bytes ' : ' ') + name;
}

function show(id, n) {
	return metric(id).bytes ? bytes(n) : count(n);
}

function spanned() {
	return Boolean(M.time && M.time.sites && S.b >= 0);
}

// A count of a site at a snapshot; -1: before the first.
function siteAt(site, snapshot, which) {
	const R = M.time.sites;
	let low = R.start[site], high = R.start[site + 1];

	while (low < high) {
		const mid = (low + high) >> 1;

		if (R.snapshot[mid] <= snapshot)
			low = mid + 1;
		else
			high = mid;
	}
	return low > R.start[site] ? R[which][low - 1] : 0;
}

function siteValues(id) {
	return cached('site ' + id, () => (S.only ? onlyValues : allValues)(id));
}

function allValues(id) {
	const s = M.sites, out = new Float64Array(s.n);

	if (!spanned())
		return s[id];
	const live = (i, at) => siteAt(i, at, 'bytes') - siteAt(i, at, 'freed');

	for (let i = 0; i < s.n; i++)
		out[i] = id === 'kept' ? live(i, S.b) : id === 'grown'
			? Math.max(0, live(i, S.b) - live(i, S.a))
			: siteAt(i, S.b, id) - siteAt(i, S.a, id);
	return out;
}

// The metric of each frame, including callees; of the root, of the whole run.
function frameValues(id) {
	return cached('frame ' + id, () => {
		const R = M.frames, v = siteValues(id), leaf = M.sites.leaf;
		const out = new Float64Array(R.n + 1);

		for (let i = 0; i < v.length; i++)
			out[leaf[i]] += v[i];
		for (let i = R.n; i > 0; i--)
			out[R.parent[i]] += out[i];
		return out;
	});
}

function totalOf(id) {
	return cached('all ' + id, () => siteValues(id).reduce((a, b) =>
		a + b, 0));
}

// Visit all frames, callers before callees.  leave() is called after all
// callees.
function walk(enter, leave) {
	const R = M.frames, at = R.start.slice(), path = [0];

	while (path.length) {
		const f = path[path.length - 1];

		if (at[f] < R.start[f + 1]) {
			const child = R.kids[at[f]++];

			enter(child, f);
			path.push(child);
			continue;
		}
		path.pop();
		if (f)
			leave(f, R.parent[f]);
	}
}

// Whether a frame is the first of its function on the call path.
function firsts() {
	if (M.first)
		return M.first;
	const func = M.frames.func, on = new Int32Array(M.funcs.count);

	M.first = new Uint8Array(M.frames.n + 1);
	walk((f) => {
		M.first[f] = on[func[f]]++ === 0 ? 1 : 0;
	}, (f) => {
		on[func[f]]--;
	});
	return M.first;
}

// The metric by function: itself; and including callees.
function funcSelf(id) {
	return cached('self ' + id, () => {
		const v = siteValues(id), out = new Float64Array(M.funcs.count);

		for (let i = 0; i < v.length; i++)
			out[M.frames.func[M.sites.leaf[i]]] += v[i];
		return out;
	});
}

function funcTotal(id) {
	return cached('total ' + id, () => {
		const v = frameValues(id), first = firsts();
		const out = new Float64Array(M.funcs.count);

		for (let f = 1; f <= M.frames.n; f++)
			if (first[f])
				out[M.frames.func[f]] += v[f];
		return out;
	});
}

// The arcs of a function: [{ func, calls, values }] of callers, and of callees.
// A block counts once for an arc, a call every time.
function neighbours(fn, ids) {
	const R = M.frames, v = ids.map(frameValues);
	const calls = frameValues('allocs');
	const side = [new Map(), new Map()];
	const pass = (map, func, frame) => {
		let a = map.get(func);

		if (!a)
			map.set(func, a = { func: func, calls: 0, on: 0,
				values: ids.map(() => 0) });
		// If recursion was folded, a folded call counts at least once.
		if (!D.folded || !a.on)
			a.calls += calls[frame];
		if (a.on++ === 0)
			ids.forEach((id, i) => {
				a.values[i] += v[i][frame];
			});
	};

	walk((f, p) => {
		if (R.func[f] === fn && p)
			pass(side[0], R.func[p], f);
		if (p && R.func[p] === fn)
			pass(side[1], R.func[f], f);
	}, (f, p) => {
		if (R.func[f] === fn && p)
			side[0].get(R.func[p]).on--;
		if (p && R.func[p] === fn)
			side[1].get(R.func[f]).on--;
	});
	return side.map((map) => Array.from(map.values()).filter((a) =>
		a.calls || a.values.some((n) => n)).sort((a, b) =>
		b.values[0] - a.values[0] || b.calls - a.calls ||
		a.func - b.func));
}

// ------------------------------------------------------------ searching --

let wanted = { key: '', test: null, bad: false };

// A function that tests a text against the search; null: no search.
function matcher() {
	const key = (S.re ? 'r' : 't') + S.q;

	if (wanted.key === key)
		return wanted.test;
	wanted = { key: key, test: null, bad: false };
	if (!S.q)
		return null;
	if (!S.re) {
		const q = S.q.toLowerCase();

		wanted.test = (t) => t.toLowerCase().includes(q);
		return wanted.test;
	}
	try {
		const re = new RegExp(S.q, 'i');

		wanted.test = (t) => re.test(t);
	} catch (error) {
		wanted.bad = true;
	}
	return wanted.test;
}

function matchedFuncs() {
	const test = matcher();

	if (!test)
		return null;
	return cached('matched ' + wanted.key, () => {
		const F = M.funcs, out = new Uint8Array(F.count);

		for (let i = 0; i < F.count; i++)
			out[i] = test(F.label[i]) || test(F.module[i]) ||
				test(F.file[i]) ? 1 : 0;
		return out;
	});
}

// Frames that match, or have a caller that matches.
function matchedPaths() {
	const on = matchedFuncs();

	return on && cached('paths ' + wanted.key, () => below(on));
}

// Frames of some functions, and all frames below them.
function below(on, of) {
	const R = of || M.frames, out = new Uint8Array(R.n + 1);

	for (let f = 1; f <= R.n; f++)
		out[f] = out[R.parent[f]] | on[R.func[f]];
	return out;
}

function matchedValue(id) {
	const on = matchedPaths();

	if (!on)
		return 0;
	const v = siteValues(id);
	let sum = 0;
	for (let i = 0; i < v.length; i++)
		if (on[M.sites.leaf[i]])
			sum += v[i];
	return sum;
}

// The frame before the element that frame f ends; the element may be a cycle.
function callerOf(f) {
	const R = M.frames;

	return R.parent[R.entry[f] || f];
}

// The element that ends with frame f, as a number: the function's number, or a
// negative number for a cycle and the function where it ends.
function elementOf(f) {
	const R = M.frames;

	return R.cycle[f] ? -R.cycle[f] * M.funcs.count - R.func[f]
		: R.func[f];
}

// The last frames of a path's elements, innermost first.
function elements(leaf) {
	const out = [];

	for (let f = leaf; f; f = callerOf(f))
		out.push(f);
	return out;
}

// The frames of a path, innermost first; at most `most', if given.
function chain(leaf, most) {
	const out = [];

	for (let f = leaf; f && out.length < (most || Infinity);
		f = M.frames.parent[f])
		out.push(f);
	return out;
}
