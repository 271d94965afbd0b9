// SPDX-License-Identifier: GPL-3.0-or-later
// The old run, with --diff: paths that are new, gone, grown, shrunk.

const COMPARED = ['leaked', 'peak', 'kept', 'bytes', 'allocs'];

function loadOld() {
	const o = D.old;

	if (!o)
		return null;
	const O = { n: o.n, of: column(o, 'of', M.sites.n),
		was: column(o, 'was', o.n), gone: new Map(), foreign: new Map(), known: (id) => COMPARED.includes(id) &&
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

// The sites of each row, and the first of them; and room for the row's names, short
// and in full.
function firstSites(O) {
	O.sites = Array.from({ length: O.n }, () => []);
	O.of.forEach((r, i) => r && O.sites[r - 1].push(i));
	O.first = Int32Array.from(O.sites, (all) => all[0] ?? -1);
	O.paths = [[], []];
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

// The functions of a row that is gone, innermost first.
function goneFuncs(r) {
	return (M.old.gone.get(r) || []).map((t) => M.old.byName.get(t));
}

// The same as a text, as in other rows.
function gonePath(path) {
	const own = path.flatMap((fn, k) => (M.funcs.whose[fn] ? [] : k));

	return own.map((k, i) => (i && k > own[i - 1] + 1 ? '[std] \u2190 '
		: '') + tailName(path[k]) + (!i && k ? ' (\u2192 ' + tailName(
		path[k - 1]) + ')' : ''))
		.join(' \u2190 ') || path.map(tailName).join(' \u2190 ');
}

// Sites of one row may call different functions of a library.
function rowPath(r) {
	const found = M.old.paths[S.full ? 1 : 0];
	const all = new Set(found[r] ? [] : M.old.sites[r].map((i) =>
		pathText(i, 0, true)));

	return found[r] ??= all.size > 1 ? pathText(M.old.first[r], 0)
		: Array.from(all)[0] || gonePath(goneFuncs(r));
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
	const O = M.old, gone = D.old.gone_lines;

	if (!O.lines) {
		O.lines = O.sites.map((all) => new Set(all.map((i) => lineOf(
			ownOrLeaf(i)))));
		for (let i = 0; i < gone.length; i += 2)
			O.lines[O.row ? O.row[gone[i]] : gone[i]].add(callLine(
				gone[i + 1] + 1));
	}
	return Array.from(O.lines[r]).filter(Boolean).join(', ');
}

// The difference as a share of the old figure, as in mpreduce --diff.
function changePercent(now, old) {
	return now === old ? '0.0' : old ? signed(now - old, (n) =>
		decimal(100 * n / old, 1)) : '-';
}

// The sum and the number of rows of each kind.
function kindSums(id) {
	const now = rowsNow(id), sums = new Map(['new', 'grown', 'shrunk',
		'gone'].map((kind) => [kind, { sum: 0, rows: 0 }]));

	for (const r of rowsChanged()) {
		const k = sums.get(rowKind(r));

		k.sum += now[r] - M.old[id][r];
		k.rows++;
	}
	return Array.from(sums).filter(([, k]) => k.rows).map(([kind, k]) =>
		el('span', { class: 'kind' }, kind + ' ', digits(changeText(id,
			k.sum, 0)), ' in ' + plural(k.rows, 'call path')));
}

// A row in both runs: all its figures, and its frames.
function comparePane(r) {
	const i = M.old.first[r], funcs = goneFuncs(r);

	return [el('h3', {}, 'Call path' + (i < 0 ? ' of the run before' : '')),
		el('table', { class: 'small', 'aria-label': 'figures of both ' +
			'runs' }, tableHead(['figure', 'before', 'now', 'change',
			'%'], 0), el('tbody', {}, ...COMPARED.filter(
			M.old.known).map((id) => [id, M.old[id][r],
			rowsNow(id)[r]]).map(([id, old, now]) => el('tr', {},
			textCell(metricName(metric(id))), numberCell(show(id,
				old)), numberCell(show(id, now)), numberCell(
				changeText(id, now, old)), shareCell(
				changePercent(now, old)))))),
		i < 0 ? null : el('p', {}, link('its call path', () =>
			openSite(i))),
		el('h4', {}, 'Frames, the innermost first'),
		i < 0 ? el('ol', { class: 'chain' }, ...funcs.map((fn) => el(
			'li', {}, link(nameOf(fn), () => openFunction(fn),
				M.funcs.label[fn])))) : chainList(M.sites.leaf[i]),
		funcs.length < GONE ? null : aside('\u2026 and more')];
}

function compareColumns() {
	const id = compared(), now = rowsNow(id), old = M.old[id];
	const c = changeColumns(id, (r) => old[r], (r) => now[r]);

	return [{ id: 'path', title: 'call path, innermost first', left: true,
		least: innerWidth > 900 ? 30 : 12, value: rowPath, text: rowPath },
	lineColumn(rowLines),
	{ id: 'kind', title: 'kind', left: true, width: 6, value: rowKind,
		text: rowKind },
	c.change, { id: 'percent', title: '%', hint: 'the change as a share of ' +
		'what it was before; -: it was 0', value: (r) => (old[r]
		? Math.abs(now[r] - old[r]) / old[r] : Infinity),
	text: (r) => changePercent(now[r], old[r]) },
	Object.assign(c.before, { id: 'old' }), c.now];
}

function viewCompare() {
	const tools = el('div', { class: 'sub' });
	const pane = el('aside', { class: 'pane', 'aria-label': 'call path' });
	const holders = M.graph && D.old.roots && heldChanges();
	const which = () => (holders ? choice('what is compared', S.what,
		[['', 'Call paths'], ['types', 'Holders by type'],
			['paths', 'Holders by call path']],
		(id) => go({ what: id })) : null);
	const table = makeTable({ id: 'compare', label: 'Changes',
		noun: 'call path', first: 'change', plain: true, hint: 'a click ' +
			'on one shows all its figures', columns: compareColumns, of: () => (matcher() ? rowsWith()
			: rowsChanged()).length, rows() {
			const test = matcher();

			return test ? rowsWith().filter((r) => test(rowPath(r)) ||
				test(rowKind(r))) : rowsChanged();
		}, pick: (r, stay) => go({ row: r }, stay),
		picked: (r) => S.row === r });
	const box = el('section', { class: 'split' }, tools, table.box, holders
		? holders.box : null, pane);

	return { id: 'compare', name: 'Changes', get metrics() {
		return S.what ? [] : COMPARED.filter(M.old.known);
	},
		box: box, update() {
		const id = compared(), held = holders && S.what;
		const open = !held && M.old.known(id) && S.row >= 0;

		box.classList.toggle('alone', !open);
		fillPane(pane, { row: -1 }, open ? comparePane(S.row) : null);

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
		el('span', {}, '(', digits(changeText(id, now, old)), old
			? ', ' + changePercent(now, old) + '%)' : ')'),
		...kindSums(id),
		el('span', { class: 'dim' }, plural(rowsWith().length -
			rowsChanged().length, 'call path') + ' unchanged'));
		table.update();
	}, resize: () => (holders && S.what ? holders : table)
		.draw() };
}
