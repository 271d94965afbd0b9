#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Reads the JSON of mpreduce on standard input and computes everything again
# from the call paths of its sites.  Prints the differences, and nothing else.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/..";
use json;

my $p = decode_json(do { local $/; <STDIN> });
my @fields = qw(allocs bytes frees freed kept);
my (%self, %total, %arc, %calls, %cycle_total, %cycle_calls, %cycle_internal);
my (%callers, %callees, %all, %life, %reallocs);
my $blocks = 0;

# add TABLE, KEY, COUNTS: sum counts up.
sub add
{
	my ($table, $key, $c) = @_;

	for my $f (@fields) {
		$table->{$key}{$f}[$_] += $c->{$f}[$_] for 0 .. 3;
	}
	$table->{$key}{peak} += $c->{peak} // 0;
}

# same WHAT, GOT, WANT: compare counts; nothing is all zeros.
sub same
{
	my ($what, $got, $want) = @_;

	for my $f (@fields) {
		my $g = join ' ', @{$got->{$f}};
		my $w = join ' ', map { $want->{$f}[$_] // 0 } 0 .. 3;
		print "$what: $f is $g, should be $w\n" if $g ne $w;
	}
	same_maybe("peak of $what", $got->{peak}, $want->{peak} // 0,
		$p->{totals}{peak_known});
}

sub same_number
{
	my ($what, $got, $want) = @_;

	$want //= 0;
	print "$what is $got, should be $want\n" if $got != $want;
}

# same_maybe WHAT, GOT, WANT, KNOWN: GOT is WANT, or null when not known.
sub same_maybe
{
	my ($what, $got, $want, $known) = @_;

	$want = undef unless $known;
	print "$what is ", $got // 'null', ', should be ', $want // 'null', "\n"
		if ($got // 'null') ne ($want // 'null');
}

my @sums = qw(temps near by_others moved copied timed weight sum_ns);

# add_life KEY, LIFE: adds to the lifetimes of the blocks of a function, or of
# all.
sub add_life
{
	my ($key, $l) = @_;
	my $to = $life{$key} //= { histogram => [], longest => 0 };

	$to->{$_} += $l->{$_} for @sums;
	$to->{histogram}[$_] += $l->{histogram}[$_]
		for 0 .. $#{$l->{histogram}};
	$to->{longest} = $l->{longest} if $to->{longest} < $l->{longest};
	return unless $l->{timed};
	$to->{min_ns} = $l->{min_ns}
		if !defined $to->{min_ns} || $to->{min_ns} > $l->{min_ns};
	$to->{max_ns} = $l->{max_ns}
		if !defined $to->{max_ns} || $to->{max_ns} < $l->{max_ns};
}

# same_life WHAT, GOT, WANT
sub same_life
{
	my ($what, $got, $want) = @_;
	my $n = 0;

	for my $f (@sums, 'longest') {
		same_number("$f of $what", $got->{$f}, $want->{$f});
	}
	for my $f (qw(min_ns max_ns)) {
		same_maybe("$f of $what", $got->{$f}, $want->{$f}, 1);
	}
	my $g = join ' ', @{$got->{histogram}};
	my $w = join ' ', map { $_ // 0 } @{$want->{histogram}};
	print "$what lived $g, should be $w\n" if $g ne $w;
	$n += $_ for @{$got->{histogram}};
	same_number("sum of the histogram of $what", $n, $got->{weight});
}

my @use = qw(blocks bytes reads writes span cover span_used cover_used
	life_ns groups);
my %use;

# add_use KEY, USE: to how the blocks of a function, or of all, were used.
sub add_use
{
	my ($key, $u) = @_;
	my $to = $use{$key} //= {};

	return unless $u;
	$to->{$_} += $u->{$_} for @use, qw(useful group_scores);
	for my $f (grep { !/^top/ } keys %{$u->{flags}}) {
		$to->{untold}{$f} = 1 if !$u->{flags}{$f};
		next if !$u->{flags}{$f};
		$to->{flags}{$f}{$_} += $u->{flags}{$f}{$_}
			for qw(blocks bytes);
	}
}

# same_use WHAT, GOT, WANT: sums, flags, and the scores that follow from them.
sub same_use
{
	my ($what, $u, $want) = @_;

	print "use of $what isn't known, unlike that of its sites\n"
		if !$u && $want->{blocks};
	return unless $u;
	same_number("$_ of $what", $u->{$_}, $want->{$_}) for @use;
	near("$_ of $what", $u->{$_}, $want->{$_}) for qw(useful group_scores);
	for my $f (grep { $u->{flags}{$_} && !$want->{untold}{$_} }
		keys %{$u->{flags}}) {
		same_number("$f $_ of $what", $u->{flags}{$f}{$_},
			$want->{flags}{$f}{$_}) for qw(blocks bytes);
	}
	scores($what, $u);
}

sub near
{
	my ($what, $got, $want) = @_;

	print "$what is $got, should be $want\n"
		if abs($got - $want) > 1e-9 * (1 + abs $want);
}

# scores WHAT, USE: the formulas of mpreduce(1).
sub scores
{
	my ($what, $u) = @_;
	my ($s, $g) = ($u->{scores}, 1);
	my %want = (lifetime => $u->{group_scores} / $u->{groups},
		usage => $u->{span_used} / $u->{bytes},
		useful => $u->{useful} / $u->{blocks},
		cover => $u->{cover_used} / $u->{bytes});

	my $clock = $p->{totals}{uses}{step_ns};
	my %known = (usage => 1, cover => 1,
		lifetime => $u->{coarse_groups} <= $u->{groups} / 10,
		useful => $u->{flags}{unused}{blocks} == $u->{blocks} ||
			$u->{life_ns} >= 4 * $clock * $u->{blocks});

	for (keys %want) {
		near("$_ of $what", $s->{$_}, $want{$_}) if $known{$_};
		print "$_ of $what is known\n" if !$known{$_} && defined $s->{$_};
	}
	my @known = grep { $known{$_} } qw(lifetime usage useful);
	$g *= $want{$_} > 0.01 ? $want{$_} : 0.01 for @known;
	$g **= 1 / @known;
	near("mean of $what", $s->{mean}, $g);
	my $save = $u->{bytes} * (1 - $g);
	print "save of $what is $s->{save}, should be $save, cut\n"
		if $s->{save} !~ /^\d+$/ ||
			abs($s->{save} + .5 - $save) > .5 + 1e-9 * (1 + $save);
	my $step = 12 - int($g * 12 + 1e-9);
	same_number("severity of $what", $s->{severity}, $step || 1);
}

my @f = @{$p->{functions}};
my $uses = $p->{totals}{uses};
my $lives = defined $p->{totals}{life};
for my $site (@{$p->{sites}}) {
	my @chain = @{$site->{chain}};
	my ($c, %on, %over, %cycles, %into, %out) = $site->{count};
	my $n = 0;

	$n += $_ for @{$c->{allocs}};
	add(\%all, 0, $c);
	$reallocs{$_} += $site->{reallocs} for 'all', @chain ? $chain[-1] : ();
	$blocks += $site->{peak_blocks} // 0;
	print "a site's life is known, or not, unlike the total's\n"
		if $lives != defined $site->{life};
	add_life($_, $site->{life})
		for $lives ? ('all', @chain ? $chain[-1] : ()) : ();
	add_use($_, $site->{use}) for 'all', @chain ? $chain[-1] : ();
	scores('a site', $site->{use}) if $site->{use};
	print "there is a use where nothing is known of any\n"
		if $site->{use} && !$uses;
	add(\%self, $chain[-1], $c) if @chain;
	$on{$_} = 1 for @chain;
	for my $i (1 .. $#chain) {
		my ($from, $to) = @chain[$i - 1, $i];
		my ($a, $b) = ($f[$from]{cycle}, $f[$to]{cycle});

		$over{"$from $to"} = 1;
		$calls{"$from $to"} += $n;
		$cycle_calls{$b} += $n if $b && $a != $b;
		$cycle_internal{$b} += $n if $b && $a == $b;
		$into{"$b $from"} += $n if $b && $a != $b;
		$out{"$a $to"} += $n if $a && $a != $b;
	}
	$cycles{$f[$_]{cycle}} = 1 for grep { $f[$_]{cycle} } keys %on;
	add(\%total, $_, $c) for keys %on;
	add(\%arc, $_, $c) for keys %over;
	add(\%cycle_total, $_, $c) for keys %cycles;
	add(\%callers, $_, $c) for keys %into;
	add(\%callees, $_, $c) for keys %out;
	$callers{$_}{calls} += $into{$_} for keys %into;
	$callees{$_}{calls} += $out{$_} for keys %out;
}

my %in;
for my $key (keys %calls) {
	my ($from, $to) = split / /, $key;

	$in{$to}{$from == $to ? 'recursive' : 'calls'} += $calls{$key};
	$in{$from}{outcalls} += $calls{$key} if $from != $to;
}
same('totals', $p->{totals}{classes}, $all{0});
same_number('reallocs', $p->{totals}{reallocs}, $reallocs{all});
same_maybe('blocks at the peak', $p->{totals}{peak_blocks}, $blocks,
	$p->{totals}{peak_known});
same_life('all', $p->{totals}{life}, $life{all}) if $lives && $life{all};
for my $i (0 .. $#f) {
	same("self of $f[$i]{name}", $f[$i]{self}, $self{$i});
	same("total of $f[$i]{name}", $f[$i]{total}, $total{$i});
	same_number("$_ of $f[$i]{name}", $f[$i]{$_}, $in{$i}{$_})
		for qw(calls recursive outcalls);
	same_number("reallocs of $f[$i]{name}", $f[$i]{reallocs},
		$reallocs{$i});
	same_life($f[$i]{name}, $f[$i]{life}, $life{$i}) if $lives;
	same_use($f[$i]{name}, $f[$i]{use}, $use{$i}) if $uses;
}
same_number('number of arcs', scalar @{$p->{arcs}}, scalar keys %arc);
for my $a (@{$p->{arcs}}) {
	my $key = "$a->{caller} $a->{callee}";

	same("arc $key", $a->{count}, $arc{$key});
	same_number("calls of arc $key", $a->{calls}, $calls{$key});
}
for my $c (@{$p->{cycles}}) {
	my $n = $c->{number};

	same("cycle $n", $c->{total}, $cycle_total{$n});
	same_number("calls of cycle $n", $c->{calls}, $cycle_calls{$n});
	same_number("internal calls of cycle $n", $c->{internal},
		$cycle_internal{$n});
	for my $side ([ 'callers', \%callers ], [ 'callees', \%callees ]) {
		my ($name, $table) = @$side;

		same_number("$name of cycle $n", scalar @{$c->{$name}},
			scalar grep { /^$n / } keys %$table);
		for my $l (@{$c->{$name}}) {
			my $want = $table->{"$n $l->{function}"};

			same("$name of cycle $n", $l->{count}, $want);
			same_number("calls, $name of cycle $n", $l->{calls},
				$want->{calls});
		}
	}
}
my %bins;
for my $b (@{$p->{bins}}, $p->{big}) {
	$bins{$_} += $b->{$_} for qw(allocs bytes frees kept);
}
# Suppressed blocks whose sizes aren't known are in no bin.
$bins{kept} -= ($p->{suppressed_unsized} // {})->{bytes} // 0;
same_number("$_ of all bins", $bins{$_}, $p->{totals}{$_})
	for qw(allocs bytes frees kept);
my %threads;
for my $t (@{$p->{threads}}) {
	$threads{$_} += $t->{$_} for qw(threads allocs bytes frees freed);
}
same_number("$_ of all threads", $threads{$_}, $p->{totals}{$_})
	for sort keys %threads;
if ($uses) {
	same_number("$_ of all", $uses->{$_}, $use{all}{$_})
		for qw(reads writes);
	same_number('sites with scores', $uses->{sites},
		scalar grep { $_->{use} } @{$p->{sites}});
}
my (%leaks, %kept);
for my $s (@{$p->{sites}}) {
	for my $kind (keys %{$s->{leaks} // {}}) {
		$leaks{"$kind $_"} += $s->{leaks}{$kind}{$_} for qw(blocks bytes);
	}
	$kept{$_} += $s->{suppressed}{$_} for qw(blocks bytes);
}
for my $kind ($p->{totals}{leaks} ? qw(lost indirect interior reachable) : ()) {
	same_number("$kind, $_", $p->{totals}{leaks}{$kind}{$_},
		$leaks{"$kind $_"} // 0) for qw(blocks bytes);
}
for my $what (qw(blocks bytes)) {
	my $sum = 0;

	$sum += $_->{kept}{$what} for @{$p->{suppressions}};
	same_number("suppressed $what", $p->{totals}{suppressed}{$what},
		$kept{$what} // 0);
	same_number("suppressed $what by pattern", $sum, $kept{$what} // 0);
}
same_number('what is not freed, and suppressed', $p->{totals}{kept} +
	$p->{totals}{suppressed}{bytes},
	$p->{totals}{bytes} - $p->{totals}{freed});
my %types;
for my $t (@{$p->{types}}) {
	$types{$_} += $t->{$_} for qw(allocs bytes frees freed);
	scores("type " . ($t->{name} // '?'), $t->{use}) if $t->{use};
}
same_number("$_ of all types", $types{$_}, $p->{totals}{$_})
	for sort keys %types;
for my $l (@{$p->{fields}}) {
	same_number('granules of a layout', scalar @{$l->{$_}},
		int(($l->{size} + 15) / 16)) for qw(reads writes);
}
