#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
# csmith_heap.pl [volatile] <IN.c >OUT.c: moves the global variables of a csmith
# program into blocks of the heap, one each, which the program makes and sets
# when main() begins.  Each variable becomes a macro for the target of a
# pointer.  volatile: makes all integers and all globals volatile.
use strict;
use warnings;

my $volatile = @ARGV ? 'volatile ' : '';
my ($in, @set) = (0);
while (my $line = <STDIN>) {
	$in = 1 if $line =~ m{^/\* --- GLOBAL VARIABLES --- \*/};
	$in = 0 if $line =~ m{^/\* --- FORWARD DECLARATIONS --- \*/};
	if ($in && $line =~ /^static (.*?)\b(g_\d+)((?:\[\d+\])*) = (.*?);/) {
		my ($type, $name, $dims, $value) = ($1, $2, $3, $4);
		print "typedef ${type}${volatile}t_$name$dims;\n",
			"static t_$name *p_$name;\n#define $name (*p_$name)\n";
		push @set, [$name, $value];
	} elsif ($in && $line =~ /^static.*\bg_\d+/) {
		die "not understood: $line";
	} elsif ($line =~ /^int main/) {
		print "static __attribute__((noinline)) void\nset_globals(void)\n{\n",
			"\tvoid *(*volatile copy)(void *, const void *, size_t) = ",
			"memcpy;\n\n";
		print "\tp_$_->[0] = malloc(sizeof(t_$_->[0]));\n" for @set;
		print "\t{\n\t\tt_$_->[0] v = $_->[1];\n\t\t",
			"copy((void *)p_$_->[0], (void *)&v, sizeof(v));\n\t}\n"
			for @set;
		print "}\n\n", $line, scalar <STDIN>, "set_globals();\n";
	} else {
		print $line;
		next unless $line =~ /^#include "csmith.h"/;
		print "#include <stdlib.h>\n#include <string.h>\n";
		next unless $volatile;
		print map("#define $_ volatile $_\n",
			map(("int${_}_t", "uint${_}_t"), 8, 16, 32, 64));
	}
}
