#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The monitor's unwinder against libunwind, call path by call path, on frames of
# many kinds (tests/unwind), compiled in many ways; and programs of other
# compilers and linkers.
TAP_LIMIT=${TAP_LIMIT:-1200}
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/unwind/oracle.sh"

gcc -g -O2 -std=gnu11 -D_GNU_SOURCE -I"$MEMMON_SRC" -fPIC -shared \
	-fno-omit-frame-pointer -fno-builtin "$unwind/check.c" -o check.so \
	-lunwind -lgcc_s 2>err ||
	{ diag "$(cat err)"; echo 'Bail out! check.c'; exit 1; }
oracle_tools 2>err || { diag "$(cat err)"; echo 'Bail out! oracle.S'; exit 1; }

# The zoo allocates in signal handlers that strike in malloc.
below=:$MEMMON_BUILD/tests/prog/libbump.so

# try NAME CHAINS PROGRAM...: run it; at least CHAINS call paths are compared,
# and none differs.
try()
{
	local name=$1 least=$2 out n
	shift 2
	rm -f report
	out=$(UNWCHECK_OUT=$T/report timeout "$HANG" env LD_PRELOAD="$T/check.so$below" \
		"$@" 2>err </dev/null)
	like "$out" "$want" "F13: $name: it runs" || diag "$(cat err)"
	n=$(awk '$1 == "chains" { n += $2; bad += $NF } END { print bad ? 0 : n + 0 }' \
		report 2>/dev/null)
	[ "${n:-0}" -ge "$least" ]
	ok $? "$name: $(sed -n 's/^chains/chains/p' report | tr '\n' ' ')" ||
		diag "$(head -n 40 report)"
}

want='done$'
# build SOURCE COMPILER...: 1, and two assertions skipped, when it can't be.
build()
{
	local from=$1
	shift
	if oracle_can "$@"; then
		oracle_build zoo "$from" "$@"
	else
		skip 2 "$* does not work here"
		return 1
	fi
}

# zoo COMPILER...: the animals of zoo.c.
zoo()
{
	build zoo.c "$@" && try "$* zoo.c" 3000 ./zoo 500
}
while read -r flags; do
	# shellcheck disable=SC2086
	zoo $flags
done < <(some <<'E2'
gcc -O0
gcc -O3 -fomit-frame-pointer -march=native
clang -O2
+ gcc -O2 -flto
+ gcc -O2 -Wl,-z,lazy
+ gcc -O2
+ gcc -O1 -fno-omit-frame-pointer -fcf-protection
+ clang -O0
+ clang -O3 -fomit-frame-pointer -march=native
+ clang -O1 -fno-omit-frame-pointer -fcf-protection
+ gcc -Os
+ gcc -O2 -no-pie -fno-pie
+ gcc -O2 -fstack-protector-all -fstack-clash-protection
+ gcc -g0 -s -O2
E2
)
# Stacks in pieces.  A piece may be below the one before: not on signal stacks,
# where a call path would stop there.
exhaustive && build zoo.c gcc -O1 -fsplit-stack && try 'gcc -fsplit-stack zoo.c' 300 ./zoo calm
while read -r flags; do
	# shellcheck disable=SC2086
	build zoo.cc $flags && try "$flags zoo.cc" 200 ./zoo
done < <(some <<'E2'
g++ -O2
+ clang++ -O0
+ g++ -O0
+ clang++ -O2
E2
)
exhaustive && build zoo.cc g++ -O2 -flto -static-libstdc++ -static-libgcc &&
	try 'g++ -static-libstdc++ zoo.cc' 200 ./zoo

# Long walks, pairs of call paths that are hard to tell apart, each single
# instruction.
steps=8000
! exhaustive || steps=100000
while read -r flags; do
	# shellcheck disable=SC2086
	build walk.c $flags && try "$flags walk.c" $steps ./zoo $steps
	# shellcheck disable=SC2086
	build same.c $flags && try "$flags same.c" 3000 ./zoo
done < <(some <<'E2'
gcc -O2
+ clang -O0
+ g++ -O1 -x c++
+ gcc -O0
+ gcc -O3 -fomit-frame-pointer -march=native
+ gcc -O1 -fno-omit-frame-pointer -fcf-protection
+ gcc -O2 -flto
+ clang -O2
+ clang++ -O2 -x c++
E2
)
build walk.c gcc -O2 && try 'walk.c, 4 threads' $steps ./zoo $steps 3

