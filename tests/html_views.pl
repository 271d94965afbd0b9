# SPDX-License-Identifier: GPL-3.0-or-later
#
#	perl html_views.pl CHROMIUM
#
# The checks of t/html-views.t on its pages.  Prints a line "1 what" or "0 what"
# for each check.
use strict;
use warnings;
use File::Basename;
use lib dirname(__FILE__);
use checks;

# The texts of all that a selector finds in the view that is shown.
sub texts
{
	return @{$web->run("Array.from(document.querySelectorAll('main > " .
		"section:not([hidden]) $_[0]'), (e) => e.textContent.trim())")};
}

# Cells of a table's rows, by the titles of their columns.
sub cells
{
	my $list = join ',', map { "'$_'" } @_;
	return @{$web->run("(() => { const t = document.querySelector(" .
		"'main > section:not([hidden]) .tablebox table'); const at = " .
		"[$list].map((n) => Array.from(t.tHead.rows[0].cells)" .
		".findIndex((c) => c.textContent.replace(/ .\$/, '') === n));" .
		"return Array.from(t.querySelectorAll('tr[data-row]'), (r) => " .
		"at.map((i) => i < 0 ? '?' : r.cells[i].textContent)" .
		".join('|')) })()")};
}

# A page like another one, changed by how(), which edits $_.
sub edited
{
	my ($from, $to, $how) = @_;
	open my $page, '<', "$dir/$from.html" or die;
	local $_ = do { local $/; <$page> };
	$how->();
	open $page, '>', "$dir/$to.html" or die;
	print $page $_;
}

# ---------------------------------------------------------- call paths --

view('views', 'view=flame&metric=leaked');
$web->run("document.querySelector('.intext').open = true");
$web->until("document.querySelector('.intext tbody tr')");
is(join(' ', map { "$_" } texts('.intext tbody .link')),
	'all main keep lines', 'a function is one box, however many lines call it');
$web->run("document.querySelector('.flame').focus()");
$web->key('ArrowDown') for 1 .. 2;
my ($said) = texts('.said');
ok($said =~ /^keep 600 bytes leaked, 60\.0% of all/ && $said =~
	/; itself 600;/ && $said =~ /; 60 allocations/ && $said =~
	/calls at views\.cc:17/, 'a box says what it has of all metrics') or
	print STDERR "$said\n";
$web->key('ArrowRight');
($said) = texts('.said');
ok($said =~ /^lines 400 bytes/ && $said =~
	/calls at views\.cc:10, views\.cc:12|calls at views\.cc:12, views\.cc:10/,
	'... and from which lines it calls') or print STDERR "$said\n";

view('views', 'view=sites&metric=leaked&depth=0');
is(join(' ', sort grep { /views\.cc:(10|12)\|[1-9]/ } cells('line', 'leaked')),
	'views.cc:10|200 views.cc:12|200', 'call paths: a row for each line');
$web->run("Array.from(document.querySelectorAll('tr[data-row]')).find((r) => " .
	"/^keep/.test(r.textContent)).click()");
ok(join(' ', texts('.pane dd')) =~ /lost 600, indirect 0, interior 0, reachable 0/,
	'... and what a leak check made of it') or print STDERR join("\n",
	texts('.pane dd')), "\n";
view('views', 'view=sites&metric=allocs');
is(scalar(grep { /^large.*\|-$/ } cells('call path, innermost first', 'mean life')),
	0, '... with the mean lifetime of all paths in a row');
$web->run("document.querySelector('tr[data-row]').click()");
ok($web->run("document.querySelector('main > section:not([hidden])')" .
	".textContent") !~ /chain/, '... and paths are called call paths');
view('views', 'view=flame&metric=leaked');
is(join(' ', texts('.legend li')), 'views',
	'the legend of colours has the libraries with boxes');
view('views', 'view=functions&metric=leaked');
is(join(' ', (cells('function', 'leaked', 'total leaked'))[0, 1]),
	'keep (views.cc:14)|600|600 lines (views.cc:7)|400|400', 'functions: sorted by what is chosen');
ok(!grep({ /^std::/ } cells('function')), '... and the library is folded');
is((grep { /^fill/ } cells('function', 'allocs'))[0],
	'fill (views.cc:30)|30',
	'... with what it allocates for its callers');
view('views', 'view=functions&metric=leaked&lib=1');
ok(scalar(grep({ /^std::/ } cells('function'))), '... or not, if asked for');

view('views', 'view=types');
$web->run("Array.from(document.querySelectorAll('tr[data-row]')).find((r) => " .
	"/[=~]item/.test(r.textContent)).click()");
