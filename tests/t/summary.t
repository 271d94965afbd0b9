#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The summary: its figures equal those of the full tables, its lines are the
# program's own, and it fits one screen; on a terminal mpreduce prints only the
# summary.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

# Each function below calls malloc on one line; all figures differ.
cat >plain.c <<'C'
#include <stdlib.h>
static void *all[4000];
static int n;
static void leak_some(int i)
{
	void *p = malloc(100 + i % 7);
	if (i % 3)
		free(p);
	else
		all[n++] = p;
}
static void hold(int size)
{
	all[n++] = malloc(size);
}
static void churn(void)
{
	free(malloc(24));
}
static void deep(int i)
{
	if (i)
		deep(i - 1);
	else
		hold(5000);
}
int main(void)
{
	for (int i = 0; i < 2000; i++)
		leak_some(i);
	int first = n;
	for (int i = 0; i < 300; i++)
		deep(i % 9);
	for (int i = 0; i < 700; i++)
		hold(300);
	while (n > first + 2)
		free(all[--n]);
	for (int i = 0; i < 5000; i++)
		churn();
	return 0;
}
C
$CC -g -O0 -fno-inline -o plain plain.c
"$MEMMON" -o plain.out -- ./plain
figures="$MPREDUCE --depth=1 -b --verbose"

# rows TITLE: "figure beside function" of a section of `out', digits only.
rows()
{
	awk -v title="$1" '
		index($0, title ":") == 1 { on = 1; next }
		!NF { on = 0 }
		on && $2 ~ /%$/ {
			gsub(",", "")
			beside = $3 == "of" ? $4 : $3
			for (i = 4; i <= NF && $i !~ /^\(/; i++)
				;
			print $1, beside, $(i - 1)
		}' out
}
"$MPREDUCE" --summary --units=bytes plain.out >out
$figures -L plain.out >full
is "$(rows 'Not freed')" "$(awk '/\.\.\.> / {
	print $1, $3 - $6, $NF }' full)" "what isn't freed is as in -L"
$figures --peak plain.out >full
is "$(rows 'Held at the peak')" "$(awk '/\.\.\.> / { print $3, $4, $NF }' full)" \
	"what was held at the peak is as in --peak"
$figures --lifetimes plain.out | sed '/by Function/,$d' >full
is "$(rows 'Most allocations')" "5000 120000 churn
2000 205995 leak_some
1000 1710000 hold" "allocations are as the program makes them"
is "$(rows 'Most allocations' | awk '{ print $1, $3 }')" "$(awk '
	/> / && !/TOTAL/ { print $1, $NF }' full)" "... and as in --lifetimes"
like "$(rows 'Most short-lived' | head -n 1)" '^5000 5000 churn$' \
	"short-lived blocks, and of how many"
like "$(cat out)" '2035995 bytes in 8,000 blocks allocated, ' "the totals"

# Locations: file and line; a recursion once; the callers.
like "$(cat out)" 'leak_some \(plain\.c:6\)' "file and line"
like "$(cat out)" ' [0-9]+% < deep \(plain\.c:25\) < main \(plain\.c:[0-9]+\)' \
	"a recursion is there once, and below it who called it"
[ "$(wc -l <out)" -le 40 ]
ok $? "at most 40 lines"
is "$(awk 'length > 80' out)" "" "... of at most 80 columns"
COLUMNS=50 "$MPREDUCE" --summary plain.out >narrow
is "$(awk 'length > 50' narrow)" "" "lines are as narrow as COLUMNS"

# Leaks only, by more callers than get a line; threads; lost blocks.
cat >leaky.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { struct node *next; char text[56]; };
static struct node *made[4000];
static void *kept[4000];
static int nodes, n;
static void node(void)
{
	made[nodes] = calloc(1, sizeof(struct node));
	if (nodes % 10)
		made[nodes]->next = made[nodes - 1];
	nodes++;
}
static void term(int deep);
static void expr(int deep)
{
	deep ? term(deep - 1) : node();
}
static void term(int deep)
{
	deep % 3 ? expr(deep - 1) : deep ? term(deep - 1) : node();
}
static void fact(int i)
{
	expr(i % 7);
}
static void a_name_that_takes_much_of_the_line(int i)
{
	kept[n++] = malloc(20 + i);
}
#define CALLER(f) \
	static void f(int i) \
	{ \
		a_name_that_takes_much_of_the_line(i); \
	}
