#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Debian's source packages, built and tested by their own rules, once with the
# compilers of the system and once with memmon-cc in their place, in the same
# directory.  Configuration, diagnostics, status and every result of the tests
# must be the same, and mpreduce must read the files of the second run.
#
#	PACKAGES="zlib jq"	these, in place of the list below
#	PACKAGES_DIR=dir	the place; keeps logs, facts and data files
#	PACKAGES_SECONDS=n	the most that one build may take (7200)
#	PACKAGES_JOBS=n		the number of commands at a time (2)
#
# Other variables, for example MEMMON_WAY=calls, reach memmon-cc.
TAP_LIMIT=${TAP_LIMIT:-86400}
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/debian.sh"

: "${PACKAGES=zlib bzip2 expat libpng1.6 libyaml jansson lua5.4 tinyxml2 snappy
	jq file libjsoncpp fmtlib xz-utils gawk re2 sqlite3 curl protobuf}"
limit=${PACKAGES_SECONDS:-7200}
dir=${PACKAGES_DIR:-$T}
mkdir -p "$dir" && dir=$(cd "$dir" && pwd) || exit 1

# Where Debian's rules run no tests, or hours of them: $target in place of
# build-arch, and $after, in the source's directory.
rules_for()
{
	target=build-arch after=:
	case $1 in
	expat) after='make -C build check' ;;
	sqlite3)
		target=
		after='mkdir t && cd t && ../configure --enable-all &&
			make fuzzcheck testfixture &&
			./fuzzcheck ../test/fuzzdata*.db && for t in ../test/{\
select?,join*,where?,trans,alter,expr,func,index*,insert*,json10*,window?,fts3aa,\
fts3ab,rtree*,trigger*,view,update,delete*,savepoint,vacuum,cast,collate*,in*}.test
			do ./testfixture $t || exit; done' ;;
	re2) # Without the exhaustive ones, and of one library.
		target=
		after='make REBUILD_TABLES=1 static-test' ;;
	protobuf) # Those of the lite library.
		target=
		after='autoreconf -fi && ./configure --disable-shared \
			$(command -v protoc >/dev/null && echo --with-protoc=protoc) &&
			make -C src protobuf-lite-test protobuf-lite-arena-test &&
			src/protobuf-lite-test && src/protobuf-lite-arena-test' ;;
	curl) # Without the transfers, and once, not by three names.
		target=
		DEB_BUILD_PROFILES="$DEB_BUILD_PROFILES nocheck \
			pkg.curl.openssl-only"
		after='for p in 99_nss 90_gnutls
			do patch -Rsp1 <debian/patches/$p.patch || exit; done
			autoreconf -fi && ./configure --enable-debug \
			--without-ssl --disable-shared &&
			make "CHECKSRC=:||" && for d in server unit; do
			make -C tests/$d "CHECKSRC=:||" || exit; done &&
			cd tests && USER=root ./runtests.pl -a -n \
				1300 to 1399 1600 to 1699' ;;
	esac
}

debian_ready "${PACKAGES_JOBS:-2}"

# build PACKAGE WAY: by debian/rules, in build/; the log is WAY.log.
build()
(
	export MEMMON_CC_QUIET=1 MEMMON_OUT="$PWD/$2.mon/%p.mon"
	export MAKEFLAGS=-Otarget CTEST_OUTPUT_ON_FAILURE=1
	debian_compilers "$2"
	export PATH=$PWD/bin:$PATH
	rules_for "$1"
	rm -rf "$2.mon" && mkdir "$2.mon"
	debian_unpack && cd build || exit
	{
		[ ! "$target" ] ||
			timeout -k 10 "$limit" debian/rules "$target" &&
			timeout -k 10 "$limit" bash -c "$after"
	} >"../$2.log" 2>&1 </dev/null
)

