// SPDX-License-Identifier: GPL-3.0-or-later
// Names of call paths that tell them apart: without the allocation wrappers
// that many paths have at their inner end.

// A wrapper is in so many of the paths, within so many frames of the inner
// end, and has so many callers; or wrappers call it mostly.
const WRAPS = { sites: 12, share: 0.06, frames: 10, callers: 6, mostly: 0.8 };

// What languages have between a program and its allocator, and what is named
// after it.
const LIBRARY = new RegExp('^(std::|__gnu_cxx::|operator new|alloc::|core::|' +
	'__rust_|__rdl_)|([mcx]|re)alloc|memalign|strn?dup', 'i');

// By short name: the sites, and the callers with how many sites each has.
function innerNames() {
	const by = new Map(), F = M.funcs, R = M.frames;

	for (let i = 0; i < M.sites.n; i++) {
		const on = new Set();
		let f = M.sites.tip[i];

		for (let k = 0; f && k < WRAPS.frames; k++, f = R.parent[f]) {
			const name = F.brief[R.func[f]];

			if (on.has(name))
				continue;
			on.add(name);
			if (!by.has(name))
				by.set(name, { sites: 0, callers: new Map() });
			const x = by.get(name), p = R.func[R.parent[f]];
			const c = p < 0 ? '' : F.brief[p];
			x.sites++;
			x.callers.set(c, (x.callers.get(c) || 0) + 1);
		}
	}
	return by;
}

// Which functions are wrappers.
function wrappers() {
	if (M.wrappers)
		return M.wrappers;
	const n = M.sites.n;
	const names = new Set(M.funcs.brief.filter((t) => LIBRARY.test(t)));
	const many = n < WRAPS.sites ? [] : Array.from(innerNames()).filter(
		([, x]) => x.sites >= Math.max(3, WRAPS.share * n));

	for (const [name, x] of many)
		if (x.callers.size >= WRAPS.callers)
			names.add(name);
	for (let found = true; found;) {
		found = false;
		for (const [name, x] of many) {
			let in_them = 0;

			x.callers.forEach((k, c) => {
				in_them += names.has(c) && c !== name ? k : 0;
			});
			if (!names.has(name) &&
				in_them >= WRAPS.mostly * x.sites) {
				names.add(name);
				found = true;
			}
		}
	}
	names.delete('');
	M.wrappers = Uint8Array.from(M.funcs.brief, (t) => names.has(t)
		? 1 : 0);
	return M.wrappers;
}

// A path's frames from the first that is no wrapper on; all, if none is.
function tellingChain(tip, most) {
	const w = wrappers(), R = M.frames;
	let f = tip;

	while (f && w[R.func[f]])
		f = R.parent[f];
	return { cut: Boolean(f) && f !== tip, frames: chain(f || tip, most) };
}

// By function: what it allocated itself or by wrappers.
function funcTelling(id) {
	return cached('telling ' + id, () => {
		const v = siteValues(id), w = wrappers(), R = M.frames;
		const out = new Float64Array(M.funcs.count);

		for (let i = 0; i < v.length; i++) {
			let f = M.sites.tip[i];

			while (f && w[R.func[f]])
				f = R.parent[f];
			out[R.func[f || M.sites.tip[i]]] += v[i];
		}
		return out;
	});
}

// A function's name in a row of others: of its scopes, the innermost.
function tailName(fn) {
	const parts = nameOf(fn).split('::');

	return S.full ? parts.join('::') : parts.slice(-2).join('::');
}

function frameName(f) {
	return tailName(M.frames.func[f]);
}

function tellingName(c, most) {
	return (c.cut ? '\u2026 \u2190 ' : '') + c.frames.slice(0, most)
		.map(frameName).join(' \u2190 ');
}

const NAMED = 4;

function siteName(i) {
	return tellingName(tellingChain(M.sites.tip[i], NAMED), NAMED);
}

// Names of some sites, with the frame that tells those of one name apart.
function siteNames(list) {
	const same = new Map(), out = new Map();

	for (const i of list) {
		const name = siteName(i);

		same.set(name, (same.get(name) || []).concat(i));
	}
	same.forEach((sites, name) => {
		const all = sites.map((i) => tellingChain(M.sites.tip[i]));
		let k = 0;

		while (sites.length > 1 && all.every((c) => c.frames[k] &&
			frameName(c.frames[k]) ===
			frameName(all[0].frames[k] || 0)))
			k++;
		sites.forEach((i, j) => {
			const f = all[j].frames[k];

			out.set(i, sites.length > 1 && f && k >= 2
				? tellingName(all[j], 2) + ' \u2190 \u2026 ' +
				'\u2190 ' + frameName(f) : name);
		});
	});
	return out;
}
