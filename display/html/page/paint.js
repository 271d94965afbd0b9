// SPDX-License-Identifier: GPL-3.0-or-later
// Colours by the reader's patterns for functions on call paths, and for types.

const PAINTS = 7;

// The patterns in the field: [{ text, test }].  They are words; * matches
// anything.
function paints() {
	if (!M.paints || M.paints.of !== S.paint)
		M.paints = { of: S.paint, all: S.paint.split(/\s+/)
			.filter(Boolean).slice(0, PAINTS).map((t) => {
				const re = new RegExp(t.includes('*') ? '^' + t
					.replace(/[^\w*]/g, '\\$&').replace(
						/\*/g, '.*') + '$'
					: t.replace(/\W/g, '\\$&'));

				return { text: t, test: (name) => re.test(name) };
			}) };
	return M.paints.all;
}

// The number of the first pattern that matches a site's path or type; -1: none.
function sitePaints() {
	return cached('paints ' + S.paint, () => {
		const all = paints(), F = M.funcs, R = M.frames;
		const fits = all.map((p) => Uint8Array.from({ length: F.count },
			(x, fn) => (p.test(F.name[fn]) || p.test(F.brief[fn])
				? 1 : 0)));
		const on = fits.map((f) => {
			const out = new Uint8Array(R.n + 1);

			for (let i = 1; i <= R.n; i++)
				out[i] = out[R.parent[i]] | f[R.func[i]];
			return out;
		});

		return Int8Array.from({ length: M.sites.n }, (x, i) =>
			all.findIndex((p, k) => on[k][M.sites.leaf[i]] ||
				(siteType(i) && p.test(siteType(i).slice(1)))));
	});
}

// The metric by site, for one pattern; k -1: for all other sites.
function paintValues(id, k) {
	const of = sitePaints();

	return siteValues(id).map((v, i) => (of[i] === k ? v : 0));
}

// By node of the graph, the pattern with at least half of the node; -1: none.
function nodePaints(id) {
	return cached('node paints ' + S.lib + S.open + S.paint + id, () => {
		const N = elementNodes(), all = nodeValues(id);
		const sums = paints().map((p, k) => {
			const v = paintValues(id, k);

			return nodeSums(N, (add) => v.forEach((n, i) =>
				add(M.sites.leaf[i], n)));
		});

		return Int8Array.from({ length: N.parent.length }, (x, n) =>
			sums.findIndex((s) => s[n] > 0 && 2 * s[n] >= all[n]));
	});
}

function paintColour(k, dark) {
	return k < 0 ? dark ? '#353b45' : '#e4e7ec' : layerColour(k);
}

// The patterns with their shares.
function paintLegend(id) {
	const all = totalOf(id);

	return el('ul', { class: 'legend' }, ...paints().map((p, k) => el('li',
		{}, swatch(layerColour(k), k + 1), p.text + ' ' + percent(
			paintValues(id, k).reduce((a, b) => a + b, 0), all))));
}

// The field for the patterns.
function paintField() {
	return el('input', { type: 'search', class: 'paint', value: S.paint,
		placeholder: 'colours: std::* parse', 'aria-label':
			'patterns of functions and types to colour',
		title: 'functions or types, with blanks between; * stands ' +
			'for anything', spellcheck: 'false',
		onchange: (e) => go({ paint: e.target.value, colour: '' }) });
}
