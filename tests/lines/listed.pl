#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# listed.pl DIR: the figures in the text of mpreduce -A, for the lines of files
# below DIR, in the form of expect.pl.  Lines of text must be those of the
# files.  The figures are in the first 52 columns.
use strict;
use warnings;

my ($dir) = @ARGV;
my ($file, @text);

while (<STDIN>) {
	chomp;
	last if /^Top \d/;
	if (m{^\*\*\* File (.*):$}) {
		$file = $1;
		@text = ();
		if (open my $f, '<', $file) {
			@text = <$f>;
			chomp @text;
			s/\r$// for @text;
		}
		undef $file unless $file =~ s{^\Q$dir\E/}{};
		next;
	}
	next unless $file && length >= 52 && /^.{51}\d/;
	my @field = split ' ', substr $_, 0, 52;
	my $line = pop @field;
	my $source = length > 54 ? substr $_, 54 : '';
	# Blanks for tabs.
	my $want = $text[$line - 1] // '';
	1 while $want =~ s/^([^\t]*)\t/$1 . ' ' x (8 - length($1) % 8)/e;
	$want =~ s/ +$//;
	print "line $line of $file is printed as \"$source\"\n"
		if @text && $line <= @text && $source ne $want;
	next unless @field;
	@field = grep { !/^\(/ } @field;
	unshift @field, 0, 0, 0 if @field == 1;
	print "$file $line @field\n";
}
