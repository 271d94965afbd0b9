// SPDX-License-Identifier: GPL-3.0-or-later
// Tables that sort, and draw only the rows that are on the screen.
//
// makeTable({ id, label, columns(), rows(), pick(row), picked(row) }):
// columns() returns { id, title, hint, value(row), text(row) or node(row),
// left, only } for each column.  A column is aligned right unless `left' is
// set.  rows() returns the numbers of the rows to show.  With tree: {
// level(row), open(row), up(row), turn(row, open), enter(row) }, rows keep
// their order, below their parents; open() is null for a row without children.
// leads: a row opens another view.  The keys then choose a row, and Enter opens
// it; in other tables the keys open each row that they reach.

// Is the screen small, or touched by fingers?  As in style.css.
const touched = matchMedia('(max-width: 600px), (pointer: coarse)');
const rowHigh = () => (touched.matches ? 32 : 23);
const PRINTED = 400;

function sortOf(table, columns) {
	const m = /^([a-z]+)\.(-?)([a-z_]+)$/.exec(S.sort);

	if (m && m[1] === table.id) {
		const c = columns.find((x) => x.id === m[3]);

		if (c)
			return { column: c, up: m[2] === '' };
	}
	const c = (!table.plain && columns.find((x) => x.id === S.metric)) ||
		columns.find((x) => x.id === table.first) || columns[0];
	return { column: c, up: Boolean(c.left) };
}

function sortRows(rows, order) {
	const key = Array.from(rows, (i) => order.column.value(i));
	const place = Array.from(rows.keys());
	const d = order.up ? 1 : -1;

	place.sort((a, b) => (key[a] < key[b] ? -d : key[a] > key[b] ? d
		: rows[a] - rows[b]));
	return place.map((i) => rows[i]);
}

// The width in em for the texts of the first rows, from c.width to c.fit.
function fitting(c, rows) {
	const most = rows.slice(0, 200).reduce((n, i) => Math.max(n,
		c.text(i).length), 0);

	return Math.max(c.width, Math.min(c.fit, most * 0.58 + 1));
}

// Make columns as wide as their content; columns of text share the rest.
function widths(columns, rows, group) {
	let most = 0;

	fill(group, ...columns.map((c) => {
		const e = el('col');

		if (c.left) {
			const width = c.fit ? fitting(c, rows) : c.width;

			if (width)
				e.style.width = width + 'em';
			most += (width || c.least || 18) * 1.7;
			return e;
		}
		let row = rows[0], best = -Infinity, len = c.title.length + 2.5;
		for (const i of rows) {
			const v = c.value(i);

			if (v > best) {
				best = v;
				row = i;
			}
		}
		if (rows.length && c.text) {
			const n = c.text(row).length;

			len = Math.max(len, n + Math.floor((n - 1) / 3) * 0.3 +
				2.4);
		}
		if (c.width)
			len = c.width;
		most += len;
		e.style.width = len + 'ch';
		return e;
	}));
	return most;
}

function cell(c, i) {
	const td = el('td', { class: c.left ? 'text' : 'num' });

	if (c.node) {
		td.append(c.node(i));
	} else {
		const t = c.text(i);

		td.append(c.left ? t : digits(t));
		if (c.left)
			td.title = c.full ? c.full(i) : t;
	}
	return td;
}

// A list that opens: what columns mean.
function meanings() {
	return el('details', { class: 'meanings', 'aria-label':
		'what the columns mean' });
}

function showMeanings(box, columns) {
	const all = columns.filter((c) => c.hint && c.hint !== c.title);

	box.hidden = !all.length;
	fill(box, el('summary', {}, 'columns'), listOf(all.map((c) => [c.title,
		c.hint])));
}

