// SPDX-License-Identifier: GPL-3.0-or-later
// Call paths: sites are grouped if their call paths are the same as far as they
// are shown, and if the same line of the program allocates.

// { of: group of each site, first: site of each group, sites, whole }.
// depth: the number of frames to compare; 0: all frames.
function groups(depth) {
	return cached('groups ' + depth, () => {
		const s = M.sites, past =
			(M.on_paths.length + 1) * M.funcs.count;
		const base = M.funcs.count + past + 1;
		const node = new Map(), found = new Map(), lines = new Map();
		const g = { of: new Int32Array(s.n), first: [], sites: [],
			whole: [] };
		let nodes = 0;

		for (let i = 0; i < s.n; i++) {
			const c = depth ? tellingChain(s.leaf[i], depth + 1) : {
				cut: false, frames: elements(s.leaf[i]) };
			const some = depth ? c.frames.slice(0, depth) : c.frames;
			const line = lineOf(ownOrLeaf(i));
			let at = lines.get(line);

			if (at === undefined)
				lines.set(line, at = ++nodes);
			some.forEach((f, k) => {
				const key = (at * base + elementOf(f) + past +
					1) * 2 + (tellingGap(c, k) ? 1 : 0);

				if (!node.has(key))
					node.set(key, ++nodes);
				at = node.get(key);
			});
			const whole = some.length === c.frames.length &&
				s.start[i] < 2;
			const key = at * 2 + (whole ? 1 : 0);
			if (!found.has(key)) {
				found.set(key, g.first.length);
				g.first.push(i);
				g.sites.push(0);
				g.whole.push(whole);
			}
			g.of[i] = found.get(key);
			g.sites[g.of[i]]++;
		}
		return g;
	});
}

function groupValues(id, depth) {
	return cached('group ' + depth + id, () => {
		const g = groups(depth), v = siteValues(id);
		const out = new Float64Array(g.first.length);

		for (let i = 0; i < v.length; i++)
			out[g.of[i]] += v[i];
		return out;
	});
}

// By group: the mean lifetime of the freed blocks, in ns; -1: none was freed.
function groupMeans(depth) {
	return cached('means ' + depth, () => {
		const g = groups(depth), s = M.sites;
		const sum = new Float64Array(g.first.length), n = sum.slice();

		g.of.forEach((k, i) => {
			sum[k] += s.mean[i] * s.timed[i];
			n[k] += s.timed[i];
		});
		return sum.map((v, k) => (n[k] ? v / n[k] : -1));
	});
}

// The most frames of a path in a row, and at each end of a path in details.
const SHOWN = 60;
const ENDS = 150;

// The name of a row: of one site, or of several with the same inner end.
function pathText(i, depth, one) {
	const most = Math.min(depth || SHOWN, SHOWN), leaf = M.sites.leaf[i];
	const left = tellingChain(leaf, most + 1).frames.length > most;

	return tellingName((one ? enteredChain : tellingChain)(leaf, most)) +
		(left || M.sites.start[i] > 1 ? ' \u2190 \u2026' : '');
}

function siteType(i) {
	return M.sites.type[i] ? String.fromCharCode(M.sites.mark[i]) +
		text(M.sites.type[i] - 1) : '';
}

// The sites in the same group as this one.
function fellows(site, depth) {
	const g = groups(depth), out = [];

	for (let i = 0; i < M.sites.n; i++)
		if (g.of[i] === g.of[site])
			out.push(i);
	return out;
}

// Names and figures, one below the other.
function facts(list) {
	return el('dl', { class: 'facts' }, ...list.filter(Boolean)
		.flatMap(([k, v]) => [el('dt', {}, k), el('dd', {},
			typeof v === 'string' ? digits(v) : v)]));
}

function chainList(leaf) {
	const R = M.frames, F = M.funcs, all = chain(leaf);
	const left = all.length - 2 * ENDS;
	const some = all.map((f, i) => [f, i + 1]).filter(([, n]) => left < 2 ||
		n <= ENDS || n > all.length - ENDS);

	return el('ol', { class: 'chain' }, ...some.map(([f, n]) => {
		const fn = R.func[f];

		return el('li', { value: n }, left > 1 && n > ENDS &&
			n === all.length - ENDS + 1 ? aside('\u2026 ' + plural(
				left, 'frame')) : null, link(nameOf(fn), () =>
			openFunction(fn), F.label[fn]),
		R.inlined[f - 1] ? el('i', {}, ' (inlined)') : null,
		R.call[f - 1] ? el('div', { class: 'dim' },
			(lineOf(f) ? '' : F.module[fn] + ' ') +
			text(R.call[f - 1] - 1)) : F.file[fn]
			? el('div', { class: 'dim' }, F.file[fn] + ':' +
				F.line[fn]) : F.module[fn]
				? el('div', { class: 'dim' }, F.module[fn])
				: null);
	}));
}

const STARTS = ['', '', 'The call path was deeper than the limit: its ' +
	'start is missing.', 'The call path could not be followed to its start.'];

