#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# As t/accesses.t, of programs that nobody made for it: $ACCESSES_SEEDS (1-1000)
# of csmith's, from $ACCESSES_FROM (1) on; those of gcc's torture suite that use
# the heap, from the package gcc-12-source; three of Debian's, from their source.
TAP_LIMIT=${TAP_LIMIT:-43200}
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/access/naive.sh"
. "$MEMMON_SRC/tests/access/accesses.sh"

accesses_build || skip_all 'no gcc, or no valgrind, or not x86-64'
accesses_shapes -O0 -O1 -O2 -O3 -Os
accesses_differ

# outcome STATUS NAME: of accesses_same.
outcome()
{
	if [ "$1" = 3 ]; then
		skip 1 "$2: takes too long, or fails by itself"
		return
	fi
	ok "$1" "$2: $(tail -n 1 differ)" || diag "$(cat differ)"
}

# torture FILE: by all ways, at all levels.
torture()
{
	local way level options
	for way in $(naive_ways); do
		# No call tells of va_start().
		if [ "${1##*/}" = va-arg-21.c ] && [ "$way" != plugin ]; then
			skip 1 "va-arg-21.c, $way: a va_list on the heap"
			continue
		fi
		for level in -O0 -O1 -O2 -O3; do
			options=-bf
			[ "$level" != -O0 ] || options=-bu
			# By calls gcc clears structs by overlapping stores.
			[ "$way$level${1##*/va-arg-21.c}" != "plugin-O0$1" ] ||
				options=-bcju
			if ! accesses_compile "$way" torture -w "$level" \
				"$1" -lm >said 2>&1; then
				skip 1 "${1##*/}, $way $level: not compiled"
				continue
			fi
			accesses_same $options 5 ./torture
			outcome $? "${1##*/}, $way $level"
		done
	done
}

tar=$(find /usr/src/gcc-12 -name 'gcc-12*.tar.xz' 2>/dev/null | head -n 1)
suite=gcc/testsuite/gcc.c-torture/execute
if [ "$tar" ]; then
	mkdir gcc
	tar -xf "$tar" -C gcc --strip-components=1 --wildcards "*/$suite/*.c"
	grep -lwE 'malloc|calloc|realloc' gcc/$suite/*.c >files
	while read -r file; do
		torture "$file"
	done <files
else
	skip 1 'no gcc-12-source'
fi

# package NAME: its source, in the directory NAME; false: it can't be had.
package()
{
	local dir
	have apt-get && apt-get source -qq --download-only "$1" >said 2>&1 &&
		dpkg-source --no-check -x "$1"_*.dsc "$1" >>said 2>&1
}

# whole NAME ARGUMENT...: by all ways at -O0 and -O2.  The program's own
# arguments are in `args'; the source's are the last ones here.
whole()
{
	local name=$1 way level options
	shift
	for way in $(naive_ways); do
		for level in -O0 -O2; do
			options=-bf
			[ "$level" != -O0 ] || options=-bu
			if ! accesses_compile "$way" whole -w "$level" "$@" \
				>said 2>&1; then
				ok 1 "$name, $way $level: compiled"
				diag "$(head -n 5 said)"
				continue
			fi
			accesses_same $options 20 ./whole "${args[@]}"
			outcome $? "$name, $way $level"
		done
	done
}

if package bzip2; then
	head -c 3000 "$0" >text
	args=(-1c text)
	whole bzip2 bzip2/{blocksort,huffman,crctable,randtable,compress}.c \
		bzip2/{decompress,bzlib,bzip2}.c
else
	skip 1 'no source of bzip2'
fi
if package lua5.4; then
	rm -f lua5.4/src/luac.c
	echo '#define DEB_HOST_MULTIARCH "here"' \
		>lua5.4/src/lua5.4-deb-multiarch.h
	cat >script.lua <<-'L'
	local t = {}
	for i = 1, 60 do t[i] = { k = "v" .. i, i } end
	table.sort(t, function(a, b) return a.k < b.k end)
	print(#t, t[1].k, string.format("%5.2f", #table.concat({ "a", "b" })))
	L
	args=(script.lua)
	whole lua -ULUA_USE_DLOPEN lua5.4/src/*.c -lm
else
	skip 1 'no source of lua5.4'
fi
if package tinyxml2; then
	cat >use.cpp <<-'C'
	#include "tinyxml2/tinyxml2.h"
	#include <cstdio>
	int main()
	{
		tinyxml2::XMLDocument d;
		d.Parse("<a x='1' y=\"2\"><b>text &amp; more</b><!-- c --><b/></a>");
		d.RootElement()->SetAttribute("z", 77);
		d.RootElement()->InsertNewChildElement("new");
		tinyxml2::XMLPrinter p;
		d.Print(&p);
		return puts(p.CStr()) < 0;
	}
	C
	args=()
	whole tinyxml2 -Itinyxml2 use.cpp tinyxml2/tinyxml2.cpp
else
	skip 1 'no source of tinyxml2'
fi

# csmith's: what differs is said of each, and the sums in the end.
from=${ACCESSES_FROM:-1} seeds=${ACCESSES_SEEDS:-1000}
declare -A done_of
slow=0
if csmith_include >include; then
	for ((seed = from; seed < from + seeds; seed++)); do
		csmith_choose "$seed"
		csmith_seed "$seed" "$kind" "$way" "$level"
		case $? in
		0) done_of[$kind $way $level]=$((${done_of[$kind $way $level]:-0} + 1)) ;;
		3) slow=$((slow + 1)) ;;
		*) ok 1 "csmith: $said"; diag "$(cat differ)" ;;
		esac
	done
	for how in "${!done_of[@]}"; do
		ok 0 "csmith: $how: ${done_of[$how]} are the same"
	done
	ok $((2 * slow > seeds)) "$slow take too long"
else
	skip 1 'no csmith'
fi
done_testing
