#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --waste: holes of types whose layout is known, the bytes that blocks lose in
# them, and the bytes that the allocator adds, compared with the program's own
# requests.
. "${MEMMON_SRC:-.}/tests/tap.sh"
B=$MEMMON_BUILD
case $CC in
*clang*) CXX=${CXX:-clang++} ;;
*) CXX=${CXX:-g++} ;;
esac

# The rows of FILE: SIZE HOLES BLOCKS BYTES IN-HOLES ROUNDED WASTE TYPE.
rows()
{
	sed -n '/<TOTAL>/,$p' "$1" | sed 's/([^()]*) / /g; s/^ *//' |
		sed 's/  */ /g; /^$/d'
}

# holes TYPE: the SIZE, HOLES and IN-HOLES of its row.
holes()
{
	rows out | awk -v t="~$1" '{ name = $8
		for (i = 9; i <= NF; i++) name = name " " $i }
		name == t { print $1, $2, $5 }'
}

# ------------------------------------------------------------------ layouts --
# Sizes and holes are those of 64-bit machines.
cat >layout.c <<'XEOF'
#include <stdlib.h>
struct packed { int a, b; char c[8]; };
struct gap { char a; long b; };			/* 7 */
struct tail { long a; char b; };		/* 7 */
struct both { char a; int b; char c; };		/* 3 + 3 */
struct nested { char a; struct both b; long l; };/* 3, 6 in b: 1 + 12 + 3 */
struct array { struct both v[5]; int i; };	/* 5 x 6 */
struct bits { unsigned a : 3, b : 7; char c; long l; }; /* 1 + 4 */
union alike { struct gap g; struct tail t; char c[3]; }; /* b, of each other */
union apart { /* 1 + 4 */ struct { char a; long b; } x; struct { char p; short q; long r; } y; };
struct flexible { long n; char c; char tail[]; };	/* 0: the tail has it */
struct header { long a, b, c; long double tail[]; };	/* 8 */
struct matrix { struct both m[2][3]; };		/* 6 x 6 */
struct deep { char c; struct nested n; };	/* 7 + 15 */
typedef struct { char c; short s; } nameless;	/* 1 */
struct empty_in { int a; struct { } e; long l; };/* 4 */
void *volatile sink;
#define MAKE(type, n) do { type *p = malloc((n) * sizeof(type)); \
	sink = p; if (!p) abort(); } while (0)
int
main(void)
{
	MAKE(struct packed, 1);
	MAKE(struct gap, 10);
	MAKE(struct tail, 1);
	MAKE(struct both, 3);
	MAKE(struct nested, 1);
	MAKE(struct array, 2);
	MAKE(struct bits, 1);
	MAKE(union alike, 1);
	MAKE(union apart, 1);
	MAKE(struct matrix, 1);
	MAKE(struct deep, 1);
	MAKE(nameless, 100);
	MAKE(struct empty_in, 1);
	struct flexible *f = malloc(sizeof(*f) + 5);
	sink = f;
	for (int i = 1; i < 4; i++) {
		struct header *h = malloc(sizeof(*h) + i * 32);
		sink = h;
	}
	int *ints = malloc(40);
	sink = ints;
	return 0;
}
XEOF
for v in 4 5; do
	$CC -g -gdwarf-$v -O0 -w -o layout layout.c &&
		"$B/memmon" ./layout
	ok $? "DWARF $v: a program with layouts"
	"$B/mpreduce" --waste -b --verbose layout mon.out >out 2>err
	is "$(cat err)" "" "DWARF $v: nothing is amiss"
	while IFS=: read -r type want; do
		is "$(holes "$type")" "$want" "DWARF $v: $type"
	done <<-'XEOF'
		struct packed:16 0 0
		struct gap:16 7 70
		struct tail:16 7 7
		struct both:12 6 18
		struct nested:24 9 9
		struct array:64 30 60
		struct bits:16 5 5
		union alike:16 0 0
		union apart:16 5 5
		struct matrix:72 36 36
		struct deep:32 16 16
		nameless:4 1 100
		struct empty_in:16 4 4
		struct flexible:16 0 0
		struct header:32 8 24
		int:4 0 0
	XEOF
done
# nested: a, 3 bytes, b at 4: 12 bytes, l at 16.  Holes: 1-3, 5-7 and 13-15.
cat out >verbose
# The lines below a type's.
below()
{
	awk -v t="~$1\$" '/^ *offset/ { if (on) { sub(/^ */, ""); print }; next }
		{ on = $0 ~ t }' verbose
}
is "$(below 'struct nested')" \
"offset 0, 1 bytes: char a; hole of 3 at 1
offset 4, 1 bytes: char a; hole of 3 at 5
offset 12, 1 bytes: char c; hole of 3 at 13" "where holes are"
like "$(below 'struct array')" \
	'offset 0, 60 bytes: struct both\[5\] v; 6 in each of its 5 elements' \
	"holes in elements"
