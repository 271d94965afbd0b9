# SPDX-License-Identifier: GPL-3.0-or-later
#
# The checks of html_page.pl for call paths of known programs.
use strict;
use warnings;

our ($web, %with, $json, $t, $peak); # see there

# Each handler has its own name, whichever library function calls it
# (prog/handlers.cc).
if ($with{handlers}) {
	my %path = (1001 => 'on_open < [std] < dispatch < main',
		1002 => 'on_read < [std] < dispatch < main',
		1003 => 'LAMBDA0 < [std] < dispatch < main',
		1004 => 'counter::operator() < [std] < dispatch < main',
		1005 => 'by_name < [std] < order < main',
		1006 => 'by_size < [std] < order < main',
		1007 => 'work', 1008 => 'later', 1009 => 'circle::draw < main',
		1010 => 'shop::text < [std] < main', 1011 => 'pool::get < main',
		1012 => 'main (> vector::reserve)',
		1013 => 'core::start < main', 1014 => 'alloc::start < main',
		1016 => 'arena::allocate < [std] < fill < main',
		1017 => 'inner < deep < [std] < dispatch < main',
		1018 => 'LAMBDA1 < [std] < dispatch < main');
	# The compilers number lambdas from 1, or from 0.
	my $plain = sub { local $_ = shift; s/\x{2190}/</g; s/\x{2192}/>/g;
		s/main::\{lambda#(\d+)\}/'LAMBDA' . ($1 - 1)/e;
		s/main::\$_(\d+)/LAMBDA$1/; return $_ };
	my $among = sub { my %row; for (@_) {
		$row{$2} = $plain->($1) if /^(.*) (10[01]\d)$/ } return \%row };
	my @want = map { "$_ $path{$_}" } sort keys %path;
	for my $depth (0, 5) {
		view("view=sites&depth=$depth&metric=bytes");
		my $row = $among->(rows('tbody tr[data-row]', 0, 'bytes'));
		# The library's own rows of main are one where 5 frames count.
		$row->{1012} = $path{1012} if $depth;
		same([map { "$_ " . ($row->{$_} // 'no row') } sort keys %path],
			\@want, "call paths of handlers, $depth frames");
	}
	# Where the program's own code calls, by file and line.
	view('metric=bytes');
	for ([1, 'call path'], [2, 'function']) {
		my ($n, $what) = @$_;
		my @lines = grep { !/^\[/ } @{$web->run("Array.from(document" .
			".querySelectorAll('.cards > .card:nth-child($n) tbody tr'), " .
			"(r) => r.cells[0].textContent.trim())")};
		ok(@lines > 3 && !grep({ !/ \(handlers\.cc:[1-9]\d*\)/ }
			@lines), "summary: file and line of each $what") or
			print STDERR "@lines\n";
	}
	# The page marks suppressed bytes, and doesn't count them as not freed.
	view('metric=kept');
	my $card = "document.querySelector('.figure[aria-pressed=true]')";
	ok($web->run("$card.textContent") =~
		/suppressed: $t->{suppressed}{bytes} that the C and C\+\+ libraries never free$/ && !grep({ /\[libstdc/ }
		@{$web->run("Array.from(document.querySelectorAll('.cards:not(.others) .card tr'" .
			"), (r) => r.textContent)")}) && !grep({ /(?<!\d)72704/
		} @{$web->run("Array.from(document.querySelectorAll('.cards:not(.others) " .
			".card td.num'), (c) => c.textContent)")}),
		'summary: what is suppressed');
	# The library is folded in the graph, opens, and may be shown.
	my $open = sub { view(shift); $web->run("document.querySelector(" .
		"'.intext').open = true"); $web->until("document." .
		"querySelector('.intext tbody tr')");
		return rows('.intext tbody tr', 2) };
	my $std = qr/^(?:std|__gnu_cxx)::/;
	my $named = sub { my $re = shift; return scalar grep { /$re/ } @_ };
	my @folded = $open->('view=flame&metric=bytes');
	ok(!$named->($std, @folded) && $named->(qr/^\[std\] /, @folded),
		'flame graph: std:: is folded');
	my @all = $open->('view=flame&metric=bytes&lib=1');
	ok($named->($std, @all) && !$named->(qr/^\[std\] /, @all),
		'... and shown if that is asked for');
	$open->('view=flame&metric=bytes');
	$web->run("Array.from(document.querySelectorAll('.intext .link')).find(" .
		"(e) => e.textContent.startsWith('[std]')).click()");
	$web->run("document.querySelector('.flame').focus()");
	ok($web->run("(() => { const b = Array.from(document.querySelectorAll(" .
		"'.said .link')).find((e) => e.textContent === 'its functions');" .
		"b.click(); return location.hash })()") =~ /open=l/ &&
		$named->($std, rows('.intext tbody tr', 2)),
		'... and opens');
	my @up = $open->('view=flame&metric=bytes&mode=callers');
	ok(@up > 10 && $named->($std, @up) < $named->($std,
		$open->('view=flame&metric=bytes&mode=callers&lib=1')),
		'... and left out among callers');
	ok($web->run("Array.from(document.querySelectorAll('.sub .legend li'), " .
		"(e) => e.textContent).join()") =~ /handlers/,
		'the colours of modules have a legend');
	$web->run("document.querySelector('.intext').open = false");
	view('metric=bytes');
	my @card = map { my $n = $_; [@{$web->run("Array.from(document" .
		".querySelectorAll('.cards > .card:nth-child($n) tr.go:not(.by)'), " .
		"(r) => r.cells[0].textContent.split('  ')[0] + (r.nextSibling && r" .
		".nextSibling.matches('.by') ? r.nextSibling.textContent" .
		": '') + ' ' + r.cells[2].textContent)")}] } 1, 2;
	my $row = $among->(map { s/ \([^ ]*:\d+\)//gr } @{$card[0]});
	my @best = grep { $path{$_} } sort keys %$row;
	ok(@best > 3, 'summary: handlers are among the first');
	same([map { $row->{$_} } @best], [map { s/\((> .*)\)/$1/r }
		@path{@best}],
		'summary: call paths of handlers');
	ok(@{$card[1]} > 3 && !grep({ /^(?:std|__gnu)/ } @{$card[1]}),
		'summary: functions, none of the library');
}

# An allocating helper, by its line and the lines that call it.
if ($with{rules}) {
	my $list = sub { view(shift); @{$web->run("Array.from(document" .
		".querySelectorAll('.cards:not(.others) .long tbody tr'), (r) => Array.from(" .
		"r.cells, (c) => c.textContent).join(' ').trim())")} };
	my $below = sub { map { s/</\x{2190}/gr }
		'50.0% < fact (rules.c:8) < 2 callers',
		'25.0% < fact (rules.c:10) < main (rules.c:14)',
		'25.0% < main (rules.c:17)' };
	same([$list->('metric=kept')], ['peek (rules.c:4)  4 blocks  400 100.0%',
		$below->()], 'summary: a line and its callers');
	same([$list->('metric=temps')], ['peek (rules.c:4)  of 8  4 100.0%',
		$below->()], 'summary: what was short-lived');
	view('metric=kept');
	$web->run("document.querySelector('.by').click()");
	ok($web->run("document.querySelector('main > section:not([hidden]) " .
		".chain').textContent") =~ /rules\.c:8\).*rules\.c:1[56]\)/s,
		'... and a click leads to its call path');
	view('view=sites&depth=2&metric=kept');
	same([sort(rows('tbody tr[data-row]', 0, 1))],
		["peek \x{2190} fact \x{2190} \x{2026} rules.c:4",
		"peek \x{2190} main rules.c:4"], 'call paths: their lines');
}
1;
