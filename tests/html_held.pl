# SPDX-License-Identifier: GPL-3.0-or-later
#
#	perl html_held.pl CHROMIUM PAGE OLD_AND_NEW NO_GRAPH
#
# For held-page.t: checks on three pages who holds which blocks.  Prints a line
# "1 what" or "0 what" for each check.
use strict;
use warnings;
use File::Basename;
use lib dirname(__FILE__);
use cdp;

my ($chromium, $page, $diff, $plain) = @ARGV;
my $dir = $ENV{T} || die "no \$T\n";
my $web = cdp->new($chromium, $dir);
END { $web->quit if $web }
binmode $_, ':utf8' for *STDOUT, *STDERR;
$| = 1;

sub ok { print $_[0] ? 1 : 0, " $_[1]\n"; return $_[0] }

sub is
{
	my ($got, $want, $what) = @_;
	ok($got eq $want, $what) or print STDERR "got:\n$got\nwant:\n$want\n";
}

my $now = "document.querySelector('main > section:not([hidden])')";

# The rows of a table, cells with blanks between; the selected row has a star.
sub rows
{
	my $of = shift;
	return join "\n", @{$web->run("Array.from($now.querySelectorAll(" .
		"'$of tr'), (r) => (r.classList.contains('picked') ? '*' : '')" .
		" + Array.from(r.cells, (c) => c.textContent).join(' '))")};
}

sub texts
{
	return join "\n", @{$web->run("Array.from($now.querySelectorAll(" .
		"'$_[0]'), (e) => e.textContent)")};
}

sub link_named
{
	$web->run("Array.from($now.querySelectorAll('button.link'))" .
		".find((b) => b.textContent === '$_[0]').click()");
}

sub shots
{
	my ($url, $name) = @_;
	for my $width (480, 1400) {
		$web->open($url, $width, 900);
		ok($web->run("document.documentElement.scrollWidth") <= $width,
			"$name: no wider than $width pixels");
		$web->shot("$ENV{HTML_SHOTS}/held-$name-$width.png")
			if $ENV{HTML_SHOTS};
	}
}

# The first view.
my $url = "file://$dir/$page";
$web->open($url, 1400, 900);
is(texts('.holders li') =~ s/c:\d+/c:LINE/gr, 'list (app.c:LINE): 101600 bytes in 200 blocks, 94.9% of what ' .
	"was live \x{2192} ~struct node .leaf \x{2192} ~struct leaf",
	'the first view: who holds most, and by which path');

# The tree, by keys.
link_named('list');
my $list = "*101600 94.9 200 0 \x{25b8}list (app.c:LINE)\n";
my $lost = "5000 4.7 - 5000 (lost: nothing holds them)\n" .
	"300 0.3 1 0 \x{25b8}other (app.c:LINE)\n" .
	"200 0.2 1 0 \x{25b8}more (app.c:LINE)";
is(rows('.tablebox tbody') =~ s/c:\d+/c:LINE/gr, "$list$lost", 'a link leads to the tree of holders');
is(texts('.held thead th'), "retained\n%\nblocks\nown\nholder", '... with heads');
$web->run("$now.querySelector('.scroll table').focus()");
$web->key('ArrowRight');
$web->key('ArrowDown');
$web->key('ArrowRight');
my $rows = "101600 94.9 200 0 \x{25be}list (app.c:LINE)\n" .
	"*101600 94.9 200 1600 \x{25be}~struct node from make (app.c:LINE)\n" .
	"100000 93.4 100 100000 ~struct leaf from make_leaf (app.c:LINE)\n$lost";
(my $got = rows('.tablebox tbody')) =~ s/c:\d+/c:LINE/g;
is($got, $rows, 'the right arrow opens rows');
is($web->run("Array.from($now.querySelectorAll('tr[data-row]'), (r) => " .
	"[r.getAttribute('aria-level'), r.getAttribute('aria-expanded')]" .
	".join(' ')).join()"), '1 true,2 true,3 ,1 ,1 false,1 false',
	'... which say how deep they are and whether they are open');
