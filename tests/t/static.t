#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Fully static programs, linked with the archive and the linker's --wrap.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

# The flags that pkg-config --static gives, from the build directory.
# shellcheck disable=SC2046
wrap=$(sed -n 's/^Libs.private: *//p' "$MEMMON_BUILD/memmon.pc")
like "$wrap" '--wrap=malloc' 'the flags wrap malloc'
mkdir lib && ln -s "$MEMMON_BUILD/libmemmon.a" lib/

build()
{
	local out=$1 from=$2
	shift 2
	# shellcheck disable=SC2086
	"$@" -g -w "$from" -o "$out" -Llib -lmemmon $wrap -pthread 2>err ||
		{ diag "$(cat err)"; return 1; }
}
src=$MEMMON_SRC/tests/prog

build widgets "$src/widgets.c" $CC -static
ok $? 'widgets links statically'
./widgets
"$MPREDUCE" -b ./widgets mon.out >tables 2>err
# The libc's own start allocates a little more.
grep -q ' 2040000 .* 1023876 .* 10000   make_widget$' tables
ok $? 'F22: static: totals'
is "$(wc -c <err)" 0 'widgets: no complaints' || diag "$(cat err)"
grep -q '|| > main > make_red_widget > make_widget  *~struct widget$' tables
ok $? 'widgets: the leak path' || diag "$(head -n 40 tables)"
build pie "$src/widgets.c" $CC -static-pie -fPIE && ./pie
"$MPREDUCE" -p ./pie mon.out 2>&1 |
	grep -q ' 2040000 .* 1023876 .* 10000   make_widget$'
ok $? 'F22: static-pie: totals'
"$MPREDUCE" -b ./pie mon.out 2>&1 |
	grep -q '|| > main > make_red_widget > make_widget  *~struct widget$'
ok $? 'static-pie: the leak path'

build life "$src/life.c" $CC -static
# The allocations of make_block: libc's own start allocates a little more.
full='0 125 0 0 0 11000 0 0 0 125' half='0 125 0 0 0 11000 0 0 0 50'
made()
{
	"$MPREDUCE" --json ./life mon.out 2>/dev/null | sed -n \
		's/^{"name":"make_block".*"self":{"allocs":\[\([0-9,]*\)\],"bytes":\[\([0-9,]*\)\],"frees":\[\([0-9,]*\)\].*/\1 \2 \3/p' |
		tr , ' ' | sed 's/ 0 0$//'
}
ulimit -c 0
for case in "return:$full" "exit:$full" "_exit:$half" "quick:$half" \
	"abort:$half" "segv:$half" "kill 15:$half" "vfork:$full"; do
	rm -f mon.out
	# shellcheck disable=SC2086
	{ ./life ${case%%:*}; } 2>/dev/null
	is "$(made)" "${case#*:}" "life ${case%%:*}, static"
done
build threads "$src/threads.c" $CC -static
want=$(./threads 4 50000)
# shellcheck disable=SC2086
set -- $want
"$MPREDUCE" --json ./threads mon.out >json 2>/dev/null
is "$("$MEMMON_BUILD/tests/jsonrows" functions name=make_kept self.kept <json)" "$4" 'threads, static: bytes kept'
build api "$src/api.c" $CC -static -I"$MEMMON_SRC" && ./api >api.tap
ok $? 'the API, static' || diag "$(grep -v '^ok' api.tap)"
if command -v g++ >/dev/null 2>&1; then
	printf '%s\n' '#include <map>' '#include <string>' \
	'int main() { std::map<int, std::string> m;' \
	'for (int i = 0; i < 100; i++) m[i] = std::string(40, char(i));' \
	'return m.size() != 100; }' >map.cc
	build map map.cc g++ -static && ./map
	ok $? 'a C++ program, static, runs'
	# 100 nodes and 100 strings, and libstdc++'s reserve.
	a=$(total mon.out allocations)
	ok $((a < 200)) "its allocations are seen ($a)"
	is "$(total mon.out 'frees unseen')" 0 'and its frees'
fi
printf '%s\n' '#include <stdlib.h>' 'char *p;' \
	'int main(void) { p = malloc(1234); return 0; }' >leaf.c
"$CC" -static leaf.c -o alone
"$MEMMON" ./alone >/dev/null 2>err
is "$?" 125 'F22: memmon refuses to preload into a static program'
like "$(cat err)" 'statically linked.*pkg-config --static' 'and says what to do'

