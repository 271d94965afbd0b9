#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The monitor for arm64: built by a cross compiler, run by qemu's emulation of a
# process; this machine reads the files.  Programs print their own totals, or
# the comments at their tops state them.
#
# qemu can't show memmon -p, leak checks (a copy of the process, signals to
# threads), accesses (16 TiB) nor the contents of /proc: those need a machine,
# or qemu-system-aarch64.  ARM64_BUILD=DIR: the directory in which make has
# built them.  ARM64_ROOT=DIR has the libraries for arm64 that mpreduce is built
# with; if it doesn't exist, root gets them by debootstrap.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

cross=aarch64-linux-gnu-
qemu=$(command -v qemu-aarch64 || command -v qemu-aarch64-static)
root=/usr/aarch64-linux-gnu
command -v ${cross}gcc >/dev/null || skip_all "no ${cross}gcc"
[ "$qemu" ] || skip_all 'no qemu-aarch64'
[ -e $root/lib/libc.so.6 ] || skip_all 'no C library for arm64'

[ ! "${ARM64_BUILD:-}" ] || ln -s "$ARM64_BUILD" build
make -C "$MEMMON_SRC" -s -j2 O="${ARM64_BUILD:-$T/build}" CROSS=$cross \
	CC=${cross}gcc CXX=${cross}g++ WERROR=-Werror CFLAGS='-O2 -g' \
	monitor access ${ARM64_BUILD:+-q} >log 2>&1 </dev/null ||
	[ "${ARM64_BUILD:-}" ]
ok $? 'the libraries and the launcher are built' || {
	diag "$(tail -n 20 log)"
	done_testing
	exit
}
is "$(grep -v 'no libzstd' log)" '' '... without a warning'
is "$(file -L build/libmemmon.so build/libmemmon-access.so build/memmon |
	grep -c 'ARM aarch64')" 3 '... for arm64'

# compile OUT SOURCE FLAG...: by $compiler, if that is set.
compiler=
compile()
{
	local out=$1 from=$MEMMON_SRC/tests/$2 cc=${cross}gcc
	[[ $2 != *.cc ]] || cc=${cross}g++
	shift 2
	# shellcheck disable=SC2086
	${compiler:-$cc} -g -w -I"$MEMMON_SRC" "$@" "$from" -o "$out" -pthread \
		-ldl 2>err || { diag "$(tail -n 3 err)"; return 1; }
}

# run PROGRAM ARGUMENT...: recorded; its output is in `out', its data in
# mon.out.
run()
{
	rm -f mon.out*
	# shellcheck disable=SC2086
	timeout "$HANG" "$qemu" -cpu max $pages -L $root \
		${preload:+-E LD_PRELOAD="$preload"} "$@" >out 2>err </dev/null
}
preload=$T/build/libmemmon.so pages=

# says NAME PROGRAM ARGUMENT...: its totals equal those that it prints.
says()
{
	local name=$1
	shift
	run "$@"
	is "$(totals mon.out)" "$(head -n 1 out)" "$name" || diag "$(cat err)"
}

# ----------------------------------------------------------------- totals --
while read -r name arguments; do
	compile "$name" "prog/$name.c" || { ok 1 "$name compiles"; continue; }
	# shellcheck disable=SC2086
	says "$name $arguments" "./$name" $arguments
done <<'L'
events 20000
paths 3000 7 10
sizes 304
L
# As on this machine.
while read -r name arguments; do
	# shellcheck disable=SC2086
	"$MEMMON" -o here.mon "$PROG/$name" $arguments >/dev/null 2>&1
	compile "$name" "prog/$name.c" || { ok 1 "$name compiles"; continue; }
	# shellcheck disable=SC2086
	run "./$name" $arguments
	is "$(totals mon.out)" "$(totals here.mon)" "$name $arguments"
done <<'L'
chains 2000
peaks once
temps gaps
phases load
recurse fg
config
L
compile widgets prog/widgets.c && run ./widgets
is "$(totals mon.out)" '10000 2040000 4981 1016124' 'widgets'
"$MPREDUCE" -L -b ./widgets mon.out >leaks 2>&1
like "$(cat leaks)" '\|\| > main > make_red_widget > make_widget  *~struct widget' \
	'... and the leak path, with the type that the code tells' ||
	diag "$(head -n 20 leaks)"
compile steady prog/steady.c && run ./steady
is "$(totals mon.out)" '107 5492 57 2992' 'steady'
run ./steady signal 15
is "$(totals mon.out)" '107 5492 57 2992' 'steady, ended by a signal'
like "$(end_of mon.out)" 'signal' '... which is known'
run ./steady _exit
is "$(totals mon.out)" '107 5492 57 2992' 'steady, ended by _exit()'
compile threads prog/threads.c && run ./threads 4 20000
read -r allocs bytes frees freed <out
read -r got_allocs got_bytes got_frees got_freed < <(totals mon.out)
# The libc's own are a few more.
ok $((got_allocs < allocs || got_allocs > allocs + 20 || got_frees < frees)) \
	"threads: $got_allocs of $allocs" || diag "$(cat out err)"
