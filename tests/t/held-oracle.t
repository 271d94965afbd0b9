#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# memmon --graph on random heaps: the blocks that roots and call paths retain,
# the pointers between blocks, and paths, compared with the definitions: X
# retains a block if every path to the block leads through X.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
command -v perl >/dev/null || skip_all "there is no perl"

cat >heap.c <<'C'
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "memmon.h"

enum { SITES = 24, MOST = 60, WORDS = 12 };
static uint64_t state;
static unsigned below(unsigned n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % n;
}

/* A function for each site. */
#define SITE(n) __attribute__((noinline)) void *site_##n(size_t size) \
	{ void *volatile p = calloc(1, size); return p; }
SITE(0) SITE(1) SITE(2) SITE(3) SITE(4) SITE(5) SITE(6) SITE(7)
SITE(8) SITE(9) SITE(10) SITE(11) SITE(12) SITE(13) SITE(14) SITE(15)
SITE(16) SITE(17) SITE(18) SITE(19) SITE(20) SITE(21) SITE(22) SITE(23)
static void *(*const site[SITES])(size_t) = {
	site_0, site_1, site_2, site_3, site_4, site_5, site_6, site_7,
	site_8, site_9, site_10, site_11, site_12, site_13, site_14, site_15,
	site_16, site_17, site_18, site_19, site_20, site_21, site_22, site_23
};

/* The roots. */
uintptr_t *root_one;
static uintptr_t *root_two;
static uintptr_t *root_many[4];

/* Nothing else may point to the blocks. */
static uintptr_t hidden[MOST];
static const uintptr_t mask = 0x5555000000000000;
static unsigned size[MOST], n;
#define AT(i) ((uintptr_t *)(hidden[i] ^ mask))

static __attribute__((noinline)) void make(FILE *out)
{
	unsigned sites = 1 + below(SITES), edges;
	n = 1 + below(MOST);
	for (unsigned i = 0; i < n; i++) {
		unsigned s = below(sites);
		size[i] = 8 * (1 + below(WORDS));
		hidden[i] = (uintptr_t)site[s](size[i]) ^ mask;
		fprintf(out, "node %u %u %u\n", i, s, size[i]);
	}
	edges = below(3 * n + 1);
	for (unsigned k = 0; k < edges; k++) {
		unsigned i = below(n), j = below(n), at = below(size[i] / 8);
		unsigned inside = below(4) ? 0 : 8 * below(size[j] / 8);
		AT(i)[at] = (uintptr_t)AT(j) + inside;
	}
	/* What stands there in the end. */
	for (unsigned i = 0; i < n; i++)
		for (unsigned at = 0; at < size[i] / 8; at++)
			for (unsigned j = 0; AT(i)[at] && j < n; j++)
				if (AT(i)[at] - (uintptr_t)AT(j) < size[j])
					fprintf(out, "edge %u %u %u %d\n", i,
						8 * at, j,
						AT(i)[at] == (uintptr_t)AT(j));
#define ROOT(v, name, at) \
	do { \
		unsigned j = below(n); \
		(v) = below(3) ? AT(j) : NULL; \
		if (v) \
			fprintf(out, "root %s %d %u\n", name, at, j); \
	} while (0)
	ROOT(root_one, "root_one", 0);
	ROOT(root_two, "root_two", 0);
	for (int k = 0; k < 4; k++)
		ROOT(root_many[k], "root_many", 8 * k);
}

static __attribute__((noinline)) void drop(void)
{
	root_one = root_two = NULL;
	memset(root_many, 0, sizeof root_many);
	for (unsigned i = 0; i < n; i++)
		free(AT(i));
}

/* Where make() has left pointers on the stack. */
static __attribute__((noinline)) void scrub(void)
{
	volatile char a[20000];
	memset((void *)a, 0, sizeof a);
}

