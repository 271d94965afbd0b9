#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# --diff and --diff=common: two builds of one program, in which lines have moved
# and static functions share a name.  The rows add up.  With the runs swapped,
# figures have the other sign.  A message names what can't be compared.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

# The old run: gone 5 x 100, grows 10 x 64, shrinks 8 x 32 (freed), the same 3 x
# 48, and 2 x 16 and 4 x 24 by two functions called helper.
mkdir old new
cat >old/main.c <<'END'
#include <stdlib.h>
void other(void);
struct item { struct item *next; char c[56]; };
static void *volatile kept;
static void helper(void) { for (int i = 0; i < N_HELPER; i++) kept = malloc(16); }
#ifdef OLD
static void gone(void) { for (int i = 0; i < 5; i++) kept = malloc(100); }
#else
static void fresh(void) { for (int i = 0; i < 6; i++) kept = malloc(200); }
#endif
static void grows(void)
{
	for (int i = 0; i < N_GROWS; i++) {
		struct item *p = malloc(sizeof(*p));
		kept = p;
	}
}
static void shrinks(void)
{
	for (int i = 0; i < N_SHRINKS; i++) {
		kept = malloc(32);
		free(kept);
	}
}
static void same(void) { for (int i = 0; i < 3; i++) kept = malloc(48); }
static void deep(int n) { if (n) deep(n - 1); else same(); }
int main(void)
{
#ifdef OLD
	gone();
#else
	fresh();
#endif
	grows();
	shrinks();
	deep(N_DEEP);
	helper();
	other();
	return 0;
}
END
cat >old/other.c <<'END'
#include <stdlib.h>
static void *volatile kept;
static void helper(void) { for (int i = 0; i < 4; i++) kept = malloc(24); }
void other(void) { helper(); }
END
{ printf '/*\n * Lines that\n * move the others.\n */\n\n'
  cat old/main.c; } >new/main.c
cp old/other.c new/other.c
f="-O0 -g -fno-inline"
(cd old && $CC $f -DOLD -DN_DEEP=3 -DN_GROWS=10 -DN_SHRINKS=8 -DN_HELPER=2 \
	-o prog main.c other.c) &&
	(cd new && $CC $f -DN_DEEP=5 -DN_GROWS=25 -DN_SHRINKS=3 -DN_HELPER=2 \
		-o prog-2 other.c main.c) || skip_all "can't compile"
MEMMON_OUT=$T/old.out "$MEMMON" old/prog &&
	MEMMON_OUT=$T/new.out "$MEMMON" new/prog-2
ok $? "both run"

# rows FILE HEADING: the rows of a section, without the column heads.
rows()
{
	awk -v h="$2" '$0 == h { on = 1; next }
		on && NF && !/^ *old/ { print; n++ }
		on && n && !NF { exit } ' "$1" | sed 's/  */ /g; s/^ //'
}

"$MPREDUCE" --diff -b --verbose old.out new.out >out 2>err
is "$?" 0 "--diff succeeds"
is "$(cat err)" "" "without a word"
is "$(rows out "New call paths")" \
"0 1200 +1200 +6 +1200 +1200 <TOTAL>
0 1200 +1200 +6 +1200 +1200 || > main > fresh" "what is new"
is "$(rows out "Call paths that are gone")" \
"500 0 -500 -5 -500 -500 <TOTAL>
500 0 -500 -5 -500 -500 || > main > gone" "what is gone"
is "$(rows out "Call paths that have grown")" \
"640 1600 +960 +15 +960 +960 <TOTAL>
640 1600 +960 +15 +960 +960 || > main > grows" "what has grown"
is "$(rows out "Call paths that have shrunk")" \
"256 96 -160 -5 0 0 <TOTAL>
256 96 -160 -5 0 0 || > main > shrinks" "what has shrunk"
is "$(rows out "Types that differ" | grep item)" \
	"640 1600 +960 +15 +960 +960 struct item" "types"
is "$(rows out "Sizes that differ" | sed 1d)" \
"0 1200 +1200 +6 +1200 - 200
640 1600 +960 +15 +960 - 64
500 0 -500 -5 -500 - 100
256 96 -160 -5 0 - 32" "sizes"
is "$(rows out "Functions that differ" | sed 1d)" \
"0 1200 +1200 +6 +1200 +1200 +1200 fresh
640 1600 +960 +15 +960 +960 +960 grows
500 0 -500 -5 -500 -500 -500 gone
256 96 -160 -5 0 0 -160 shrinks
0 0 0 0 0 0 +1500 main" "functions, with what they called"
like "$(cat out)" "bytes allocated +1668 +3168 +\+1500 +\+89.9" "totals"
like "$(cat out)" "The runs allocated different amounts" "and that they differ"
like "$(cat out)" "reallocs +0 +0 +0 +0.0" "reallocs"
like "$("$MPREDUCE" --diff -b --at=peak old.out new.out 2>err)" \
	"reallocs +- +- +-" "which aren't known of another time than the end"

