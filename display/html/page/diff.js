// SPDX-License-Identifier: GPL-3.0-or-later
// The old run, with --diff: paths that are new, gone, grown, shrunk.

const COMPARED = ['leaked', 'peak', 'kept', 'bytes', 'allocs'];

function loadOld() {
	const o = D.old;

	if (!o)
		return null;
	const O = { n: o.n, of: column(o, 'of', M.sites.n),
		was: column(o, 'was', o.n), first: new Int32Array(o.n).fill(-1),
		gone: new Map(), foreign: new Map(), known: (id) => COMPARED.includes(id) &&
			o.total[id] !== null && D.total[id] !== null && !partial() };
	for (const id of COMPARED)
		O[id] = column(o, id, o.n);
	firstSites(O);
	for (const [row, ...names] of o.gone) {
		O.gone.set(row, names.map((k) => text(k >> 1)));
		names.forEach((k) => k & 1 || O.foreign.set(text(k >> 1), true));
	}
	loadGone(O);
	return O;
}

// Functions that only the old run has get numbers, behind those of the data.
function loadGone(O) {
	const F = M.funcs;

	O.byName = new Map(F.name.map((t, i) => [t, i]));
	O.gone.forEach((names) => names.forEach((t) => {
		// A function that is inlined may lack the parameters.
		const short = O.byName.get(t.replace(/\(.*\)$/, ''));

		if (!O.byName.has(t) && short !== undefined)
			O.byName.set(t, short);
		if (O.byName.has(t))
			return;
		O.byName.set(t, F.count++);
		F.name.push(t);
		F.label.push(t);
		F.brief.push(brief(t));
		F.module.push('');
		F.file.push('');
	}));
	const whose = new Float64Array(F.count);
	whose.set(F.whose);
	for (let i = F.n + 1; i < F.count; i++)
		whose[i] = O.foreign.has(F.name[i]) ? STD : 0;
	F.whose = whose;
}

// The first site of each row.
function firstSites(O) {
	for (let i = M.sites.n - 1; i >= 0; i--)
		if (O.of[i])
			O.first[O.of[i] - 1] = i;
}

// The types of both runs, by the first row of their name in D.types.  Types that
// only the old run has become rows without figures.
function loadOldTypes() {
	const o = D.old && D.old.types, t = D.types, rows = new Map();
	const nameAt = (i) => text(t.name[i]) || '(not known)';

	if (!o)
		return;
	t.name ??= [];
	for (let i = 0; i < t.n; i++)
		rows.set(nameAt(i), (rows.get(nameAt(i)) || []).concat(i));
	M.old.types = new Map();
	for (let k = 0; k < o.n; k++) {
		const all = rows.get(text(o.name[k])) || [];

		M.old.types.set(all.length ? all[0] : t.n, { row: k, all: all });
		if (all.length)
			continue;
		for (const c in t)
			if (Array.isArray(t[c]) && t[c].length === t.n &&
				c !== 'scores')
				t[c].push(c === 'name' ? o.name[k] : 0);
		t.n++;
	}
}

// The columns of a metric in both runs.  old(i), now(i): the figure of row i;
// has(i), optional: are both known?
function changeColumns(id, old, now, has) {
	const part = (name, value, text) => ({ id: name, title: name,
		value: (i) => (!has || has(i) ? value(i) : -1),
		text: (i) => (!has || has(i) ? text(i) : '-') });

	return { before: part('before', old, (i) => show(id, old(i))),
		now: part('now', now, (i) => show(id, now(i))),
		change: part('change', (i) => Math.abs(now(i) - old(i)), (i) =>
			changeText(id, now(i), old(i))) };
}

// The columns before, now and change of a metric.  If a name has several marks,
// its first row has the figures of all.
function typeChanges(id, now) {
	const old = column(D.old.types, id, D.old.types.n);
	const unknown = column(D.old.types, 'no_peak', D.old.types.n);
	const at = (i) => M.old.types.get(i);
	const c = changeColumns(id, (i) => old[at(i).row], (i) =>
		at(i).all.reduce((n, k) => n + now[k], 0), (i) => at(i) &&
		!(id === 'peak' && unknown[at(i).row]));

	return [c.before, c.now, c.change];
}

// The figures of the new run, by row.
function rowsNow(id) {
	return cached('rows ' + id, () => {
		const v = siteValues(id), out = new Float64Array(M.old.n);

		for (let i = 0; i < v.length; i++)
			if (M.old.of[i])
				out[M.old.of[i] - 1] += v[i];
		return out;
	});
}

