#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Types of programs that were compiled without the plugin: the figures by type,
# compared with the program's own counts; marks; live objects by their tables of
# virtual functions; blocks about which only the size is known.
. "${MEMMON_SRC:-.}/tests/tap.sh"
B=$MEMMON_BUILD
case $CC in
*clang*) CXX=${CXX:-clang++} ;;
*) CXX=${CXX:-g++} ;;
esac

# The rows of -T in FILE without blanks: SIZE COUNT ALLOCS BYTES FREES KEPT PEAK
# SITES TYPE; without percentages, which are rounded.
rows()
{
	sed -n '/<TOTAL>/,$p' "$1" | sed 's/([^()]*) / /g; s/^ *//' |
		sed 's/  */ /g; /^$/d'
}

# ------------------------------------------------------------- counted in C --
cat >count.c <<'XEOF'
#include <stdio.h>
#include <stdlib.h>

struct node { struct node *next; char c; int x; };
struct widget { int color, body[50]; };
typedef struct { double x, y, z; } vec_t;
union value { long l; double d; char s[24]; };

/* What was allocated of each type: allocs, bytes, frees, freed. */
static long counts[4][4];

static void
count(int type, long bytes)
{
	counts[type][0]++;
	counts[type][1] += bytes;
}

static void
drop(int type, void *p, long bytes)
{
	counts[type][2]++;
	counts[type][3] += bytes;
	free(p);
}

/* For whoever asks. */
static __attribute__((noinline)) void *
get(size_t n)
{
	return malloc(n);
}

static __attribute__((noinline)) struct widget *
make_widget(int color)
{
	struct widget *w = get(sizeof(*w));

	count(1, sizeof(*w));
	w->color = color;
	return w;
}

static struct node *head;
static union value *values[40];

int
main(void)
{
	struct widget *w[20];
	vec_t *v;
	struct node *n;
	int i;

	for (i = 0; i < 100; i++) {
		n = malloc(sizeof(*n));
		count(0, sizeof(*n));
		n->next = head;
		n->x = i;
		head = n;
	}
	for (i = 0; i < 30; i++) {
		n = head;
		head = n->next;
		drop(0, n, sizeof(*n));
	}
	for (i = 0; i < 20; i++)
		w[i] = make_widget(i);
	for (i = 0; i < 15; i++)
		drop(1, w[i], sizeof(*w[i]));
	for (i = 1; i <= 10; i++) {
		v = calloc(i, sizeof(*v));
		count(2, i * sizeof(*v));
		v[0].x = i;
		__asm__ volatile("" : : "r"(v) : "memory");
		if (i % 2)
			drop(2, v, i * sizeof(*v));
	}
	for (i = 0; i < 40; i++) {
		values[i] = get(sizeof(union value));
		count(3, sizeof(union value));
		values[i]->l = i;
	}
	for (i = 0; i < 4; i++)
		fprintf(stderr, "%ld %ld %ld %ld\n", counts[i][0],
			counts[i][1], counts[i][2],
			counts[i][1] - counts[i][3]);
	return w[19]->color - 19 + (values[3]->l != 3) + (head->x != 69);
}
XEOF
for level in -O0 -O2; do
	$CC -g $level -w -o count count.c && "$B/memmon" ./count 2>truth
	ok $? "$level: a program that counts"
	"$B/mpreduce" -T -b --verbose count mon.out >out 2>err
	is "$(cat err)" "" "$level: nothing is amiss"
	i=0
	for type in 'struct node' 'struct widget' vec_t 'union value'; do
		i=$((i + 1))
		is "$(rows out | sed -n "s/ ~$type\$//p" |
			awk '{ print $3, $4, $5, $6 }')" \
			"$(sed -n ${i}p truth)" "$level: $type"
	done
	is "$(rows out | sed -n 's/ ~vec_t$//p' | awk '{ print $1, $2, $8 }')" \
		"24 5.5 1" "$level: arrays of 1 to 10"
	is "$(rows out | sed -n 's/ ~struct widget$//p' |
		awk '{ print $1, $2, $8 }')" "204 1 1" "$level: one each"
	# All rows add up to the first: allocs, bytes, frees, kept, peak.
	is "$(rows out | sed 1d | sed 's/^.* ~/- ~/; /^-/d' | wc -l)" \
		"$(rows out | sed 1d | grep -vc '~')" "$level: marks"
	is "$(rows out | awk 'NR == 1 { split($0, all); next }
		{ k = $NF == "known)" ? 0 : 2
		  for (i = 1; i <= 5; i++) sum[i] += $(i + k) }
		END { for (i = 1; i <= 5; i++)
			if (sum[i] != all[i]) print i, sum[i], all[i] }')" "" \
		"$level: the rows add up"
	"$B/mpreduce" -L -b --verbose count mon.out >leaks 2>/dev/null
	like "$(cat leaks)" '> main > make_widget( > get)? +~struct widget' "$level: leaks have types"
	"$B/mpreduce" --peak -b --verbose count mon.out >peak 2>/dev/null
	like "$(cat peak)" 'make_widget.* ~struct widget' "$level: the peak, too"
	"$B/mpreduce" -B -b --verbose count mon.out >bins 2>/dev/null
	like "$(cat bins)" ' 204 .* ~struct widget' "$level: and the bins"