# facts WAY: the facts that must be the same, from the log and the tree.
facts()
{
	mkdir "$1.facts"
	debian_normal "$1.log" | grep -E '^([Cc]hecking .*\.\.\.|-- )' |
		LC_ALL=C sort >"$1.facts/configuration"
	(
		cd build || exit
		find . -name config.log -print0 | sort -z | xargs -0r \
			sed -n '/^## Cache var/,/^configure: exit/p'
		find . -name CMakeCache.txt -print0 | sort -z | xargs -0r cat
		find . -path '*/CMakeFiles/*/CMakeC*Compiler.cmake' -print0 |
			sort -z | xargs -0r cat
	) | debian_normal >"$1.facts/variables"
	debian_normal "$1.log" | grep -E \
		'(warning|error|note|Error|Warning)( [0-9]+)?:|memmon|\*\*\* ' |
		LC_ALL=C sort >"$1.facts/diagnostics"
	debian_results "$1.log" >"$1.facts/results"
}

# readable: mpreduce reads each of some of the data files, big and small,
# without a complaint.  It may print that types of very many paths are not
# derived.
readable()
{
	local file exe
	find memmon.mon -type f -printf '%s %p\n' | sort -n |
		awk '{ f[NR] = $2 } END { for (i = NR; i > 0 && i > NR - 10; i--)
			print f[i]; for (k = 1; k <= 30; k++) if (NR > 40)
			print f[int(k * (NR - 10) / 30)] }' >sample
	: >reading
	while read -r file; do
		"$MPREDUCE" -i "$file" >info 2>>reading ||
			echo "$file: status $? with -i" >>reading
		exe=$(sed -n 's/^  program  *//p' info)
		[ -x "$exe" ] || continue
		"$MPREDUCE" "$exe" "$file" >/dev/null 2>err ||
			echo "$file: $exe: status $?" >>reading
		grep -v "types are not derived" err | sed "s|^|$file: |" >>reading
	done <sample
	[ ! -s reading ]
}

one()
{
	local way
	mkdir -p "$dir/$1" && cd "$dir/$1" || return
	rm -rf build ./*.facts ./*.log ./*.mon ./*.calls
	[ -n "$(ls in/*.dsc 2>/dev/null)" ] || debian_fetch "$1" || {
		skip 6 "$1: no source: $(tail -n 1 fetch.log)"
		return
	}
	debian_unpack
	(rules_for "$1" && debian_needs) || {
		skip 6 "$1: what it is built with isn't installed"
		return
	}
	for way in plain memmon; do
		build "$1" $way
		echo $? >$way.status
		facts $way
		[ "$(cat plain.status)" = 0 ] || [ -s plain.facts/results ] || {
			skip 6 "$1: not built by the system's compilers"
			return
		}
	done
	is "$(cat memmon.status)" "$(cat plain.status)" "$1: status"
	[ "$(cat plain.status)" = 0 ] || diag "$1: fails with any compiler"
	is_file memmon.facts/configuration plain.facts/configuration \
		"$1: $(wc -l <plain.facts/configuration) lines of configuration"
	is_file memmon.facts/variables plain.facts/variables \
		"$1: $(wc -l <plain.facts/variables) lines of what was found out"
	is_file memmon.facts/diagnostics plain.facts/diagnostics \
		"$1: $(wc -l <plain.facts/diagnostics) diagnostics"
	if [ -s plain.facts/results ]; then
		is_file memmon.facts/results plain.facts/results \
			"$1: $(wc -l <plain.facts/results) lines of results"
	else
		skip 1 "$1: no tests are run"
	fi
	readable && [ -s sample ]
	ok $? "$1: $(find memmon.mon -type f | wc -l) data files, by \
$(wc -l <memmon.calls) commands of memmon-cc: $(wc -l <sample) read" ||
		diag "$(head -n 40 reading)"
	[ "$dir" != "$T" ] || rm -rf "${T:?}/$1"
}

for package in $PACKAGES; do
	one "$package"
	cd "$T" || exit
done
done_testing
