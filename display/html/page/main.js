// SPDX-License-Identifier: GPL-3.0-or-later
// The frame around the views: bar, keys, help, theme.

const views = []; // in the order of the keys 1 to 9

function isDark() {
	const t = document.documentElement.dataset.theme;

	return t ? t === 'dark'
		: matchMedia('(prefers-color-scheme: dark)').matches;
}

function toggleTheme() {
	go({ theme: isDark() ? 'light' : 'dark' }, true);
}

// Print in the light theme.
function printLight() {
	let was;

	addEventListener('beforeprint', () => {
		was = [document.documentElement.dataset.theme, S.theme];
		S.theme = 'light';
		render();
	});
	addEventListener('afterprint', () => {
		S.theme = was[1];
		if (was[0])
			document.documentElement.dataset.theme = was[0];
		else
			delete document.documentElement.dataset.theme;
		render();
	});
}

const HELP = [['1 \u2013 9', 'open a view'], ['/', 'search'],
	['Esc', 'close, or forget the search, the zoom, the span'],
	['m', 'next metric'], ['h', 'digits, or K, M, G'],
	['n', 'C++ names in short or in full'], ['t', 'dark or light'],
	['\u2190 \u2192 \u2191 \u2193',
		'walk the flame graph, a table (also Home, End, Page \u2191, ' +
		'Page \u2193), or the span of time; open and ' +
		'close rows of the tree of holders'],
	['+ \u2212', 'more or less of the graph, of the time or the blocks; with the ' +
		'mouse: Ctrl and the wheel; drag to move along, in the time with ' +
		'Shift'],
	['Delete', 'leave out the call paths through the frame; with Shift, hide ' +
		'the frame: what it allocated counts for its callers'],
	['Enter', 'zoom into the frame, or open the row; in the search field, go to the next ' +
		'match in the graph, with Shift to the one before, ' +
		'or to the table'], ['Backspace', 'zoom out'],
	['Shift \u2190 \u2192', 'make the span of time shorter or longer'],
	['?', 'this help']];
const SIGNS = [['a \u2190 b', 'a, called by b'],
	['a (\u2192 c), a \u2192 c', 'a, which called c of the language\u2019s library'],
	['a in <cycle: b, c>', 'a, in a recursion that is entered by b'],
	['[std]', 'functions of the language\u2019s library, put together'],
	['\u2026', 'more of the path, left out'],
	['=T, ~T', 'blocks of type T: for sure; as the code around the ' +
		'allocation has it'],
	['-', 'not known, or there is none'],
	['total', 'of a function, with what it called'],
	['of others', 'frees of blocks that other threads allocated'],
	['+-', 'one standard error, of what was sampled; or, of the peak, ' +
		'how exact it is']];

function listOf(signs) {
	return el('dl', { class: 'facts' }, ...signs.flatMap(([k, t]) => [
		el('dt', {}, el('kbd', {}, k)), el('dd', {}, t)]));
}

function makeHelp() {
	const box = el('dialog', { class: 'help', 'aria-label': 'help' }, el('h3', {}, 'Keys'),
		listOf(HELP), el('h3', {}, 'Signs'), listOf(SIGNS.concat([
			['short-lived', metric('temps').hint]])),
		el('p', { class: 'dim' }, 'The address behind # holds the ' +
			'view: a link to it shows the same. Numbers are ' +
			'those of the tables of mpreduce(1).'),
		el('form', { method: 'dialog' }, el('button', {}, 'Close')));

	box.querySelector('form').addEventListener('submit', (e) => {
		e.preventDefault();
		box.close();
	});
	return box;
}

// The metrics that the view can show.
function chosen(view) {
	return METRICS.filter((m) => !m.column && known(m.id) &&
		(!view.metrics || view.metrics.includes(m.id)));
}

let controls = null; // the controls that show the state