done
# A row of several types names those with a tenth of it, as the summary does.
cat >several.c <<'XEOF'
#include <stdlib.h>
struct node { long n[2]; };
struct item { long n[6]; };
struct pair { int n[2]; };
struct node *nodes[100];
struct item *items[50];
struct pair *pairs[10];
int main(void)
{
	for (int i = 0; i < 100; i++)
		nodes[i] = malloc(sizeof(struct node));
	for (int i = 0; i < 50; i++)
		items[i] = malloc(sizeof(struct item));
	for (int i = 0; i < 10; i++)
		pairs[i] = malloc(sizeof(struct pair));
	for (int i = 2; i < 50; i++)
		free(items[i]);
	return 0;
}
XEOF
$CC -g -O0 -w -o several several.c && "$B/memmon" -o several.mon ./several
for table in '-L' '--peak' '--growth=start,end'; do
	"$B/mpreduce" $table -b several several.mon 2>/dev/null |
		sed -n 's/.*> main  *//p'
done >got
is "$(cat got)" "~struct node
~struct item, ~struct node
~struct node" "types of a row with several, by the figure of the table"

$CC -g -O2 -w -o count count.c
"$B/mpreduce" --json count mon.out >json 2>/dev/null
like "$(cat json)" '"type":\{"name":"struct widget","mark":"~","confidence":"[a-z]*","size":204\}' \
	"JSON: a site"
like "$(cat json)" '"name":"struct node","mark":"~","confidence":\{"[a-z]*":100\},"size":16,"allocs":100' \
	"JSON: a type"
# Other runs of the program have the same types.
"$B/memmon" -o other.out ./count 2>/dev/null
"$B/mpreduce" -T -b --verbose count mon.out other.out >two 2>/dev/null
is "$(rows two | sed -n 's/ ~union value$//p' | awk '{ print $3, $4 }')" \
	"80 1920" "two runs"
strip -o bare count
cp mon.out bare.out
"$B/memmon" -o bare.out ./bare 2>/dev/null
"$B/mpreduce" -T -b bare bare.out >out 2>/dev/null
like "$(cat out)" 'No type is known' "without debug information"

