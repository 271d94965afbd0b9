#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --lifetimes=reallocs: how much realloc copied, by call path, and how much it
# copied for each byte that blocks grew.  The program counts both itself.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

cat >grow.c <<'E'
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
struct sum { const char *name; unsigned long copied, enlarged, moved, n; };
static void *volatile guard;
static char *grow(struct sum *s, char *p, size_t from, size_t to)
{
	uintptr_t was = (uintptr_t)p;

	p = realloc(p, to);
	s->n++;
	s->enlarged += to > from ? to - from : 0;
	if ((uintptr_t)p != was) {
		s->moved++;
		s->copied += from < to ? from : to;
	}
	free(malloc(from));
	return p;
}
static void steps(struct sum *s)
{
	char *p = malloc(16);

	for (size_t n = 16; n < 20000; n += 16)
		p = grow(s, p, n, n + 16), guard = malloc(40);
	free(p);
}
static void doubles(struct sum *s)
{
	char *p = malloc(16);

	for (size_t n = 16; n < 20000; n *= 2)
		p = grow(s, p, n, n * 2), guard = malloc(40);
	free(p);
}
static void shrinks(struct sum *s)
{
	free(grow(s, malloc(5000), 5000, 10));
}
static void tell(const struct sum *s)
{
	printf("%lu %lu %.1f %lu %lu %s\n", s->copied, s->enlarged,
	       s->enlarged ? (double)s->copied / s->enlarged : 0, s->moved,
	       s->n, s->name);
}
int main(void)
{
	struct sum a = { "steps" }, b = { "doubles" }, c = { "shrinks" };

	steps(&a);
	doubles(&b);
	shrinks(&c);
	tell(&a);
	tell(&b);
	tell(&c);
	return 0;
}
E
$CC -O0 -g grow.c -o grow
ok $? 'a program'
"$MEMMON" -o m.mon -- ./grow >told
"$MPREDUCE" --lifetimes=reallocs -b --units=bytes --verbose grow m.mon >table
ok $? '--lifetimes=reallocs'
# A row has the longest row of reallocs before its path.
awk '/ grow$/ { print $1, $2, $3 == "-" ? "0.0" : $3, $4, $5, $(NF - 2) }' \
	table >got
is_file got told 'the rows have what the program counts'
is "$(awk '{ a += $1; b += $2; c += $4; d += $5 }
	END { printf "%d %d %.1f %d %d", a, b, a / b, c, d }' told)" \
	"$(awk '/<TOTAL>/ { print $1, $2, $3, $4, $5 }' table)" 'and their sum'
is "$(awk '$NF == "steps" { print ($3 > 5) }' told)" 1 'small steps cost much'
"$MPREDUCE" --lifetimes=reallocs --lifetimes grow m.mon | grep -c '^---' >n
is "$(<n)" 4 'beside other tables'
"$MEMMON" -o none.mon -- true
"$MPREDUCE" --lifetimes=reallocs none.mon >out 2>/dev/null
is "$(tail -n 1 out)" 'No block was resized.' 'a program without realloc'
"$MPREDUCE" --lifetimes=realloc grow m.mon >out 2>err
is "$? $(head -n 1 err)" \
	'2 mpreduce: --lifetimes=realloc: not a number from 1 to 1000000000, and not reallocs' \
	'another word'
MEMMON_SAMPLE_SEED=1 "$MEMMON" --sample=4K -o s.mon -- ./grow >told
"$MPREDUCE" --lifetimes=reallocs grow s.mon >out
grep -q 'copied *+- *enlarged *+- *factor *moved *+-' out
ok $? 'errors, if blocks are sampled'
done_testing
