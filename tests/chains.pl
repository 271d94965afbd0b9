# SPDX-License-Identifier: GPL-3.0-or-later
#
# perl chains.pl chains|graph <JSON: the totals of a profile, function by
# function, call by call, cycle by cycle, as sorted lines.  "chains" computes
# them from the call paths of `mpreduce --json' alone, by the definitions of
# reduce/model/result.h; "graph" prints mpreduce's own.  The two are the same
# for any file.  They are also the same for two runs of a program that did the
# same: the call paths of one run and the graph of the other, whose recursion
# was folded.
#
#	total KEY=...
#	func NAME FIGURES		its own allocations, if it made any
#	alone NAME FIGURES		the same, with those of its callees
#	member NAME FIGURES		the same, for a member of a cycle
#	cycle MEMBERS self FIGURES total FIGURES
#	arc CALLER > CALLEE N FIGURES	N: the number of calls
#	inner CALLER > CALLEE FIGURES	the same within a cycle
#	often CALLER > CALLEE N		the number of calls, within a cycle
#
# FIGURES: allocations, bytes, frees, bytes freed of each class of sizes, and
# bytes at the peak.  A call from a function to itself is within a cycle, too.
use strict;
use warnings;

my $graph = ($ARGV[0] // '') eq 'graph';
my @kinds = qw(allocs bytes frees freed);
my (@name, @func, %arc, @cycle, @lines);

# The object after a key; it contains no other object.
sub object
{
	my ($line, $key) = @_;

	return $line =~ /"$key":(\{[^{}]*\})/ ? $1 : die "no $key: $line";
}

sub counts
{
	my ($line, $key) = @_;
	my $text = object($line, $key);
	my @v = map { $text =~ /"$_":\[([\d,]+)\]/ ? split(/,/, $1)
		: die "no $_: $text" } @kinds;

	return [@v, $text =~ /"peak":(\d+)/ ? $1 : 0];
}

sub function
{
	my ($line) = @_;
	my ($name, $module) = map { $line =~ /"$_":"((?:[^"\\]|\\.)*)"/ }
		qw(name module);
	my ($at, $addr) = map { $line =~ /"$_":(\d+)/ } qw(line address);

	push @name, "$module+$addr:$at:" . $name =~ tr/ /_/r;
	push @func, $graph ? { map { $_ => counts($line, $_) } qw(self total) }
		: { map { $_ => [(0) x 17] } qw(self total) };
}

# A call path and its allocations.
sub site
{
	my ($chain, $v) = @_;
	my @some = grep { $v->[$_] } 0 .. 16;
	my (%funcs, %arcs, $calls);
	my $add = sub { my ($to) = @_; $to->[$_] += $v->[$_] for @some };

	$calls = 0;
	$calls += $_ for @$v[0 .. 3];
	$funcs{$_} = 1 for @$chain;
	$arcs{"$chain->[$_ - 1] $chain->[$_]"}++ for 1 .. $#$chain;
	$add->($func[$chain->[-1]]{self}) if @$chain;
	$add->($func[$_]{total}) for keys %funcs;
	for (keys %arcs) {
		my $a = $arc{$_} //= { calls => 0, count => [(0) x 17] };

		$a->{calls} += $arcs{$_} * $calls;
		$add->($a->{count});
	}
}

# Functions that reach each other, by number: functions that are alone have 0.
sub components
{
	my (%out, %in, @order, %seen, %of, $n);

	for (keys %arc) {
		my ($from, $to) = split / /;

		push @{$out{$from}}, $to;
		push @{$in{$to}}, $from;
	}
	for my $start (0 .. $#name) {
		my @stack = ([$start, 0]);

		next if $seen{$start}++;
		while (@stack) {
			my ($f, $i) = @{$stack[-1]};
			my $to = ($out{$f} // [])->[$i];

			$stack[-1][1]++;
			if (!defined $to) {
				push @order, $f;
				pop @stack;
			} elsif (!$seen{$to}++) {
				push @stack, [$to, 0];
			}
		}
	}
	for my $start (reverse @order) {
		my @stack = $start;
		my @members;

		next if defined $of{$start};
		$n++;
		while (defined(my $f = pop @stack)) {
			next if defined $of{$f};
			$of{$f} = $n;
			push @members, $f;
			push @stack, @{$in{$f} // []};
		}
		$of{$start} = 0 if @members == 1;
	}
	return %of;
}

my (@chains, $part);
while (<STDIN>) {
	if (/^"(\w+)":\[$/) {
		$part = $1;
	} elsif (/^"totals":/) {
		my $line = $_;

		push @lines, 'total ' . join ' ', map {
			$line =~ /"$_":(\w+)/ ? "$_=$1" : die "no $_" }
			@kinds, qw(peak peak_blocks reallocs unrecorded);
	} elsif (/^"\w+":/) {
		$part = '';
	} elsif (!$part) {
		next;
	} elsif ($part eq 'functions') {
		function($_);
	} elsif ($part eq 'arcs' && $graph) {
		/"caller":(\d+),"callee":(\d+),"calls":(\d+)/ or die $_;
		$arc{"$1 $2"} = { calls => $3, count => counts($_, 'count') };
	} elsif ($part eq 'cycles' && $graph) {
		/"members":\[([\d,]+)\]/ or die $_;
		push @cycle, { members => [split /,/, $1],
			self => counts($_, 'self'),
			total => counts($_, 'total') };
	} elsif ($part eq 'sites' && !$graph && /"chain":\[([\d,]*)\]/) {
		push @chains, [[split /,/, $1], counts($_, 'count')];
		site(@{$chains[-1]});
	}
}

my %in;
if ($graph) {
	for my $i (0 .. $#cycle) {
		$in{$_} = $i + 1 for @{$cycle[$i]{members}};
	}
} else {
	my %members;

	%in = components();
	push @{$members{$in{$_}}}, $_ for grep { $in{$_} } sort keys %in;
	my %number;
	for my $k (keys %members) {
		my $c = { members => $members{$k}, self => [(0) x 17],
			total => [(0) x 17] };

		push @cycle, $c;
		for my $f (@{$c->{members}}) {
			$c->{self}[$_] += $func[$f]{self}[$_] for 0 .. 16;
		}
		$number{$k} = $c;
	}
	for (@chains) {
		my ($chain, $v) = @$_;
		my %on = map { $in{$_} => 1 } grep { $in{$_} } @$chain;

		for my $c (map { $number{$_} } keys %on) {
			$c->{total}[$_] += $v->[$_] for 0 .. 16;
		}
	}
}

for my $i (0 .. $#name) {
	push @lines, "func $name[$i] @{$func[$i]{self}}"
		if grep { $_ } @{$func[$i]{self}};
	push @lines, ($in{$i} ? 'member' : 'alone') .
		" $name[$i] @{$func[$i]{total}}";
}
for (keys %arc) {
	my ($from, $to) = split / /;
	my $inner = $from == $to || ($in{$from} && $in{$from} == ($in{$to} // 0));
	my $pair = "$name[$from] > $name[$to]";

	push @lines, $inner ? "inner $pair @{$arc{$_}{count}}"
		: "arc $pair $arc{$_}{calls} @{$arc{$_}{count}}";
	push @lines, "often $pair $arc{$_}{calls}" if $inner;
}
push @lines, map { 'cycle ' . join(',', sort map { $name[$_] } @{$_->{members}}) .
	" self @{$_->{self}} total @{$_->{total}}" } @cycle;
print map { "$_\n" } sort @lines;