$web->run("Array.from(document.querySelectorAll('.pane .link')).find((e) => " .
	"e.textContent === 'its call paths').click()");
is(join(' ', sort(cells('line', 'type'))), join(' ', 'views.cc:10|~item',
	'views.cc:12|~item'), 'the call paths of a type are these alone');

view('parse', 'view=sites');
is((grep { /^parse_number.*cycle/ } cells('call path, innermost first'))[0] // '',
	"parse_number \x{2190} parse_factor in <cycle 1: parse_sum, " .
	"parse_product> \x{2190} main", 'rows name the function that a ' .
	'recursion is left from first');
view('deep', 'metric=temps');
ok(!grep({ /: short-lived/ } texts('.card h3')), 'the summary: a figure that ' .
	'is 0 has no empty lists') or print STDERR join("\n", texts('.card h3')), "\n";
# The root of a graph that grows upwards is in sight.
$web->open("file://$dir/deep.html#view=flame&mode=flame&metric=bytes&zoom=30", 480, 500);
is($web->run("(() => { const e = document.querySelector('.flame'); return " .
	"e.scrollHeight - e.scrollTop - e.clientHeight })()"), 0,
	'a flame graph that is opened by its address shows its root');

# ------------------------------------------- one thread, one function --

view('crew', 'view=threads');
$web->run("Array.from(document.querySelectorAll('tr[data-row]')).find((r) => " .
	"/^worker/.test(r.textContent)).click()");
is(join(' ', cells('call path, innermost first', 'bytes', 'allocs', 'not freed')),
	"make \x{2190} work|500|5|500", 'a thread leads to its call paths');
$web->key('2');
my ($bar) = texts('.said');
ok($bar =~ /^all: 500 bytes/, '... and to its flame graph') or
	print STDERR "$bar\n";
$web->key('7');
ok($web->run("document.querySelector('p.whole:not([hidden])') !== null"),
	'... the table of threads is of the whole run');
$web->key('Escape');
ok($web->run('location.hash') !~ /only/, '... until Esc');
view('crew', 'view=functions&metric=bytes');
$web->run("Array.from(document.querySelectorAll('tr[data-row]')).find((r) => " .
	"/^make/.test(r.textContent)).click()");
$web->run("Array.from(document.querySelectorAll('.pane .link')).find((e) => " .
	"e.textContent === 'only paths through it').click()");
$web->key('1');
ok(join(' ', texts('.figure')) =~ /bytes allocated3500bytes.*allocations8of 2 /,
	'a function has its call paths alone') or
	print STDERR join("\n", texts('.figure')), "\n";
