#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
#	transcript.pl [--write] PAGE [SECTION]
#	transcript.pl --rows PAGE SECTION TABLE...
#
# Runs the commands ("$ ...")  in the examples of a manual page, or of one of
# its sections, one after another in one bash in the current directory, and
# compares their output with the page.  Prints each difference.  With --write it
# puts the output into the page, as if that directory were /home/ann/src.  A
# page in Markdown (.md) has its examples between lines of ```.
#
# Comments in an example, which readers don't see:
#
#	.\" $ COMMAND		run it, too; its output is not compared;
#				wait_for FILE waits until FILE contains something;
#				wait_more FILE N until FILE, of a program that
#				is recorded, has N allocations more
#	.\" vary		numbers, and the blanks beside them, may differ
#
# 4711 in a command and in its output means the shell's variable pid.
use strict;
use warnings;
use Cwd;

my $how = @ARGV && $ARGV[0] =~ /^--/ ? shift : '';
my $write = $how eq '--write';
my ($page, $section, @tables) = @ARGV;
my ($different, $commands) = (0, 0);
my (@steps, $pid);

# Replaces what changes from run to run: times, dates, process ids, the
# directory, and the error of several threads' peak, which depends on how many
# threads ran beside it.
sub plain
{
	my ($line) = @_;
	$line =~ s/\d+\.\d+ s\b/T s/g;
	$line =~ s/(\+- |exact to within )[1-9]\d*/$1N/;
	$line =~ s/^(program\s+).*\//$1/;
	$line =~ s/^((?:pid|date|seconds)\s+)[^ \n]+/$1N/;
	$line =~ s/[\d.]+/N/g if $line =~ /^resident /;
	$line =~ s/\*\*\* File .*\//*** File /;
	$line =~ s/\bthread \d+/thread N/g;
	# The summary's times.
	$line =~ s/\b[\d.]+[num]?s(?=, | after the start)/T/g;
	return scored($line);
}

# Scores of time and the figures computed from them differ in each run.
sub scored
{
	my ($line) = @_;
	$line =~ s/, clock step .*//;
	return $line =~ s/ +[\d.<]+/ N/gr if $line =~ /^(?:geometric mean|variance) /;
	my $score = qr/ +[\d.<-]+/;
	$line =~ s/^ +\d+ +\d+$score($score)$score($score +\d+ +\d+ +[|])/ N N N $1 N $2/;
	return $line;
}

# If several threads run, the peak has an error: then numbers may differ by 2
# percent, small ones by 2.
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

# The profiler's own memory may be up to half as much again.
sub monitor_like
{
	my ($g, $w) = map { /^monitor +(\d+) bytes/ } @_;
	return defined $g && defined $w && $g < $w * 1.5 && $w < $g * 1.5;
}

# Where all numbers vary, their units and the rules of a table may, too.
sub without_numbers
{
	my ($line) = @_;
	$line =~ s/ *~?[+-]?\d[\d,.]* ?(?:[KMG]?B|[num]?s)?\b */ N /g;
	$line =~ s/\((?:N|\*\*|[.]| )+\)/(N)/g;
	$line =~ s/(?<= )-(?= )/N/g;
	$line =~ s/\bblocks?\b/blocks/;
	return $line =~ s/[ -]+/ /gr;
}

