#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The cost of reading debug information, by counts: each address is looked up
# once, a unit's entries are visited at most twice for names and once for types,
# and a program with twice as many units costs twice as much.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
D=$MEMMON_BUILD/tests/symdump
for tool in objdump readelf; do
	command -v $tool >/dev/null || skip_all "no $tool"
done

# unit N: a unit of C with ten allocating functions.
unit()
{
	local f
	echo '#include <stdlib.h>'
	for f in 0 1 2 3 4 5 6 7 8 9; do
		cat <<E
struct s$1_$f { int a[$f + 1]; struct { char c; } in; };
typedef struct s$1_$f t$1_$f;
static inline void *get$f(size_t n) { return malloc(n); }
static __attribute__((noinline)) t$1_$f *f$f(void)
{ enum { A, B }; struct local { int x, y; }; t$1_$f *p = get$f(sizeof *p);
  if (!p) { int k = B; p = calloc(k, sizeof(struct local)); }
  return p; }
E
	done
	echo "void run$1(void) {"
	for f in 0 1 2 3 4 5 6 7 8 9; do echo "free(f$f());"; done
	echo '}'
}

# program N FLAG...: of N units, as pN.
program()
{
	local n=$1 i
	shift
	for ((i = 0; i < n; i++)); do
		unit $i >u$i.c
		echo "void run$i(void);"
	done >main.c
	{
		echo 'int main(void) {'
		for ((i = 0; i < n; i++)); do echo "run$i();"; done
		echo '}'
	} >>main.c
	# shellcheck disable=SC2046 # a word each
	$CC -O2 -g "$@" -o "p$n" main.c $(seq -f 'u%g.c' 0 $((n - 1)))
	objdump -d --no-show-raw-insn "p$n" | awk '
		/^ *[0-9a-f]+:/ { if (after) print substr($1, 1, length($1) - 1)
				  after = $2 ~ /^call/ }' >"at$n"
}

# entries FILE: how many its debug information has.
entries()
{
	readelf --debug-dump=info "$1" 2>/dev/null |
		grep -c '^ *<[0-9a-f]*><[0-9a-f]*>: Abbrev Number: [1-9]'
}

ways=('')
! exhaustive || ways+=(-flto -gdwarf-4)
for flags in "${ways[@]}"; do
	name="${flags:-plain}"
	# shellcheck disable=SC2086 # none is not an argument
	if ! program 4 $flags || ! program 8 $flags; then
		skip 6 "$name: can't be compiled"
		continue
	fi
	for n in 4 8; do
		read -r _ look units walks seen < <(cat at$n at$n at$n |
			"$D" -c p$n | tail -n 1)
		is "$look" "$(sort -u at$n | wc -l)" \
			"$name: each of $n units' addresses once"
		all=$(entries p$n)
		[ "$walks" -ge "$n" ] && [ "$walks" -le $((2 * units)) ]
		ok $? "  $walks walks over $units units"
		[ "$seen" -gt 0 ] && [ "$seen" -le $((2 * all)) ]
		ok $? "  $seen entries gone by, of $all"
		is "$("$D" -c -t p$n -- 8 | tail -n 1)" "cost: $all" \
			'  for types each is once'
		cost[n]=$seen
	done
	[ "${cost[8]}" -le $((cost[4] * 9 / 4)) ]
	ok $? "  twice the units, twice the cost: ${cost[4]}, ${cost[8]}"
done

# The program that tests/bench/symbols builds: it has the promised number of
# call paths.
if command -v "$CXX" >/dev/null; then
	perl "$MEMMON_SRC/tests/bench/bigdebug.pl" . 1 2 3 &&
		"$CXX" -O2 -g -o big main.cc u0000.cc
	ok $? 'a program with much debug information'
	# shellcheck disable=SC2086 # a word each
	for sizes in "$(seq -s ' ' 1 400)" '1 24 48 112 1000' 8 4096 ''; do
		"$D" -t big -- $sizes >want
		"$D" -t -w big -- $sizes >got
		is_file got want "the same types of sizes that are told before"
	done
	"$MEMMON" -o big.mon -- ./big
	sites=$("$MPREDUCE" -i big.mon | awk '$NF == "sites" { print $2; exit }')
	[ "$sites" -ge 48 ] && [ "$sites" -le 52 ]
	ok $? "  1 x 2 x 3 x 8 chains, and the library's: $sites"
else
	skip 6 'no C++ compiler'
fi
# Types of very many call paths are looked for only when they are asked for.
many()
{
	{
		echo "run program /nowhere"
		echo "module p /nowhere exe at 0x400000 0x900000 0"
		for ((i = 0; i < $1; i++)); do
			echo "node n$i - p $((4198400 + 8 * i))"
			echo "alloc n$i 16 1"
		done
	} | "$MEMMON_BUILD/tests/monmake" >many.mon
}
many 20001
"$MEMMON_BUILD/mpreduce" -B many.mon 2>&1 >out | grep -c '20001 call paths; -T' >n
is "$(cat n)" 1 "20,001 call paths: it says that types are not derived"
"$MEMMON_BUILD/mpreduce" -T many.mon 2>&1 >out | grep -c 'call paths; -T' >n
is "$(cat n)" 0 "-T looks for them"
many 20000
"$MEMMON_BUILD/mpreduce" -B many.mon 2>&1 >out | grep -c 'call paths; -T' >n
is "$(cat n)" 0 "20,000: they are looked for"

# Which files are read: of a program that the C library only starts, not the C
# library's, whose debug information may be large.
cat >own.c <<'E'
#include <stdlib.h>
static void *get(size_t n) { return malloc(n); }
int main(void) { return !get(7); }
E
cat >inflate.c <<'E'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
int inflateInit_(void *z, const char *version, int size)
{ int (*next)(void *, const char *, int) = dlsym(RTLD_NEXT, "inflateInit_");
  fputs("inflates\n", stderr); return next(z, version, size); }
E
if command -v strace >/dev/null; then
	$CC -g own.c -o own && "$MEMMON" -o own.mon -- ./own
	strace -f -e trace=openat -o trace "$MPREDUCE" own own.mon >out
	grep -q 'main > get' out && grep -q '"own", .*NOCTTY' trace
	ok $? 'a program and its data: its names are read'
	is "$(grep 'libc\.so.*NOCTTY' trace)" '' '  the C library is not read'
	strace -f -e trace=openat -o trace "$MPREDUCE" --focus=main own own.mon \
		>out
	is "$(grep -c 'libc\.so.*NOCTTY' trace)" 1 \
		'  except for a filter, which may name what starts main'
else
	skip 3 'no strace'
fi
if $CC -g -gz=zlib own.c -o packed &&
   $CC -shared -fPIC inflate.c -o inflate.so -ldl &&
   readelf -t packed | grep -q ZLIB; then
	"$MEMMON" -o packed.mon -- ./packed
	LD_PRELOAD=$T/inflate.so "$MPREDUCE" --line packed packed.mon 2>said >out
	grep -q 'own.c:2' out && is "$(cat said)" '' \
		'debug information that is compressed: libelf inflates none of it'
else
	skip 1 'the compiler does not compress debug information'
fi
done_testing