ok(grep({ $_ eq "only paths through make \x{d7}" } map { s/^\s+//r }
	@{$web->run("Array.from(document.querySelectorAll('header .span'), " .
	"(e) => e.textContent)")}), '... as the bar says');

# A function is left out of all views, as by --ignore; by a key or a click.
view('views', 'view=flame&metric=leaked');
$web->run("document.querySelector('.flame').focus()");
$web->key($_) for qw(ArrowDown ArrowDown Delete);
is((texts('.said'))[0] =~ s/ .*//r, 'all:', 'a box is left out');
ok((texts('.said'))[0] =~ /^all: 400 bytes/, '... with all its call paths') or
	print STDERR texts('.said'), "\n";
$web->key('ArrowDown') for 1 .. 2;
$web->run("Array.from(document.querySelectorAll('.said .link')).find((e) => " .
	"e.textContent === 'leave it out').click()");
ok((texts('.said'))[0] =~ /^all: 0 bytes/, '... and another');
ok($web->run("document.querySelector('.span').textContent") =~
	/^without paths through keep, lines/, '... as the bar says');
view('views', $web->run('location.hash') =~ s/^#view=flame/view=summary/r);
$web->key('m') until $web->run("document.querySelector('.figure[aria-pressed=" .
	"true]').textContent") =~ /^bytes allocated/;
open my $ignored, '<', "$dir/ignored" or die;
my ($left) = map { split } <$ignored>;
is($web->run("document.querySelector('.figure[aria-pressed=true] b')" .
	".textContent"), $left, '... with the figures of --ignore');
$web->key('Escape');
ok($web->run('location.hash') !~ /only/, '... until Esc');

# A function is hidden in all views, as by --hide; by a key or a click.  Two
# pages show the same.
sub same
{
	my ($page, $hash, $other, $what, @views) = @_;
	my @differ;
	for my $v (@views) {
		my @texts = map {
			view($$_[0], "view=$v$$_[1]");
			$web->run("(() => { const t = document.querySelector(" .
				"'main > section:not([hidden]) .intext'); if (t) " .
				"t.open = true })()");
			$web->until("document.querySelector('.intext tbody tr')")
				if $v =~ /^flame/;
			join '|', texts('.card tr, .legend li, tbody tr, .figure, .said');
		} [$page, $hash], [$other, ''];
		push @differ, "$v"
			if $texts[0] ne $texts[1] || $texts[0] eq '';
	}
	ok(!@differ, $what) or print STDERR "$_\n" for @differ;
}

view('parse', 'view=flame&metric=bytes');
$web->run("document.querySelector('.flame').focus()");
$web->key($_) for qw(ArrowDown ArrowDown ArrowRight ArrowDown);
ok((texts('.said b'))[0] eq 'parse_product', 'a box to hide') or
	print STDERR texts('.said b'), "\n";
$web->key('Delete', modifiers => 8);
ok((texts('.said b'))[0] eq 'parse_sum', 'a hidden box leaves its caller') or
	print STDERR texts('.said b'), "\n";
is($web->run("document.querySelector('.span').textContent"),
	"hidden: parse_product \x{d7}", '... as the bar says');
my ($hide) = $web->run('location.hash') =~ /(&hide=\d+)/;
same('parse', $hide, 'hidden', '... and all views are those of --hide',
	'summary', (map { "flame&metric=bytes&mode=$_" } qw(icicle callers around)),
	'sites&depth=0', 'sites&depth=2', 'functions', 'types', 'sizes', 'time');
$web->run('document.body.focus()');
$web->key('Escape');
ok($web->run('location.hash') !~ /hide/, '... until Esc');
view('diff', 'view=functions');
$web->run("Array.from(document.querySelectorAll('tr[data-row]')).find((r) => " .
	"/^keep/.test(r.textContent)).click()");
$web->run("Array.from(document.querySelectorAll('.pane .link')).find((e) => " .
	"e.textContent === 'hide it').click()");
($hide) = $web->run('location.hash') =~ /(&hide=\d+)/;
same('diff', $hide, 'diff-hidden', '... of two runs, too, by a click',
	'compare&metric=leaked', 'flame&metric=leaked', 'functions&metric=leaked',
	'flame&metric=leaked&mode=around');
view('diff', 'view=flame&metric=leaked&mode=around');
ok((texts('.said'))[0] =~ /^keep: 600 bytes .*, before 300 \(\+300\)/,
	'one function in both runs') or print STDERR texts('.said'), "\n";
$web->run("document.querySelector('.flame').focus()");
$web->key('ArrowUp');
ok((texts('.said'))[0] =~ /^main .*, before 300 \(\+300\)/,
	'... and its callers') or print STDERR texts('.said'), "\n";

# One function with its callers above and its callees below, each block once.
view('parse', 'view=flame&metric=bytes');
$web->run("document.querySelector('.intext').open = true");
$web->run("Array.from(document.querySelectorAll('[aria-label=shape] button'))" .
	".find((e) => e.textContent === 'Callers and callees').click()");
$web->until("document.querySelector('.intext tbody tr')");
is(join(' ', texts('.intext tbody .link')), 'parse_number ' . join(' ',
	map { "\x{2190} $_" } qw(parse_factor parse_product parse_sum parse_factor
	parse_product parse_sum main main)), 'callers of one function, all the way');
$web->run("document.querySelector('.flame').focus()");
$web->key($_) for qw(ArrowUp ArrowUp ArrowUp Enter);
is(join(' ', texts('.intext tbody .link')), 'parse_sum parse_product ' .
	join(' ', qw(parse_factor parse_sum parse_product parse_factor
	parse_number binary parse_number binary), "\x{2190} main"),
	'... and its callees, when a box is entered');
my $functions = (texts('.said'))[0] =~ s/^(\w+: \d+) .*/$1/r;
$web->run("Array.from(document.querySelectorAll('.said .link')).find((e) => " .
	"e.textContent === 'its figures').click()");
is($functions, 'parse_sum: ' . (map { s/.*\|//r } grep { /^parse_sum / }
	cells('function', 'total bytes'))[0], '... with the figures of Functions');

# Boxes that are too narrow are counted; a search says what it found in a box.
view('views', 'view=flame&metric=bytes');
ok(join(' ', texts('.sub')) =~ /\b3 frames too narrow/,
	'boxes that are too narrow are counted') or print STDERR texts('.sub'), "\n";
view('views', 'view=flame&metric=allocs&q=_M_emplace');
$web->key('/');
$web->key('Enter');
ok((texts('.said'))[0] =~ /\[std\].*found: std::_Rb_tree::_M_emplace_hint_unique/,
	'... a box says which of its functions match') or
	print STDERR texts('.said'), "\n";

# ------------------------------------------------------------- columns --

view('views', 'view=sites&metric=allocs');
is(join(' ', (map { s/ .$//r } texts('th'))[2, 3]), 'allocs % allocs',
	'the column of the chosen figure comes first');
view('crew', 'view=time');
ok(!grep({ /marks/ } texts('th')), '... and one without values has no room');

# ----------------------------------------------------------- the wheel --

sub wheel
{
	my ($at, $by, $keys) = @_;
	my ($x, $y, $w, $h) = @{$web->run("(() => { const r = document" .
		".querySelector('main > section:not([hidden]) $at')" .
		".getBoundingClientRect(); return [r.left, r.top, r.width, " .
		"r.height] })()")};
	$web->call('Input.dispatchMouseEvent', type => 'mouseWheel', x => $x +
		$w / 2, y => $y + 40, deltaX => 0, deltaY => $by,
		modifiers => $keys);
}

my $lens = "Number((document.querySelector('main > section:not([hidden]) " .
	"button[title=Esc]') || { textContent: '1' }).textContent.replace(" .
	"/[^\\d.]/g, ''))";
sub lens { $web->until("$lens $_[0]") }

view('views', 'view=flame&metric=bytes');
wheel('.flame', -400, 2);
ok(lens('> 2'), 'the wheel with Ctrl zooms into the graph');
$web->key('Escape');
ok(lens('=== 1'), '... until Esc');
$web->run("document.querySelector('.flame').focus()");
$web->key('+') for 1 .. 3;
ok(lens('> 2.5'), '... and + does');
$web->key($_) for qw(- - -);
ok(lens('=== 1'), '... and - back');

view('grow', 'view=time');
wheel('canvas', -400, 2);
ok(lens('> 2'), 'the wheel zooms into the time');
$web->key('Escape');
ok(lens('=== 1'), '... until Esc');
$web->run("document.querySelector('main > section:not([hidden]) canvas').focus()");
$web->key('ArrowRight');
$web->key('+') for 1 .. 9;
ok(lens('> 20'), '... and + does, around the chosen span');
$web->key('-') for 1 .. 9;
ok(lens('=== 1'), '... and - back');

view('lives', 'view=blocks');
wheel('canvas', -400, 2);
ok(lens('> 2'), 'the wheel zooms into the blocks');
$web->run("document.querySelector('main > section:not([hidden]) canvas').focus()");
$web->key('-') for 1 .. 9;
ok(lens('=== 1'), '... and - back');
my ($right, $top) = @{$web->run("(() => { const r = document.querySelector('main > " .
	"section:not([hidden]) canvas').getBoundingClientRect(); return " .
	"[r.right, r.top] })()")};
$web->click($right - 12, $top + 8);
ok($web->until("location.hash.includes('view=sites&site=')"),
	'... and a click on a block leads to its call path');

# The mouse drags what was zoomed; a link has the part in sight.
sub drag
{
	my ($at, $by, $down, %more) = @_;
	my ($x, $y) = @{$web->run("(() => { const r = document.querySelector('main > " .
		"section:not([hidden]) $at').getBoundingClientRect(); return " .
		"[r.left + r.width / 2, r.top + $down] })()")};
	for (['mousePressed', 0], ['mouseMoved', $by / 2], ['mouseMoved', $by],
		['mouseReleased', $by]) {
		$web->call('Input.dispatchMouseEvent', type => $$_[0], x => $x +
			$$_[1], y => $y, button => 'left', clickCount => 1,
			buttons => 1, %more);
	}
}

for (['views', 'view=flame&metric=bytes', '.flame', 'glens', 30, 0],
	['grow', 'view=time', 'canvas', 'tlens', 100, 8],
	['lives', 'view=blocks', 'canvas', 'xlens', 60, 0]) {
	my ($page, $hash, $at, $name, $down, $keys) = @$_;
	my $from = "Number((location.hash.match(/$name=(\\d+)/) || [0, 0])[1])";
	my $view = (split /[=&]/, $hash)[1];

	view($page, $hash);
	wheel($at, -400, 2);
	ok($web->until("$from > 0"), "$view: the address has the part in sight");
	my $was = $web->run($from);
	drag($at, 100, $down, modifiers => $keys);
	ok($web->until("$from > 0 && $from < $was"), '... which the mouse drags') or
		print STDERR $web->run('location.hash'), " $was\n";
	ok($web->run('location.hash') !~ /&(b|zoom)=|site=/, '... and no more');
	$hash = $web->run('location.hash');
	my $shown = $web->run($lens);
	view($page, substr $hash, 1);
	is($web->run($lens), $shown, '... and a link shows it');
}
view('grow', 'view=time&tlens=1000000.9000000');
drag('canvas', 100, 100);
ok($web->until("location.hash.includes('&b=')"), 'a drag over the time chooses a span');

# --------------------------------------------------- layers of threads --

# What threads held at the peak may be more than the peak.
edited('crew', 'over', sub {
	s/("threads":\{"n":.*?"peak":\[)[^]]*/${1}9000,1000/s or die;
	s/"peak_slack":0/"peak_slack":144/;
	s/crew\.c:/unicodeobject.c:/g;
});
view('over', 'view=threads&metric=peak');
is(join(' ', cells('% at peak')), '90.0 10.0', 'shares of threads add up to all');
view('over', '');
ok($web->run("document.querySelector('.plot.small canvas').getAttribute(" .
	"'aria-label')") =~ /, peak 3865 \(\+- 144\);/,
	'the plot says how exact the peak is');
view('over', 'view=sites', 1000);
is($web->run("Array.from(document.querySelectorAll('tr[data-row] td:nth-child(2)'))" .
	'.filter((e) => e.scrollWidth > e.clientWidth).length'), 0,
	'a line is shown with its number');

view('crew', 'view=time');
$web->run("Array.from(document.querySelectorAll('[aria-label=layers] button'))" .
	".find((e) => e.textContent === 'Threads').click()");
is(join(' ', texts('.legend li')) =~ s/ \x{2509}.*//r,
	'1crew (main) 2worker all others', 'time: layers by thread');
# Both hold most at the end.
open my $lines, '<', "$dir/threads" or die;
my @most = map { /^ [ab] +(\d+) / ? $1 : () } <$lines>;
my @held = @{$web->run("(() => { const d = JSON.parse(document.getElementById(" .
	"'data').textContent), t = d.time.threads; let k = 0; return t.n.map(" .
	"(n) => { let live = 0; for (const e = k + n; k < e; k++) live += " .
	"t.bytes[k] - t.freed[k]; return live }) })()")};
is("@held[0, 1]", "@most", '... with the bytes of --timeline=thread');

# --------------------------------------------------- waste and lifetimes --

open my $table, '<', "$dir/waste" or die;
my ($waste) = map { /~?(\d+) \(.*\)\s+~struct padded/ ? $1 : () } <$table>;
view('crew', 'view=types');
is((grep { /padded/ } cells('type', 'padding', 'waste'))[0] // '',
	"~struct padded|7|$waste", 'types have what they waste');
view('crew', 'view=sites&metric=allocs&q=main');
$web->run("Array.from(document.querySelectorAll('tr[data-row]')).find((r) => " .
	"/padded/.test(r.textContent)).click()");
my @lived = grep { !/none$/ } @{$web->run("Array.from(document.querySelectorAll(" .
	"'.lives .bin'), (e) => e.title)")};
ok(@lived && "@lived" =~ /^[\d.]+[num]?s to [\d.]+[num]?s: (all|at least|less)/,
	'a call path has its lifetimes') or print STDERR "@lived\n";

# ------------------------------------------------------- the allocator --

view('cost', 'view=allocator');
ok((texts('.facts dd'))[0] =~ /^[\w.-]+\z/, 'the allocator by its name') or
	print STDERR texts('.facts dd'), "\n";
my @columns = map { s/ .\z//r } texts('.wide:nth-of-type(1) th');
is("@columns[0 .. 2]", 'class time calls', '... and operations by class alone') or
	print STDERR "@columns\n";
$web->run("document.querySelectorAll('.small')[0].rows[0].cells[2]" .
	".firstChild.click()");
my @calls = map { s/\D//gr } texts('.wide:nth-of-type(1) tr td:nth-child(3)');
is("@calls", join(' ', sort { $b <=> $a } @calls), '... sorted by a click');

view('grow', 'view=time');
my ($brief) = @{$web->run('(() => { const d = JSON.parse(document.' .
	'getElementById("data").textContent); return [d.functions.name' .
	'.findIndex((n) => d.strings[n] === "brief")] })()')};
view('grow', "view=time&only=f$brief");
ok(join(' ', texts('.legend li')) =~ /^1brief \S+ .* main \S+ all others/,
	'a function over all of the heap') or
	print STDERR join(' ', texts('.legend li')), "\n";

# ------------------------------------------------------ search and copy --

view('views', 'view=flame&metric=leaked&re=1&q=^(keep|lines)');
$web->key('/');
my @hits;
for (1 .. 3) {
	$web->key('Enter');
	push @hits, texts('.said b');
	push @hits, $1 if join(' ', texts('.share')) =~ /(\d of \d) frames/;
}
is("@hits", 'keep 1 of 2 lines 2 of 2 keep 1 of 2',
	'Enter leads from match to match');
$web->run("Object.defineProperty(navigator, 'clipboard', { value: { writeText: " .
	"(t) => { window.copied = t; return Promise.resolve() } } })");
$web->run("Array.from(document.querySelectorAll('.said .link')).find((e) => " .
	"e.textContent === 'copy').click()");
is($web->run('window.copied'), "keep\nmain", 'a path in the graph is copied');
$web->run("document.activeElement.blur(); location.hash = 'view=sites&metric=leaked'");
$web->until("document.querySelector('tr[data-row]')");
$web->run("Array.from(document.querySelectorAll('tr[data-row]')).find((r) => " .
	"/^keep/.test(r.textContent)).click()");
$web->run("Array.from(document.querySelectorAll('.pane .link')).find((e) => " .
	"e.textContent === 'copy').click()");
is($web->run('window.copied'), "keep (views.cc:17)\nmain (views.cc:43)",
	'... and a call path with its lines');

# --------------------------------------------------------------- sizes --

view('views', 'view=sizes&q=larger');
ok(join(' ', cells('size', 'allocs')) =~ /^larger\|\d+$/,
	'sizes: the last row can be searched for');

view('crew', 'view=sizes&metric=allocs');
is(join(' ', texts('.axis small')), '5', '... the columns have an axis');
$web->run("document.querySelector('.bin[aria-label^=\"65\"]').click()");
is(join(' ', cells('size', 'allocs')), '100|5 77|1',
	'... and a click on one shows its sizes');

# ------------------------------------------------------------- summary --

view('views', '');
my @heads = texts('.cards h3');
ok(grep({ $_ eq 'Types: leaked' } @heads) && grep({ /^Held at the peak/ }
	@heads) && grep({ /^Allocations/ } @heads),
	'the summary has types, and the other metrics') or
	print STDERR join("\n", @heads), "\n";
ok(grep({ /views\.cc:17\).*60 blocks.*600/s } texts('.card tr.go')),
	'... with blocks') or print STDERR join("\n", texts('.card tr.go')), "\n";
ok(grep({ /fill \(views\.cc:33\) \x{2192} map::operator\[\]/ }
	texts('.card tr.go')), '... and the function of a library that a line calls')
	or print STDERR join("\n", texts('.card tr.go')), "\n";

view('same', 'metric=peak');
is(join(' ', sort grep { /struct/ } map { (split /  /)[-1] } texts('.legend li')),
	'~struct a ~struct b', '... types of call paths with the same lines') or
	print STDERR join("\n", texts('.legend li')), "\n";
ok(grep({ /both \(same\.c:8\).* 200 blocks/s } texts('.others tr.go')),
	'... the number of blocks not freed') or
	print STDERR join("\n", texts('.others tr.go')), "\n";
if (-s "$dir/few.html") {
	# How long a block is used depends on the machine.
	edited('few', 'little', sub { s/("save":\[)[^]]*/${1}17,0/ });
	view('little', '');
	is(join(' ', grep { /Worst|Allocations/ } texts('.cards h3')),
		'Allocations', '... no block that is badly used, but does not matter');
}

# ------------------------------------------------------------ two runs --

view('diff', '');
is($web->run("document.querySelector('nav [aria-current]').textContent + ' ' + " .
	"document.querySelector('header select').value"), 'Changes leaked',
	'two runs: what differs is shown first, by what differs most');
view('diff', 'view=compare');
is((grep { /keep/ } cells('kind', 'line', 'before', 'now', 'change',
	'call path, innermost first'))[0] // '',
	"grown|views.cc:17|300|600|+300|keep \x{2190} main",
	'two runs: what leaks is compared');
view('diff', 'view=functions&metric=leaked');
is((grep { /^keep/ } cells('function', 'leaked', 'before', 'change'))[0] // '',
	'keep (views.cc:14)|600|300|+300', '... by function, too');
# What a function had in the run before is what mpreduce --diff prints, whether
# the new run has the function or not.
for my $page ('diff', 'less') {
	open my $f, '<', "$dir/$page.txt" or die;
	my (%want, $on);
	while (<$f>) {
		$on = /^Functions of the program/ if /^[A-Z]/;
		my @v = /^ *(\d+) +(\d+) +([-+]?\d+)(?: +\S+){3} +([^(]+)/;
		my $name = (pop @v // '') =~ s/\s+$//r;
		$want{$name} = join '|', @v if $on && @v;
	}
	delete $want{'<TOTAL>'};
	view($page, 'view=functions&metric=bytes');
	my %got = map { /^([^ (|]*)[^|]*\|(.*)/; $1 => $2 }
		cells('function', 'before', 'bytes', 'change');
	is(join(' ', map { "$_ " . ($got{$_} // 'none') } sort keys %want) || 'none',
		join(' ', map { "$_ $want{$_}" } sort keys %want) || 'nothing',
		"$page: functions before are those of --diff");
}
view('less', 'view=functions&metric=bytes', 480);
is((grep { /^fill/ } cells('function', 'before', 'bytes', 'change'))[0] // '',
	'fill|1200|0|-1200', '... in a narrow window, too');
view('less', 'view=functions&metric=bytes');
$web->run("Array.from(document.querySelectorAll('tr[data-row]')).find((r) => " .
	"/^main/.test(r.textContent)).click()");
sub near { return map { join '|', @$_ } @{$web->run("Array.from(document" .
	".querySelectorAll('.near tr'), (r) => Array.from(r.cells, (c) => " .
	"c.textContent).filter((t, i, all) => i < 3 || i + 1 === all.length))")} }
is((near())[0], 'bytes|before|change|function',
	'callers and callees have the figures of both runs');
is((grep { /fill$/ } near())[0] // '', '0|1200|-1200|fill',
	'... and those that are gone');
is((grep { /with all/ } near())[0] // '',
	'31998000|31999200|-1200|with all it called', '... with all it called');
$web->run("Array.from(document.querySelectorAll('.near .link')).find((e) => " .
	"e.textContent === 'fill').click()");
is(join(' ', grep { /main$|itself|std::map/ } near()),
	'0|1200|-1200|main 0|1200|-1200|itself, or by libraries ' .
	'0|1200|-1200|std::map::operator[]', '... which have callers, too');
view('less', 'view=compare&metric=bytes');
is(join(' ', cells('call path, innermost first', 'line', 'kind', 'change', '%')),
	"fill (\x{2192} map::operator[]) \x{2190} main|views.cc:33|gone|-1200|" .
	'-100.0', 'two runs: what is gone has the names that other rows have');
is(join(' ', texts('.kind')), 'gone -1200 in 1 call path',
	'... and a sum by kind');
$web->run("document.querySelector('tr[data-row]').click()");
is(join(' ', (texts('.pane .chain li'))[-2, -1], texts('.pane .small tr:last-child td')),
	'fill main allocations 30 0 -30 -100.0',
	'... and opens, with its figures and frames');
view('diff', 'view=compare&metric=leaked');
$web->run("document.querySelector('tr[data-row]').click()");
is(join(' ', texts('.pane .small tr:nth-child(4) td')),
	'bytes allocated 300 600 +300 +100.0', '... as other rows do');
view('diff', 'view=flame&metric=leaked');
is(join(' ', texts('.legend li')), 'less the same more than before',
	'the legend of changes');
is(join(' ', texts('.crumbs:not([hidden])')), '', 'no zoom, no way out of it');
view('diff', 'view=types&metric=bytes');
is(join(' ', grep { /not known|~item/ } cells('type', 'before', 'now', 'change',
	'bytes')), '(not known)|30070004|30070304|+300|30070304 ' .
	'~item|400|400|0|400', '... and by type');
view('less', 'view=types&metric=bytes');
is((grep { /map/ } cells('type', 'before', 'now', 'change', 'bytes'))[0] // '',
	'std::map<int, int> node|1200|0|-1200|0', '... with types that are gone');
view('diff', 'view=compare&metric=temps');
ok(scalar(cells('kind')), '... and of other metrics, bytes');

view('diff', 'view=compare&only=f1');
ok((texts('.sub'))[0] =~ /Two runs are compared as a whole/,
	'... but not of one function');

# -------------------------------------------------------------- scores --

if (-e "$dir/used.html") {
	view('used', 'metric=save');
	ok(grep({ /large.*write-only 100%/s } texts('.card tr.go')),
		'worst used: the fault of a line') or
		print STDERR join("\n", texts('.card tr.go')), "\n";
	ok(join(' ', texts('.card:has(thead) tr')) =~
		/lifetime\d\.\d\d[\d<.]+ usage[\d<]/, 'the scores of the ' .
		'program') or print STDERR join("\n",
		texts('.card:has(thead) tr')), "\n";
	view('used', 'view=types');
	$web->run("Array.from(document.querySelectorAll('tr[data-row]'))" .
		".find((r) => /=char/.test(r.textContent)).click()");
	ok($web->run("document.querySelector('.pane').offsetWidth < " .
		'innerWidth * 0.4'), 'a type without accesses by place leaves ' .
		'room for the columns');
	view('used', 'view=sites&metric=save');
	$web->run("Array.from(document.querySelectorAll('tr[data-row]'))" .
		".find((r) => /^large.*\\.cc:24/.test(r.textContent)).click()");
	ok(join(' ', texts('.flags')) =~
		/write-only 100%written, never read; is the content needed/,
		'a call path has its faults and what to do') or
		print STDERR join("\n", texts('.pane')), "\n";
}

# ---------------------------------------------------------------- time --

# Growth in a span, and the reader's patterns.
view('grow', 'view=sites');
my $data = '(() => { const d = JSON.parse(document.getElementById("data")' .
	'.textContent); let t = 0; const at = d.time.at.map((n) => t += n); ' .
	'const near = (x) => at.reduce((best, y, i) => Math.abs(y - x) < ' .
	'Math.abs(at[best] - x) ? i : best, 0); ';
my ($from, $to) = @{$web->run("$data return d.marks.map((m) => near(m[1])) })()")};
view('grow', "view=sites&metric=grown&a=$from&b=$to&depth=0");
my ($grown) = grep { /^grow\.c:8/ } cells('line', 'grown', 'live');
ok(($grown // '') =~ /^grow\.c:8\|([34]\d000)\|[34]\d000$/,
	'what has grown in a span') or print STDERR join("\n", cells('line',
	'grown', 'live')), "\n";
view('grow', "view=types&metric=grown&a=$from&b=$to");
($grown) = grep { /item/ } cells('type', 'grown');
ok(($grown // '') =~ /\|[34]\d000$/, '... and of which types') or
	print STDERR join("\n", cells('type', 'grown')), "\n";
view('grow', 'view=summary');
$web->run("(() => { const e = document.querySelector('input[type=search]'); " .
	"e.value = 'keep'; e.dispatchEvent(new Event('input')) })()");
ok($web->until("location.hash.includes('view=sites')"),
	'a search from the summary leads to the call paths');
view('grow', 'view=flame&metric=bytes&paint=keep item*');
is(join(' ', texts('.sub .legend li')), '1keep 40.0% 2item* 40.0%',
	'patterns of functions and types have colours, with their shares');
ok(join(' ', texts('[aria-label=colours] [aria-pressed=true]')) eq 'patterns',
	'... in the graph');
view('grow', 'view=time&paint=keep item*');
is(join(' ', (texts('.legend li'))[0, 1]), '1keep 2item*',
	'... and over time');
view('grow', 'view=sites&metric=bytes&depth=0');
$web->run("Array.from(document.querySelectorAll('tr[data-row]')).find((r) => " .
	"/grow.c:12/.test(r.textContent)).click()");
$web->run("Array.from(document.querySelectorAll('.pane .link')).find((e) => " .
	"e.textContent === 'over time').click()");
is(join(' ', texts('.legend li')) =~ s/ \x{2509}.*//r,
	"1brief (grow.c:12) \x{2190} main (grow.c:25) all others",
	'one call path over all of the heap');
my @peak = @{$web->run("(() => { const r = document.querySelector('.stack " .
	"canvas').getBoundingClientRect(); const c = { width: 0 }; " .
	"return [r.left, r.top, r.width] })()")};
my $where = $web->run("$data return d.total.peak_at / t })()");
$web->call('Input.dispatchMouseEvent', type => 'mouseMoved', x => $peak[0] + 72 +
	($peak[2] - 84) * $where, y => $peak[1] + 100);
my ($tip) = texts('.tip:not([hidden])');
ok(($tip // '') =~ /^peak: 60000 bytes at .*20000 brief/, 'who held the peak') or
	print STDERR "tip: ", $tip // '', "\n";

# The address holds the theme, and whether RSS is shown.
view('grow', 'view=time&theme=dark&rss=1');
is($web->run("document.documentElement.dataset.theme + ' ' + document" .
	".querySelector('input[type=checkbox]').checked"), 'dark true',
	'a link has the theme and RSS');
$web->key('t');
ok($web->run('location.hash') =~ /theme=light/, '... which the keys change');
view('grow', 'view=time');
ok(!$web->run("document.querySelector('input[type=checkbox]').checked"),
	'... and without them it is not');

my @errors = $web->errors;
ok(!@errors, 'no errors');
print STDERR "$_\n" for @errors;
