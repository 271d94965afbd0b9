// SPDX-License-Identifier: GPL-3.0-or-later
// The heap over time: all live bytes, those of the largest sites, the process's
// memory, and marks.  A brush limits all views to a span of time.

// Pixels before a plot, for its scale, and behind it.
const PLOT_LEFT = 72;
const PLOT_RIGHT = 12;

// A step of 1, 2 or 5 times a power of ten (for bytes, a power of two).
function niceStep(most, steps, binary) {
	const base = binary ? 2 : 10;
	let s = base ** Math.floor(Math.log(Math.max(most, 1) / steps) /
		Math.log(base));

	for (const f of binary ? [1, 2, 4] : [1, 2, 5, 10])
		if (most / (s * f) <= steps)
			return Math.max(1, s * f);
	return Math.max(1, s * 10);
}

function drawTime(canvas, c) {
	const T = M.time, w = c.width, h = c.height, g = sized(canvas, w, h);
	const left = PLOT_LEFT, right = PLOT_RIGHT, bottom = 22, top = 18;
	const end = T.at[T.n - 1] || 1, lens = c.lens || makeLens(1);
	const [t0, t1] = [lens.from * end, lens.to * end];
	const live = Float64Array.from(T.at.keys(), (i) => liveAt(T, i));
	let most = (D.total.peak_at >= t0 && D.total.peak_at <= t1 &&
		D.total.peak) || 1;

	for (let i = 0; i < T.n; i++)
		if (T.at[i] >= t0 && (i ? T.at[i - 1] : 0) <= t1)
			most = Math.max(most, live[i], (T.peak && T.peak[i]) || 0,
			(c.rss && T.rss && T.rss[i]) || 0);
	// Grid lines reach above everything shown.
	const s = niceStep(most, 5, true);

	most = Math.ceil(most / s) * s;
	c.x = (t) => left + lens.at(t / end) * (w - left - right);
	c.t = (x) => lens.back((x - left) / (w - left - right)) * end;
	c.seen = (t) => t >= t0 && t <= t1;
	c.n = (py) => (h - bottom - py) / (h - bottom - top) * most;
	const y = (n) => h - bottom - n / most * (h - bottom - top);

	g.clearRect(0, 0, w, h);
	g.font = '11px ' + style('--sans');
	g.fillStyle = g.strokeStyle = style('--dim');
	g.textBaseline = 'middle';
	g.textAlign = 'right';
	for (let n = 0; n <= most; n += s) {
		g.globalAlpha = 0.25;
		g.fillRect(left, Math.round(y(n)), w - left - right, 1);
		g.globalAlpha = 1;
		g.fillText(humanBytes(n), left - 6, y(n));
	}
	g.textAlign = 'center';
	const step = niceStep(t1 - t0, 8, false);
	for (let t = Math.ceil(t0 / step) * step; t <= t1; t += step)
		g.fillText(lens.whole() ? duration(t) : seconds(t) + ' s',
			Math.min(c.x(t), w - 20), h - 9);
	g.save();
	g.beginPath();
	g.rect(lens.whole() ? 0 : left, 0, lens.whole() ? w : w - left - right,
		h - bottom + 1);
	g.clip();

	// A step lasts from the previous snapshot to this one.  Edges are at
	// whole pixels: otherwise the background would show between areas.
	const whole = (t) => Math.round(c.x(t));
	const area = (low, high, fill) => {
		g.beginPath();
		g.moveTo(whole(0), y(0));
		for (let i = 0; i < T.n; i++) {
			g.lineTo(whole(i ? T.at[i - 1] : 0), y(high[i]));
			g.lineTo(whole(T.at[i]), y(high[i]));
		}
		for (let i = T.n - 1; i >= 0; i--) {
			g.lineTo(whole(T.at[i]), y(low[i]));
			g.lineTo(whole(i ? T.at[i - 1] : 0), y(low[i]));
		}
		g.closePath();
		g.fillStyle = fill;
		g.fill();
	};
	const line = (v, colour, dash) => {
		g.beginPath();
		g.setLineDash(dash);
		let on = false;
		for (let i = 0; i < T.n; i++) {
			if (v[i] === null)
				continue;
			const x = c.x(i ? T.at[i - 1] : 0);

			g[on ? 'lineTo' : 'moveTo'](x, y(v[i]));
			g.lineTo(c.x(T.at[i]), y(v[i]));
			on = true;
		}
		g.strokeStyle = colour;
		g.lineWidth = 1.3;
		g.stroke();
		g.setLineDash([]);
	};
	let low = new Float64Array(T.n);
	const edges = layers().map((l, k) => {
		const high = low.map((n, i) => n + l.live[i]), both = [low, high];

		area(low, high, layerColour(k));
		low = high;
		return both;
	});
	area(low, live.map((n, i) => Math.max(n, low[i])), restColour());
	line(live, style('--ink'), []);
	if (T.peak)
		line(T.peak, style('--mark'), [2, 2]);
	if (c.rss && T.rss)
		line(T.rss, style('--dim'), [6, 3]);
	peakBar(g, c, y);
	edges.forEach((v, k) => tagLayer(g, c, y, k, v[0], v[1]));
	drawPeak(g, c, y);
	drawMarks(g, c, h, bottom, top);
	drawSpan(g, c, h, bottom, top);
	g.restore();
}