sub same
{
	my $vary = pop;
	# Limits of the system are other ones on each machine.
	my ($got, $want) = map { s/\n*^Limits and settings.*\n(  .*\n?)*//mr } @_;
	($got, $want) = map { [map { plain($_) } split /\n/] } $got, $want;
	($got, $want) = map { [map { without_numbers($_) } @$_] } $got, $want
		if $vary;
	my $loose = grep { /\+- N|exact to within N/ } @$want;
	return 0 if @$got != @$want;
	for my $i (0 .. $#$got) {
		next if $got->[$i] eq $want->[$i];
		next if monitor_like($got->[$i], $want->[$i]);
		return 0 unless $loose && near($got->[$i], $want->[$i]);
	}
	return 1;
}

# Text in the form that the page has, and back.
sub roff
{
	my ($text) = @_;
	return $text if $page =~ /\.md$/;
	$text =~ s/\\/\\e/g;
	$text =~ s/^(?=[.'])/\\&/mg;
	return $text;
}

sub text
{
	my ($roff) = @_;
	return $roff if $page =~ /\.md$/;
	$roff =~ s/^\\&//mg;
	$roff =~ s/\\e/\\/g;
	return $roff;
}

# The parts of an example: a command, hidden or not, with the text after it.
sub parts
{
	my ($body) = @_;
	my $vary = $body =~ /^\.\\" vary$/m;
	my @parts;
	for my $part (split /^(?=\$ |\.\\" )/m, $body) {
		# A command continues after a "|" at the end of a line.
		my ($line, $rest) = $part =~
			/^((?:[^\n]*\|\n)*[^\n]*)\n(.*)/s ?
			($1, $2) : ($part, '');
		my $hidden = $line =~ s/^\.\\" //;
		my $command = $line =~ s/^\$ // ? text($line) : undef;
		push @parts, { line => $line, rest => text($rest), vary => $vary,
			hidden => $hidden, command => $command };
	}
	return \@parts;
}

# Runs all of them and puts their output into {got}.  A job in the background is
# disowned, so that bash doesn't report its end.
sub run_all
{
	my (@steps) = @_;
	my $script = "pid=4711\nexec </dev/null\n" .
		'wait_for() { for _ in $(seq 5000); do [ ! -s "$1" ] || break; ' .
		"sleep .05; done; }\n" .
		'made() { mpreduce -i "$1" 2>/dev/null | ' .
		q(awk '$2 == "allocations" && NF == 2 { print $1 }'; }) . "\n" .
		'wait_more() { local to=$(($(made "$1") + $2)); ' .
		'for _ in $(seq 5000); do [ "$(made "$1")" -lt $to ] || break; ' .
		"sleep .05; done; }\n";
	my $dir = qx{mktemp -d};
	chomp $dir;
	for my $i (0 .. $#steps) {
		my $command = $steps[$i]{command} // next;
		$command =~ s/\b4711\b/\$pid/g;
		$command =~ s/&$/& disown/;
		# The page shows the output for a terminal.
		$command =~ s/^mpreduce(?= \w+(?: [|]|$))/mpreduce --summary/;
		$script .= "{ $command\n} >$dir/$i 2>&1\necho \$pid >$dir/pid\n";
	}
	open my $out, '>', "$dir/script" or die "$dir: $!\n";
	print $out $script;
	close $out;
	system 'bash', "$dir/script";
	my $read = sub {
		open my $in, '<', "$dir/$_[0]" or return '';
		local $/;
		return <$in> // '';
	};
	chomp($pid = $read->('pid'));
	for my $i (0 .. $#steps) {
		my $got = $read->($i);
		$got =~ s/\Q${\getcwd()}\E/\/home\/ann\/src/g;
		$got =~ s/\b$pid\b/4711/g if $pid;
		$steps[$i]{got} = $got;
	}
	system 'rm', '-r', $dir;
}

# One example as in the page, with the output of its commands.
sub example
{
	my ($parts) = @_;
	my $new = '';
	for my $part (@$parts) {
		$new .= '.\\" ' if $part->{hidden};
		$new .= defined $part->{command} ? '$ ' : '';
		$new .= $part->{line} . "\n";
		if ($part->{hidden} || !defined $part->{command}) {
			$new .= $part->{rest};
			next;
		}
		$commands++;
		if (!same($part->{got}, $part->{rest}, $part->{vary})) {
			$different++;
			print "\$ $part->{command}\n-- the page:\n$part->{rest}",
				"-- the program:\n$part->{got}";
		}
		$new .= roff($part->{got}) if $part->{got} ne '';
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

# Are the columns of one row among the other's, in order?  One number may be far
# off: the peak depends on when the collector ran, and so on the length of a
# directory's name.
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
$all =~ /^(\.Sh \Q$section\E\n.*?)(?=^\.Sh |\z)/ms or die "$page: no $section\n"
	if defined $section;
my ($start, $length) = defined $section ? ($-[0], length $1) : (0, length $all);
my $part = substr $all, $start, $length;
rows($part) if $how eq '--rows';
my $fence = $page =~ /\.md$/ ? qr/^```\n/m : qr/^\.Bd -literal[^\n]*\n/m;
my $end = $page =~ /\.md$/ ? qr/^```\n/m : qr/^\.Ed\n/m;
my @examples;
while ($part =~ /$fence((?:\.\\" [^\n]*\n)*\$ .*?)$end/gs) {
	push @examples, parts($1);
}
run_all(map { @$_ } @examples);
$part =~ s{($fence)((?:\.\\" [^\n]*\n)*\$ .*?)($end)}
	{ $1 . example(shift @examples) . $3 }gse;
if ($write) {
	substr($all, $start, $length) = $part;
	open my $out, '>', $page or die "$page: $!\n";
	print $out $all;
	close $out;
} else {
	print "$commands commands, $different different\n";
}
exit($different && !$write);