# The table has both helpers, apart, by their files.
"$MPREDUCE" --diff=common -b --verbose old.out new.out >out 2>err
is "$(rows out "Functions of both runs" | grep helper)" \
"96 96 4 4 96 96 96 96 helper (other.c)
32 32 2 2 32 32 32 32 helper (main.c)" "--diff=common, and functions of one name"
is "$(rows out "Call paths of both runs" | grep deep)" \
	"144 144 3 3 144 144 144 144 || > main > <cycle: deep> > same" \
	"a path that is the same, however often its cycle was gone through"
"$MPREDUCE" --diff=common -b --paths=frames old.out new.out >out 2>err
is "$(rows out "Call paths of both runs" | grep -c deep) $(grep -c "deep > deep.*same" out)" \
	"1 1" "--paths=frames: each frame is told"
"$MPREDUCE" --diff=common -b --depth=all old.out new.out >out 2>err
like "$(cat out)" "\|\| > main > <cycle: deep> > same" "--depth=all"

# Figures to sort by, and the first few.
"$MPREDUCE" --diff -b --sort=kept --top=1 old.out new.out >out 2>err
is "$(rows out "Functions that differ" | sed 1d)" \
"0 1200 +1200 +6 +1200 +1200 +1200 fresh
1140 1600 +300 +5 +460 +460 (4 others)" "--sort, --top, and the others"
"$MPREDUCE" --diff --sort=age old.out new.out >out 2>err
is "$? $(cat err)" "1 mpreduce: --sort=age: the keys of --diff are bytes, \
allocs, kept and peak" "an unknown key"

# Operands: programs before their data; without them, names from the programs
# that the data files name.
"$MPREDUCE" --diff -b old/prog old.out new/prog-2 new.out >want 2>err
"$MPREDUCE" --diff -b old.out new/prog-2 new.out >out 2>err
is_file out want "programs are those of the data after them"
mkdir both && cp new.out both/a.mon && cp new.out both/b.mon
"$MPREDUCE" --diff -b --json new.out both >out 2>err
like "$(cat out)" '"total":\{"old":\{"bytes":3168,.*"new":\{"bytes":6336,' \
	"several new ones are added up"
"$MPREDUCE" --diff -b --verbose --diff=normalize new.out both >out 2>err
# Except the peak, which is that of one run.
is "$(grep -c '^None\.$' out)" 5 "--diff=normalize: twice the same is the same"
is "$(rows out "Functions that differ" | awk '{ print $3, $4, $5 }' | sort -u)" \
	"0 0 0" "in functions, too"
like "$(cat out)" "multiplied by 2," "and by how much is said"
for args in "" "old.out" "old/prog old.out" "old/prog" "old/prog new/prog-2"; do
	# shellcheck disable=SC2086
	"$MPREDUCE" --diff $args >out 2>err
	is "$? $(wc -l <err) $(wc -c <out)" "1 1 0" "too few operands: '$args'"
done

# The same run; the runs swapped; filters; no half-written file.
"$MPREDUCE" --diff -b --verbose old.out old.out >out 2>err
is "$(grep -c '^None\.$' out)" 9 "a run doesn't differ from itself"
is "$(grep -E '[+-][0-9]' out)" "" "nor do the totals"
"$MPREDUCE" --diff -b --focus=grows old.out new.out >out 2>err
is "$(rows out "Functions that differ" | sed 1d)" \
"640 1600 +960 +15 +960 +960 +960 grows
0 0 0 0 0 0 +960 main" "a filter holds for both"
is "$(grep -c '^filter: --focus=grows' out)" 2 "and is said of both"
"$MPREDUCE" --diff -b -o result old.out new.out >out 2>err
"$MPREDUCE" --diff -b old.out new.out >want 2>err
is_file result want "-o"
echo kept >result
"$MPREDUCE" --diff -o result old.out nothing.mon >out 2>err
is "$? $(cat result)" "1 kept" "a file stays when there is nothing to compare"

