# SPDX-License-Identifier: GPL-3.0-or-later
#
# html.pl runs this for each page: it opens every view of the page and compares
# it with mpreduce --json.  Prints a line "NAME 1 what" or "NAME 0 what" for
# each check.
use strict;
use warnings;
no warnings 'redefine';
use File::Basename;
use JSON::PP;

our ($web, $name, %with); # the browser; whose page it is; what it has
my $dir = $ENV{T} or die "no \$T\n";
my $page = "$dir/$name.html";
open my $f, '<:raw', "$name.json" or die "$name.json: $!\n";
our $json = JSON::PP->new->utf8->decode(do { local $/; <$f> });

sub ok($$)
{
	my ($ok, $what) = @_;
	print "$name ", $ok ? 1 : 0, " $what\n";
	return $ok;
}

# Two lists of texts are the same.
sub same($$$)
{
	my ($got, $want, $what) = @_;
	my $g = join "\n", @$got;
	my $w = join "\n", @$want;
	ok($g eq $w, $what) or print STDERR "got:\n$g\nexpected:\n$w\n";
}

sub sum { my $n = 0; $n += $_ for @_; return $n }

# Another place of the page, or the page loaded again, as by a link.
my $loaded = 0;
sub view
{
	my ($hash, $anew) = @_;
	return $web->run("history.pushState(null, '', '#$hash'); " .
		"dispatchEvent(new HashChangeEvent('hashchange'))")
		if $loaded++ && !$anew;
	$web->open("file://$page#$hash", 1400, 900);
}

# The texts of a table's rows: of the columns with these numbers or titles;
# doesn't count the columns of standard errors (or, with `errors', the other
# columns).
my $errors = 0;
sub rows
{
	my ($selector, @columns) = @_;
	my $list = join ',', map { /^\d+\z/ ? $_ : "'$_'" } @columns;
	return @{$web->run("Array.from(document.querySelectorAll(" .
		"'main > section:not([hidden]) $selector'), (r) => { const " .
		"head = Array.from(r.closest('table').tHead.rows[0].cells, " .
		"(c) => c.textContent.replace(/ [\x{25b2}\x{25bc}]\$/, '')); " .
		"const on = (t, i) => head[i].startsWith('+-') == $errors; " .
		"const some = Array.from(r.cells).filter(on), names = " .
		"head.filter(on); return [$list].map((i) => some[typeof i === " .
		"'number' ? i : names.indexOf(i)].textContent.trim())" .
		".join(' ') })")};
}

sub shot
{
	my $what = shift;
	$web->shot("$dir/$name-$what.png") if $ENV{HTML_SHOTS};
	return;
}

# ---------------------------------------------------------------- views --

my @views = qw(summary flame sites functions types sizes threads time);
for my $i (0 .. $#views) {
	view('view=summary');
	$web->key($i + 1);
	ok($web->run("location.hash.includes('view=$views[$i]') || " .
		"'$views[$i]' === 'summary'") && $web->run("document" .
		".querySelectorAll('main > section:not([hidden])').length") == 1,
		"key " . ($i + 1) . ": $views[$i]");
	ok($web->shot("$dir/$name-$views[$i].png") > 5000,
		"$views[$i]: a picture") if $with{shots};
	$web->key('t');
	shot("$views[$i]-other");
}

# The bar shows its words and stays in its place; a choice there changes the
# view.
my $bar = "document.querySelector('header')";
my $select = "$bar.querySelector('select')";
my @high;
for (@views) {
	view("view=$_&metric=allocs");
	push @high, $web->run("$bar.offsetHeight");
	my $n = $web->run("getComputedStyle($select).visibility === 'visible' " .
		"? $select.value : ''");
	my @row = rows('thead tr', 0 .. 2);
	ok($_ eq 'time' ? $n eq '' : $n eq 'allocs' || $_ eq 'threads' &&
		!@row, "$_: the metric is chosen where it matters");
}
ok(!grep({ $_ != $high[0] } @high), 'the bar stays as high as it is');
view('view=sizes&metric=peak');
ok($web->run("$select.value") eq 'bytes' && (rows('thead tr', 1))[0]
	eq '% bytes', 'sizes: of a metric that they have');
ok(!grep({ !/^[a-z][a-z ]+$/ } @{$web->run("Array.from($bar.querySelectorAll(" .
	"'.tools button:not(.span)'), (b) => b.textContent)")}),
	'the buttons have words');