"$B/mpreduce" --waste -b layout mon.out >out 2>/dev/null
is "$(grep -c offset out)" 0 "not without --verbose"
"$B/mpreduce" -T -b --verbose layout mon.out >out 2>/dev/null
is "$(awk '/~struct header$/ { print $1, $2, $3 }' out)" "32 - 3" \
	"-T: blocks with a tail aren't arrays"
"$B/mpreduce" --json layout mon.out >json 2>/dev/null
like "$(cat json)" '"name":"struct gap".*"hole_bytes":7,"holes":\[\{"offset":1,"size":7,"times":1,"after":"a"\}\]' \
	"JSON"
# Compares with pahole, if it is installed: pahole counts holes and padding of
# the type alone, so the types contain no structs.
if command -v pahole >/dev/null; then
	for type in packed gap tail both; do
		is "$(pahole -C $type layout 2>/dev/null | awk '
			/sum holes: / { sub(/.*sum holes: /, ""); n += $1 }
			/\/\* padding: / { n += $3 } END { print n + 0 }')" \
			"$("$B/mpreduce" --waste -b --verbose layout mon.out |
			awk -v t="~struct $type\$" '$0 ~ t { print $2 }')" \
			"pahole: struct $type"
	done
else
	skip 4 "no pahole"
fi

# ---------------------------------------------------------------------- C++ --
cat >layout.cc <<'XEOF'
#include <cstdlib>
struct base { virtual ~base() {} char c; };	// vptr, c; 7 at the end
struct reuses : base { char d; int i; };	// d right behind c: 2
struct none { };
struct derived : none { long a; };		// an empty base: 0
struct member { none n; long a; };		// an empty member: 7
struct other { long a; static long b; };
struct shared : virtual other { char c; };	// not known
void *volatile sink;
template <class T> void make() { T *p = new T; sink = p; }
int main()
{
	base *b = new base; sink = b;
	reuses *r = new reuses; sink = r;
	derived *d = new derived; sink = d;
	member *m = new member; sink = m;
	other *o = new other; sink = o;
	shared *s = new shared; sink = s;
	return 0;
}
XEOF
if command -v "$CXX" >/dev/null && $CXX -g -O0 -w -o classes layout.cc; then
	"$B/memmon" ./classes
	"$B/mpreduce" --waste -b --verbose classes mon.out >all 2>/dev/null
	sed 's/   =/   ~/' all >out
	is "$(holes base | head -n 1)" "16 7 7" "C++: a table of functions"
	is "$(holes reuses)" "16 2 2" "C++: the base's padding is used"
	is "$(holes derived)" "8 0 0" "C++: an empty base"
	is "$(holes member)" "16 7 7" "C++: an empty member"
	is "$(holes other)" "8 0 0" "C++: static members take no room"
	is "$(holes shared)" "24 - -" "C++: virtual bases"
else
	skip 6 "no C++ compiler"
fi

# ---------------------------------------------------------- the allocator's --
cat >usable.c <<'XEOF'
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
struct small { char c[20]; };
struct large { char c[1000]; };
static size_t more[2];
void *volatile sink;
int
main(void)
{
	int i;

	for (i = 0; i < 3; i++) {
		struct small *p = malloc(sizeof(*p));
		sink = p;
		more[0] += malloc_usable_size(p) - sizeof(*p);
	}
	for (i = 0; i < 5000; i++) {
		struct large *p = malloc(sizeof(*p));
		sink = p;
		more[1] += malloc_usable_size(p) - sizeof(*p);
		if (i % 2)
			free(p);
	}
	fprintf(stderr, "%zu %zu\n", more[0], more[1]);
	return 0;
}
XEOF
$CC -g -O0 -w -o usable usable.c && "$B/memmon" ./usable 2>truth
ok $? "a program that asks its allocator"
read -r small large <truth
"$B/mpreduce" --waste -b --verbose usable mon.out >out 2>/dev/null
is "$(rows out | awk '/~struct small$/ { print $3, $5, $6, $7 }')" \
	"3 0 $small $small" "all blocks were looked at: exact"
got=$(rows out | awk '/~struct large$/ { print $6 }')
like "$got" '^~?[0-9]+$' "of many: an estimate"
got=${got#\~}
ok $((got > large * 11 / 10 || got < large * 9 / 10)) \
	"an estimate to be trusted" || diag "$got of $large"
# A figure that the data file lacks isn't known.
grep -v '^cell' "$MEMMON_SRC/tests/golden/widgets.in" | "$B/tests/monmake" \
	>old.out
"$B/mpreduce" --waste -b usable old.out >out 2>/dev/null
like "$(cat out)" 'The waste is unknown' "an older data file"
printf 'module w /x exe\nchain a w:0x401008\nalloc a 20 10\n%s\n' \
	'cell a 0 20 10 0 looked 4 slack 16' | "$B/tests/monmake" >part.out
"$B/mpreduce" --waste -b part.out >out 2>/dev/null
is "$(rows out | awk 'NR == 1 { print $2, $3, $4, $5 }')" "200 - ~40 ~40" \
	"4 of 10 blocks have 16 bytes more: so all, about 40"
done_testing