# Unlike programs.
MEMMON_OUT=$T/widgets.out "$PROG/widgets-mm" >/dev/null 2>&1
"$MPREDUCE" --diff old.out widgets.out >out 2>err
is "$? $(wc -c <out)" "1 0" "unlike programs aren't compared"
like "$(cat err)" "^mpreduce: the programs differ: old.out is of \
prog, widgets.out of widgets-mm, with 0 of [0-9]+ functions in both; --diff=force" \
	"it says why, and what to do"
"$MPREDUCE" --diff=force --verbose -b old.out widgets.out >out 2>err
is "$?" 0 "--diff=force compares them"
like "$(cat out)" "\|\| > main > gone" "all that is in one of them is gone"

# Types that were found in the code are the same if mpreduce reads one run after
# the other.
for p in typed typedxx; do
	MEMMON_OUT=$T/$p.out "$PROG/$p-mm" >/dev/null 2>&1
	"$MPREDUCE" --diff -b --verbose "$PROG/$p-mm" $p.out $p.out >out 2>err
	is "$(grep -c '^None\.$' out)" 9 "$p doesn't differ from itself"
	"$MPREDUCE" --diff=common -b --verbose "$PROG/$p-mm" $p.out $p.out >out 2>err
	like "$(rows out "Types of both runs")" "[0-9]   *[a-z]|[0-9] [a-z]" \
		"$p has types"
done

# As JSON: rows add up, and swapped runs swap the figures.
if perl -MJSON::PP -e 1 2>/dev/null; then
	cat >sums.pl <<'END'
use JSON::PP;
my ($a, $b) = map { local (@ARGV, $/) = $_; decode_json(<>)->{diff} } @ARGV;
my ($bad, $rows) = (0, 0);
for my $t (qw(own_functions sites functions types sizes)) {
	for my $run (qw(old new)) {
		for my $f (qw(bytes allocs kept)) {
			my $n = 0;
			$n += $_->{$run}{$f} for @{ $a->{$t} };
			$bad++ if $n != $a->{total}{$run}{$f};
		}
	}
	for my $i (0 .. $#{ $a->{$t} }) {
		my ($x, $y) = ($a->{$t}[$i], $b->{$t}[$i]);
		for my $f (qw(bytes allocs kept)) {
			$bad++ if $x->{old}{$f} != $y->{new}{$f};
			$bad++ if $x->{new}{$f} != $y->{old}{$f};
		}
		$rows++;
	}
}
print "$bad bad of ", $rows > 10 ? "many" : $rows, "\n";
END
	"$MPREDUCE" --diff --json old.out new.out >a 2>err
	"$MPREDUCE" --diff --json new.out old.out >b 2>err
	is "$(perl sums.pl a b)" "0 bad of many" "JSON adds up, both ways"
	"$MPREDUCE" --diff --json --diff=normalize old.out new.out >a 2>err
	"$MPREDUCE" --diff --json --depth=all new.out old.out >b 2>err
	is "$(perl sums.pl a a | sed 's/^[0-9]* bad//')" " of many" "scaled"
	is "$(perl -MJSON::PP -e 'local $/; my $d = decode_json(<>)->{diff};
		print $d->{total}{old}{bytes} - $d->{total}{new}{bytes}' <a)" \
		0 "and both have allocated the same"
else
	skip 3 "no perl with JSON::PP"
fi

# Columns are wide enough for the row "(N others)", whose sum may be the widest.
desc()
{
	printf '%s\n' 'run program /tmp/x' 'run pid 5' 'run length 1' \
		'run end exit' 'run threads 1' \
		'module x /tmp/x exe at 0x400000 0x500000 0' \
		'chain a x:0x401008' "alloc a 100 $1" "alloc a 120 $2" \
		"alloc a 300 $3" | "$MEMMON_BUILD/tests/monmake"
}
desc 6000001 5000001 1 >many.out
desc 1 1 3000001 >few.out
"$MPREDUCE" --diff=force -b --top=1 many.out few.out >out 2>err
is "$(rows out "Sizes that differ" | sed 1d)" \
"300 900000300 +900000000 +3000000 +900000000 - 300
1200000220 220 -1200000000 -11000000 -1200000000 - (2 others)" \
	"a wide sum of the others"

