#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The functions of libc that libmemmon-access replaces.  Each is compared with
# libc's own over many random cases, and its counts with the reads and writes
# that a naive search finds.  They run on a small runtime,
# tests/access/wrap_rt.c, which counts in plain words.
. "${MEMMON_SRC:-.}/tests/tap.sh"

access=$MEMMON_SRC/monitor/wrap
tests=$MEMMON_SRC/tests/access
flags="-std=gnu11 -Wall -Wextra -g -D_GNU_SOURCE= -I$MEMMON_SRC"

# names FILE: the words of a list with # comments.
names()
{
	sed 's/#.*//' "$1" | tr -s '[:blank:]' '\n' | grep . | sort -u
}

names "$access/exports.list" >exports
names "$access/plain.list" >plain
names "$MEMMON_SRC/monitor/base/libc.list" | grep -v dl_ >libc
wrap=$(sort -u plain libc | sed 's/^/-Wl,--wrap=/')
# shellcheck disable=SC2086
$CC $flags -O2 -DMEMMON_ACCESS -fvisibility=hidden -fPIC -shared \
	-ftls-model=initial-exec -o libwrap.so "$access"/wrap*.c \
	"$MEMMON_SRC/monitor/base/libc.c" \
	"$MEMMON_SRC/monitor/access/span.c" "$tests/wrap_rt.c" $wrap -Wl,-z,defs,-z,now,-z,relro -ldl \
	-Wl,--version-script="$MEMMON_SRC/monitor/versions.map" 2>err
ok $? 'they make a library'
is "$(cat err)" '' 'without warnings'

# The lists hold, for this library and for the real one.
shown()
{
	nm -D --defined-only "$1" |
		awk '$2 != "A" { sub(/@.*/, "", $NF); print $NF }' | sort -u
}
# Names of the list that the library itself asks the loader for.
asked()
{
	readelf -rW "$1" | awk '$3 ~ /^R_/ { sub(/@.*/, "", $5); print $5 }' |
		sort -u | comm -12 - exports
}
is "$(shown libwrap.so | grep -v '^rt_\|^__memmon_\|^__link_with_' |
	comm -3 - exports)" '' 'exports.list has what they show'
is "$(comm -13 exports plain)" '' 'plain.list is a part of it'
is "$(asked libwrap.so)" '' 'they call nothing of it by name'
real=$MEMMON_BUILD/libmemmon-access.so
if [ -e "$real" ]; then
	is "$(shown "$real" | comm -13 - exports)" '' \
		'libmemmon-access.so shows all of exports.list'
	is "$(asked "$real")" '' 'and calls nothing of it by name'
else
	skip 2 'no libmemmon-access.so'
fi

# program NAME FLAGS...: compiled so that the calls stay calls.
program()
{
	local name=$1
	shift
	# shellcheck disable=SC2086
	"$1" $flags "${@:2}" "$tests/$name.c" -o "$name" -L. -lwrap \
		-Wl,-rpath,"$T" -pthread -ldl 2>err
}
# run NAME WHAT: its assertions are ours.
run()
{
	local n
	"./$1" >out 2>&1
	n=$?
	is "$n" 0 "$2 ($(grep -c '^ok' out) of them)" ||
		diag "$(grep -v '^ok' out | head -n 40)"
	grep -q '^ok' out
	ok $? "... $(tail -n 1 out)"
}

levels=-O2
! exhaustive || levels='-O0 -O2'
for level in $levels; do
	for what in mem:memory str:strings num:numbers \
		wide:'wide characters' stdio:streams io:'files and sockets'; do
		program "wrap_${what%%:*}" $CC -fno-builtin $level
		is "$(cat err)" '' "wrap_${what%%:*}.c compiles with $level"
		run "wrap_${what%%:*}" "${what#*:}, $level"
	done
done
program wrap_live $CC -fno-builtin -O1
run wrap_live 'threads, cancellation, handlers'

# gcc, because not every compiler knows all of glibc's checking functions.
if command -v gcc >/dev/null; then
	program wrap_fortify gcc -O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 \
		-Wno-format-truncation -Wno-format-overflow
	is "$(cat err)" '' 'wrap_fortify.c compiles'
	n=$(nm -u wrap_fortify | grep -c '_chk')
	ok $((n < 25)) "$n functions that check are called"
	run wrap_fortify 'they count, and end what writes too much'
else
	skip 4 'no gcc'
fi

# Calls before the library is relocated, and while the next ones are looked for.
early="$CC $flags -fno-builtin -O2 $tests/wrap_early.c"
$early -DPART=1 -fPIC -shared -o libearly.so &&
	$early -DPART=2 -fPIC -shared -o dlsym.so -ldl &&
	$early -DPART=3 -o early -L. -lwrap -learly -Wl,-rpath,"$T" -ldl &&
	$early -DPART=3 -o later -L. -learly -lwrap -Wl,-rpath,"$T" -ldl
ok $? 'programs with resolvers of their own functions'
for program in early later; do
	is "$(./$program)" '0 0 0 2' "$program: resolvers and constructors"
	is "$(LD_BIND_NOW=1 ./$program)" '0 0 0 2' "$program: bound at once"
	is "$(LD_PRELOAD=./dlsym.so ./$program)" 'h0 0 0 2' \
		"$program: a dlsym that copies, and is interrupted"
	is "$(env -i ./$program)" '0 0 0 2' "$program: no environment"
done
done_testing
