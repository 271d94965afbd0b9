# SPDX-License-Identifier: GPL-3.0-or-later
#
#	perl html_keys.pl CHROMIUM
#
# The checks of t/html-keys.t on its pages.  Prints a line "1 what" or "0 what"
# for each check.
use strict;
use warnings;
use File::Basename;
use lib dirname(__FILE__);
use checks;

my $now = "document.querySelector('main > section:not([hidden])')";

sub focus { $web->run("$now.querySelector('$_[0]').focus()") }

# The name or the text of the element that has the focus.
sub focused
{
	return $web->run("document.activeElement.getAttribute('aria-label') || " .
		"document.activeElement.textContent.trim().slice(0, 40)");
}

sub hash { $web->run('location.hash') }

# The first column of the chosen row.
sub picked
{
	return $web->run("(() => { const e = $now.querySelector('tr.picked'); " .
		"return e ? e.textContent : '' })()");
}

# ------------------------------------------------- the focus isn't lost --

view('many', 'view=sites');
focus('[data-column=allocs]');
$web->key('Enter');
is(focused() =~ s/ .*//r, 'allocs', 'a column that was sorted has the focus');
view('many', 'view=flame');
focus('.choice button:nth-child(3)');
$web->key('Enter');
is(focused(), 'Callers', '... and a choice');
view('many', '');
focus('.figure:nth-child(3)');
my $figure = focused();
$web->key('Enter');
is(focused(), $figure, '... and a figure of the summary');
focus('.card .link');
$web->key('Enter');
is(focused(), 'Call paths', '... or the table of the view that is opened');
$web->run("$now.querySelector('.close').focus()");
$web->key('Enter');
is(focused(), 'Call paths', '... and when the pane is closed');
view('many', 'view=sites');
for (qw(Enter Escape)) {
	$web->key('/');
	$web->key($_);
	is(focused(), 'Call paths', "... $_ leads from the search to the table");
}
view('many', '');
focus('.plot.small canvas');
$web->key('Enter');
ok(hash() =~ /view=time/, 'the small plot opens Time by a key');

# -------------------------------------------- the keys choose any row --

view('many', 'view=sites&metric=bytes');
$web->key(3);
is($web->run("document.activeElement.getAttribute('role')"), 'grid',
	'a table whose rows can be chosen is a grid');
$web->key('End');
my $last = $web->run("(() => { const all = $now.querySelectorAll(" .
	"'tr[data-row]'); return all[all.length - 1].textContent })()");
is(picked(), $last, '... End chooses the last row');
ok($web->run("(() => { const e = document.getElementById(document" .
	".activeElement.getAttribute('aria-activedescendant')); return e && " .
	"e.matches('.picked[aria-selected=true]') })()"),
	'... which a reader is told of');
$web->key('Home');
ok(picked() ne $last, '... and Home the first');
for (['many', 7, 'view=threads', 2, qr/only=t\d.*view=sites|view=sites.*only=t\d/],
	['log', 9, 'view=blocks', 3, qr/view=sites.*site=\d/]) {
	my ($page, $key, $hash, $down, $to) = @$_;

	view($page, $hash);
	focus('.scroll table') if $page eq 'log';
	$web->key($key) if $page eq 'many';
	my $was = hash();
	$web->key('ArrowDown') for 1 .. $down;
	is(hash(), $was, "$hash: the arrow keys stay in the view");
	my ($row, $name) = @{$web->run("(() => { const all = Array.from($now" .
		".querySelectorAll('tr[data-row]')); const at = all.findIndex(" .
		"(e) => e.matches('.picked')); return [at, $now.querySelector(" .
		"'tr.picked td.text')?.textContent] })()")};
	is($row, $down - 1, '... and walk its rows');
	$web->key('Enter');
	ok(hash() =~ $to, '... Enter opens the chosen one') or
		print STDERR hash(), "\n";
	next unless $page eq 'many';
	ok(index($web->run("document.querySelector('.span').textContent"),
		$name // '?') >= 0, '... and no other');
}

view('diff', 'view=compare');
focus('.scroll table');
$web->key('ArrowDown') for 1 .. 2;
ok(hash() =~ /row=\d/ && $web->run("$now.querySelector('.pane .chain') !== null"),
	'changes: the keys choose a row, the pane has its frames');
$web->key('Escape');
ok(hash() !~ /row=/, '... until Esc');

# The hints of columns are in a list, which a key opens.
view('many', 'view=sites');
focus('.meanings summary');
$web->key('Enter');
ok($web->run("$now.querySelector('.meanings').innerText") =~
	/^leaked\s+leaked: lost or indirectly lost\s+%.*at peak\s+held at the peak/ms,
	'the meanings of columns, by a key');

view('many', 'view=sites&re=1&q=%28');
is($web->run("document.querySelector('[title^=\"the search\"]').textContent"),
	'not a regex', 'a search that is no regular expression is named');

# A view without a metric has no room for it in a narrow window.
view('many', 'view=time', 480);
is($web->run("document.querySelector('header select').getClientRects().length"),
	0, 'a view without a metric keeps no place for it');

# ------------------------------------------------------------- figures --

view('many', '');
my ($row) = grep { /^make/ } @{$web->run("Array.from($now.querySelectorAll(" .
	"'[aria-label=Allocations] tr.go'), (e) => e.textContent)")};
ok(($row // '') =~ /21200 bytes/, 'Allocations have their bytes') or
	print STDERR $row // '', "\n";
($row) = grep { /^make/ } @{$web->run("Array.from($now.querySelectorAll(" .
	"'[aria-label=Short-lived] tr.go'), (e) => e.textContent)")};
ok(($row // '') =~ / of 530500/, '... and short-lived ones those of their line') or
	print STDERR $row // '', "\n";

# A click on a box doesn't move the graph.
my $top = "$now.querySelector('.flame').getBoundingClientRect().top";
my @moved = grep {
	view('many', 'view=flame&metric=bytes', $_);
	my $at = $web->run($top);
	$web->click($_ / 2, $at + 35);
	hash() !~ /zoom=/ || $web->run($top) != $at;
} map { 100 * $_ } 7 .. 14;
ok(!@moved, 'zooming leaves the graph in place') or print STDERR "@moved\n";

# -------------------------------- contrast, size, and focus, everywhere --

# Texts with a contrast below 4.5, and, if `fingers', targets below 24 pixels and
# tables without room.
my $faults = <<'END_OF_SCRIPT';
((fingers) => {
	const colour = (s) => {
		const srgb = s.startsWith('color(srgb');
		const v = s.match(/[\d.]+/g).map(Number);

		return v.slice(0, 3).map((x) => x * (srgb ? 255 : 1)).concat(
			v.length > 3 ? v[3] : 1);
	};
	const over = (a, b) => [0, 1, 2].map((i) => a[i] * a[3] + b[i] *
		(1 - a[3])).concat(1);
	const light = (c) => [.2126, .7152, .0722].reduce((n, part, i) => n +
		part * (c[i] / 255 <= .03928 ? c[i] / 255 / 12.92
			: ((c[i] / 255 + .055) / 1.055) ** 2.4), 0);
	const ground = (e) => {
		const c = colour(getComputedStyle(e).backgroundColor);

		return c[3] === 1 ? c : over(c, e.parentElement
			? ground(e.parentElement) : [255, 255, 255, 1]);
	};
	const shown = (e) => e.getClientRects().length &&
		getComputedStyle(e).visibility !== 'hidden';
	const all = document.createTreeWalker(document.getElementById('app'),
		NodeFilter.SHOW_TEXT), out = new Set();

	while (all.nextNode()) {
		const e = all.currentNode.parentElement;

		if (!all.currentNode.textContent.trim() || !shown(e))
			continue;
		const b = ground(e), c = over(colour(getComputedStyle(e).color), b);
		const [low, high] = [light(b), light(c)].sort((x, y) => x - y);
		const r = (high + .05) / (low + .05);

		if (r < 4.5)
			out.add(e.tagName + '.' + e.className + ' ' + r.toFixed(2) +
				' ' + e.textContent.slice(0, 20));
	}
	for (const e of fingers ? document.querySelectorAll('#app :is(button, ' +
		'select, input, summary, tr.go, tr[data-row], label)') : []) {
		const r = e.getBoundingClientRect();

		// A row is larger than what is in it.
		if (shown(e) && (r.width < 24 || r.height < 24) && !e.matches(
			'tr.go *, tr[data-row] *'))
			out.add(e.tagName + '.' + e.className + ' ' + r.width +
				' x ' + r.height + ' ' + e.textContent.slice(0, 20));
	}
	for (const e of document.querySelectorAll('#app .scroll'))
		if (shown(e) && e.clientHeight < 60)
			out.add('a table of ' + e.clientHeight + ' pixels');
	for (const e of fingers ? document.querySelectorAll('#app .pane') : [])
		if (shown(e) && e.querySelector('.near') && e.scrollWidth > 480)
			out.add('a pane of ' + e.scrollWidth + ' pixels');
	return Array.from(out);
})
END_OF_SCRIPT

# Is what has the focus in sight, with an outline?  A table is larger than what
# is in sight of it.
my $seen = <<'END_OF_SCRIPT';
(() => {
	const e = document.activeElement;
	const box = e.tagName === 'TABLE' ? e.parentElement : e;
	const r = box.getBoundingClientRect(), s = getComputedStyle(box);
	const at = document.elementFromPoint(r.left + r.width / 2, r.top +
		Math.min(r.height / 2, 12));

	if (e === document.body)
		return '';
	return (r.left > -1 && r.right < innerWidth + 1 && r.top > -1 && r.bottom <
		innerHeight + 1 && s.outlineStyle !== 'none' && at &&
		(box.contains(at) || at.contains(box)) ? '+' : '-') + e.tagName +
		'.' + e.className + ' ' + (e.getAttribute('aria-label') ||
		e.textContent).slice(0, 30);
})()
END_OF_SCRIPT

my @pages = ('many', 'diff', 'log', -s "$dir/used.html" ? 'used' : ());
for my $page (@pages) {
	view($page, '', 480);
	my @views = @{$web->run("Array.from(document.querySelectorAll(" .
		"'[data-view]'), (e) => e.dataset.view)")};
	my @nameless;
	for my $v ($page =~ /^(log|used)$/ ? @views : ()) {
		$web->run("location.hash = 'view=$v'");
		$web->until("location.hash.includes('$v') && $now");
		push @nameless, map { "$v: $_->{role}{value}" } grep {
			!$_->{ignored} && $_->{role}{value} =~ /^(?:application|
			button|columnheader|grid|image|table|treegrid)$/x &&
			($_->{name}{value} // '') eq '' } @{$web->call(
			'Accessibility.getFullAXTree')->{nodes}};
	}
	is("@nameless", '', "$page: names for a reader") if $page =~ /^(log|used)$/;
	for my $theme (qw(light dark)) {
		my @bad;
		for my $v (@views, 'sites&site=0', 'functions&fn=0', 'types&type=0',
			'flame&colour=severity') {
			$web->run("location.hash = 'view=$v&theme=$theme&metric=bytes'");
			$web->until("location.hash.includes('$v') && $now");
			push @bad, map { "$v: $_" } @{$web->run("new Promise((r) => " .
				"requestAnimationFrame(() => r($faults(true))))")};
		}
		ok(!@bad, "$page, $theme: texts and targets can be seen and touched") or
			print STDERR join("\n", @bad), "\n";
	}
}

# The keys of the keyboard reach everything, and the focus is in sight.
for my $v ('summary', 'flame', 'sites&site=0', 'functions&fn=0', 'types', 'sizes',
	'threads', 'time') {
	view('many', "view=$v", 480);
	my (@bad, %names);
	for (1 .. 150) {
		$web->key('Tab', windowsVirtualKeyCode => 9);
		$web->run('new Promise((r) => requestAnimationFrame(r))');
		my $at = $web->run($seen);
		last if $at eq '';
		push @bad, $at if $at =~ /^-/;
		$names{$at}++;
	}
	ok(!@bad && keys %names > 12, "480 pixels wide, Tab: $v") or
		print STDERR join("\n", @bad), "\n";
}

my @errors = splice @{$web->{errors}};
ok(!@errors, 'no errors, no words on the console');
print STDERR "$_\n" for @errors;
