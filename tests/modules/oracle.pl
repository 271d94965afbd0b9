#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Computes the results of the modules by their definitions from the list of all
# events (naive.c), one by one: oracle.pl MODULE FILE.naive FILE.MODULE.  Prints
# the differences.
use strict;
use warnings;
no warnings 'recursion';
use integer;
use FindBin;
use lib $FindBin::Bin;
use rows;

my ($module, $naive, $results) = @ARGV;
my ($LOAD, $STORE, $POINTER, $ALLOC, $FREE, $STACK, $UNSTACK, $GLOBAL, $ENTRY,
	$EXIT, $LOOP, $ITERATION, $LEAVE) = 1 .. 13;
my $RESUME = 16;

# ------------------------------------------------------------ contexts --

# The active functions and loops of each thread, outermost first: [kind, place,
# frame, serial, iteration].
my (%stack, %time, $serial);

sub pop_to
{
	my ($s, $n) = @_;
	$#$s = $n - 1;
}

# The innermost item of a kind and place, or -1.
sub innermost
{
	my ($s, $kind, $where) = @_;
	for (my $i = $#$s; $i >= 0; $i--) {
		return $i if $s->[$i][0] == $kind && $s->[$i][1] eq $where;
	}
	return -1;
}

sub context
{
	my ($thread, $kind, $where, $address) = @_;
	my $s = $stack{$thread} //= [];

	if ($kind == $LOOP || $kind == $ENTRY) {
		push @$s, [$kind, $where, $address, ++$serial, 0];
	} elsif ($kind == $ITERATION) {
		my $i = innermost($s, $LOOP, $where);
		if ($i < 0) {
			push @$s, [$LOOP, $where, 0, ++$serial, 0];
			$i = $#$s;
		}
		pop_to($s, $i + 1);
		$s->[$i][4]++;
		$time{$thread}++;
	} elsif ($kind == $LEAVE) {
		my $i = innermost($s, $LOOP, $where);
		pop_to($s, $i) if $i >= 0;
	} elsif ($kind == $EXIT || $kind == $RESUME) {
		for (my $i = $#$s; $i >= 0; $i--) {
			next if $s->[$i][0] != $ENTRY ||
				$s->[$i][1] ne $where || $s->[$i][2] ne $address;
			if ($kind == $EXIT) {
				pop_to($s, $i);
			} else {
				# Loops of this call stay.
				my $n = $i + 1;
				$n++ while $n <= $#$s && $s->[$n][0] == $LOOP;
				pop_to($s, $n);
			}
			last;
		}
	}
}

# The loop that carries from then to now, and the distance; or ('-', 0).
sub carrier
{
	my ($then, $now) = @_;
	my @loops = grep { $_->[0] == $LOOP } @$now;

	for my $i (0 .. $#$then) {
		return ('-', 0) if $i > $#loops ||
			$then->[$i][0] != $loops[$i][3];
		return ($loops[$i][1], $loops[$i][4] - $then->[$i][1])
			if $then->[$i][1] != $loops[$i][4];
	}
	return ('-', 0);
}

# Loops that go on, each by serial and iteration.
sub nest
{
	return [map { [$_->[3], $_->[4]] } grep { $_->[0] == $LOOP && $_->[4] }
			@{$_[0]}];
}

# ---------------------------------------------------------- dependence --

my (%store, %load, %found, %loops);

