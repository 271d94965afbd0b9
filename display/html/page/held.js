// SPDX-License-Identifier: GPL-3.0-or-later
// What holds memory: the tables of the graph, and names of roots and blocks.

// A table of the schema as columns by name.  Texts are resolved; null: unknown.
function columnsOf(t) {
	const n = t.fields.length / 3, T = { n: t.rows.length / n,
		left: t.left_out || 0 };

	for (let k = 0; k < n; k++)
		T[t.fields[3 * k]] = Array.from({ length: T.n }, (_, i) => {
			const v = t.rows[i * n + k];

			return v !== null && t.fields[3 * k + 1] === KINDS.TEXT
				? text(v) : v;
		});
	return T;
}

function loadGraph() {
	const G = D.graph && { bytes: D.graph.bytes, at: D.graph.at };

	for (const t of G ? ['roots', 'retained', 'edges', 'steps', 'holdings']
		: [])
		G[t] = columnsOf(D.graph[t]);
	return G || null;
}

function typeOrBlocks(site) {
	return siteType(site) || 'blocks';
}

// Names the blocks of a site by their type, and by the program's function that
// allocated them.
function blocksName(site) {
	const f = ownOrLeaf(site);

	return typeOrBlocks(site) + ' from ' + tailName(
		M.frames.func[f]) + (lineOf(f) ? ' (' + lineOf(f) + ')' : '');
}

function shortName(site) {
	return siteType(site) || blocksName(site);
}

function siteLink(site, name) {
	return link(name, () => openSite(site), siteName(site));
}

// Names the place of a pointer by a member or an offset; '' if it is unknown.
function memberText(member, offset) {
	return member || (offset ? '+' + count(offset) : '');
}

// ------------------------------------------------------------------ tree --

const HOLDS = { none: 'no single root', lost: 'lost: nothing holds them',
	rest: 'smaller ones' };

// Nodes: 0 is all memory; then a node for each row of the table; then nodes for
// the rest: rows that were left out and, at the top, lost blocks.
function heldNodes() {
	const G = M.graph, h = G.holdings, n = h.n + 1;
	const N = { above: [-1], under: [[]], kind: [''], values: [G.bytes],
		blocks: [0], own: [0], site: [-1], name: ['all'] };
	const add = (parent, kind, value, blocks, own, site, name) => {
		N.under[parent].push(N.above.push(parent) - 1);
		N.under.push([]);
		N.kind.push(kind);
		N.values.push(value);
		N.blocks.push(blocks);
		N.own.push(own);
		N.site.push(site);
		N.name.push(name);
	};

	for (let i = 0; i < h.n; i++) {
		const kind = h.site_id[i] !== null ? 'blocks'
			: h.root[i] === null ? 'none' : 'root';

		add(h.parent_id[i] === null ? 0 : h.parent_id[i] + 1, kind,
			h.retained_bytes[i], h.retained_blocks[i], h.bytes[i],
			h.site_id[i] ?? -1, h.root[i]);
	}
	const rest = (v, i) => N.under[i].reduce((a, k) => a - v[k], v[i]);
	for (let i = 1; i < n; i++) {
		const left = rest(N.values, i) - N.own[i];

		if (left > 0)
			add(i, 'rest', left, rest(N.blocks, i) -
				h.blocks[i - 1], left, -1, '');
	}
	const left = rest(N.values, 0);
	if (left > 0)
		add(0, h.left ? 'rest' : 'lost', left, -1, left, -1, '');
	N.under.forEach((k) => k.sort((a, b) => N.values[b] - N.values[a] ||
		a - b));
	return N;
}

const ALIKE = 300; // with more rows than this below a row, they get no callers

// A row's name, with as many callers as it needs to differ from its siblings.
function rowName(N, n) {
	const up = N.above[n], key = up + '.' + S.full, alike = new Map();

	N.told ||= new Map();
	if (!N.told.has(key)) {
		const names = new Map();

		for (const s of N.under[up].map((k) => N.site[k]))
			if (s >= 0)
				alike.set(blocksName(s), (alike.get(
					blocksName(s)) || []).concat(s));
		alike.forEach((list) => {
			if (list.length > 1 && list.length <= ALIKE)
				siteNames(list).forEach((name, s) =>
					names.set(s, typeOrBlocks(s) + ' from ' +
						name));
		});
		N.told.set(key, names);
	}
	return N.told.get(key).get(N.site[n]) || blocksName(N.site[n]);
}

function heldTree() {
	if (M.held)
		return M.held;
	const N = heldNodes();
	const label = (n) => (N.kind[n] === 'blocks' ? rowName(N, n)
		: N.name[n] ? N.name[n] + rootPlaceOf(N.name[n])
			: '(' + HOLDS[N.kind[n]] + ')');

	M.held = Object.assign(N, { value: (n) => N.values[n],
		kids: (n) => N.under[n], parent: (n) => N.above[n],
		label: label, func: () => -1, key: (n) => (n ? String(n) : ''),
		find: (key) => (/^\d+$/.test(key) && Number(key) <
			N.kind.length ? Number(key) : 0),
		colour(n, dark) {
			const type = N.site[n] >= 0 ? siteType(N.site[n]) : '';

			return type ? typeColour(type, dark) : dark ? '#353b45'
				: '#e4e7ec';
		} });
	return M.held;
}

