// SPDX-License-Identifier: GPL-3.0-or-later
// A comparison of the processes of a parallel job: a row for the job, and rows
// for the functions, call paths and types that differ most.  A row has a cell
// for each rank.

const RANK_FIGURES = ['peak', 'kept', 'bytes']; // enum rank_figure
const RANK_OF = ['all', 'call paths', 'functions', 'types']; // enum rank_of
const RANK_TEXTS = 6; // figures of a row

function rankName(i) {
	return text(D.ranks.names[i]);
}

function rankText(i) {
	const on = text(D.ranks.on[i]);

	return 'rank ' + rankName(i) + (on ? ' on ' + on : '');
}

// A strip of cells; the darkest has the row's maximum.
function rankStrip(row, f, tip) {
	const v = row.ranks[f], n = v.length / 2;
	const most = Math.max(1, ...v.filter((x, i) => i % 2));
	const strip = el('div', { class: 'ranks', role: 'img', 'aria-label':
		'most: ' + rankText(row.figures[f * RANK_TEXTS + 2]) });

	for (let i = 0; i < n; i++) {
		const cell = el('i');

		cell.style.background = 'rgba(var(--heat), ' +
			(v[2 * i + 1] / most).toFixed(3) + ')';
		strip.append(cell);
	}
	strip.addEventListener('mousemove', (e) => {
		const box = strip.getBoundingClientRect();
		const i = Math.min(n - 1, Math.max(0, Math.floor((e.clientX -
			box.left) / box.width * n)));

		tip.show(e, rankText(v[2 * i]) + ': ' + bytes(v[2 * i + 1]) +
			', ' + text(D.ranks.ended[v[2 * i]]));
	});
	strip.addEventListener('mouseleave', tip.hide);
	return strip;
}

function rankRow(row, f, tip) {
	const [mean, most, mostAt, least, leastAt] = row.figures.slice(
		f * RANK_TEXTS, f * RANK_TEXTS + RANK_TEXTS);
	const name = row.of ? text(row.name) || '(not known)' : 'the whole job';

	return el('tr', {}, textCell(S.full ? name
		: row.of === 1 ? name.split(' > ').slice(-2).join(' > ')
			: row.of === 2 ? brief(name) : name),
	el('td', { class: 'ranked' }, rankStrip(row, f, tip)),
	...[mean ? (most / mean).toFixed(2) : '-', bytes(mean), bytes(most),
		rankName(mostAt), bytes(least), rankName(leastAt)].map((t) =>
		numberCell(t)));
}

function rankTable(of, f, tip) {
	const above = (r) => r.figures[f * RANK_TEXTS + 1] -
		r.figures[f * RANK_TEXTS];
	const rows = D.ranks.rows.filter((r) => r.of === of &&
		r.figures[f * RANK_TEXTS + 1]).sort((a, b) =>
		above(b) - above(a));

	return el('div', {}, of ? el('h3', {}, 'By ' + RANK_OF[of]) : null,
		rows.length ? el('table', { class: 'small' }, tableHead(['',
			'each rank', 'most/mean', 'mean', 'most', 'rank',
			'least', 'rank'], 0, 1), el('tbody', {}, ...rows.map(
			(r) => rankRow(r, f, tip)))) : aside(
			'No rank has any.'));
}

function rankHosts() {
	const h = D.ranks.hosts, rows = [];

	for (let i = 0; i < h.length; i += 4)
		rows.push([text(h[i]) || '(not known)', plural(h[i + 1], 'rank') +
			', about ' + bytes(h[i + 2]) + ' at the same time, at ' +
			'most ' + bytes(h[i + 3])]);
	return facts(rows);
}

function viewRanks() {
	const box = el('section', { class: 'pane wide' }), tip = makeTip();

	return { id: 'ranks', name: 'Ranks', whole: true, box: box,
		metrics: RANK_FIGURES, leave: tip.hide,
		update() {
			const f = RANK_FIGURES.indexOf(shownMetric(this));

			fill(box, el('h3', {}, plural(D.ranks.names.length,
				'rank') + ' side by side'), rankHosts(),
			el('p', { class: 'dim' }, 'A cell is a rank, darker ' +
				'the more it has of what the rank with the ' +
				'most has; point at it for its figure.'),
			...RANK_OF.map((t, of) => rankTable(of, f, tip)),
			tip.box);
		} };
}