for (['sites', 'site'], ['functions', 'fn'], ['types', 'type']) {
	my ($view, $id) = @$_;
	view("view=$view&$id=0");
	my $open = $web->run("Boolean(document.querySelector(" .
		"'section:not([hidden]) .close'))");
	$web->run("document.querySelector('section:not([hidden]) .close')" .
		".click()") if $open;
	ok($open && $web->run('location.hash') !~ /\b$id=/,
		"$view: what is open has a button that closes it");
}

# ------------------------------------------------------------ the summary --

view('view=summary');
our $t = $json->{totals};
my $figures = $web->run("Array.from(document.querySelectorAll('.figure b'), " .
	"(e) => e.textContent)");
my @want = ($t->{kept}, $t->{bytes}, $t->{allocs});
unshift @want, sum(map { $_->{count}{peak} } @{$json->{sites}})
	if $t->{peak_known};
push @want, $t->{life}{temps} if !$with{sampled} && $t->{life}{temps};
push @want, 0 if $with{rules}; # of a leak check
same($figures, \@want, 'summary: the figures');
ok($web->run("document.querySelector('.prolog').textContent")
	=~ /allocations\Q$t->{allocs}\E/, 'summary: the prolog');

ok($web->run("document.querySelector('.figure[aria-pressed=true] > span')" .
	".textContent") eq ($t->{kept} ? 'not freed'
	: 'held at the peak'), 'summary: what a terminal has first is chosen');
if ($web->run("Boolean(document.querySelector('.plot.small'))")) {
	ok($web->run("document.querySelector('.plot.small canvas')" .
		".getAttribute('aria-label')") =~ ($t->{peak_known} ?
		qr/^live bytes over time, peak $want[0]( \(\+- \d+\))?; opens/
		: qr/^live bytes over time; opens Time$/),
		'summary: the plot has the same peak');
	# Two calls in one line may look alike.
	my @legend = @{$web->run("Array.from(document.querySelectorAll(" .
		"'section:not([hidden]) .legend li'), (e) => [e.textContent" .
		".replace(/^\\d/, ''), (e.querySelector('button') || e).title])")};
	my %legend = map { ($_->[0] => 1) } @legend;
	my %paths = map { ("@$_" => 1) } @legend;
	@legend = map { $_->[0] } @legend;
	ok(@legend && keys %legend == keys %paths, 'summary: its legend tells ' .
		'call paths apart') or print STDERR join("\n", @legend), "\n";
}
$web->run("document.querySelectorAll('.figure')[1].click()");
ok($web->run("document.querySelectorAll('.figure')[1].ariaPressed") eq 'true'
	&& $web->run("document.querySelector('.cards h3').textContent") eq
	'Call paths: ' . $web->run("document.querySelectorAll('.figure')[1]" .
	".firstChild.textContent"), 'summary: a figure chooses what is listed');

# ---------------------------------------------------------- the functions --

my @all = @{$json->{functions}};
my %seen;
$seen{$_->{name}}++ for @all;
my @plain = grep { $seen{$_->{name}} == 1 && $_->{name} !~ /[<( ]/ } @all;
view('view=functions&sort=functions.name&metric=bytes&lib=1');
our $peak = $t->{peak_known} ? 1 : 0;
my @at = ('not freed', 'bytes', 'allocs');
my @total = map { "total $_" } @at;
my %row = map { /^(\S+) (?:\(\S+\) )?(.*)/ ? ($1, $2) : () }
	rows('tbody tr[data-row]', 0, @at, @total);
for my $f (@plain) {
	same([$row{$f->{name}} // 'no row'], [join ' ', map {
		my $c = $_;
		sum(@{$c->{kept}}), sum(@{$c->{bytes}}), sum(@{$c->{allocs}})
	} $f->{self}, $f->{total}], "functions: $f->{name}");
}

