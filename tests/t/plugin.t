#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# gcc's plugin: which accesses it counts, how often, in which granule; that
# merging them and counting them behind loops changes no figure; the types at
# allocation calls.  The programs have a runtime of their own, which counts and
# nothing else (tests/access/plug_runtime.c).
. "${MEMMON_SRC:-.}/tests/tap.sh"

GCC=${MEMMON_GCC:-gcc} GXX=${MEMMON_GXX:-g++}
PLUGIN=${MEMMON_PLUGIN:-$MEMMON_BUILD/plugin/gcc-$("$GCC" -dumpversion |
	sed 's/[.].*//')/memmon-access.so}
if [ ! -f "$PLUGIN" ]; then
	echo "1..0 # SKIP no plugin for $GCC"
	exit 0
fi
# gcc takes a plugin's name up to its first -.
ln -s "$PLUGIN" memmon.so
PLUGIN=$PWD/memmon.so
SRC=$MEMMON_SRC/tests/access
MORE=-fplugin-arg-memmon-all-loops
ALONE='-fplugin-arg-memmon-no-merge -fplugin-arg-memmon-no-loops'

RUNTIME=runtime.o
"$GCC" -O2 -fno-builtin -fno-tree-loop-distribute-patterns -I"$MEMMON_SRC" \
	-c -o runtime.o "$SRC/plug_runtime.c" ||
	{ echo 'Bail out! no runtime'; exit 1; }

# build OUT FLAGS FILE...: with the plugin; anything that gcc says is a failure.
build()
{
	local out=$1 cc=$GCC
	shift
	case "$*" in *.cc*) cc=$GXX ;; esac
	# shellcheck disable=SC2086
	"$cc" -Wall -Wextra -Werror -fplugin="$PLUGIN" \
		-I"$MEMMON_SRC" -o "$out" "$@" $RUNTIME >said 2>&1 &&
		[ ! -s said ] || { diag "$(cat said)"; return 1; }
}

cat >expected <<'X'
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
while read -r flags; do
	# shellcheck disable=SC2086
	build counts $flags -g "$SRC/plug_counts.c" && ./counts >got &&
		cmp -s expected got && PLUG_WATCH=1 ./counts >got &&
		cmp -s expected got
	ok $? "known counts: $flags" || diag "$(diff expected got)"
done < <(some <<'X'
-O0
+ -Og
+ -O1
+ -O2
-O3
+ -Os
-O2 -flto
+ -O2 -march=native
-O3 -fPIC -fno-plt -fcf-protection -pg
-O1 -fno-pie -no-pie -mno-red-zone -fstack-protector-strong
-O2 -fsanitize=undefined -fsanitize-undefined-trap-on-error -ftrapv
+ -O2 -fnon-call-exceptions -fexceptions -fopenmp
X
)

# has FLAG...: is the CPU one that -mFLAG makes code for?
has()
{
	local flag
	for flag; do
		grep -qw "$flag" /proc/cpuinfo || return
	done
}

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
while read -r flags; do
	# shellcheck disable=SC2086
	case $flags in
	*-mavx2*) has avx2 ;;
	*avx512*) has avx512f avx512dq avx512cd avx512bw avx512vl ;;
	esac || { skip 1 "$flags: not this CPU"; continue; }
	# shellcheck disable=SC2086
	build lanes $flags "$SRC/plug_lanes.c" && ./lanes >got &&
		cmp -s expected got
	ok $? "parts of vectors: $flags" || diag "$(diff expected got)"
done <<'X'
-O0
-O2
-O3 -mavx2
-O3 -mavx2 -mtune=skylake
-O3 -march=skylake-avx512
-O3 -march=skylake-avx512 -mprefer-vector-width=512
X

# same FLAGS NAME SOURCE...: each access alone, and as it is done, with all loops
# and as usual.
same()
{
	local flags=$1 name=$2
	shift 2
	# shellcheck disable=SC2086
	build one $flags $ALONE "$@" && build all $flags $MORE "$@" &&
		build usual $flags "$@" && ./one >alone 2>alone.err &&
		./usual >merged 2>usual.err && [ -s alone ] &&
		cmp -s alone merged && ./all >merged 2>merged.err &&
		cmp -s alone merged
	ok $? "$name, alone and merged: $flags" ||
		diag "$(diff alone merged | head -20)"
}

while read -r flags; do
	same "$flags" loops "$SRC/plug_loops.c"
	case $flags in
	-O2*) grep -q 'loops [1-9]' usual.err && grep -q 'loops 0' alone.err
	      ok $? "... some of them were counted behind the loop: $flags" ;;
	esac
done < <(some <<'X'
-O0
-O2
-O3 -march=native
+ -O1
+ -O3
+ -Os
+ -O2 -flto
-O2 -fnon-call-exceptions -fno-tree-vectorize -funroll-loops
X
)

