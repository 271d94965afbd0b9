#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The page of --html after memmon --graph: the view of holders, and its text
# about a call path and about two runs.
. "${MEMMON_SRC:-.}/tests/tap.sh"
export T
mpreduce=$MEMMON_BUILD/mpreduce

cat >app.c <<'C'
#include <stdlib.h>
#include <string.h>
struct leaf { char text[1000]; };
struct node { struct node *next; struct leaf *leaf; };
static struct node *list;
static char *other, *more;
__attribute__((noinline)) static struct leaf *make_leaf(void)
{
	struct leaf *leaf = malloc(sizeof *leaf);
	memset(leaf, 0, sizeof *leaf);
	return leaf;
}
__attribute__((noinline)) static void make(int n)
{
	while (n--) {
		struct node *node = malloc(sizeof *node);
		node->leaf = make_leaf();
		node->next = list;
		list = node;
	}
}
__attribute__((noinline)) static void lose(void)
{
	for (int i = 0; i < 5; i++)
		make_leaf();
}
/* Over what is left on the stack and in registers. */
__attribute__((noinline)) static void wipe(void)
{
	volatile char room[4000];
	memset((char *)room, 0, sizeof room);
}
int main(int argc, char **argv)
{
	(void)argv;
	lose();
	other = malloc(300), more = malloc(200);
	make(argc > 1 ? 50 : 100);
	wipe();
	return 0;
}
C
$CC -g -O0 app.c -o app || skip_all "the program can't be built"
"$MEMMON_BUILD/memmon" --graph -o app.mon ./app >log 2>&1
"$MEMMON_BUILD/memmon" --graph -o half.mon ./app half >log 2>&1
"$MEMMON_BUILD/memmon" -o plain.mon ./app >log 2>&1
"$mpreduce" --units=bytes --html=held.html ./app app.mon >out 2>&1
is "$?$(cat out)" 0 "a page with a graph"
"$mpreduce" --units=bytes --diff --html=diff.html ./app app.mon half.mon >out 2>&1
is "$?$(cat out)" 0 "a page of two runs with graphs"
"$mpreduce" --units=bytes --html=plain.html ./app plain.mon >out 2>&1

# The data of the two files for the views; a page without a graph lacks them.
for name in held diff plain; do
	perl -MJSON::PP -0777 -ne 'm{id="data">(.*?)</script>}s;
		my $d = JSON::PP->new->utf8->decode($1);
		my @old = @{$d->{old}{roots} || []};
		my $h = $d->{graph}{holdings};
		print join(",", $h ? $h->{rows}[@{$h->{fields}} / 3] : "none",
			map { $_ % 4 == 0 ? $d->{strings}[$old[$_]]
			: $_ % 4 > 1 ? $old[$_] : () } 0 .. $#old), "\n"' \
		$name.html
done >got
is "$(cat got)" "1
1,list,101600,200,other,300,1,more,200,1
none" "the data of the pages: rows have numbers, the old roots their bytes"

chromium=$(command -v chromium || command -v chromium-browser ||
	command -v google-chrome)
if [ -z "$chromium" ]; then
	skip 1 "no chromium"
	done_testing
	exit
fi
timeout "$HANG" perl "$MEMMON_SRC/tests/html_held.pl" "$chromium" held.html \
	diff.html plain.html >said 2>err
is $? 0 "the browser went through all of it" || diag "$(tail -n 5 err)"
while read -r held what; do
	[ "$held" = 1 ]
	ok $? "$what"
done <said
[ ! -s err ] || diag "$(cat err)"
done_testing