function sitePane(site, depth) {
	const s = M.sites, all = fellows(site, depth);
	const sum = (v) => all.reduce((n, i) => n + v[i], 0);
	const one = all.length === 1, sc = one && s.scores.get(site);
	const part = METRICS.filter((m) => known(m.id)).map((m) => {
		const n = sum(siteValues(m.id));

		return [metricName(m), el('span', {}, digits(show(m.id, n)),
			erred(m.id) ? errorNote(m.id, n,
				sum(siteValues('e_' + m.id))) : '', ' ', el('small', {}, percent(n, totalOf(m.id))))];
	});

	return [el('h3', {}, pathsOf(all) === 1 ? 'Call path' :
		plural(pathsOf(all), 'call path') + ' with these frames'),
	facts(part.concat([one && siteType(site) && ['type',
		el('span', {}, siteType(site))],
	one && !partial() && known('peak') && ['blocks at the peak',
		count(s.peak_blocks[site])],
	!partial() && ['reallocs', count(sum(s.reallocs))],
	!partial() && D.total.hidden && sum(s.hidden) && ['suppressed, ' +
		'not counted as not freed', bytes(sum(s.hidden))],
	!partial() && D.total.lives && ['freed by other threads',
		count(sum(s.by_others))],
	one && !partial() && s.timed[site] && ['mean lifetime',
		duration(s.mean[site])],
	!partial() && sum(s.handed) && handedFact(sum(s.handed),
		sum(s.handed_bytes)),
	!partial() && known('leaked') && ['leak check', ['lost', 'indirect',
		'interior', 'reachable'].map((k) => k + ' ' + bytes(
		sum(s[k]))).join(', ')],
	sc && ['severity', count(s.severity[site]) + ' of 12'],
	sc && ['cover', score(sc[3])],
	sc && ['scores', 'lifetime ' + score(sc[0]) + ', usage ' +
		score(sc[1]) + ', useful ' + score(sc[2])]])),
	one && !partial() && s.spread[site] ? livesOf(site) : null,
	sc ? flagList(site) : null,
	el('p', {}, link('in the flame graph', { view: 'flame', mode: 'icicle',
		zoom: '', at: String(s.leaf[site]) }), ...M.time ? ['; ', link(
		'over time', { view: 'time', paint: '' })] : [], ...M.log
		? ['; ', link('its blocks', { view: 'blocks', by: '' })] : [], '; ',
	copyButton(() => chain(s.leaf[site]).map((f) => nameOf(M.frames.func[f]) +
		(lineOf(f) ? ' (' + lineOf(f) + ')' : '')).join('\n'))),
	...heldParts(site, all), el('h4', {}, 'Frames, the innermost first'),
	chainList(s.leaf[site]), STARTS[s.start[site]]
		? aside(STARTS[s.start[site]]) : null,
	one ? null : aside('These are the frames of one of them.')];
}

// The lifetimes of a site's freed blocks: a column for each factor of four,
// whose height is the share of the blocks.
function livesOf(site) {
	const t = text(M.sites.spread[site] - 1);
	const part = (c) => (c === '*' ? 'all' : c === '.' ? 'less than 10%'
		: c === ' ' ? 'none' : 'at least ' + c + '0%');

	return el('div', { class: 'bins lives', role: 'group', 'aria-label':
		'lifetimes' }, ...Array.from(t.padEnd(16), (c, k) => {
		const e = el('span', { class: 'fill' }), name = duration(4 **
			k) + ' to ' + duration(4 ** (k + 1)) + ': ' + part(c);

		e.style.height = (c === '*' ? 100 : c === '.' ? 4 : 10 * c) + '%';
		return el('div', { class: 'bin', role: 'img', title: name,
			'aria-label': name }, el('span', { class: 'room' }, e),
		el('small', {}, k % 5 ? '\u00a0' : ['1ns', '1us', '1ms', '1s',
			'17m'][k / 5]));
	}));
}

// The faults in the use of a site's blocks, and what to do.
function flagList(site) {
	const f = flagsOf(site);

	return el('dl', { class: 'facts flags' }, ...f.flatMap(([k, share]) => [
		el('dt', {}, D.flags[2 * k] + ' ' + share),
		el('dd', {}, D.flags[2 * k + 1])]));
}

// [flag, share as text] for each flag of a site.
function flagsOf(site) {
	const f = M.sites.flags.get(site) || [];

	return f.filter((x, i) => i % 2 === 0).map((k, i) => [k,
		text(f[2 * i + 1])]);
}

// Some accesses to these blocks are unknown.
function handedFact(blocks, of) {
	return ['passed to unrecorded code', plural(blocks, 'block') +
		', ' + bytes(of)];
}

function lineColumn(text) {
	return { id: 'line', title: 'line', left: true, width: 7,
		fit: innerWidth > 1300 ? 22 : innerWidth > 700 ? 14 : 10,
		hint: 'the innermost call in the program\u2019s own code',
		value: text, text: text };
}

