// SPDX-License-Identifier: GPL-3.0-or-later
// Types, and the reads and writes of each byte.

// The strips of a layout: reads above, writes below; a cell for each few
// granules.
function strips(f) {
	const cells = f.reads.length, all = f.reads.concat(f.writes);
	const most = Math.max(1, ...all);
	const line = (v, what) => el('div', { class: 'strip' }, el('span',
		{ class: 'what' }, what), ...v.map((n, i) => {
		const e = el('span', { class: n ? 'heat' : 'never', title:
			what + ' of bytes ' + i * f.cell + '-' + (Math.min(
			(i + 1) * f.cell, f.size) - 1) + ': ' + count(n) });

		if (n)
			e.style.setProperty('--x', (0.12 + 0.88 *
				Math.log1p(n) / Math.log1p(most)).toFixed(2));
		return e;
	}));

	return el('div', { class: 'strips', role: 'img', 'aria-label':
		'accesses along ' + cells + ' cells of ' + f.cell +
		' bytes' }, line(f.reads, 'reads'), line(f.writes, 'writes'));
}

// Members with the accesses to their cells.
function memberTable(f) {
	const m = f.members || [], rows = [];
	const sum = (v, from, to) => {
		let n = 0;

		for (let i = Math.floor(from / f.cell); i * f.cell < to &&
			i < v.length; i++)
			n += v[i];
		return n;
	};

	for (let i = 0; i < m.length && i < 5 * 400; i += 5) {
		const [name, type, at, size, depth] = m.slice(i, i + 5);
		const shared = at % f.cell || (at + size) % f.cell;
		const label = el('td', { class: 'text', title: text(type) },
			text(name) || '(no name)', el('span', { class: 'dim' },
				'  ' + text(type)));

		label.style.paddingLeft = depth + 0.4 + 'em';
		rows.push(el('tr', {}, el('td', { class: 'num' }, count(at)),
			el('td', { class: 'num' }, count(size)),
			...[f.reads, f.writes].map((v) => numberCell(count(
				sum(v, at, at + size)), shared ? '*' : ' ')),
			label));
	}
	if (!rows.length)
		return null;
	return el('div', {}, el('table', { class: 'small members',
		'aria-label': 'members' },
		tableHead(['offset', 'size', 'reads', 'writes', 'member'], 4),
		el('tbody', {}, ...rows)), aside('Accesses are known by ' +
		f.cell + ' bytes; * marks what shares such a cell with its ' +
		'neighbours.'));
}

function layout(f) {
	const name = f.type === undefined ? 'blocks of no known type'
		: String.fromCharCode(f.mark) + text(f.type);

	return el('div', { class: 'layout' }, el('h4', {}, name), el('p',
		{ class: 'dim' }, ...grouped(plural(f.blocks, f.type !== undefined &&
		f.size === f.type_size ? 'object' : 'block') + ' of ' +
		count(f.size) + ' bytes', f.site !== undefined ? [' by ',
		siteName(f.site)].join('') : '')), strips(f), memberTable(f));
}

function layoutsOf(type) {
	// A layout of a single call path is the same as that of its type: show
	// one.
	const t = D.types, all = D.fields.filter((f) => (type < 0 ||
		(f.type !== undefined && text(f.type) === text(t.name[type]))) &&
		(f.site === undefined || !D.fields.some((g) => g.site ===
			undefined && g.type === f.type && g.size === f.size &&
			g.blocks === f.blocks)));

	if (!D.fields.length)
		return [aside(D.total.reads === null
			? 'Which bytes of a type are read and written is ' +
			'not known: no accesses were recorded. Compile ' +
			'with memmon-cc in place of the compiler to have ' +
			'them.' : 'No accesses to blocks were seen.')];
	if (!all.length)
		return [aside('Where these blocks are read and written is ' +
			'not known.')];
	const out = all.slice(0, 12).map(layout);
	const left = all.length - out.length + (type < 0 ? D.fields_left : 0);
	if (left > 0)
		out.push(aside(plural(left, 'other layout') + ' left out; ' +
			'mpreduce --fields has all.'));
	return out;
}

// How many call paths allocate type i: `sites', unless functions are hidden.
function typePaths(sites, i) {
	const s = M.sites, of = s.path && cached('paths of types', () =>
		s.path.reduce((map, path, k) => map.set(s.type[k], (map.get(
			s.type[k]) || new Set()).add(path)), new Map()));
	const number = D.types.name[i], all = of && of.get(text(number)
		? number + 1 : 0);

	return of ? all ? all.size : 0 : sites;
}

function typePane(i) {
	const t = D.types, v = (c) => (t[c] ? t[c][i] : 0);

	return [el('h3', {}, typeName(i)), facts([
		v('size') && ['size of one', count(v('size'))],
		v('elements') && ['objects', count(v('elements'))],
		['allocations', count(v('allocs'))], ['bytes',
			bytes(v('bytes'))],
		['not freed', bytes(v('kept'))],
		v('peak_known') && ['held at the peak', bytes(v('peak'))],
		v('sites') && ['call paths', count(typePaths(v('sites'), i))],
		v('holes_1') && ['padding in one', count(v('holes_1') - 1)],
		v('rounded_1') && ['rounding by the allocator',
			(v('rounded_exact') ? '' : 'about ') +
			bytes(v('rounded_1') - 1)],
		v('used') && ['reads', count(v('reads'))],
		v('used') && ['writes', count(v('writes'))],
		v('handed') && handedFact(v('handed'), v('handed_bytes'))]),
	el('p', {}, link('its call paths', { view: 'sites', re: 1, q: '^[=~?]' +
		text(t.name[i]).replace(/[^\w\s]/g, '\\$&') + '$' })), el('h4', {},
		'Accesses by place'),
	...layoutsOf(i)];
}

