// SPDX-License-Identifier: GPL-3.0-or-later
// Functions: what they allocated, without and with callees; and one function
// with its callers above and its callees below.

const NEAR = ['bytes', 'kept', 'peak', 'allocs'];

// The chosen metric, and these.
function withChosen(ids) {
	return Array.from(new Set([S.metric].concat(ids.filter(known))));
}

// Do functions include what the language's library allocates for them?
function foldsOwn() {
	return !S.lib && folds();
}

// The metric of each function: allocated itself or through the library.
function selfValues(id) {
	return foldsOwn() ? cached('own ' + id, () => byOwn(siteValues(id)))
		: funcSelf(id);
}

// The callers and callees of a function, with their figures in the old run,
// .was.  Those that only the old run has come last.
function neighboursBoth(fn, ids) {
	const now = neighbours(fn, ids);

	if (!M.old || !M.old.known(ids[0]))
		return { sides: now };
	const old = neighboursOld(fn, ids[0]);
	const sides = now.map((list, side) => {
		const was = old.sides[side];
		const all = list.map((a) => Object.assign(a, { was:
			was.get(a.func) || 0 }));

		list.forEach((a) => was.delete(a.func));
		return all.concat(Array.from(was, ([func, n]) => ({ func: func,
			calls: 0, values: ids.map(() => 0), was: n })));
	});

	return { sides: sides, total: old.total };
}

// Rows of callers or callees, or of the function itself.
function nearTable(fn) {
	const two = innerWidth < 600 || M.old && M.old.known(S.metric) &&
		innerWidth < 1300;
	const ids = withChosen(NEAR).slice(0, two ? 2 : NEAR.length + 1);
	const both = neighboursBoth(fn, ids), old = both.total !== undefined;
	const [callers, callees] = both.sides;
	const totals = ids.map((id) => funcTotal(id)[fn]);
	const span = ids.length + 3 + (old ? 2 : 0);
	const off = (id, v) => (erred(id) ? el('span', { class: 'dim' },
		' ' + errorText(v(id), v('e_' + id))) : null);
	// The figures now; behind the first, what it was, and the difference.
	const figures = (v, before, more) => ids.flatMap((id, i) => [numberCell(
		show(id, v(id, i)), more && more(id, v))].concat(i || !old ? []
		: [numberCell(show(id, before)), numberCell(changeText(id,
			v(id, i), before))]));
	const line = (a, cls) => el('tr', { class: cls + ' go',
		onclick: () => openFunction(a.func) },
	...figures((id, i) => a.values[i], a.was),
	shareCell(percent(a.values[0], totals[0])), numberCell(count(a.calls)),
	el('td', { class: 'text', title: M.funcs.label[a.func] },
		el('button', { class: 'link' }, nameOf(a.func))));
	const self = (label, v, before) => el('tr', { class: 'me' },
		...figures(v, before, off),
		shareCell(percent(v(ids[0]), totals[0])), el('td'),
		textCell(label));
	const head = (t) => el('tr', { class: 'part' }, el('th', {
		colspan: span, class: 'text', scope: 'rowgroup' }, t));
	const some = (list, cls, none) => (list.length
		? list.slice(0, 200).map((a) => line(a, cls))
		: [el('tr', {}, el('td', { colspan: span,
			class: 'text dim' }, none))]);
	const title = (t, hint) => el('th', { class: 'num', scope: 'col',
		title: hint }, t);

	return el('table', { class: 'near', 'aria-label':
		'callers and callees' }, el('thead', {}, el('tr', {},
		...ids.flatMap((id, i) => [title(metricShort(metric(id)))]
			.concat(i || !old ? [] : [title('before'),
				title('change')])),
		title('%', 'share of the function\u2019s ' +
			metric(ids[0]).short),
		title('calls', 'how often it was called on the way to an ' +
			'allocation'), el('th', { class: 'text', scope: 'col' },
			'function'))),
	el('tbody', {}, head('callers (' + callers.length + ')'),
		...some(callers, 'up', 'none: call paths begin here'),
		head(nameOf(fn)),
		self('with all it called', (id) => funcTotal(id)[fn],
			both.total),
		self(foldsOwn() ? 'itself, or by libraries' : 'itself',
			(id) => selfValues(id)[fn], old && selfOld(ids[0])[fn]),
		head('callees (' + callees.length + ')'),
		...some(callees, 'down', 'none that allocate')));
}

