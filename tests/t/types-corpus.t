#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Types of what programs allocate, guessed from their debug information and
# code, against the truth, which stands in the sources of tests/corpus: shares
# of sites right, wrong and unknown.  With CORPUS_LIST=1 in the environment each
# site that isn't right is listed.
. "${MEMMON_SRC:-.}/tests/tap.sh"
C=$MEMMON_SRC/tests/corpus
declare -A compiler=([gcc]=gcc [clang]=clang [g++]=g++ [clang++]=clang++)

# What is right at least, in percent of the sites; wrong may be 2 at most.
declare -A floor=(
	[gcc-O0]=0 [gcc-O2]=0 [clang-O0]=0 [clang-O2]=0
	[g++-O0]=0 [g++-O2]=0 [clang++-O0]=0 [clang++-O2]=0
)

# build COMPILER LEVEL: run all of the corpus in its language.
build()
{
	local cc=$1 level=$2 source name flags="-std=gnu11 -D_GNU_SOURCE" end=c
	case $cc in *++) end=cc flags=-std=c++17 ;; esac
	for source in "$C"/*.$end; do
		[ -e "$source" ] || continue
		name=$cc$level-${source##*/}
		# shellcheck disable=SC2086
		$cc $flags -g $level -o "$name" "$source" -pthread \
			>"$name.log" 2>&1 || { echo "$name" >>failed; continue; }
		"$MEMMON_BUILD/memmon" -o "$name.out" "./$name" >"$name.log" \
			2>&1 || { echo "$name" >>failed; continue; }
		"$MEMMON_BUILD/tests/sitetypes" "./$name" "$name.out" \
			>"$name.sites" 2>>"$name.log" || echo "$name" >>failed
		awk -v corpus="$C/" -f "$C/compare.awk" "$source" \
			"$name.sites" >"$name.got"
	done
}

# share OF ALL: in percent, with one digit.
share()
{
	awk "BEGIN { printf \"%.1f\", $2 ? 100 * $1 / $2 : 0 }"
}

: >failed
have=()
for cc in gcc g++ clang clang++; do
	command -v "${compiler[$cc]}" >/dev/null || continue
	for level in -O0 -O2; do
		have+=("$cc$level")
		build "$cc" "$level" &
	done
	wait
done
[ "${#have[@]}" -gt 0 ] || skip_all "no compiler"
is "$(sort failed | xargs)" "" "all of the corpus can be compiled and run" ||
	diag "$(while read -r f; do cat "$f.log"; done <failed)"
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
	awk "BEGIN { exit !($all && $right >= ${floor[$which]}) }"
	ok $? "$which: ${floor[$which]} % are right" || diag "$right"
	awk "BEGIN { exit !($wrong < 2) }"
	ok $? "$which: less than 2 % are wrong" ||
		diag "$(grep ^wrong all)"
done
echo "# $total sites in all"
done_testing