function makeTable(table) {
	const group = el('colgroup'), head = el('thead'), body = el('tbody');
	const grid = el('table', { 'aria-label': table.label, tabindex: '0',
		role: table.tree ? 'treegrid' : table.pick ? 'grid' : null },
	group, head, body);
	const scroll = el('div', { class: 'scroll' }, grid);
	const note = el('p', { class: 'note', role: 'status' });
	const legend = meanings();
	const box = el('div', { class: 'tablebox' }, el('div', { class: 'over' },
		note, legend), scroll);
	let columns = [], sorted = [], drawn = '', printing = false, made = '';
	let reached = -1; // the row that the keys have chosen, if rows lead away

	function order() {
		const o = sortOf(table, columns);

		if (table.tree)
			return fill(head, el('tr', {}, ...columns.map((c) =>
				el('th', { scope: 'col', class: c.left ? 'text'
					: 'num', title: c.hint }, c.title))));
		fill(head, el('tr', {}, ...columns.map((c) => {
			const on = o.column === c;
			const turn = () => go({ sort: table.id + '.' +
				((on ? !o.up : c.left) ? '' : '-') + c.id },
			true);

			return el('th', { scope: 'col',
				class: c.left ? 'text' : 'num', title: c.hint,
				'aria-sort': on ? o.up ? 'ascending'
					: 'descending' : null },
			el('button', { onclick: turn, 'data-column': c.id },
				c.title, on ? el('span', { class: 'dir' },
					o.up ? ' \u25b2' : ' \u25bc') : null));
		})));
		sorted = sortRows(sorted, o);
	}

	function isPicked(i) {
		return i === reached || Boolean(reached < 0 && table.picked &&
			table.picked(i));
	}

	function row(i, place) {
		const tree = table.tree, open = tree && tree.open(i);
		const picked = isPicked(i);

		return el('tr', { 'data-row': i, id: table.id + i, 'aria-rowindex': place,
			'aria-selected': picked ? 'true' : null, 'aria-level': tree &&
			tree.level(i), 'aria-expanded': tree && open !== null
			? String(open) : null, class: picked ? 'picked' : null, onclick: () => {
			if (table.pick && String(getSelection()) === '')
				table.pick(i);
		} }, ...columns.map((c) => cell(c, i)));
	}

	function draw() {
		const high = scroll.clientHeight || 600;
		const tall = rowHigh();
		let from = Math.max(0, Math.floor(scroll.scrollTop / tall) - 10);
		let to = Math.min(sorted.length,
			from + Math.ceil(high / tall) + 20);

		if (printing) {
			from = 0;
			to = Math.min(sorted.length, PRINTED);
		}
		if (drawn === from + '-' + to)
			return;
		drawn = from + '-' + to;
		const space = (n) => {
			const tr = el('tr', { class: 'space' });

			tr.style.height = n * tall + 'px';
			return n > 0 && !printing ? tr : null;
		};
		grid.setAttribute('aria-rowcount', sorted.length + 1);
		fill(body, space(from), ...sorted.slice(from, to).map((i, k) =>
			row(i, from + k + 2)),
			space(sorted.length - to));
		const at = body.querySelector('.picked');
		if (at)
			grid.setAttribute('aria-activedescendant', at.id);
		else
			grid.removeAttribute('aria-activedescendant');
	}

	// Other parts of the state don't change the rows.
	function update() {
		const key = [S.metric, S.depth, S.q, S.re, S.a, S.b, S.only,
			S.human, S.full, S.sort, table.also ? table.also() : ''].join(
			'\n');

		drawn = '';
		if (key === made)
			return draw();
		made = key;
		reached = -1;
		sorted = Array.from(table.rows());
		// Columns that are empty in all rows take no room.
		columns = table.columns().filter((c, k) => !k || !c.text ||
			!sorted.length || sorted.some((i) => !/^-?$/.test(
			c.text(i))));
		showMeanings(legend, columns);
		const of = table.of ? table.of() : sorted.length;

		const wide = Math.ceil(widths(columns, sorted, group)) + 'ch';
		grid.style.minWidth = wide;
		// A column of texts takes the rest, if there is one.
		grid.style.width = columns.some((c) => c.left && !c.width) ? ''
			: wide;
		order();
		scroll.style.scrollPaddingLeft = columns[0].left
			? head.rows[0].cells[0].offsetWidth + 'px' : '';
		fill(note, ...grouped((sorted.length === of
			? plural(of, table.noun || 'row')
			: count(sorted.length) + ' of ' +
				plural(of, table.noun || 'row') + ' match') +
			(table.hint && !S.q ? '; ' + table.hint : '')));
		draw();
	}

	function step(by) {
		const now = sorted.findIndex(isPicked);
		const to = Math.max(0, Math.min(sorted.length - 1, now + by));

		if (!sorted.length)
			return;
		if (table.leads) {
			reached = sorted[to];
			drawn = '';
			draw();
		} else {
			table.pick(sorted[to], true);
		}
		reach(to);
	}

	// By how many rows a key moves; 0: another key.
	function stepOf(key) {
		const page = Math.max(1, Math.floor(scroll.clientHeight /
			rowHigh()) - 2);

		return { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page,
			Home: -Infinity, End: Infinity }[key] || 0;
	}

	// Left and right open and close rows, or go to the row above or below.
	function turn(key) {
		const tree = table.tree;
		const i = sorted.find((k) => table.picked(k));

		if (i === undefined)
			return step(1);
		const open = tree.open(i), to = sorted.indexOf(tree.up(i));
		if (key === 'Enter')
			tree.enter(i);
		else if (key === 'ArrowRight' ? open === false : open)
			tree.turn(i, !open);
		else if (key === 'ArrowRight' && open)
			step(1);
		else if (key === 'ArrowLeft' && to >= 0)
			step(to - sorted.indexOf(i));
	}

	function reach(to) {
		const tall = rowHigh();

		if ((to + 2) * tall > scroll.scrollTop + scroll.clientHeight)
			scroll.scrollTop = (to + 3) * tall - scroll.clientHeight;
		if (to * tall < scroll.scrollTop)
			scroll.scrollTop = to * tall;
	}

	scroll.addEventListener('scroll', later(draw));
	scroll.addEventListener('keydown', (e) => {
		const by = stepOf(e.key);

		if (e.altKey || e.ctrlKey || e.metaKey)
			return;
		if (by && table.pick) {
			e.preventDefault();
			step(by);
		} else if (e.key === 'Enter' && e.target === grid && reached >= 0) {
			table.pick(reached);
		} else if (table.tree && e.target === grid &&
			['ArrowLeft', 'ArrowRight', 'Enter'].includes(e.key)) {
			e.preventDefault();
			turn(e.key);
		}
	});
	window.addEventListener('beforeprint', () => {
		printing = true;
		drawn = '';
		draw();
	});
	window.addEventListener('afterprint', () => {
		printing = false;
		drawn = '';
		draw();
	});
	return { box: box, update: update, show: (i) => {
		if (sorted.includes(i))
			reach(sorted.indexOf(i));
	}, draw: () => {
		drawn = '';
		draw();
	} };
}

// A column of a metric, with its share if `extra' says so.
function metricColumn(id, value, extra) {
	const m = metric(id);

	return Object.assign({ id: id, title: metricShort(m),
		hint: metricName(m) + (m.hint ? ': ' + m.hint : ''),
		value: value, text: (i) => show(id, value(i)) }, extra || {});
}

function shareColumn(id, value) {
	return { id: 'share', title: '% ' + metricShort(metric(id)),
		hint: 'share of all ' +
			metricName(metric(id)), value: value,
		text: (i) => tenths(value(i), totalOf(id)) };
}
