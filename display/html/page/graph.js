// SPDX-License-Identifier: GPL-3.0-or-later
// A graph of boxes whose widths show figures: mouse and keys.
//
// makeGraph({ label, tree(), key(), zoom, at, lens, flipped(), whole(),
// nothing(), shade(c), describe(n), links(n), click(n), enter(n), leave(n, hide)
// }): zoom, at and lens name members of the state; key() changes when the boxes
// do; describe(n) returns texts; enter(n) and leave(n) are optional, for the keys
// Enter and Delete.  A tree with callers() has boxes above the middle box, too.

function makeGraph(of) {
	const canvas = el('canvas', { role: 'img' });
	const space = el('div', { class: 'flamespace' }, canvas);
	const scroll = el('div', { class: 'flame', tabindex: '0',
		role: 'application', 'aria-label': of.label }, space);
	const tip = makeTip();
	const crumbs = el('nav', { class: 'crumbs', 'aria-label': 'zoom' });
	const said = el('div', { class: 'said', role: 'status' });
	const c = { tree: null, levels: [], path: [], selected: 0, zoom: 0 };
	const lens = makeLens(1e-5, of.lens);
	let laid = '';

	function width() {
		return Math.max(200, scroll.clientWidth);
	}

	// Lay out the levels above the zoomed box, and those below.
	function lay() {
		boxHigh = touched.matches ? 28 : 20;
		c.tree = of.tree();
		c.all = of.whole();
		c.zoom = c.tree.find(S[of.zoom]);
		if (!c.tree.value(c.zoom) || c.tree.callers)
			c.zoom = 0;
		lens.read();
		const key = [of.key(), c.zoom, lens.from, lens.to, width()].join();

		if (key === laid)
			return;
		laid = key;
		c.path = c.zoom ? [0].concat(above(c.tree, c.zoom)) : [0];
		c.path.pop();
		const boxes = layBoxes(c.tree, c.zoom, width(), lens);
		c.narrow = boxes.narrow;
		c.levels = c.path.map((n) => ({ x0: [0], x1: [width()],
			node: [n] })).concat(boxes);
		if (c.tree.callers) {
			const all = layBoxes(Object.assign({}, c.tree, { kids:
				(n) => (n ? c.tree.kids(n) : c.tree.callers()) }),
			0, width(), lens), up = all.slice(1).reverse();

			c.narrow += all.narrow;
			c.middle = up.length;
			c.levels = up.concat(c.levels);
		}
	}

	// Show another part of the graph.
	function look() {
		tip.hide();
		lay();
		showPath();
		space.style.height = height() + 'px';
		draw();
	}

	function mouseAt(e) {
		const r = scroll.getBoundingClientRect();

		return (e.clientX - r.left) / width();
	}

	// The middle of the selected box, from 0, the left end, to 1, the right.
	function middleOf() {
		const level = c.levels.find((l) => l.node.includes(c.selected));
		const i = level ? level.node.indexOf(c.selected) : -1;

		return i < 0 ? 0.5 : (level.x0[i] + level.x1[i]) / 2 / width();
	}

	function height() {
		return Math.max(c.levels.length * boxHigh + 4, scroll.clientHeight);
	}

	function levelAt(y) {
		const at = of.flipped() ? height() - 2 - y : y - 2;

		return Math.floor(at / boxHigh);
	}

	function yOf(depth) {
		return of.flipped() ? height() - 2 - (depth + 1) * boxHigh
			: 2 + depth * boxHigh;
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

			if (y > high || y < -boxHigh)
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

		if (n < 0 || scroll.matches('.dragged'))
			return tip.hide();
		const d = of.describe(n);
		tip.show(e, el('b', {}, ...grouped(d[0])), el('div', {},
			...grouped(d[1] || '')), d[2] ? el('div', { class: 'dim' }, d[2]) : null,
			d[3] ? el('div', { class: 'dim' }, d[3]) : null);
	}

	function zoomTo(n) {
		lens.all();
		go({ [of.zoom]: c.tree.key(n), [of.at]: '' });
	}

	function select(n) {
		c.selected = n;
		go({ [of.at]: c.tree.key(n) }, true);
		const depth = c.levels.findIndex((l) => l.node.includes(n));
		const y = yOf(depth);

		if (depth >= 0 && y < scroll.scrollTop)
			scroll.scrollTop = y;
		if (depth >= 0 && y + boxHigh > scroll.scrollTop +
			scroll.clientHeight)
			scroll.scrollTop = y + boxHigh - scroll.clientHeight;
	}

	// Select the box beside, above or below the selected one.
	function walkTo(key) {
		const by = ({ ArrowUp: -1, ArrowDown: 1 }[key] || 0) *
			(of.flipped() ? -1 : 1);
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
		const next = by && c.levels[depth + by];
		const to = next ? next.node.findIndex((m, k) => next.x1[k] >
			level.x0[i] && next.x0[k] < level.x1[i]) : -1;
		if (to >= 0)
			select(next.node[to]);
	}

	function showPath() {
		const path = above(c.tree, c.zoom);
		const crumb = (n, label, last) => (last
			? el('span', { 'aria-current': 'location' }, label)
			: link(label, () => zoomTo(n)));
		const shown = path.slice(-4);

		fill(crumbs, crumb(0, c.tree.callers ? c.tree.label(0) : 'all',
			!path.length), path.length > shown.length
			? ' \u203a \u2026' : '');
		shown.forEach((n, i) => crumbs.append(' \u203a ', crumb(n,
			c.tree.label(n), i + 1 === shown.length)));
		if (!lens.whole())
			crumbs.append(' ', lensButton(lens, back));
		if (lens.whole() && !path.length && !c.tree.callers)
			fill(crumbs);
	}

	// Show the whole graph again.  Returns whether a part was shown before.
	function back() {
		const less = !lens.whole();

		lens.all();
		if (less)
			look();
		return less;
	}

	scroll.addEventListener('mousemove', hover);
	scroll.addEventListener('mouseleave', tip.hide);
	scroll.addEventListener('scroll', later(draw));
	const dragged = onDrag(scroll, (e) => e.target === canvas && (!lens.whole() ||
		height() > scroll.clientHeight), (x, y) => {
		lens.pan(-x / width());
		scroll.scrollTop -= y;
		look();
	});
	scroll.addEventListener('click', (e) => {
		const n = hit(e);

		tip.hide();
		if (n >= 0 && !dragged()) {
			c.selected = n;
			of.click(n);
		}
	});
	scroll.addEventListener('wheel', (e) => onWheel(e, [[lens, mouseAt(e)]],
		look), { passive: false });
	scroll.addEventListener('keydown', (e) => {
		if (e.altKey || e.ctrlKey || e.metaKey)
			return;
		if (e.key === 'Enter')
			(of.enter || zoomTo)(c.selected);
		else if (e.key === 'Backspace' && (!lens.whole() || c.zoom))
			back() || zoomTo(c.tree.parent(c.zoom));
		else if (e.key === 'Delete' && of.leave)
			of.leave(c.selected, e.shiftKey);
		else if (e.shiftKey && /^Arrow(Left|Right)$/.test(e.key)) {
			lens.pan(e.key === 'ArrowLeft' ? -0.2 : 0.2);
			look();
		} else if (e.key.startsWith('Arrow'))
			walkTo(e.key);
		else if (lensKey(e, [[lens, middleOf()]]))
			look();
		else
			return;
		e.preventDefault();
	});

	return { c: c, scroll: scroll, said: said, tip: tip, crumbs: crumbs,
		zoomTo: zoomTo, select: select, back: back, matches: () => (c.on ? c.levels
			.flatMap((l) => l.node).filter((n) => n && c.on(n)) : []),
		update(turned) {
			lay();
			c.selected = c.tree.find(S[of.at]) || c.zoom;
			// These texts may take room from the canvas.
			showPath();
			say();
			space.style.height = height() + 'px';
			if (turned)
				scroll.scrollTop = of.flipped() ? 1e9 : c.tree.callers
					? (c.middle + 0.5) * boxHigh -
					scroll.clientHeight / 2 : 0;
			draw();
		}, again() {
			laid = '';
		} };
}
