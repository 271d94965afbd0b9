#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
# events_nest.pl FILE: do the events for functions and loops in a log of
# events_runtime.c make sense?  Each thread has a stack of functions and loops.
# A thread must leave the topmost one, except frames that an exception or
# longjmp() has left: a RESUME event reports those.
use strict;
use warnings;
no warnings 'portable';

my (%stack, %jumped, $bad);

sub wrong
{
	print "line $.: $_[0]: $_";
	exit 1 if ++$bad > 5;
}

while (<>) {
	my ($thread, $kind, $place, $function, $where, $address) = split ' ';
	my $stack = $stack{$thread} //= [];
	my $top = @$stack ? $stack->[-1] : ['', -1, 0];
	my $frame = $address eq '-' ? 0 : hex $address;

	if ($kind eq 'entry') {
		wrong('not below its caller')
			if @$stack && $frame >= $top->[2];
		push @$stack, ['entry', $place, $frame];
	} elsif ($kind eq 'exit') {
		# A frame without cleanups is left by an exception unseen.
		# So is a loop that a computed goto leaves.
		pop @$stack while @$stack && ($stack->[-1][2] < $frame ||
			($stack->[-1][0] eq 'loop' &&
			 $stack->[-1][2] == $frame));
		wrong('not the innermost function')
			unless @$stack && $stack->[-1][0] eq 'entry' &&
				$stack->[-1][1] == $place &&
				$stack->[-1][2] == $frame;
		pop @$stack;
	} elsif ($kind eq 'loop') {
		push @$stack, ['loop', $place, $frame];
	} elsif ($kind eq 'iteration' || $kind eq 'loop_exit') {
		# A jump out of a loop sends no event for the loop.
		pop @$stack while $jumped{$thread} && @$stack &&
			$stack->[-1][0] eq 'loop' && $stack->[-1][1] != $place;
		$top = $stack->[-1] // $top;
		wrong('not the innermost loop')
			unless $top->[0] eq 'loop' && $top->[1] == $place;
		pop @$stack if $kind eq 'loop_exit';
	} elsif ($kind eq 'resume') {
		pop @$stack while @$stack && $stack->[-1][2] < $frame;
		$jumped{$thread} = 1;
	}
}
exit($bad ? 1 : 0);
