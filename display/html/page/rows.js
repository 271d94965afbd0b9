// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks by size, and threads.

function product(a, b) {
	return a * b < 2 ** 53 ? a * b : Number(BigInt(a) * BigInt(b));
}

// The share of the whole run, for rows that know only figures of the whole run:
// of the chosen metric, or of bytes if the rows lack that.
function wholeShare(view, values, known) {
	const t = D.total, id = shownMetric(view);
	const v = values(id), sum = (list) => list.reduce((a, b) => a + b, 0);
	// The peaks of threads have errors: their sum may be larger.
	const all = id === 'peak' ? Math.max(sum(M.sites.peak), sum(v)) : t[id];

	return { id: 'share', title: '% ' + metric(id).short,
		hint: 'share of all ' + metric(id).name, value: (i) => v[i],
		text: (i) => (known && !known(id, i) ? '-'
			: tenths(v[i], all)) };
}

// Rows of sizes; the last row is for sizes without a bin of their own.
function sizeRows() {
	const b = D.bins, n = b.n, big = b.big;
	const get = (c) => column(b, c, n);
	const off = variances(b, n);
	const size = get('size'), allocs = get('allocs'), frees = get('frees');
	const kept = get('kept');
	const type = get('type'), mark = get('mark'), types = get('types');
	const rows = [];

	for (let i = 0; i < n; i++)
		rows.push({ size: size[i], allocs: allocs[i], frees: frees[i],
			bytes: product(size[i], allocs[i]),
			kept: kept[i],
			type: type[i] ? String.fromCharCode(mark[i]) +
				text(type[i] - 1) + (types[i] > 1 ? ' and ' +
				plural(types[i] - 1, 'other') : '') : '',
			e_bytes: off.bytes[i], e_kept: off.kept[i],
			e_allocs: off.allocs[i] });
	if (big[0])
		rows.push({ size: Infinity, bin: n ? binOf(rows[n - 1]) + 1 : 0,
			allocs: big[0], bytes: big[1], frees: big[2],
			kept: big[3], type: '' });
	return rows;
}

function sizeText(size) {
	return size === Infinity ? 'larger' : count(size);
}

// The exponent of the power of two that includes the row's size.
function binOf(row) {
	return row.size === Infinity ? row.bin
		: Math.max(0, Math.ceil(Math.log2(Math.max(1, row.size))));
}

// The rows by powers of two: columns whose heights show the metric.
function fillHistogram(box, tip, rows, id) {
	const bins = [], last = rows.length ? rows[rows.length - 1].size : 0;
	const all = rows.reduce((n, r) => n + r[id], 0);

	for (const r of rows) {
		const k = binOf(r);

		while (bins.length <= k)
			bins.push(0);
		bins[k] += r[id];
	}
	const most = Math.max(1, ...bins);
	const name = (k) => (last === Infinity && k === bins.length - 1
		? 'larger' : k ? count(2 ** (k - 1) + 1) + '\u2013' +
			count(2 ** k) : '0\u20131').replace(/^(\d+)\u2013\1$/,
		'$1');

	const step = niceStep(most, 3, metric(id).bytes), axis = el('span', {
		class: 'room' });

	for (let n = step; n <= most; n += step) {
		axis.append(el('small', {}, show(id, n)));
		axis.lastChild.style.bottom = 100 * n / most + '%';
	}
	box.style.setProperty('--step', 100 * step / most + '%');
	fill(box, el('div', { class: 'axis' }, axis), ...bins.map((n, k) => {
		const e = el('span', { class: 'fill' });

		e.style.height = (100 * n / most).toFixed(2) + '%';
		return el('button', { class: 'bin', 'aria-pressed': String(
			S.bin === k), 'aria-label':
			name(k) + ' bytes: ' + show(id, n), onclick: () => go({
			bin: S.bin === k ? -1 : k }), onmousemove: (m) =>
			tip.show(m, el('b', {}, 'blocks of ' + name(k) +
				' bytes'), el('div', {}, digits(show(id, n)),
			' ' + metric(id).name + ', ' + percent(n, all))),
		onmouseleave: tip.hide }, el('span', { class: 'room' }, e),
		el('small', {}, last === Infinity && k === bins.length - 1
			? 'larger' : humanBytes(2 ** k).replace(/\.0+/, '')));
	}));
}