sub look
{
	my ($kind, $bytes, $thread, $where, $address, $size) = @_;
	my $before = '';

	for my $b ($address .. $address + $size - 1) {
		my $old = $bytes->{$b};
		my $key = $old ? "$old->[0] $old->[1] $old->[2]" : '';
		if ($old && $key ne $before) {
			my ($loop, $n) = $old->[0] == $thread ? carrier($old->[3],
				[grep { $_->[0] != $LOOP || $_->[4] }
				 @{$stack{$thread} // []}]) : ('-', 0);
			my $p = $found{join "\t", $kind, $old->[1], $where,
				$loop} //= [0, '-', '-', []];
			$p->[0]++;
			if ($n) {
				$p->[1] = $n if $p->[1] eq '-' || $n < $p->[1];
				$p->[2] = $n if $p->[2] eq '-' || $n > $p->[2];
				my $i = 0;
				$i++ while $n >> $i;
				$p->[3][$i]++;
			}
		}
		$before = $key;
	}
}

sub dependence
{
	my ($thread, $kind, $where, $address, $size, $value) = @_;

	if ($kind == $LOAD || $kind == $STORE) {
		my $me = [$thread, $where, $time{$thread} // 0,
			nest($stack{$thread} // [])];
		look('flow', \%store, $thread, $where, $address, $size)
			if $kind == $LOAD;
		look('anti', \%load, $thread, $where, $address, $size)
			if $kind == $STORE;
		look('output', \%store, $thread, $where, $address, $size)
			if $kind == $STORE;
		for my $b ($address .. $address + $size - 1) {
			$store{$b} = $me if $kind == $STORE;
			$load{$b} = $me if $kind == $LOAD;
			delete $load{$b} if $kind == $STORE;
		}
	} elsif ($kind == $ALLOC) {
		for my $b ($address .. $address + $value - 1) {
			delete $store{$b};
			delete $load{$b};
		}
	}
	$loops{$where}[0]++ if $kind == $LOOP;
	$loops{$where}[1]++ if $kind == $ITERATION;
}

sub dependences
{
	my @v;

	for my $k (keys %found) {
		my ($n, $least, $most, $h) = @{$found{$k}};
		my $hist = @$h ? join(',', map { $_ // 0 } @$h) : '-';
		push @v, join "\t", 'dependences', $k, $n, $least, $most, $hist;
	}
	for my $l (keys %loops) {
		push @v, join "\t", 'loops', $l, map { $_ // 0 }
			@{$loops{$l}}[0, 1];
	}
	return @v;
}

# --------------------------------------------------------------- value --

my %site;

# The lowest SIZE bytes, as a signed number.
sub extended
{
	my ($x, $size) = @_;
	my $above = 64 - 8 * $size;
	return $x << $above >> $above;
}

sub value
{
	my ($thread, $kind, $where, $address, $size, $value, $has_value) = @_;

	return if $kind != $LOAD && $kind != $STORE || $size > 8;
	return if !$has_value;
	my $s = $site{$where} //= { values => {}, steps => [], strides => [] };
	$value = extended($value, $size);
	$s->{n}++;
	$s->{kind} = $kind == $LOAD ? 'load' : 'store';
	$s->{values}{$value}++;
	if (defined $s->{last} && $s->{thread} == $thread) {
		push @{$s->{steps}}, extended($value - $s->{last}, $size);
		push @{$s->{strides}}, $address - $s->{at};
	}
	@$s{qw(last at thread)} = ($value, $address, $thread);
}

sub steady
{
	my @v = @_;
	return scalar grep { $v[$_] == $v[$_ - 1] } 1 .. $#v;
}

sub ratio
{
	my ($n, $of) = @_;
	no integer;
	return $of > 1 ? sprintf '%.6f', $n / ($of - 1) : '-';
}

sub values_of
{
	my @v;

	for my $w (keys %site) {
		my $s = $site{$w};
		my ($steps, $strides) = @$s{qw(steps strides)};
		my $different = keys %{$s->{values}};
		my $even = @$strides && steady(@$strides) == $#$strides;
		push @v, join "\t", 'values', $w, @$s{qw(kind n)},
			$different <= 8 ? $different : '-',
			ratio(steady(@$steps), scalar @$steps),
			$even ? $strides->[0] : '',
			ratio(steady(@$strides), scalar @$strides);
	}
	return @v;
}

# ------------------------------------------------------------ lifetime --

my (%live, %scope, %gone);

sub lifetime
{
	my ($thread, $kind, $where, $address, $size, $value) = @_;
	my $s = $stack{$thread} // [];

	if ($kind == $ALLOC && $gone{$address} &&
		$gone{$address} ne "thread $thread") {
		# The thread that freed it was heard of first.
		my $p = $scope{join "\t", $where, 'another thread', '-'} //=
			[0, 0];
		$p->[0]++;
		$p->[1] += $value;
		delete $gone{$address};
	} elsif ($kind == $ALLOC) {
		delete $gone{$address};
		$live{$address} = [$where, $value, $thread,
			[map { [$_->[3], $_->[4]] } @$s]];
	} elsif ($kind == $FREE && $live{$address}) {
		my ($site, $bytes, $by, $then) = @{delete $live{$address}};
		my @is = ('none', '-');
		for my $i (0 .. $#$then) {
			last if $i > $#$s || $then->[$i][0] != $s->[$i][3];
			my $loop = $s->[$i][0] == $LOOP;
			next if $loop && !$then->[$i][1];
			my $same = $then->[$i][1] == $s->[$i][4];
			@is = (!$loop ? 'function' : $same ? 'iteration' : 'loop',
				$s->[$i][1]);
			last if !$same;
		}
		@is = ('another thread', '-') if $by != $thread;
		my $p = $scope{join "\t", $site, @is} //= [0, 0];
		$p->[0]++;
		$p->[1] += $bytes;
	} elsif ($kind == $FREE) {
		$gone{$address} = $gone{$address} ? '' : "thread $thread";
	}
}

sub lifetimes
{
	for my $b (values %live) {
		my $p = $scope{join "\t", $b->[0], 'not freed', '-'} //= [0, 0];
		$p->[0]++;
		$p->[1] += $b->[1];
	}
	return map { join "\t", 'scopes', $_, @{$scope{$_}} } keys %scope;
}

# ----------------------------------------------------------- points_to --

my (%owner, %points, $objects);

sub points_to
{
	my ($thread, $kind, $where, $address, $size, $value) = @_;
	my %kinds = ($ALLOC => 'heap', $GLOBAL => 'global', $STACK => 'stack');

	$value = $size if $kind == $STACK;
	if ($kinds{$kind}) {
		my $o = [$where, $kinds{$kind}, $address, $value || 1];
		$owner{$_} = $o for $address .. $address + ($value || 1) - 1;
	} elsif ($kind == $FREE || $kind == $UNSTACK) {
		my $o = $owner{$address} or return;
		for my $b ($address .. $address + $o->[3] - 1) {
			delete $owner{$b};
		}
	} elsif ($kind == $POINTER) {
		my $o = $owner{$address};
		$points{join "\t", $where, $o ? @$o[0, 1] :
			('-', $address ? 'unknown' : 'null')}++;
	}
}

sub pointers
{
	return map { join "\t", 'pointers', $_, $points{$_} } keys %points;
}

# ---------------------------------------------------------- comparing --

my %each = (dependence => \&dependence, value => \&value,
	lifetime => \&lifetime, points_to => \&points_to);
my %all = (dependence => \&dependences, value => \&values_of,
	lifetime => \&lifetimes, points_to => \&pointers);
# Columns of the module's tables that are compared.
my %columns = (dependences => [0 .. 7], loops => [0 .. 2],
	values => [0 .. 2, 5 .. 8], scopes => [0, 1, 2, 3, 4],
	pointers => [0 .. 2, 3]);

rows($naive, sub {
	my ($table, @x) = @_;
	my ($thread, $kind, $where, $address, $size, $value, $has_value) = @x;

	# 2^64 - 1 in the file means unknown.
	$value = -1 if $value eq '-';
	context($thread, $kind, $where, $address);
	$each{$module}->($thread, $kind, $where, $address, $size, $value,
		$has_value);
});
my (%want, %have);
$want{$_}++ for $all{$module}->();
rows($results, sub {
	my ($table, @x) = @_;
	$have{join "\t", $table, @x[@{$columns{$table}}]}++ if $columns{$table};
});
if ($module eq 'points_to') {
	# Several contexts of one object are several rows.
	my %sum;
	for (keys %have) {
		my @x = split /\t/;
		my $n = pop @x;
		$sum{join "\t", @x} += $n * $have{$_};
	}
	%have = map { ("$_\t$sum{$_}" => 1) } keys %sum;
}
my $bad = 0;
for (sort keys %want) {
	next if delete $have{$_};
	print "missing: $_\n";
	$bad++;
}
print "too much: $_\n" for sort keys %have;
exit($bad || %have ? 1 : 0);
