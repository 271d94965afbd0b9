#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Read the JSON of mpreduce on standard input and work everything out again from
# the chains of its sites.  Prints what doesn't agree, and nothing else.
use strict;
use warnings;
use JSON::PP;

my $p = decode_json(do { local $/; <STDIN> });
my @fields = qw(allocs bytes frees freed kept);
my (%self, %total, %arc, %calls, %cycle_total, %cycle_calls, %cycle_internal);
my (%callers, %callees, %all);

# add TABLE, KEY, COUNTS: sum counts up.
sub add
{
	my ($table, $key, $c) = @_;

	for my $f (@fields) {
		$table->{$key}{$f}[$_] += $c->{$f}[$_] for 0 .. 3;
	}
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
}

sub same_number
{
	my ($what, $got, $want) = @_;

	$want //= 0;
	print "$what is $got, should be $want\n" if $got != $want;
}

my @f = @{$p->{functions}};
for my $site (@{$p->{sites}}) {
	my @chain = @{$site->{chain}};
	my ($c, %on, %over, %cycles, %into, %out) = $site->{count};
	my $n = 0;

	$n += $_ for @{$c->{allocs}};
	add(\%all, 0, $c);
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
for my $i (0 .. $#f) {
	same("self of $f[$i]{name}", $f[$i]{self}, $self{$i});
	same("total of $f[$i]{name}", $f[$i]{total}, $total{$i});
	same_number("$_ of $f[$i]{name}", $f[$i]{$_}, $in{$i}{$_})
		for qw(calls recursive outcalls);
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
same_number("$_ of all bins", $bins{$_}, $p->{totals}{$_})
	for qw(allocs bytes frees kept);