compile api prog/api.c -DWITH_MEMMON -Lbuild -lmemmon && run ./api
like "$(grep -c '^ok' out) $(grep -c '^not ok' out)" '^4[0-9] 0$' \
	'api: every function of the interface' || diag "$(grep -A 3 '^not' out)"

# Killed: the image, with counts up to the last.
compile killed prog/events.c && {
	rm -f mon.out*
	cat >wait.c <<-'X'
	#include <stdlib.h>
	#include <unistd.h>
	#include <signal.h>
	static void *volatile p;
	static __attribute__((noinline)) void make(void) { p = malloc(100); }
	int main(void)
	{
		for (int i = 0; i < 1000; i++)
			make();
		kill(getpid(), SIGKILL);
	}
	X
	${cross}gcc -g -o wait wait.c
	run ./wait
	is "$(totals mon.out)" '1000 100000 0 0' 'SIGKILL: all is there'
	like "$("$MPREDUCE" -L -b ./wait mon.out 2>&1)" \
		'100000 .*> main > make' '... with its call path'
}

# With pages of 64 KB, as in some kernels.  qemu's mappings with such pages
# don't show how a file grows: most tests run without the image.
cat >page.c <<'X'
#include <stdio.h>
#include <unistd.h>
int main(void) { printf("%ld\n", sysconf(_SC_PAGESIZE)); }
X
${cross}gcc -o page page.c
pages='-p 65536'
preload='' run ./page
if [ "$(cat out)" = 65536 ]; then
	export MEMMON_IMAGE=0
	says 'pages of 64 KB: events' ./events 20000
	says 'pages of 64 KB: sizes' ./sizes 304
	"$MEMMON" -o here.mon "$PROG/chains" 2000 >/dev/null 2>&1
	run ./chains 2000
	is "$(totals mon.out)" "$(totals here.mon)" 'pages of 64 KB: chains'
	run ./threads 4 20000
	read -r allocs _ <out
	read -r got _ < <(totals mon.out)
	ok $((got < allocs || got > allocs + 20)) "pages of 64 KB: threads" ||
		diag "$(cat out err)"
	unset MEMMON_IMAGE
	run ./wait
	is "$(totals mon.out)" '1000 100000 0 0' 'pages of 64 KB: SIGKILL' ||
		diag "$(cat err)"
else
	skip 5 "this qemu has no pages of 64 KB"
fi
pages=

# Linked statically.
# shellcheck disable=SC2046
compile static prog/events.c -static -Lbuild -lmemmon \
	$(sed -n 's/^Libs.private: *//p' build/memmon.pc) && {
	preload='' run ./static 20000
	# The libc's own start allocates a little more.
	like "$(totals mon.out)" '^2000[0-9] 112[0-9]* 19900 1114400$' \
		'a static program' || diag "$(cat err)"
}

# Accesses, by calls: the 16 TiB for them are too much for qemu's process.
cat >touch.c <<'X'
#include <stdlib.h>
int
main(void)
{
	volatile long *p = malloc(80);

	for (int i = 0; i < 1000; i++)
		p[i % 10] = i;
	return (int)p[3] & 0;
}
X
MEMMON_CC=${cross}gcc MEMMON_WAY='' build/memmon-cc -O2 -g -o touch touch.c 2>err
ok $? 'memmon-cc takes the cross compiler' || diag "$(cat err)"
is "$(cat err)" '' '... without a word: there are calls only'
like "$(nm touch)" ' __tsan_write8' \
	'... and they are made'

# ------------------------------------------------------------- call paths --
# Each chain that keeps something has its ten steps, and their names.
while read -r compiler flags; do
	# shellcheck disable=SC2086
	compile paths prog/paths.c $flags -fno-optimize-sibling-calls ||
		{ skip 2 "$compiler $flags"; continue; }
	says "paths, $compiler $flags" ./paths 3000 7 10
	is "$("$MPREDUCE" -i mon.out | awk '/deepest call path|call paths stopped/ {
		printf "%s ", $1 }')" '15 0 ' '... each chain whole'
done <<'L'
aarch64-linux-gnu-gcc -O0
aarch64-linux-gnu-gcc -O2 -fno-inline -fomit-frame-pointer
aarch64-linux-gnu-gcc -O1 -fno-inline -mbranch-protection=standard
L
compiler=

# The unwinder against that of libgcc, on frames of many kinds.
${cross}gcc -DUNWCHECK_GCC -g -O2 -std=gnu11 -D_GNU_SOURCE -I"$MEMMON_SRC" \
	-fPIC -shared -fno-omit-frame-pointer -fno-builtin -mno-outline-atomics \
	"$MEMMON_SRC/tests/unwind/check.c" -o check.so -lgcc_s 2>err &&
	${cross}gcc -w -fPIC -shared -o libbump.so -I"$MEMMON_SRC" \
		"$MEMMON_SRC/tests/prog/libbump.c" 2>>err
