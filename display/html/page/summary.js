// SPDX-License-Identifier: GPL-3.0-or-later
// The summary: the command, notes on all figures, and what holds the memory.

// The lines of the prolog as names and values, without its title and
// conditions.
function prologItems() {
	const items = [];
	let begun = false;

	for (const line of D.prolog.slice(1)) {
		const m = /^(\S.{0,12}?) {2,}(.*)$|^ {14}(.*)$/.exec(line);

		if (line === '')
			begun = true;
		else if (begun && m && m[1])
			items.push([m[1], m[2]]);
		else if (begun && items.length)
			items.push(['', line.trim()]);
	}
	return items;
}

function notices() {
	const all = D.warnings.map((w) => 'warning: ' + w);

	if (!D.total.exact)
		all.push('Numbers above 2^53 are rounded here; the tables ' +
			'of mpreduce have all their digits.');
	return all;
}

const TOP = 8;
const TOP_OTHERS = 4; // rows of each metric that isn't chosen
const FIRST = ['leaked', 'grown', 'kept', 'peak', 'allocs', 'temps', 'save'];

// A list of the largest by a metric: name, bar, figure, share.  of: name(i),
// texts and nodes; full(i); open(i); more(), to open all; errors, the
// variances; below(i), rows that follow; all, if it isn't the sum; most, the
// number of rows; least, what a row needs.
function topList(title, id, values, of) {
	const all = of.all || values.reduce((a, b) => a + b, 0), rows = [];

	for (let i = 0; i < values.length; i++)
		if (values[i] > 0 && values[i] >= (of.least || 0))
			rows.push(i);
	rows.sort((a, b) => values[b] - values[a] || a - b);
	const most = of.most || TOP;
	const list = rows.slice(0, most).flatMap((i) => {
		const [name, ...behind] = of.name(i).filter(Boolean);

		return [el('tr', { onclick: () => of.open(i), class: 'go' },
			el('td', { class: 'text', title: of.full(i) },
				el('button', { class: 'link' }, name),
				...behind),
			el('td', { class: 'bars' }, bar(values[i], all)),
			numberCell(show(id, values[i]), of.errors ? el('span',
				{ class: 'dim' }, ' ' + errorText(values[i],
					of.errors[i])) : null),
			shareCell(percent(values[i], all)))]
			.concat(of.below ? of.below(i) : []);
	});
	const left = rows.length - most;

	return el('div', { class: of.below ? 'card long' : 'card' },
		el('h3', { title: of.hint }, title),
		list.length ? el('table', { 'aria-label': title },
			el('colgroup', {}, el('col'),
				el('col', { class: 'cbar' }),
				el('col', { class: of.errors ? 'cnum wide'
					: 'cnum' }),
				el('col', { class: 'cpct' })),
			el('tbody', {}, ...list))
			: el('p', { class: 'dim' }, 'none'),
		left > 0 ? el('button', { class: 'link more', onclick: of.more },
			plural(left, 'other')) : null);
}

// A note on an origin's figure: number of blocks, types, largest fault.
function originNote(k, id, v) {
	const s = M.sites, types = new Set();
	const of = { leaked: s.leaked_blocks, peak: s.peak_blocks,
		bytes: s.allocs, kept: s.allocs, temps: s.allocs,
		save: s.allocs }[id];
	// Suppressed blocks are known by their bytes only.
	const hides = id === 'kept' && origins().sites[k].some((i) =>
		s.hidden[i]);
	let n = 0, worst = -1;

	for (const i of origins().sites[k]) {
		if (of && !partial() && !hides && (v[i] > 0 || id === 'temps'))
			n += of[i] - (id === 'kept' ? s.frees[i] : 0);
		if (!(v[i] > 0))
			continue;
		types.add(siteType(i));
		if (worst < 0 || v[i] > v[worst])
			worst = i;
	}
	const named = Array.from(types).filter(Boolean), size = id === 'allocs' ?
		origins().sites[k].reduce((all, i) => all +
			siteValues('bytes')[i], 0) : 0;

	return (id === 'save' && firstFlag(worst) ? '  ' + firstFlag(worst)
		: '') + (size ? '  ' + bytes(size) + ' bytes' : '') + (n
		? '  ' + (id === 'temps' ? 'of ' + count(n)
		: plural(n, 'block')) : '') + (named.length
		? '  ' + named.slice(0, 2).join(', ') + (named.length > 2
			? ', \u2026' : '') : '');
}

