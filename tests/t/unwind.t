#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The monitor's unwinder against libunwind, chain by chain, on frames of many
# kinds (tests/unwind), compiled in many ways.
. "${MEMMON_SRC:-.}/tests/tap.sh"

src=$MEMMON_SRC/tests/unwind
gcc -g -O2 -std=gnu11 -D_GNU_SOURCE -I"$MEMMON_SRC" -fPIC -shared \
	-fno-omit-frame-pointer -fno-builtin "$src/check.c" -o check.so \
	-lunwind 2>err || { diag "$(cat err)"; echo 'Bail out! check.c'; exit 1; }

# The zoo allocates in signal handlers that strike in malloc.
below=:$MEMMON_BUILD/tests/prog/libbump.so

# try NAME PROGRAM...: run it, and demand that no chain differs.
try()
{
	local name=$1 out
	shift
	rm -f report
	out=$(UNWCHECK_OUT=$T/report timeout 120 env LD_PRELOAD="$T/check.so$below" \
		"$@" 2>/dev/null </dev/null)
	like "$out" "$want" "$name: it runs"
	grep -q '^chains [1-9]' report && ! grep '^chains' report |
		grep -qv 'differ 0$'
	ok $? "$name: $(sed -n 's/^chains/chains/p' report | tr '\n' ' ')" ||
		diag "$(head -n 40 report)"
}

want='^done$'
build()
{
	local cc=$1 from=$2
	shift 2
	if ! command -v "$cc" >/dev/null 2>&1; then
		skip 2 "no $cc"
	elif ! "$cc" -g -w "$@" "$src/$from" -o zoo -pthread 2>err; then
		skip 2 "$cc $* does not work here"
	else
		try "$cc $* $from" ./zoo
	fi
}
for cc in gcc clang; do
	build $cc zoo.c -O0
	build $cc zoo.c -O2
	build $cc zoo.c -O3 -fomit-frame-pointer -march=native
	build $cc zoo.c -O1 -fno-omit-frame-pointer -fcf-protection
done
build gcc zoo.c -Os
build gcc zoo.c -O2 -flto
build gcc zoo.c -O2 -no-pie -fno-pie
build gcc zoo.c -O2 -fstack-protector-all -fstack-clash-protection
build gcc zoo.c -O2 -Wl,-z,lazy
build gcc zoo.c -g0 -s -O2
for cc in g++ clang++; do
	build $cc zoo.cc -O0
	build $cc zoo.cc -O2
done
build g++ zoo.cc -O2 -flto -static-libstdc++ -static-libgcc
command -v rustc >/dev/null 2>&1 &&
	printf '%s\n' 'use std::collections::HashMap;' 'fn main() {' \
	'let mut m: HashMap<String, Vec<u32>> = HashMap::new();' \
	'for i in 0..300u32 { m.entry(format!("k{}", i % 17)).or_default().push(i); }' \
	'let r = std::panic::catch_unwind(|| { let s = "x".repeat(100); if s.len() == 100 { panic!("no") } });' \
	'let t = std::thread::spawn(move || m.len());' \
	'if t.join().unwrap() == 17 && r.is_err() { println!("done") } }' >zoo.rs &&
	rustc -O zoo.rs -o zoors 2>/dev/null && try 'rustc -O' ./zoors
want='.'
below=
try 'ls' ls -l /usr
try 'perl' perl -e 'print join ",", map { sprintf "%x", $_ } 1 .. 100'
[ -x /usr/bin/python3 ] && PYTHONMALLOC=malloc try 'python' /usr/bin/python3 -c \
	'import json; print(json.dumps(list(range(200))))'
done_testing
