// SPDX-License-Identifier: GPL-3.0-or-later
// What all views share: numbers as text, small helpers for the document.

// ------------------------------------------------------------- numbers --

// n * factor / 2^shift, rounded as in mpreduce.
function scaled(n, factor, shift) {
	if (n < 2 ** 40)
		return Math.floor((n * factor + 2 ** (shift - 1)) / 2 ** shift);
	const v = BigInt(n) * BigInt(factor) + (1n << BigInt(shift - 1));
	return Number(v >> BigInt(shift));
}

function count(n) {
	return n < 2 ** 53 ? String(n) : BigInt(n).toString();
}

// Bytes as in the tables: all digits, or three and K, M, G ...
function humanBytes(n) {
	const unit = 'KMGTPE';
	let shift = 10, i = 0;

	if (n < 1024)
		return count(n);
	while (scaled(n, 1, shift) >= 1024) {
		shift += 10;
		i++;
	}
	let v = scaled(n, 100, shift);
	if (v < 1000)
		return Math.floor(v / 100) + '.' +
			String(v % 100).padStart(2, '0') + unit[i];
	v = scaled(n, 10, shift);
	if (v < 1000)
		return Math.floor(v / 10) + '.' + v % 10 + unit[i];
	return scaled(n, 1, shift) + unit[i];
}

function bytes(n) {
	return S.human ? humanBytes(n) : count(n);
}

// A difference with its sign.
function signed(n, text) {
	return n < 0 ? '-' + text(-n) : n > 0 ? '+' + text(n) : '0';
}

// A percentage with one decimal, rounded; '' if the whole is 0.
function tenths(part, whole) {
	if (!whole)
		return '';
	if (part > whole)
		part = whole;
	let n;
	if (whole < 2 ** 42)
		n = Math.floor((part * 1000 + Math.floor(whole / 2)) / whole);
	else
		n = Number((BigInt(part) * 1000n + BigInt(whole) / 2n) /
			BigInt(whole));
	return Math.floor(n / 10) + '.' + n % 10;
}

function percent(part, whole) {
	const t = tenths(part, whole);
	return t === '' ? '' : t + '%';
}

// ns as seconds, truncated; ns with three digits and a unit, rounded.
function seconds(ns) {
	if (ns >= 1e9)
		return Math.floor(ns / 1e9) + '.' +
			String(Math.floor(ns % 1e9 / 1e6)).padStart(3, '0');
	return '0.' + String(Math.floor(ns / 1000)).padStart(6, '0');
}

function duration(ns) {
	const name = ['us', 'ms', 's'];
	let unit = 1000, i = 0;
	const units = (factor) =>
		Math.floor((ns * factor + Math.floor(unit / 2)) / unit);

	if (ns < 1000)
		return ns + 'ns';
	while (i < 2 && units(1) >= 1000) {
		unit *= 1000;
		i++;
	}
	let v = units(100);
	if (v < 1000)
		return Math.floor(v / 100) + '.' +
			String(v % 100).padStart(2, '0') + name[i];
	v = units(10);
	if (v < 1000)
		return Math.floor(v / 10) + '.' + v % 10 + name[i];
	return units(1) + name[i];
}

// A score in hundredths, as in the tables.
function score(n) {
	if (n === null || n === undefined)
		return '-';
	if (n < 0)
		return '<.01';
	return Math.floor(n / 100) + '.' + String(n % 100).padStart(2, '0');
}

