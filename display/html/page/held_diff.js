// SPDX-License-Identifier: GPL-3.0-or-later
// What holds more than in the old run: roots by name, and call paths.

// Threads have different numbers in each run.
function rootName(name) {
	return name.replace(/ thread \d+$/, ' other threads');
}

// { name, kind, old: [bytes, blocks], now: [bytes, blocks], open }: roots, and
// blocks by type or by call path, as the state says.
function heldRows() {
	const G = M.graph, o = D.old, found = new Map();
	const add = (key, name, kind, run, some, blocks, open) => {
		let r = found.get(key);

		if (!r)
			found.set(key, r = { name: name, kind: kind,
				old: [0, 0], now: [0, 0], open: null });
		r[run][0] += some;
		r[run][1] += blocks;
		r.open ||= open;
	};
	const root = (run, name, kind, some, blocks) => add('root ' +
		rootName(name), rootName(name), kind, run, some, blocks,
	run === 'now' && rootRow(name) ? () => openHeld(rootRow(name)) : null);
	const of = (type, r) => (type && S.what === 'types' ? 'type ' + type
		: r);
	const path = (type, r) => (type ? type + ' from ' : 'blocks from ') +
		rowPath(r);
	const row = (r) => (M.old.row ? M.old.row[r] : r);
	const was = ['retained', 'retained_blocks', 'type'].map((c) =>
		column(o, c, o.n));

	G.roots.root.forEach((name, i) => root('now', name, G.roots.kind[i],
		G.roots.bytes[i], G.roots.blocks[i]));
	for (let i = 0; i < o.roots.length; i += 4)
		root('old', text(o.roots[i]), text(o.roots[i + 1]),
			o.roots[i + 2], o.roots[i + 3]);
	M.old.of.forEach((r, i) => {
		const type = siteType(i);

		if (r)
			add(of(type.slice(1), r - 1), of(type, '') ? type
				: path(type, r - 1), 'blocks', 'now',
			G.retained.bytes[i], G.retained.blocks[i],
			() => openSite(i));
	});
	was[0].forEach((some, k) => {
		const r = row(k), type = was[2][k] ? text(was[2][k] - 1) : '';

		add(of(type, r), of(type, '') ? '~' + type : path(type && '~' +
			type, r), 'blocks', 'old', some, was[1][k], null);
	});
	return Array.from(found.values()).filter((r) => r.old[1] || r.now[1]);
}

function heldChange() {
	const some = D.old.scaled ? 'not scaled; ' : '';

	return el('span', { class: 'dim' }, some + 'retained bytes: what could ' +
		'not be reached any more without the root, or the blocks; ' +
		'calls of one function are put together, whose bytes may ' +
		'overlap');
}

function heldChanges() {
	const all = () => cached('held rows ' + S.full + S.what, heldRows);
	const columns = () => {
		const rows = all(), texts = (id, title, width) => ({ id: id,
			title: title, left: true, width: width, least: innerWidth < 600 ? 12 : 30,
			value: (i) => rows[i][id], text: (i) => rows[i][id] });
		const number = (id, title, k, run, show) => ({ id: id,
			title: title, value: (i) => rows[i][run][k],
			text: (i) => show(rows[i][run][k]) });

		return [texts('name', 'holder'), texts('kind', 'kind', 8),
			{ id: 'change', title: 'change', value: (i) => Math.abs(
				rows[i].now[0] - rows[i].old[0]), text: (i) =>
				signed(rows[i].now[0] - rows[i].old[0], bytes) },
			number('old', 'before', 0, 'old', bytes),
			number('now', 'now', 0, 'now', bytes),
			number('was', 'blocks before', 1, 'old', count),
			number('blocks', 'blocks now', 1, 'now', count)];
	};

	return makeTable({ id: 'holders', label: 'Changes of holders',
		noun: 'holder', first: 'change', plain: true, columns: columns,
		also: () => S.what, of: () => all().length, rows() {
			const test = matcher();

			return Array.from(all().keys()).filter((i) => !test ||
				test(all()[i].name) || test(all()[i].kind));
		}, pick(i) {
			if (all()[i].open)
				all()[i].open();
		}, picked: () => false });
}