function functionPane(fn) {
	const F = M.funcs, cycle = fn < F.n ? F.cycle[fn] : 0;
	const place = [F.module[fn], F.file[fn] && F.file[fn] + ':' +
		F.line[fn]].filter(Boolean).join('  ');
	const mates = [];

	for (let i = 0; cycle && i < F.n && mates.length < 30; i++)
		if (F.cycle[i] === cycle && i !== fn)
			mates.push(i);
	return [el('h3', {}, nameOf(fn)), nameOf(fn) === F.label[fn] ? null
		: el('p', { class: 'dim full' }, F.label[fn]),
	place ? el('p', { class: 'dim' }, place) : null,
	fn < F.n && F.inlined[fn] ? aside('inlined wherever it is called')
		: null,
	cycle ? el('p', {}, 'in <cycle ' + cycle + '>, with ', ...mates
		.flatMap((i, k) => [k ? ', ' : '', link(nameOf(i), () =>
			openFunction(i))])) : null, nearTable(fn),
	el('p', {}, link('find it in the flame graph', { view: 'flame',
		mode: 'callers', zoom: '', q: M.funcs.label[fn], re: 0 }), '; ',
	aroundButton(fn), '; ', onlyButton(fn), '; ', leaveButton([fn]), '; ',
	hideButton([fn], 0)),
	classesOf(fn)];
}

// Bytes that the function allocated itself, by size class.
function classesOf(fn) {
	const name = ['0-32', '33-256', '257-2048', 'larger'];
	const at = fn * 4, c = D.functions.classes;

	if (fn >= M.funcs.n || partial() || S.hide || !funcSelf('allocs')[fn])
		return null;
	return el('table', { class: 'small' }, tableHead(['blocks of bytes' +
		(funcSelf('bytes')[fn] === selfValues('bytes')[fn] ? ''
			: ', without libraries'), 'bytes', 'not freed'], 0),
	el('tbody', {}, ...name.map((t, i) => el('tr', {}, textCell(t),
		numberCell(bytes(c[at + i])), numberCell(bytes(
			D.functions.kept_classes[at + i]))))));
}

// " (file:line)" of a function, or ''.
function beginsAt(fn) {
	const file = M.funcs.file[fn];

	return file ? ' (' + file.replace(/.*\//, '') + ':' +
		M.funcs.line[fn] + ')' : '';
}

function functionColumns() {
	const F = M.funcs, of = (v) => (i) => v[i];
	const list = [];
	const ids = withChosen(['peak', 'kept', 'bytes', 'allocs']);

	for (const id of ids)
		list.push(...erringColumns(id, of(selfValues(id)),
			() => of(selfValues('e_' + id)), { hint:
			metricName(metric(id)) + ', by it ' + (foldsOwn()
				? 'or the libraries that it calls' : 'alone') }),
		...id === S.metric ? [shareColumn(id, of(selfValues(id)))] : []);
	// The run before, behind the chosen figure and its share.
	const both = M.old && M.old.known(S.metric);
	if (both) {
		const c = changeColumns(S.metric, of(selfOld(S.metric)),
			of(selfValues(S.metric)));

		list.splice(list.findIndex((x) => x.id === 'share') + 1, 0,
			Object.assign(c.before, { hint: 'what it had in the ' +
				'run before' }), c.change);
	}
	for (const id of both && innerWidth <= 1300 ? [S.metric] : ids)
		list.push(...erringColumns(id, of(funcTotal(id)),
			() => of(funcTotal('e_' + id)), { id: 'total_' + id,
			title: 'total ' + metricShort(metric(id)),
			hint: metricName(metric(id)) + ', by it and what it ' +
				'called' }));
	list.unshift({ id: 'name', title: 'function', left: true, least: 14,
		value: nameOf, node: (i) => el('span', { title: F.label[i] },
			nameOf(i), el('span', { class: 'dim' }, beginsAt(i))) });
	return list;
}

function viewFunctions() {
	const pane = el('aside', { class: 'pane wide',
		'aria-label': 'callers and callees' });
	const lost = () => M.frames.func[M.frames.n] === M.funcs.n;
	const all = () => M.funcs.count - (lost() ? 0 : 1);
	const tools = el('div', { class: 'sub' });
	const old = () => M.old && M.old.known(S.metric) && selfOld(S.metric);
	// The functions that match; without a search, all except folded library
	// functions.
	const shown = () => {
		const on = matchedFuncs(), n = M.funcs.n, was = old();
		const some = foldsOwn() && selfValues(S.metric);
		const here = (i) => (i > n ? was && was[i] : (i < n || lost()) &&
			(!S.only && !S.hide || funcTotal('allocs')[i]));

		return Array.from({ length: M.funcs.count }, (x, i) => i)
			.filter((i) => here(i) && (on ? on[i] : !some || some[i] ||
				was && was[i] || !M.funcs.whose[i]));
	};
	const table = makeTable({ id: 'functions', also: () => S.lib, label: 'Functions',
		noun: 'function', hint: 'a click on one shows its callers ' +
			'and callees', first: 'bytes', columns: functionColumns,
		of: () => (matcher() ? all() : shown().length), rows: shown,
		pick: (i, stay) => go({ fn: i }, stay),
		picked: (i) => S.fn === i });

	const box = el('section', { class: 'split' }, tools, table.box, pane);

	return { id: 'functions', name: 'Functions', box: box, update() {
		box.classList.toggle('alone', S.fn < 0);
		fill(tools, folds() ? foldButton() : null);
		tools.hidden = !folds();
		table.update();
		fillPane(pane, { fn: -1 }, S.fn < 0 ? null
			: functionPane(S.fn));
	}, resize: () => table.draw() };
}