int main(int argc, char **argv)
{
	unsigned graphs = (unsigned)atoi(argv[2]);
	char name[40];
	state = strtoull(argv[1], NULL, 10);
	for (unsigned g = 0; g < graphs; g++) {
		FILE *out;
		snprintf(name, sizeof name, "heap.%u", g);
		out = fopen(name, "w");
		if (!out)
			return 1;
		make(out);
		fclose(out);
		scrub();
		snprintf(name, sizeof name, "graph.%u", g);
		if (memmon_dump_to(name) != 0)
			return 1;
		drop();
		scrub();
	}
	return (root_two != NULL) + (root_many[0] != NULL);
}
C
$CC -O1 -g -fno-ipa-icf -I"$MEMMON_SRC/monitor" -o heap heap.c -L"$MEMMON_BUILD" \
	-lmemmon || exit 1

# By the definitions alone: the blocks that can't be reached without a node.
cat >oracle.pl <<'P'
my (%size, %site, %to, %root, @edge);
while (<STDIN>) {
	my ($what, @f) = split;
	if ($what eq "node") { $size{$f[0]} = $f[2]; $site{$f[0]} = $f[1] }
	elsif ($what eq "edge") { push @edge, [@f]; push @{$to{$f[0]}}, $f[2] }
	else { push @{$root{$f[0]}}, $f[2]; push @{$words{"$f[0] $f[1]"}}, $f[2] }
}
# Nodes from the roots on, without `leave', a node or a root.
sub reached {
	my ($leave) = @_;
	my (%seen, @next);
	for my $r (keys %root) { push @next, @{$root{$r}} if $r ne $leave }
	while (@next) {
		my $v = shift @next;
		next if $v eq $leave || $seen{$v}++;
		push @next, @{$to{$v} || []};
	}
	return \%seen;
}
my $all = reached("");
my (%dominates);
for my $v (keys %$all, keys %root) {
	my $left = reached($v);
	$dominates{$v} = [grep { !$left->{$_} } keys %$all];
}
sub bytes { my $n = 0; $n += $size{$_} for @_; $n }
for my $r (sort keys %root) {
	my @d = @{$dominates{$r}};
	print "root $r ", scalar(@d), " ", bytes(@d), "\n" if @d;
}
my %sum;
for my $v (keys %$all) {
	# Another block of its site that it needs?
	next if grep { my $u = $_; $u ne $v && $site{$u} == $site{$v} &&
		grep { $_ eq $v } @{$dominates{$u}} } keys %$all;
	my @d = @{$dominates{$v}};
	my $s = $sum{$site{$v}} ||= [0, 0, 0, 0];
	$s->[0]++; $s->[1] += @d; $s->[2] += bytes(@d);
	$s->[3] = bytes(@d) if bytes(@d) > $s->[3];
}
print "site_$_ @{$sum{$_}}\n" for sort keys %sum;
my %edges;
# Blocks of several sizes have no members.
my (%least, %most);
for my $v (keys %size) {
	my $s = $site{$v};
	$least{$s} = $size{$v} if !$least{$s} || $size{$v} < $least{$s};
	$most{$s} = $size{$v} if $size{$v} > ($most{$s} || 0);
}
for (@edge) {
	my ($i, $at, $j) = @$_;
	$at = "far" if $at >= 64 && $least{$site{$i}} != $most{$site{$i}};
	my $e = $edges{"site_$site{$i} $at site_$site{$j}"} ||= [0, 0];
	$e->[0]++; $e->[1] += $size{$j};
}
for my $w (keys %words) {
	my ($r, $at) = split " ", $w;
	for my $j (@{$words{$w}}) {
		my $e = $edges{"$r $at site_$site{$j}"} ||= [0, 0];
		$e->[0]++; $e->[1] += $size{$j};
	}
}
print "edge $_ @{$edges{$_}}\n" for sort keys %edges;
# The tree: what dominates each block, the root first, by sites.  A site that
# comes again has its row at the end, or none of its own if it is the last.
my (%own, %all);
for my $v (keys %$all) {
	my (@path, $again);
	for my $u (sort { exists $root{$b} <=> exists $root{$a} ||
			@{$dominates{$b}} <=> @{$dominates{$a}} }
		grep { my $u = $_; grep { $_ eq $v } @{$dominates{$u}} }
			keys %dominates) {
		my $name = exists $root{$u} ? $u : "site_$site{$u}";
		@path = ("none") if !@path && !exists $root{$u};
		$again = $name ne ($path[-1] // "") && grep { $_ eq $name } @path;
		push @path, $name if !grep { $_ eq $name } @path;
		$again = $again ? $name : undef;
	}
	push @path, $again if $again;
	my $o = $own{join "/", @path} ||= [0, 0];
	$o->[0]++; $o->[1] += $size{$v};
	for my $n (0 .. $#path) {
		my $o = $all{join "/", @path[0 .. $n]} ||= [0, 0];
		$o->[0]++; $o->[1] += $size{$v};
	}
}
for (sort keys %all) {
	my $o = $own{$_} || [0, 0];
	print "tree $_ @$o @{$all{$_}}\n" if $_ ne "none";
}
P

ask()
{
	"$MPREDUCE" --sql="$1" --export=csv ./heap "$2" 2>>err | sed 1d |
		tr -d '\r' | tr , ' '
}
# told FILE: the same lines from mpreduce.
told()
{
	local leaf='(select f.function from frames f where f.height = 1 and f.site_id ='

	ask "select root, blocks, bytes from roots
		where root like 'root_%' and blocks > 0" "$1" |
		sed 's/^/root /'
	ask "select f.function, r.tops, r.blocks, r.bytes, r.largest
		from retained r join frames f on f.site_id = r.id
		where f.height = 1 and f.function like 'site_%'
		and r.tops > 0" "$1"
	ask "select h.function, coalesce(e.offset, 'far'), f.function,
		e.pointers, e.bytes from edges e
		join frames f on f.site_id = e.site_id and f.height = 1
		join frames h on h.site_id = e.holder_id and h.height = 1
		where f.function like 'site_%' and h.function like 'site_%'" \
		"$1" | sed 's/^/edge /'
	ask "select e.root, e.offset, f.function, e.pointers, e.bytes
		from edges e
		join frames f on f.site_id = e.site_id and f.height = 1
		where f.function like 'site_%' and e.root like 'root_%'" "$1" |
		sed 's/^/edge /'
}
# tree FILE: the rows of the tree, each by its path.
tree()
{
	ask "select h.id, coalesce(h.parent_id, '-'), coalesce(h.root, 'none'),
		coalesce(f.function, '-'), h.blocks, h.bytes,
		h.retained_blocks, h.retained_bytes from holdings h
		left join frames f on f.site_id = h.site_id and f.height = 1" \
		"$1" | awk '{
		path[$1] = $2 == "-" ? $3 : path[$2] "/" $4
		if (path[$1] ~ /^root_|^none\/site_/)
			print "tree", path[$1], $5, $6, $7, $8
	}'
}
# compare SEED N: how many of N graphs differ; the first is shown.
compare()
{
	local i bad=0
	rm -f heap.[0-9]* graph.*
	LD_LIBRARY_PATH=$MEMMON_BUILD timeout "$HANG" \
		"$MEMMON" -q --graph -o whole ./heap "$1" "$2" || echo "status $?"
	for ((i = 0; i < $2; i++)); do
		perl oracle.pl <"heap.$i" | LC_ALL=C sort >want
		{
			told "graph.$i"
			tree "graph.$i"
		} | LC_ALL=C sort >got
		cmp -s want got && continue
		[ $bad -gt 0 ] || { diag "seed $1, graph $i"; diff want got >&2; }
		bad=$((bad + 1))
	done
	echo $bad
}
graphs=25
! exhaustive || graphs=1000
is "$(compare "${SEED:-1}" $graphs)" 0 "$graphs random heaps"
is "$(wc -c <err)" 0 'nothing is said about them' || diag "$(head -3 err)"
done_testing