function siteColumns(depth) {
	const g = groups(depth), s = M.sites, by = (id) => {
		const v = groupValues(id, depth);

		return (i) => v[i];
	};
	const only = (i) => (g.sites[i] === 1 ? g.first[i] : -1);
	// All texts of a group's sites.
	const all = (text) => {
		const seen = g.first.map(() => new Set());

		g.of.forEach((k, i) => seen[k].add(text(i)));
		return seen.map((t) => Array.from(t).filter(Boolean).join(', '));
	};
	const lines = all((i) => lineOf(ownOrLeaf(i))), types = all(siteType);
	const list = [];

	for (const id of withChosen(['peak', 'grown', 'kept', 'leaked', 'bytes',
		'allocs', 'frees', 'reads', 'writes', 'temps', 'save', 'pinned']))
		if (known(id) && (!['temps', 'save', 'pinned'].includes(id) &&
			(id !== 'leaked' || totalOf(id)) || S.metric === id))
			list.push(...erringColumns(id, by(id), () => by('e_' +
				id)), ...id === S.metric ? [shareColumn(id,
				by(id))] : []);
	if (D.total.lives && !partial() && s.timed.some(Boolean)) {
		const mean = groupMeans(depth);

		list.push({ id: 'mean', title: 'mean life',
			hint: 'mean lifetime of the freed blocks; -: ' +
				'none was freed', value: (i) => mean[i],
			text: (i) => (mean[i] < 0 ? '-'
				: duration(Math.round(mean[i]))) });
	}
	if (s.scores.size && !partial())
		list.push({ id: 'severity', title: 'severity',
			hint: '1 is fine, 12 the worst',
			value: (i) => (only(i) < 0 ? 0 : s.severity[only(i)]),
			text: (i) => (only(i) >= 0 && s.severity[only(i)]
				? count(s.severity[only(i)]) : '-') });
	if (s.type.some(Boolean))
		list.push({ id: 'type', title: 'type', left: true, width: 6,
			fit: innerWidth > 1300 ? 16 : 8,
			hint: 'of the blocks; =: for sure, ~: as the code ' +
				'around the allocation has it',
			value: (i) => types[i], text: (i) => types[i] });
	if (lines.some(Boolean))
		list.unshift(lineColumn((i) => lines[i]));
	list.unshift({ id: 'path', title: 'call path, innermost first',
		left: true, least: 17,
		value: (i) => pathText(g.first[i], depth, only(i) >= 0),
		text: (i) => pathText(g.first[i], depth, only(i) >= 0),
		full: (i) => chain(s.leaf[g.first[i]], SHOWN).map((f) =>
			M.funcs.label[M.frames.func[f]]).join('\n') });
	return list;
}

function viewSites() {
	const joined = () => !S.only && groups(S.depth).first.length < M.sites.n;
	const pane = el('aside', { class: 'pane', 'aria-label': 'call path' });
	const tools = el('div', { class: 'sub' });
	const rows = (on) => {
		const g = groups(S.depth), test = matcher(), out = new Set();
		const some = S.only && siteValues('allocs');

		if (!on && !some)
			return Array.from(g.first.keys());
		for (let i = 0; i < M.sites.n; i++)
			if ((!some || some[i]) && (!on || on[M.sites.leaf[i]] ||
				test(siteType(i))))
				out.add(g.of[i]);
		return Array.from(out).sort((a, b) => a - b);
	};
	const table = makeTable({ id: 'sites', label: 'Call paths',
		get noun() {
			return joined() ? 'row' : 'call path';
		}, get hint() {
			return joined() && 'of ' + plural(M.sites.n, 'call ' +
				'path') + ', those with equal frames share a row';
		}, first: 'kept',
		columns: () => siteColumns(S.depth),
		of: () => rows(null).length, rows: () => rows(matchedPaths()),
		pick: (i, stay) => go({ site: groups(S.depth).first[i] },
			stay),
		picked: (i) => S.site >= 0 &&
			groups(S.depth).of[S.site] === i });

	const box = el('section', { class: 'split' }, tools, table.box, pane);

	return { id: 'sites', name: 'Call paths', box: box, update() {
		box.classList.toggle('alone', S.site < 0);
		const choose = el('select', { onchange: (e) => go({
			depth: Number(e.target.value) }) });

		for (const d of Array.from(new Set([1, 2, 3, 5, 8, 16, 0,
			S.depth])).sort((a, b) => (a || 1e9) - (b || 1e9)))
			choose.append(el('option', { value: d,
				selected: d === S.depth }, d ? count(d)
				: 'all'));
		fill(tools, el('label', {}, 'frames shown: ', choose),
			S.site < 0 ? el('span', { class: 'dim' }, 'a click on ' +
				'a row shows its whole call path') : null,
		folds() ? el('span', { class: 'dim hint' }, '[std]: functions of ' +
			"the language's library") : null);
		table.update();
		fillPane(pane, { site: -1 }, S.site < 0 ? null
			: sitePane(S.site, S.depth));
	}, resize: () => table.draw() };
}