function makeBar(help) {
	const b = { tabs: el('nav', { class: 'tabs', 'aria-label': 'views' }),
		metric: el('select', { 'aria-label': 'metric', onchange: (e) =>
			go({ metric: e.target.value }) }),
		search: el('input', { type: 'search', placeholder: 'search  /',
			'aria-label': 'search', spellcheck: 'false' }),
		re: el('button', { title: 'the search is a regular expression',
			onclick: () => go({ re: S.re ? 0 : 1 }, true) },
		'regex'),
		span: el('button', { class: 'span', onclick: () => go(WHOLE) }),
		full: el('button', { title: 'C++ names with their arguments',
			onclick: () => go({ full: S.full ? 0 : 1 }) },
		'full names'),
		human: el('button', { title: 'numbers with all their digits, ' +
			'or with K, M, G',
			onclick: () => go({ human: S.human ? 0 : 1 }) },
		'all digits'),
		theme: el('button', { onclick: toggleTheme }, 'dark') };

	let timer = 0;
	b.search.addEventListener('input', () => {
		clearTimeout(timer);
		// A search in a view without rows leads to the call paths.
		timer = setTimeout(() => go(['summary', 'time', 'allocator']
			.includes(S.view) && b.search.value ? { q: b.search.value,
				view: 'sites' } : { q: b.search.value }, true),
			M.sites.n > 20000 ? 180 : 40);
	});
	b.box = el('header', {}, el('h1', { class: 'program', title:
		D.program }, M.program), b.tabs, el('div', { class: 'tools' },
		b.span, b.metric, b.search, b.re, b.human, b.full,
		b.theme, el('button', { title: 'keys', onclick:
			() => help.showModal() }, 'help')));
	fill(b.tabs, ...views.map((v, i) => el('button', { 'data-view': v.id,
		title: v.name + ' (' + (i + 1) % 10 + ')',
		onclick: () => go({ view: v.id }) }, v.name)));
	return b;
}

function showBar(now) {
	const b = controls, id = shownMetric(now);

	for (const t of b.tabs.children)
		t.toggleAttribute('aria-current', t.dataset.view === S.view);
	b.metric.classList.toggle('none', !chosen(now).length);
	fill(b.metric, ...chosen(now).map((m) => el('option', { value: m.id,
		selected: m.id === id }, metricName(m))));
	if (document.activeElement !== b.search)
		b.search.value = S.q;
	matcher();
	b.search.classList.toggle('bad', wanted.bad);
	b.search.setAttribute('aria-invalid', String(wanted.bad));
	fill(b.re, wanted.bad ? 'not a regex' : 'regex');
	b.re.setAttribute('aria-pressed', String(Boolean(S.re)));
	b.human.setAttribute('aria-pressed', String(!S.human));
	b.full.hidden = !M.funcs.label.some((t, i) => t !== M.funcs.brief[i]);
	b.full.setAttribute('aria-pressed', String(Boolean(S.full)));
	b.theme.setAttribute('aria-pressed', String(isDark()));
	b.span.hidden = !partial() && !S.hide;
	fill(b.span, [spanned() && spanText(), S.only && onlyText(), hideText()]
		.filter(Boolean).join(', ') + ' \u00d7');
	b.span.title = 'back to the whole run';
}

// Focus the first part of a view that the keys walk.
function focusView(view) {
	const at = view.box.querySelector('[tabindex]');

	if (at)
		at.focus({ preventScroll: true });
}

// An element's name.  The element that replaces it has the same name.
function nameFor(e) {
	return e.dataset.column || e.getAttribute('aria-label') || e.textContent;
}

// Call update(), which replaces elements or shows another view.  Then focus the
// element that replaces the focused one, or the view.
function keepFocus(now, update) {
	const was = document.activeElement, name = nameFor(was);
	const alike = () => Array.from(document.querySelectorAll(was.tagName))
		.filter((e) => nameFor(e) === name);
	const gone = () => !was.isConnected || !was.getClientRects().length;

	if (was === document.body || gone())
		return update();
	const at = alike().indexOf(was);
	update();
	if (!gone())
		return;
	const to = alike()[at];
	if (to && to.getClientRects().length)
		to.focus({ preventScroll: true });
	else
		focusView(now);
}

function render() {
	const now = views.find((v) => v.id === S.view);

	keepFocus(now, () => renderView(now));
}

function renderView(now) {

	if (S.theme)
		document.documentElement.dataset.theme = S.theme;
	for (const v of views) {
		if (v !== now && !v.box.hidden && v.leave)
			v.leave();
		v.box.hidden = v !== now;
	}
	document.title = M.program + ' - ' + now.name + ' - memory profile';
	showBar(now);
	whole.hidden = !(partial() && (now.whole || threaded() &&
		now.id === 'time') || S.hide && now.id === 'ranks');
	sampled.hidden = !D.sampled;
	sampled.textContent = D.sampled ? sampledText() : '';
	now.update();
}

