#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The monitor for arm64: built by a cross compiler, run by qemu's emulation of a
# process, and what it writes is read here.  Programs state their own totals, or
# the comments at their tops do.
TAP_LIMIT=${TAP_LIMIT:-3000}
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

cross=aarch64-linux-gnu-
qemu=$(command -v qemu-aarch64 || command -v qemu-aarch64-static)
root=/usr/aarch64-linux-gnu
command -v ${cross}gcc >/dev/null || skip_all "no ${cross}gcc"
[ "$qemu" ] || skip_all 'no qemu-aarch64'
[ -e $root/lib/libc.so.6 ] || skip_all 'no C library for arm64'

make -C "$MEMMON_SRC" -s -j2 O="$T/build" CROSS=$cross CC=${cross}gcc \
	CXX=${cross}g++ WERROR=-Werror CFLAGS='-O2 -g' monitor access \
	>log 2>&1 </dev/null
ok $? 'the libraries and the launcher are built' || {
	diag "$(tail -n 20 log)"
	done_testing
	exit
}
like "$(file -L build/libmemmon.so build/memmon | grep -c 'ARM aarch64')" 2 \
	'... for arm64'

# compile OUT SOURCE FLAG...
compile()
{
	local out=$1 from=$2 cc=${cross}gcc
	shift 2
	[[ $from != *.cc ]] || cc=${cross}g++
	# shellcheck disable=SC2086
	${COMPILER:-$cc} -g -w -I"$MEMMON_SRC" "$@" "$MEMMON_SRC/tests/$from" -o "$out" \
		-pthread -ldl 2>err || { diag "$(cat err)"; return 1; }
}

# run PROGRAM ARGUMENT...: recorded; its output is in `out', its data in mon.out.
run()
{
	rm -f mon.out
	timeout "$HANG" "$qemu" $cpu -L $root \
		-E LD_PRELOAD="${preload-$T/build/libmemmon.so}" \
		"$@" >out 2>err </dev/null
}
cpu='-cpu max'

# says NAME PROGRAM ARGUMENT...: it prints its totals.
says()
{
	local name=$1
	shift
	run "$@"
	is "$(totals mon.out)" "$(head -n 1 out)" "$name" || diag "$(cat err)"
}

# ----------------------------------------------------------------- totals --
while read -r name arguments; do
	compile "$name" "prog/$name.c" || { ok 1 "$name compiles"; continue; }
	# shellcheck disable=SC2086
	says "$name $arguments" "./$name" $arguments
done <<'L'
events 20000
paths 3000 7 10
sizes 304
L
# The same, with frames of other makes.
for flags in -O0 '-O2 -fomit-frame-pointer' '-O3 -mbranch-protection=standard' \
	'-O2 -mbranch-protection=pac-ret+leaf+b-key' '-O3 -march=armv8-a+sve' \
	'-Os -static-libgcc' '-O2 -fstack-clash-protection -fstack-protector-all'; do
	# shellcheck disable=SC2086
	compile paths prog/paths.c $flags || { ok 1 "$flags"; continue; }
	says "paths, $flags" ./paths 3000 7 10
	"$MPREDUCE" -L --depth=all ./paths mon.out >leaks 2>&1
	# Each chain that keeps something has ten steps, and their names.
	is "$(grep -c '> main \(> \(left\|right\) \)\{10\}' leaks)" \
		"$(grep -c '||' leaks)" "... each with its chain of ten" ||
		diag "$(head -n 20 leaks)"
done

done_testing