# Members at random offsets, of random sizes, through pointers that are at odd
# places: what is merged and tested for alignment must come out the same.
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
levels='-O1 -O3'
! exhaustive || levels='-O1 -O2 -O3'
for flags in $levels; do
	same "$flags -Wno-unused -w" 'members at random' random.c
done

cat >expected <<'X'
object 0/1 0/1 0/0 0/0
exceptions 2/2 0/0 0/0 1/1
coroutine 1/1 0/1 0/0 0/0
X
for flags in -O0 -O2 '-O3 -flto'; do
	# shellcheck disable=SC2086
	build cxx -std=c++20 $flags "$SRC/plug_cxx.cc" && ./cxx >got &&
		cmp -s expected got
	ok $? "C++: $flags" || diag "$(diff expected got)"
done

# types FILE: what .debug_memmon says: kind, size, name.  As entries have no
# order that matters, sorted; and each address must be right behind a call.
types()
{
	objcopy -O binary --only-section=.debug_memmon \
		--set-section-flags .debug_memmon=alloc "$1" section &&
	objdump -d --no-show-raw-insn "$1" >code &&
	perl -e 'local $/; open F, "section"; $_ = <F>; my %after;
		open C, "code"; my $was = 0;
		for (split /\n/, <C>) {
			if (/^ +([0-9a-f]+):\t(\S+)/) {
				$after{hex $1} = $was;
				$was = $2 =~ /^call/ ? 1 : 0
			}
		}
		while (length) {
			my $at = unpack "Q<", $_;
			substr $_, 0, 8, "";
			my ($size, $shift) = (0, 0);
			for (;;) {
				my $b = ord substr $_, 0, 1, "";
				$size |= ($b & 127) << $shift; $shift += 7;
				last if $b < 128
			}
			my ($kind, $name) = unpack "C Z*", $_;
			substr $_, 0, 2 + length $name, "";
			next if !$at;
			print "$kind $size ", $name || "-",
				$after{$at} ? "" : " not behind a call", "\n"
		}' | LC_ALL=C sort
}

cat >expected <<'X'
0 0 -
1 1 char
1 16 struct node
1 16 struct node
1 16 struct node
1 16 struct node
1 16 struct node
1 8 char *
1 8 double
1 8 point
1 8 point
X
while read -r flags; do
	# shellcheck disable=SC2086
	build typed $flags "$SRC/plug_types.c" && types typed >got &&
		cmp -s expected got
	ok $? "types in C: $flags" || diag "$(diff expected got)"
done < <(some <<'X'
+ -O0
+ -O2
-O2 -g -fPIE
-O2 -flto
-O3 -ffunction-sections
X
)

# Of those, at each level.
cat >expected <<'X'
1 16 Holder<char>
1 16 Holder<int>
1 4 Counted
1 48 std::_Rb_tree_node<std::pair<const int, long int> >
1 56 Derived
1 8 Derived*
1 8 Pod
1 8 std::pair<int, char>
X
for flags in -O0 -O2 '-O2 -g -fno-plt'; do
	# shellcheck disable=SC2086
	RUNTIME='' build typed.so -shared -fPIC $flags "$SRC/plug_types.cc" &&
		types typed.so | sort -u >got &&
		[ -z "$(comm -23 expected got)" ] && ! grep behind got
	ok $? "types in C++: $flags" || diag "$(diff expected got)"
done

# Nothing of it in the debug information or in what the program says.
cat >plain.c <<'C'
#include <stdlib.h>
struct s { struct s *next; int v; };
int main(void)
{
	struct s *p = calloc(1, sizeof(*p)), *q = p;
	for (int i = 0; i < 9; i++) {
		q->next = calloc(1, sizeof(*p));
		q = q->next;
		q->v = i;
	}
	return q->v - 8;
}
C
build plain -O2 -g plain.c && ./plain
ok $? 'a program runs'
echo 'int f(int *p) { return *p; }' >f.c
! "$GCC" -m32 -fplugin="$PLUGIN" -S -o /dev/null f.c >said 2>&1 &&
	grep -q 'MEMMON_WAY=calls' said
ok $? '-m32 is refused, with a hint' || diag "$(cat said)"
# What pointers lead to: members in 2^40 ways, with pointers and without.
{
	echo 'union without0 { int i; char c; }; union with0 { char *p; };'
	for n in {1..40}; do
		for name in with without; do
			echo "union $name$n { union $name$((n - 1)) a, b; };"
		done
	done
	echo 'void use(union with40 *a, union without40 *b);
	void pass(union with40 *a, union without40 *b) { use(a, b); }'
} >nested.c
timeout "$HANG" "$GCC" -fplugin="$PLUGIN" -S -o /dev/null nested.c
ok $? 'unions in unions in unions'
"$GCC" -fplugin="$PLUGIN" -fplugin-arg-memmon-nonsense -S -o /dev/null \
	plain.c >said 2>&1
[ $? -ne 0 ] && grep -q nonsense said
ok $? 'an unknown option is an error'
done_testing
