// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of the program that allocate, with their callers, as in the summary on
// a terminal.  Call paths are grouped by their innermost own line.

const CALLERS = 4; // of a line, and frames of each
const CALLER_SHARE = 10; // a caller matters if it has a tenth of all
const COMMON = 3;

// A number that identifies function and line of a frame; 0: no frame.
function lineKey(f) {
	const R = M.frames;

	R.line ??= new Float64Array(R.n + 1);
	if (f && !R.line[f])
		R.line[f] = R.func[f] * M.lines.of.length + 1 +
			lineNumber(R.call[f - 1]);
	return R.line[f];
}

function ownOrLeaf(site) {
	const leaf = M.sites.leaf[site];

	return ownFrame(leaf) || leaf;
}

// { of: index of each site's origin, at: a frame, sites: their numbers }
function origins() {
	const O = { of: new Int32Array(M.sites.n), at: [], sites: [] };
	const found = new Map();

	if (M.origins)
		return M.origins;
	for (let i = 0; i < M.sites.n; i++) {
		const at = ownOrLeaf(i), key = lineKey(at);

		if (!found.has(key)) {
			found.set(key, O.at.length);
			O.at.push(at);
			O.sites.push([]);
		}
		O.of[i] = found.get(key);
		O.sites[O.of[i]].push(i);
	}
	M.origins = O;
	return O;
}

// The library functions that an origin calls, among sites with v: " → f" for
// one function, " → [std]" for several; '' if the origin itself allocates.
function originCalls(k, v) {
	const names = new Set();

	for (const i of origins().sites[k])
		if (v[i] > 0)
			names.add(innerNames(M.sites.leaf[i])[0] || '');
	return names.has('') ? '' : ' \u2192 ' + (names.size === 1
		? Array.from(names)[0] : '[std]');
}

// Sums of v by origin.
function originSums(v) {
	const O = origins(), out = new Float64Array(O.at.length);

	for (let i = 0; i < v.length; i++)
		out[O.of[i]] += v[i];
	return out;
}

// The site with the largest v.
function mostOf(sites, v) {
	return sites.reduce((a, b) => (v[b] > v[a] ? b : a));
}

// Move outwards to the next own frame of a function that wasn't passed; at 0:
// none.
function outwards(end, passed) {
	let at = end.at, std = false;

	do {
		const next = M.frames.parent[at];

		at = ownFrame(next);
		std ||= at !== next;
	} while (at && passed.has(M.frames.func[at]));
	return { site: end.site, n: end.n, at: at, std: std };
}

// Group the ends by line, largest first.
function byLine(ends) {
	const map = new Map();

	for (const e of ends) {
		const key = lineKey(e.at), g = map.get(key);

		if (g) {
			g.sum += e.n;
			g.ends.push(e);
		} else {
			map.set(key, { sum: e.n, ends: [e] });
		}
	}
	return Array.from(map.values()).sort((a, b) => b.sum - a.sum);
}

// The callers of origin k, by v of its sites: { all, several, common, passed,
// some }.  common: callers that all paths share, innermost first.
function originCallers(k, v) {
	const O = origins(), R = M.frames, common = [];
	let passed = new Set([R.func[O.at[k]]]), ends = [], g;

	for (const i of O.sites[k])
		if (v[i] > 0)
			ends.push(outwards({ site: i, n: v[i],
				at: ownOrLeaf(i) }, passed));
	g = byLine(ends);
	const all = g.reduce((n, c) => n + c.sum, 0);
	while (g.length === 1 && common.length < COMMON && ends[0].at) {
		const more = new Set(passed).add(R.func[ends[0].at]);
		const next = ends.map((e) => outwards(e, more));
		const callers = byLine(next);

		if (!callers[0].ends[0].at ||
			callers[0].sum * CALLER_SHARE < all)
			break;
		common.push(ends[0]);
		passed = more;
		ends = next;
		g = callers;
	}
	return { all: all, several: g.length > 1, common: common,
		passed: passed, some: g.filter((c, i) => !i ||
			c.sum * CALLER_SHARE >= all).slice(0, CALLERS) };
}

// "function (file:line)", or the library if the line is unknown and the library
// is not that of `from': texts and nodes.
function placed(f, from) {
	const F = M.funcs, fn = M.frames.func[f], module = F.module[fn];
	const where = lineOf(f) || (module && module !== M.program &&
		F.name[fn][0] !== '[' && (!from || module !==
		F.module[M.frames.func[from]]) ? module : '');

	return [tailName(fn), where ? el('span', { class: 'dim' },
		' (' + where + ')') : null];
}

// The frames from a caller outwards, as long as all its ends share them.
function callerPath(k, c, one) {
	const passed = new Set(c.passed), path = c.common.slice();
	const out = [];
	let ends = one.ends, n = 1, from = origins().at[k];

	while (n === 1 && ends[0].at && path.length < CALLERS) {
		path.push(ends[0]);
		passed.add(M.frames.func[ends[0].at]);
		ends = ends.map((e) => outwards(e, passed));
		n = byLine(ends).length;
	}
	for (const e of path) {
		out.push(e.std ? ' \u2190 [std] \u2190 ' : ' \u2190 ',
			...placed(e.at, from));
		from = e.at;
	}
	if (n > 1)
		out.push(' \u2190 ' + count(n) + ' callers');
	else if (ends[0].at || M.sites.start[ends[0].site] > 1)
		out.push(' \u2190 \u2026');
	return out;
}

// The rows below an origin in a table: its main callers.
function callerRows(k, v, columns) {
	const c = originCallers(k, v);

	return c.some.filter((one) => c.common.length || one.ends[0].at)
		.map((one) => el('tr', { class: 'by go', tabindex: '0',
			onkeydown: (e) => e.key === 'Enter' && e.target.click(),
			onclick: () => openSite(mostOf(one.ends.map((e) =>
				e.site), v)) },
		el('td', { class: 'text', colspan: columns },
			el('span', { class: 'num' }, c.several
				? percent(one.sum, c.all) : ''),
			...callerPath(k, c, one).filter(Boolean))));
}