// For a part of the run: figures of sites, summed up by type.
function typeColumnsOfSpan() {
	const v = (id) => {
		const of = typesOfSites(siteValues(id));

		return (i) => of[i];
	};

	return [{ id: 'type', title: 'type', left: true, value: typeName,
		text: typeName }, shareColumn(S.metric, v(S.metric)),
	...['grown', 'kept', 'bytes', 'allocs', 'frees'].filter(known).map((id) =>
		metricColumn(id, v(id)))];
}

function typeColumns(view) {
	if (partial())
		return typeColumnsOfSpan();
	const t = D.types, get = {}, scores = [], off = variances(t, t.n);

	for (const c of ['size', 'allocs', 'bytes', 'frees', 'kept', 'peak',
		'peak_known', 'sites', 'reads', 'writes', 'used', 'holes_1',
		'elements', 'in_holes_1', 'rounded_1'])
		get[c] = column(t, c, t.n);
	get.sites = get.sites.map(typePaths);
	for (let i = 0, k = 0; i < t.n; i++) {
		scores.push(get.used[i] ? t.scores.slice(k, k + 2) : []);
		k += get.used[i] ? 2 : 0;
	}
	const number = (id, title, hint) => ({ id: id, title: title,
		hint: hint, value: (i) => get[id][i],
		text: (i) => (get[id][i] ? count(get[id][i]) : '-') });
	const waste = (i) => (get.in_holes_1[i] || get.rounded_1[i] ? Math.max(0,
		get.in_holes_1[i] - 1) + Math.max(0, get.rounded_1[i] - 1) : -1);
	const list = [], first = shownMetric(view);
	for (const id of new Set([first, 'peak', 'kept', 'bytes', 'allocs',
		'frees']))
		if (id !== 'peak' || D.total.peak !== null)
			list.push(...erringColumns(id, (i) => get[id][i],
				() => (i) => off[id][i],
				Object.assign({ title: metric(id).short,
					hint: metric(id).name }, id === 'peak'
					? { text: (i) => (get.peak_known[i]
						? bytes(get.peak[i]) : '-') }
					: {})), ...id === first ? [wholeShare(
				view, (c) => get[c])] : []);
	if (M.old && M.old.known(first))
		list.unshift(...typeChanges(first, get[first]));
	list.push(number('size', 'size', 'bytes of one object'),
		number('elements', 'objects', 'with those in arrays'),
		number('sites', 'call paths', 'that allocate such blocks'),
		{ id: 'holes', title: 'padding',
			hint: 'bytes of one that no member uses',
			value: (i) => get.holes_1[i],
			text: (i) => (get.holes_1[i] ? count(get.holes_1[i] - 1)
				: '-') },
		{ id: 'waste', title: 'waste', hint: 'bytes in the padding of ' +
			'all, and added by the allocator, as far as they are ' +
			'known: mpreduce --waste', value: waste, text: (i) =>
			(waste(i) < 0 ? '-' : bytes(waste(i))) });
	if (D.total.reads !== null) {
		list.push(number('reads', 'reads', 'reads'),
			number('writes', 'writes', 'writes'));
		['usage', 'useful'].forEach((id, k) => list.push({ id: id,
			title: id, hint: 'score: 1 is the best', value: (i) =>
				(scores[i].length ? scores[i][k] ?? -2 : -2),
			text: (i) => score(scores[i][k]) }));
	}
	list.unshift({ id: 'type', title: 'type', left: true, value: typeName,
		text: typeName });
	return list;
}

function viewTypes() {
	const pane = el('aside', { class: 'pane wide', 'aria-label': 'type' });
	const table = makeTable({ id: 'types', label: 'Types', noun: 'type',
		first: 'bytes', columns: () => typeColumns(view), of: () => D.types.n,
		rows() {
			const test = matcher(), out = [];

			for (let i = 0; i < D.types.n; i++)
				if (!test || test(typeName(i)))
					out.push(i);
			return out;
		}, pick: (i, stay) => go({ type: i }, stay),
		picked: (i) => S.type === i });

	const box = el('section', { class: 'split' }, table.box, pane);

	const view = { id: 'types', name: 'Types', box: box,
		get metrics() {
			return partial() ? ['grown', 'kept', 'bytes', 'allocs']
				: ['peak', 'kept', 'bytes', 'allocs'];
		}, update() {
		box.classList.toggle('alone', S.type < 0 && !D.fields.length);
		table.update();
		if (S.type >= 0)
			fillPane(pane, { type: -1 }, typePane(S.type));
		else
			fill(pane, el('h3', {}, 'Accesses by place'),
				...layoutsOf(-1));
		pane.classList.toggle('wide', pane.querySelector('.layout') !==
			null);
	}, resize: () => table.draw() };
	return view;
}
