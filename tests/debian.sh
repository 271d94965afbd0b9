# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# Debian's source packages, for tests that build them: after tap.sh.  Each
# package has a directory, which is the working directory of these functions:
# in/ has the source package, build/ the unpacked source, bin/ the compilers.

# debian_ready JOBS: skips the test where packages can't be built.  JOBS is the
# number of commands that a build runs at a time.
debian_ready()
{
	local tool
	for tool in apt-get dpkg-source dpkg-checkbuilddeps dh; do
		command -v $tool >/dev/null || skip_all "no $tool: not Debian's way"
	done
	export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive
	export DEB_BUILD_OPTIONS="parallel=$1 nodoc"
	export DEB_BUILD_PROFILES="nodoc nopython noguile nojava noruby"
	debian_sources || skip_all "apt finds no source packages"
}

# debian_sources: if apt lacks an index of source packages, fetches one into $T
# from the server of the binary packages.  The system doesn't change.
debian_sources()
{
	local file to
	! apt-cache showsrc --only-source bzip2 2>/dev/null | grep -q . || return 0
	mkdir -p apt/parts apt/lists/partial
	for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
		[ -f "$file" ] || continue
		to=apt/parts/${file##*/}
		case $file in
		*.list) sed -n 's/^deb /deb-src /p' "$file" >"$to" ;;
		*.sources) sed 's/^Types:.*/Types: deb-src/' "$file" >"$to" ;;
		esac
	done
	cat >apt/conf <<-EOS
		Dir::Etc::sourcelist "/dev/null";
		Dir::Etc::sourceparts "$PWD/apt/parts";
		Dir::State::lists "$PWD/apt/lists";
	EOS
	debian_apt=$PWD/apt/conf
	APT_CONFIG=$debian_apt timeout 600 apt-get -qq update >apt/log 2>&1
	APT_CONFIG=$debian_apt apt-cache showsrc --only-source bzip2 2>/dev/null |
		grep -q .
}
debian_apt=${APT_CONFIG:-/dev/null}

# debian_fetch PACKAGE: the newest version that can be fetched, into in/.
debian_fetch()
(
	export APT_CONFIG=$debian_apt
	mkdir -p in && cd in || exit
	for v in $(apt-cache showsrc --only-source "$1" |
			sed -n 's/^Version: *//p' | sort -ruV); do
		apt-get -qq source --download-only "$1=$v" && exit
	done >../fetch.log 2>&1
	exit 1
)

# debian_unpack: unpacks into build/, which it removes first.
debian_unpack()
{
	rm -rf build
	dpkg-source --no-check -x in/*.dsc build >/dev/null 2>&1
}

# debian_needs: installs the packages that the source in build/ needs.
debian_needs()
(
	cd build || exit
	dpkg-checkbuilddeps -B >/dev/null 2>&1 && exit
	[ "$(id -u)" = 0 ] || exit
	apt-get -y -o DPkg::Lock::Timeout=600 -o APT::Get::Remove=false \
		--no-install-recommends build-dep . >../needs.log 2>&1
)

# debian_compilers WAY: a directory bin to go first in PATH, where all names of
# gcc and clang call memmon-cc if WAY is memmon, and the compiler itself if not.
# Each call adds a line to WAY.calls.  MORE: arguments for memmon-cc.
debian_compilers()
{
	local path name real call more
	rm -rf bin && mkdir bin
	for path in /usr/bin/*; do
		name=${path##*/}
		[[ $name =~ ^([a-z0-9_]+-linux-gnu-)?(gcc|g\+\+)(-[0-9]+)?$ ||
			$name =~ ^(cc|c\+\+|clang(\+\+)?(-[0-9]+)?)$ ]] ||
			continue
		real=$path call=$path more=
		if [ "$1" = memmon ]; then
			call=$MEMMON_BUILD/memmon-cc
			[[ $name != *++* ]] || call=$MEMMON_BUILD/memmon-c++
			more=${MORE:-}
		fi
		cat >"bin/$name" <<-EOS
			#!/bin/sh
			echo "\$*" >>'$PWD/$1.calls'
			export MEMMON_CC='$real' MEMMON_CXX='$real'
			exec '$call' $more "\$@"
		EOS
		chmod +x "bin/$name"
	done
}

# debian_normal [FILE...]: the lines, without the parts that differ from run to
# run.
debian_normal()
{
	sed -E -e "s|$PWD|DIR|g" -e 's/\r//g' -e 's/\x1b\[[0-9;]*m//g' \
		-e 's/ *[0-9]+([ ,.]*[0-9]+)* *(sec|secs|seconds|ms|us|ns|s)\b/ N \2/g' \
		-e 's/(remaining|duration): [0-9:]+/\1 N/g' \
		-e 's|/tmp/[A-Za-z0-9._-]{6,}|TMP|g' \
		-e 's/\b(cc|tmp)[A-Za-z0-9]{6}\b/TMP/g' \
		-e 's/[Tt]ime[: =]+[0-9.]+/time N/g' "$@"
}

# debian_results LOG: the lines of test suites, sorted: automake, CTest,
# googletest, TAP, and hand-written forms.
debian_results()
{
	debian_normal "$1" |
		grep -vE '^([Cc]hecking|--) |[^ ]+: (warning|note):' |
		grep -E "$results" | LC_ALL=C sort
}
results='^(X?PASS|X?FAIL|SKIP|ERROR|# [A-Z]+): |^(not )?ok\b|^ *[0-9]+/[0-9]+ Test'
results="$results"'|tests? (passed|failed|errors|ran)|tests from|^\[ +[A-Z]+ +\]'
results="$results"'|[Pp]ass(ed)?\b|[Ff]ail(ed|ure|ures)?\b|\.\.\. ?(ok|Ok|OK)$'
results="$results"'|\b(PASS|FAIL)(ED)?\b|\b(OK|Ok|ok)\b|[0-9]+ errors? out of|[0-9]+ tests|^Running test'