// "write-only 98%": the fault with most of a site's bytes; or ''.
function firstFlag(site) {
	const [flag, share] = flagsOf(site)[0] || [-1];

	return flag >= 0 && !/^top/.test(D.flags[2 * flag])
		? D.flags[2 * flag] + ' ' + share : '';
}

// The program's scores.
function scoreCard() {
	const name = ['lifetime', 'usage', 'useful'], v = D.scores;

	return v ? el('div', { class: 'card' }, el('h3', { title: 'geometric ' +
		'means over the call paths: 1 is the best' },
	'Scores of the program'), el('table', { 'aria-label':
		'Scores of the program' }, tableHead(['score', 'mean',
		'variance', 'call paths'], 0), el('tbody', {}, ...name.map((t, i) =>
		el('tr', {}, textCell(t), ...[0, 1].map((k) => el('td', {
			class: 'num' }, score(v[3 * i + k]))), el('td', {
			class: 'num' }, count(v[3 * i + 2]))))))) : null;
}

// Lines of the program and their callers.
function originList(id, v) {
	const O = origins(), first = (k) => mostOf(O.sites[k], v);

	return { name: (k) => placed(O.at[k], 0).concat(originCalls(k, v),
		el('span', { class: 'dim' }, ...grouped(originNote(k, id, v)))),
	full: (k) => M.funcs.label[M.frames.func[O.at[k]]] + ' ' +
		lineOf(O.at[k]), open: (k) => openSite(first(k)),
	more: () => go({ view: 'sites' }),
	hint: 'by the innermost line of the program\u2019s own; \u2192: ' +
		'the function of a library that it calls, or [std], several',
	errors: erred(id) && originSums(siteValues('e_' + id)),
	below: (k) => callerRows(k, v, 4) };
}

function functionList(id) {
	return { name: (fn) => [tailName(fn), el('span', { class: 'dim' },
		beginsAt(fn))], full: (fn) => M.funcs.label[fn] + beginsAt(fn),
	open: openFunction, more: () => go({ view: 'functions' }),
	hint: folds() ? 'with what they call of the language\u2019s library'
		: null, errors: erred(id) && byOwn(siteValues('e_' + id)) };
}

function typeList(id) {
	return { name: (i) => [typeName(i)], full: typeName,
		all: totalOf(id),
		open: (i) => go({ view: 'types', type: i }),
		more: () => go({ view: 'types' }),
		errors: erred(id) && variances(D.types, D.types.n)[id] };
}

// A metric by type.  If the table of types lacks it, sum up the sites.
function typeTotals(id) {
	const t = D.types;

	if (partial() || ['leaked', 'temps', 'save'].includes(id))
		return typesOfSites(siteValues(id));
	return column(t, id, t.n);
}

function typesOfSites(v) {
	const t = D.types, out = new Float64Array(t.n), s = M.sites;
	const number = new Map(Array.from(t.name, (n, i) => [text(n), i]));

	for (let i = 0; i < v.length; i++) {
		const k = number.get(s.type[i] ? text(s.type[i] - 1) : '');

		if (k !== undefined)
			out[k] += v[i];
	}
	return out;
}

function typeName(i) {
	const name = text(D.types.name[i]);

	return name === '' ? '(not known)' : (D.types.mark[i]
		? String.fromCharCode(D.types.mark[i]) : '') + name;
}

// The main figures, large.
function figures() {
	const t = D.total, v = (id) => totalOf(id);
	const note = { peak: 'bytes' + (t.peak_slack ? ' (+- ' +
		bytes(t.peak_slack) + ')' : ''),
	kept: S.only ? 'bytes' : 'bytes in ' + plural(spanned() ? liveBlocks()
		: t.kept_blocks, 'block') + (t.hidden && !spanned()
		? '; suppressed: ' + bytes(t.hidden) + t.hidden_why : ''), bytes: 'bytes',
	allocs: 'of ' + plural(sitesLeft(),
		'call path'),
	temps: 'blocks',
	leaked: 'bytes lost or indirectly lost',
	save: 'bytes \u00d7 (1 - score)', grown: 'bytes of call paths ' +
		'that have grown' };

	return el('div', { class: 'figures' }, ...['peak', 'grown', 'kept', 'bytes',
		'allocs', 'temps', 'leaked', 'save'].filter(known).map((id) => el('button', {
		class: 'figure', 'aria-pressed': String(id === S.metric),
		title: metric(id).hint,
		onclick: () => go({ metric: id }) },
	el('span', {}, metricName(metric(id))),
	el('b', {}, digits(show(id, v(id)))), erred(id) ? el('small', {},
		errorText(v(id), v('e_' + id))) : null,
	el('small', {}, ...grouped(note[id])), M.old && M.old.known(id) ? el('small', {
		class: 'before' }, ...changeNote(id)) : null)));
}