// The holders at the peak, as a bar at its time, which may be between
// snapshots.
function peakBar(g, c, y) {
	const t = D.total, x = Math.round(c.x(t.peak_at || 0)) - 2;
	let low = 0;

	if (t.peak === null || !M.time.sites)
		return;
	const part = (high, fill) => {
		g.fillStyle = fill;
		g.fillRect(x, y(high), 4, y(low) - y(high));
		low = high;
	};
	layers().forEach((l, k) => part(low + l.peak, layerColour(k)));
	part(Math.max(low, t.peak), restColour());
}

// "1000 (+- 100)": the peak, and how exact it is.
function peakText() {
	const t = D.total;

	return bytes(t.peak) + (t.peak_slack ? ' (+- ' + bytes(t.peak_slack) +
		')' : '');
}

// The peak as in the figures.  With a filter, its time is that of the whole
// program's peak.
function drawPeak(g, c, y) {
	const t = D.total, end = M.time.at[M.time.n - 1];

	if (t.peak === null)
		return;
	const x = c.x(Math.min(t.peak_at, end)), at = y(t.peak);
	const off = t.peak_slack, text = 'peak: ' + spaced(peakText());
	const right = x + g.measureText(text).width + 8 > c.width;

	g.fillStyle = style('--mark');
	g.beginPath();
	g.arc(x, at, 4, 0, 2 * Math.PI);
	g.fill();
	if (off)
		g.fillRect(x - 0.5, y(t.peak + off), 1, y(t.peak - off) -
			y(t.peak + off));
	g.textAlign = right ? 'right' : 'left';
	// Keep clear of the names of marks.
	g.strokeStyle = style('--bg');
	g.lineWidth = 4;
	for (const put of ['strokeText', 'fillText'])
		g[put](text, right ? x - 8 : x + 8, at < 30 ? at + 12 : at - 9);
}

