#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The cost of recording accesses, in programs for which memmon was not tuned.
# The test draws Debian packages from strangers.list and builds each one by its
# own rules, with the system's compilers and again with memmon-cc in their
# place.  Both builds run the package's test suite, one command at a time.  The
# status and the results of the tests must be equal.  The test prints the ratios
# of CPU time and memory for each package, their distribution, and the functions
# where the three worst packages spend their time.
#
#	STRANGERS=30		the number of packages
#	STRANGERS_SEED=1	a seed draws the same packages each time
#	STRANGERS_ONLY="jq ed"	test these packages
#	STRANGERS_SAMPLE=512K	run the tests again, recording samples
#				(MEMMON_SAMPLE)
#	STRANGERS_MORE=--sample	an argument for memmon-cc
#	STRANGERS_MOST=6	fail if a ratio of CPU time is larger
#	STRANGERS_TOTALS=1	print no ratios: run the tests of the plain build
#				under memmon and under memmon -l, and compare the
#				totals with an independent count in the same run
#	STRANGERS_SECONDS=1800	the time limit of one build or one test run
#	STRANGERS_DIR=dir	work in dir, and keep sources and logs there
#
# CPU time is the user and system time of the tests and of all their children,
# for example shells and make.  "own" counts only the package's own programs,
# until they call exit().  Memory is the largest resident set of these programs.
# The distribution leaves out a test suite that takes less than 0.1 s of CPU
# time.
TAP_LIMIT=${TAP_LIMIT:-86400}
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/debian.sh"

list=$MEMMON_SRC/tests/long/strangers.list MORE=${STRANGERS_MORE:-}
measure=$MEMMON_BUILD/tests/bench/measure
number=${STRANGERS:-30} seed=${STRANGERS_SEED:-1} sample=${STRANGERS_SAMPLE:-}
limit=${STRANGERS_SECONDS:-1800} totals=${STRANGERS_TOTALS:-}
dir=${STRANGERS_DIR:-$T}
mkdir -p "$dir" && dir=$(cd "$dir" && pwd) || exit 1
[ -x "$measure" ] || skip_all 'no tests/bench/measure: run make tests'
debian_ready "$(nproc)"

# drawn: $number names, in an order that the seed fixes.  A new package in the
# list doesn't change the order of the other ones.
drawn()
{
	local name rest
	grep -v '^#' "$list" | while read -r name rest; do
		echo "$(echo "$seed $name" | md5sum | cut -c 1-16) $name"
	done | sort | head -n "$number" | cut -d' ' -f2
}

# rules: makes a wrapper of dh_auto_test.  During the build, the wrapper runs no
# tests and writes the command that runs them to auto.sh.
rules()
{
	cat >bin/dh_auto_test <<-EOS
		#!/bin/bash
		[ -z "\$STRANGERS_RUN" ] || exec /usr/bin/dh_auto_test "\$@"
		{
			echo "export DH_INTERNAL_OPTIONS=\$(printf %q "\$DH_INTERNAL_OPTIONS")"
			printf '/usr/bin/dh_auto_test'
			printf ' %q' "\$@"
			echo
		} >'$PWD/auto.sh'
	EOS
	chmod +x bin/dh_auto_test
}

# made: prints the command that tests the programs of a Makefile in build/.  1:
# none.
made()
(
	cd build || exit
	for place in . build builddir build-* obj-*; do
		for target in check test; do
			grep -qsE "^$target *:" "$place/Makefile" || continue
			echo "make -C $place $target"
			exit 0
		done
	done
	exit 1
)

# recipe PACKAGE: writes tests.sh, which runs the tests in build/: the command
# in the list, the package's rules for tests, what dh_auto_test was called with,
# or `make check'.  1: there is none.
recipe()
{
	local command target
	command=$(awk -v name="$1" '$1 == name {
		sub(/^[^ \t]+[ \t]+[^ \t]+[ \t]*/, ""); print }' "$list")
	target=$(sed -nE 's/^(override_dh_auto_test(-arch)?) *:.*/\1/p' \
		build/debian/rules | tail -n 1)
	{
		echo "cd '$PWD/build' || exit 125"
		[ ! -e auto.sh ] || head -n 1 auto.sh
		if [ "$command" ]; then
			echo "$command"
		elif [ "$target" ]; then
			echo "debian/rules $target"
		elif [ -e auto.sh ]; then
			tail -n 1 auto.sh
		else
			made
		fi
	} >tests.sh
}

