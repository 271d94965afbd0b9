#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The pass for clang's LLVM, tested like gcc's plugin in plugin.t: which
# accesses it counts, how often, in which granule; that merging them and
# counting them behind loops changes no figure.
. "${MEMMON_SRC:-.}/tests/tap.sh"

CLANG=${MEMMON_CLANG:-clang} CLANGXX=${MEMMON_CLANGXX:-clang++}
PASS=${MEMMON_PASS:-$MEMMON_BUILD/plugin/clang-$("$CLANG" -dumpversion \
	2>/dev/null | sed 's/[.].*//')/memmon.so}
if [ ! -f "$PASS" ] || ! command -v gcc >/dev/null; then
	echo "1..0 # SKIP no pass for $CLANG, or no gcc"
	exit 0
fi
PLUG_CC=$CLANG PLUG_CXX=$CLANGXX
PLUG_FLAGS="-fpass-plugin=$PASS -Wno-unknown-attributes -Wno-gnu"
OURS="-Xclang -load -Xclang $PASS"
PLUG_MORE="$OURS -mllvm -memmon-all-loops"
PLUG_ALONE="$OURS -mllvm -memmon-merge=0 -mllvm -memmon-loops=0"
PLUG_SAMPLE="$OURS -mllvm -memmon-sample"
. "$MEMMON_SRC/tests/access/plug.sh"
sed -i 's,^scalars .*,scalars 5/4 1/1 2/2 3/2 0/0 0/0 0/0 0/0,
	s,^complex .*,complex 2/2 0/0 1/1 0/0 0/0 0/0 0/0 0/0,' known

while read -r flags; do
	counts "$flags"
done < <(some <<'X'
-O0
+ -Og
+ -O1
+ -O2
-O3
+ -Os
+ -O2 -march=native
-O3 -fPIC -fno-plt -fcf-protection
-O1 -fno-pie -no-pie -mno-red-zone -fstack-protector-strong
+ -Oz -ffunction-sections -Wl,--gc-sections
+ -O2 -fexceptions -fno-integrated-as
X
)
while read -r flags; do
	lanes "$flags"
done <<'X'
-O0
-O2
-O3 -mavx2
-O3 -mavx2 -mtune=skylake
-O3 -march=skylake-avx512
-O3 -march=skylake-avx512 -mprefer-vector-width=512
X
while read -r flags; do
	same "$flags" loops "$PLUG_SRC/plug_loops.c"
	case $flags in
	-O2*) grep -q 'loops [1-9]' merged.err && grep -q 'loops 0' alone.err
	      ok $? "... some of them were counted behind the loop: $flags" ;;
	esac
done < <(some <<'X'
-O0
-O2
-O3 -march=native
+ -O1
+ -O3
+ -Os
+ -O2 -fno-vectorize -funroll-loops
X
)
# shellcheck disable=SC2086
behind $OURS -mllvm -memmon-verbose
random_members
levels=-O3
! exhaustive || levels='-O1 -O2 -O3'
for flags in $levels; do
	same "$flags -Wno-unused -w" 'members at random' random.c
done
for flags in -O0 -O2 '-O3 -fPIC'; do
	cxx "$flags"
done
sampled
echo 'int f(int *p) { return *p; }' >f.c
! "$CLANG" --target=aarch64-linux-gnu -fpass-plugin="$PASS" -S -o /dev/null \
	f.c >said 2>&1 && grep -q 'MEMMON_WAY=calls' said
ok $? 'another machine is refused, with a hint' || diag "$(cat said)"
done_testing
