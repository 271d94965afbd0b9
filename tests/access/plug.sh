# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# For tests of the code that compilers add to programs inline (gcc by its
# plugin, clang by the pass), after tap.sh.  They set:
#
#	PLUG_CC, PLUG_CXX	the compilers
#	PLUG_FLAGS		how they load it
#	PLUG_ALONE, PLUG_MORE	... to count each access alone, and to merge all
#	PLUG_SAMPLE		... to lay out code for runs by samples
#
# The programs use a small runtime, which only counts (plug_runtime.c).

PLUG_SRC=$MEMMON_SRC/tests/access
RUNTIME=runtime.o
gcc -O2 -fno-builtin -fno-tree-loop-distribute-patterns -I"$MEMMON_SRC" -c \
	-o runtime.o "$PLUG_SRC/plug_runtime.c" ||
	{ echo 'Bail out! no runtime'; exit 1; }

# build OUT FLAGS FILE...: any message of the compiler is a failure.
build()
{
	local out=$1 cc=$PLUG_CC
	shift
	case "$*" in *.cc*) cc=$PLUG_CXX ;; esac
	# shellcheck disable=SC2086
	"$cc" -Wall -Wextra -Werror $PLUG_FLAGS -I"$MEMMON_SRC" -o "$out" \
		"$@" $RUNTIME -lm >said 2>&1 &&
		[ ! -s said ] || { diag "$(cat said)"; return 1; }
}

# For gcc; clang reads its bit-fields and complex numbers differently.
cat >known <<'X'
scalars 5/4 1/1 2/2 1/2 0/0 0/0 0/0 0/0
packed 1/1 1/2 0/1 0/0 0/0 0/0 0/0 0/0
members 2/2 0/1 0/0 0/0 0/0 0/0 0/0 0/0
members, odd 0/1 2/2 0/0 0/0 0/0 0/0 0/0 0/0
branches 5/8 0/1 0/0 0/0 0/0 0/0 0/0 0/0
branches, odd 1/3 2/4 0/0 0/0 0/0 0/0 0/0 0/0
locals 1/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0
copies 1/1 1/1 1/1 1/1 1/1 1/1 1/1 1/1
functions 4/3 2/4 2/3 0/1 4/0 2/1 0/1 0/1
atomics 3/2 2/3 1/1 0/0 0/0 0/0 0/0 0/0
complex 1/1 0/0 1/1 0/0 0/0 0/0 0/0 0/0
int 0/1 0/0 0/0 0/0 0/0 0/0 0/0 0/0
jumps 2/1 1/1 0/0 1/1 0/0 0/0 0/0 0/0
left out 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0
returned 0/0 0/1 1/1 1/1 1/1 1/1 1/1 1/0
below 1/1 2/1 1/1 2/2 1/0 0/0 0/0 0/0
parts 0/1 1/0 0/1 0/0 0/0 0/0 0/0 0/0
swaps 2/1 0/0 2/1 0/0 5/2 0/0 2/2 0/0
lists 1/1 1/2 0/1 0/0 0/0 0/0 0/0 0/0
X

# counts FLAGS: plug_counts.c has the counts of `known'.
counts()
{
	# shellcheck disable=SC2086
	build counts $1 -g "$PLUG_SRC/plug_counts.c" && ./counts >got &&
		cmp -s known got && PLUG_OFTEN=1 ./counts >got &&
		cmp -s known got
	ok $? "known counts: $1" || diag "$(diff known got)"
}

# sampled: code that is laid out for samples counts the same.
sampled()
{
	local level
	for level in -O0 -O1 -O2 -O3; do
		counts "$level $PLUG_SAMPLE"
		same "$level $PLUG_SAMPLE" loops "$PLUG_SRC/plug_loops.c"
	done
	same "-O2 $PLUG_SAMPLE -Wno-unused -w" 'members at random' random.c
	cxx "-O2 $PLUG_SAMPLE"
}

# has FLAG...: is the CPU one that -mFLAG makes code for?
has()
{
	local flag
	for flag; do
		grep -qw "$flag" /proc/cpuinfo || return
	done
}