# Callers and callees, with their bytes, kept and calls.
for my $i (0 .. $#all) {
	next if $i > 12;
	my @near;
	for my $side (['caller', 'callee'], ['callee', 'caller']) {
		push @near, sort map { my $c = $_->{count}; join ' ',
			sum(@{$c->{bytes}}), sum(@{$c->{kept}}), $_->{calls} }
			grep { $_->{$side->[1]} == $i } @{$json->{arcs}};
	}
	view("view=functions&fn=$i&metric=bytes");
	# In a comparison, before and change come second.
	my @at = (0, map { $_ + ($with{old} ? 2 : 0) } 1, 4 + $peak);
	same([(sort(rows('.near tr.up', @at))),
		(sort(rows('.near tr.down', @at)))], \@near,
		"callers and callees of $all[$i]{name}");
}
view('view=functions&fn=0&metric=bytes');
if ($web->run("Boolean(document.querySelector('.near tr.down .link'))")) {
	my $name = $web->run("(() => { const e = document.querySelector(" .
		"'.near tr.down .link'); e.click(); return e.textContent })()");
	ok($web->run("document.querySelector('main > section:not([hidden]) h3')" .
		".textContent") eq $name, 'a click leads to a callee');
	$web->run('history.back()');
	ok($web->until("location.hash.includes('fn=0')"), 'and there is a way back');
}

# --------------------------------------------------------------- the rest --

view('view=sites&depth=0&metric=bytes&sort=sites.-bytes');
my @sites = sort { $a <=> $b } map { sum(@{$_->{count}{bytes}}) }
	@{$json->{sites}};
same([sum(rows('tbody tr[data-row]', 'bytes'))], [sum(@sites)],
	'call paths: bytes') if @sites <= 40;
view('view=sizes&sort=sizes.size');
same([rows('tbody tr[data-row]', 0, 2, 3, 4, 5)], [map { join ' ',
	@$_{qw(size bytes kept allocs frees)} } @{$json->{bins}}],
	'sizes') if @{$json->{bins}} <= 40 && !$json->{big}{allocs};