CALLER(u1)
CALLER(u2)
CALLER(u3)
CALLER(u4)
CALLER(u5)
CALLER(u6)
static void *work(void *arg)
{
	for (int i = 0; i < 1000; i++)
		free(malloc(2000 + i));
	return arg;
}
int main(int argc, char **argv)
{
	pthread_t t[4];
	if (argc > 1 && strchr(argv[1], 't'))
		for (int i = 0; i < 4; i++)
			pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 700; i++)
		fact(i);
	for (int i = 0; i < 200; i++) {
		u1(i); u2(i); u3(i); u4(i); u5(i); u6(i);
	}
	for (int i = 0; i < 50; i++)
		free(malloc(30));
	if (argc > 1 && strchr(argv[1], 'p'))
		puts("This has a buffer.");
	if (argc > 1 && strchr(argv[1], 't')) {
		for (int i = 0; i < 4; i++)
			pthread_join(t[i], NULL);
		work(NULL);
	}
	if (argc > 1 && strchr(argv[1], 'l')) {
		memset(made, 0, sizeof made);
		memset(kept, 0, sizeof kept);
	}
	return 0;
}
C
$CC -g -O0 -fno-inline -o leaky leaky.c -lpthread
"$MEMMON" -o leaky.out -- ./leaky
"$MEMMON" -o threads.out -- ./leaky t
"$MEMMON" -l -o lost.out -- ./leaky l
MEMMON_SAMPLE_SEED=1 "$MEMMON" --sample=1K -o sampled.out -- ./leaky
COLUMNS=100 "$MPREDUCE" --summary leaky.out >out
like "$(cat out)" '
Held at the peak: [^
]*; the same lines as above

Most allocations' "a peak of what is kept: no rows again"
like "$(cat out)" 'u4 \(leaky\.c:41\) < main \(leaky\.c:59\); 33% others' \
	"the share of callers that have no line"
like "$(cat out)" '28% < expr .* < 2 callers < \.\.\. < fact \(leaky\.c:27\)' \
	"where paths that differ meet"
is "$(grep -c 'short-lived' out)" 0 "a few short-lived blocks: no section"
is "$(grep -c 'Not freed: 184 KB in 1,900 blocks; memmon -l finds ' out)" 1 \
	"what isn't freed may be lost"
"$MEMMON" -o puts.out -- ./leaky p >said
"$MPREDUCE" --summary puts.out >out
like "$(cat out)" '
Held at the peak: [^
]* as above, and
[^
]* main \(leaky\.c:64\) > \[std\][^
]*

Most allocations' "a row that isn't above is there, none that is"
for run in lost sampled; do
	"$MPREDUCE" --summary $run.out >out
	is "$(grep -c 'memmon -l' out)" 0 "... not of a run that is $run"
done
"$MPREDUCE" --summary lost.out >out
like "$(cat out)" '%   1,200 blocks  a_name_that_takes_much_of_the_line \(l' \
	"blanks make room for names ..."
COLUMNS=76 "$MPREDUCE" --summary lost.out >out
like "$(cat out)" '%  1,200 blocks  a_name_that_takes_much_of_the_line \(l' \
	"... if it takes them"
"$MPREDUCE" --summary --units=bytes threads.out >out
like "$(cat out)" 'work \(leaky\.c:47\)
  *80% \(outermost\)
  *20% < main \(leaky\.c:68\)' "who isn't called is a caller"
like "$(sed -n 1p out)" '^\./leaky t: .*, 5 threads, ended by exit$' "threads"
"$MPREDUCE" threads.out >full
slack=$(sed -n 's/^peak .*(+- \([0-9]*\)).*/\1/p' full)
like "$slack,$(sed -n 2,3p out)" '^([1-9][0-9]*),.*peak [0-9]* \+- \1$' \
	"the error of the peak, as in the prolog"
like "$slack,$(cat out)" '^([0-9]+),.*Held at the peak: [0-9]* \+- \1 bytes in ' \
	"... and of what is held at it"
is "$(sed -n 's/.* \([0-9]*\) not freed.*/\1/p' out)" "$(awk '/^Not freed:/ {
	print $3 }' out)" "what isn't freed is the section's, without what is suppressed"
for columns in 80 60; do
	COLUMNS=$columns LINES=24 "$MPREDUCE" --summary threads.out >out
	[ "$(wc -l <out)" -le 22 ]
	ok $? "LINES"
	is "$(awk "length > $columns" out)" "" "... and COLUMNS: $columns"
	is "$(sed -n 's/^\([A-Z][a-z -]*\).*: .*/\1/p' out)" "Not freed
