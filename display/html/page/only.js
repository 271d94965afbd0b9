// SPDX-License-Identifier: GPL-3.0-or-later
// A part of the run that all views show: what one thread allocated, or the call
// paths through one function.  S.only: t or f, and its number; '' is all.

// Is what is looked at less than the whole run?
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

// What the chosen thread allocated by site, or the sites through a function.
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

// Frames of the chosen function and all below them.
function allThrough() {
	const func = new Uint8Array(M.funcs.count), on = M.only ??= {};

	if (on.number !== onlyNumber()) {
		on.number = onlyNumber();
		func[on.number] = 1;
		on.frames = below(func);
	}
	return on.frames;
}

// Sites that have something of what is looked at.
function sitesLeft() {
	return siteValues('allocs').filter(Boolean).length;
}

// What each thread allocated by site, if that is known.
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