# A static program that contains the monitor.
strip -o stripped widgets
./widgets
for program in ./widgets ./stripped; do
	"$MEMMON" -q -o linked.mon $program ./alone >/dev/null 2>err
	is "$? $(cat err)" '0 ' "memmon $program: runs"
	is "$(total linked.mon allocations)" "$(total mon.out allocations)" \
		'... and writes the file of -o'
done

# Go's linker leaves a section of this name, in stripped programs too.
objcopy --add-section .gopclntab=alone alone go-alone
"$MEMMON" ./go-alone >/dev/null 2>err
is "$? $(cat err)" "125 memmon: ./go-alone is a Go program, whose memory \
does not come from malloc; use Go's profiler, runtime/pprof" 'a Go program: what to use'

# memmon runs a static program with the path of another program among its
# arguments, and records the other one.
printf '%s\n' '#include <stdlib.h>' '#include <sys/wait.h>' '#include <unistd.h>' \
	'int main(int n, char **v) { if (fork() == 0) execv(v[1], v + 1);' \
	'wait(&n); return 0; }' >fork.c
"$CC" -static fork.c -o fork && "$CC" leaf.c -o leaf
"$MEMMON" -o started.mon ./fork ./leaf >out 2>err
is "$?" 0 'a static program that starts another'
like "$(cat err)" "fork is statically linked, so it isn't recorded; programs that it starts are" \
	'... is run, which is said'
like "$(cat err)" 'started.mon.\*: data files of programs' '... and whose files there are'
is "$(total "$(echo started.mon.*)" bytes)" 1234 '... which have what it allocated'

# Programs with another loader.  elf LOADER FILE: makes FILE, an executable that
# asks for LOADER, and does nothing.
elf()
{
	printf '.globl _start\n_start: mov $60, %%eax\nxor %%edi, %%edi\nsyscall\n' \
		>start.s
	printf '.section .note.GNU-stack,"",@progbits\n' >>start.s
	"$CC" -nostdlib -pie -Wl,--dynamic-linker="$1" -o "$2" start.s \
		-Wl,-z,notext 2>cc.err || diag "$(cat cc.err)"
}
# refused PROGRAM STATUS REGEX NAME
refused()
{
	"$MEMMON" "./$1" >out 2>err
	is "$? $(wc -l <err)" "$2 1" "F22: $4: status, in one line"
	like "$(cat err)" "$3" "F22: $4: and says what to do"
}
elf "$T/ld-musl-x86_64.so.1" musl
elf "$T/ld64-uClibc.so.0" uclibc
elf "$T/ld-none-x86-64.so.2" none
elf "$(ls /lib64/ld-linux-x86-64.so.2)" glibc
"$MEMMON" ./glibc 2>err
is "$? $(cat err)" '0 ' "glibc's loader"
refused musl 125 '^memmon: ./musl is linked with musl, .* glibc; see MACHINES in memmon-circumstances\(7\)$' \
	'a program for musl'
refused uclibc 125 'linked with uClibc' 'a program for uClibc'
refused none 127 "^memmon: ./none can't be run: its dynamic loader, .*/ld-none-x86-64.so.2, is missing" \
	'no loader'
printf '#! %s -x\nhello\n' "$T/musl" >script
printf '#!%s\n' "$T/script" >second
printf '#!%s/nothing\n' "$T" >third
printf '#!/bin/sh\nexit 7\n' >fourth
printf '#!%s\n' "$T/ring" >ring
chmod +x script second third fourth ring
refused script 125 '/musl is linked with musl' 'a script of a program for musl'
refused second 125 '/musl is linked with musl' 'a script of a script'
refused third 127 "the interpreter of this script, .*/nothing, is missing" \
	'a script of nothing'
printf '#!/bin/sh\r\nexit 7\n' >dos
chmod +x dos
refused dos 127 'the first line of this script ends in CR LF' \
	'a script with the line ends of DOS'
refused ring 126 'ring: Too many levels of symbolic links' 'a ring of scripts'
"$MEMMON" ./fourth 2>err
is "$? $(cat err)" '7 ' 'a script of sh'
if command -v musl-gcc >/dev/null; then
	echo 'int main(void) { return 0; }' >m.c
	musl-gcc -o real-musl m.c && ./real-musl
	ok $? 'musl-gcc'
	refused real-musl 125 'is linked with musl' 'what musl-gcc makes'
else
	skip 3 'no musl-gcc'
fi
done_testing
