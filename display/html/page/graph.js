// SPDX-License-Identifier: GPL-3.0-or-later
// A graph of boxes whose widths show figures: mouse and keys.
//
// makeGraph({ label, tree(), key(), zoom, at, flipped(), whole(), nothing(),
// shade(c), describe(n), links(n), click(n) }): zoom and at name members of the
// state; key() changes when the boxes do; describe(n) returns texts.

function makeGraph(of) {
	const canvas = el('canvas', { role: 'img' });
	const space = el('div', { class: 'flamespace' }, canvas);
	const scroll = el('div', { class: 'flame', tabindex: '0',
		'aria-label': of.label }, space);
	const tip = makeTip();
	const crumbs = el('nav', { class: 'crumbs', 'aria-label': 'zoom' });
	const said = el('div', { class: 'said', role: 'status' });
	const c = { tree: null, levels: [], path: [], selected: 0, zoom: 0 };
	let laid = '';

	function width() {
		return Math.max(200, scroll.clientWidth);
	}

	// Lay out the levels above the zoomed box, and those below.
	function lay() {
		c.tree = of.tree();
		c.all = of.whole();
		c.zoom = c.tree.find(S[of.zoom]);
		if (!c.tree.value(c.zoom))
			c.zoom = 0;
		const key = [of.key(), c.zoom, width()].join();

		if (key === laid)
			return;
		laid = key;
		c.path = c.zoom ? [0].concat(above(c.tree, c.zoom)) : [0];
		c.path.pop();
		c.levels = c.path.map((n) => ({ x0: [0], x1: [width()],
			node: [n] })).concat(layBoxes(c.tree, c.zoom, width()));
	}

	function height() {
		return Math.max(c.levels.length * BOX + 4, scroll.clientHeight);
	}

	function levelAt(y) {
		const at = of.flipped() ? height() - 2 - y : y - 2;

		return Math.floor(at / BOX);
	}

	function yOf(depth) {
		return of.flipped() ? height() - 2 - (depth + 1) * BOX
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
		of.shade(c);
		if (!c.tree.value(0)) {
			g.fillStyle = style('--dim');
			g.fillText(of.nothing(), 12, 18);
		}
		c.levels.forEach((level, depth) => {
			const y = yOf(depth) - top;

			if (y > high || y < -BOX)
				return;
			level.node.forEach((n, i) => drawBox(g, c, level.x0[i],
				y, level.x1[i] - level.x0[i], n));
		});
	}

	function say() {
		const n = c.selected, d = of.describe(n);

		canvas.setAttribute('aria-label', d.filter(Boolean).join('; '));
		fill(said, el('b', {}, ...grouped(d[0])), ' ',
			el('span', {}, ...grouped(d[1] || '')), ...of.links(n),
			d[2]
				? el('span', { class: 'dim' }, d[2]) : null);
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
		const d = of.describe(n);
		tip.show(e, el('b', {}, ...grouped(d[0])), el('div', {},
			...grouped(d[1] || '')), d[2] ? el('div', { class: 'dim' }, d[2]) : null,
			d[3] ? el('div', { class: 'dim' }, d[3]) : null);
	}

	function zoomTo(n) {
		go({ [of.zoom]: c.tree.key(n), [of.at]: '' });
	}

	function select(n) {
		c.selected = n;
		go({ [of.at]: c.tree.key(n) }, true);
		const depth = c.levels.findIndex((l) => l.node.includes(n));
		const y = yOf(depth);

		if (depth >= 0 && y < scroll.scrollTop)
			scroll.scrollTop = y;
		if (depth >= 0 && y + BOX > scroll.scrollTop +
			scroll.clientHeight)
			scroll.scrollTop = y + BOX - scroll.clientHeight;
	}

	// Select the box beside, above or below the selected one.
	function walkTo(key) {
		const out = of.flipped() ? 'ArrowDown' : 'ArrowUp';
		const into = of.flipped() ? 'ArrowUp' : 'ArrowDown';
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

	function showPath() {
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
			c.selected = n;
			of.click(n);
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

	return { c: c, scroll: scroll, said: said, tip: tip, crumbs: crumbs,
		zoomTo: zoomTo, select: select, matches: () => (c.on ? c.levels
			.flatMap((l) => l.node).filter((n) => n && c.on(n)) : []),
		update(turned) {
			lay();
			c.selected = c.tree.find(S[of.at]) || c.zoom;
			// These texts may take room from the canvas.
			showPath();
			say();
			space.style.height = height() + 'px';
			if (turned)
				scroll.scrollTop = of.flipped() ? 1e9 : 0;
			draw();
		}, again() {
			laid = '';
		} };
}