# lanes FLAGS: parts of vectors count as they must.
lanes()
{
	cat >expected <<'X'
masked 0/1 0/1 0/2 0/1 0/1 0/1 0/1 0/0
masked load 1/0 1/0 2/0 1/0 1/0 1/0 1/0 0/0
gathered 16/0 0/0 0/0 0/0 13/0 0/0 0/0 0/0
scattered 0/16 0/0 0/0 0/0 0/13 0/0 0/0 0/0
builtins 1/0 0/1 0/1 0/1 0/0 0/0 0/0 0/0
avx2 1/0 0/0 1/0 0/0 0/1 0/1 0/0 0/0
avx512 0/1 0/0 0/0 0/1 0/1 0/1 0/0 0/0
X
	has avx2 || sed -i '/^avx2/d' expected
	has avx512f || sed -i '/^avx512/d' expected
	case $1 in
	*-mavx2*) has avx2 ;;
	*avx512*) has avx512f avx512dq avx512cd avx512bw avx512vl ;;
	esac || { skip 1 "$1: not this CPU"; return; }
	# shellcheck disable=SC2086
	build lanes $1 "$PLUG_SRC/plug_lanes.c" && ./lanes >got &&
		cmp -s expected got
	ok $? "parts of vectors: $1" || diag "$(diff expected got)"
}

# same FLAGS NAME SOURCE...: the counts are the same for each access alone, for
# the usual merging, and for merging in all loops.
same()
{
	local flags=$1 name=$2
	shift 2
	# shellcheck disable=SC2086
	build one $flags $PLUG_ALONE "$@" && build all $flags $PLUG_MORE "$@" &&
		build usual $flags "$@" && ./one >alone 2>alone.err &&
		./usual >merged 2>usual.err && [ -s alone ] &&
		cmp -s alone merged && ./all >merged 2>merged.err &&
		cmp -s alone merged
	ok $? "$name, alone and merged: $flags" ||
		diag "$(diff alone merged | head -20)"
}

# behind FLAGS...: some of those to one place in each round are counted behind.
behind()
{
	# shellcheck disable=SC2086
	"$PLUG_CC" $PLUG_FLAGS "$@" -O2 -I"$MEMMON_SRC" -c -o behind.o \
		"$PLUG_SRC/plug_loops.c" 2>&1 | grep -q ' [1-9][0-9]* behind loops'
	ok $? 'groups that are the same in all rounds are counted behind'
}

# random_members: random.c, a program.  Members at random offsets, of random
# sizes, through pointers to odd addresses: merging accesses and testing
# alignment must not change the counts.
random_members()
{
	awk -v seed=7 'BEGIN {
		srand(seed)
		print "#include <stdlib.h>\n#include <stdio.h>"
		print "#include \"tests/access/plug_runtime.h\""
		print "typedef struct __attribute__((packed)) { char c[64]; } any;"
		split("char short int long __int128", t)
		for (f = 0; f < 40; f++) {
			align = 2 ^ int(rand() * 5)
			printf "typedef struct __attribute__((packed,aligned(%d))) {\n",
				align
			for (m = 0; m < 9; m++)
				printf "volatile %s m%d;\n", t[1 + int(rand() * 5)], m
			printf "} s%d;\n__attribute__((noinline)) static long\n", f
			printf "f%d(s%d *p, int n)\n{\nlong x = 0;\n", f, f
			for (m = 0; m < 14; m++) {
				if (rand() < .15) print "if (n & 1)"
				if (rand() < .1) print "p = p->m1 ? p : p + 0;"
				if (rand() < .5)
					printf "x += (long)p->m%d;\n", int(rand() * 9)
				else
					printf "p->m%d = n;\n", int(rand() * 9)
			}
			print "return x;\n}"
		}
		print "int main(void)\n{\nchar *b = aligned_alloc(64, 512), w[32];"
		print "for (int i = 0; i < 512; i++) b[i] = 1;"
		print "plug_forget(b, 512);\nfor (int o = 0; o < 32; o++) {"
		for (f = 0; f < 40; f++) {
			printf "if (o %% _Alignof(s%d) == 0) {\n", f
			printf "f%d((s%d *)(b + o), o);\n", f, f
			printf "sprintf(w, \"f%d+%%d\", o);\n", f
			print "plug_show(w, b, 256);\n}"
		}
		print "}\nreturn 0;\n}"
	}' >random.c
}

# cxx FLAGS: C++, its exceptions and coroutines.
cxx()
{
	cat >expected <<-'X'
	object 0/1 0/1 0/0 0/0
	exceptions 2/2 0/0 0/0 1/1
	coroutine 1/1 0/1 0/0 0/0
	X
	# shellcheck disable=SC2086
	build cxx -std=c++20 $1 "$PLUG_SRC/plug_cxx.cc" && ./cxx >got &&
		cmp -s expected got
	ok $? "C++: $1" || diag "$(diff expected got)"
}
