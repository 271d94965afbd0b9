// SPDX-License-Identifier: GPL-3.0-or-later
// The summary: what was run, what has to be said of all figures, and who holds
// the memory.

// The prolog's lines, as names and values; the title and notes before them.
function prologLines() {
	const out = { notes: [], items: [] };
	let begun = false;

	for (const line of D.prolog.slice(1)) {
		const m = /^(\S.{0,12}?) {2,}(.*)$|^ {14}(.*)$/.exec(line);

		if (line === '')
			begun = true;
		else if (!begun)
			out.notes.push(line.trim());
		else if (m && m[1])
			out.items.push([m[1], m[2]]);
		else if (out.items.length)
			out.items.push(['', line.trim()]);
	}
	return out;
}

function notices() {
	const all = prologLines().notes.filter((t) => !D.sampled ||
		!/^(sampled:|figures are estimates)/.test(t)).concat(D.warnings.map((w) =>
		'warning: ' + w));

	if (!D.total.exact)
		all.push('Numbers above 2^53 are rounded here; the tables ' +
			'of mpreduce have all their digits.');
	return all;
}

const TOP = 8;

// The largest few of something by a metric: name, bar, number, share, place.
function topList(title, id, values, names, open, more, errors, place) {
	const all = totalOf(id), rows = [];

	for (let i = 0; i < values.length; i++)
		if (values[i] > 0)
			rows.push(i);
	rows.sort((a, b) => values[b] - values[a] || a - b);
	const name = names(rows.slice(0, TOP));
	const list = rows.slice(0, TOP).map((i) => el('tr', {
		onclick: () => open(i), class: 'go' },
	el('td', { class: 'text', title: name(i) }, el('button',
		{ class: 'link' }, name(i))),
	el('td', { class: 'bars' }, bar(values[i], all)),
	el('td', { class: 'num' }, digits(show(id, values[i])),
		errors ? el('span', { class: 'dim' }, ' ' +
			errorText(values[i], errors[i])) : null),
	el('td', { class: 'num dim' }, percent(values[i], all)), place
		? el('td', { class: 'text dim', title: place(i) },
			place(i)) : null));
	const left = rows.length - list.length;

	return el('div', { class: place ? 'card long' : 'card' },
		el('h3', {}, title),
		list.length ? el('table', {}, el('colgroup', {}, el('col'),
			el('col', { class: 'cbar' }),
			el('col', { class: errors ? 'cnum wide' : 'cnum' }),
			el('col', { class: 'cpct' }), place ? el('col',
				{ class: 'cplace' }) : null),
		el('tbody', {}, ...list)) : el('p', { class: 'dim' }, 'none'),
		left ? el('button', { class: 'link more', onclick: more },
			plural(left, 'other')) : null);
}

// Where a path leaves the program's own code: its file and line.
function placeOf(site) {
	const leaf = M.sites.leaf[site], f = ownFrame(leaf) || leaf;

	return lineOf(f);
}

function typeTotals(id) {
	const t = D.types;

	if (id === 'kept')
		return column(t, 'bytes', t.n).map((b, i) => b -
			(t.freed ? t.freed[i] : 0));
	return column(t, id, t.n);
}

function typeName(i) {
	const name = text(D.types.name[i]);

	return name === '' ? '(not known)'
		: String.fromCharCode(D.types.mark[i]) + name;
}

// The figures that are looked for first, large.
function figures() {
	const t = D.total, v = (id) => totalOf(id);
	const note = { peak: 'bytes' + (t.peak_slack ? ' (+- ' +
		bytes(t.peak_slack) + ')' : ''),
	kept: 'bytes in ' + plural(Math.max(0, spanned() ? liveBlocks()
		: t.allocs - t.frees), 'block'), bytes: 'bytes', allocs: 'of ' +
		plural(M.sites.n, 'call path'),
	leaked: 'bytes lost or indirectly lost' };

	return el('div', { class: 'figures' }, ...['peak', 'kept', 'bytes',
		'allocs', 'leaked'].filter(known).map((id) => el('button', {
		class: 'figure', 'aria-pressed': String(id === S.metric),
		onclick: () => go({ metric: id }) },
	el('span', {}, metricName(metric(id))),
	el('b', {}, digits(show(id, v(id)))), erred(id) ? el('small', {},
		errorText(v(id), v('e_' + id))) : null,
	el('small', {}, note[id]), M.old && M.old.known(id) ? el('small', {
		class: 'before' }, ...changeNote(id)) : null)));
}

// What the run before had, and the difference.
function changeNote(id) {
	const old = D.old.total[id], now = totalOf(id);

	return ['before: ', digits(show(id, old)), ', difference: ',
		el('strong', {}, digits(changeText(id, now, old)))];
}

function liveBlocks() {
	return M.time.allocs[S.b] - M.time.frees[S.b];
}

// A small plot of the heap over time; a click leads to the large one.
function smallPlot() {
	const canvas = el('canvas', { role: 'img', onclick: () =>
		go({ view: 'time' }) });
	const c = { height: 130, drag: null, rss: false }, tip = makeTip();
	const keys = el('div');

	hoverTime(canvas, c, tip);
	return { box: el('div', { class: 'plot small' }, canvas, keys,
		tip.box), hide: tip.hide, draw(box) {
		c.width = Math.max(300, box.clientWidth - 40);
		drawTime(canvas, c);
		canvas.setAttribute('aria-label', 'live bytes over time, at ' +
			'most ' + bytes(peakStep().bytes));
		fill(keys, legend());
	} };
}

function viewSummary() {
	const box = el('section', { class: 'pad' });
	const plot = M.time && smallPlot();

	function lists() {
		const id = S.metric, name = metricName(metric(id));
		const sites = siteValues(id);
		const out = [topList('Call paths: ' + name, id, sites,
			(list) => {
				const map = siteNames(list);

				return (i) => map.get(i);
			}, openSite, () => go({ view: 'sites' }),
			erred(id) && siteValues('e_' + id), placeOf),
		topList((folds() ? 'Functions, with what they call of the ' +
			"language's library: " : 'Functions: ') + name, id, funcTelling(id),
			() => tailName, openFunction,
			() => go({ view: 'functions' }),
			erred(id) && funcTelling('e_' + id))];

		if (id !== 'leaked' && id !== 'frees' && !spanned())
			out.push(topList('Types: ' + name, id,
				typeTotals(id), () => typeName,
				(i) => go({ view: 'types', type: i }),
				() => go({ view: 'types' }), erred(id) &&
				variances(D.types, D.types.n)[id]));
		return out;
	}

	return { id: 'summary', name: 'Summary', box: box, update() {
		const p = prologLines(), said = notices();

		fill(box, said.length ? el('ul', { class: 'notices' },
			...said.map((t) => el('li', {}, t))) : null,
		figures(), plot ? plot.box : null,
		el('div', { class: 'cards' }, ...lists()),
		el('h3', {}, 'The run'), el('dl', { class: 'prolog' },
			...p.items.flatMap(([k, v]) => [el('dt', {}, k),
				el('dd', {}, v)])),
		el('p', { class: 'dim' }, D.generator));
		this.resize();
	}, leave: plot ? plot.hide : null, resize() {
		if (plot)
			plot.draw(box);
	} };
}
