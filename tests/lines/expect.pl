#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# expect.pl FILE...: the figures in the comments of the files, a line for each:
# file, line, bytes, allocs, kept, total.
use strict;
use warnings;

while (<>) {
	print "$ARGV $. $1\n" if m{/\*= (\d+ \d+ \d+ \d+) \*/};
	close ARGV if eof;
}