for my $id (qw(bytes kept allocs)) {
	view("view=sizes&metric=$id");
	ok($web->run("Array.from(document.querySelectorAll('.bin'), (b) => " .
		"Number(b.ariaLabel.replace(/.*: /, ''))).reduce((a, b) => " .
		"a + b, 0)") == sum(map { $_->{$id} } @{$json->{bins}}),
		"sizes: the histogram of $id has all") if !$json->{big}{allocs};
}
view('view=threads&sort=threads.bytes');
same([sort(rows('tbody tr[data-row]', 2 .. 8))], [sort map { join ' ',
	map { $_ // '-' }
	@$_{qw(peak kept bytes allocs frees freed of_others)} }
	@{$json->{threads}}], 'threads') if @{$json->{threads}} <= 40;
view('view=types&sort=types.bytes');
same([sort(rows('tbody tr[data-row]', @at))],
	[sort map { join ' ', @$_{qw(kept bytes allocs)} }
	@{$json->{types}}], 'types') if @{$json->{types}} <= 40;

# --------------------------------------------------------- the flame graph --

view('view=flame&metric=bytes');
ok($web->run("document.querySelector('.said').textContent")
	=~ /all: \Q$t->{bytes}\E bytes/, 'flame graph: all of it');
ok($web->run("Array.from(document.querySelectorAll('.said .g')).length")
	== int((length($t->{bytes}) - 1) / 3), '... in groups of digits')
	if $t->{bytes} > 9999;
$web->run("document.querySelector('.flame').focus()");
$web->key('ArrowDown');
my $first = $web->run("document.querySelector('.said b').textContent");
ok($first ne "all: $t->{bytes} bytes", 'an arrow goes into it');
my $hash = $web->run('location.hash');
$web->key('Enter');
ok($web->run('location.hash') =~ /zoom=/, 'Enter zooms');
view((substr $hash, 1), 1);
ok($web->run("document.querySelector('.said b').textContent") eq $first,
	'a link leads there');
my $box = $web->run("(() => { const r = document.querySelector('.flame canvas')" .
	".getBoundingClientRect(); return [r.left, r.top, r.width] })()");
$web->click($box->[0] + 30, $box->[1] + 32);
ok($web->run("document.querySelector('.crumbs').textContent") =~ /all.*\S/ &&
	$web->run('location.hash') =~ /zoom=/, 'a click zooms');
$web->key('Escape');
ok($web->run('location.hash') !~ /zoom=/, 'Esc zooms out');
$web->key('/');
$web->text($first);
ok($web->until("document.querySelector('.share')"),
	'what is searched for has its share');
shot('found');
$web->key('Escape');
ok($web->run('location.hash') !~ /q=/, 'Esc forgets the search');
$web->run("document.documentElement.dataset.theme = 'light'");
view('view=flame&metric=bytes');
$web->run("document.querySelector('.intext').open = true");
ok($web->until("document.querySelector('.intext tbody tr')") &&
	(rows('.intext tbody tr', 0))[0] eq $t->{bytes},
	'the graph as text');
$web->run("document.querySelector('.intext').open = false; " .
	"new Promise((r) => requestAnimationFrame(() => setTimeout(r, 0)))");
my $light = $web->run("getComputedStyle(document.body).backgroundColor");
my $dot = "(() => { const u = document.querySelector('.flame canvas')" .
	".toDataURL(); return u.length + u.slice(99, 999) })()";
my $was = $web->run($dot);
$web->key('t');
ok($web->run("getComputedStyle(document.body).backgroundColor") ne $light &&
	$web->run($dot) ne $was, 't: dark, and so is the graph');
$web->run("dispatchEvent(new Event('beforeprint'))");
ok($web->run("getComputedStyle(document.body).backgroundColor") eq $light,
	'it is printed light');
$web->run("dispatchEvent(new Event('afterprint'))");
ok($web->run("getComputedStyle(document.body).backgroundColor") ne $light,
	'and dark thereafter');
$web->key('t');
$web->key(3);
$web->key(4);
$web->run('history.back()');
ok($web->until("location.hash.includes('view=sites')"), 'back');
$web->run('history.forward()');
ok($web->until("location.hash.includes('view=functions')"), 'and forward');
for my $mode (qw(flame callers)) {
	view("view=flame&mode=$mode&metric=bytes&zoom=1");
	shot($mode);
}

# A heap over time as tests/timepage.c makes it: site i begins at snapshot i,
# with 10 blocks of 100 (i + 1) bytes at each snapshot; half of them are freed.
if ($with{times}) {
	my $n = @{$json->{sites}};
	my ($from, $to) = (2, 5);
	my (@bytes, @live);
	for my $i (0 .. $n - 1) {
		my $times = sub { my $t = shift() - $i % 10 + 1;
			$t > 0 ? $t : 0 };
		push @bytes, 1000 * ($i + 1) * ($times->($to) - $times->($from));
		push @live, 500 * ($i + 1) * $times->($to);
	}
	view('view=time&sort=time.time');
	same([rows('tbody tr[data-row]', 0, 1, 4)], [map {
		my $m = $_;
		my @b = map { my $t = $m - $_ % 10 + 1;
			$t > 0 ? 1000 * ($_ + 1) * $t : 0 } 0 .. $n - 1;
		sprintf '0.%06d %d %d', ($m + 1) * 1000, sum(@b) / 2, sum(@b)
	} 0 .. 9], 'time: the snapshots');
	my $r = $web->run("(() => { const r = document.querySelector(" .
		"'.stack canvas').getBoundingClientRect(); return [r.left," .
		" r.top, r.width] })()");
	my $x = sub { $r->[0] + 72 + ($r->[2] - 84) * shift() / 10 };
	$web->call('Input.dispatchMouseEvent', type => 'mouseMoved',
		x => $x->(2.5), y => $r->[1] + 60);
	my $all = sum(map { my $t = 3 - $_ % 10; $t > 0 ? 500 * ($_ + 1) * $t
		: 0 } 0 .. $n - 1);
	ok($web->run("document.querySelector('section:not([hidden]) .tip:not(" .
		"[hidden])').textContent") =~ /^0\.003000 s\Q$all\E bytes live/,
		'what is under the mouse has time and bytes');
	$web->drag($x->(3.1), $r->[1] + 60, $x->(5.9), $r->[1] + 80);
	ok($web->run('location.hash') =~ /a=2&b=5/, 'the brush chooses a span');
	shot('span');
	$web->key(1);
	same($web->run("Array.from(document.querySelectorAll('.figure b'), " .
		"(e) => e.textContent).slice(1)"), [sum(@live), sum(@bytes),
		sum(map { $bytes[$_] / 100 / ($_ + 1) } 0 .. $n - 1)],
		'the figures of the span');
	view("view=sites&depth=0&a=$from&b=$to&sort=sites.bytes");
	same([sort(rows('tbody tr[data-row]', 'live', 'bytes'))], [sort map {
		"$live[$_] $bytes[$_]" } grep { $live[$_] || $bytes[$_] }
		0 .. $n - 1], 'call paths of the span');
	view("view=flame&metric=bytes&a=$from&b=$to");
	ok($web->run("document.querySelector('.said').textContent")
		=~ /all: @{[sum(@bytes)]} bytes/, 'the flame graph of the span');
	ok($web->run("document.querySelectorAll('main > .whole:not([hidden])')" .
		".length") == 0, '... which is of the span');
	$web->key(6);
	ok($web->run("Array.from(document.querySelectorAll('main > .whole:not(" .
		"[hidden])'), (e) => e.textContent).join()") =~
		/^Of the whole run/, 'sizes say that they are not');
	$web->key('Escape');
	ok($web->run('location.hash') !~ /b=5/, 'Esc goes back to all of it');
	view("view=time&a=4&b=4");
	ok($web->run('location.hash') && $web->run("document.querySelector(" .
		"'.span').hidden"), 'a span that is none');
}

# The figures of each path in the run before: old.json.
if ($with{old}) {
	open my $f, '<:raw', 'old.json' or die "old.json: $!\n";
	my $old = JSON::PP->new->utf8->decode(do { local $/; <$f> });
	my (%was, %now);
	for ([$old, \%was], [$json, \%now]) {
		my ($j, $to) = @$_;
		for my $s (@{$j->{sites}}) {
			my $path = join " \x{2190} ", reverse map {
				$j->{functions}[$_]{name} } @{$s->{chain}};
			$to->{$path} += sum(@{$s->{count}{kept}});
		}
	}
	view('view=summary');
	my @old = map { sum(values %$_) } \%was, \%now;
	my $text = sprintf 'before: %d, difference: %+d', $old[0],
		$old[1] - $old[0];
	ok(grep({ $_ eq $text } @{$web->run("Array.from(document." .
		"querySelectorAll('.before'), (e) => e.textContent)")}),
		'the summary has old, new and difference');
	view('view=compare&metric=kept&sort=compare.path');
	my @rows = map { my ($w, $n) = ($was{$_} || 0, $now{$_} || 0);
		my $d = $n - $w;
		$w || $n ? join ' ', $_, $d > 0 ? "grown +$d" : $d < 0
			? "shrunk $d" : 'same 0', $w, $n : () }
		sort keys %{{%was, %now}};
	same([rows('tbody tr[data-row]', 0, 2, 3, 5, 6)], [grep { !/ same 0 / }
		@rows], 'changes');
	view('view=flame&metric=kept');
	ok($web->run("document.querySelector('.said').textContent")
		=~ /all/ && $web->run("document.querySelector(" .
		"'[aria-label=colours] [aria-pressed=true]').textContent")
		eq 'change', 'the flame graph is coloured by change');
	shot('change');
	# One function allocated everything, so its change is the whole change.
	my $change = sum(values %now) - sum(values %was);
	view('view=flame&metric=kept&mode=callers');
	ok($web->run("document.querySelector('[aria-label=colours] " .
		"[aria-pressed=true]').textContent") eq 'change',
		'and that of callers');
	$web->run("document.querySelector('.flame').focus()");
	$web->key('ArrowDown');
	ok($web->run("document.querySelector('.said').textContent")
		=~ /before @{[sum(values %was)]} \(\Q@{[sprintf '%+d', $change]}\E\)/,
		'... has what was before');
	shot('change-callers');
}

# Each block of the log.
if ($with{log}) {
	view('view=blocks&sort=blocks.born');
	my ($all) = @{$web->run("[document.querySelector('main > " .
		"section:not([hidden]) .note').textContent]")};
	same([$all], ["$t->{allocs} blocks"], 'blocks: all of them');
	my %size = map { $_->{size} => 1 } @{$json->{bins}};
	my @odd = grep { !$size{$_} } rows('tbody tr[data-row]', 0);
	same(\@odd, [], 'blocks: their sizes');
	shot('blocks');
	view('view=blocks&by=address&site=0');
	ok($web->run("document.querySelector('.stack:not([hidden]) .note')" .
		".textContent") =~ /^@{[sum(@{$json->{sites}[0]{count}{allocs}})
		]} of $t->{allocs} blocks/, 'blocks of one call path');
	shot('addresses');
}

# With MEMMON_SAMPLE each figure has its standard error.
if ($with{sampled}) {
	my $text = sub { my ($n, $e) = @_;
		return '' unless $n;
		my $part = 100 * $e / $n;
		return sprintf $part < 9.95 ? '+-%.1f%%' : '+-%.0f%%', $part };
	my $sum = sub { my ($c) = @_; join ' ', map { $text->(ref $c->{$_}
		? sum(@{$c->{$_}}) : $c->{$_}, $c->{errors}{$_}) }
		qw(bytes allocs) };
	$errors = 1;
	view('view=sites&depth=0&sort=sites.path');
	same([sort(rows('tbody tr[data-row]', $peak + 1, $peak + 2))],
		[sort map { $sum->($_->{count}) } @{$json->{sites}}],
		'call paths: standard errors');
	view('view=types&sort=types.bytes');
	same([sort(rows('tbody tr[data-row]', $peak + 1, $peak + 2))],
		[sort map { $sum->($_) } @{$json->{types}}],
		'types: standard errors');
	view('view=threads');
	same([sort(rows('tbody tr[data-row]', 0, 1))],
		[sort map { $sum->($_) } @{$json->{threads}}],
		'threads: standard errors');
	$errors = 0;
	view('view=summary');
	my $said = $web->run("document.querySelector('main > .whole:not(" .
		"[hidden])').textContent");
	ok($said =~ /^Sampled, every 64K bytes on average, $json->{sample}{blocks} blocks/,
		'it says that it is of samples');
}

do(dirname(__FILE__) . '/html_paths.pl') or die $@ || $!;

# ------------------------------------------------------------- a telephone --

my $wide = sub { $web->call('Emulation.setDeviceMetricsOverride',
	width => shift, height => 900, deviceScaleFactor => 1,
	mobile => JSON::PP::false) };
$wide->(480);
for ((map { "view=$_" } @views), 'view=sites&site=0', 'view=functions&fn=0',
	'view=types&type=0') {
	view($_);
	ok($web->run("document.documentElement.scrollWidth") <= 480 &&
		$web->run("Array.from(document.querySelectorAll('main > " .
		"section:not([hidden]):not(.alone) > :is(.tablebox, .pane)'" .
		")).every((e) => e.offsetWidth === 480 && e.offsetHeight > " .
		"150)"), "480 pixels wide: $_");
}
$wide->(1200);
for ('view=sites', 'view=functions', 'view=functions&fn=0') {
	view($_);
	ok($web->run("Array.from(document.querySelectorAll('main > section:" .
		"not([hidden]) ' + ('$_'.includes('fn') ? '.pane' : '.scroll'" .
		"))).every((e) => e.scrollWidth <= e.clientWidth)"),
		"1200 pixels wide: $_") if !$with{sampled};
}

# ------------------------------------------------------------------ paper --

$wide->(700);
$web->call('Emulation.setEmulatedMedia', media => 'print');
for (@views) {
	view("view=$_");
	ok($web->run("Array.from(document.querySelectorAll('main > section:" .
		"not([hidden]) :is(canvas, .scroll td.text)')).every((e) => " .
		"e.getBoundingClientRect().right <= 700 && " .
		"e.getBoundingClientRect().width > 50)"), "on paper: $_");
}
$web->call('Emulation.setEmulatedMedia', media => '');
$wide->(1400);

# Each element that a screen reader reads out has a name.
for (@views) {
	view("view=$_");
	my @nameless = map { $_->{role}{value} } grep { !$_->{ignored} &&
		$_->{role}{value} =~ /^(?:button|table|image|combobox|group|
		searchbox|checkbox|region|navigation|columnheader)$/x &&
		($_->{name}{value} // '') eq '' } @{$web->call(
		'Accessibility.getFullAXTree')->{nodes}};
	same(\@nameless, [], "names for a reader: $_");
}

# ------------------------------------------------------- odd addresses too --

view('view=nothing&fn=99999999&site=-9&metric=none&zoom=77777777777&a=5&b=-3' .
	'&depth=-4&sort=x.y&type=1e9&at=1.2.3&mode=%00', 1);
ok($web->run("document.querySelectorAll('main > section:not([hidden])').length")
	== 1, 'an address that leads nowhere');
view('view=flame&mode=callers&zoom=99.1.2&q=%28&re=1');
ok($web->run("document.querySelector('input[type=search]').classList" .
	".contains('bad')"), 'what is no regular expression is marked');
$web->key('Escape');
$web->key('?');
ok($web->run("document.querySelector('dialog').open"), '? shows the keys');

my @errors = splice @{$web->{errors}};
ok(!@errors, 'no errors, no words on the console');
print STDERR "$_\n" for @errors;
my @loads = grep { !/^(?:file:|about:|data:)/ }
	splice @{$web->{requests}};
ok(!@loads, 'nothing is loaded from elsewhere');
print STDERR "$_\n" for @loads;
1;
