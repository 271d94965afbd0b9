# SPDX-License-Identifier: GPL-3.0-or-later
#
# A typical perl program for tests/bench/run: hashes of lists, strings that
# grow, split, join, sort.  Argument: how many lines.
use strict;
use warnings;

my ($lines) = @ARGV;
my (%count, %seen, $text);
for my $i (1 .. $lines) {
	my $line = join ' ', map { ($i * $_ * 7919) % 5003 } 3 .. 10;
	$text .= "$line\n";
}
for my $line (split /\n/, $text) {
	my @words = split ' ', $line;
	$count{$_}++ for @words;
	push @{ $seen{ $words[0] } }, [ @words[ 1 .. 3 ] ];
}
my @top = sort { $count{$b} <=> $count{$a} || $a <=> $b } keys %count;
my $sum = 0;
$sum += @$_ * $_->[-1][1] for values %seen;
print length($text), " ", scalar(keys %seen), " @top[0 .. 4] $sum\n";
