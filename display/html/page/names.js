// SPDX-License-Identifier: GPL-3.0-or-later
// Names that distinguish call paths: all functions of the program itself.
// Functions of the language's libraries are left out or named in brackets.

// The first frame, from f outwards, of the program's own code; 0: none.
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

// The frames that rows name, innermost first: the path's own frames, or all
// frames if there are none.
function tellingChain(leaf, most) {
	const R = M.frames, out = [], first = ownFrame(leaf);

	for (let f = first || leaf; f && (!most || out.length < most);
		f = first ? ownFrame(callerOf(f)) : callerOf(f))
		out.push(f);
	return { cut: first > 0 && first !== leaf, frames: out };
}

// The same, and .entered: the library's function that own code called last.
function enteredChain(leaf, most) {
	const c = tellingChain(leaf, most);
	let f = leaf;

	while (c.cut && M.frames.parent[f] !== c.frames[0])
		f = M.frames.parent[f];
	// In a cycle with own code, that function has no name.
	if (c.cut && !M.frames.cycle[f])
		c.entered = tailName(M.frames.func[f]);
	return c;
}

// Are frames left out before frame i of c?
function tellingGap(c, i) {
	return i ? callerOf(c.frames[i - 1]) !== c.frames[i] : c.cut;
}

// The file and line of the call in frame f; '' if unknown.
function lineOf(f) {
	return callLine(M.frames.call[f - 1]);
}

// The line of a call.  call: its number in the data, from 1; 0: unknown.
function callLine(call) {
	return M.lines.text[lineNumber(call)];
}

// The number of that line, from 1; equal lines have equal numbers.
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

// Do rows leave out frames of any path?
function folds() {
	return cached('folds', () => M.funcs.whose.some(Boolean));
}

// By function: what it allocated itself or through library functions.
function byOwn(v) {
	const out = new Float64Array(M.funcs.count);

	for (let i = 0; i < v.length; i++)
		out[M.frames.func[ownOrLeaf(i)]] += v[i];
	return out;
}

// A name whose lambdas are without their operator().
function lambdas(name) {
	return name.replace(/((\{lambda[^}]*\}|\$_\d+))::operator\(\)/g, '$1');
}

// A short name: the function's name with the innermost of its scopes only.  A
// lambda has the name of the function around it.
function tailName(fn) {
	const parts = lambdas(nameOf(fn)).split('::');

	return S.full ? parts.join('::') : parts.slice(-2).join('::');
}

const MEMBERS = 3;

// The name of a cycle: the function that leads out of it, which allocates or
// calls the function before it in the row; then its functions, the entry first.
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

	return R.cycle[f] ? cycleName(M.on_paths[R.cycle[f] - 1], R.func[f],
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

// The library functions of a path, from the innermost own line inwards.
function innerNames(leaf) {
	const own = ownFrame(leaf), out = [];

	for (let f = leaf; f && f !== own; f = M.frames.parent[f])
		out.unshift(tailName(M.frames.func[f]));
	return own ? out : [];
}

// All own frames of a path, or all frames if there are none, innermost first.
function ownFrames(leaf) {
	const all = chain(leaf), own = all.filter((f) => ownFrame(f) === f);

	return own.length ? own : all;
}

// The number of elements that two lists share at the start.
function alike(a, b) {
	let k = 0;

	while (k < a.length && a[k] === b[k])
		k++;
	return k;
}

// The first k + 1 frames of a path; those in between may be left out.
function cutPath(v, k, whole) {
	return [v[0], ...k > 2 && !whole ? ['\u2026', v[k]] : v.slice(1, k +
		1), ...k < v.length - 1 ? ['\u2026'] : []].join(' \u2190 ');
}

// Names of some sites.  Each has as many frames as it needs to differ from the
// others, with their lines.  If all frames are the same, it has what they call.
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
			true) + (siteType(site) ? '  ' + siteType(site) : '') : name];
	}));
}