# ------------------------------------------------------ types by the program --
"$B/memmon" -o typed.out "$B/tests/prog/typed" 2>/dev/null
"$B/mpreduce" -T -b --verbose "$B/tests/prog/typed" typed.out >out 2>/dev/null
is "$(rows out | awk '/ =(node|edge)$/ { print $3, $4, $5, $6, $NF }')" \
"100 3200 40 1920 =node
20 640 5 480 =edge" "memmon_type(): by block, also of one place"
for key in blocks:3:node kept:6:grown; do
	IFS=: read -r key at first <<<"$key"
	"$B/mpreduce" -T -b --verbose --sort="$key" "$B/tests/prog/typed" \
		typed.out 2>/dev/null | grep ' [=~]' >out
	is "$(rows <(sed '1i<TOTAL>' out) | sed -n '2{s/.*=//;p}')" "$first" \
		"--sort=$key: the first type"
	rows <(sed '1i<TOTAL>' out) | sed 1d | awk "{ print \$$at }" >got
	is_file got <(sort -rns got) "... and the others"
done

# --------------------------------------------------- live objects in C++ --
cat >classes.cc <<'XEOF'
#include <cstdlib>
namespace zoo {
struct animal { virtual ~animal(); long legs; };
struct bird : animal { ~bird() override; double wing; };
template <class T> struct cage : animal { ~cage() override; T t[4]; };
struct ghost : virtual animal { ~ghost() override; int x; };
animal::~animal() {}
bird::~bird() {}
template <class T> cage<T>::~cage() {}
template struct cage<int>;
ghost::~ghost() {}
}
zoo::bird the_bird;
zoo::ghost the_ghost;
XEOF
cat >live.cc <<'XEOF'
struct shape { virtual ~shape() {} };
struct circle : shape { double r; };
struct square : shape { double a, b, c, d; };
shape *shapes[50];
static __attribute__((noinline)) shape *make(int i)
{
	if (i % 2)
		return new circle;
	return new square;
}
int main()
{
	for (int i = 0; i < 50; i++)
		shapes[i] = make(i);
	for (int i = 0; i < 20; i++)
		delete shapes[i];
	return 0;
}
XEOF
cat >calls.s <<'XEOF'
	.macro function name
	.globl \name, \name\()_1
	.type \name, @function
\name:	nop
\name\()_1:	nop
	.size \name, . - \name
	.endm
	.text
	function main
	function one
	function two
	function mixed
	function gone
	function plain
	function haunted
	function same
	.section .note.GNU-stack,"",@progbits
XEOF
printf 'struct lonely { char c[500]; } l;\nstruct a { char c[64]; } a; ' >types.c
printf 'struct b { char c[64]; } b; typedef struct a alias; alias x;\n' >>types.c
if ! command -v "$CXX" >/dev/null; then
	skip 4 "no C++ compiler"
	done_testing
	exit
fi
for strip in -g -s; do
	$CXX $strip -O0 -w -o live live.cc -rdynamic && "$B/memmon" ./live
	"$B/mpreduce" -T -b --verbose live mon.out >out 2>/dev/null
	is "$(rows out | awk '/ =/ { print $3, $5, $NF }' | sort)" \
"15 0 =circle
15 0 =square" "$strip: objects that live at the end"
done
# Calls with names of their own, for which no type is known.
as -o calls.o calls.s && $CC -g -c -o types.o types.c &&
	$CXX -g -fno-exceptions -c -o classes.o classes.cc &&
	$CXX -no-pie -Wl,--build-id -o zoo calls.o types.o classes.o
