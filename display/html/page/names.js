// SPDX-License-Identifier: GPL-3.0-or-later
// Names of call paths that tell them apart: the program's own functions, all of
// them.  What is of libraries that come with the language stands aside.

// The frame itself if it is the program's own, or the next one outwards that
// is; 0: none is.
function ownFrame(f) {
	const R = M.frames;

	if (!M.own) {
		M.own = new Int32Array(R.parent.length);
		for (let i = 1; i < M.own.length; i++)
			M.own[i] = M.funcs.whose[R.func[i]] ? M.own[R.parent[i]]
				: i;
	}
	return M.own[f];
}

// A path's frames as rows name them, the innermost first: its own ones, or all
// if none is.
function tellingChain(leaf, most) {
	const R = M.frames, out = [], first = ownFrame(leaf);

	for (let f = first || leaf; f && (!most || out.length < most);
		f = first ? ownFrame(callerOf(f)) : callerOf(f))
		out.push(f);
	return { cut: first > 0 && first !== leaf, frames: out };
}

// The same with the function of a library that own code called at last.
function enteredChain(leaf, most) {
	const c = tellingChain(leaf, most);
	let f = leaf;

	if (!c.cut)
		return c;
	while (M.frames.parent[f] !== c.frames[0])
		f = M.frames.parent[f];
	// It may be in the same cycle.
	if (M.frames.cycle[f] && M.frames.entry[f] <= c.frames[0])
		c.frames = callerOf(f) ? tellingChain(callerOf(f), most).frames
			: [];
	return { cut: f !== leaf, frames: [f].concat(c.frames) };
}

// Is something left out before the frame with number i of it?
function tellingGap(c, i) {
	return i ? callerOf(c.frames[i - 1]) !== c.frames[i] : c.cut;
}

// The file and line of the call that a frame is in; '' if they aren't known.
function lineOf(f) {
	const call = M.frames.call[f - 1];
	const m = call && /\(([^()]*:\d+)\)$/.exec(text(call - 1));

	return m ? m[1] : '';
}

// Does a row of some path leave frames out?
function folds() {
	return cached('folds', () => M.funcs.whose.some(Boolean));
}

// By function: what it allocated itself or by functions of libraries.
function funcTelling(id) {
	return cached('telling ' + id, () => {
		const v = siteValues(id), R = M.frames;
		const out = new Float64Array(M.funcs.count);

		for (let i = 0; i < v.length; i++) {
			const leaf = M.sites.leaf[i];

			out[R.func[ownFrame(leaf) || leaf]] += v[i];
		}
		return out;
	});
}

// A function's name in a row of others: of its scopes, the innermost.  A
// lambda's is that of what it stands in.
function tailName(fn) {
	const parts = nameOf(fn).replace(/((\{lambda[^}]*\}|\$_\d+))::operator\(\)/g,
		'$1').split('::');

	return S.full ? parts.join('::') : parts.slice(-2).join('::');
}

const MEMBERS = 3;

// A cycle as the tables have it: entered by the first of these functions, left
// from the last, which may be the same; the others by name.
function cycleName(funcs, last, name) {
	const all = funcs.slice(1).filter((fn) => fn !== last);
	const some = all.length > MEMBERS + 1 ? all.slice(0, MEMBERS) : all;
	const more = all.length - some.length;
	const number = M.funcs.cycle[last];

	return '<cycle' + (number ? ' ' + number : '') + ': ' +
		(all.length || funcs[0] !== last ? [funcs[0]] : [])
			.concat(some).map(name).concat(more ? more + ' more'
				: [], name(last)).join(', ') + '>';
}

function elementName(f, name) {
	const R = M.frames;

	return R.cycle[f] ? cycleName(D.on_paths[R.cycle[f] - 1], R.func[f],
		name) : name(R.func[f]);
}

function frameName(f) {
	return elementName(f, tailName);
}

function tellingName(c, most) {
	return c.frames.slice(0, most).map((f, i) => (tellingGap(c, i)
		? '\u2026 \u2190 ' : '') + frameName(f)).join(' \u2190 ');
}

const NAMED = 4;

function siteName(i) {
	return tellingName(enteredChain(M.sites.leaf[i], NAMED), NAMED + 1);
}

// Names of some sites, with the frame that tells those of one name apart.
function siteNames(list) {
	const same = new Map(), out = new Map();

	for (const i of list) {
		const name = siteName(i);

		same.set(name, (same.get(name) || []).concat(i));
	}
	same.forEach((sites, name) => {
		const all = sites.map((i) => enteredChain(M.sites.leaf[i]));
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