// Blocks of one type have the same colour.  Roots and other rows are grey.
function typeColour(type, dark) {
	const h = hashText(type.slice(1));

	return 'hsl(' + HUES[h % HUES.length] + (dark ? ',30%,' : ',55%,') +
		((dark ? 28 : 77) + h % 11) + '%)';
}

// The largest row with blocks of the call path; 0: none.
function heldRow(site) {
	const N = heldTree();

	return N.site.reduce((best, s, n) => (s === site && (!best ||
		N.values[n] > N.values[best]) ? n : best), 0);
}

// The row of a root; 0: none.
function rootRow(name) {
	return Math.max(0, heldTree().name.indexOf(name, 1));
}

function openHeld(n) {
	go({ view: 'held', hat: heldTree().key(n), hzoom: '' });
}

// ------------------------------------------------------------ path there --

// The range of steps of each path: site -> [from, to].
function heldPaths() {
	const s = M.graph.steps;

	if (!M.graph.paths) {
		M.graph.paths = new Map();
		for (let i = 0; i < s.n; i++) {
			const p = M.graph.paths.get(s.site_id[i]);

			if (p)
				p[1] = i + 1;
			else
				M.graph.paths.set(s.site_id[i], [i, i + 1]);
		}
	}
	return M.graph.paths;
}

// The steps of a site's path, from the root on, as indices in the table.  Skips
// steps to a block of the same site, as in a list.
function pathSteps(site) {
	const s = M.graph.steps, [from, to] = heldPaths().get(site);
	const out = [from];

	for (let i = from + 1; i < to; i++)
		if (s.holder_id[i] !== (i + 1 < to ? s.holder_id[i + 1] : site))
			out.push(i);
	return out;
}

// The path through most sites, from a root to blocks that retain at least half
// of its memory, as on the terminal; -1: none.
function telling(root) {
	const G = M.graph, s = G.steps;
	let best = -1, length = 0;

	heldPaths().forEach(([from], site) => {
		if (s.root[from] !== G.roots.root[root] ||
			G.retained.bytes[site] * 2 < G.roots.bytes[root] - 1)
			return;
		// The first step and the last block are of different sites.
		const n = pathSteps(site).length;
		if (n > length) {
			best = site;
			length = n;
		}
	});
	return best;
}

// The place on a stack that leads to most memory, if possible a variable.
function stackPlace(root) {
	const G = M.graph, e = G.edges, at = (i) => G.retained.bytes[e.site_id[i]];
	let best = -1, named = false;

	for (let i = 0; i < e.n; i++) {
		const is = /, variable /.test(e.member[i] || '');

		if (e.root[i] !== G.roots.root[root] || !e.member[i] ||
			(best >= 0 && (is < named || (is === named &&
			at(i) <= at(best)))))
			continue;
		best = i;
		named = is;
	}
	return best < 0 ? '' : ' ' + e.member[best];
}

const HELD_SHARE = 5; // names a root that retains more than a fifth
const HELD_STEPS = 6;

// The line that defines a variable, or the function of a stack.
function rootPlace(root) {
	const r = M.graph.roots;

	return r.kind[root] === 'stack' ? stackPlace(root)
		: r.file[root] ? ' (' + r.file[root] + ':' + r.line[root] + ')' : '';
}

function rootPlaceOf(name) {
	const root = M.graph.roots.root.indexOf(name);

	return root < 0 ? '' : rootPlace(root);
}

function rootLine(root) {
	const G = M.graph, r = G.roots, s = G.steps, to = telling(root);
	const steps = to < 0 ? [] : pathSteps(to).slice(1), path = [];

	for (const i of steps.length > HELD_STEPS ? [] : steps)
		path.push(' \u2192 ', siteLink(s.holder_id[i],
			shortName(s.holder_id[i])), ' ' + memberText(
			s.member[i], s.offset[i]));
	if (to >= 0)
		path.push(steps.length > HELD_STEPS ? ' \u2192 \u2026 \u2192 '
			: ' \u2192 ', siteLink(to, shortName(to)));
	return el('li', {}, link(r.root[root], () => openHeld(rootRow(
		r.root[root]))), rootPlace(root), ': ', digits(bytes(
		r.bytes[root])), ' bytes in ', ...grouped(plural(r.blocks[root], 'block')), ', ' +
		percent(r.bytes[root], G.bytes) + ' of what was live',
	el('div', { class: 'dim' }, ...path));
}