$got = $web->run("location.href");
$web->key('ArrowLeft');
$web->key('ArrowLeft');
$web->key('ArrowLeft');
is(rows('.tablebox tbody') =~ s/c:\d+/c:LINE/gr, "$list$lost", 'the left arrow closes them');
$web->open($got, 1400, 900);
($got = rows('.tablebox tbody')) =~ s/c:\d+/c:LINE/g;
is($got, $rows, 'the address has what is open');

# Boxes: the mouse zooms, the keys walk.
$web->open("$url#view=held", 1400, 900);
my ($x, $y) = @{$web->run("(() => { const r = $now.querySelector('canvas')" .
	".getBoundingClientRect(); return [r.x + 30, r.y + 52]; })()")};
$web->click($x, $y);
is($web->run("$now.querySelector('.crumbs').textContent") =~ s/c:\d+/c:LINE/gr,
	"all \x{203a} list (app.c:LINE) \x{203a} ~struct node from make (app.c:LINE)",
	'a click on a box zooms');
$web->run("$now.querySelector('.flame').focus()");
$web->key('ArrowDown');
$got = $web->run("$now.querySelector('.said').textContent");
ok(scalar($got =~ /^~struct leaf .*retains 100000 bytes in 100 blocks/),
	'arrow keys walk') or print STDERR "$got\n";
$web->key('Escape');
is($web->run("$now.querySelector('.crumbs').textContent"), '',
	'Escape zooms out');
$web->run("$now.querySelector('.scroll table').focus()");
$web->key('/');
$web->text('leaf');
ok($web->until("$now.querySelectorAll('tr[data-row]').length === 3"),
	'a search opens the way to what it finds');

# A call path, and from there to the one that holds it.
$web->open("$url#view=held&hat=3", 1400, 900);
link_named('its call path');
my $pane = texts('.pane td.text') =~ s/c:\d+/c:LINE/gr;
is($pane, '~struct node from make (app.c:LINE) .leaf', 'a call path: held by');
like_pane("retained100000 in 100 blocks 93.4% of what was live");
is(texts('.steps li') =~ s/c:\d+/c:LINE/gr, "list\n~struct node from make " .
	"(app.c:LINE) .leaf\n~struct leaf from make_leaf (app.c:LINE)",
	'... the path from a root');
$web->run("$now.querySelector('.pane td.text .link').click()");
is(texts('.pane td.text') =~ s/c:\d+/c:LINE/gr, join("\n",
	'~struct node from make (app.c:LINE) .next', 'list',
	'~struct leaf from make_leaf (app.c:LINE) by .leaf',
	'~struct node from make (app.c:LINE) by .next'),
	'a link leads to the holder: what it holds');

# Two paths with one line: the bytes that each retains, and a link from one to
# the other.
$web->open("$url#view=sites&q=main", 1400, 900);
$web->run("Array.from($now.querySelectorAll('tbody tr')).find((r) => " .
	"/^main/.test(r.textContent)).click()");
like_pane('retained300 in 1 block 0.3%');
is(texts('.pane h4 + p') =~ s/c:\d+/c:LINE/gr =~ s/\n.*//sr,
	'The others: ~char from main (app.c:LINE)',
	'... two call paths of one line');
$web->run("$now.querySelector('.pane h4 + p .link').click()");
like_pane('retained200 in 1 block 0.2%');

sub like_pane
{
	my $text = $web->run("$now.querySelectorAll('.pane .facts')[1].textContent");
	ok(index($text, $_[0]) >= 0, "... $_[0]") or print STDERR "$text\n";
}

# Two runs.
$web->open("file://$dir/$diff#view=compare&what=types", 1400, 900);
$got = rows('.tablebox:not([hidden]) tbody');
for ('list variable -50800 101600 50800 200 100',
	'~struct leaf blocks -50000 100000 50000 100 50',
	'other variable 0 300 300 1 1') {
	ok(index("$got\n", "$_\n") >= 0, "two runs: $_") or
		print STDERR "$got\n";
}

# A run without a graph.
$web->open("file://$dir/$plain", 1400, 900);
is($web->run("document.querySelectorAll('[data-view=held], .holders').length"),
	0, 'a run without --graph has no such view');
shots("$url#view=held&hat=3", 'tree');
shots("file://$dir/$diff#view=compare&what=types", 'diff');
is(join("\n", $web->errors), '', 'no errors');
