# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# For tests with call paths known by construction (oracle.h), after tap.sh and
# monitor.sh.

unwind=$MEMMON_SRC/tests/unwind

# Frames in assembler, and the reader of data files.
oracle_tools()
{
	# A build directory may have objects of files that are gone.
	local objects
	mapfile -t objects < <(cd "$MEMMON_SRC" && printf '%s\n' reduce/*/*.c |
		sed "s|\(.*\)c\$|$MEMMON_BUILD/obj/\1o|")
	# shellcheck disable=SC2086
	$CC -c "$unwind/oracle.S" -o oracle.o &&
		$CC ${CFLAGS:-} -std=gnu11 -D_GNU_SOURCE -I"$MEMMON_SRC" \
			"$unwind/chains.c" "${objects[@]}" \
			-o chains -lbfd -liberty -ldw -lelf \
			-lcapstone -ldeflate -lzstd -llzma -lz -lm
}

# oracle_can COMPILER...: is it there, and does it take these flags?
oracle_can()
{
	command -v "$1" >/dev/null 2>&1 || return 1
	echo 'int main(void) { return 0; }' >tiny.c
	"$@" tiny.c -o tiny >/dev/null 2>&1
}

# oracle_build OUT SOURCE COMPILER...: that fails when it can't be built.
oracle_build()
{
	local out=$1 from=$2
	shift 2
	set -- "$@" -g -w -I"$MEMMON_SRC" "$unwind/$from"
	[ "$from" = walk.c ] && set -- "$@" "$unwind/frames.c"
	case $from in
	walk.c | same.c | load.c)
		set -- "$@" "$unwind/oracle.c" -x none oracle.o ;;
	esac
	rm -f "$out"
	"$@" -o "$out" -pthread -ldl 2>err && return
	ok 1 "$* does not work"
	diag "$(cat err)"
	return 1
}

# oracle NAME PROGRAM...: runs it under memmon; every call path in the file is
# one that the program knows.  Output in `out', data in mon.out.
oracle()
{
	local name=$1 at n
	shift
	rm -f mon.out known found
	ORACLE_OUT=$T/known timeout "${ORACLE_LIMIT:-300}" "$MEMMON" "$@" >out 2>err
	like "$(tail -n 1 out)" 'done$' "$name: it runs" || diag "$(cat out err)"
	at=$(nm "$1" | awk '$3 == "oracle_after" { print $1 }')
	./chains mon.out "$at" "$1" >found 2>>err
	sort -o known known
	n=$(wc -l <known)
	# At least one line, or nothing was compared.
	[ "$n" -gt 0 ] && sort found | cmp -s - known
	ok $? "$name: $n different chains of $(awk '{ n += $2 } END { print n }' \
		known) blocks" || oracle_show "$at" "$1"
}

# Call paths that are found but not known, with frames; and those that are known
# but not found.
oracle_show()
{
	./chains -v mon.out "$1" "$2" | sort >verbose
	cut -d' ' -f1-5 verbose | comm -23 - known | head -n 5 >wrong
	diag "$(grep -F -f wrong verbose | sed 's/^/found: /')"
	diag "$(sort found | comm -13 - known | head -n 5 | sed 's/^/known: /')"
}
