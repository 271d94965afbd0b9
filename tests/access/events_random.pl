#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
# events_random.pl SEED: a C program whose functions access variables, the heap
# and the stack in loops, branches and recursion, and report it as
# events_naive.h says.
use strict;
use warnings;

srand shift // 1;
my $depth = 0;
my $function = 0;
my @types = ('char', 'short', 'int', 'unsigned', 'long', 'unsigned char',
	'double', 'float');

sub pick { $_[rand @_] }

# A place in memory, as an expression.
sub place
{
	my $i = pick('i', 'k', int rand 8);
	my $at = pick("g$_[0]", "table$_[0]\[($i) & 7]", "p->m$_[0]",
		"p->array$_[0]\[($i) & 3]", "p->next->m$_[0]",
		"own$_[0]\[($i) & 3]");
	# The statement also loads the pointer in it, so LOAD() must report that
	# load.
	$at =~ s/p->next/((struct s *)LOAD(p->next))/;
	return $at;
}

sub value
{
	my $t = int rand @types;
	return pick(int rand 100, 'k', 'i', "LOAD(" . place($t) . ")");
}

sub statement
{
	my ($in_loop) = @_;
	my $what = $depth > 3 ? rand 0.5 : rand;
	my $tab = "\t" x ($depth + 1);

	if ($what < 0.5) {
		my $t = int rand @types;
		return "${tab}STORE(" . place($t) . ", " . value() . ");\n";
	}
	$depth++;
	my $s = '';
	if ($what < 0.65) {
		my $j = "j$depth";
		$s = "${tab}{\n$tab\tint $j = 0;\n$tab\tLOOP;\n$tab\tdo {\n" .
			"$tab\t\tITERATION;\n" . statements(1) .
			(rand() < 0.3
			? "$tab\t\tif (LOAD(g2) % 5 == 3) {\n$tab\t\t\tbreak;\n$tab\t\t}\n"
			: '') .
			"$tab\t} while (++$j < (k & 3) + 1);\n$tab\tLOOP_EXIT;\n$tab}\n";
	} elsif ($what < 0.8) {
		$s = "${tab}if ((" . value() . ") > (" . value() . ")) {\n" .
			statements($in_loop) .
			(rand() < 0.5 ? "$tab} else {\n" . statements($in_loop) : '') .
			"$tab}\n";
	} elsif ($what < 0.9) {
		$s = "${tab}switch (k & 3) {\n${tab}case 0:\n" .
			statements($in_loop) . "$tab\tbreak;\n${tab}case 1:\n" .
			statements($in_loop) . "${tab}default:\n" .
			statements($in_loop) . "$tab}\n";
	} elsif ($function > 0) {
		$s = "${tab}f" . int(rand $function) . "(p, k + 1, i);\n";
	}
	$depth--;
	return $s;
}

sub statements
{
	return join '', map { statement(@_) } 1 .. 1 + rand 3;
}

print "#include <stdlib.h>\n#include <stdio.h>\n",
	"#include \"tests/access/events_naive.h\"\n";
for my $t (0 .. $#types) {
	print "$types[$t] g$t;\nstatic $types[$t] table$t\[8];\n";
}
print "struct s {\n\tstruct s *next;\n";
print "\t$types[$_] m$_, array$_\[4];\n" for 0 .. $#types;
print "};\n";
my $last = 5;
for ($function = 0; $function <= $last; $function++) {
	print "PLAIN void f$function(struct s *p, int k, int i);\n",
		"PLAIN void\nf$function(struct s *p, int k, int i)\n{\n";
	print "\t$types[$_] own$_\[4];\n" for 0 .. $#types;
	print "\tENTER;\n";
	print "\tSTORE(own$_\[0], 1); STORE(own$_\[1], 2);\n",
		"\tSTORE(own$_\[2], 3); STORE(own$_\[3], 4);\n" for 0 .. $#types;
	print "\tif (k < 4)\n\t\tf$function(p->next, k + 1, i + 1);\n"
		=~ s/p->next/LOAD(p->next)/r if rand() < 0.3;
	print statements(0), statements(0), "\tLEAVE;\n}\n";
}
print "int\nmain(void)\n{\n\tstruct s *p, *q;\n\tENTER;\n",
	"\tp = (struct s *)calloc(1, sizeof(*p));\n",
	"\tq = (struct s *)calloc(1, sizeof(*q));\n",
	"\tSTORE(p->next, q);\n\tSTORE(q->next, p);\n";
print "\tf$last(p, 0, 3);\n\tLEAVE;\n\treturn 0;\n}\n";
