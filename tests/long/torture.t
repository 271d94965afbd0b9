#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# gcc's own torture suite, compiled by memmon-cc and memmon-c++.  They compile
# all programs that gcc compiles, and each program has the same output and
# status as without them.  A program that gcc refuses, that crashes or that
# doesn't end without memmon is left out and counted.
#
# The suite is in Debian's package gcc-N-source.
#
#	TORTURE_LEVELS	"-O0,-O1,-O2,-O3,-Os,-O2 -flto", or some of them, or
#			others
#	TORTURE_EVERY	N: every Nth file only
#	TORTURE_WAY	plugin, calls, or pass: by clang, and without -flto
#	TORTURE_ONLY	a pattern: files whose name matches it
#	TORTURE_SRC	gcc/testsuite of a source tree, in place of the package
#	TORTURE_JOBS	the number of files at a time, 2
#	TORTURE_LOG	a file for the outcome of each
export TAP_LIMIT=${TAP_LIMIT:-14400}
. "${MEMMON_SRC:-.}/tests/tap.sh"

WAY=${TORTURE_WAY:-plugin} family=gcc
LEVELS='-O0,-O1,-O2,-O3,-Os,-O2 -flto'
if [ "$WAY" = pass ]; then
	family=clang LEVELS=${LEVELS%,*}
	GCC=${MEMMON_GCC:-clang} GXX=${MEMMON_GXX:-clang++}
else
	GCC=${MEMMON_GCC:-gcc} GXX=${MEMMON_GXX:-g++}
fi
PLUGIN=$MEMMON_BUILD/plugin/$family-$("$GCC" -dumpversion |
	sed 's/[.].*//')/memmon.so
[ "$WAY" = calls ] || [ -f "$PLUGIN" ] || skip_all "no plugin for $GCC"

SUITE=${TORTURE_SRC:-}
if [ -z "$SUITE" ]; then
	tarball=$(ls /usr/src/gcc-*/gcc-[0-9]*.tar.* 2>/dev/null | tail -1)
	[ "$tarball" ] || skip_all 'no gcc-N-source'
	tar -xf "$tarball" --wildcards '*/gcc/testsuite/gcc.c-torture' \
		'*/gcc/testsuite/g++.dg/torture' ||
		{ echo "Bail out! can't read $tarball"; exit 1; }
	SUITE=$(echo "$PWD"/*/gcc/testsuite)
fi

# Files that aren't run: the reason is printed, and they are compiled.
cat >exceptions <<'X'
gcc.c-torture/execute/builtins/	each aborts if a call isn't expanded inline, and needs two files more
X

# list: a line "run or compile, file, its options" for each.
list()
(
	cd "$SUITE" && find gcc.c-torture/execute gcc.c-torture/compile \
		g++.dg/torture -name '*.[cC]' | LC_ALL=C sort |
	perl -ne 'chomp; my $f = $_; open F, $f or die; my ($o, $do) = ("", "");
		next if $f =~ m{-lib\.c$|builtins/lib/};
		while (<F>) {
			$do = $1 if /\bdg-do\s+(\S+)/;
			next unless /\bdg-(?:additional-)?options\s+
				(?:"([^"]*)"|(\S+))\s*(?:\{(.*?)\})?/x;
			my ($text, $for) = ($1 // $2, $3 // "");
			$o .= " $text" if $for !~ /target|\*/ ||
				$for =~ /86|lp64|native|c\+\+/;
		}
		my $run = $f =~ m{/execute/} ? $do !~ /compile|assemble|link/
					     : $do eq "run";
		print $run ? "run" : "compile", "\t$f\t$o\n"'
)

# build OUT FILE FLAG...: by memmon if MEMMON is set.
build()
{
	local out=$1 file=$2 cc=$GCC
	shift 2
	case $file in *.C) cc=$GXX ;; esac
	case ${MEMMON:-} in
	wrapper)
		case $file in
		*.C) cc=$MEMMON_BUILD/memmon-c++ ;;
		*) cc=$MEMMON_BUILD/memmon-cc ;;
		esac ;;
	direct) # memmon-cc takes -flto back
		set -- -fplugin="$PLUGIN" -Xlinker --no-as-needed \
			"$MEMMON_BUILD/libmemmon-access.so" \
			-Xlinker -rpath="$MEMMON_BUILD" "$@" ;;
	esac
	timeout 300 "$cc" -w "$@" -o "$out" "$SUITE/$file" -lm
}

