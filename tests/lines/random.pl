#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# random.pl SEED: writes random.c and random.h, a program of functions that
# allocate and call one another at random; and random.expect, the allocations of
# each of its lines, which random.pl finds by running the functions here.
use strict;
use warnings;

my ($seed) = @ARGV;
srand $seed;
my (%body, %at, %file, @where);
my @noinline = map { "f$_" } 0 .. 5;
my @inline = map { "g$_" } 0 .. 3;
my $size = 0;

# The lines of a function: [its action, the argument of the action].
sub body
{
	my ($f, @callees) = @_;
	for (1 .. 2 + int rand 3) {
		my $what = rand;
		# All sizes differ, so all functions differ.
		push @{$body{$f}}, $what < 0.3 ? ['keep', ++$size]
			: $what < 0.45 ? ['free', ++$size]
			: $what < 0.55 ? ['wrap', ++$size]
			: ['call', $callees[rand @callees]];
	}
	push @{$body{$f}}, ['keep', ++$size];
}

# An inlined function may call the inlined functions before it, or any function
# that isn't inlined.
body($_, @noinline, @inline) for @noinline;
body($inline[$_], @noinline, @inline[0 .. $_ - 1]) for 0 .. $#inline;

sub text
{
	my ($file, $n, @functions) = @_;
	my $text = '';
	for my $f (@functions) {
		my $how = $f =~ /^g/ ? 'static inline __attribute__((always_inline))'
			: '__attribute__((noinline))';
		$text .= "$how void $f(int d)\n{\n\tif (d < 0)\n\t\treturn;\n";
		$n += 4;
		for my $line (@{$body{$f}}) {
			my ($what, $x) = @$line;
			$n++;
			push @$line, "$file $n";
			$text .= $what eq 'keep' ? "\tkeep(malloc($x));\n"
				: $what eq 'free' ? "\tfree(malloc($x));\n"
				: $what eq 'wrap' ? "\tkeep(xmalloc($x));\n"
				: "\t$x(d - 1);\n";
		}
		$text .= "\tkeep(NULL);\n}\n";
		$n += 2;
	}
	return $text;
}

sub write_file
{
	my ($name, $text) = @_;
	open my $f, '>', $name or die "$name: $!\n";
	print $f $text;
	close $f or die "$name: $!\n";
}

my $head = "#include <stdlib.h>\n#include \"random.h\"\n"
	. "void *volatile last;\n"
	. "__attribute__((noinline)) void keep(void *p) { last = p; }\n"
	. "__attribute__((noinline)) void *xmalloc(size_t n)\n"
	. "{ void *p = malloc(n); keep(p); return p; }\n";
my $main = "int main(void)\n{\n\tf0(4);\n\tkeep(NULL);\n\treturn 0;\n}\n";
my $declare = "void keep(void *p);\nvoid *xmalloc(size_t n);\n"
	. join '', map { "void $_(int d);\n" } @noinline;
my $c = $head . text('random.c', ($head =~ tr/\n//), @noinline);
my $main_line = 'random.c ' . (($c =~ tr/\n//) + 3);
write_file('random.c', $c . $main);
write_file('random.h', $declare
	. text('random.h', ($declare =~ tr/\n//), @inline));

my (%self, %total, @stack);
sub allocate
{
	my ($line, $x, $kept) = @_;
	my %once;
	$self{$line}[0] += $x;
	$self{$line}[1]++;
	$self{$line}[2] += $kept;
	$total{$_} += $x for grep { !$once{$_}++ } @stack, $line;
}

sub run
{
	my ($f, $d) = @_;
	return if $d < 0;
	for my $line (@{$body{$f}}) {
		my ($what, $x, $where) = @$line;
		if ($what eq 'call') {
			push @stack, $where;
			run($x, $d - 1);
			pop @stack;
		} else {
			allocate($where, $x, $what eq 'free' ? 0 : $x);
		}
	}
}

@stack = ($main_line);
run('f0', 4);
write_file('random.expect', join '', map {
	my $s = $self{$_} // [0, 0, 0];
	"$_ @$s $total{$_}\n"
} keys %total);
