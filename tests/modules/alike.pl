#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# alike.pl OWN DATA: do a module of own/ and the one that comes with memmon
# agree in the rows that both have?  Prints the differences.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use rows;

# For each module of own/: the other module, its table, and the row here that
# equals a row there.
my %as = (
	constants => ['value', 'values', sub {
		$_[1] eq 'load' && $_[3] eq 'constant' ? [@_[0, 4]] : undef }],
	flow => ['dependence', 'dependences', sub {
		$_[0] eq 'flow' ? [@_[1 .. 6, 8]] : undef }],
	pointees => ['points_to', 'pointers', sub { [@_] }],
	scopes => ['lifetime', 'scopes', sub { [@_] }]);

my ($own, $data) = @ARGV;
my ($other, $table, $row) = @{$as{$own}};
my %n;
rows("$data.$own", sub {
	my (undef, @x) = @_;
	$n{join "\t", @x}++;
});
rows("$data.$other", sub {
	my ($of, @x) = @_;
	my $r = $of eq $table ? $row->(@x) : undef;
	$n{join "\t", @$r}-- if $r;
});
for (sort grep { $n{$_} } keys %n) {
	print $n{$_} > 0 ? $own : $other, " alone: $_\n";
}
