// SPDX-License-Identifier: GPL-3.0-or-later
// The view of the flame graph: mouse, keys, breadcrumb, what is selected.

const LISTED = 300; // rows of the graph as text

function viewFlame() {
	const canvas = el('canvas', { role: 'img' });
	const space = el('div', { class: 'flamespace' }, canvas);
	const scroll = el('div', { class: 'flame', tabindex: '0',
		'aria-label': 'call graph; arrow keys walk, Enter zooms' },
	space);
	const tip = makeTip();
	const crumbs = el('nav', { class: 'crumbs', 'aria-label': 'zoom' });
	const bars = el('div', { class: 'sub' });
	const said = el('div', { class: 'said', role: 'status' });
	const rows = el('tbody'), inText = el('details', { class: 'intext',
		'aria-label': 'the graph as text', ontoggle: () => render() }, el('summary', {}, 'as text'),
	el('table', { 'aria-label': 'frames of the graph' }, el('thead', {},
		el('tr', {}, ...['bytes or count', '%', 'frame'].map((t, i) =>
			el('th', { class: i < 2 ? 'num' : 'text', scope:
				'col' }, t)))), rows));
	const c = { tree: null, levels: [], path: [], selected: 0, zoom: 0 };
	let laid = '';

	function width() {
		return Math.max(200, scroll.clientWidth);
	}

	// The levels above the one that is zoomed to, and those below.
	function lay() {
		c.tree = flameTree();
		c.zoom = c.tree.find(S.zoom);
		if (!c.tree.value(c.zoom))
			c.zoom = 0;
		const key = [S.mode, S.metric, S.a, S.b, S.lib, S.open, c.zoom,
			width()].join();

		if (key === laid)
			return;
		laid = key;
		c.path = c.zoom ? [0].concat(above(c.tree, c.zoom)) : [0];
		c.path.pop();
		c.levels = c.path.map((n) => ({ x0: [0], x1: [width()],
			node: [n] })).concat(layBoxes(c.tree, c.zoom, width()));
	}

	function flipped() {
		return S.mode === 'flame';
	}

	function height() {
		return Math.max(c.levels.length * BOX + 4, scroll.clientHeight);
	}

	function levelAt(y) {
		const at = flipped() ? height() - 2 - y : y - 2;

		return Math.floor(at / BOX);
	}

	function yOf(depth) {
		return flipped() ? height() - 2 - (depth + 1) * BOX
			: 2 + depth * BOX;
	}

	function draw() {
		const top = scroll.scrollTop, high = scroll.clientHeight;
		const g = sized(canvas, width(), high);

		g.clearRect(0, 0, width(), high);
		g.font = '12px ' + style('--sans');
		g.textBaseline = 'middle';
		c.dark = isDark();
		c.ink = style('--ink');
		c.mark = style('--mark');
		c.change = colouring() === 'change';
		c.severity = colouring() === 'severity';
		c.on = matchedFuncs();
		c.all = 'all: ' + show(S.metric, totalOf(S.metric)) +
			(metric(S.metric).bytes ? ' bytes' : '');
		if (!c.tree.value(0)) {
			g.fillStyle = style('--dim');
			g.fillText('nothing: ' + metricName(metric(S.metric)),
				12, 18);
		}
		c.levels.forEach((level, depth) => {
			const y = yOf(depth) - top;

			if (y > high || y < -BOX)
				return;
			level.node.forEach((n, i) => drawBox(g, c, level.x0[i],
				y, level.x1[i] - level.x0[i], n));
		});
	}

	function describe(n) {
		const F = M.funcs, f = c.tree.func(n), v = c.tree.value(n);
		const share = percent(v, totalOf(S.metric));

		if (!n)
			return [c.all, ''];
		const call = lineOf(c.tree.frame(n));
		const place = [F.module[f], call && 'calls from ' + call, F.file[f] &&
			'begins at ' + F.file[f] + ':' + F.line[f]]
			.filter(Boolean).join(', ');
		let more = show(S.metric, v) + (metric(S.metric).bytes
			? ' bytes ' : ' ') + metricName(metric(S.metric)) +
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
		if (c.tree.funcs(n).length > 1)
			return [c.tree.label(n), more, c.tree.funcs(n).slice(0,
				40).map(nameOf).join(', ')];
		return [nameOf(f), more, place, nameOf(f) === F.label[f] ? ''
			: F.label[f].slice(0, 600)];
	}

	function isOpen(n) {
		return S.open.split('.').includes(c.tree.key(n));
	}

	function say() {
		const n = c.selected, d = describe(n), f = c.tree.func(n);

		canvas.setAttribute('aria-label', d.filter(Boolean).join('; '));
		fill(said, el('b', {}, ...grouped(d[0])), ' ',
			...grouped(d[1] || ''), n ? el('button',
			{ class: 'link', onclick: () => openFunction(f) },
			'callers and callees') : null, c.tree.cycle(n)
			? el('button', { class: 'link', onclick: () => go({
				open: toggled(c.tree.key(n)) }) },
			isOpen(n) ? 'as one frame' : 'its functions') : null,
		d[2] ? el('span', { class: 'dim' }, d[2]) : null);
	}

	// What the canvas shows, for those who can't see it: the boxes from the
	// zoomed one on, callees below their callers, that have 1% of it.
	function listRows() {
		const all = c.tree.value(c.zoom), out = [];
		const stack = [[c.zoom, 0]];

		if (!inText.open || !all)
			return fill(rows);
		while (stack.length && out.length < LISTED) {
			const [n, depth] = stack.pop(), v = c.tree.value(n);
			const name = el('td', { class: 'text' }, el('button', {
				class: 'link', onclick: () => zoomTo(n) },
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

	function hit(e) {
		const r = scroll.getBoundingClientRect();
		const depth = levelAt(e.clientY - r.top + scroll.scrollTop);
		const i = boxAt(c.levels, depth, e.clientX - r.left);

		return i < 0 ? -1 : c.levels[depth].node[i];
	}

	function hover(e) {
		const n = hit(e);

		if (n < 0)
			return tip.hide();
		const d = describe(n);
		tip.show(e, el('b', {}, ...grouped(d[0])), el('div', {},
			...grouped(d[1] || '')), d[2] ? el('div', { class: 'dim' }, d[2]) : null,
			d[3] ? el('div', { class: 'dim' }, d[3]) : null);
	}

	function zoomTo(n) {
		go({ zoom: c.tree.key(n), at: '' });
	}

	function select(n) {
		c.selected = n;
		go({ at: c.tree.key(n) }, true);
		const depth = c.levels.findIndex((l) => l.node.includes(n));
		const y = yOf(depth);

		if (depth >= 0 && y < scroll.scrollTop)
			scroll.scrollTop = y;
		if (depth >= 0 && y + BOX > scroll.scrollTop +
			scroll.clientHeight)
			scroll.scrollTop = y + BOX - scroll.clientHeight;
	}

	// The box beside, before or behind the one that is selected.
	function walkTo(key) {
		const out = flipped() ? 'ArrowDown' : 'ArrowUp';
		const into = flipped() ? 'ArrowUp' : 'ArrowDown';
		const n = c.selected, depth = c.levels.findIndex((l) =>
			l.node.includes(n));
		const level = c.levels[depth];

		if (!level)
			return select(c.zoom);
		const i = level.node.indexOf(n);
		if (key === 'ArrowLeft' && i > 0)
			select(level.node[i - 1]);
		if (key === 'ArrowRight' && i + 1 < level.node.length)
			select(level.node[i + 1]);
		if (key === out && n)
			select(c.tree.parent(n));
		if (key === into) {
			const k = c.path.includes(n) ? c.levels[depth + 1]
				: null;
			const to = k ? k.node[0] : c.tree.kids(n)[0];

			if (to !== undefined && c.tree.value(to))
				select(to);
		}
	}

	function choice(name, now, all, set) {
		return el('span', { class: 'choice', role: 'group',
			'aria-label': name }, ...all.map(([id, title]) =>
			el('button', { 'aria-pressed': String(id === now),
				onclick: () => set(id) }, title)));
	}

	// The colours of the first modules.
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
		M.funcs.whose.includes(STD) ? el('button', { 'aria-pressed': String(!S.lib),
			title: 'functions of std:: and the like as one frame',
			onclick: () => go({ lib: S.lib ? 0 : 1, zoom: '',
				at: '' }) }, 'fold std::') : null,
		crumbs, ...(colouring() === 'module' ? [modules()] : []),
		part >= 0 ? el('span', { class: 'share' }, 'matched ',
			digits(show(S.metric, part)), ', ' +
			percent(part, totalOf(S.metric))) : null);
		const path = above(c.tree, c.zoom);
		const link = (n, label, last) => (last
			? el('span', { 'aria-current': 'location' }, label)
			: el('button', { class: 'link',
				onclick: () => zoomTo(n) }, label));
		const shown = path.slice(-4);

		fill(crumbs, link(0, 'all', !path.length),
			path.length > shown.length ? ' \u203a \u2026' : '');
		shown.forEach((n, i) => crumbs.append(' \u203a ', link(n,
			c.tree.label(n), i + 1 === shown.length)));
	}

	scroll.addEventListener('mousemove', hover);
	scroll.addEventListener('mouseleave', tip.hide);
	scroll.addEventListener('scroll', later(draw));
	scroll.addEventListener('click', (e) => {
		const n = hit(e);

		tip.hide();
		if (n >= 0) {
			const key = c.tree.key(n);

			// A cycle opens, and closes by one more click.
			c.selected = n;
			go({ zoom: key, at: key, open: c.tree.cycle(n) &&
				(!isOpen(n) || n === c.zoom) ? toggled(key)
				: S.open });
		}
	});
	scroll.addEventListener('keydown', (e) => {
		if (e.key === 'Enter')
			zoomTo(c.selected);
		else if (e.key === 'Backspace' && c.zoom)
			zoomTo(c.tree.parent(c.zoom));
		else if (e.key.startsWith('Arrow') && !e.altKey)
			walkTo(e.key);
		else
			return;
		e.preventDefault();
	});

	return { id: 'flame', name: 'Flame graph', box: el('section', {},
		bars, scroll, said, inText, tip.box), update() {
		const flip = laid.split(',')[0] !== S.mode;

		lay();
		c.selected = c.tree.find(S.at) || c.zoom;
		space.style.height = height() + 'px';
		if (flip)
			scroll.scrollTop = flipped() ? 1e9 : 0;
		tools();
		draw();
		say();
		listRows();
	}, resize() {
		laid = '' + S.mode;
		this.update();
	}, leave: tip.hide };
}