const whole = el('p', { class: 'whole', role: 'status', hidden: true },
	el('b', {}, 'Of the whole run'), ': what is chosen has ' +
	'no effect in this view.');
const sampled = el('p', { class: 'whole', role: 'status', hidden: true });

// The conditions of the run, above all views.  `sampled' shows sampling.
function conditions() {
	const all = D.conditions.filter((c) => c.name !== 'sampled');

	return all.length ? el('ul', { class: 'notices conditions' },
		...all.map((c) => el('li', {}, ...grouped((c.name === 'snapshot'
			? '' : c.name + ': ') + c.text.replace('\n', ' '))))) : null;
}

function escape() {
	if (S.q)
		controls.search.value = '';
	const view = views.find((v) => v.id === S.view);

	if (document.activeElement === controls.search) {
		controls.search.blur();
		focusView(view);
	}

	if (S.q)
		go({ q: '' });
	else if (view.back && view.back())
		return;
	else if (S.zoom && S.view === 'flame')
		go({ zoom: '', at: '' });
	else if (S.hzoom && S.view === 'held')
		go({ hzoom: '', hat: '' });
	else if (partial() || S.hide)
		go(WHOLE);
	else
		go({ fn: -1, site: -1, row: -1, type: -1,
			bin: -1, at: '', hat: '' });
}

function pressed(e, help) {
	const typing = e.target.matches &&
		e.target.matches('input[type=search], select, textarea');

	if (help.open || e.ctrlKey || e.metaKey || e.altKey)
		return;
	if (e.key === 'Escape')
		return escape();
	if (typing) {
		const view = views.find((v) => v.id === S.view);

		if (e.key === 'Enter' && e.target === controls.search)
			view.next ? view.next(e.shiftKey ? -1 : 1)
				: focusView(view);
		return;
	}
	const n = Number(e.key) || (e.key === '0' ? 10 : 0);
	const now = views.find((v) => v.id === S.view), metrics = chosen(now);
	if (n >= 1 && n <= views.length) {
		go({ view: views[n - 1].id });
		focusView(views[n - 1]);
	} else if (e.key === '/') {
		controls.search.focus();
		controls.search.select();
	} else if (e.key === '?') {
		help.showModal();
	} else if (e.key === 'm' && metrics.length) {
		go({ metric: metrics[(metrics.findIndex((m) => m.id ===
			shownMetric(now)) + 1) % metrics.length].id });
	} else if (e.key === 'h') {
		go({ human: S.human ? 0 : 1 });
	} else if (e.key === 'n') {
		go({ full: S.full ? 0 : 1 });
	} else if (e.key === 't') {
		toggleTheme();
	} else {
		return;
	}
	e.preventDefault();
}

function start() {
	const app = document.getElementById('app'), help = makeHelp();

	load();
	S = { view: '', only: '', hide: '', human: 0, a: -1, b: -1, q: '', re: 0, metric: '' };
	views.push(viewSummary(), viewFlame(), viewSites(), viewFunctions(),
		viewTypes(), viewSizes(), viewThreads(), viewTime());
	if (M.graph)
		views.push(viewHeld());
	if (D.allocator)
		views.push(viewAllocator());
	if (D.ranks)
		views.push(viewRanks());
	if (D.modules)
		views.push(viewModules());
	if (M.old)
		views.push(viewCompare());
	if (M.log)
		views.push(viewBlocks());
	readState();
	controls = makeBar(help);
	app.append(controls.box, el('main', {}, conditions(), sampled, whole, ...views.map((v) =>
		v.box)), help);
	const again = () => {
		readState();
		render();
	};
	printLight();
	addEventListener('popstate', again);
	addEventListener('hashchange', again);
	addEventListener('keydown', (e) => pressed(e, help));
	// Browsers leave an element as it is if a part of it is in sight.
	addEventListener('focusin', (e) => e.target.matches(
		':focus-visible:not(table)') && e.target.scrollIntoView({
		block: 'nearest', inline: 'nearest' }));
	addEventListener('resize', later(() => {
		const v = views.find((x) => x.id === S.view);

		if (v.resize)
			v.resize();
	}));
	matchMedia('(prefers-color-scheme: dark)').addEventListener('change',
		() => render());
	render();
}
