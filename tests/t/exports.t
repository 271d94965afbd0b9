#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The names that the libraries export to the programs they are linked into: the
# libc names that they replace, memmon_*, and nothing that could clash with a
# user's name.
. "${MEMMON_SRC:-.}/tests/tap.sh"

# names FILE: the words of a list with # comments.
names()
{
	sed 's/#.*//' "$1" | tr -s '[:blank:]' '\n' | grep . | sort -u
}

names "$MEMMON_SRC/monitor/exports.list" >allowed
names "$MEMMON_SRC/monitor/wrap.list" >wrapped
# shown FILE: names that a shared library defines, with their versions.
shown()
{
	nm -D --defined-only "$1" | awk '$2 != "A" { print $NF }'
}
shown "$MEMMON_BUILD/libmemmon.so" | sed 's/@.*//' | sort -u >shared
nm -g --defined-only "$MEMMON_BUILD/libmemmon.a" | awk 'NF == 3 { print $3 }' |
	sort -u >static

is "$(grep -v '^memmon_' shared | comm -23 - allowed)" "" \
	"F15: libmemmon.so exports the listed names and memmon_* only"
is "$(comm -23 allowed shared)" "" "libmemmon.so exports each listed name"
# The library for accesses exports the names of libmemmon.so, libc's functions
# that count accesses, and the functions that instrumented code calls.
# Compilers define the names of the latter.
{
	cat allowed
	names "$MEMMON_SRC/monitor/wrap/exports.list"
	echo mprotect
	echo munmap
	echo pkey_mprotect
	echo malloc_usable_size
	echo mlockall
} | sort -u >counting
shown "$MEMMON_BUILD/libmemmon-access.so" | sed 's/@.*//' | sort -u >access
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

# The set of names that a program can be linked with must not depend on who
# looks.  So a name that libc and libstdc++ don't offer has a version that no
# link asks for.
for lib in libc.so.6 ld-linux-x86-64.so.2 libpthread.so.0 librt.so.1 \
	libanl.so.1 libstdc++.so.6; do
	file=$($CC -print-file-name=$lib)
	[ ! -e "$file" ] || shown "$file"
done | grep -v '[^@]@[^@]' | sed 's/@.*//' | sort -u >system
ok $(($(wc -l <system) < 1000)) "the system offers $(wc -l <system) names"
for lib in libmemmon.so libmemmon-access.so; do
	is "$(shown "$MEMMON_BUILD/$lib" | grep -v @ | sort -u |
		comm -23 - system | grep -Ev "$calls")" "" \
		"$lib offers no name that libc hasn't"
done

# links NAME COMMAND...: does a program that calls it?  As configure tries it.
links()
{
	echo "char $1(void); int main(void) { return $1(); }" >link.c
	MEMMON_CC=$CC "${@:2}" -w -fno-builtin link.c -o link 2>err
}
for name in strlcpy strlcat __strlcpy_chk __isoc23_strtol __isoc23_scanf \
	__isoc23_vsscanf free_sized free_aligned_sized cfree getrandom; do
	links "$name" "$CC"
	plain=$?
	links "$name" "$MEMMON_BUILD/memmon-cc"
	is $? $plain "$name links by memmon-cc as by $CC"
	echo 'INPUT(-lmemmon)' >libmonitor.so
	links "$name" "$CC" -L"$MEMMON_BUILD" -L. -lmonitor
	is $? $plain "... and with libmemmon"
done

# A libc that offers them, with versions or without: programs still call
# memmon's.
cat >newer.c <<'C'
#include <stdlib.h>
void __libc_free(void *);
void free_sized(void *p, size_t n) { __libc_free(p); }
void free_aligned_sized(void *p, size_t a, size_t n) { __libc_free(p); }
size_t strlcpy(char *to, const char *from, size_t n) { return n + 1000; }
C
cat >newer.map <<'C'
GLIBC_2.38 { global: strlcpy; };
GLIBC_2.43 { global: free_sized; free_aligned_sized; };
C
cat >program.c <<'C'
#include <stdio.h>
#include <stdlib.h>
size_t strlcpy(char *, const char *, size_t);
void free_sized(void *, size_t);
void free_aligned_sized(void *, size_t, size_t);
int main(void)
{
	char *a = malloc(1000), *b = aligned_alloc(64, 640);
	dprintf(1, "%zu\n", strlcpy(a, "text", 10));
	free_sized(a, 1000);
	free_aligned_sized(b, 64, 640);
}
C
# freed COMMAND...: runs it; prints its output, and the blocks that weren't
# freed.
freed()
{
	MEMMON_OUT=newer.out "$@"
	"$MEMMON_BUILD/mpreduce" program newer.out 2>/dev/null |
		grep '^live at exit'
}
for how in -Wl,--version-script=newer.map -g; do
	for cc in "$CC" "$MEMMON_BUILD/memmon-cc"; do
		$CC -w -fPIC -shared newer.c -o libnewer.so "$how"
		MEMMON_CC=$CC "$cc" -w -fno-builtin program.c -L. -lnewer \
			-Wl,-rpath,"$PWD" -o program
		run=
		[ "$cc" != "$CC" ] || run=$MEMMON_BUILD/memmon
		is "$(freed $run ./program)" "1010
live at exit  0 bytes in 0 blocks" "a libc that has free_sized, $how, ${cc##*/}"
	done
done

is "$(readelf -d "$MEMMON_BUILD/libmemmon.so" |
	sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')" libmemmon.so.0 "soname"
like "$(readelf -d "$MEMMON_BUILD/libmemmon.so")" "NODELETE" "is never unloaded"
is "$(readelf -lW "$MEMMON_BUILD/libmemmon.so" |
	awk '$1 == "GNU_STACK" { print $7 }')" RW "needs no executable stack"
done_testing