Held at the peak
Most allocations
Most short-lived
Suppressed
More" "... have all sections"
	like "$(cat out)" '
Suppressed: [0-9.]+ K?B in [0-9]+ ' "... and what is suppressed"
	[ $columns = 80 ] || continue
	like "$(cat out)" '
Suppressed: [0-9.]+ K?B in [0-9]+ blocks? that the C and C\+\+ libraries never free
' "... and why"
done

# The use of blocks: the bytes to save are as in -S.
cat >use.c <<'C'
#include <stdlib.h>
struct rec { char name[64]; int n; };
static struct rec *make(int i)
{
	struct rec *volatile r = calloc(1, sizeof(struct rec));
	r->n = i;
	return r;
}
static char *buffer(void)
{
	char *volatile b = malloc(10000);
	b[0] = 1;
	return b;
}
int main(void)
{
	int s = 0;
	for (int i = 0; i < 1000; i++) {
		struct rec *r = make(i);
		char *b = buffer();
		s += r->n;
		free(b);
		free(r);
	}
	return s & 1;
}
C
if "$MEMMON_BUILD/memmon-cc" -g -O1 -o use use.c 2>err && MEMMON_OUT=use.out ./use; then
	"$MPREDUCE" --summary --units=bytes use.out >out
	"$MPREDUCE" -S -b --verbose use.out >full
	is "$(awk '/^Worst used/ { on = 1; next } !NF { on = 0 } on && $2 ~ /%$/ {
		for (i = 3; $i !~ /^\(/; i++)
			;
		print $1, $(i - 1) }' out)" \
		"$(sed '1,/by Function/d; /by Type/,$d' full | awk '$NF == "buffer" ||
			$NF == "make" && $1 * 100 >= 9000000 { print $1, $NF }')" \
		"worst used: as in -S"
	like "$(cat out)" 'write-only 100%  buffer \(use\.c:11\)' "... and why"
	like "$(grep '^Worst' out)" '; --fields, members$' '... and what shows more'
else
	skip 3 "memmon-cc: $(head -n 1 err)"
fi
# One small block is never used, all others are: it doesn't matter for the run.
cat >few.c <<'C'
#include <stdlib.h>
int main(void)
{
	char *volatile idle = malloc(18);
	long *volatile all = malloc(80000), s = 0;
	for (int i = 0; i < 10000; i++)
		all[i] = i;
	for (int i = 0; i < 10000; i++)
		s += all[i];
	free(all);
	return idle == 0 && s;
}
C
if "$MEMMON_BUILD/memmon-cc" -g -O1 -o few few.c 2>err && MEMMON_OUT=few.out ./few; then
	"$MPREDUCE" --summary few.out >out
	is "$(grep -c '^Most allocations' out),$(grep -c '^Worst used' out)" \
		"1,0" "a block that does not matter is not worst used"
else
	skip 1 "memmon-cc: $(head -n 1 err)"
fi

# A truncated file: the figures are lower bounds.
size=$(stat -c %s plain.out)
head -c $((size - 1)) plain.out >cut.out
"$MPREDUCE" --summary cut.out >out 2>err
like "$(cat out)" 'file truncated.*at least 2\.|file truncated.*at least 1\.' \
	"a file that was cut: the totals are lower bounds"
head -c 700 plain.out >cut.out
"$MPREDUCE" --summary cut.out >out 2>err
like "$(cat out)" 'The part of the file that could be read has no allocation' "... or nothing is there"
is "$(grep -c 'Nothing was allocated' out)" 0 "... which isn't to say that there was none"
# If all blocks come from one function, the summary shows its callers.
cat >common.c <<'C'
#include <stdlib.h>
static void *volatile kept;
static void grab(void)
{
	kept = malloc(10);
}
static void inner(void)
{
	grab();
}
static void one(void)
{
	inner();
}
static void two(void)
{
	inner();
}
int main(void)
{
	for (int i = 0; i < 100; i++)
		i % 4 ? one() : two();
}
C
$CC -g -O0 -o common common.c
"$MEMMON" -o common.out -- ./common
"$MPREDUCE" --summary common.out >out
is "$(awk '/^Not freed/ { on = 1; next } !NF { on = 0 } on' out)" \
	"  1000 B 100%  100 blocks  grab (common.c:5)
          75% < inner (common.c:9) < one (common.c:13) < main (common.c:22)
          25% < inner (common.c:9) < two (common.c:17) < main (common.c:22)" \
	"callers behind a common one, each with its share"