# A function's figures contain the allocations that the standard libraries make
# for it.  With two builds, one program is enough: mpreduce finds the other at
# its path.
cat >own.cc <<'C'
#include <map>
#include <string>
static std::map<int, std::string> names;
__attribute__((noinline)) static void remember(int i)
{
	names[i] = std::string(100, 'x');
}
int main()
{
	for (int i = 0; i < N; i++)
		remember(i);
	return 0;
}
C
if "${CXX:-g++}" -g -O0 -DN=100 -o one own.cc &&
	"${CXX:-g++}" -g -O0 -DN=300 -o three own.cc; then
	"$MEMMON" -q -o one.mon ./one
	"$MEMMON" -q -o three.mon ./three
	for program in one three; do
		"$MPREDUCE" --diff -b --names=short ./$program one.mon three.mon \
			>out 2>err
		like "$(rows out "Functions of the program that differ")" \
			'[+]34600 [+]400 0 [+]34600 remember$' \
			"$program: the program's own function"
		is "$(grep -c '\[\(one\|three\)+0x' out)" 0 "... and all names"
		is "$(cat err)" "" "... it is one of them"
	done
	# Beyond the innermost functions are the program's own, where they
	# count.
	"$MPREDUCE" --diff -b --paths=own --depth=1 one.mon three.mon >out 2>err
	like "$(rows out "Call paths that have grown")" \
		' [+]34600 [+]400 0 [+]34600 remember[^<]* > \[std\] < \.\.\.' \
		"paths of the program's own functions"
	"$CC" -g -O0 -x c -DN=0 -o gone - <<<'#include <stdlib.h>
	int main(int n, char **v) { void *p = malloc(100); if (n > 1) free(p); return 0; }'
	"$MEMMON" -q -o kept.mon ./gone
	"$MEMMON" -q -o freed.mon ./gone free
	"$MPREDUCE" --diff -b freed.mon kept.mon >out 2>err
	like "$(cat out)" 'allocated as many bytes in both runs; rows are of bytes not freed' \
		"what differs sorts the rows"
	like "$(rows out "Call paths that have grown")" '0 100 0 0 [+]100' \
		"... as it says"
	# One build inlines a function, so that it lacks the parameters in its
	# name; another function has two of them.
	cat >inlined.cc <<-'C'
	#include <cstdlib>
	static void *volatile kept;
	static HOW void work(int n) { kept = malloc((size_t)n * N); }
	static HOW void work(long n) { kept = malloc((size_t)n * N); }
	static HOW void once(int n) { kept = malloc((size_t)n * N); }
	int main(int argc, char **) { work(argc); work(10L); once(argc + 1); return 0; }
	C
	"${CXX:-g++}" -g -O1 -DN=100 "-DHOW=__attribute__((always_inline)) inline" \
		-o in inlined.cc
	"${CXX:-g++}" -g -O1 -DN=300 "-DHOW=__attribute__((noinline))" -o out-of \
		inlined.cc
	for i in in out-of; do
		"$MEMMON" -q -o $i.mon ./$i
	done
	"$MPREDUCE" --diff=force -b --verbose ./in in.mon ./out-of out-of.mon >out 2>err
	like "$(rows out "Functions of the program that differ")" \
		'200 600 [+]400 0 [+]400 [+]400 once\(int\)' \
		"a function that one build inlines is the same"
	"$MPREDUCE" --diff=force -b --verbose ./out-of out-of.mon ./in in.mon >out 2>err
	like "$(rows out "Call paths that have shrunk")" \
		'600 200 -400 0 -400 -400 .*once\(int\)' "... the other way round, too"
	cat >library.cc <<-'C'
	#include <map>
	#include <string>
	#include <vector>
	int main(int argc, char **)
	{
		std::vector<std::string> v;
		std::map<int, std::string> m;
		for (int i = 0; i < 100 * N; i++) {
			v.push_back(std::string(100, 'x'));
			m[i] = std::string(50, 'y');
		}
		return v.size() + m.size() == (size_t)argc;
	}
	C
	for i in 0 1; do
		"${CXX:-g++}" -g -O0 -DN=$i -o library$i library.cc
		"$MEMMON" -q -o library$i.mon ./library$i
	done
	"$MPREDUCE" --diff=force -b --paths=own --verbose ./library0 library0.mon \
		./library1 library1.mon >out
	is "$(rows out "New call paths" | sed 's/.* //' | grep -v TOTAL)" '[std]' \
		"code of the library that main calls is one row with --paths=own"
	"${CXX:-g++}" -g -O0 -DN=200 -o two own.cc
	"$MPREDUCE" --diff -b --names=short ./two one.mon three.mon >out 2>err
	like "$(cat err)" "^mpreduce: ./two: isn't the program that made the data .*: names come from the right one, /" \
		"a program that made neither"
else
	skip 13 'no C++ compiler'
fi
done_testing