# in_package WAY COMMAND...: with the compilers of the way, as a package is
# built.
in_package()
{
	local way=$1
	shift
	mkdir -p "$way.mon"
	env PATH="$PWD/bin:$PATH" MEMMON_CC_QUIET=1 \
		MEMMON_OUT="$PWD/$way.mon/%p.mon" MAKEFLAGS=-Otarget \
		CTEST_OUTPUT_ON_FAILURE=1 "$@" </dev/null
}

# build PACKAGE WAY: in build/, without running tests where that is possible.
# 1: it can't be built.
build()
{
	rm -f auto.sh
	debian_compilers "$2"
	rules
	debian_unpack || return
	in_package "$2" timeout -k 10 "$limit" \
		sh -c 'cd build && debian/rules build-arch' >"$2.build.log" 2>&1
	local status=$?
	rm -rf "$2.mon"
	recipe "$1" || return
	# Rules that run tests by themselves may have failed in these.
	[ $status = 0 ] || grep -q override_dh tests.sh
}

# tests WAY LOG [COMMAND...]: runs the tests by tests.sh once, behind COMMAND.
# LOG.cpu gets the run's cost, LOG.own the cost of the package's own programs.
# The way "sampled" records samples.
tests()
{
	local way=$1 log=$2 options=${DEB_BUILD_OPTIONS/parallel=*([0-9])/parallel=1}
	local rate=
	[ "$1" != sampled ] || rate=$sample
	shift 2
	rm -f "$log.cpu" "$log.own"
	in_package "$way" env STRANGERS_RUN=1 DEB_BUILD_OPTIONS="$options" \
		USAGE_OUT="$PWD/$log.own" USAGE_UNDER="$PWD/build/" \
		${rate:+MEMMON_SAMPLE="$rate"} \
		"$measure" -r "$log.cpu" -o "$log.log" \
		timeout -k 10 "$limit" "$@" bash -c 'exec 2>&1; . ./tests.sh'
	echo $? >"$log.status"
	debian_results "$log.log" >"$log.results"
	[ -s "$log.results" ] ||
		debian_normal "$log.log" | LC_ALL=C sort >"$log.results"
	touch "$log.own"
}
shopt -s extglob

# tested WAY: runs the tests twice, since the first run compiles some of them,
# and measures the second run.
tested()
{
	tests "$1" "$1.first"
	rm -rf "$1.mon"
	tests "$1" "$1" env LD_PRELOAD="$PROG/libusage.so"
	find "$1.mon" -type f | wc -l >"$1.files"
	du -sk "$1.mon" | cut -f1 >"$1.kb"
	rm -rf "$1.mon"
}

# same WAY: prints the lines of results that two plain runs and WAY have in
# common.  The file "steady" gets the lines that the two plain runs have in
# common.
same()
{
	comm -12 plain.first.results plain.results >steady
	comm -12 steady "$1.results"
}

