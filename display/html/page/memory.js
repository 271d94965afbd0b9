// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the process's memory: the lines that add up to RSS, and memory
// that the program itself mapped.

const MEMORY_MAPPED = 5, MEMORY_MUCH = 16 * 1024 * 1024;

// One line: key, name, bar, bytes and share.
function memoryRow(text, n, all, before) {
	return el('tr', { class: before ? null : 'dim' },
		el('td', { class: 'text', title: text }, before || '\u2003',
			text),
		el('td', { class: 'bars' }, bar(n, all)), numberCell(bytes(n)),
		shareCell(percent(n, all)));
}

// A call path as a line of the program and its callers.
function mappedPath(site) {
	return (site || '(no call path)').split(' > ').reverse().map((s) => {
		const [, name, line] = /^(.*?)(?:\+0x[0-9a-f]+)?( \([^()]*:\d+\))?$/
			.exec(s);

		return (S.full ? name : brief(name)) + (line || '');
	}).join(' \u2190 ');
}

// The lines of the program that map most, below the lines of all memory.
function mappedRows(all) {
	const m = D.memory.mapped && columnsOf(D.memory.mapped), rows = [];

	for (let i = 0; m && i < m.n; i++)
		if (m.resident[i] > all / 100)
			rows.push(i);
	rows.sort((a, b) => m.resident[b] - m.resident[a]);
	return (rows.length ? [el('tr', {}, el('td', { class: 'text',
		colspan: 4 }, 'Mapped by the program, by mmap or the like:'))]
		: []).concat(rows.slice(0, MEMORY_MAPPED).map((i) => memoryRow(
		mappedPath(m.site[i]) + ', ' + plural(m.calls[i], 'call'),
		m.resident[i], all)));
}

// Is less than half of the memory in blocks, and much in other parts?  Programs
// that free all blocks at their end keep the memory of the peak.
function memoryMatters() {
	const m = D.memory && columnsOf(D.memory.lines);
	const of = (name) => m.bytes[m.name.indexOf(name)] || 0;
	const asked = m && Math.max(of('asked'), D.total.peak || 0);
	const all = m && of('resident') - of('own');

	return m && asked < all / 2 && all - asked > MEMORY_MUCH;
}

function memoryColour(k) {
	return k < FILLS.length ? layerColour(k) : restColour();
}

// RSS over time: a bar for each snapshot, divided into the named lines.
function memoryTimes(t, names) {
	const most = Math.max(...t.resident);
	const box = el('div', { class: 'moments', role: 'img', 'aria-label':
		'RSS over time, at most ' + bytes(most) + ' bytes' });

	t.at.forEach((at, i) => {
		const column = el('div', { title: duration(at) + ': ' +
			bytes(t.resident[i]) });

		column.style.flexGrow = i + 1 < t.n ? t.at[i + 1] - at
			: t.at[t.n - 1] / 100;
		names.forEach((name, k) => {
			const part = el('div');

			part.style.height = 100 * t[name][i] / most + '%';
			part.style.background = memoryColour(k);
			column.append(part);
		});
		box.append(column);
	});
	return el('div', {}, el('div', { class: 'dim' }, duration(t.at[0]) +
		' to ' + duration(t.at[t.n - 1]) + ' after the start; at most ',
	digits(bytes(most)), ' bytes seen'), box);
}

// Draws a bar for each part of the memory; null if the parts are unknown.
function memoryCard() {
	if (!D.memory || partial())
		return null;
	const m = columnsOf(D.memory.lines), rows = [];
	const all = m.bytes[m.name.indexOf('resident')];
	const t = D.memory.snapshots && columnsOf(D.memory.snapshots);
	const most = (i) => t ? Math.max(...t[m.name[i]]) : m.bytes[i];

	for (let i = 0; i < m.n; i++)
		if (m.part[i] && most(i) > all / 200)
			rows.push(i);
	rows.sort((a, b) => most(b) - most(a));
	return el('div', { class: 'card long memory' },
		el('h3', { title: 'mpreduce --memory' }, 'Memory of the ' +
			'process when the data file was written: ',
		digits(bytes(all)), ' bytes'), t && t.n > 2
			? memoryTimes(t, rows.map((i) => m.name[i])) : null,
		el('table', { 'aria-label':
			'Memory of the process' }, el('colgroup', {}, el('col'),
			el('col', { class: 'cbar' }), el('col', { class: 'cnum' }),
			el('col', { class: 'cpct' })),
		el('tbody', {}, ...rows.map((i, k) => memoryRow(m.means[i],
			m.bytes[i], all, swatch(memoryColour(k), ''))),
		...mappedRows(all))));
}