// A C++ name without template arguments, parameters and return type.
function brief(name) {
	let out = '', depth = 0;
	const op = /operator(<=>|<<=?|>>=?|<=?|>=?|->\*?|\(\)|\[\])/y;

	if (!/[<(]/.test(name) || name[0] === '[')
		return name;
	for (let i = 0; i < name.length; i++) {
		const c = name[i];

		op.lastIndex = i;
		const sign = c === 'o' && !depth && !/\w/.test(name[i - 1] || '') &&
			op.exec(name);
		if (sign) {
			out += sign[0];
			i += sign[0].length - 1;
			continue;
		}
		// T (*f<T>(int))(T): the text before is the result type.
		if (!depth && /^\([*&][^*&)]/.test(name.slice(i, i + 3))) {
			out = '';
			i++;
			continue;
		}
		const bound = name.startsWith('(anonymous', i) ||
			name.startsWith('{lambda', i) || c === '{';
		if (!depth && bound) {
			const end = name.indexOf(c === '{' ? '}' : ')', i);

			out += c !== '{' ? '(anonymous)' : '{lambda' + (
				/^\{lambda[^}]*(#\d+)\}/.exec(name.slice(i)) ||
				['', ''])[1] + '}';
			if (end < 0)
				break;
			i = end;
			continue;
		}
		if (c === '<' || c === '(' || c === '[')
			depth++;
		else if (c === '>' && name[i - 1] === '-' && depth)
			continue;
		else if (c === '>' || c === ')' || c === ']')
			depth = Math.max(0, depth - 1);
		else if (!depth)
			out += c;
	}
	out = out.replace(/ (const|volatile|&&?|noexcept)(?= |$|::)/g, '').trim();
	const word = /operator /.test(out) ? out : out.slice(
		out.lastIndexOf(' ') + 1);
	return word || name;
}

function capital(name) {
	return name[0].toUpperCase() + name.slice(1);
}

function plural(n, noun) {
	return count(n) + ' ' + noun + (n === 1 ? '' : 's');
}

// ------------------------------------------------------------ document --

// An element.  Attributes named on* are listeners; children are texts or nodes.
function el(tag, attributes, ...children) {
	const e = document.createElement(tag);

	for (const k in attributes || {}) {
		const v = attributes[k];

		if (v === null || v === undefined || v === false)
			continue;
		if (k.startsWith('on'))
			e.addEventListener(k.slice(2), v);
		else
			e.setAttribute(k, v === true ? '' : v);
	}
	e.append(...children.filter((c) => c !== null && c !== undefined));
	return e;
}

// A number with its digits in groups of three.  Only its style shows the
// groups.
function digits(text) {
	const m = /^([+-]?)(\d{5,})$/.exec(text);

	if (!m)
		return document.createTextNode(text);
	const out = el('span', { class: 'n' });
	const head = m[2].length % 3 || 3;

	out.append(m[1] + m[2].slice(0, head));
	for (let i = head; i < m[2].length; i += 3)
		out.append(el('span', { class: 'g' }, m[2].slice(i, i + 3)));
	return out;
}

// The numbers of a text in groups: as nodes; as a text, for the canvas.
function grouped(text) {
	return text.split(/(\d{5,})/).map(digits);
}

function spaced(text) {
	return text.replace(/\d{5,}/g, (n) =>
		n.replace(/\B(?=(\d{3})+$)/g, '\u2009'));
}

function fill(e, ...children) {
	e.replaceChildren(...children.filter((c) => c !== null &&
		c !== undefined));
	return e;
}

// A bar whose width is the share.
function bar(part, whole) {
	const e = el('span', { class: 'bar', 'aria-hidden': 'true' });
	const inner = el('span');

	inner.style.width = (whole > 0 ? Math.min(100, 100 * part / whole) : 0)
		.toFixed(1) + '%';
	e.append(inner);
	return e;
}

// A box of text beside the mouse.  show() skips children that are null.
function makeTip() {
	const box = el('div', { class: 'tip', hidden: true });

	return { box: box, hide() {
		box.hidden = true;
	}, show(e, ...children) {
		box.hidden = false;
		fill(box, ...children);
		const w = box.offsetWidth, h = box.offsetHeight;
		box.style.left = Math.max(4, Math.min(e.clientX + 14,
			innerWidth - w - 8)) + 'px';
		box.style.top = (e.clientY + h + 24 > innerHeight
			? e.clientY - h - 12 : e.clientY + 18) + 'px';
	} };
}

// Fill the pane beside a table, with a button to close it; null: empty it.
function fillPane(pane, close, children) {
	fill(pane, children && el('button', { class: 'close', title: 'Esc',
		onclick: () => go(close) }, 'close \u00d7'),
	...children || []);
}

// Buttons for a choice: one of them is pressed.
function choice(name, now, all, set) {
	return el('span', { class: 'choice', role: 'group',
		'aria-label': name }, ...all.map(([id, title]) =>
		el('button', { 'aria-pressed': String(id === now),
			onclick: () => set(id) }, title)));
}

// A button that looks like a link.  to: a state to go to, or what to do.
function link(name, to, title) {
	return el('button', { class: 'link', title: title, onclick:
		typeof to === 'function' ? to : () => go(to) }, name);
}

// A button that copies the result of text().
function copyButton(text) {
	return link('copy', (e) => navigator.clipboard.writeText(text()).then(
		() => fill(e.target, 'copied'), () =>
			fill(e.target, 'not copied')));
}

// A paragraph of less weight.
function aside(...children) {
	return el('p', { class: 'dim' }, ...children);
}

// Cells of a table: a text, a number and its unit, a share.
function textCell(...children) {
	return el('td', { class: 'text' }, ...children);
}

function numberCell(number, ...more) {
	return el('td', { class: 'num' }, digits(number), ...more);
}

function shareCell(share) {
	return el('td', { class: 'num dim' }, share);
}

// The head of a table; texts: the numbers of the columns that are texts.
function tableHead(titles, ...texts) {
	return el('thead', {}, el('tr', {}, ...titles.map((t, i) => el('th', {
		class: texts.includes(i) ? 'text' : 'num', scope: 'col' }, t))));
}

// A sample of a colour before its name.  letters: the colour of its text.
function swatch(colour, text, letters) {
	const e = el('span', { class: 'key' }, String(text));

	e.style.background = colour;
	if (letters)
		e.style.color = letters;
	return e;
}

function hashText(text) {
	let h = 2166136261;

	for (let i = 0; i < text.length; i++)
		h = Math.imul(h ^ text.charCodeAt(i), 16777619);
	return (h ^ h >>> 15) >>> 0;
}

// Calls what() at most once per frame of the screen.
function later(what) {
	let asked = false;

	return () => {
		if (asked)
			return;
		asked = true;
		requestAnimationFrame(() => {
			asked = false;
			what();
		});
	};
}

function style(name) {
	return getComputedStyle(document.documentElement)
		.getPropertyValue(name).trim();
}

// Set the canvas to a size in CSS pixels; returns its context.
function sized(canvas, width, height) {
	const ratio = window.devicePixelRatio || 1;
	const w = Math.max(1, Math.round(width * ratio));
	const h = Math.max(1, Math.round(height * ratio));

	if (canvas.width !== w || canvas.height !== h) {
		canvas.width = w;
		canvas.height = h;
		canvas.style.width = width + 'px';
		canvas.style.height = height + 'px';
	}
	const g = canvas.getContext('2d');
	g.setTransform(ratio, 0, 0, ratio, 0, 0);
	return g;
}
