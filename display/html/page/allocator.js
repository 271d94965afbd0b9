// SPDX-License-Identifier: GPL-3.0-or-later
// The cost of the allocator itself: tables that describe their own fields.

const KINDS = { TEXT: 0, NUMBER: 1, COUNT: 2, BYTES: 3, TIME: 4,
	SHARE: 5 }; // value.h
const SHOWN_ROWS = 100; // rows of each table

function schemaText(kind, v) {
	if (v === null)
		return '-';
	return kind === KINDS.TEXT ? text(v) : kind === KINDS.BYTES ? bytes(v)
		: kind === KINDS.TIME ? duration(v)
			: kind === KINDS.SHARE ? (100 * v).toFixed(1) + ' %'
				: count(v);
}

// Fields are name, kind and meaning; a row has a value for each field.
function schemaTable(t) {
	const n = t.fields.length / 3, field = (k) => ({
		name: t.fields[3 * k], kind: t.fields[3 * k + 1],
		hint: t.fields[3 * k + 2] });
	const fields = Array.from({ length: n }, (_, k) => field(k));
	const rows = Array.from({ length: t.rows.length / n }, (_, i) =>
		t.rows.slice(i * n, i * n + n));
	const isText = (k) => fields[k].kind === KINDS.TEXT;
	const left = rows.length - SHOWN_ROWS;
	// Leave out numbers that are 0 or unknown in all rows, and fields that
	// the class of an operation implies.
	const shown = fields.map((f, k) => k).filter((k) => (isText(k) ||
		rows.some((r) => r[k])) && !(fields[0].name === 'class' &&
		/^1: |^malloc, /.test(fields[k].hint)));
	// Sort by time, longest first, if there are texts and a time.
	let by = fields.some((f, k) => isText(k)) ? fields.findIndex((f) =>
		f.name === 'time') : -1, up = false;
	const body = el('tbody'), key = (r) => (isText(by) && r[by] !== null
		? text(r[by]) : r[by]);
	// Its column follows the texts, so that a narrow window shows it.
	shown.sort((a, b) => isText(b) - isText(a) || (b === by) - (a === by));
	const heads = shown.map((k) => el('th', { scope: 'col', class: isText(k)
		? 'text' : 'num', title: fields[k].hint }, el('button', {
		onclick() {
			up = by === k ? !up : isText(k);
			by = k;
			draw();
		} }, fields[k].name.replace(/_/g, ' '))));

	function draw() {
		if (by >= 0)
			rows.sort((a, b) => (key(a) < key(b) ? 1 : key(a) >
				key(b) ? -1 : 0) * (up ? -1 : 1));
		heads.forEach((th, i) => th.setAttribute('aria-sort', shown[i] !==
			by ? 'none' : up ? 'ascending' : 'descending'));
		fill(body, ...rows.slice(0, SHOWN_ROWS).map((r) => el('tr', {},
			...shown.map((k) => el('td', { class: isText(k) ? 'text'
				: 'num' }, (isText(k) ? String : digits)(
				schemaText(fields[k].kind, r[k])))))));
	}
	draw();
	const legend = meanings();
	showMeanings(legend, shown.map((k) => ({ title: fields[k].name.replace(
		/_/g, ' '), hint: fields[k].hint })));
	return el('div', { class: 'wide' }, el('h3', {}, capital(t.title)),
		rows.length ? el('table', { class: 'small' }, el('thead', {},
			el('tr', {}, ...heads)), body)
			: aside('None was seen.'), rows.length ? legend : null,
		left > 0 ? aside(plural(left, 'row') +
			' more; mpreduce --export=csv:all has all.') : null);
}

function viewAllocator() {
	const a = D.allocator, box = el('section', { class: 'pane wide', tabindex: '-1' });
	let made = '';

	return { id: 'allocator', name: 'Allocator', whole: true, box: box,
		metrics: [],
		update() {
			if (made === String(S.human))
				return;
			made = String(S.human);
			fill(box, el('h3', {}, 'What the allocator cost'),
				facts([a.probe && ['allocator', el('span', {
					title: a.probe }, (/path=\S*?([^\s/]+)(\s|$)/
					.exec(a.probe) || ['', a.probe])[1])],
					['operations', count(a.operations)],
					a.time !== null && ['time in it',
						(a.one_in > 1 ? 'about ' : '') +
						duration(a.time)],
					['big blocks from', bytes(a.threshold)]]),
				...a.verdicts.map((v) => el('p', {}, ...grouped('* ' + v))),
				...a.tables.map(schemaTable));
		} };
}
