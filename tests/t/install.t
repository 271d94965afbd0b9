#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs into a DESTDIR; builds programs with pkg-config's flags and nothing
# else, shared and static; runs them and reads their files; then uninstalls.
. "${MEMMON_SRC:-.}/tests/tap.sh"
dest=$T/dest prefix=${prefix:-/usr/local}
widgets=$MEMMON_SRC/tests/prog/widgets.c

run_make()
{
	make -C "$MEMMON_SRC" O="$MEMMON_BUILD" CC="$CC" \
		${CFLAGS:+CFLAGS="$CFLAGS"} ${WERROR:+WERROR="$WERROR"} \
		DESTDIR="$dest" prefix=$prefix "$@" >log 2>&1
}

run_make install
ok $? "make install" || diag "$(cat log)"
for file in bin/memmon bin/mpreduce lib/libmemmon.so lib/libmemmon.so.0 \
	lib/libmemmon.a lib/pkgconfig/memmon.pc include/memmon.h include/memmon.hpp \
	lib/cmake/memmon/memmon-config{,-version}.cmake share/man/man1/memmon-c++.1 \
	share/man/man1/memmon.1 share/man/man1/mpreduce.1 \
	share/man/man3/libmemmon.3 share/man/man5/mon.out.5 \
	share/man/man7/{memmon{,-faq,-lisp,-mpi},mpreduce-{formats,queries,tables}}.7 \
	share/doc/memmon/MIT.txt \
	share/bash-completion/completions/{memmon,mpreduce} \
	share/zsh/site-functions/_{memmon,mpreduce}; do
	[ -s "$dest$prefix/$file" ]
	ok $? "$file is installed"
done

# Lines for a debugger, which packages store separately.
: >plain
[[ " ${CFLAGS:-} " != *" -g "* ]] ||
	find "$dest" -name '*.so*' -type f | while read -r file; do
		readelf -SW "$file" | grep -q '[.]debug_line' || echo "$file"
	done >plain
is "$(cat plain)" "" "shared objects have their lines"

