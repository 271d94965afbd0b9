# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# For tests that compare accesses with a simulator's, after tap.sh and naive.sh:
# valgrind's lackey watches a program that memmon-cc made, and the program's
# data file must agree (accesses.c, numbered.c).

ACCESSES_MM=$MEMMON_BUILD/memmon-cc
# Records that a run may have, of 40 bytes.
ACCESSES_ROOM=$((40 << 24))

# accesses_build: builds accesses, and ld-linux-numbered.so, in the working
# directory.  The library has this name so that it counts as the loader's and
# not as unrecorded code; each of its functions begins as recorded ones do, for
# calls by pointers.  False: tools are missing.
accesses_build()
{
	local list=$MEMMON_SRC/monitor/wrap/exports.list mark
	local abi=$MEMMON_SRC/monitor/abi.h
	have gcc && have valgrind && [ "$(uname -m)" = x86_64 ] || return
	mark=$(sed -n 's/^#define MEMMON_MARK//p' "$abi")
	sed 's/#.*//' "$list" | awk 'NF { print "\tCARRY", $1 }' | grep -vwE \
		'mem(cpy|move|set)|__mem(cpy|move|set)_chk|mempcpy' \
		>numbered_past.h &&
		gcc -std=gnu11 -D_GNU_SOURCE -I"$MEMMON_SRC" -Wall -Wextra \
			-Werror -O1 -fPIC -fno-builtin -S \
			-fno-optimize-sibling-calls -fno-omit-frame-pointer \
			-fno-tree-loop-distribute-patterns \
			"$NAIVE_SRC/numbered.c" &&
		sed -i "/\\.cfi_startproc/a .byte ${mark:?}" numbered.s &&
		gcc -I"$MEMMON_SRC" -I. -shared -o ld-linux-numbered.so \
			numbered.s "$NAIVE_SRC/numbered_past.S" &&
		gcc -std=gnu11 -D_GNU_SOURCE -I"$MEMMON_SRC" -Wall -Wextra \
			-Werror -O2 -o accesses "$NAIVE_SRC"/accesses*.c -lzstd
}

# accesses_compile WAY OUT ARGUMENT...: by memmon-cc, or memmon-c++ if a
# source of C++ is last.
# Valgrind doesn't read all that clang -g writes.
accesses_compile()
{
	local way=$1 out=$2 mm=$ACCESSES_MM
	shift 2
	case "$*" in *.cc | *.cpp) mm=${mm%cc}c++ ;; esac
	naive_by "$way"
	[ "$MEMMON_CC" = gcc ] || set -- -gdwarf-4 "$@"
	"$mm" -g -o "$out" "$@"
	set -- $?
	unset MEMMON_CC MEMMON_CXX MEMMON_WAY
	return "$1"
}

# accesses_same OPTIONS SECONDS PROGRAM...: both runs, and accesses with OPTIONS
# (or ''), whose status it has; its output is in `differ', the program's in
# out.native and out.lackey.  3: the program takes longer than SECONDS, or in
# the simulator 60 times that; 4: it fails.
accesses_same()
{
	local options=$1 limit=$2
	shift 2
	rm -f numbered.log same.mon
	truncate -s "$ACCESSES_ROOM" numbered.log
	LD_PRELOAD=$T/ld-linux-numbered.so MEMMON_OUT=$T/same.mon timeout "$limit" \
		"$@" >out.native 2>err.native </dev/null
	case $? in
	0) ;;
	124) return 3 ;;
	*) return 4 ;;
	esac
	# Without -vex-iropt-level valgrind doesn't report loads of unused
	# values.
	# shellcheck disable=SC2086 # none, or one word
	LD_PRELOAD=$T/ld-linux-numbered.so NUMBERED_LOG=$T/numbered.log \
		MEMMON_OUT=/dev/null timeout $((limit * 60)) valgrind -q \
		--tool=lackey --trace-mem=yes --vex-iropt-level=0 --log-fd=9 \
		"$@" 9>&1 >out.lackey 2>err.lackey </dev/null |
		"$T/accesses" $options numbered.log same.mon >differ 2>&1
	set -- $? "${PIPESTATUS[0]}"
	rm -f numbered.log
	[ "$2" -ne 124 ] || return 3
	return "$1"
}

# accesses_shape WAY LEVEL FILE: shapes_heap.c or shapes_heap.cc.
accesses_shape()
{
	local way=$1 level=$2 file=$3 options=-bf set_calls=
	case $level in *-mavx2*)
		grep -qw avx2 /proc/cpuinfo || { skip 1 'no AVX2'; return; } ;;
	esac
	# Functions of libmemmon-c++.a are optimized in any case: as for
	# optimized code, their counts aren't those of single instructions.
	case $level:$way:$file in
	-O0:plugin:*.cc | -O0:pass:*.cc) ;;
	-O0:*) options=-bcj ;;
	esac
	case $way in
	calls | clang) set_calls=-DCALLS ;;
	pass) set_calls=-DPIECES ;;
	esac
	# shellcheck disable=SC2086
	accesses_compile "$way" shapes $level $set_calls \
		"$NAIVE_SRC/$file" 2>said &&
		accesses_same $options "$HANG" ./shapes && cmp out.native out.lackey
	ok $? "$file, $way $level: $(tail -n 1 differ)" ||
		diag "$(cat said differ)"
}

