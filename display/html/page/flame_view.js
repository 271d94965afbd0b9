// SPDX-License-Identifier: GPL-3.0-or-later
// The view of the flame graph: mouse, keys, breadcrumb, selection.

const LISTED = 300; // rows of the graph as text

function foldButton() {
	return el('button', { 'aria-pressed': String(!S.lib), title: 'what ' +
		'functions of libraries allocate counts for the functions ' +
		'of the program that call them', onclick: () => go({ lib: S.lib
		? 0 : 1, zoom: '', at: '' }) }, 'fold std::');
}

function viewFlame() {
	const bars = el('div', { class: 'sub' });
	const hits = el('span', { class: 'dim' }), rows = el('tbody'), inText = el('details', { class: 'intext',
		'aria-label': 'the graph as text', ontoggle: () => render() }, el('summary', {}, 'as text'),
	el('table', { 'aria-label': 'frames of the graph' }, el('thead', {},
		el('tr', {}, ...['bytes or count', '%', 'frame'].map((t, i) =>
			el('th', { class: i < 2 ? 'num' : 'text', scope:
				'col' }, t)))), rows));
	const graph = makeGraph({ label: 'call graph; arrow keys walk, Enter ' +
		'zooms', zoom: 'zoom', at: 'at', tree: flameTree,
	key: () => [S.mode, S.metric, S.a, S.b, S.only, S.lib, S.open].join(),
	flipped: () => S.mode === 'flame',
	whole: () => 'all: ' + show(S.metric, totalOf(S.metric)) +
		(metric(S.metric).bytes ? ' bytes' : ''),
	nothing: () => 'nothing: ' + metricName(metric(S.metric)),
	shade() {
		const on = matchedFuncs();

		c.change = colouring() === 'change';
		c.severity = colouring() === 'severity';
		c.paint = colouring() === 'patterns' && nodePaints(S.metric);
		c.on = on && ((n) => c.tree.funcs(n).some((f) => on[f]));
	}, describe: describe, links: (n) => [n ? el('button', {
		class: 'link', onclick: () => openFunction(c.tree.func(n)) },
	'callers and callees') : null, n ? onlyButton(c.tree.func(n)) : null,
	n ? copyButton(() => {
		const path = above(c.tree, n).map(c.tree.label);

		return (S.mode === 'callers' ? path : path.reverse()).join('\n');
	}) : null,
	c.tree.cycle(n) ? el('button', {
		class: 'link', onclick: () => go({
			open: toggled(S.open, c.tree.key(n)) }) },
	isOpen(n) ? 'as one frame' : 'its functions') : null],
	click(n) {
		const key = c.tree.key(n);

		// A click opens a cycle; another click closes it.
		go({ zoom: key, at: key, open: c.tree.cycle(n) && (!isOpen(n) ||
			n === c.zoom) ? toggled(S.open, key) : S.open });
	} });
	const c = graph.c;
	let shape = '';

	function describe(n) {
		const F = M.funcs, f = c.tree.func(n), v = c.tree.value(n);
		const share = percent(v, totalOf(S.metric));

		if (!n)
			return [c.all, ''];
		const lines = c.tree.lines(n);
		const place = [F.module[f], lines.length && 'calls from ' + lines
			.slice(0, 4).join(', ') + (lines.length > 4 ? ' and ' +
			(lines.length - 4) + ' more lines' : ''), F.file[f] &&
			'begins at ' + F.file[f] + ':' + F.line[f]]
			.filter(Boolean).join('; ');
		let more = amountOf(S.metric, v) +
			(erred(S.metric) && S.mode !== 'callers' ? errorNote(
				S.metric, v, c.tree.error(n)) : '') + ', ' +
			share + ' of all';
		const s = c.tree.severity(n);
		if (S.mode !== 'callers' && c.zoom)
			more += ', ' + percent(v, c.tree.value(c.zoom)) +
				' of ' + c.tree.label(c.zoom);
		if (M.old && M.old.known(S.metric))
			more += ', before ' + show(S.metric, c.tree.was(n)) +
				' (' + changeText(S.metric, v,
				c.tree.was(n)) + ')';
		if (s && S.mode !== 'callers')
			more += ', mean severity ' + Math.round(s) + ' of 12';
		if (M.frames.inlined[c.tree.frame(n) - 1])
			more += ', inlined';
		more += others(n);
		if (c.tree.funcs(n).length > 1)
			return [c.tree.label(n), more, c.tree.funcs(n).slice(0,
				40).map(nameOf).join(', ')];
		return [nameOf(f), more, place, nameOf(f) === F.label[f] ? ''
			: F.label[f].slice(0, 600)];
	}

	// Figures of a node: itself without callees, other metrics, types.
	function others(n) {
		if (S.mode === 'callers')
			return '';
		const own = c.tree.kids(n).reduce((v, k) => v - c.tree.value(k),
			c.tree.value(n)), types = nodeTypes(n);

		return '; itself ' + show(S.metric, own) + METRICS.filter((m) =>
			m.id !== S.metric && !m.column && known(m.id))
			.map((m) => '; ' + amountOf(m.id,
				nodeValues(m.id)[n])).join('') +
			(types.length ? '; type ' + types.slice(0, 3).join(', ') +
				(types.length > 3 ? ', ...' : '') : '');
	}

	function isOpen(n) {
		return S.open.split('.').includes(c.tree.key(n));
	}

	// The boxes as a list, for readers who can't see the canvas: from the
	// zoomed box on, callees below callers, boxes of at least 1% of it.
	function listRows() {
		const all = c.tree.value(c.zoom), out = [];
		const stack = [[c.zoom, 0]];

		if (!inText.open || !all)
			return fill(rows);
		while (stack.length && out.length < LISTED) {
			const [n, depth] = stack.pop(), v = c.tree.value(n);
			const name = el('td', { class: 'text' }, el('button', {
				class: 'link', onclick: () => graph.zoomTo(n) },
			n ? c.tree.label(n) : 'all'));

			name.style.paddingLeft = 0.5 + Math.min(depth, 40) *
				0.8 + 'em';
			out.push(el('tr', { 'aria-level': depth + 1 },
				el('td', { class: 'num' },
					digits(show(S.metric, v))),
				el('td', { class: 'num dim' },
					tenths(v, totalOf(S.metric))), name));
			for (const k of Array.from(c.tree.kids(n)).reverse())
				if (c.tree.value(k) * 100 >= all)
					stack.push([k, depth + 1]);
		}
		fill(rows, ...out);
	}

	// The twelve steps of severity.
	function steps() {
		return el('ul', { class: 'legend' }, ...Array.from({ length: 12 },
			(x, s) => el('li', {}, swatch(heat(s / 11, isDark()),
				s + 1))), el('li', { class: 'dim' },
			'1 good, 12 bad'));
	}

	function legendOf() {
		const by = colouring();

		return by === 'module' ? modules() : by === 'severity' ? steps()
			: by === 'patterns' ? paintLegend(S.metric) : null;
	}

	// The colours of the first groups.
	function modules() {
		return el('ul', { class: 'legend' }, ...Array.from(
			moduleRanks().keys()).filter(Boolean).slice(0, 6).map(
			(m) => el('li', {}, swatch(moduleColour(m, 5, isDark()),
				''), m === 'std' ? "std::, the language's " +
				'library' : m)));
	}

	function tools() {
		const part = matcher() ? matchedValue(S.metric) : -1;

		fill(bars, choice('shape', S.mode, [['icicle', 'Icicle'],
			['flame', 'Flame'], ['callers', 'Callers']],
		(id) => go({ mode: id, zoom: '', at: '' })),
		...(colourings().length > 1 ? [el('span', { class: 'dim' },
			'coloured by'), choice('colours', colouring(),
			colourings(), (id) => go({ colour: id }))] : []),
		M.funcs.whose.includes(STD) ? foldButton() : null,
		S.mode === 'callers' ? null : paintField(),
		graph.crumbs, legendOf(),
		part >= 0 ? el('span', { class: 'share' }, 'matched ',
			digits(show(S.metric, part)), ', ' +
			percent(part, totalOf(S.metric)), ' ', hits) : null);
	}

	return { id: 'flame', name: 'Flame graph', box: el('section', {},
		bars, graph.scroll, graph.said, inText, graph.tip.box),
	update() {
		tools();
		graph.update(shape !== S.mode);
		shape = S.mode;
		const found = graph.matches(), at = found.indexOf(c.selected);
		fill(hits, (at < 0 ? '' : at + 1 + ' of ') + plural(found.length,
			'frame') + '; Enter: the next one');
		listRows();
	}, resize() {
		graph.again();
		this.update();
	}, leave: graph.tip.hide, next(by) {
		const found = graph.matches(), at = found.indexOf(c.selected);

		if (found.length)
			graph.select(found[(Math.max(at, by < 0 ? 0 : -1) + by +
				found.length) % found.length]);
	} };
}
