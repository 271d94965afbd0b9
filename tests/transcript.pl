#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
#	transcript.pl [--write] PAGE SECTION
#	transcript.pl --rows PAGE SECTION TABLE...
#
# Runs the commands ("$ ...") that the examples of a section of a manual page
# have, one after another in the current directory, and compares what they
# print with what the page says.  Prints each difference.  With --write the page
# gets what they print, as if that directory were /home/ann/src.
use strict;
use warnings;
use Cwd;

my $how = @ARGV && $ARGV[0] =~ /^--/ ? shift : '';
my $write = $how eq '--write';
my ($page, $section, @tables) = @ARGV;
my ($different, $commands) = (0, 0);

# What is another one in each run: times, dates, process ids, the directory and
# the error of several threads' peak, by how many threads ran beside it.
sub plain
{
	my ($line) = @_;
	$line =~ s/\d+\.\d{6} s\b/T s/g;
	$line =~ s/(\+- |exact to within )[1-9]\d*/$1N/;
	$line =~ s/^(program\s+).*\//$1/;
	$line =~ s/^((?:pid|date|seconds)\s+)[^ \n]+/$1N/;
	$line =~ s/[\d.]+/N/g if $line =~ /^resident /;
	$line =~ s/\*\*\* File .*\//*** File /;
	# The summary's times.
	$line =~ s/\b[\d.]+[num]?s(?=, | after the start)/T/g;
	return scored($line);
}

# Scores of time are another in each run, and what is made of them.
sub scored
{
	my ($line) = @_;
	$line =~ s/, clock step .*//;
	return $line =~ s/ +[\d.<]+/ N/gr if $line =~ /^(?:geometric mean|variance) /;
	my $score = qr/ +[\d.<-]+/;
	$line =~ s/^ +\d+ +\d+$score($score)$score($score +\d+ +\d+ +[|])/ N N N $1 N $2/;
	return $line;
}

# Of several threads the peak has an error: numbers may differ by 2 percent then,
# small ones by 2.
sub near
{
	my ($got, $want) = map { s/(\d),(?=\d{3})/$1/gr } @_;
	my (@g) = $got =~ /(\d+\.?\d*)/g;
	my (@w) = $want =~ /(\d+\.?\d*)/g;
	return 0 if @g != @w || $got =~ s/[\d. ]+/#/gr ne $want =~ s/[\d. ]+/#/gr;
	for my $i (0 .. $#g) {
		my $far = $w[$i] * .02 > 2 ? $w[$i] * .02 : 2;
		return 0 if abs($g[$i] - $w[$i]) > $far;
	}
	return 1;
}

# What the profiler takes for itself is alike, to a half.
sub monitor_like
{
	my ($g, $w) = map { /^monitor +(\d+) bytes/ } @_;
	return defined $g && defined $w && $g < $w * 1.5 && $w < $g * 1.5;
}

sub same
{
	my ($got, $want) = map { [map { plain($_) } split /\n/] } @_;
	my $loose = grep { /\+- N|exact to within N/ } @$want;
	return 0 if @$got != @$want;
	for my $i (0 .. $#$got) {
		next if $got->[$i] eq $want->[$i];
		next if monitor_like($got->[$i], $want->[$i]);
		return 0 unless $loose && near($got->[$i], $want->[$i]);
	}
	return 1;
}

# As it stands in the page, and back.
sub roff
{
	my ($text) = @_;
	$text =~ s/\\/\\e/g;
	$text =~ s/^(?=[.'])|^$/\\&/mg;
	return $text;
}

sub text
{
	my ($roff) = @_;
	$roff =~ s/^\\&//mg;
	$roff =~ s/\\e/\\/g;
	return $roff;
}

# One example: commands, each with what it prints.
sub example
{
	my ($body) = @_;
	my $new = '';
	for my $part (split /^(?=\$ )/m, $body) {
		my ($line, $rest) = split /\n/, text(substr $part, 2), 2;
		# The page has what a terminal gets.
		my $run = $line =~ s/^mpreduce(?= \w+(?: [|]|$))/mpreduce --summary/r;
		my $got = qx{($run) 2>&1};
		$commands++;
		$got =~ s/\Q${\getcwd()}\E/\/home\/ann\/src/g;
		if (!same($got, $rest)) {
			$different++;
			print "\$ $line\n-- the page:\n$rest-- the program:\n$got";
		}
		$new .= roff("\$ $line\n$got");
	}
	return $new;
}

# Columns of a row, each its words.
sub columns
{
	my ($row) = @_;
	$row =~ s/ \[\d+\]|^\[\d+\]//g;
	$row =~ s/<cycle \d+>/<cycle>/g;
	return map { [split] } split /\|/, $row, -1;
}

# How many numbers of two columns differ by more than a sixteenth; undef: these
# aren't alike.
sub far
{
	my ($got, $want) = @_;
	my $far = 0;
	return if @$got != @$want;
	for my $i (0 .. $#$got) {
		my ($g, $w) = map { $_->[$i] } $got, $want;
		my (@g) = $g =~ /(\d+)/g;
		my (@w) = $w =~ /(\d+)/g;
		return if @g != @w || $g =~ s/\d+/#/gr ne $w =~ s/\d+/#/gr;
		for (0 .. $#g) {
			return if abs($g[$_] - $w[$_]) > 1 + $w[$_] / 2;
			$far += abs($g[$_] - $w[$_]) > 1 + $w[$_] / 16;
		}
	}
	return $far;
}

# Are the columns of one row among the other's, in order?  One number may be far:
# the peak is as the collector ran, for which the name of a directory counts.
sub is_row
{
	my ($got, @want) = @_;
	my $all = 0;
	for my $column (@$got) {
		my $far = @want ? far($column, $want[0]) : undef;
		next unless defined $far && $all + $far <= 1;
		$all += $far;
		shift @want;
	}
	return !@want;
}

sub rows
{
	my ($part) = @_;
	local @ARGV = @tables;
	my @all = map { [columns($_)] } grep { !/^-|^$/ } <>;
	my ($rows, $missing) = (0, 0);
	while ($part =~ /^\.Bd -literal[^\n]*\n(.*?)^\.Ed\n/msg) {
		for my $row (grep { /\d.* [|=]/ } split /\n/, text($1)) {
			my @want = columns($row);
			$rows++;
			next if grep { is_row($_, @want) } @all;
			$missing++;
			print "no such row: $row\n";
		}
	}
	print "$rows rows, $missing missing\n";
	exit($missing > 0);
}

open my $in, '<', $page or die "$page: $!\n";
my $all = do { local $/; <$in> };
close $in;
$all =~ /^(\.Sh \Q$section\E\n.*?)(?=^\.Sh |\z)/ms or die "$page: no $section\n";
my ($start, $length) = ($-[0], length $1);
my $part = substr $all, $start, $length;
rows($part) if $how eq '--rows';
$part =~ s{(^\.Bd -literal[^\n]*\n)(\$ .*?)(^\.Ed\n)}
	{ $1 . example($2) . $3 }msge;
if ($write) {
	substr($all, $start, $length) = $part;
	open my $out, '>', $page or die "$page: $!\n";
	print $out $all;
	close $out;
} else {
	print "$commands commands, $different different\n";
}
exit($different && !$write);
