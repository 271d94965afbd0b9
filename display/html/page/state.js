// SPDX-License-Identifier: GPL-3.0-or-later
// The state: what is shown.  All of it is in the address after #, so that a
// link leads to the same view.

let S; // the state
let wholeMetric = ''; // the metric chosen before a span that lacks it

function defaults() {
	return { view: M.old ? 'compare' : 'summary', metric: M.old &&
		M.old.known('bytes') ? mostChanged() : firstMetric(), mode: 'icicle',
		colour: '', zoom: '', at: '', open: '', q: '', re: 0, fn: -1, site: -1, row: -1,
		type: -1, bin: -1, depth: D.depth, sort: '', a: -1, b: -1,
		human: D.human ? 1 : 0, full: 0, lib: 0, hzoom: '', hat: '',
		hopen: '', what: '', only: '', paint: '', by: '', theme: '', rss: 0,
		layers: '', hide: '', ...Object.fromEntries(
			LENSES.map((k) => [k, ''])) };
}

const WHOLE = { a: -1, b: -1, only: '', hide: '', row: -1 };

// The metric that the summary on a terminal shows first.
function firstMetric() {
	const t = M.total;

	if (t.leaked)
		return 'leaked';
	if (t.kept)
		return 'kept';
	return t.peak ? 'peak' : 'allocs';
}

function readState() {
	const d = defaults(), p = new URLSearchParams(location.hash.slice(1));

	S = d;
	applyHide();
	wholeMetric = '';
	for (const k in d) {
		if (!p.has(k))
			continue;
		const v = p.get(k);

		if (typeof d[k] !== 'number')
			S[k] = v;
		else if (/^-?\d{1,15}$/.test(v))
			S[k] = Number(v);
	}
	validate();
}

// Remove values from a link's state that don't fit this page.
function validate() {
	const d = defaults();

	applyHide();
	if (!views.some((v) => v.id === S.view))
		S.view = d.view;
	if (S.fn >= M.funcs.count || S.fn < -1)
		S.fn = -1;
	if (S.site >= M.sites.n || S.site < -1)
		S.site = -1;
	if (S.type >= D.types.n || S.type < -1)
		S.type = -1;
	if (!M.old || S.row >= M.old.n || S.row < -1)
		S.row = -1;
	if (S.depth < 0)
		S.depth = d.depth;
	if (!M.time || !M.time.sites || S.b < 0 || S.b >= M.time.n ||
		S.a >= S.b || S.a < -1)
		S.a = S.b = -1;
	if (!onlyParts())
		S.only = '';
	if (!metric(S.metric) || metric(S.metric).column)
		S.metric = d.metric;
	if (!partial() && wholeMetric && S.metric === 'bytes')
		S.metric = wholeMetric;
	if (!partial() || S.metric !== 'bytes')
		wholeMetric = '';
	if (partial() && !known(S.metric)) {
		wholeMetric = S.metric;
		S.metric = 'bytes';
	}
	if (!known(S.metric))
		S.metric = d.metric;
	if (!D.old || !D.old.roots || !['types', 'paths'].includes(S.what))
		S.what = '';
	if (!['dark', 'light'].includes(S.theme))
		S.theme = '';
	if (!['icicle', 'flame', 'callers', 'around'].includes(S.mode))
		S.mode = d.mode;
}

function stateText() {
	const d = defaults(), p = new URLSearchParams();

	for (const k in d)
		if (S[k] !== d[k])
			p.set(k, S[k]);
	return '#' + p.toString();
}

// The state's members that change what boxes a graph has.
const LAID = ['metric', 'mode', 'zoom', 'fn', 'a', 'b', 'only', 'hide', 'lib', 'open',
	'hzoom'];

// Change the state.  `stay': don't add it to the history.
function go(changes, stay) {
	if (LAID.some((k) => k in changes && changes[k] !== S[k]))
		S.glens = S.hlens = '';
	Object.assign(S, changes);
	validate();
	const to = stateText();

	if (to !== (location.hash || '#'))
		history[stay ? 'replaceState' : 'pushState'](null, '', to);
	render();
}

function openFunction(fn) {
	go({ view: 'functions', fn: fn });
}

function openSite(site) {
	go({ view: 'sites', site: site });
}