// The figure of the old run, and the difference.
function changeNote(id) {
	const old = D.old.total[id], now = totalOf(id);

	return ['before: ', digits(show(id, old)), ', difference: ',
		el('strong', {}, digits(changeText(id, now, old)))];
}

function liveBlocks() {
	return Math.max(0, M.time.allocs[S.b] - M.time.frees[S.b]);
}

// A small plot of the heap over time; a click opens the large one.
function smallPlot() {
	const open = () => go({ view: 'time' });
	const canvas = el('canvas', { role: 'button', tabindex: '0', onclick:
		open, onkeydown: (e) => e.key === 'Enter' && open() });
	const c = { height: 130, drag: null, rss: false }, tip = makeTip();
	const keys = el('div');

	hoverTime(canvas, c, tip);
	return { box: el('div', { class: 'plot small' }, canvas, keys,
		tip.box), hide: tip.hide, draw(box) {
		c.width = Math.max(300, box.clientWidth - 40);
		drawTime(canvas, c);
		canvas.setAttribute('aria-label', 'live bytes over time' +
			(D.total.peak === null ? '' : ', peak ' +
			peakText()) + '; opens Time');
		fill(keys, legend());
	} };
}

// Instead of the lists of a metric that is 0.
function nothing(id) {
	const was = M.old && M.old.known(id) && D.old.total[id];

	return el('div', { class: 'card long' }, el('h3', {}, capital(metricName(
		metric(id)))), aside('none'), was ? link(
		'what the run before had', { view: 'compare' }) : null);
}

function viewSummary() {
	const box = el('section', { class: 'pad' });
	const plot = M.time && smallPlot();

	function lists() {
		const id = S.metric, name = metricName(metric(id));
		const v = siteValues(id);

		if (!totalOf(id))
			return [nothing(id)];
		const out = [topList('Call paths: ' + name, id, originSums(v),
			originList(id, v)), topList('Functions: ' + name, id,
			byOwn(v), functionList(id))];

		out.push(topList('Types: ' + name, id, typeTotals(id),
			typeList(id)));
		return out;
	}

	// The other metrics, each with its first call paths.
	function others() {
		return FIRST.filter((id) => id !== S.metric && known(id) &&
			totalOf(id) > 0).map((id) => {
			const v = siteValues(id), sums = originSums(v);
			// Badly used blocks must matter for the whole run.
			const least = id === 'save' ? D.total.bytes / 100 : 0;

			return sums.some((n) => n >= least) ? topList(capital(
				metricName(metric(id))), id, sums, Object.assign(
				originList(id, v), { most: TOP_OTHERS, least: least,
					more: () => go({ metric: id }) })) : null;
		});
	}

	return { id: 'summary', name: 'Summary', box: box, update() {
		const said = notices();

		fill(box, said.length ? el('ul', { class: 'notices' },
			...said.map((t) => el('li', {}, t))) : null,
		figures(), plot ? plot.box : null,
		heldCard(), memoryMatters() ? memoryCard() : null,
		el('div', { class: 'cards' }, ...lists()),
		el('div', { class: 'cards others' }, ...others(), scoreCard()),
		memoryMatters() ? null : memoryCard(),
		el('h3', {}, 'The run'), el('dl', { class: 'prolog' },
			...prologItems().flatMap(([k, v]) => [el('dt', {}, k),
				el('dd', {}, v)])),
		el('p', { class: 'dim' }, D.generator));
		this.resize();
	}, leave: plot ? plot.hide : null, resize() {
		if (plot)
			plot.draw(box);
	} };
}
