// SPDX-License-Identifier: GPL-3.0-or-later
// Where the program allocates: call paths whose innermost own line is the same,
// put together, and who called that, as the summary in a terminal has them.

const CALLERS = 4; // of a line, and frames of each
const CALLER_SHARE = 10; // a caller matters for a tenth of all
const COMMON = 3;

// A function's line as a number, to tell it from others; 0: there is none.
function lineKey(f) {
	return f ? M.frames.func[f] * M.lines.of.length +
		lineNumber(M.frames.call[f - 1]) : 0;
}

function ownOrLeaf(site) {
	const leaf = M.sites.leaf[site];

	return ownFrame(leaf) || leaf;
}

// { of: place of each site in the rest, at: a frame, sites: their numbers }
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

// What an origin calls of libraries where it has something of v: " → f" if that
// is one function, " → [std]" of several; '' if it allocates by itself, too.
function originCalls(k, v) {
	const names = new Set();

	for (const i of origins().sites[k])
		if (v[i] > 0)
			names.add(innerNames(M.sites.leaf[i])[0] || '');
	return names.has('') ? '' : ' \u2192 ' + (names.size === 1
		? Array.from(names)[0] : '[std]');
}

// The same sums, by origin.
function originSums(v) {
	const O = origins(), out = new Float64Array(O.at.length);

	for (let i = 0; i < v.length; i++)
		out[O.of[i]] += v[i];
	return out;
}

// The site of an origin that has most.
function mostOf(sites, v) {
	return sites.reduce((a, b) => (v[b] > v[a] ? b : a));
}

// Go on to the next own frame outwards of a function not passed; at 0: none is.
function outwards(end, passed) {
	let at = end.at, std = false;

	do {
		const next = M.frames.parent[at];

		at = ownFrame(next);
		std ||= at !== next;
	} while (at && passed.has(M.frames.func[at]));
	return { site: end.site, n: end.n, at: at, std: std };
}

// Ends put together by their lines, the most first.
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

// Who called origin k, by what the sites have: { of, common, passed, some }.
// Where all were called by the same, these are common, the innermost first.
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

// "function (file:line)", or its library where that isn't known and isn't the
// one of the frame before: texts and nodes.
function placed(f, from) {
	const F = M.funcs, fn = M.frames.func[f], module = F.module[fn];
	const where = lineOf(f) || (module && module !== M.program &&
		F.name[fn][0] !== '[' && (!from || module !==
		F.module[M.frames.func[from]]) ? module : '');

	return [tailName(fn), where ? el('span', { class: 'dim' },
		' (' + where + ')') : null];
}

// Frames from a caller outwards, as far as they are those of all its ends.
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

// Rows of a table below an origin's: its main callers.
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
