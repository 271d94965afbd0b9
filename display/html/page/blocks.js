// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks of a log: the lifetime of each, by site; and their addresses.

// The values of a block in html_log.c.
const FIELDS = 11;

function loadLog() {
	const g = D.log;

	if (!g || !g.n)
		return null;
	const L = { n: g.n, site: new Int32Array(g.n),
		size: new Float64Array(g.n), born: new Float64Array(g.n),
		died: new Float64Array(g.n), address: [], lane: null };
	let t = 0;

	for (let i = 0; i < g.n; i++) {
		const [site, size, born, life] = g.blocks.slice(i * FIELDS,
			i * FIELDS + 4);

		L.site[i] = site - 1;
		L.size[i] = size;
		L.born[i] = t += born;
		L.died[i] = life < 0 ? g.end : t + life;
		L.address.push(parseInt(g.addresses[i], 16));
	}
	return L;
}

function blockUses(i) {
	return D.log.blocks.slice(i * FIELDS + 4, (i + 1) * FIELDS);
}

// The blocks to show: those of the chosen site, or else of all sites that
// match.
function blocksShown() {
	const L = M.log, on = matchedPaths(), out = [];

	for (let i = 0; i < L.n; i++) {
		const s = L.site[i];

		if (S.site >= 0 ? s === S.site : !on || (s >= 0 &&
			on[M.sites.leaf[s]]))
			out.push(i);
	}
	return out;
}

// Positions by address; gaps of more than 64 KB are shortened.
function placeAddresses(list) {
	const L = M.log, sorted = list.slice().sort((a, b) =>
		L.address[a] - L.address[b]);
	const at = new Map();
	let place = 0, end = -1;

	for (const i of sorted) {
		const a = L.address[i];

		if (end >= 0 && a > end)
			place += a - end > 65536 ? 4096 : a - end;
		at.set(i, place - Math.max(0, end - a) * (end >= 0 ? 1 : 0));
		if (a + L.size[i] > end) {
			place += a + L.size[i] - Math.max(a, end);
			end = a + L.size[i];
		}
	}
	return { at: at, sorted: sorted, whole: Math.max(1, place) };
}

// odd: a little lighter, so that blocks differ from their neighbours.
function siteColour(s, odd) {
	const h = hashText('site' + s), more = (h >> 9) % 14 + (odd ? 9 : 0);

	return isDark() ? 'hsl(' + h % 360 + ',40%,' + (38 + more) + '%)'
		: 'hsl(' + h % 360 + ',50%,' + (52 + more) + '%)';
}

// The call paths of most of the blocks shown, with their colours.
function blockLegend(list) {
	const sum = new Map();

	for (const i of list)
		sum.set(M.log.site[i], (sum.get(M.log.site[i]) || 0) + 1);
	const some = Array.from(sum).filter(([s]) => s >= 0).sort((a, b) =>
		b[1] - a[1] || a[0] - b[0]).slice(0, LAYERS).map(([s]) => s);
	const names = siteNames(some);

	return el('ul', { class: 'legend' }, ...some.map((s) => el('li', {},
		swatch(siteColour(s, false), ''), link(names.get(s),
			{ site: s }))),
	D.log.accesses ? el('li', { class: 'dim' }, 'pale: before the first ' +
		'access and after the last') : null);
}