if "$CXX" --version >/dev/null 2>&1; then
	cat >folded.cc <<'C'
#include <functional>
#include <map>
#include <string>
#include <vector>
static std::map<int, std::vector<std::string>> *store;
static void remember(int i)
{
	(*store)[i % 100].push_back(std::string(100, 'x'));
}
static void each(const std::function<void(int)> &f)
{
	for (int i = 0; i < 1000; i++)
		f(i);
}
int main()
{
	store = new std::map<int, std::vector<std::string>>;
	each([](int i) { remember(i); });
}
C
	for level in -O0 -O2; do
		"$CXX" -std=c++17 -g $level -o folded folded.cc
		"$MEMMON" -o folded.out -- ./folded
		COLUMNS=120 "$MPREDUCE" --summary folded.out >out
		like "$(awk '/^Not freed/ { on = 1; next } on' out | head -n 1)" \
			'remember \(folded\.cc:8\) > \[std\]' \
			"$level: the library's frames are folded"
		like "$(awk '/^Not freed/ { on = 1; next } on' out | sed -n 2p)" \
			'< main::.lambda.*\(folded\.cc:18\) < \[std\] < each' \
			"$level: ... and between the program's, too"
	done
	for columns in 57 58; do
		COLUMNS=$columns "$MPREDUCE" --summary folded.out >out
		like "$columns: $(sed '1,/^Not freed/d' out | head -n 1)" \
			'^57: .* remember \(folded\.cc:8\)$|^58: .* > \[std\]$' \
			"$columns columns: the name before [std]"
	done
else
	skip 6 "no C++ compiler"
fi

# When the output isn't a terminal, the tables don't change.
"$MPREDUCE" plain.out >full
like "$(head -n 1 full)" '^--------- Memory Profile' "a pipe gets all tables"
MPREDUCE_OPTS="--summary  --units=bytes" "$MPREDUCE" plain.out >opts
"$MPREDUCE" --summary --units=bytes plain.out >out
is_file opts out "MPREDUCE_OPTS"
MPREDUCE_OPTS=--units=bytes "$MPREDUCE" --units=human plain.out >opts
"$MPREDUCE" --units=human plain.out >out
is_file opts out "... before the command line"
"$MPREDUCE" --summary --color=always plain.out >out
like "$(cat -v out)" '\^\[\[1mNot freed\^\[\[0m' "--color=always"
"$MPREDUCE" --summary plain.out >plainly
is "$(sed 's/\x1b\[[0-9;]*m//g' out)" "$(cat plainly)" "... and nothing else differs"

if ! script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
	skip 23 'no script(1) that makes terminals'
	done_testing
	exit
