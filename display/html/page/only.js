// SPDX-License-Identifier: GPL-3.0-or-later
// Only a part of the run, in all views: what one thread allocated, or the call
// paths through one function.  S.only: t or f, and its number; '' for all.

// Is only a part of the run shown?
function partial() {
	return spanned() || S.only !== '';
}

function threaded() {
	return S.only[0] === 't';
}

function onlyNumber() {
	return Number(S.only.slice(1));
}

function onlyText() {
	return threaded() ? 'only thread ' + threadName(onlyNumber())
		: 'only paths through ' + nameOf(onlyNumber());
}

// A metric by site: of the chosen thread, or of paths through the function.
function onlyValues(id) {
	const all = new Float64Array(M.sites.n), t = M.threads;

	if (threaded()) {
		t.thread.forEach((n, k) => {
			if (n === onlyNumber())
				all[t.site[k]] = t[id][k];
		});
		return all;
	}
	const on = allThrough();

	return allValues(id).map((n, i) => n * on[M.sites.leaf[i]]);
}

// Frames of the chosen function, and all frames below them.
function allThrough() {
	const func = new Uint8Array(M.funcs.count), on = M.only ??= {};

	if (on.number !== onlyNumber()) {
		on.number = onlyNumber();
		func[on.number] = 1;
		on.frames = below(func);
	}
	return on.frames;
}

// The number of sites with allocations in the part that is shown.
function sitesLeft() {
	return siteValues('allocs').filter(Boolean).length;
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
	return el('button', { class: 'link', title: 'all views show only call ' +
		'paths through ' + nameOf(fn), onclick: () => go({ only: 'f' +
		fn, zoom: '', at: '' }) }, 'only paths through it');
}
