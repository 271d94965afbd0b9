#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# As t/accesses.t, at more levels, and for programs that weren't made for it:
# those of gcc's torture suite that use the heap, from the package
# gcc-12-source; three of Debian's, from their source; $ACCESSES_SEEDS (1000) of
# csmith's, from $ACCESSES_FROM (1) on, each by one way at one level, which
# rotate, or with ACCESSES_EACH=1 by all at all.  ACCESSES_PARTS="shapes torture
# programs csmith" selects the kinds.
TAP_LIMIT=${TAP_LIMIT:-43200}
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/access/naive.sh"
. "$MEMMON_SRC/tests/access/accesses.sh"

accesses_build || skip_all 'no gcc, or no valgrind, or not x86-64'

part_shapes()
{
	accesses_shapes -O0 -O1 -O2 -O3 -Os
	accesses_differ
}

# outcome STATUS NAME: of accesses_same.
outcome()
{
	case $1 in
	3) skip 1 "$2: takes too long" ;;
	4) skip 1 "$2: fails by itself" ;;
	*) ok "$1" "$2: $(tail -n 1 differ)" || diag "$(cat differ)" ;;
	esac
}

# torture_one FILE: by all ways, at all levels.
torture_one()
{
	local way level options
	for way in $(naive_ways); do
		# The compiler makes no call for va_start().
		if [ "${1##*/}" = va-arg-21.c ] && [[ $way != p* ]]; then
			skip 1 "va-arg-21.c, $way: a va_list on the heap"
			continue
		fi
		for level in -O0 -O1 -O2 -O3; do
			options=-bf
			[ "$level" != -O0 ] || options=-bu
			# With calls gcc clears structs by overlapping stores.
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

part_torture()
{
	local tar file suite=gcc/testsuite/gcc.c-torture/execute
	tar=$(find /usr/src/gcc-12 -name 'gcc-12*.tar.xz' 2>/dev/null | head -n 1)
	if [ ! "$tar" ]; then
		skip 1 'no gcc-12-source'
		return
	fi
	mkdir gcc
	tar -xf "$tar" -C gcc --strip-components=1 --wildcards "*/$suite/*.c"
	grep -lwE 'malloc|calloc|realloc' gcc/$suite/*.c >files
	while read -r file; do
		torture_one "$file"
	done <files
}

# package NAME: its source, in the directory NAME; false: apt-get can't get it.
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

bzip2_whole()
{
	local args
	if ! package bzip2; then
		skip 1 'no source of bzip2'
		return
	fi
	head -c 3000 "$MEMMON_SRC/tests/long/accesses.t" >text || return
	args=(-1c text)
	whole bzip2 bzip2/{blocksort,huffman,crctable,randtable,compress}.c \
		bzip2/{decompress,bzlib,bzip2}.c
}

lua_whole()
{
	local args
	if ! package lua5.4; then
		skip 1 'no source of lua5.4'
		return
	fi
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
	# Else it hashes by addresses and the time, each run otherwise.
	whole lua '-Dluai_makeseed(L)=0' -ULUA_USE_DLOPEN lua5.4/src/*.c -lm
}

tinyxml2_whole()
{
	local args
	if ! package tinyxml2; then
		skip 1 'no source of tinyxml2'
		return
	fi
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
}

part_programs()
{
	bzip2_whole
	lua_whole
	tinyxml2_whole
}

# csmith_said SEED KIND WAY LEVEL: prints the differences for each.
declare -A same_of why_not
csmith_said()
{
	local how="$2 $3 $4"
	csmith_seed "$@"
	case $? in
	0) same_of[$how]=$((${same_of[$how]:-0} + 1)) ;;
	3) why_not[$said]=$((${why_not[$said]:-0} + 1)) ;;
	*) ok 1 "csmith: $said"; diag "$(cat differ)" ;;
	esac
}

part_csmith()
{
	local from=${ACCESSES_FROM:-1} seeds=${ACCESSES_SEEDS:-1000} seed how
	local same=0 all=0
	if ! csmith_include >include; then
		skip 1 'no csmith'
		return
	fi
	for ((seed = from; seed < from + seeds; seed++)); do
		csmith_choose "$seed"
		if [ "${ACCESSES_EACH:-}" != 1 ]; then
			csmith_said "$seed" "$kind" "$way" "$level"
			all=$((all + 1))
			continue
		fi
		for way in $(naive_ways); do
			for level in -O0 -O1 -O2 -O3; do
				csmith_said "$seed" "$kind" "$way" "$level"
				all=$((all + 1))
			done
		done
	done
	for how in "${!same_of[@]}"; do
		diag "$how: ${same_of[$how]} are the same"
		same=$((same + ${same_of[$how]}))
	done
	for how in "${!why_not[@]}"; do
		diag "$how: ${why_not[$how]}"
	done
	ok $((2 * same < all)) "csmith: $same of $all are the same"
}

for part in ${ACCESSES_PARTS:-shapes torture programs csmith}; do
	"part_$part"
done
done_testing