fi
# screen COMMAND [ROWS]: `seen' gets its output on a terminal.
screen()
{
	on_terminal "stty cols 90 rows ${2:-30}; $1"
}
export TERM=xterm MPREDUCE_PAGER=
NO_COLOR=1 screen "'$MPREDUCE' plain.out"
COLUMNS=90 LINES=30 "$MPREDUCE" --summary plain.out >out
is_file seen out "on a terminal it is the summary"
for rows in 10:20 24:22 40:38 60:39; do
	NO_COLOR=1 screen "'$MPREDUCE' threads.out" ${rows%:*}
	[ "$(wc -l <seen)" -le ${rows#*:} ]
	ok $? "a screen of ${rows%:*} rows"
	like "$(tail -n 1 seen)" '^More: ' "... has all of it"
done
NO_COLOR=1 screen "'$MPREDUCE' --brief=no threads.out"
is "$(grep -cE '^(KB, MB, GB|<|> \[std\]|=T, ~T|%) ' seen)" 5 \
	"--brief=no explains the signs"
NO_COLOR=1 screen "COLUMNS=80 '$MPREDUCE' --full --brief=no --units=bytes --names=long plain.out"
"$MPREDUCE" plain.out >full
is "$(awk 'length <= 90' full)" "$(awk 'NR == FNR { seen[$0]; next } $0 in seen' \
	seen <(awk 'length <= 90' full))" "--full and all else as in a pipe"
screen "'$MPREDUCE' -L plain.out"
is "$(grep -c 'kept bytes  *bytes' seen)" 0 "a table: no legend"
like "$(cat -v seen)" '\^\[\[1m-----' "... with colours"
NO_COLOR=1 screen "'$MPREDUCE' --verbose=usual plain.out"
like "$(cat seen)" 'Direct Allocation' "--verbose is about the tables"
NO_COLOR=1 screen "'$MPREDUCE' -L -B --depth=all --names=long --paths=all folded.out"
is "$(awk 'length > 96' seen)" "" "names are cut where a line is too wide"
"$MPREDUCE" -L -B --depth=all --units=human -b folded.out | cut -c1-28 |
	awk '$1 ~ /^[0-9.]+[KMG]?$/' | sort >full
cut -c1-28 seen | awk '$1 ~ /^[0-9.]+[KMG]?$/' | sort | uniq >cut
is "$(comm -23 <(uniq full) cut)" "" "... numbers never"
printf '#!/bin/sh\necho paged; cat\n' >pager
chmod +x pager
if command -v less >/dev/null; then
	for rows in 24 40; do
		HANG=20 NO_COLOR=1 MPREDUCE_PAGER=less \
			screen "'$MPREDUCE' threads.out; echo; echo ended" $rows
		is "$(tail -n 1 seen)" "ended" "less ends by itself: $rows rows"
	done
else
	skip 2 "no less(1)"
fi
MPREDUCE_PAGER=./pager PAGER=false screen "'$MPREDUCE' plain.out"
is "$(head -n 1 seen)" "paged" "MPREDUCE_PAGER"
unset MPREDUCE_PAGER
PAGER=./pager screen "'$MPREDUCE' plain.out"
is "$(head -n 1 seen)" "paged" "PAGER"
TERM=dumb PAGER=./pager screen "'$MPREDUCE' plain.out"
is "$(grep -c paged seen)" 0 "TERM=dumb: no pager"
PAGER=./pager screen "'$MPREDUCE' --no-pager plain.out"
is "$(grep -c paged seen)" 0 "--no-pager"
PAGER='head -n 1' screen "'$MPREDUCE' --full plain.out; echo status \$?"
is "$(tail -n 1 seen)" "status 0" "who has read enough may go"
PAGER=./nosuch screen "'$MPREDUCE' plain.out"
like "$(cat seen)" 'the pager can.t be run' "no such pager: a word"

# A line with several types lists those that matter, by bytes or by blocks;
# [std] means all of a row.
cat >types.cc <<'END'
#include <cstdlib>
#include <map>
struct a { int x[5]; };
struct b { double y[90]; };
struct c { short z; };
static std::map<int, b> all;
static char *more;
static a *as; static b *bs; static c *small[12];
int main()
{
	a *one = new a; b *two = new b; all[1] = *two; more = (char *)malloc(300);
	for (int i = 0; i < 12; i++) { small[i] = new c; if (!i) { as = new a; bs = new b; } }
	return one->x[0] == two->y[0];
}
END
$CXX -g -O0 -o types types.cc
"$MEMMON_BUILD/memmon" -q -o types.out ./types
"$MPREDUCE" --summary types types.out >got
like "$(grep -A 1 'Not freed' got)" 'main .types\.cc:11.  ~b, ~char, ~a$' \
	"a line with several types: those with a tenth of the bytes" ||
	diag "$(cat got)"
like "$(grep -A 2 'Not freed' got)" 'main .types\.cc:12.  ~b, ~c$' \
	"... or of the blocks" || diag "$(cat got)"
like "$(grep -A 2 'Most alloc' got)" 'types\.cc:11.  ~.*, ~.*, ~' \
	"... or of the allocations"
like "$(grep -A 3 '^Held at the peak' got)" 'libstdc.*(suppressed)' \
	'what the C++ library keeps is told from leaks'
is "$(grep -A 3 '^Not freed' got | grep -c suppressed)" 0 '... only there'

# One lost block that holds others.
cat >list.c <<'C'
#include <stdlib.h>
int main(void)
{
	void *volatile *volatile list = NULL, *volatile *one;
	for (int i = 0; i < 4; i++) {
		one = malloc(24);
		*one = (void *)list;
		list = one;
	}
	list = one = NULL;
	return 0;
}
C
$CC -g -O1 -o list list.c
"$MEMMON" -l -o list.out -- ./list
like "$("$MPREDUCE" --summary list.out)" \
	'Lost: 24 B in 1 block, which holds 72 B in 3 others' 'one block holds others'
done_testing