# run PROGRAM: its output, without addresses, and its status.
run()
{
	timeout 60 "./$1" </dev/null >"$1.out" 2>"$1.err"
	echo "status $?" >>"$1.out"
	sed -i 's/0x[0-9a-f]*/ADDRESS/g' "$1.out" "$1.err"
}

# one LEVEL KIND FILE OPTIONS: prints the outcome.  A program that ends with 0
# and prints nothing has found its results right: otherwise it aborts.
one()
{
	local level=$1 kind=$2 file=$3 options=$4 how=wrapper
	case $WAY$level in plugin*-flto*) how=direct ;; esac
	# shellcheck disable=SC2086
	set -- $level $options
	[ "$kind" = run ] || set -- "$@" -c
	if MEMMON=$how build ours "$file" "$@" >said 2>&1; then
		[ "$kind" = run ] || { echo equal; return; }
		run ours 2>/dev/null
		[ "$(cat ours.out ours.err)" != 'status 0' ] ||
			{ echo equal; return; }
	fi
	build plain "$file" "$@" >/dev/null 2>&1 || { echo left; return; }
	[ -f ours ] || { echo "FAILED: $(grep -m1 -i error said)"; return; }
	run plain 2>/dev/null
	! grep -Eq '^status (124|1[3-9][0-9])$' plain.out ||
		{ echo left; return; }
	cmp -s plain.out ours.out && cmp -s plain.err ours.err ||
		{ echo "FAILED: $(tail -n1 ours.out)"; return; }
	echo equal
}

# some LEVEL LINE...: lines of the list, in a directory of their own.
some()
{
	local level=$1 dir kind file options
	shift
	dir=$(mktemp -d "$T/some.XXXXXX") && cd "$dir" || exit 1
	for line; do
		IFS=$'\t' read -r kind file options <<<"$line"
		printf '%s\t%s\t%s\n' "$(one "$level" "$kind" "$file" \
			"$options")" "$kind" "$file"
		rm -rf "${dir:?}"/*
	done >"$dir.result"
	cd .. && rmdir "$dir"
}
export -f build run one some
export GCC GXX PLUGIN SUITE T WAY MEMMON_CC_QUIET=1
export MEMMON_WAY=${WAY/pass/plugin}
export MEMMON_CC=$GCC MEMMON_CXX=$GXX

list >all
while IFS=$'\t' read -r what _; do
	sed -i "s|^run\(\t$what\)|compile\1|" all
done <exceptions
grep -e "${TORTURE_ONLY:-.}" all | awk -v n="${TORTURE_EVERY:-1}" \
	'NR % n == 0' >chosen
[ -s chosen ]
ok $? "the suite is there: $(wc -l <all) files, $(wc -l <chosen) taken"
while IFS=$'\t' read -r what why; do
	echo "# compiled only: $what: $why"
done <exceptions

IFS=, read -ra levels <<<"${TORTURE_LEVELS:-$LEVELS}"
for level in "${levels[@]}"; do
	rm -f some.*
	# With -flto the plugin works at the link only.
	case $WAY$level in
	plugin*-flto*) grep '^run' chosen ;;
	*) cat chosen ;;
	esac >now
	tr '\n' '\0' <now | xargs -0 -P "${TORTURE_JOBS:-2}" -n 40 \
		bash -c 'some "$@"' some "$level" 2>/dev/null
	cat some.*.result >results
	[ -z "${TORTURE_LOG:-}" ] || sed "s/^/$level\t/" results >>"$TORTURE_LOG"
	for kind in compile run; do
		echo "# $level, $kind: $(awk -F'\t' -v kind=$kind '
			$2 == kind { n++; if ($1 == "left") left++
				if ($1 == "equal") equal++ }
			END { printf "%d tried, %d left out, %d equal", n, left,
				equal }' results)"
	done
	! grep '^FAILED' results >failed && [ -s results ] &&
		[ "$(wc -l <results)" -eq "$(wc -l <now)" ]
	ok $? "$WAY, $level" || diag "$(cat failed)"
done
done_testing