function viewSizes() {
	const rows = sizeRows(), tip = makeTip();
	const bins = el('div', { class: 'bins', role: 'group', 'aria-label':
		'blocks by size, powers of two' });
	const plain = (id) => erringColumns(id, (i) => rows[i][id],
		() => (i) => rows[i]['e_' + id]);
	const columns = {}, view = { id: 'sizes', name: 'Sizes', whole: true,
		metrics: ['bytes', 'kept', 'allocs'], update() {
			fillHistogram(bins, tip, rows, shownMetric(view));
			table.update();
		}, leave: tip.hide, resize: () => table.draw() };
	for (const id of view.metrics)
		columns[id] = rows.map((r) => r[id]);
	const table = makeTable({ id: 'sizes', label: 'Blocks by size',
		noun: 'size', first: 'bytes', also: () => S.bin, hint:
			'a click on a column shows its sizes alone', columns: () => [
			{ id: 'size', title: 'size', value: (i) => rows[i].size,
				text: (i) => sizeText(rows[i].size) },
			wholeShare(view, (id) => columns[id]),
			...['bytes', 'kept', 'allocs', 'frees'].flatMap(plain),
			{ id: 'type', title: 'types of that size', left: true,
				value: (i) => rows[i].type,
				text: (i) => rows[i].type }],
		of: () => rows.length,
		rows() {
			const test = matcher();

			return Array.from(rows.keys()).filter((i) => (S.bin < 0 ||
				binOf(rows[i]) === S.bin) && (!test ||
				test(rows[i].type) ||
				test(sizeText(rows[i].size))));
		} });

	view.box = el('section', {}, bins, table.box, tip.box);
	return view;
}

function viewThreads() {
	const t = D.threads, n = t.n, get = {}, off = variances(t, n);
	const view = { id: 'threads', name: 'Threads', whole: true,
		metrics: n ? ['peak', 'kept', 'bytes', 'allocs'] : [],
		update: () => n && table.update(),
		resize: () => n && table.draw() };

	for (const c of ['name', 'main', 'threads', 'allocs', 'bytes', 'frees',
		'freed', 'of_others', 'kept', 'peak', 'kept_known',
		'peak_known'])
		get[c] = column(t, c, n);
	const known = (id, i) => (get[id + '_known'] ? get[id + '_known'][i]
		: t.freed_known || !/^f/.test(id));
	const name = threadName;
	const plain = (id, title, hint) => ({ id: id, title: title, hint: hint,
		value: (i) => get[id][i], text: (i) => (!known(id, i) ? '-'
			: (/^(freed|kept|peak)$/.test(id) ? bytes : count)(
				get[id][i])) });
	const table = makeTable({ id: 'threads', label: 'Threads', first:
		'bytes', noun: 'thread name', columns: () => [
		{ id: 'name', title: 'thread', left: true, least: 10,
			value: name, text: name },
		wholeShare(view, (id) => get[id], known),
		plain('peak', 'at the peak', 'bytes it allocated that were live ' +
			'at the peak' + (D.total.peak_slack ? ', to within ' +
			bytes(D.total.peak_slack) : '')),
		plain('kept', 'not freed', 'bytes it allocated that nobody ' +
			'freed'),
		...['bytes', 'allocs'].flatMap((id) => erringColumns(id,
			(i) => get[id][i], () => (i) => off[id][i], { title: id,
				hint: metric(id).name })),
		plain('frees', 'frees'), plain('freed', 'freed bytes'),
		plain('of_others', 'of others', 'frees of blocks that other ' +
			'threads allocated'),
		plain('threads', 'threads', 'threads of that name')],
	of: () => n, hint: M.threads && 'a click shows the call paths of one',
	leads: true, pick: M.threads && ((i) => go({ a: -1, b: -1, only: 't' + i,
		view: 'sites' })), picked: (i) => S.only === 't' + i,
	rows() {
		const test = matcher();

		return Array.from(get.name.keys()).filter((i) => !test ||
			test(name(i)));
	} });
	const none = el('p', { class: 'dim pad' },
		'What each thread did is not known of every run.');

	view.box = el('section', {}, n ? table.box : none);
	return view;
}
