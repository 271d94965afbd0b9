// SPDX-License-Identifier: GPL-3.0-or-later
// The view of the flame graph: mouse, keys, breadcrumb, selection.

const LISTED = 300; // rows of the graph as text

function foldButton() {
	return el('button', { 'aria-pressed': String(!S.lib), title: 'what ' +
		'functions of libraries allocate counts for the functions ' +
		'of the program that call them', onclick: () => go({ lib: S.lib
		? 0 : 1, zoom: '', at: '' }) }, 'fold std::');
}

function aroundButton(fn) {
	return link('callers and callees', { view: 'flame', mode: 'around',
		fn: fn, zoom: '', at: '' }, 'all callers of ' + nameOf(fn) +
		' above it, all that it calls below');
}

function viewFlame() {
	const bars = el('div', { class: 'sub' });
	const hits = el('span', { class: 'dim' }), narrow = el('span', {
		class: 'dim' }), rows = el('tbody'), inText = el('details', { class: 'intext',
		'aria-label': 'the graph as text', ontoggle: () => render() }, el('summary', {}, 'as text'),
	el('table', { 'aria-label': 'frames of the graph' }, tableHead([
		'bytes or count', '%', 'frame'], 2), rows));
	const graph = makeGraph({ label: 'call graph; arrow keys walk, Enter ' +
		'zooms', zoom: 'zoom', at: 'at', lens: 'glens', tree: flameTree,
	key: () => [shapeKey(), S.metric, S.a, S.b, S.only,
		S.hide, S.lib, S.open].join(),
	flipped: () => S.mode === 'flame',
	whole: () => (S.mode === 'around' ? nameOf(middle()) + ': ' + show(
		S.metric, c.tree.value(0)) : 'all: ' + show(S.metric, totalOf(S.metric))) +
		(metric(S.metric).bytes ? ' bytes' : ''),
	nothing: () => 'nothing: ' + metricName(metric(S.metric)),
	shade() {
		const on = matchedFuncs();

		c.change = colouring() === 'change';
		c.severity = colouring() === 'severity';
		c.paint = colouring() === 'patterns' && nodePaints(S.metric);
		c.on = on && ((n) => c.tree.funcs(n).some((f) => on[f]));
	}, describe: describe, links: (n) => [...c.tree.func(n) >= 0 ? [
		link('its figures', () => openFunction(c.tree.func(n))),
		S.mode === 'around' && !n ? null : aroundButton(c.tree.func(n)),
		onlyButton(c.tree.func(n)), leaveButton(c.tree.funcs(n)),
		hideButton(c.tree.funcs(n), frameAt(n)),
		copyButton(() => pathTo(n).join('\n'))] : [],
	c.tree.cycle(n) ? link(isOpen(n) ? 'as one frame' : 'its functions', {
		open: toggled(S.open, c.tree.key(n)) }) : null],
	enter, leave: (n, hide) => c.tree.func(n) >= 0 && (hide ? hideThem(c.tree.funcs(n),
		frameAt(n)) : leaveOut(c.tree.funcs(n))),
	click(n) {
		const key = c.tree.key(n);

		if (S.mode === 'around')
			return enter(n);

		// A click opens a cycle; another click closes it.
		go({ zoom: key, at: key, open: c.tree.cycle(n) && (!isOpen(n) ||
			n === c.zoom) ? toggled(S.open, key) : S.open });
	} });
	const c = graph.c;
	let shape = '';

	// Zoom to a box, or have its function in the middle.
	function enter(n) {
		if (S.mode === 'around')
			go({ fn: c.tree.func(n), at: '' });
		else
			graph.zoomTo(n);
	}

	// A frame of a box; 0: boxes of this shape are no frames.
	function frameAt(n) {
		return merged() ? 0 : elementNodes().frame[n];
	}

	// The labels on the path to a box, the innermost function first.
	function pathTo(n) {
		const path = above(c.tree, n).map(c.tree.label);

		if (S.mode === 'around')
			path.unshift(c.tree.label(0));
		return S.mode === 'callers' || n % 2 && S.mode === 'around' ? path
			: path.reverse();
	}

	function describe(n) {
		const F = M.funcs, f = c.tree.func(n), v = c.tree.value(n);
		const share = percent(v, totalOf(S.metric));

		if (!n)
			return [c.all, S.mode !== 'around' ? '' : [share + ' of all',
				before(0)].filter(Boolean).join(', ')];
		const lines = c.tree.lines(n);
		const place = [F.module[f], lines.length && 'calls at ' + lines
			.slice(0, 4).join(', ') + (lines.length > 4 ? ' and ' +
			(lines.length - 4) + ' more lines' : ''), F.file[f] &&
			'begins at ' + F.file[f] + ':' + F.line[f]]
			.filter(Boolean).join('; ');
		let more = amountOf(S.metric, v) +
			(erred(S.metric) && !merged() ? errorNote(
				S.metric, v, c.tree.error(n)) : '') + ', ' +
			share + ' of all';
		const s = c.tree.severity(n);
		if (n !== c.zoom && (S.mode === 'around' || S.mode !== 'callers' &&
			c.zoom))
			more += ', ' + percent(v, c.tree.value(c.zoom)) +
				' of ' + c.tree.label(c.zoom);
		more += before(n) && ', ' + before(n);
		if (s && !merged())
			more += ', mean severity ' + Math.round(s) + ' of 12';
		if (M.frames.inlined[c.tree.frame(n) - 1])
			more += ', inlined';
		more += others(n);
		const all = c.tree.funcs(n), on = matchedFuncs() || [];
		const found = all.filter((fn) => on[fn]);
		if (all.length > 1)
			return [c.tree.label(n), more, (found.length ? 'found: ' +
				found.map(nameOf).join(', ') + '; all: ' : '') +
				all.slice(0, 40).map(nameOf).join(', ')];
		return [nameOf(f), more, place, nameOf(f) === F.label[f] ? ''
			: F.label[f].slice(0, 600)];
	}

	// The figure of the old run, and the change.
	function before(n) {
		if (!M.old || !M.old.known(S.metric))
			return '';
		return 'before ' + show(S.metric, c.tree.was(n)) + ' (' +
			changeText(S.metric, c.tree.value(n), c.tree.was(n)) + ')';
	}

	// Figures of a node: itself without callees, other metrics, types.
	function others(n) {
		if (merged())
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
	// zoomed box on, callees below callers, boxes of at least 1% of it; then
	// the callers of the box in the middle.
	function listRows() {
		const all = c.tree.value(c.zoom), out = [];
		const stack = [[c.zoom, 0]], up = c.tree.callers ? c.tree.callers() : [];

		stack.unshift(...up.map((n) => [n, 1]).reverse());

		if (!inText.open || !all)
			return fill(rows);
		while (stack.length && out.length < LISTED) {
			const [n, depth] = stack.pop(), v = c.tree.value(n);
			const name = textCell(link((c.tree.callers && n % 2
				? '\u2190 ' : '') + (n || c.tree.callers
				? c.tree.label(n) : 'all'), () => enter(n)));

			name.style.paddingLeft = 0.5 + Math.min(depth, 40) *
				0.8 + 'em';
			out.push(el('tr', { 'aria-level': depth + 1 },
				numberCell(show(S.metric, v)), shareCell(
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
				s + 1, isDark() && lettersOn(s + 1)))), el('li', { class: 'dim' },
			'1 good, 12 bad'));
	}

	// The colours of what is gone, the same, and new.
	function changes() {
		return el('ul', { class: 'legend' }, ...[[-1, 'less'], [0,
			'the same'], [1, 'more than before']].map(([x, t]) =>
			el('li', {}, swatch(changeColour(x, isDark()), ''), t)));
	}

	function legendOf() {
		const by = colouring();

		return by === 'module' ? modules() : by === 'severity' ? steps()
			: by === 'change' ? changes() : by === 'patterns'
				? paintLegend(S.metric) : null;
	}

	// The colours of the first groups that have boxes.
	function modules() {
		const drawn = new Set();

		funcTotal(S.metric).forEach((v, fn) => v && drawn.add(
			moduleOf(fn)));
		return el('ul', { class: 'legend' }, ...Array.from(
			moduleRanks().keys()).filter((m) => m && drawn.has(m))
			.slice(0, 6).map(
			(m) => el('li', {}, swatch(moduleColour(m, 5, isDark()),
				''), m === 'std' ? "std::, the language's " +
				'library' : m)));
	}

	function tools() {
		const part = matcher() ? matchedValue(S.metric) : -1;

		fill(bars, choice('shape', S.mode, [['icicle', 'Icicle'],
			['flame', 'Flame'], ['callers', 'Callers'],
			['around', 'Callers and callees']],
		(id) => go({ mode: id, zoom: '', at: '' })),
		...(colourings().length > 1 ? [el('span', { class: 'dim' },
			'coloured by'), choice('colours', colouring(),
			colourings(), (id) => go({ colour: id }))] : []),
		M.funcs.whose.includes(STD) ? foldButton() : null,
		merged() ? null : paintField(),
		graph.crumbs, narrow, legendOf(),
		part >= 0 ? el('span', { class: 'share' }, 'matched ',
			digits(show(S.metric, part)), ', ' +
			percent(part, totalOf(S.metric)), ' ', hits) : null);
	}

	return { id: 'flame', name: 'Flame graph', box: el('section', {},
		bars, graph.scroll, graph.said, inText, graph.tip.box),
	update() {
		tools();
		const now = shapeKey();

		graph.update(shape !== now);
		shape = now;
		const found = graph.matches(), at = found.indexOf(c.selected);
		fill(hits, (at < 0 ? '' : at + 1 + ' of ') + plural(found.length,
			'frame') + '; Enter: the next one');
		fill(narrow, c.narrow ? plural(c.narrow, 'frame') + ' too narrow ' +
			'to be seen: zoom in' : '');
		listRows();
	}, resize() {
		graph.again();
		this.update();
	}, leave: graph.tip.hide, back: graph.back, next(by) {
		const found = graph.matches(), at = found.indexOf(c.selected);

		if (found.length)
			graph.select(found[(Math.max(at, by < 0 ? 0 : -1) + by +
				found.length) % found.length]);
	} };
}