while read -r flags; do
	# shellcheck disable=SC2086
	build step.c $flags -Wl,-z,lazy || continue
	try "$flags step.c" 5000 ./zoo
	[[ $flags =~ lld ]] && continue
	# shellcheck disable=SC2046
	set -- $(UNWCHECK_OUT=/dev/null LD_PRELOAD="$T/check.so$below" ./zoo)
	[ "$4" -ge 20 ] && [ "$6" -ge 1000 ]
	ok $? "$flags step.c: $4 steps in the linkage table, $6 in the loader"
	if [ "$8" -eq 0 ]; then
		skip 1 'the clock is not read in the vdso here'
	else
		ok $(($8 < 20)) "$flags step.c: $8 steps in the vdso"
	fi
done < <(some <<'E2'
gcc -O2 -fcf-protection
+ clang -O0
+ gcc -O0
+ gcc -O2 -fno-omit-frame-pointer -fstack-protector-all
+ clang -O2
+ clang -O2 -fuse-ld=lld
E2
)
# With malloc itself stepped through: the handler runs in the middle of an
# event.  The counts are exact nevertheless.
oracle_build zoo step.c gcc -O1 -Wl,-z,lazy
# shellcheck disable=SC2046
set -- $(LD_PRELOAD=${below#:} "$MEMMON" ./zoo malloc)
"$MPREDUCE" --json ./zoo mon.out 2>/dev/null | sed -n \
	's/^{"size":\(24\|32\),"allocs":\([0-9]*\),"bytes":[0-9]*,"frees":\([0-9]*\),.*/\1 \2 \3/p' >got
is "$(cat got)" "24 $2 0
32 10 10" "each of $2 steps, some in the monitor, has its block"
ok $(($2 < 20000)) 'and there are many'

# Rust, with the system's allocator.
rustc=$(command -v rustc || echo "${CARGO_HOME:-${HOME:-}/.cargo}/bin/rustc")
export RUST_BACKTRACE=0
while read -r flags; do
	name="rustc $flags"
	# shellcheck disable=SC2086
	if ! [ -x "$rustc" ]; then
		skip 5 'no rustc'
	elif ! "$rustc" $flags "$unwind/zoo.rs" -o zoors 2>err; then
		skip 5 "$name does not work here"
	else
		arg=
		[[ $flags =~ abort ]] && arg=calm
		try "$name" 1200 ./zoors $arg
		"$MEMMON" ./zoors $arg >out 2>err
		"$MPREDUCE" --json ./zoors mon.out 2>/dev/null >json
		like "$(cat json)" '"size":1204,"allocs":1000,"bytes":1204000,"frees":700,' \
			"$name: blocks and frees"
		"$MPREDUCE" -b -L --depth=all ./zoors mon.out >leaks 2>/dev/null
		like "$(grep '^ *361200 ' leaks)" \
			' 400 .* 481600 .* 100 .* 120400 .*\|\| > .*zoo::main > zoo::right > zoo::make' \
			"$name: the path of what is kept"
		is "$(total mon.out 'call paths stopped')" 0 "$name: all chains are whole"
	fi
done < <(some <<'E2'
-O -g -C panic=abort
+ -O
+ -g
E2
)

# musl: its loader can't load a library made for glibc.  Nothing may run as if
# it were counted, and nothing that isn't counted may be harmed.
if command -v musl-gcc >/dev/null 2>&1; then
	musl-gcc -g "$MEMMON_SRC/tests/prog/widgets.c" -o dynamic 2>err &&
		musl-gcc -g -static "$MEMMON_SRC/tests/prog/widgets.c" \
			-o static 2>>err || diag "$(cat err)"
	rm -f mon.out
	out=$(LD_PRELOAD=$LIBMEMMON ./static; echo "status $?")
	is "$out" "$(./static; echo "status $?")" 'F22: musl, static: runs unharmed'
	is "$(ls mon.out 2>/dev/null)" '' 'and is not counted'
	"$MEMMON" ./static >out 2>err
	is "$?" 125 'memmon refuses it'
	like "$(cat err)" 'statically linked' 'and says why'
	"$MEMMON" ./dynamic >out 2>err
	ok $(($? == 0)) 'F22: musl, dynamic: does not run uncounted'
	like "$(cat err)" 'libmemmon|musl' 'and something says why'
else
	skip 6 'no musl-gcc'
fi

want='.'
below=
try 'ls' 50 ls -l /usr
try 'perl' 500 perl -e 'print join ",", map { sprintf "%x", $_ } 1 .. 100'
[ -x /usr/bin/python3 ] && PYTHONMALLOC=malloc try 'python' 10000 \
	/usr/bin/python3 -c 'import json; print(json.dumps(list(range(200))))'
done_testing