// Lists the roots that hold most of the live memory; null: none does.
function heldCard() {
	const G = M.graph, some = G && !partial() ? Array.from(
		G.roots.bytes.keys()).filter((i) => G.roots.bytes[i] >
			Math.floor(G.bytes / HELD_SHARE)) : [];

	return some.length ? el('div', { class: 'card long holders' },
		el('h3', {}, 'Held by'), el('ul', {}, ...some.map(rootLine)))
		: null;
}

// --------------------------------------------------------- of call paths --

const HELD_ROWS = 12;

// Groups pointers by their other end and the member; most bytes first.
function edgeGroups(site, from, to) {
	const e = M.graph.edges, map = new Map();

	for (let i = 0; i < e.n; i++) {
		const root = e.root[i], other = e[to][i];

		if (e[from][i] !== site)
			continue;
		const member = memberText(e.member[i], e.offset[i]);
		const key = (root ?? '') + '\n' + other + '\n' + member;
		let g = map.get(key);
		if (!g)
			map.set(key, g = { root: root, site: other, member:
				member, pointers: 0, interior: 0, bytes: 0 });
		for (const c of ['pointers', 'interior', 'bytes'])
			g[c] += e[c][i];
	}
	return Array.from(map.values()).sort((a, b) => b.bytes - a.bytes ||
		b.pointers - a.pointers);
}

function edgeTable(title, all, none) {
	return [el('h4', {}, title), all.length ? el('table', { class: 'near',
		'aria-label': title }, tableHead(['bytes', 'pointers',
		title.toLowerCase()], 2), el('tbody', {}, ...all.slice(0,
		HELD_ROWS).map((g) => el('tr', {}, numberCell(bytes(g.bytes)),
			numberCell(count(g.pointers)), textCell(g.site === null
				? g.root : siteLink(g.site, blocksName(g.site)),
			g.member && el('span', {}, (title === 'Holds' ? ' by '
				: ' ') + g.member), g.interior
				? el('span', { class: 'dim' }, g.interior ===
					g.pointers ? ' (into the blocks)'
					: ' (' + count(g.interior) +
					' into the blocks)') : null)))))
		: aside(M.graph.edges.left ? 'Not known here.' : none),
	all.length > HELD_ROWS || M.graph.edges.left ? el('p', {
		class: 'dim' }, (all.length > HELD_ROWS ? plural(all.length -
		HELD_ROWS, 'other') + ' left out' : 'This page has only the ' +
		'pointers to most bytes') + '; mpreduce --holders has all.')
		: null];
}

function pathList(site) {
	const s = M.graph.steps, p = heldPaths().get(site);
	const steps = p ? pathSteps(site) : [];
	const item = (name, member) => el('li', {}, name, member && ' ' +
		member);
	const shown = steps.length > 2 * HELD_ROWS ? steps.slice(0, HELD_ROWS)
		.concat([-1], steps.slice(-HELD_ROWS)) : steps;

	return p ? [el('h4', {}, 'Path from a root to the block that retains most'), el('ul', { class: 'chain steps' }, ...shown.map((i) =>
		(i < 0 ? item('\u2026 ' + plural(steps.length - 2 * HELD_ROWS,
			'step'), '') : item(i === p[0] ? s.root[i]
			: siteLink(s.holder_id[i], blocksName(s.holder_id[i])),
		memberText(s.member[i], s.offset[i])))), item(el('b', {},
		blocksName(site)), ''))] : [];
}

// The details of a call path from the graph.  Other call paths in the row only
// get links, as the memory that they retain overlaps.
function heldParts(site, fellows) {
	if (!M.graph || partial())
		return [];
	const r = M.graph.retained, row = heldRow(site), all = fellows
		.filter((i) => r.tops[i] || i === site).sort((a, b) =>
			r.bytes[b] - r.bytes[a]);

	return [el('h4', {}, 'Who holds ' + blocksName(site)),
		all.length > 1 ? el('p', {}, 'The others: ', ...all
			.filter((i) => i !== site).slice(0, HELD_ROWS)
			.flatMap((i, k) => [k ? ', ' : '', siteLink(i,
				blocksName(i))]), all.length > HELD_ROWS + 1
			? ' \u2026' : '') : null,
		r.tops[site] ? facts([['retained', el('span', {},
			digits(bytes(r.bytes[site])), ' in ', ...grouped(
				plural(r.blocks[site], 'block')), ' ',
			el('small', {}, percent(r.bytes[site],
				M.graph.bytes) + ' of what was live'))],
		['by one block', 'at most ' + bytes(r.largest[site])]]) : null,
		row ? el('p', {}, link('in the tree of holders', () =>
			openHeld(row))) : null,
		...edgeTable('Held by', edgeGroups(site, 'site_id',
			'holder_id'), 'Nothing points to these blocks.'),
		...edgeTable('Holds', edgeGroups(site, 'holder_id', 'site_id'),
			'These blocks point to no other block.'),
		...pathList(site)];
}