// Show the time, the live bytes, and the call path under the mouse.
function hoverTime(canvas, c, tip) {
	canvas.addEventListener('mousemove', (e) => {
		const T = M.time, r = canvas.getBoundingClientRect();
		const n = c.n(e.clientY - r.top), t = c.t(e.clientX - r.left);
		const i = T.at.findIndex((end) => t <= end);
		let low = 0;

		if (e.buttons)
			return tip.hide();
		if (D.total.peak !== null && T.sites && Math.abs(
			c.x(D.total.peak_at) - (e.clientX - r.left)) < 4)
			return tip.show(e, el('b', {}, ...grouped('peak: ' +
				peakText() + ' bytes at ' + seconds(
				D.total.peak_at) + ' s')), ...layers().filter((l) =>
				l.peak).map((l) => el('div', {}, digits(bytes(
				l.peak)), ' ' + l.name)));

		if (t < 0 || i < 0)
			return tip.hide();
		const on = layers().find((l) => {
			low += l.live[i];
			return n >= 0 && n < low;
		});
		tip.show(e, el('b', {}, seconds(T.at[i]) + ' s'), el('div', {},
			digits(bytes(liveAt(T, i))), ' bytes live'),
		T.peak && T.peak[i] !== null ? el('div', {}, 'most since the snapshot before: ',
			digits(bytes(T.peak[i]))) : null,
		c.rss && T.rss && T.rss[i] !== null ? el('div', {}, 'RSS: ',
			digits(bytes(T.rss[i]))) : null,
		on ? el('div', {}, digits(bytes(on.live[i])), ' of them: ' +
			on.name) : null);
	});
	canvas.addEventListener('mouseleave', tip.hide);
}

// Write the number of a layer in the middle of its thick part.
function tagLayer(g, c, y, k, low, high) {
	const thick = high.map((n, i) => n - low[i]);
	const most = thick.reduce((a, b) => Math.max(a, b), 0), at = M.time.at;
	const some = Array.from(at.keys()).filter((i) =>
		thick[i] >= most * 0.8 && c.seen(at[i]));

	if (!some.length)
		return;
	const middle = (at[some[0]] + at[some[some.length - 1]]) / 2;
	const best = some.reduce((a, b) => (Math.abs(at[b] - middle) <
		Math.abs(at[a] - middle) ? b : a));

	if (y(low[best]) - y(high[best]) < 12)
		return;
	g.fillStyle = style('--ink');
	g.textAlign = 'center';
	g.fillText(String(k + 1), (c.x(best ? M.time.at[best - 1] : 0) +
		c.x(M.time.at[best])) / 2, (y(low[best]) + y(high[best])) / 2);
}

function drawMarks(g, c, h, bottom, top) {
	let free = -1e9;

	g.textAlign = 'left';
	g.fillStyle = style('--ink');
	for (const [name, time] of D.marks) {
		const x = c.x(time);

		g.globalAlpha = 0.6;
		g.fillRect(Math.round(x), top - 4, 1, h - bottom - top + 4);
		g.globalAlpha = 1;
		if (x < free)
			continue;
		g.fillText(name, x + 3, top - 9);
		free = x + g.measureText(name).width + 8;
	}
}

function drawSpan(g, c, h, bottom, top) {
	const T = M.time, s = c.drag || (S.b >= 0 ? [S.a < 0 ? 0 : T.at[S.a],
		T.at[S.b]] : null);

	if (!s)
		return;
	const x0 = c.x(Math.min(...s)), x1 = c.x(Math.max(...s));
	g.fillStyle = style('--mark');
	g.globalAlpha = 0.14;
	g.fillRect(x0, top, x1 - x0, h - bottom - top);
	g.globalAlpha = 1;
	g.fillRect(x0 - 1, top, 2, h - bottom - top);
	g.fillRect(x1 - 1, top, 2, h - bottom - top);
}

// The snapshots at the ends of a span of time; -1: before the first.
function snapshotsOf(from, to) {
	const T = M.time, near = (t) => {
		let best = -1, d = Math.abs(t);

		for (let i = 0; i < T.n; i++)
			if (Math.abs(T.at[i] - t) < d) {
				d = Math.abs(T.at[i] - t);
				best = i;
			}
		return best;
	};
	let a = near(Math.min(from, to)), b = near(Math.max(from, to));

	if (b <= a)
		b = a + 1;
	if (b >= T.n) {
		b = T.n - 1;
		a = b - 1;
	}
	return [a, b];
}