# accesses_shapes LEVEL...: both by all ways at these levels, and optimized for
# vectors with masks.
accesses_shapes()
{
	local way level file
	for way in $(naive_ways); do
		for level in "$@" '-O3 -mavx2'; do
			for file in shapes_heap.c shapes_heap.cc; do
				accesses_shape "$way" "$level" "$file"
			done
		done
	done
}

# accesses_differ: an access that isn't recorded is found.
accesses_differ()
{
	cat >other.c <<-'C'
	#include <stdlib.h>
	#define APART __attribute__((noinline, no_sanitize("thread")))
	APART static void unseen(char *p)
	{
		p[17] = 1;
	}
	int main(void)
	{
		char *volatile p = malloc(100);
		unseen(p);
		p[33] = 1;
		return p[33] - 1;
	}
	C
	accesses_compile calls other -O0 other.c && accesses_same -c "$HANG" ./other
	is "$? $(head -n 1 differ | sed 's/.*bytes/bytes/; s/, last.*//')" \
		'1 bytes: writes at 16: 1 in truth, 0 in the file' \
		'a function that is left out is missed'
}

# accesses_untold ARGUMENT...: does clang compile accesses for which it makes no
# calls?  They go to integers of sizes such as 24 and 72 bits: clang treats
# bit-fields in a row as such integers.
accesses_untold()
{
	clang -fsanitize=thread -w -S -emit-llvm -o - "$@" |
		grep -oE '(load|store)( volatile)? i[0-9]+' |
		grep -qvE ' i(1|8|16|32|64|128)$'
}

# accesses_odd ARGUMENT...: does gcc's program access anything that isn't
# aligned as its type needs?  C leaves that undefined, and the plugin counts
# such an access in one granule although it is in two.
accesses_odd()
{
	gcc -w -fsanitize=alignment -fsanitize-undefined-trap-on-error \
		-o odd "$@" || return
	timeout "$HANG" sh -c './odd; exit $?' >said.odd 2>&1 </dev/null
	[ $? -ge 128 ]
}

# csmith_include: the directory of csmith.h; false: csmith isn't installed.
csmith_include()
{
	local dir
	have csmith || return
	for dir in /usr/include/csmith* /usr/local/include/csmith*; do
		[ -e "$dir/csmith.h" ] && echo "$dir" && return
	done
	false
}

# csmith_seed SEED KIND WAY LEVEL: a program of csmith's with its globals on the
# heap, made by WAY at LEVEL: accesses_same's status; `said': a word on it, if
# the status is 3 only why there is nothing to compare.
# It may take $CSMITH_LIMIT seconds, or 1 to 2.  It hands no block over.
#	counts	all accesses are volatile, so a compiler keeps them as they are
#		written: all counts are equal, optimized or not
#	facts	with structs, unions and pointers to pointers; at -O0 counts of
#		writes are equal, and counts of reads, except of unused values
#	bits	also bit-fields: stores to them load their neighbours
csmith_seed()
{
	local seed=$1 kind=$2 way=$3 level=$4 options=-f volatile= include
	include=$(csmith_include) || return
	set -- --max-funcs 4 --max-block-depth 3 --max-array-len-per-dim 6
	case $kind in
	counts)
		set -- "$@" --no-structs --no-unions --max-pointer-depth 1
		options=-c volatile=volatile ;;
	facts) set -- "$@" --no-bitfields ;;
	bits) options=-bf ;;
	esac
	[ "$level" != -O0 ] || options=${options}cju
	[ "$kind" != counts ] || options=${options%u}
	# gcc emits no calls for structs by value.
	[ "$way" != calls ] || set -- "$@" --no-arg-structs --no-arg-unions \
		--no-return-structs --no-return-unions
	said="seed $seed, $kind, $way $level"
	timeout "$HANG" csmith --seed "$seed" "$@" >seed.c 2>/dev/null || {
		said='csmith makes none'
		return 3
	}
	perl "$NAIVE_SRC/csmith_heap.pl" $volatile <seed.c >heap.c &&
		gcc -w -O1 -I"$include" -o plain seed.c || return 2
	timeout "${CSMITH_LIMIT:-1}" ./plain >out.plain
	case $? in
	0) ;;
	124) said='runs too long'; return 3 ;;
	*) said='fails by itself'; return 3 ;;
	esac
	if [ "$way" = clang ] && accesses_untold "$level" -I"$include" heap.c; then
		said='clang makes no calls for some of its bit-fields'
		return 3
	fi
	accesses_compile "$way" heap -w "$level" -I"$include" heap.c || return 2
	accesses_same $options "${CSMITH_LIMIT:-2}" ./heap
	case $? in
	0)
		cmp out.plain out.native && cmp out.plain out.lackey &&
			grep -q ' 0 handed over' differ || return 2
		;;
	1)
		[[ $way = p* ]] && accesses_odd -I"$include" heap.c || return
		said='differs, and accesses what is not aligned as its type is'
		return 3
		;;
	3) said='runs too long with accesses, or in the simulator'; return 3 ;;
	*) return 2 ;;
	esac
}

# csmith_choose SEED: sets `kind', `way' and `level' for the seed.  Each
# combination comes up every 140 seeds.
csmith_choose()
{
	local kinds=(counts facts facts counts facts bits facts)
	local ways=(plugin calls pass clang plugin)
	kind=${kinds[$1 % 7]} way=${ways[$1 % 5]} level=-O$(($1 % 4))
	naive_ways | grep -qx "$way" || way=calls
}
