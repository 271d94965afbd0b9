#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# alike.pl OWN DATA: does a module of own/ say the same as the one that comes
# with memmon, of what both say?  Prints what differs.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use rows;

# Of each the other module, its table, and what a row of it is here.
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
