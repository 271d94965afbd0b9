#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Compares memmon's figures about the use of blocks with those that valgrind's
# dhat has seen of another build of the program, without instrumentation:
#
#	mpreduce --json --paths=offsets PROGRAM MON.OUT | dhat.pl DHAT.OUT
#
# Prints each site that contradicts dhat, and the number of comparisons; status
# 1 if it finds such a site, or nothing to compare.  DHAT_VERBOSE=1: prints the
# other sites, too.
#
# Sites are the same when the lines of their frames are (without wrappers at the
# inner end), and their numbers of blocks and bytes.  Blocks that were
# reallocated can't be compared: memmon moves them to the last site, dhat leaves
# them at the first.  dhat has only sums for a site's blocks, so that
#	blocks that were never read, or written, have 0 bytes read, or written;
#	at least as many bytes as blocks were read, or written;
#	if all blocks have one size, the touched granules of all blocks are at
#		most the granules that any block touched, times the blocks.
# Sites with blocks that were passed to unrecorded code are left out.  For dhat
# a store to a bit-field reads its neighbours: programs with such stores can't
# be compared.
use strict;
use warnings;
use JSON::PP;

sub slurp
{
	my ($in) = @_;

	local $/;
	return decode_json(scalar <$in>);
}

# place FRAME: its line, "?" if that isn't known.
sub place
{
	my ($frame) = @_;

	return $frame =~ /\(([^()]+:\d+)\)$/ ? $1 : '?';
}

# places FRAME...: from the outermost one to the function that calls the
# allocator.
sub places
{
	my @frames = grep {
		!/(?:below main|: (?:clone|start_thread|call_init|_dl_init|_dl_start_user)\b)/
	} @_;

	return join '>', map { place($_) } @frames;
}

open my $in, '<', $ARGV[0] or die "$ARGV[0]: $!";
my $dhat = slurp($in);
my $memmon = slurp(\*STDIN);
my (%theirs, %ours, %count);

for my $s (@{$memmon->{sites}}) {
	push @{$ours{places(@{$s->{sites}})}}, $s;
}
for my $p (@{$dhat->{pps}}) {
	my @frames;

	# A function split in two and inlined again is two frames of one name at
	# one address there, of different lines, and one here.
	for my $frame (map { $dhat->{ftbl}[$_] } reverse @{$p->{fs}}) {
		next if $frame =~ m{\(in \S*/vgpreload_};
		pop @frames if @frames && $frames[-1] ne $frame &&
			$frames[-1] =~ s/:\d+\)$//r eq $frame =~ s/:\d+\)$//r;
		push @frames, $frame;
	}
	pop @frames while @frames && !$ours{places(@frames)};
	push @{$theirs{places(@frames)}}, $p;
}

sub sum
{
	my $n = 0;

	$n += $_ for @_;
	return $n;
}

# granules PP: the number of 16-byte granules that its blocks touched; undef:
# unknown, because the blocks have several sizes, or are large.
sub granules
{
	my ($p) = @_;
	my (@acc, %touched);

	return undef if !$p->{acc};
	for (my $i = 0; $i < @{$p->{acc}}; $i++) {
		my $n = $p->{acc}[$i];
		# A negative number: repeat the number after it that many times.
		if ($n < 0) {
			push @acc, ($p->{acc}[++$i]) x -$n;
		} else {
			push @acc, $n;
		}
	}
	for my $i (0 .. $#acc) {
		$touched{$i >> 4} = 1 if $acc[$i];
	}
	return scalar keys %touched;
}

sub said
{
	my ($key, $what) = @_;

	$count{contradictions}++;
	print "$what: $key\n";
}

for my $key (sort keys %ours) {
	my $t = $theirs{$key};
	my @use = map { $_->{use} } grep { $_->{use} } @{$ours{$key}};
	my $allocs = sum(map { @{$_->{count}{allocs}} } @{$ours{$key}});
	my $bytes = sum(map { @{$_->{count}{bytes}} } @{$ours{$key}});
	my $blocks = sum(map { $_->{blocks} } @use);
	my ($rb, $wb, $unused, $write_only, $read_only, $read, $written);

	$count{sites}++;
	if (!$t) {
		$count{unmatched}++;
		print "unmatched: $key\n" if $ENV{DHAT_VERBOSE};
		next;
	}
	if (sum(map { $_->{handed_blocks} // 0 } @use)) {
		$count{handed}++;
		next;
	}
	if ($allocs != sum(map { $_->{tbk} } @$t) || $allocs != $blocks ||
	    $bytes != sum(map { $_->{tb} } @$t)) {
		print "other: $allocs $bytes $blocks ",
			sum(map { $_->{tbk} } @$t), " ",
			sum(map { $_->{tb} } @$t), ": $key\n" if $ENV{DHAT_VERBOSE};
		$count{other}++;
		next;
	}
	$count{compared}++;
	$count{blocks} += $blocks;
	$rb = sum(map { $_->{rb} } @$t);
	$wb = sum(map { $_->{wb} } @$t);
	($unused, $write_only, $read_only) = map {
		my $flag = $_;
		sum(map { $_->{flags}{$flag}{blocks} } @use)
	} qw(unused write_only read_only);
	$read = $blocks - $unused - $write_only;
	$written = $blocks - $unused - $read_only;
	$count{verdicts}++ if $unused || $write_only || $read_only;
	said($key, "$blocks blocks never read, but $rb bytes are")
		if !$read && $rb;
	said($key, "$blocks blocks never written, but $wb bytes are")
		if !$written && $wb;
	said($key, "$read blocks read, but $rb bytes are") if $rb < $read;
	said($key, "$written blocks written, but $wb bytes are") if $wb < $written;
	if (@$t == 1 && defined(my $g = granules($t->[0]))) {
		my $cover = sum(map { $_->{cover} } @use);
		my $most = $g * 16 * $blocks;

		$count{covers}++;
		said($key, "$cover bytes touched, but at most $most are")
			if $cover > $most;
		# One block: the same granules, except those that libc reads
		# unasked.
		if ($blocks == 1 && $cover + 15 < $g * 16) {
			$count{less}++;
			print "less: $cover of $most: $key\n"
				if $ENV{DHAT_VERBOSE};
		}
	}
}
printf "%d sites, %d not matched, %d handed, %d reallocated or other counts, " .
	"%d compared (%d blocks; %d with verdicts, %d covers, %d less): " .
	"%d contradictions\n", map { $count{$_} // 0 }
	qw(sites unmatched handed other compared blocks verdicts covers less
	contradictions);
exit($count{contradictions} || !$count{compared} ? 1 : 0);
