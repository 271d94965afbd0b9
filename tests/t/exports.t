#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the libraries offer to the programs they are linked into: the libc names
# they take over, memmon_*, and nothing that could clash with a user's name.
. "${MEMMON_SRC:-.}/tests/tap.sh"

# names FILE: the words of a list with # comments.
names()
{
	sed 's/#.*//' "$1" | tr -s '[:blank:]' '\n' | grep . | sort -u
}

names "$MEMMON_SRC/monitor/exports.list" >allowed
names "$MEMMON_SRC/monitor/wrap.list" >wrapped
nm -D --defined-only "$MEMMON_BUILD/libmemmon.so" | awk '{ print $NF }' |
	sed 's/@.*//' | sort -u >shared
nm -g --defined-only "$MEMMON_BUILD/libmemmon.a" | awk 'NF == 3 { print $3 }' |
	sort -u >static

is "$(grep -v '^memmon_' shared | comm -23 - allowed)" "" \
	"F15: libmemmon.so exports the listed names and memmon_* only"
is "$(comm -23 allowed shared)" "" "libmemmon.so exports each listed name"
# The other library: what this one has, libc's functions that count, and what
# instrumented code calls.  Names of the calls are the compilers'.
{
	cat allowed
	names "$MEMMON_SRC/monitor/access/exports.list"
	echo munmap
	echo mlockall
} | sort -u >counting
nm -D --defined-only "$MEMMON_BUILD/libmemmon-access.so" |
	awk '{ print $NF }' | sed 's/@.*//' | sort -u >access
calls='^(memmon_|__memmon_|__link_with_lmemmon_|__tsan_|Annotate|WTFAnnotate)'
is "$(grep -Ev "$calls" access | comm -23 - counting)" "" \
	"libmemmon-access.so exports the listed names and its own only"
is "$(comm -23 counting access)" "" "... and each of them"
is "$(readelf -d "$MEMMON_BUILD/libmemmon-access.so" |
	sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')" libmemmon-access.so.0 \
	"... its soname"
is "$(grep -E '^(__memmon_|__link_with|__tsan_)|^memcpy$' shared)" "" \
	"libmemmon.so has nothing of it"
is "$(grep -Ev '^(__wrap_|memmon_)' static)" "" \
	"F15: libmemmon.a defines __wrap_* and memmon_* only"
is "$(sed 's/^/__wrap_/' wrapped | comm -23 - static)" "" \
	"libmemmon.a defines __wrap_ of each name in wrap.list"
is "$(grep '^__wrap_' static | sed 's/^__wrap_//' | comm -23 - wrapped)" "" \
	"... and of no other"
is "$(nm -g "$MEMMON_BUILD/libmemmon.a" | awk '$1 == "U" { print $2 }' |
	sed -n 's/^__real_//p' | sort -u | comm -23 - wrapped)" "" \
	"libmemmon.a needs __real_ of names in wrap.list only"
for name in $(sed -n 's/^[a-z].*[ *]\(memmon_[a-z_]*\)(.*/\1/p' \
	"$MEMMON_SRC/monitor/memmon.h"); do
	grep -qx "$name" shared && grep -qx "$name" static
	ok $? "$name of memmon.h is in both libraries"
done
is "$(readelf -d "$MEMMON_BUILD/libmemmon.so" |
	sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')" libmemmon.so.0 "soname"
like "$(readelf -d "$MEMMON_BUILD/libmemmon.so")" "NODELETE" "is never unloaded"
is "$(readelf -lW "$MEMMON_BUILD/libmemmon.so" |
	awk '$1 == "GNU_STACK" { print $7 }')" RW "needs no executable stack"
done_testing