function viewBlocks() {
	const canvas = el('canvas', { role: 'img', tabindex: '0', 'aria-label':
		'blocks over time; + and - zoom, arrow keys move; the table ' +
		'below has them' });
	const plot = el('div', { class: 'plot' }, canvas);
	const tools = el('div', { class: 'sub' });
	const said = el('div', { class: 'said', role: 'status' });
	const keys = el('div');
	let boxes = [], list = [];
	const L = M.log, times = makeLens(1e-4, 'xlens');
	const places = makeLens(1e-4, 'ylens');
	const c = { width: 1, room: 1 }; // of the plot, in pixels
	const name = (i) => (L.site[i] < 0 ? '(no chain)'
		: siteName(L.site[i]));
	const number = (id, title, v, t) => ({ id: id, title: title, value: v,
		text: t });
	const uses = (k) => (i) => {
		const v = blockUses(i)[k];

		return v === null ? -1 : v;
	};
	const useText = (k) => (i) => {
		const v = blockUses(i)[k];

		return v === null ? '-' : count(v);
	};
	const accessText = (k) => (i) => {
		const v = blockUses(i)[k];

		return v === null ? '-' : 'after ' + duration(v);
	};
	const rangeText = (i) => {
		const [low, high] = blockUses(i).slice(4, 6);

		return low === null ? '-' : count(low) + '\u2013' +
			count(high - 1);
	};
	const table = makeTable({ id: 'blocks', label: 'Blocks',
		noun: 'block', first: 'size', plain: true, of: () => L.n,
		also: () => S.site,
		columns: () => [number('size', 'size', (i) => L.size[i],
			(i) => bytes(L.size[i])),
		number('born', 'born, s', (i) => L.born[i],
			(i) => seconds(L.born[i])),
		number('life', 'lived', (i) => L.died[i] - L.born[i],
			(i) => (D.log.blocks[i * FIELDS + 3] < 0 ? 'to the end'
				: duration(L.died[i] - L.born[i]))),
		...(D.log.accesses ? [number('reads', 'reads', uses(0),
			useText(0)), number('writes', 'writes', uses(1),
			useText(1)), number('first', 'first access', uses(2),
			accessText(2)), number('last', 'last access', uses(3),
			accessText(3)), number('low', 'bytes accessed', uses(4),
			rangeText), number('shared', 'several threads', uses(6),
			(i) => ['no', 'yes'][blockUses(i)[6]] || '-')] : []),
		number('address', 'address', (i) => L.address[i],
			(i) => '0x' + D.log.addresses[i]),
		{ id: 'path', title: 'call path', left: true, least: 26,
			value: name, text: name }], rows: () => list,
		leads: true, pick: (i) => {
			if (L.site[i] >= 0)
				openSite(L.site[i]);
		}, picked: () => false });

	function draw() {
		const w = Math.max(300, plot.clientWidth - 24);
		const h = Math.max(200, Math.min(420, innerHeight * 0.45));
		const g = sized(canvas, w, h), end = D.log.end || 1;
		const low = h - 20, t0 = times.from * end;
		const x = (t) => PLOT_LEFT + times.at(t / end) * c.width;
		const step = niceStep(times.to * end - t0, 8, false);

		c.width = w - PLOT_LEFT - PLOT_RIGHT;
		g.clearRect(0, 0, w, h);
		g.font = '11px ' + style('--sans');
		g.fillStyle = style('--dim');
		g.textBaseline = 'middle';
		g.textAlign = 'center';
		for (let t = Math.ceil(t0 / step) * step; t <= times.to * end;
			t += step)
			g.fillText(times.whole() ? duration(t) : seconds(t) +
				' s', Math.min(x(t), w - 20), h - 8);
		boxes = [];
		g.textAlign = 'right';
		(S.by === 'address' ? drawByAddress : drawByBirth)(g, x, low);
		g.restore();
	}

	// The plot of blocks: all that follows stays in it.
	function inside(g, low) {
		g.save();
		g.beginPath();
		g.rect(PLOT_LEFT, 0, c.width, low);
		g.clip();
	}

	// One below the other, in order of birth.
	function drawByBirth(g, x, low) {
		const n = Math.max(1, list.length);

		c.room = Math.min(12 * n, low - 4);
		const high = c.room / n / (places.to - places.from);

		g.fillText('blocks', PLOT_LEFT - 8, 12);
		inside(g, low);
		list.forEach((i, k) => box(g, i, k, x, 4 + places.at(k / n) *
			c.room, Math.max(high - (high > 3 ? 1 : 0), 0.4)));
	}

	// By address, with shortened gaps.
	function drawByAddress(g, x, low) {
		const p = placeAddresses(list);
		const seen = p.whole * (places.to - places.from);

		c.room = low - 4;
		g.fillText('addresses', PLOT_LEFT - 8, 12);
		g.fillText(humanBytes(Math.round(seen)), PLOT_LEFT - 8, low - 4);
		inside(g, low);
		p.sorted.forEach((i, k) => box(g, i, k, x, 4 + places.at(
			p.at.get(i) / p.whole) * c.room, Math.max(L.size[i] *
			c.room / seen, 0.5)));
	}

	function box(g, i, k, x, y, h) {
		const x0 = x(L.born[i]), x1 = Math.max(x(L.died[i]), x0 + 0.7);

		// Blocks of less than a pixel: one covers the other, unmixed.
		if (h < 1) {
			y = Math.floor(y);
			h = 1;
		}
		if (x1 < PLOT_LEFT || x0 > PLOT_LEFT + c.width || y + h < 0 ||
			y > 4 + c.room)
			return;
		g.fillStyle = siteColour(L.site[i], k % 2);
		const [first, last] = blockUses(i).slice(2, 4);
		const used = (t) => Math.min(x(L.born[i] + t), x1);

		// Before the first access and after the last, the block is
		// pale.
		g.globalAlpha = D.log.accesses ? 0.4 : 1;
		g.fillRect(x0, y, x1 - x0, h);
		g.globalAlpha = 1;
		if (D.log.accesses && first !== null)
			g.fillRect(used(first), y, Math.max(used(last) -
				used(first), 0.7), h);
		boxes.push([x0, y, x1, y + h, i]);
	}

	// The block under the mouse, or undefined.
	function under(e) {
		const r = canvas.getBoundingClientRect();
		const px = e.clientX - r.left, py = e.clientY - r.top;
		const b = boxes.find((v) => px >= v[0] && px <= v[2] &&
			py >= v[1] && py <= v[3]);

		return b && b[4];
	}

	function place(e) {
		const r = canvas.getBoundingClientRect(), near = (n) =>
			Math.max(0, Math.min(1, n));

		return [[times, near((e.clientX - r.left - PLOT_LEFT) /
			c.width)],
			[places, near((e.clientY - r.top - 4) / c.room)]];
	}

	// Show all blocks again; were fewer shown?
	function back() {
		const less = !times.whole() || !places.whole();

		times.all();
		places.all();
		if (less)
			view.update();
		return less;
	}

	canvas.addEventListener('wheel', (e) => onWheel(e, place(e), () =>
		view.update()), { passive: false });
	canvas.addEventListener('keydown', (e) => {
		const by = { ArrowLeft: [times, -0.2], ArrowRight: [times, 0.2],
			ArrowUp: [places, -0.2], ArrowDown: [places, 0.2] }[e.key];

		if (e.ctrlKey || e.altKey || e.metaKey || !by && !lensKey(e,
			[[times, 0.5], [places, 0.5]]))
			return;
		if (by)
			by[0].pan(by[1]);
		e.preventDefault();
		view.update();
	});
	const dragged = onDrag(canvas, () => !times.whole() || !places.whole(),
		(x, y) => {
			times.pan(-x / c.width);
			places.pan(-y / c.room);
			view.update();
		});
	canvas.addEventListener('click', (e) => {
		const i = under(e);

		if (i !== undefined && !dragged() && L.site[i] >= 0)
			openSite(L.site[i]);
	});
	canvas.addEventListener('mousemove', (e) => {
		const i = under(e);

		if (i === undefined)
			return;
		fill(said, el('b', {}, bytes(L.size[i]) + ' bytes at 0x' +
			D.log.addresses[i]), ' from ' + seconds(L.born[i]) +
			' s on, lived ' + duration(L.died[i] - L.born[i]),
		el('span', { class: 'dim' }, name(i)));
	});

	const view = { id: 'blocks', name: 'Blocks', whole: true, metrics: [],
		box: el('section', { class: 'stack' }, tools, plot, keys, said,
			table.box), update() {
		const by = S.by === 'address';
		const choose = (to, title, on) => el('button', {
			'aria-pressed': String(on), onclick: () => go({
				by: to }) }, title);

		times.read();
		places.read();
		list = blocksShown();
		fill(tools, el('span', { class: 'choice' }, choose('',
			'by birth', !by), choose('address', 'by address', by)),
		...grouped(L.n < D.log.of ? 'the ' + count(L.n) + ' of ' +
			plural(D.log.of, 'block') + ' that took the most ' +
			'memory for the longest' : ''), S.site >= 0
			? link('only of ' + siteName(S.site) + ' \u00d7',
				{ site: -1 }) : null,
		lensButton(times.whole() ? places : times, back));
		fill(keys, blockLegend(list));
		draw();
		table.update();
	}, back: back, resize() {
		draw();
		table.draw();
	} };
	return view;
}
