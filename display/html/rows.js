// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks by size, and threads.

function product(a, b) {
	return a * b < 2 ** 53 ? a * b : Number(BigInt(a) * BigInt(b));
}

// Rows of sizes; the last one is of those that have no bin of their own.
function sizeRows() {
	const b = D.bins, n = b.n, big = b.big;
	const get = (c) => column(b, c, n);
	const size = get('size'), allocs = get('allocs'), frees = get('frees');
	const type = get('type'), mark = get('mark'), types = get('types');
	const rows = [];

	for (let i = 0; i < n; i++)
		rows.push({ size: size[i], allocs: allocs[i], frees: frees[i],
			bytes: product(size[i], allocs[i]),
			kept: product(size[i], allocs[i] - frees[i]),
			type: type[i] ? String.fromCharCode(mark[i]) +
				text(type[i] - 1) + (types[i] > 1 ? ' and ' +
				plural(types[i] - 1, 'other') : '') : '' });
	if (big[0])
		rows.push({ size: Infinity, allocs: big[0], bytes: big[1],
			frees: big[2], kept: Math.max(0, big[1] - big[3]),
			type: '' });
	return rows;
}

function viewSizes() {
	const rows = sizeRows();
	const most = rows.reduce((n, r) => Math.max(n, r.bytes), 0);
	const plain = (id, title) => ({ id: id, title: title,
		value: (i) => rows[i][id], text: (i) => (id === 'bytes' ||
			id === 'kept' ? bytes : count)(rows[i][id]) });
	const table = makeTable({ id: 'sizes', label: 'Blocks by size',
		noun: 'size', first: 'bytes', columns: () => [
			{ id: 'size', title: 'size', value: (i) => rows[i].size,
				text: (i) => (rows[i].size === Infinity
					? 'larger' : count(rows[i].size)) },
			{ id: 'share', title: '%', hint: 'share of all bytes',
				value: (i) => rows[i].bytes, text: (i) =>
					tenths(rows[i].bytes, D.total.bytes) },
			plain('bytes', 'bytes'), plain('kept', 'kept'),
			plain('allocs', 'allocs'), plain('frees', 'frees'),
			{ id: 'bar', title: 'bytes', left: true,
				width: 10, value: (i) => -rows[i].bytes,
				node: (i) => bar(rows[i].bytes, most) },
			{ id: 'type', title: 'types of that size', left: true,
				value: (i) => rows[i].type,
				text: (i) => rows[i].type }],
		of: () => rows.length,
		rows() {
			const test = matcher();

			return Array.from(rows.keys()).filter((i) => !test ||
				test(rows[i].type) || test(count(rows[i]
					.size)));
		} });

	return { id: 'sizes', name: 'Sizes', whole: true, box: el('section',
		{}, table.box), update: () => table.update(),
	resize: () => table.draw() };
}

function viewThreads() {
	const t = D.threads, n = t.n, get = {};

	for (const c of ['name', 'main', 'threads', 'allocs', 'bytes', 'frees',
		'freed', 'foreign'])
		get[c] = column(t, c, n);
	const name = (i) => (text(get.name[i]) || '(no name)') +
		(get.main[i] ? ' (main)' : '');
	const plain = (id, title, hint) => ({ id: id, title: title, hint: hint,
		value: (i) => get[id][i], text: (i) => (!t.freed_known &&
			/^f/.test(id) ? '-' : (id === 'bytes' || id === 'freed'
				? bytes : count)(get[id][i])) });
	const table = makeTable({ id: 'threads', label: 'Threads', first:
		'bytes', noun: 'row', columns: () => [
		{ id: 'share', title: '%', hint: 'share of all bytes',
			value: (i) => get.bytes[i],
			text: (i) => tenths(get.bytes[i], D.total.bytes) },
		plain('bytes', 'bytes'), plain('allocs', 'allocs'),
		plain('frees', 'frees'), plain('freed', 'freed bytes'),
		plain('foreign', 'of others', 'frees of blocks that other ' +
			'threads allocated'),
		plain('threads', 'threads', 'threads of that name'),
		{ id: 'name', title: 'thread', left: true, value: name,
			text: name }], of: () => n,
	rows() {
		const test = matcher();

		return Array.from(get.name.keys()).filter((i) => !test ||
			test(name(i)));
	} });
	const none = el('p', { class: 'dim pad' },
		'What each thread did is not known of every run.');

	return { id: 'threads', name: 'Threads', whole: true, box:
		el('section', {}, n ? table.box : none),
	update: () => n && table.update(), resize: () => n && table.draw() };
}