ok $? "a program with classes"
address()
{
	printf '0x%s' "$(nm zoo | awk -v n="$1" '$3 == n { print $1 }')"
}
vtable()
{
	printf '%#x' $(($(address "$1") + ${2:-16}))
}
bird=$(vtable _ZTVN3zoo4birdE) cage=$(vtable _ZTVN3zoo4cageIiEE)
ghost=$(vtable _ZTVN3zoo5ghostE 24)
{
	echo "run length 1000000"
	echo "module exe $T/zoo exe id $(readelf -n zoo |
		sed -n 's/.*Build ID: //p')"
	for name in one two mixed gone plain haunted same; do
		echo "chain $name exe:$(address main_1)" \
			"exe:$(address ${name}_1)"
	done
	echo "alloc one 24 10 4" # six birds live
	echo "alloc two 24 6 2"  # three birds and something else
	echo "alloc mixed 24 2 1"
	echo "alloc mixed 32 5 2" # a bird and three cages
	echo "alloc gone 24 3 3" # as large as birds, and nothing else
	echo "alloc plain 500 7 2"
	echo "alloc plain 64 1 0"
	echo "alloc haunted 32 1 0"
	echo "alloc same 500 3 1" # by size
	echo "cell one 0 24 10 4"
	echo "cell two 0 24 6 2"
	echo "cell mixed 0 24 2 1"
	echo "cell mixed 0 32 5 2"
	echo "cell gone 0 24 3 3"
	echo "cell plain 0 500 7 2"
	echo "cell plain 0 64 1 0"
	echo "cell haunted 0 32 1 0"
	echo "cell same 0 500 3 1"
	echo "vtable one exe $bird 6 144"
	echo "vtable two exe $bird 3 72"
	echo "vtable two exe $(address the_bird) 1 24" # no table
	echo "vtable mixed exe $bird 1 24"
	echo "vtable mixed exe $cage 3 96"
	echo "vtable plain exe $(($(vtable _ZTVN3zoo4birdE 0))) 2 1000"
	echo "vtable haunted exe $ghost 1 32"
} >description
"$B/tests/monmake" <description >zoo.out || diag "can't make the data"
"$B/mpreduce" -T -b --verbose zoo zoo.out >out 2>err
is "$(rows out | sed 1d | sort)" "$(sort <<'XEOF'
24 1 10 240 0 240 3 =zoo::bird
24 1 4 96 4 0 1 ~zoo::bird
24 1 6 144 5 24 2 ?zoo::bird
32 1 3 96 0 96 1 =zoo::cage<int>
32 1 1 32 0 32 1 =zoo::ghost
500 1 3 1500 1 1000 1 ?lonely
11 3652 5 2564 2 (not known)
XEOF
)" "live objects are what they begin with"

# ---------------------------------------------------- sizes in two libraries --
# A library's blocks of 536 bytes are not of the program's type of that size,
# whether the library has debug information or not; its own type is a guess, and
# so is one that both have.
cat >lib.c <<'XEOF'
#include <stdlib.h>
struct both { char text[1000]; };
struct own { char text[72]; } own;
struct both lib_both;
void *volatile lib_last;
static size_t even(size_t n) { return n + n % 2; }
static void *get(size_t n) { void *p = malloc(even(n)); lib_last = p; return p; }
void lib(void)
{
	for (int i = 0; i < 3; i++) get(536);
	for (int i = 0; i < 3; i++) get(72);
	for (int i = 0; i < 3; i++) get(1000);
}
XEOF
cat >main.c <<'XEOF'
struct nested { char text[536]; } one;
struct both { char text[1000]; } two;
void lib(void);
int main(void) { lib(); return one.text[0] + two.text[0]; }
XEOF
# guesses TABLE: sizes with types.
guesses()
{
	"$B/mpreduce" "$1" -b --verbose --units=bytes ./main main.out 2>err |
		grep -oE '^ *(72|536|1000) .*' |
		sed -E 's/^ *([0-9]+) .* (\?[a-z]+)$/\1 \2/; t; s/^ *([0-9]+) .*/\1/' |
		grep ' ' | tr '\n' ' '
}
for how in known stripped; do
	$CC -g -O0 -shared -fPIC lib.c -o libown.so
	[ $how = known ] || strip libown.so
	$CC -g -O0 main.c -o main -L. -lown -Wl,-rpath,"$PWD"
	"$B/memmon" -q -o main.out ./main
	want='72 ?own 1000 ?both '
	[ $how = known ] || want=
	is "$(guesses -B)" "$want" "$how library: types of sizes are its own"
	is "$(guesses -T | tr ' ' '\n' | grep '?' | sort | tr '\n' ' ')" \
		"$(tr ' ' '\n' <<<"$want" | grep '?' | sort | tr '\n' ' ')" \
		"... and types"
done
done_testing
