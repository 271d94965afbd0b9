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

	while (c.cut && M.frames.parent[f] !== c.frames[0])
		f = M.frames.parent[f];
	// In a cycle with own code it has no name of its own.
	if (c.cut && !M.frames.cycle[f])
		c.entered = tailName(M.frames.func[f]);
	return c;
}

// Is something left out before the frame with number i of it?
function tellingGap(c, i) {
	return i ? callerOf(c.frames[i - 1]) !== c.frames[i] : c.cut;
}

// The file and line of the call that a frame is in; '' if they aren't known.
function lineOf(f) {
	return callLine(M.frames.call[f - 1]);
}

// The line of a call.  call: its number in the data, from 1; 0: unknown.
function callLine(call) {
	return M.lines.text[lineNumber(call)];
}

// The same as a number, from 1: of lines that are the same it is one.
function lineNumber(call) {
	const L = M.lines;

	if (!L.of[call]) {
		const m = call && /\(([^()]*:\d+)\)$/.exec(text(call - 1));
		const line = m ? m[1] : '';

		if (!L.number.has(line))
			L.number.set(line, L.text.push(line) - 1);
		L.of[call] = L.number.get(line);
	}
	return L.of[call];
}

// Does a row of some path leave frames out?
function folds() {
	return cached('folds', () => M.funcs.whose.some(Boolean));
}

// By function: what sites have that it allocated itself or by functions of
// libraries.
function byOwn(v) {
	const out = new Float64Array(M.funcs.count);

	for (let i = 0; i < v.length; i++)
		out[M.frames.func[ownOrLeaf(i)]] += v[i];
	return out;
}

// A function's name in a row of others: of its scopes, the innermost.  A
// lambda's is that of what it stands in.
function tailName(fn) {
	const parts = nameOf(fn).replace(/((\{lambda[^}]*\}|\$_\d+))::operator\(\)/g,
		'$1').split('::');

	return S.full ? parts.join('::') : parts.slice(-2).join('::');
}

const MEMBERS = 3;

// A cycle by the function from which it is left, which allocates or calls what
// stands before it in a row; and its functions, that by which it is entered first.
function cycleName(funcs, last, name) {
	const all = funcs.filter((fn, k) => !k || fn !== last);
	const some = all.length > MEMBERS + 2 ? all.slice(0, MEMBERS + 1) : all;
	const more = all.length - some.length;
	const number = M.funcs.cycle[last];

	return (all.length > 1 || all[0] !== last ? name(last) + ' in ' : '') +
		'<cycle' + (number ? ' ' + number : '') + ': ' + some.map(name)
		.concat(more ? more + ' more' : []).join(', ') + '>';
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
	return c.frames.slice(0, most).map((f, i) => (i && tellingGap(c, i)
		? '[std] \u2190 ' : '') + frameName(f) + (!i && c.cut
		? ' (\u2192 ' + (c.entered || '[std]') + ')' : ''))
		.join(' \u2190 ');
}

const NAMED = 4;

function siteName(i) {
	return tellingName(enteredChain(M.sites.leaf[i], NAMED), NAMED);
}

// The functions of a path from the innermost own line inwards, of libraries.
function innerNames(leaf) {
	const own = ownFrame(leaf), out = [];

	for (let f = leaf; f && f !== own; f = M.frames.parent[f])
		out.unshift(tailName(M.frames.func[f]));
	return own ? out : [];
}

// All of a path's own frames, or all, the innermost first.
function ownFrames(leaf) {
	const all = chain(leaf), own = all.filter((f) => ownFrame(f) === f);

	return own.length ? own : all;
}

// How many of the first elements of two lists are the same.
function alike(a, b) {
	let k = 0;

	while (k < a.length && a[k] === b[k])
		k++;
	return k;
}

// A path's first k + 1 frames, of which those between may be left out.
function cutPath(v, k, whole) {
	return [v[0], ...k > 2 && !whole ? ['\u2026', v[k]] : v.slice(1, k +
		1), ...k < v.length - 1 ? ['\u2026'] : []].join(' \u2190 ');
}

// Names of some sites, each by as many frames as tell it from the others, with
// their lines; where all of these are the same, by what they call.
function siteNames(list) {
	const inner = list.map((i) => innerNames(M.sites.leaf[i]));
	const paths = list.map((i) => ownFrames(M.sites.leaf[i]).map((f) =>
		tailName(M.frames.func[f]) + (lineOf(f) ? ' (' + lineOf(f) +
			')' : '')));
	const depth = [], times = new Map();

	const called = list.map((site, i) => {
		const v = paths[i], into = inner[i];
		let k = 1, d = 0;

		paths.forEach((w, j) => {
			if (j === i)
				return;
			k = Math.max(k, alike(v, w));
			if (w.join() === v.join())
				d = Math.max(d, alike(into, inner[j]));
		});
		depth.push(Math.min(k, v.length - 1));
		return into.length ? ' \u2192 ' + (d && d < into.length
			? '\u2026 ' + into[d] : into[0]) : '';
	});
	paths.forEach((v, i) => {
		v[0] += called[i];
		const name = cutPath(v, depth[i], false);

		times.set(name, (times.get(name) || 0) + 1);
	});
	return new Map(list.map((site, i) => {
		const name = cutPath(paths[i], depth[i], false);

		return [site, times.get(name) > 1 ? cutPath(paths[i], depth[i],
			true) : name];
	}));
}