# Each file goes into some package, except the files only for MPI, and the
# documents, which packages have elsewhere.
# packed NAME PATTERN...: each file is one of these, or below one.
packed()
{
	local name=$1 file pattern
	shift
	: >left
	while read -r file; do
		for pattern in "$@"; do
			# shellcheck disable=SC2053
			[[ $file != $pattern && $file != $pattern/* ]] || continue 2
		done
		echo "$file" >>left
	done < <(cd "$dest$prefix" && find . ! -type d ! -path './share/doc/*' \
		! -name mpreduce-mpi | sed 's,^[.],/usr,; s,/lib/,/lib/x/,')
	is "$(cat left)" "" "all files are in $name's packages"
}
mapfile -t patterns < <(sed 's,^,/,' "$MEMMON_SRC"/.ci/debian/*.install)
packed Debian "${patterns[@]}"
mapfile -t patterns < <(sed -n 's/^%dir .*//; s,%{_bindir},/usr/bin,
	s,%{_libdir},/usr/lib/x,; s,%{_includedir},/usr/include,
	s,%{_mandir},/usr/share/man,; s,%{_datadir},/usr/share,
	/^\/usr\//p' "$MEMMON_SRC/.ci/memmon.spec")
packed rpm "${patterns[@]}"

# Both are built with all unit programs.
run_make -n check-unit
is "$(grep ' prove ' log | grep -o ' [^ ]*/unit/t_[a-z0-9_]*' | sed 's,.*/,,' |
	sort)" "$(cd "$MEMMON_SRC/tests/unit" && printf '%s\n' t_*.c |
	sed 's/[.]c$//' | sort)" "make check-unit runs all of unit/"
is "$(grep -l check-unit "$MEMMON_SRC"/.ci/{debian/rules,memmon.spec} | wc -l)" \
	2 "... which packages do"

if ! command -v pkg-config >/dev/null; then
	skip 1 "no pkg-config"
	done_testing
	exit
fi

export PKG_CONFIG_LIBDIR=$dest$prefix/lib/pkgconfig
export PKG_CONFIG_SYSROOT_DIR=$dest
unset PKG_CONFIG_PATH
pkg-config --validate memmon
ok $? "memmon.pc is valid"
read -ra cflags <<<"$(pkg-config --cflags memmon)"
read -ra libs <<<"$(pkg-config --libs memmon)"
read -ra static <<<"$(pkg-config --static --libs memmon)"
is "${libs[*]}" "-L$dest$prefix/lib -lmemmon" "pkg-config --libs"

# check NAME EXE: runs the widgets and reads their file.  In a static program
# the C library may have a block or two of its own: 99 percent.
check()
{
	local name=$1 exe=$2
	rm -f mon.out
	LD_LIBRARY_PATH=$dest$prefix/lib "./$exe"
	is $? 0 "$name: runs"
	"$dest$prefix/bin/mpreduce" "./$exe" mon.out >out 2>err
	is $? 0 "$name: mpreduce reads its file" || diag "$(cat err)"
	like "$(grep -m 1 '^ *204 ' out)" \
		'^ +204 +10000 +2040000 \((\*\*|99)\) +4981 +1023876 ' \
		"$name: the bin of the widgets"
	like "$(cat out)" \
		'1023876.*\|\| > main > make_red_widget > make_widget' \
		"$name: the leak"
}

"$CC" -g "${cflags[@]}" -o shared "$widgets" "${libs[@]}"
ok $? "a shared link"
check "shared link" shared

cat >version.c <<'EOF'
#include <memmon.h>
#include <string.h>
int
main(int argc, char **argv)
{
	return argc != 2 || strcmp(memmon_version(), argv[1]) != 0;
}
EOF
"$CC" "${cflags[@]}" -o version version.c "${libs[@]}"
ok $? "a program with memmon.h"
LD_LIBRARY_PATH=$dest$prefix/lib ./version "$(pkg-config --modversion memmon)"
ok $? "the library is of pkg-config's version"

if "$CC" -g -static "${cflags[@]}" -o static "$widgets" "${static[@]}" \
	2>err; then
	ok 0 "a static link"
	check "static link" static
	"$CC" -static "${cflags[@]}" -o version version.c "${static[@]}"
	ok $? "a static program that doesn't allocate"
	./version "$(pkg-config --modversion memmon)"
	ok $? "... runs"
else
	ok 1 "a static link"
	diag "$(cat err)"
fi

# The same by CMake.
cat >CMakeLists.txt <<'EOF'
cmake_minimum_required(VERSION 3.13)
project(scratch C)
find_package(memmon 0.1 REQUIRED)
add_executable(by-cmake widgets.c)
target_link_libraries(by-cmake memmon::memmon)
add_executable(by-cmake-static widgets.c)
target_link_libraries(by-cmake-static memmon::static)
EOF
cp "$widgets" widgets.c
if command -v cmake >/dev/null; then
	cmake -DCMAKE_C_COMPILER="$CC" -DCMAKE_C_FLAGS=-g -B cmake \
		-DCMAKE_PREFIX_PATH="$dest$prefix" . >log 2>&1 &&
		cmake --build cmake >>log 2>&1
	ok $? "find_package(memmon)" || diag "$(cat log)"
	check "CMake" cmake/by-cmake
	check "CMake, static" cmake/by-cmake-static
	sed -i 's/memmon 0.1/memmon 9/' CMakeLists.txt
	cmake -DCMAKE_PREFIX_PATH="$dest$prefix" -B other . >log 2>&1
	ok $((!$?)) "... not as a version that isn't there yet"
else
	skip 10 'no cmake'
fi

# Meson asks either of them.
cat >meson.build <<'EOF'
project('scratch', 'c')
executable('by-meson', 'widgets.c',
	dependencies: dependency('memmon', method: get_option('how')))
EOF
echo "option('how', type: 'string')" >meson_options.txt
for how in pkg-config cmake; do
	if command -v meson >/dev/null && command -v ninja >/dev/null &&
		command -v "$how" >/dev/null; then
		CFLAGS=-g meson setup "-Dhow=$how" \
			-Dcmake_prefix_path="$dest$prefix" "meson-$how" >log 2>&1 &&
			ninja -C "meson-$how" >>log 2>&1
		ok $? "Meson, by $how" || diag "$(cat log)"
		check "Meson, by $how" "meson-$how/by-meson"
	else
		skip 5 "no meson, or no $how"
	fi
done

rm -f mon.out
MEMMON_OUT=there.out "$dest$prefix/bin/memmon" /bin/true
is "$([ -s there.out ] && echo written)" written \
	"memmon finds its library below another root"

run_make uninstall
ok $? "make uninstall" || diag "$(cat log)"
is "$(find "$dest" ! -type d)" "" "... leaves no file"
is "$(find "$dest" -name 'memmon*')" "" "... and no directory of its own"
# Without root, sudo and a tool that some tests need: these skip, no more.
mkdir bin
IFS=: read -ra dirs <<<"$PATH"
for dir in "${dirs[@]}"; do
	ln -s "$dir"/* bin 2>/dev/null
done
rm -f bin/jq bin/sudo bin/id
printf '#!/bin/sh\necho 1000\n' >bin/id
chmod +x bin/id
if command -v apt-get >/dev/null && "$MEMMON_SRC/.ci/deps" probe 2>/dev/null; then
	like "$(PATH=$T/bin "$MEMMON_SRC/.ci/deps" check 2>&1; echo "$?")" \
		$'^memmon: goes on without .*jq.*\n0$' 'a tool of tests that is missing'
	rm bin/prove
	like "$(PATH=$T/bin "$MEMMON_SRC/.ci/deps" check 2>&1; echo "$?")" \
		$'apt-get install .*\n1$' 'what runs the tests is needed'
	# As root of a system without a compiler.
	rm bin/{id,gcc,apt-get,apt-cache}
	printf '#!/bin/sh\necho 0\n' >bin/id
	printf '#!/bin/sh\n[ "$1" = update ] || cp later bin/gcc\n' >bin/apt-get
	printf '#!/bin/sh\n[ "$1" != -print-file-name=plugin ] || exit\n%s "$@"\n' \
		"exec '$(command -v gcc)'" >later
	printf '#!/bin/sh\n' >bin/apt-cache
	chmod +x later bin/{id,apt-get,apt-cache}
	like "$(CC=gcc PATH=$T/bin "$MEMMON_SRC/.ci/deps" build 2>&1; echo "$?")" \
		$'^memmon: installing gcc .*\n.* installing gcc-[0-9]*-plugin-dev\n0$' \
		'where there is no compiler, which then needs headers for plugins'
	# It is a link to the system's.
	rm -f bin/dpkg-query
	printf '#!/bin/sh\n' >bin/dpkg-query
	chmod +x bin/dpkg-query
	like "$(PATH=$T/bin "$MEMMON_SRC/.ci/deps" deb 2>&1)" \
		'^memmon: installing .*libdw-dev .*build-essential' \
		'what every package is built with'
	is "$(cd bin && find . ! -type l | sort | tr '\n' ' ')" \
		'. ./apt-cache ./apt-get ./dpkg-query ./gcc ./id ' \
		"... and what stands in for the system's tools are files of the test"
else
	skip 5 'no apt-get, or not all that the build needs'
fi
done_testing