const GONE = 24; // the most names of a path that is gone

// Positions on paths of the old run: a frame, or a negative number on a path
// that is gone; 0: none.
function leafGone(row) {
	return M.old.gone.has(row) ? -(row * GONE + 1) : 0;
}

function callerOld(at) {
	if (at >= 0)
		return callerOf(at);
	const row = rowGone(at), k = (-at - 1) % GONE;

	return k + 1 < M.old.gone.get(row).length ? at - 1 : 0;
}

// The frame that a position on a path that is gone calls; 0: none.
function calleeGone(at) {
	return (-at - 1) % GONE ? at + 1 : 0;
}

function rowGone(at) {
	return Math.floor((-at - 1) / GONE);
}

function funcOld(at) {
	if (at >= 0)
		return M.frames.func[at];
	return M.old.byName.get(M.old.gone.get(rowGone(at))[(-at - 1) % GONE]);
}

// From the outermost frame inwards, the last frame that the path shares with
// the new run.
function frameOfGone(row) {
	const R = M.frames, names = M.old.gone.get(row) || [];
	let f = 0;

	if (names.length >= GONE)
		return f;
	for (let k = names.length - 1; k >= 0; k--) {
		let to = 0;

		for (let i = R.start[f]; i < R.start[f + 1] && !to; i++)
			if (M.funcs.name[R.func[R.kids[i]]] === names[k])
				to = R.kids[i];
		if (!to)
			break;
		f = to;
	}
	return f;
}

// The frame of the new run where each row of the old run ends.
function tipsOld() {
	const O = M.old;

	if (!O.leaf)
		O.leaf = Int32Array.from(O.first, (s, r) => (s < 0
			? frameOfGone(r) : M.sites.leaf[s]));
	return O.leaf;
}

// Each path of the old run: visit(row, n, functions), innermost first.
function eachOld(id, visit) {
	M.old.first.forEach((i, r) => {
		const n = M.old[id][r], path = !n ? [] : i < 0
			? (M.old.gone.get(r) || []).map((t) =>
				M.old.byName.get(t))
			: chain(M.sites.leaf[i]).map((f) => M.frames.func[f]);

		if (path.length)
			visit(n, path);
	});
}

// By function: what it allocated in the old run, itself or through the library.
function selfOld(id) {
	return cached('old ' + S.lib + id, () => {
		const out = new Float64Array(M.funcs.count), W = M.funcs.whose;

		eachOld(id, (n, path) => {
			const own = foldsOwn() ? path.find((fn) => !W[fn])
				: path[0];

			out[own ?? path[0]] += n;
		});
		return out;
	});
}

// A function in the old run: .total, with all it called; .sides, its callers
// and its callees: maps of functions and their figures.
function neighboursOld(fn, id) {
	const sides = [new Map(), new Map()];
	let total = 0;

	eachOld(id, (n, path) => {
		const on = [new Set(), new Set()];

		path.forEach((f, k) => {
			if (f === fn && k + 1 < path.length)
				on[0].add(path[k + 1]);
			if (f === fn && k)
				on[1].add(path[k - 1]);
		});
		if (path.includes(fn))
			total += n;
		on.forEach((set, side) => set.forEach((f) => sides[side].set(f,
			(sides[side].get(f) || 0) + n)));
	});
	return { sides: sides, total: total };
}

// From -1 (gone) to 1 (new).
function changeShare(now, old) {
	return now || old ? (now - old) / Math.max(now, old) : 0;
}

function changeColour(x, dark) {
	const much = Math.sqrt(Math.abs(x));

	if (!x)
		return dark ? '#353b45' : '#e4e7ec';
	return 'hsl(' + (x > 0 ? 18 : 214) + ',' + (25 + 45 * much) + '%,' +
		(dark ? 26 + 13 * much : 90 - 28 * much) + '%)';
}

function changeText(id, now, old) {
	return signed(now - old, (n) => show(id, n));
}

// The metric to compare: the chosen one, or bytes if a run lacks it.
function compared() {
	return M.old.known(S.metric) ? S.metric : 'bytes';
}

function rowKind(r) {
	const id = compared(), d = rowsNow(id)[r] - M.old[id][r];

	return !M.old.was[r] ? 'new' : M.old.first[r] < 0 ? 'gone'
		: d > 0 ? 'grown' : d < 0 ? 'shrunk' : 'same';
}

