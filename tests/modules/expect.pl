#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# expect.pl SOURCE DATA: does each EXPECT line of a source hold in the results
# beside the data file?  Letters that mark lines, /*A*/, name places.
use strict;
use warnings;
no warnings 'portable';

my ($source, $data) = @ARGV;
my (%line, @expect, %results);

open my $f, '<', $source or die "$source: $!\n";
my @lines = <$f>;
for my $i (0 .. $#lines) {
	$line{$1} = $i + 1 if $lines[$i] =~ m{/\*([A-Z])\*/};
}
# They may go on in the next lines of a comment.
my $all = join '', @lines;
push @expect, join ' ', grep { $_ ne '*' } split ' ', $1
	while $all =~ m{EXPECT (.*?)\s*\*/}sg;

# The rows of a profiling module's tables, by table, each a hash.
sub results
{
	my ($module) = @_;
	my (%place, %rows, $table, @names, @types);

	open my $f, '<', "$data.$module" or die "$data.$module: $!\n";
	while (<$f>) {
		chomp;
		my ($tag, @x) = split /\t/, $_, -1;
		if ($tag eq 'table') {
			($table, @names, @types) = ($x[0]);
		} elsif ($tag eq 'column') {
			push @names, $x[0];
			push @types, $x[1];
		} elsif ($tag eq 'row') {
			my %r;
			@r{@names} = @x;
			$r{"$names[$_] place"} = $types[$_] eq 'place'
				for 0 .. $#names;
			push @{$rows{$table}}, \%r;
		} elsif ($tag eq 'place') {
			$place{$x[0]} = $x[3];
		} elsif ($tag eq 'code') {
			$place{$x[0]} = "code $x[1]";
		}
	}
	for my $r (map { @$_ } values %rows) {
		for (grep { ! / place$/ } keys %$r) {
			$r->{$_} = $place{$r->{$_}} // $r->{$_}
				if $r->{"$_ place"};
		}
	}
	return \%rows;
}

# The line of a return address, by the program beside the data file.
my %code;
sub code
{
	my ($address) = @_;
	return $code{$address} //= do {
		my ($bias) = $ENV{BIAS} // 0;
		my $at = sprintf '0x%x', hex($address) - hex($bias) - 1;
		my $l = `addr2line -e $ENV{PROGRAM} $at`;
		$l =~ /:(\d+)/ ? $1 : $address;
	};
}

my $bad = 0;
for my $expected (@expect) {
	my ($module, $table, @want) = split " ", $expected;
	my $not = $module eq 'not';
	($module, $table, @want) = ($table, @want) if $not;
	$module =~ s/:.*//;
	$results{$module} //= results($module);
	my $there = grep {
		my $r = $_;
		!grep {
			my ($name, $value) = split /=/, $_, 2;
			my $have = $r->{$name} // '(no such column)';
			$have = code($1) if $have =~ /^code (.*)/;
			$value = $line{$value} if $r->{"$name place"} &&
				$line{$value};
			$have =~ s/ /_/g;
			$have ne $value;
		} @want;
	} @{$results{$module}{$table} // []};
	next if !!$there == !$not;
	print "$source: $expected\n";
	$bad++;
}
exit !!$bad;
