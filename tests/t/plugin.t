#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# gcc's plugin: which accesses it counts, how often, in which granule; that
# merging them and counting them behind loops changes no figure; the types at
# allocation calls.  The programs use a small runtime, which only counts
# (tests/access/plug_runtime.c).
. "${MEMMON_SRC:-.}/tests/tap.sh"

GCC=${MEMMON_GCC:-gcc} GXX=${MEMMON_GXX:-g++}
PLUGIN=${MEMMON_PLUGIN:-$MEMMON_BUILD/plugin/gcc-$("$GCC" -dumpversion |
	sed 's/[.].*//')/memmon.so}
if [ ! -f "$PLUGIN" ]; then
	echo "1..0 # SKIP no plugin for $GCC"
	exit 0
fi
PLUG_CC=$GCC PLUG_CXX=$GXX PLUG_FLAGS=-fplugin=$PLUGIN
PLUG_MORE=-fplugin-arg-memmon-all-loops
PLUG_ALONE='-fplugin-arg-memmon-no-merge -fplugin-arg-memmon-no-loops'
PLUG_SAMPLE=-fplugin-arg-memmon-sample
. "$MEMMON_SRC/tests/access/plug.sh"

while read -r flags; do
	counts "$flags"
done < <(some <<'X'
-O0
+ -Og
+ -O1
+ -O2
-O3
+ -Os
+ -O2 -flto
+ -O2 -march=native
-O3 -fPIC -fno-plt -fcf-protection -pg
-O1 -fno-pie -no-pie -mno-red-zone -fstack-protector-strong
-O2 -fsanitize=undefined -fsanitize-undefined-trap-on-error -ftrapv
+ -O2 -fnon-call-exceptions -fexceptions -fopenmp
X
)

while read -r flags; do
	lanes "$flags"
done < <(some <<'X'
-O0
+ -O2
-O3 -mavx2
+ -O3 -mavx2 -mtune=skylake
+ -O3 -march=skylake-avx512
-O3 -march=skylake-avx512 -mprefer-vector-width=512
X
)

while read -r flags; do
	same "$flags" loops "$PLUG_SRC/plug_loops.c"
	case $flags in
	-O2*) grep -q 'loops [1-9]' usual.err && grep -q 'loops 0' alone.err
	      ok $? "... some of them were counted behind the loop: $flags" ;;
	esac
done < <(some <<'X'
+ -O0
-O2
-O3 -march=native
+ -O1
+ -O3
+ -Os
+ -O2 -flto
-O2 -fnon-call-exceptions -fno-tree-vectorize -funroll-loops
X
)
behind -fplugin-arg-memmon-verbose

random_members
levels=-O3
! exhaustive || levels='-O1 -O2 -O3'
for flags in $levels; do
	same "$flags -Wno-unused -w" 'members at random' random.c
done

for flags in -O0 -O2 '-O3 -flto'; do
	cxx "$flags"
done

sampled

# types FILE: the entries of .debug_memmon: kind, size, name.  Their order
# doesn't matter, so they are sorted; and each address must be directly after a
# call.
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
	build typed $flags "$PLUG_SRC/plug_types.c" && types typed >got &&
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

# The types at these calls, at each level.
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
	RUNTIME='' build typed.so -shared -fPIC $flags "$PLUG_SRC/plug_types.cc" &&
		types typed.so | sort -u >got &&
		[ -z "$(comm -23 expected got)" ] && ! grep behind got
	ok $? "types in C++: $flags" || diag "$(diff expected got)"
done

# The plugin adds nothing to the debug information or to the program's output.
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
# Types that pointers lead to: members in 2^40 ways, with pointers and without.
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
# In a large function two of gcc's passes would take most of the time.
{
	echo 'int small(int *a, int *b) { return a[0] + b[1]; }'
	echo 'void big(int **a, int k) {'
	for n in {1..700}; do
		echo "if (*a[$n] > k) *a[$n + 1] = k + $n;"
	done
	echo '}'
} >big.c
"$GCC" -O2 -g -fplugin="$PLUGIN" -c big.c -o big.o -fdump-rtl-pre=pre \
	-fdump-rtl-vartrack=track 2>said
ok $? 'a function of 700 branches' || diag "$(head said)"
is "$(sed -n 's/^;; Function \([a-z]*\) .*/\1/p' pre track)" $'small\nsmall' \
	'... is compiled without them, a small one with them'
# A module's functions are written to a file for other units.
printf '%s\n' 'module;' '#include <string>' 'export module m;' \
	'export std::string make(int n) { return std::string(n, 120); }' >m.cc
if "$GXX" -std=c++20 -fmodules-ts -O1 -c m.cc -o m.o 2>/dev/null; then
	"$GXX" -std=c++20 -fmodules-ts -O1 -fplugin="$PLUGIN" -c m.cc -o m.o 2>said
	ok $? 'a C++20 module with inline functions' || diag "$(head said)"
else
	skip 1 'no C++20 modules'
fi
done_testing