# ready PACKAGE N: fetches and builds the package without memmon, or skips N
# tests.
ready()
{
	mkdir -p "$dir/$1" && cd "$dir/$1" || return
	rm -rf build ./*.log ./*.mon ./*.calls ./*.results ./*.own ./*.cpu
	if [ -z "$(ls in/*.dsc 2>/dev/null)" ] && ! debian_fetch "$1"; then
		skip "$2" "$1: no source: $(tail -n 1 fetch.log)"
		return 1
	fi
	if ! debian_unpack || ! debian_needs; then
		skip "$2" "$1: a package that the build needs can't be installed"
		return 1
	fi
	build "$1" plain || {
		skip "$2" "$1: can't be built without memmon, or has no tests"
		return 1
	}
}

# alike PACKAGE WAY: the tests of the build end as those of the plain one.
alike()
{
	local result=0
	is "$(cat "$2.status")" "$(cat plain.status)" "$1: $2: status" || {
		diag "$(tail -n 20 "$2.log")"
		result=1
	}
	same "$2" >both
	is_file both steady "$1: $2: $(wc -l <steady) lines of results" ||
		result=1
	return $result
}

# one PACKAGE: compares the builds, and adds a line to $T/ratios: CPU, own,
# memory, seconds of the plain tests, package, MB plain and recorded, data
# files, their KB; with samples, again CPU, own, memory.
one()
{
	local same=1 way files=
	local ways="memmon ${sample:+sampled}" n=3
	[ -z "$sample" ] || n=5
	ready "$1" $n || return
	tested plain
	if [ "$(cat plain.status)" != 0 ] && [ ! -s plain.results ]; then
		skip $n "$1: its tests fail without memmon"
		return
	fi
	if [ ! -s plain.own ]; then
		skip $n "$1: its tests run none of its programs"
		return
	fi
	build "$1" memmon
	ok $? "$1: built with memmon-cc" || {
		diag "$(tail -n 20 memmon.build.log)"
		skip $((n - 1)) "$1: not built"
		return
	}
	for way in $ways; do
		tested "$way"
		alike "$1" "$way" || same=
	done
	# The cost for a program that behaves differently proves nothing.
	[ "$same" ] || return
	if [ "$(cat memmon.files)" = 0 ]; then
		diag "$1: its tests run no recorded program"
		return
	fi
	for way in plain $ways; do
		files+=" $way.cpu $way.own"
	done
	# shellcheck disable=SC2086
	awk -v name="$1" -v files="$(cat memmon.files)" -v kb="$(cat memmon.kb)" '
		FILENAME ~ /cpu$/ { cpu[FILENAME] = $2 }
		FILENAME ~ /own$/ {
			own[FILENAME] += $1
			if ($2 > rss[FILENAME])
				rss[FILENAME] = $2
		}
		function ratio(v, way, what) {
			return v["plain." what] > 0 ? sprintf("%.2f",
				v[way "." what] / v["plain." what]) : "-"
		}
		function ratios(way) {
			return ratio(cpu, way, "cpu") " " \
				ratio(own, way, "own") " " ratio(rss, way, "own")
		}
		END {
			print ratios("memmon"), cpu["plain.cpu"], name,
				rss["plain.own"] / 1e3, rss["memmon.own"] / 1e3,
				files, kb,
				"sampled.cpu" in cpu ? ratios("sampled") : ""
		}' $files >ratio
	cat ratio >>"$T/ratios"
	table <ratio
}

# table: lines of ratios, for a person.
table()
{
	awk '{ printf "# %-22s CPU %6s  own %6s  memory %6s  (plain %.2f s; %.1f -> %.1f MB; %d files, %d KB)\n",
		$5, $1, $2, $3, $4, $6, $7, $8, $9 }
	NF > 9 { printf "# %-22s CPU %6s  own %6s  memory %6s\n",
		"  sampled", $10, $11, $12 }'
}

# worst N: the packages with the N largest ratios of CPU time.
worst()
{
	awk '$4 >= .1 && $1 != "-"' "$T/ratios" | sort -rg | head -n "$1" |
		cut -d' ' -f5
}

# thrown_away: removes the builds except those of the three worst packages.
thrown_away()
{
	local package
	for package in $packages; do
		worst 3 | grep -qx -e "$package" ||
			rm -rf "${dir:?}/${package:?}/build" "$dir/${package:?}/bin"
	done
}

# distribution COLUMN WHAT: of the packages whose tests take long enough.
distribution()
{
	awk -v c="$1" '$4 >= .1 && $c != "" && $c != "-" { print $c, $5 }' \
		"$T/ratios" |
		sort -g | awk -v what="$2" '
		{ v[NR] = $1; name = $2; sum += log($1) }
		END {
			if (!NR)
				exit
			m = (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2
			printf "# %-14s geometric mean %.2f, median %.2f, worst %.2f (%s), of %d packages\n",
				what, exp(sum / NR), m, v[NR], name, NR
		}'
}

# hot PACKAGE: the functions where the package's own programs spend their time.
hot()
{
	cd "$dir/$1" || return
	tests memmon hot env LD_PRELOAD="$PROG/libusage.so" \
		perf record -q -e cpu-clock -o perf.data --
	perf report -i perf.data --stdio --sort comm,dso,symbol -t '|' \
		2>/dev/null >functions
	awk -F'|' -v name="$1" '
		FILENAME != "functions" {
			n = split($0, part, "/")
			own[substr(part[n], 1, 15)]
			next
		}
		/^#/ || NF < 4 { next }
		{ gsub(/ +$/, "", $2); gsub(/ +$/, "", $3); gsub(/ +$/, "", $4) }
		{ gsub(/^ +/, "", $2); gsub(/^ +/, "", $3) }
		!($2 in own) { next }
		{
			what = $3 ~ /kernel/ ? "the kernel" : $4 " in " $3
			sub(/^\[\.\] /, "", what)
			spent[what] += $1
			all += $1
		}
		END {
			printf "# %s: functions, percent of the CPU time of its programs\n", name
			for (what in spent)
				printf "#	%5.1f %s\n", 100 * spent[what] / all,
					what | "sort -k 2rg | head -n 10"
		}' hot.own functions
	rm -rf memmon.mon perf.data functions
}

# counted WAY OPTION...: the totals of each process of the tests under memmon
# with the options.
counted()
{
	local way=$1 pid file n=0 bad=0
	shift
	mkdir -p oracle
	ORACLE_OUT=$PWD/oracle/o ORACLE_OWN=1 tests plain "$way" \
		env LD_PRELOAD="$PROG/liboracle.so" \
		"$MEMMON" "$@" -o "$PWD/oracle/m.%p" --
	: >differ
	for pid in $(find oracle -name 'o.*[0-9]' | sed 's/.*\.//'); do
		# The last of several programs that one process has run.
		file=$(find oracle -regex "oracle/m\.$pid\(\.[0-9]+\)?" |
			sort -V | tail -n 1)
		[ "$file" ] || continue
		file=${file#oracle/}
		n=$((n + 1))
		want=$(cut -d' ' -f1-4 "oracle/o.$pid")
		got=$(totals "oracle/$file")
		[ "$got" = "$want" ] && continue
		bad=$((bad + 1))
		echo "$file: $("$MPREDUCE" -i "oracle/$file" |
			sed -n 's/^ *program  *//p'): $got, not $want" >>differ
	done
	[ $n -gt 0 ] && [ $bad = 0 ]
	ok $? "$package: $way: $n processes" ||
		diag "$bad of $n differ: $(head -n 5 differ)"
	is "$(cat "$way.status")" "$(cat plain.status)" "$package: $way: status"
	same "$way" >both
	is_file both steady "$package: $way: $(wc -l <steady) lines of results"
	rm -rf oracle
}

