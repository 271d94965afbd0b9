// SPDX-License-Identifier: GPL-3.0-or-later
// The layers of the heap over time: call paths, threads, or the reader's patterns.

const LAYERS = 7;
const FILLS = [210, 28, 152, 268, 48, 188, 340];

// The bytes that some rows of R held together: at each snapshot, and, of peak[],
// at the peak.
function liveOf(R, list, peak) {
	const T = M.time, live = new Float64Array(T.n);

	for (const i of list) {
		let k = R.start[i], now = 0;

		for (let m = 0; m < T.n; m++) {
			for (; k < R.start[i + 1] && R.snapshot[k] <= m; k++)
				now = liveAt(R, k);
			live[m] += now;
		}
	}
	return { live: live, peak: list.reduce((n, i) => n + (peak[i] || 0), 0) };
}

function byThread() {
	return S.layers === 'threads' && Boolean(M.time.threads);
}

// The layers of the plot: those of the patterns; or threads; or the chosen call
// path; or the sites that held most at any snapshot: [{ name, live, peak, and site
// or thread }].
function layers() {
	const key = [S.paint, S.site, S.only, S.layers].join(' ');

	if (!M.time || !M.time.sites)
		return [];
	if (M.layers && M.layers.key === key)
		return M.layers;
	M.layers = paints().length ? paintLayers() : byThread() ? threadLayers()
		: siteLayers();
	M.layers.key = key;
	return M.layers;
}

function paintLayers() {
	const of = Array.from(sitePaints());

	return paints().map((p, k) => Object.assign(liveOf(M.time.sites,
		Array.from(of.keys()).filter((i) => of[i] === k), M.sites.peak),
	{ name: p.text }));
}

// Behind the threads there is a row for those that are not known.
function threadLayers() {
	const n = D.threads.n, peak = D.threads.peak || [];

	return largest(M.time.threads).map((i) => Object.assign(liveOf(
		M.time.threads, [i], peak), i < n ? { name: threadName(i),
		thread: i } : { name: '(not known)' }));
}

function siteLayers() {
	const on = S.only && onlySites();
	const most = (l) => l.live.reduce((a, b) => Math.max(a, b), 0);
	const some = byPath(S.site >= 0 ? [S.site] : largest(M.time.sites, on,
		M.sites.path ? 4 * LAYERS : LAYERS)).map((list) => Object.assign(
		liveOf(M.time.sites, list, M.sites.peak), { site: list[0] }));

	some.sort((a, b) => most(b) - most(a) || a.site - b.site);
	some.length = Math.min(some.length, LAYERS);
	const names = siteNames(some.map((l) => l.site));
	for (const l of some)
		l.name = names.get(l.site);
	return some;
}

// The rows of R that held most at any snapshot, `some' of them or LAYERS; on: only
// these.
function largest(R, on, some) {
	const most = [];

	for (let i = 0; i + 1 < R.start.length; i++) {
		let top = 0;

		if (on && !on[i])
			continue;
		for (let k = R.start[i]; k < R.start[i + 1]; k++)
			top = Math.max(top, liveAt(R, k));
		if (top)
			most.push([top, i]);
	}
	most.sort((a, b) => b[0] - a[0] || a[1] - b[1]);
	return most.slice(0, some || LAYERS).map(([, i]) => i);
}

function layerColour(k) {
	return isDark() ? 'hsl(' + FILLS[k] + ',38%,' + (26 + k % 2 * 7) + '%)'
		: 'hsl(' + FILLS[k] + ',52%,' + (68 + k % 2 * 9) + '%)';
}

function restColour() {
	return isDark() ? '#4a5361' : '#cfd5de';
}

// A layer's name leads to its call path, or to those of its thread.
function layerName(l) {
	return l.site === undefined && (l.thread === undefined || !M.threads)
		? l.name : l.site === undefined ? link(l.name, { a: -1, b: -1,
			only: 't' + l.thread, view: 'sites' }, l.name)
			: link(l.name, () => openSite(l.site),
				pathText(l.site, 0));
}

function legend() {
	return el('ul', { class: 'legend' }, ...layers().map((l, k) =>
		el('li', {}, swatch(layerColour(k), k + 1), layerName(l))),
	el('li', {}, swatch(restColour(), ''), 'all others'), M.time.peak
		? el('li', {}, swatch('none', '\u2509'), 'dotted: most live ' +
			'since the snapshot before') : null);
}