function spanText() {
	const T = M.time;

	return seconds(S.a < 0 ? 0 : T.at[S.a]) + ' s \u2013 ' +
		seconds(T.at[S.b]) + ' s';
}

function snapshotTable() {
	const T = M.time, near = (t) => {
		let k = 0;

		while (k + 1 < T.n && T.at[k] < t)
			k++;
		return k;
	};
	const mark = new Map();

	for (const [name, time] of D.marks)
		mark.set(near(time), (mark.has(near(time))
			? mark.get(near(time)) + ', ' : '') + name);
	const live = (i) => liveAt(T, i);
	const list = [{ id: 'time', title: 'seconds', left: true,
		width: 8, value: (i) => T.at[i],
		text: (i) => seconds(T.at[i]) },
	{ id: 'live', title: 'live bytes', value: live,
		text: (i) => bytes(live(i)) }];

	if (T.peak)
		list.push({ id: 'most', title: 'most live', hint: 'most ' +
			'bytes live since the snapshot before, as counted ' +
			'then' + (D.total.peak_slack ? '; the peak is exact ' +
			'to ' + bytes(D.total.peak_slack) : ''), value: (i) =>
			(T.peak[i] === null ? -1 : T.peak[i]), text: (i) =>
			(T.peak[i] === null ? '-' : bytes(T.peak[i])) });
	if (T.rss)
		list.push({ id: 'rss', title: 'RSS', hint: 'memory of the ' +
			'process; -: not asked for then', value: (i) => (T.rss[i] === null ? -1
			: T.rss[i]), text: (i) => (T.rss[i] === null ? '-'
			: bytes(T.rss[i])) });
	for (const id of ['bytes', 'allocs', 'frees'])
		list.push(metricColumn(id, (i) => T[id][i], { hint:
			metric(id).name + ' until then' }));
	list.push({ id: 'mark', title: 'marks', left: true,
		value: (i) => mark.get(i) || '', text: (i) => mark.get(i) ||
			'' });
	return makeTable({ id: 'time', label: 'Snapshots', noun: 'snapshot',
		first: 'time', plain: true, columns: () => list,
		rows: () => T.at.keys(),
		pick: T.sites && ((i, stay) => go({ a: i - 1, b: i }, stay)),
		picked: (i) => i > S.a && i <= S.b });
}

// For n from 2 on.
function ordinal(n) {
	const teens = n % 100 > 10 && n % 100 < 14;

	return n === 2 ? 'second'
		: n + (!teens && ['th', 'st', 'nd', 'rd'][n % 10] || 'th');
}

