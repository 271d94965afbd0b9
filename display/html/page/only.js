// SPDX-License-Identifier: GPL-3.0-or-later
// Only a part of the run, in all views: what one thread allocated, or the call
// paths through one function, or the call paths without some functions.  S.only: t
// or f and its number; then x and the numbers of functions to leave out, with dots
// between; '' for all.

// Is only a part of the run shown?
function partial() {
	return spanned() || S.only !== '';
}

function threaded() {
	return S.only[0] === 't';
}

// { kind: 't', 'f' or '', number, out: [functions] }; null: it has no meaning.
function onlyParts() {
	const m = /^(?:([tf])(\d+))?(?:x(\d+(?:\.\d+)*))?$/.exec(S.only);
	const p = m && { kind: m[1] || '', number: Number(m[2] || 0),
		out: m[3] ? m[3].split('.').map(Number) : [] };
	const good = p && (p.kind !== 't' || M.threads && !spanned() &&
		p.number < D.threads.n) && (p.kind !== 'f' || p.number <
		M.funcs.count) && p.out.every((f) => f < M.funcs.count);

	return good ? p : null;
}

function onlyText() {
	const p = onlyParts();

	return [p.kind && (p.kind === 't' ? 'only thread ' + threadName(p.number)
		: 'only paths through ' + nameOf(p.number)), p.out.length &&
		'without paths through ' + p.out.map(nameOf).join(', ')]
		.filter(Boolean).join(', ');
}

// A metric by site: of the chosen thread, of the chosen call paths.
function onlyValues(id) {
	const on = onlySites();

	return (threaded() ? threadValues : allValues)(id).map((n, i) =>
		n * on[i]);
}

function threadValues(id) {
	const all = new Float64Array(M.sites.n), t = M.threads;
	const chosen = onlyParts().number;

	t.thread.forEach((n, k) => {
		if (n === chosen)
			all[t.site[k]] = t[id][k];
	});
	return all;
}

// 1 for each site whose call path is shown; a thread shows all.
function onlySites() {
	const p = onlyParts(), marked = (list) => below(Uint8Array.from(
		{ length: M.funcs.count }, (x, f) => Number(list.includes(f))),
	M.loaded.frames);

	if (!M.only || M.only.key !== S.only) {
		const on = p.kind === 'f' && marked([p.number]);
		const out = marked(p.out);

		M.only = { key: S.only, sites: Uint8Array.from(M.loaded.sites.leaf,
			(f) => Number((!on || on[f]) && !out[f])) };
	}
	return M.only.sites;
}

// The number of call paths with allocations in the part that is shown.
function sitesLeft() {
	const all = Array.from(M.sites.leaf.keys());

	return pathsOf(S.only ? all.filter((i) => siteValues('allocs')[i]) : all);
}

// The figures of each thread, by site; null if they are unknown.
function loadThreads() {
	const t = D.thread_sites, T = {};

	if (!t)
		return null;
	for (const c of ['site', 'thread', 'allocs', 'bytes', 'frees', 'freed',
		'kept', 'peak'])
		T[c] = column(t, c, t.n);
	T.site = sums(T.site);
	T.peak_known = column(D.threads, 'peak_known', D.threads.n);
	return T;
}

function threadName(i) {
	const t = D.threads;

	return (text(t.name ? t.name[i] : 0) || '(no name)') +
		(t.main && t.main[i] ? ' (main)' : '');
}

function onlyButton(fn) {
	return link('only paths through it', () => go({ only: 'f' + fn +
		S.only.replace(/^[^x]*/, ''), zoom: '', at: '' }),
	'all views show only call paths through ' + nameOf(fn));
}

function leaveOut(funcs) {
	const all = new Set(onlyParts().out.concat(funcs));

	go({ only: S.only.replace(/x.*/, '') + 'x' + Array.from(all).join('.'),
		zoom: '', at: '' });
}

function leaveButton(funcs) {
	return link('leave it out', () => leaveOut(funcs), 'all views leave ' +
		'out call paths through ' + funcs.map(nameOf).join(', '));
}