one_total()
{
	ready "$1" 6 || return
	tests plain plain.first
	tests plain plain
	if [ "$(cat plain.status)" != 0 ] && [ ! -s plain.results ]; then
		skip 6 "$1: its tests fail without memmon"
		return
	fi
	counted totals
	counted log -l
	rm -rf build
}

: >"$T/ratios"
packages=${STRANGERS_ONLY:-$(drawn)}
for package in $packages; do
	if [ "$totals" ]; then
		one_total "$package"
	else
		one "$package"
		thrown_away
	fi
	cd "$T" || exit
done
if [ ! "$totals" ]; then
	echo "# seed $seed${sample:+, samples of $sample}: by ratio of CPU time"
	sort -rg "$T/ratios" | table
	distribution 1 CPU
	distribution 2 own
	distribution 3 memory
	distribution 10 'CPU sampled'
	distribution 11 'own sampled'
	distribution 12 'memory sampled'
	if command -v perf >/dev/null; then
		for package in $(worst 3); do
			hot "$package"
		done
	fi
	cd "$T" || exit
	if [ "${STRANGERS_MOST:-}" ]; then
		is "$(awk -v most="$STRANGERS_MOST" '$4 >= .1 && $1 > most {
			print $5, $1 }' ratios)" '' \
			"no package takes more than $STRANGERS_MOST times the CPU time"
	fi
	[ "$dir" = "$T" ] || for package in $packages; do
		rm -rf "$dir/$package/build"
	done
fi
done_testing