function viewTime() {
	const why = D.time.why || 'the data file has no record of it';

	if (!M.time)
		return { id: 'time', name: 'Time', whole: true, metrics: [],
			box: el('section', { class: 'pad' }, el('p', { class:
				'dim' }, 'The heap over time is not known: ' +
				why + '.')), update() {} };
	const canvas = el('canvas', { role: 'img', tabindex: '0',
		'aria-label': 'live bytes over time; drag to choose a span, ' +
		'or use the arrow keys' });
	const plot = el('div', { class: 'plot' }, canvas);
	const tools = el('div', { class: 'sub' }), keys = el('div');
	const lens = makeLens(1e-3, 'tlens');
	const table = snapshotTable(), c = { drag: null, rss: false, lens: lens };
	const tip = makeTip();
	const box = el('section', { class: 'stack' }, tools, plot, keys,
		table.box, tip.box);

	hoverTime(canvas, c, tip);

	function draw() {
		c.width = Math.max(300, plot.clientWidth - 24);
		c.height = Math.max(160, Math.min(340, innerHeight * 0.36));
		drawTime(canvas, c);
	}
	// Show all of the time again; was less shown?
	const back = () => {
		const less = !lens.whole();

		lens.all();
		if (less)
			view.update();
		return less;
	};
	const mouse = (e) => lens.at(time(e) / (M.time.at[M.time.n - 1] || 1));
	// A span from 0 to 1.
	const share = (a, b) => [a < 0 ? 0 : M.time.at[a], M.time.at[b]].map((t) =>
		t / (M.time.at[M.time.n - 1] || 1));
	const choose = (a, b, stay) => {
		lens.see(...share(a, b));
		go({ a: a, b: b }, stay);
	};
	const time = (e) => Math.max(0, Math.min(M.time.at[M.time.n - 1],
		c.t(e.clientX - canvas.getBoundingClientRect().left)));

	// Dragging moves the part in sight if it can't choose a span, below the
	// plot, and with Shift.
	const pans = (e) => !lens.whole() && (!M.time.sites || e.shiftKey ||
		c.n(e.clientY - canvas.getBoundingClientRect().top) < 0);

	onDrag(canvas, pans, (x) => {
		lens.pan(-x / (c.width - PLOT_LEFT - PLOT_RIGHT));
		view.update();
	});
	canvas.addEventListener('pointerdown', (e) => {
		if (!M.time.sites || pans(e))
			return;
		c.drag = [time(e), time(e)];
		canvas.setPointerCapture(e.pointerId);
	});
	canvas.addEventListener('pointermove', (e) => {
		if (!c.drag)
			return;
		c.drag[1] = time(e);
		draw();
	});
	canvas.addEventListener('pointerup', () => {
		const d = c.drag;

		c.drag = null;
		if (!d)
			return;
		if (Math.abs(c.x(d[0]) - c.x(d[1])) < 3)
			return go({ a: -1, b: -1 });
		const [a, b] = snapshotsOf(d[0], d[1]);
		go({ a: a, b: b });
	});
	canvas.addEventListener('wheel', (e) => onWheel(e, [[lens, mouse(e)]],
		() => view.update()), { passive: false });
	canvas.addEventListener('keydown', (e) => {
		const [from, to] = S.b < 0 ? [lens.from, lens.to]
			: share(S.a, S.b);

		if (!e.ctrlKey && lensKey(e, [[lens, Math.max(0, Math.min(1,
			lens.at((from + to) / 2)))]])) {
			view.update();
			e.preventDefault();
			return;
		}
		const by = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
		const n = M.time.n;

		if (!by || !M.time.sites || e.altKey)
			return;
		e.preventDefault();
		if (S.b < 0)
			return choose(-1, 0);
		if (e.shiftKey)
			return choose(S.a, Math.max(S.a + 1, Math.min(n - 1,
				S.b + by)), true);
		if (S.a + by >= -1 && S.b + by < n)
			choose(S.a + by, S.b + by, true);
	});

	const view = { id: 'time', name: 'Time', metrics: [], box: box, update() {
		const rss = el('input', { type: 'checkbox', checked: Boolean(S.rss),
			onchange: (e) => go({ rss: e.target.checked ? 1 : 0 },
				true) });

		c.rss = Boolean(S.rss);
		lens.read();
		fill(tools, M.time.sites ? 'Drag over the plot: all views ' +
			'become those of that span.' : 'By call path it is ' +
			'not known.', M.time.rss ? el('label', {}, rss,
			' memory of the process (dashed)') : null,
		M.time.threads && D.threads.n > 1 && !paints().length
			? choice('layers', byThread() ? 'threads' : '',
				[['', 'Call paths'], ['threads', 'Threads']],
				(id) => go({ layers: id })) : null,
		M.time.sites ? paintField() : null, lensButton(lens, back),
		S.site >= 0 && !byThread() && !paints().length ? link('only ' +
			siteName(S.site) + ' \u00d7', { site: -1 }) : null,
		M.time.every > 1 ? el('span', { class: 'dim' }, 'every ' +
			ordinal(M.time.every) + ' snapshot is shown') : null);
		fill(keys, legend());
		draw();
		table.update();
	}, leave: tip.hide, back: back, resize() {
		draw();
		table.draw();
	} };
	return view;
}