ok $? 'the two unwinders' || diag "$(cat err)"
preload=$T/check.so:$T/libbump.so
export UNWCHECK_OUT=$T/report
while read -r source least compiler flags; do
	name="$source, $compiler $flags"
	[ "$compiler" != clang ] || compiler="clang --target=aarch64-linux-gnu"
	# shellcheck disable=SC2086
	if ! command -v ${compiler%% *} >/dev/null ||
	   ! compile zoo "unwind/$source" $flags; then
		skip 2 "$name does not work here"
		continue
	fi
	rm -f report
	run ./zoo
	like "$(cat out)" 'done$' "$name: it runs" || diag "$(cat out err)"
	n=$(awk '$1 == "chains" { n += $2; bad += $NF }
		END { print bad ? 0 : n + 0 }' report 2>/dev/null)
	[ "${n:-0}" -ge "$least" ]
	ok $? "$name: $(sed -n 's/^chains/chains/p' report | tr '\n' ' ')" ||
		diag "$(head -n 40 report)"
done <<'L'
zoo.c 1000 aarch64-linux-gnu-gcc -O2
zoo.c 1000 aarch64-linux-gnu-gcc -O0
zoo.c 1000 aarch64-linux-gnu-gcc -O3 -fomit-frame-pointer
zoo.c 1000 aarch64-linux-gnu-gcc -O2 -mbranch-protection=standard
zoo.c 1000 aarch64-linux-gnu-gcc -O1 -mbranch-protection=pac-ret+leaf+b-key
zoo.c 1000 aarch64-linux-gnu-gcc -O3 -march=armv8.2-a+sve
zoo.c 1000 aarch64-linux-gnu-gcc -Os -fstack-clash-protection -fstack-protector-all
zoo.cc 200 aarch64-linux-gnu-g++ -O2
zoo.c 1000 clang -O2
zoo.c 1000 clang -O2 -mbranch-protection=standard
sve.c 400 clang -O2 -march=armv8.2-a+sve
sve.c 400 clang -O2 -march=armv8.2-a+sve -fomit-frame-pointer
L

# --------------------------------------------------------------- mpreduce --
# mpreduce prints the same there as here, for data files of both machines.
libs=${ARM64_ROOT:-}
if [ "$libs" ] && [ ! -e "$libs/usr" ] && [ "$(id -u)" = 0 ] &&
   command -v debootstrap >/dev/null; then
	site=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' |
		head -n 1)
	debootstrap --foreign --arch=arm64 --variant=minbase --include=\
"$(echo lib{c6,dw,elf,capstone,deflate,zstd,lzma,sqlite3,iberty}-dev zlib1g-dev binutils-dev |
	tr ' ' ,)" "$(lsb_release -cs 2>/dev/null || sed -n \
		's/^VERSION_CODENAME=//p' /etc/os-release)" "$libs" "$site" >log 2>&1
	for f in "$libs"/var/cache/apt/archives/*.deb; do
		dpkg -x "$f" "$libs" >>log 2>&1
	done
fi
if [ ! -e "$libs/usr/lib/aarch64-linux-gnu/libdw.so" ]; then
	skip 13 'no libraries for arm64 to build mpreduce with'
	done_testing
	exit
fi
reduce=$(cd build && pwd -P)/reduce
make -C "$MEMMON_SRC" -s -j2 O="$reduce" CROSS=$cross \
	CC="${cross}gcc --sysroot=$libs" WERROR=-Werror CFLAGS='-O2 -g' \
	mpreduce >log 2>&1 </dev/null
ok $? 'mpreduce is built' || diag "$(tail -n 20 log)"
is "$(cat log)" '' '... without a warning'
preload=$T/build/libmemmon.so run ./widgets
mv mon.out arm64.mon
ok $? 'a data file from there'
"$MEMMON" -o x86.mon "$PROG/widgets" >/dev/null 2>&1
while read -r data program options; do
	# shellcheck disable=SC2086
	{
		"$MPREDUCE" $options "$program" $data >here 2>&1
		timeout "$HANG" "$qemu" -cpu max -L "$libs" "$reduce/mpreduce" \
			$options "$program" $data >there 2>&1
	}
	is_file there here "$data: mpreduce $options"
done <<L
x86.mon $PROG/widgets
x86.mon $PROG/widgets -L -b -p -q
x86.mon $PROG/widgets --json
x86.mon $PROG/widgets -T --waste --timeline
x86.mon $PROG/widgets --sql=select*from(sites)
x86.mon $PROG/widgets --export=folded
arm64.mon ./widgets
arm64.mon ./widgets -L -b -p -q
arm64.mon ./widgets --json
arm64.mon ./widgets -i
L
done_testing
