#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Guesses the types of allocations from the debug information and code of
# programs, and compares them with the sources of tests/corpus, which state the
# true types: shares of sites right, wrong and unknown.  With CORPUS_LIST=1 in
# the environment each site that isn't right is listed.
. "${MEMMON_SRC:-.}/tests/tap.sh"
export C=$MEMMON_SRC/tests/corpus

# The least number of right sites, in percent of all; at most 2 percent may be
# wrong.
declare -A floor=(
	[gcc-O0]=96 [gcc-O2]=95 [clang-O0]=96 [clang-O2]=95
	[g++-O0]=97 [g++-O2]=96 [clang++-O0]=97 [clang++-O2]=97
	[libc++-O2]=93
)

# Some types of C programs come from the C library's own debug information.
less=0
[ -d /usr/lib/debug/.build-id ] || less=1

# compiler NAME: its command; libc++ is clang with another library.
compiler()
{
	case $1 in
	libc++) echo "clang++ -stdlib=libc++" ;;
	*) echo "$1" ;;
	esac
}

# build NAME LEVEL SOURCE: run it and compare.
build()
{
	local name=$1 level=$2 source=$3 out cc flags="-std=gnu11 -D_GNU_SOURCE"
	case $name in *++) flags=-std=c++17 ;; esac
	cc=$(compiler "$name")
	out=$name$level-${source##*/}
	# shellcheck disable=SC2086
	{
		$cc $flags -g $level -o "$out" "$source" -pthread &&
			"$MEMMON_BUILD/memmon" -o "$out.out" "./$out" &&
			"$MEMMON_BUILD/tests/sitetypes" "./$out" "$out.out" \
				>"$out.sites"
	} >"$out.log" 2>&1 || echo "$out" >>failed
	awk -v corpus="$C/" -f "$C/compare.awk" "$source" "$out.sites" \
		>"$out.got"
	rm -f "$out" "$out.out"
}
export -f build compiler

# share OF ALL: in percent, with one digit.
share()
{
	awk "BEGIN { printf \"%.1f\", $2 ? 100 * $1 / $2 : 0 }"
}

# Does the compiler work?
works()
{
	case $1 in
	*++) echo '#include <string>' >try.cc ;;
	*) echo 'int a;' >try.c ;;
	esac
	# shellcheck disable=SC2046
	$(compiler "$1") -c -o try.o try.c* >/dev/null 2>&1 && rm try.*
}

: >failed
: >missing
have=()
for cc in gcc g++ clang clang++ libc++; do
	works $cc || { echo "$cc" >>missing; continue; }
	case $cc in *++) end=cc ;; *) end=c ;; esac
	for level in -O0 -O2; do
		[ "$cc$level" != libc++-O0 ] || continue
		# Each language once, by the compiler that is used to build
		# programs.
		case $cc$level in
		gcc-O2 | g++-O2) ;;
		*) exhaustive || continue ;;
		esac
		have+=("$cc$level")
		printf '%s\n' "$C"/*."$end" | sed "s/^/$cc $level /"
	done
done >todo.list
xargs -P "$(nproc)" -L 1 bash -c 'build "$@"' _ <todo.list
[ "${#have[@]}" -gt 0 ] || skip_all "no compiler"
is "$(sort failed | xargs)" "" "all of the corpus can be compiled and run" ||
	diag "$(while read -r f; do cat "$f.log"; done <failed)"
while read -r cc; do
	skip 1 "no $(compiler "$cc")"
done <missing
total=0
for which in "${have[@]}"; do
	cat "$which"-*.got >all 2>/dev/null || continue
	declare -A n=([right]=0 [wrong]=0 [unknown]=0 [nobody]=0)
	while read -r verdict count; do
		n[$verdict]=$count
	done < <(cut -f 1 all | sort | uniq -c | awk '{ print $2, $1 }')
	all=$((n[right] + n[wrong] + n[unknown]))
	total=$((total + all))
	right=$(share "${n[right]}" $all) wrong=$(share "${n[wrong]}" $all)
	echo "# $which: $all sites, right $right %, wrong $wrong %," \
		"unknown $(share "${n[unknown]}" $all) %"
	[ -z "${CORPUS_LIST:-}" ] || grep -v ^right all | sed 's/^/# /'
	is "$(grep ^nobody all)" "" "$which: the truth is known of every site"
	least=$((floor[$which] - less))
	awk "BEGIN { exit !($all && $right >= $least) }"
	ok $? "$which: $least % are right" || diag "$right"
	awk "BEGIN { exit !($wrong < 2) }"
	ok $? "$which: less than 2 % are wrong" ||
		diag "$(grep ^wrong all)"
done
echo "# $total sites in all"

# Another machine: its calls of operator new, with the size that is a constant
# before the call.
# shellcheck disable=SC2016
sizes='
/mov.*[wx]0, #0x/ { size = $0; sub(/.*#/, "", size); sub(/[ ].*/, "", size) }
hit { sub(/:/, "", $1); print $1, size; hit = 0; size = 0 }
/bl.*<_Znwm@plt>/ { hit = 1 }'
cross=aarch64-linux-gnu
if command -v $cross-g++ $cross-objdump >/dev/null; then
	for level in -O0 -O2; do
		$cross-g++ -std=c++17 -g $level -o cross "$C/shapes.cc"
		$cross-objdump -d --no-show-raw-insn cross | awk "$sizes" >calls.list
		# shellcheck disable=SC2046
		"$MEMMON_BUILD/tests/sitetypes" -a cross $(cat calls.list) >sites
		awk -v corpus="$C/" -f "$C/compare.awk" "$C/shapes.cc" \
			sites >got
		is "$(grep ^wrong got)" "" "aarch64$level: none is wrong"
		right=$(grep -c ^right got)
		ok $((right < 28)) "aarch64$level: most are right ($right)"
	done
else
	skip 4 "no $cross-g++"
fi
done_testing
