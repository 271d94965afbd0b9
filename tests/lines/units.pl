#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# units.pl DIR: the figures of functions in mpreduce -l --json, for files below
# DIR, in the form of expect.pl.  Reports impossible results: a line that two
# functions have as their name, or totals below the figures that they include.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/..";
use json;

my ($dir) = @ARGV;
my $p = decode_json(do { local $/; <STDIN> });
my (%seen, $bytes);

sub sum
{
	my $n = 0;
	$n += $_ for @{$_[0]};
	return $n;
}

for my $f (@{$p->{functions}}) {
	my ($file, $line) = @$f{'call_file', 'call_line'};
	my ($self, $total) = @$f{'self', 'total'};
	$bytes += sum($self->{bytes});
	print "$f->{name}: less in all than by itself\n"
		if sum($total->{bytes}) < sum($self->{bytes});
	next unless $line;
	print "$f->{name} at $file:$line twice\n"
		if $seen{"$f->{name} $f->{module} $file $line"}++;
	next unless $file =~ s{^\Q$dir\E/}{};
	print join(' ', $file, $line,
		map { sum($_) } @$self{'bytes', 'allocs', 'kept'},
		$total->{bytes}), "\n";
}
print "$bytes bytes are not $p->{totals}{bytes}\n"
	if $bytes != $p->{totals}{bytes};
