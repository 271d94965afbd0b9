#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The examples of memmon(7) for builds and tests, copied exactly from the page,
# in a project that contains nothing else: Meson with a wrap, and the steps of a
# workflow.  Also: the library built with link-time optimization has the same
# names as without.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

# names LIBRARY: the names that it exports to programs.
names()
{
	nm -D --defined-only "$1" | sed 's/^[^ ]* //'
}
make -s -C "$MEMMON_SRC" -j"$(nproc)" O="$T/lto" CC="$CC" \
	CFLAGS='-O2 -flto=auto' "$T/lto/libmemmon.so" >lto.log 2>&1
ok $? "built with link-time optimization" || diag "$(tail -5 lto.log)"
names "$MEMMON_BUILD/libmemmon.so" >without
names lto/libmemmon.so >with
is_file with without "... it has the same names"

# The workflow: its commands, without the installation.
example CI 1 >ci.yml
perl -0777 -ne '
	while (/^ +(?:- )?run: (.*\n(?: {15,}.*\n)*)/mg) {
		(my $s = $1) =~ s/\n +/ /g;
		print $s unless $s =~ /apt-get/;
	}' ci.yml >steps
is "$(wc -l <steps)" 3 "three steps"
if python3 -c 'import yaml' 2>/dev/null; then
	python3 -c '
import sys, yaml
steps = yaml.safe_load(open("ci.yml"))["jobs"]["memory"]["steps"]
sys.stdout.writelines(s["run"] + "\n" for s in steps
    if "run" in s and "apt-get" not in s["run"])' >parsed
	is_file parsed steps "as YAML has them"
else
	skip 1 "no yaml"
fi
# The packages that it installs need none of memmon's other packages.
control=$MEMMON_SRC/.ci/debian/control
mkdir ci
sed -n 's/^Package: *//p' "$control" | while read -r package; do
	touch ci/"$package"{,-dbgsym}_0.1.0-1_amd64.deb
done
# shellcheck disable=SC2046
echo $(perl -0777 -ne 'print /apt-get install -y (.*\n(?: {15,}.*\n)*)/' ci.yml) |
	grep -o '[.]/ci/[a-z0-9*_.-]*' >globs
is "$(ls $(cat globs) | sed 's,.*/,,; s/_.*//' | sort | tr '\n' ' ')" \
	"libmemmon0 memmon " "it installs what it runs"
is "$(perl -00 -ne 'print "$1\n" if /^Package: memmon\n.*^Depends:(.*?)^[A-Z]/ms' \
	"$control" | grep -o '[a-z0-9-]* (= [$]{binary:Version})' | sed 's/ .*//')" \
	"libmemmon0" "... which needs no other package of these"

# project SOURCE: makes a project of SOURCE and runs the workflow's steps.
project()
{
	rm -rf project && mkdir project
	cp "$1" project/prog.c
	printf 'prog: prog.c\n\t$(CC) $(CFLAGS) -o $@ $<\n' >project/Makefile
	(cd project && PATH=$MEMMON_BUILD:$PATH sh -e ../steps) >log 2>&1
}
cat >fine.c <<'EOF'
#include <stdlib.h>
int main(void) { free(malloc(100)); return 0; }
EOF
project "$MEMMON_SRC/tests/prog/widgets.c"
is "$?" 3 "a program that loses memory fails" || diag "$(cat log)"
[ -s project/memory.html ]
ok $? "... with a page to look at"
project fine.c
is "$?" 0 "one that doesn't passes" || diag "$(cat log)"
[ -s project/memory.html ]
ok $? "... with a page"

command -v meson >/dev/null && command -v ninja >/dev/null &&
	git -C "$MEMMON_SRC" rev-parse HEAD >/dev/null 2>&1 || {
	skip 3 "no meson, or no repository"
	done_testing
	exit
}
unset CFLAGS
mkdir -p meson/subprojects/packagefiles/memmon
make -s -C "$MEMMON_SRC" dist O="$T/dist" >/dev/null
cp dist/*.tar.gz meson/subprojects/packagefiles
example Meson 1 | sed "s/^source_hash = .*/source_hash = $(sha256sum \
	<dist/memmon-*.tar.gz | cut -d ' ' -f 1)/" >meson/subprojects/memmon.wrap
example Meson 2 >meson/subprojects/packagefiles/memmon/meson.build
cp "$MEMMON_SRC/tests/prog/widgets.c" meson/prog.c
cat >meson/meson.build <<'EOF'
project('scratch', 'c')
executable('prog', 'prog.c', dependencies: dependency('memmon'))
EOF
# Meson uses the wrap and not an installed memmon, which CMake finds even in
# /opt.
(cd meson && meson setup --wrap-mode=forcefallback build &&
	ninja -C build) >log 2>&1
ok $? "Meson, with a wrap" || diag "$(tail -n 20 log)"
(cd meson && rm -f mon.out && build/prog >/dev/null)
is "$?" 0 "... the program runs"
"$MEMMON_BUILD/mpreduce" -b -L meson/build/prog meson/mon.out >table 2>/dev/null
like "$(cat table)" "make_widget" "... and is profiled"
done_testing