// The functions of a path that is gone, innermost first, as in other rows.
function gonePath(path) {
	const own = path.flatMap((fn, k) => (M.funcs.whose[fn] ? [] : k));

	return own.map((k, i) => (i && k > own[i - 1] + 1 ? '[std] \u2190 '
		: '') + tailName(path[k]) + (!i && k ? ' (\u2192 [std])' : ''))
		.join(' \u2190 ') || path.map(tailName).join(' \u2190 ');
}

function rowPath(r) {
	return M.old.first[r] >= 0 ? pathText(M.old.first[r], 0)
		: gonePath((M.old.gone.get(r) || []).map((t) =>
			M.old.byName.get(t)));
}

// Rows with the metric in one of the runs; rows that differ in it.
function rowsWith() {
	const now = rowsNow(compared()), old = M.old[compared()];

	return Array.from(old.keys()).filter((r) => now[r] || old[r]);
}

function rowsChanged() {
	const now = rowsNow(compared()), old = M.old[compared()];

	return rowsWith().filter((r) => now[r] !== old[r]);
}

// The metric to compare by default: the one whose totals differ most, as a
// share.
function mostChanged() {
	const part = (id) => Math.abs(changeShare(totalOf(id),
		D.old.total[id]));

	return COMPARED.filter(M.old.known).reduce((a, b) =>
		(part(b) > part(a) ? b : a));
}

// The program's lines that allocate on the call paths of a row.
function rowLines(r) {
	if (!M.old.lines) {
		M.old.lines = Array.from({ length: M.old.n }, () => new Set());
		M.old.of.forEach((row, i) => row && lineOf(ownOrLeaf(i)) &&
			M.old.lines[row - 1].add(lineOf(ownOrLeaf(i))));
	}
	return Array.from(M.old.lines[r]).join(', ');
}

function compareColumns() {
	const id = compared(), now = rowsNow(id), old = M.old[id];
	const c = changeColumns(id, (r) => old[r], (r) => now[r]);

	return [{ id: 'path', title: 'call path, innermost first', left: true,
		least: innerWidth > 900 ? 30 : 12, value: rowPath, text: rowPath },
	{ id: 'line', title: 'line', left: true, width: 10, value: rowLines,
		text: rowLines },
	{ id: 'kind', title: 'kind', left: true, width: 6, value: rowKind,
		text: rowKind },
	c.change, Object.assign(c.before, { id: 'old' }), c.now];
}

function viewCompare() {
	const tools = el('div', { class: 'sub' });
	const holders = M.graph && D.old.roots && heldChanges();
	const which = () => (holders ? choice('what is compared', S.what,
		[['', 'Call paths'], ['types', 'Holders by type'],
			['paths', 'Holders by call path']],
		(id) => go({ what: id })) : null);
	const table = makeTable({ id: 'compare', label: 'Changes',
		noun: 'call path', first: 'change', plain: true,
		columns: compareColumns, of: () => (matcher() ? rowsWith()
			: rowsChanged()).length, rows() {
			const test = matcher();

			return test ? rowsWith().filter((r) => test(rowPath(r)) ||
				test(rowKind(r))) : rowsChanged();
		}, leads: true, pick: (r) => {
			if (M.old.first[r] >= 0)
				openSite(M.old.first[r]);
		}, picked: () => false });

	return { id: 'compare', name: 'Changes', get metrics() {
		return S.what ? [] : COMPARED.filter(M.old.known);
	},
		box: el('section', {}, tools, table.box, holders
			? holders.box : null), update() {
		const id = compared(), held = holders && S.what;

		if (holders)
			holders.box.hidden = !held;
		if (held) {
			table.box.hidden = true;
			fill(tools, which(), heldChange());
			return holders.update();
		}
		table.box.hidden = !M.old.known(id);
		if (!M.old.known(id))
			return fill(tools, which(), partial() ? 'Two runs are ' +
				'compared as a whole: press Esc.' :
				'This page has no ' + metricName(metric(id)) + ' of the run ' +
				'before; choose another figure.');
		const old = D.old.total[id], now = D.total[id] === undefined ||
			id === 'kept' ? totalOf(id) : D.total[id];
		fill(tools, which(), el('span', { class: 'dim' }, 'before: ' +
			D.old.path + (D.old.scaled ? ' (scaled)' : '')),
		metricName(metric(id)) + ':', el('b', {}, digits(show(id,
			old))), '\u2192', el('b', {}, digits(show(id, now))),
		el('span', {}, '(', digits(changeText(id, now, old)), ')'),
		el('span', { class: 'dim' }, plural(rowsWith().length -
			rowsChanged().length, 'call path') + ' unchanged'));
		table.update();
	}, resize: () => (holders && S.what ? holders : table)
		.draw() };
}
