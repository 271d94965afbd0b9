#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
# leaks.pl FILE PROGRAM [NAMES]: the results of a leak check, straight from the
# data file (NAMES: a file with nm's output for PROGRAM).  It prints lines
# "function kind blocks bytes" for the functions of PROGRAM whose names begin
# with want_, sorted; "other KIND BLOCKS BYTES" for the lost and indirect blocks
# of all others; then those of "why TEXT", "blind N" and "checked" that the file
# contains.  Fails if the file isn't as mon.out(5) says.
use strict;
use warnings;

my ($file, $program, $names) = @ARGV;
my @kind = qw(lost indirect interior reachable);
open my $in, '-|:raw', "$ENV{MEMMON_BUILD}/tests/rawdump", '--plain', $file or
    die "$file: $!\n";
local $/;
my $all = <$in>;
my ($s, $at, $end);

sub varint
{
	my ($v, $shift) = (0, 0);
	while (1) {
		die "a number is cut\n" if $at >= $end;
		my $b = ord(substr($all, $at++, 1));
		$v |= ($b & 127) << $shift;
		return $v if $b < 128;
		$shift += 7;
	}
}

sub text
{
	my $n = varint();
	$at += $n;
	return substr($all, $at - $n, $n);
}

my (%run, %total, @module, @node, @site, @leak);
$module[0] = { bias => 0, path => '' };
for (my $next = 24; $next < length $all; $next = $end) {
	my ($tag, $count, $first, $length) =
	    unpack 'a4 V Q< V', substr($all, $next, 20);
	($at, $end) = ($next + 24, $next + 24 + $length);
	die "a record is cut\n" if $end > length $all;
	for my $i ($first .. $first + $count - 1) {
		if ($tag eq 'RUN ' || $tag eq 'TOTL') {
			my $key = varint();
			my $value = text();
			($tag eq 'RUN ' ? \%run : \%total)->{$key} = $value;
		} elsif ($tag eq 'MOD ') {
			my ($start, $stop, $bias, $flags) =
			    map { varint() } 1 .. 4;
			text();
			$module[$i] = { bias => $bias, path => text() };
		} elsif ($tag eq 'NODE') {
			my ($up, $m, $a) = map { varint() } 1 .. 3;
			$node[$i] = { up => $i - $up, m => $m, a => $a };
		} elsif ($tag eq 'SITE') {
			my ($node, $reallocs, $mask) = map { varint() } 1 .. 3;
			$site[$i] = $node;
			for my $k (0 .. 3) {
				next unless $mask & 1 << $k;
				varint() for 1 .. 4;
			}
		} elsif ($tag eq 'LEAK') {
			my ($site, $mask) = (varint(), varint());
			die "site $site isn't there\n" unless defined $site[$site];
			die "mask $mask\n" if !$mask || $mask > 15;
			for my $k (0 .. 3) {
				next unless $mask & 1 << $k;
				push @leak, [$site, $kind[$k], varint(), varint()];
			}
			$total{items}++;
		} else {
			$at = $end;
		}
	}
	die "$tag: bytes are left\n" if $at != $end;
}

sub number
{
	my $bytes = shift;
	return 0 unless defined $bytes;
	my ($v, $shift) = (0, 0);
	for my $b (unpack 'C*', $bytes) {
		$v |= ($b & 127) << $shift;
		$shift += 7;
	}
	return $v;
}

# Keys as in mon.out(5).
my $page = "$ENV{MEMMON_SRC}/man/mon.out.5";
open my $h, '<', $page or die "$page: $!\n";
my $c = <$h>;
sub key
{
	my ($name) = @_;
	return $c =~ /^\.It Dv $name Ta (\d+) Ta/m ? $1 : die "no $name\n";
}
my $said = number($total{ key('MONOUT_T_LEAKS') });
die "LEAKS has ", $total{items} // 0, " items, TOTALS says $said\n"
    if $said != ($total{items} // 0);

my (@symbol, %sum);
my $lines = $names ? do {
	open my $nm, '<', $names or die "$names: $!\n";
	<$nm>;
} : `nm '$program'`;
for (split /\n/, $lines) {
	push @symbol, [hex $1, $2] if /^([0-9a-f]+) [tT] (\w+)/;
}
@symbol = sort { $b->[0] <=> $a->[0] } @symbol;
for my $l (@leak) {
	my $n = $node[$site[$l->[0]]];
	my ($path) = $module[$n->{m}]{path} =~ m{([^/]*)$};
	my ($base) = $program =~ m{([^/]*)$};
	my $f;
	($f) = grep { $_->[0] < $n->{a} } @symbol if $path eq $base;
	my $of = $f && $f->[1] =~ /^want_/ ? $f->[1] : 'other';
	next if $of eq 'other' && $l->[1] !~ /^(lost|indirect)$/;
	my $sum = $sum{"$of $l->[1]"} //= [0, 0];
	$sum->[0] += $l->[2];
	$sum->[1] += $l->[3];
}
print "$_ $sum{$_}[0] $sum{$_}[1]\n" for sort keys %sum;
my $why = $run{ key('MONOUT_R_LEAK_WHY') };
my $blind = number($run{ key('MONOUT_R_LEAK_BLIND') });
print "why $why\n" if defined $why;
print "blind $blind\n" if $blind;
print "checked\n" if defined $run{ key('MONOUT_R_LEAKCHECK') };
