// SPDX-License-Identifier: GPL-3.0-or-later
// The view of the holders of memory: their tree as boxes, and as rows that
// open.

function viewHeld() {
	const tools = el('div', { class: 'sub' });
	const matched = () => matcher() && ((n) => n && matcher()(
		heldTree().label(n)));

	function isOpen(n) {
		return openRows().has(n);
	}

	// The rows that were opened, and those above the selected row.
	function kept() {
		const N = heldTree();

		return Array.from(new Set(S.hopen.split('.').filter(Boolean)
			.map(Number).concat(above(N, N.parent(N.find(S.hat))))));
	}

	// All open rows.  With a search, also those above the rows that match.
	function openRows() {
		const N = heldTree(), key = [S.hopen, S.hat, S.q, S.re].join();

		if (openRows.key === key)
			return openRows.set;
		const set = new Set(kept()), on = matched();

		if (on)
			N.kind.forEach((k, n) => on(n) && above(N, N.parent(n))
				.forEach((up) => set.add(up)));
		openRows.key = key;
		openRows.set = set;
		return set;
	}

	function select(n, stay) {
		go({ hopen: kept().join('.'), hat: String(n) }, stay);
	}

	function turn(n, open) {
		go({ hat: String(n), hopen: kept().filter((k) => k !== n)
			.concat(open ? n : []).join('.') }, true);
	}

	function columns() {
		const N = heldTree(), number = (id, title, hint, v, show) => ({
			id: id, title: title, hint: hint, value: (n) => v[n],
			text: (n) => (v[n] < 0 ? '-' : show(v[n])) });

		return [number('retained', 'retained', 'bytes of all blocks that ' +
			'could not be reached any more without it', N.values,
		bytes), Object.assign(number('part', '%', 'share of all live ' +
			'bytes', N.values, (v) => tenths(v, M.graph.bytes)),
		{ width: 7 }), number('blocks', 'blocks', 'how many blocks these ' +
			'bytes are in', N.blocks, count),
		...(narrow() ? [] : [number('own', 'own', 'bytes of its own ' +
			'blocks', N.own, bytes)]), { id: 'name', title: 'holder', left: true, least: 20,
			hint: 'a root, or blocks by type and call path',
			value: (n) => n, text: N.label, node: name }];
	}

	const narrow = () => innerWidth < 600;

	function name(n) {
		const N = heldTree(), kids = N.kids(n).length;
		const e = el('span', { title: N.label(n) }, kids ? el('button', {
			class: 'turn', tabindex: '-1', 'aria-label': (isOpen(n)
				? 'close ' : 'open ') + N.label(n),
			onclick: (e) => {
				e.stopPropagation();
				turn(n, !isOpen(n));
			} }, isOpen(n) ? '\u25be' : '\u25b8')
			: el('span', { class: 'turn' }), N.label(n));

		e.style.paddingLeft = Math.min(above(N, n).length - 1, 30) *
			1.1 + 'em';
		return e;
	}

	function visible() {
		const N = heldTree(), out = [], stack = [0], on = matched();
		const shown = on && new Set(Array.from(N.kind.keys())
			.filter(on));

		if (on)
			shown.forEach((n) => above(N, N.parent(n)).forEach((k) =>
				shown.add(k)));
		while (stack.length) {
			const n = stack.pop();

			if (n)
				out.push(n);
			for (const k of n && !isOpen(n) ? []
				: N.kids(n).slice().reverse())
				if (!on || shown.has(k) || isOpen(n))
					stack.push(k);
		}
		return out;
	}

	const graph = makeGraph({ label: 'who holds what; arrow keys walk, ' +
		'Enter zooms', zoom: 'hzoom', at: 'hat', lens: 'hlens', tree: heldTree,
	key: () => '', flipped: () => false,
	whole: () => 'all: ' + bytes(M.graph.bytes) + ' bytes',
	nothing: () => 'nothing was live',
	shade(c) {
		c.on = matched();
	}, describe(n) {
		const N = heldTree(), all = M.graph.bytes;

		if (!n)
			return ['all: ' + bytes(all) + ' bytes', ''];
		return [N.label(n), 'retains ' + bytes(N.value(n)) + ' bytes' +
			(N.blocks[n] < 0 ? '' : ' in ' + plural(N.blocks[n],
				'block')) + ', ' + percent(N.value(n), all) +
			' of all; its own: ' + bytes(N.own[n]) + ' bytes', n
			? 'held by ' + (above(N, N.parent(n)).reverse().map(
				N.label).join(' \u2190 ') || '-') : ''];
	}, links: (n) => [heldTree().site[n] >= 0 ? siteLink(heldTree().site[n],
		'its call path') : null],
	click: (n) => go({ hzoom: heldTree().key(n), hat:
		heldTree().key(n) }) });
	const table = makeTable({ id: 'held', label: 'Who holds what', noun:
		'row', columns: columns, rows: visible, pick: select, picked: (n) =>
		heldTree().find(S.hat) === n, also: () => [S.hopen, S.hat, narrow()].join(' '),
	tree: { level: (n) => above(heldTree(), n).length,
		open: (n) => (heldTree().kids(n).length ? isOpen(n) : null),
		up: (n) => heldTree().parent(n), turn: turn,
		enter: (n) => graph.zoomTo(n) } });

	return { id: 'held', name: 'Holders', whole: true, metrics: [],
		box: el('section', { class: 'held' }, tools, graph.scroll,
			graph.said, table.box, graph.tip.box), update() {
			const h = M.graph.holdings.left;

			fill(tools, graph.crumbs, el('span', { class: 'dim' },
				'live blocks ' + seconds(M.graph.at) + ' s ' +
				'after the start' + (h ? '; ' + plural(h,
					'row') + ' left out' : '')));
			graph.update();
			table.update();
			table.show(heldTree().find(S.hat));
		}, resize() {
			graph.again();
			this.update();
		}, leave: graph.tip.hide };
}
