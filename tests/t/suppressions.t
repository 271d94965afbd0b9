#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --suppressions: the blocks that their patterns match, and the figures that
# they reduce.
. "${MEMMON_SRC:-.}/tests/tap.sh"
make="$MEMMON_BUILD/tests/monmake"
mpreduce="$MEMMON_BUILD/mpreduce"
"$CC" -nostdlib -static -no-pie \
	-Wl,-Ttext=0x401000,-e,main,--build-id=none -o prog \
	"$MEMMON_SRC/tests/golden/prog.s" || echo "Bail out! prog"

# red keeps 8 blocks of 800 bytes, blue 20 of 600, and through xmalloc, which is
# a wrapper, 2 of 10; lookup's allocations are in a library.
cat >desc <<'EOF1'
run program /tmp/prog
run end exit
run length 5000000000
module p /tmp/prog exe at 0x400000 0x500000 0
module lib /usr/lib/libodd.so.1
chain red p:0x401008 p:0x401018
chain blue p:0x401008 p:0x401028
chain wrap p:0x401008 p:0x401028 p:0x401098
chain odd lib:0x10 p:0x4010a8
alloc red 100 10 2
alloc blue 30 20
alloc wrap 5 2
alloc odd 7 3
EOF1
"$make" <desc >data
cat desc - >checked.in <<'EOF1'
run leakcheck 4000000000
leak red lost 3:300 reachable 5:500
leak blue lost 1:30 indirect 2:60
leak wrap lost 2:10
leak odd reachable 3:21
EOF1
"$make" <checked.in >checked

# kept PATTERN...: bytes not freed, then the suppressed bytes and the pattern
# that suppressed them.
kept()
{
	local one
	for one; do
		echo "leak:$one"
	done >supp
	"$mpreduce" -L -b --suppressions=supp prog data 2>err | awk '
		/^Total bytes not freed/ { printf "%s", $NF }
		/^Nothing leaked/ { printf "0" }
		/^Suppressions used/ { on = 1 }
		on && / leak:/ { printf " %s/%s/%s", $1, $2, $3 } END { print "" }'
}

is "$(kept nothing)" "1431" "none that matches"
# The summary and the prolog name the rule.
said() { "$mpreduce" "$@" --suppressions=supp prog data | grep uppressed: ; }
kept make_red_widget >out
is "$(said --summary)" "Suppressed: 800 B in 8 blocks matching leak:make_red_widget; -L lists the rules" \
	"summary: by which rule"
kept make_red_widget odd >out
is "$(said --prolog -L -B -p)" "live at exit  610 bytes in 22 blocks; \
suppressed: 821 bytes in 11 blocks matching leak:make_red_widget or 1 more rule" \
	"prolog: by which rules"
is "$(kept make_red_widget)" "631 800/8/leak:make_red_widget" "a function"
is "$(kept red_w)" "631 800/8/leak:red_w" "a part of its name"
is "$(kept '^red_w')" "1431" "^: not at the start"
is "$(kept '^make_red')" "631 800/8/leak:^make_red" "^: at the start"
is "$(kept 'make_red$')" "1431" "\$: not at the end"
is "$(kept 'red_widget$')" "631 800/8/leak:red_widget$" "\$: at the end"
is "$(kept '^make_red_widget$')" "631 800/8/leak:^make_red_widget$" "both"
is "$(kept 'm*_b*get')" "821 610/22/leak:m*_b*get" "*"
is "$(kept '^m*get$')" "21 1410/30/leak:^m*get$" "* between both"
is "$(kept 'get*make')" "1431" "* keeps the order"
is "$(kept '*')" "0 1431/33/leak:*" "* alone is all"
is "$(kept MAKE_RED)" "1431" "letters count"
is "$(kept main)" "21 1410/30/leak:main" "main, of chains that have it"
is "$(kept xmalloc)" "1421 10/2/leak:xmalloc" "a wrapper, part of a row"
is "$(kept libodd.so)" "1410 21/3/leak:libodd.so" "a library that called"
is "$(kept '^/usr/lib/libodd.so.1$')" "1410 21/3/leak:^/usr/lib/libodd.so.1$" "its path"
is "$(kept /tmp/prog)" "0 1431/33/leak:/tmp/prog" "the program, as it was recorded"
is "$(kept make_red make_)" "21 800/8/leak:make_red 610/22/leak:make_" "the first one goes"
is "$(kept main make_red)" "21 610/22/leak:main 800/8/leak:make_red" "the innermost function goes first"
is "$(kept make_red /tmp/prog)" "0 800/8/leak:make_red 631/25/leak:/tmp/prog" \
	"of a function's name and its program the first one goes"
is "$(kept /tmp/prog make_red)" "0 1431/33/leak:/tmp/prog" "in either order"
is "$(kept make_red none1 none2)" "631 800/8/leak:make_red" "those that aren't used aren't listed"

# Files.
printf '# all\n\n  \t\n  leak:make_red  \r\n#leak:main\nleak:blue' >supp
"$mpreduce" -L -b --suppressions=supp prog data 2>err >out
like "$(cat out)" "Total bytes not freed: 21" "comments, blanks, no newline at the end"
echo 'leak:make_red' >one
echo 'leak:make_blue' >two
"$mpreduce" -L -b --suppressions=one --suppressions=two prog data 2>err >out
like "$(cat out)" "Total bytes not freed: 21" "two files"

# wrong NAME REGEX TEXT: an error, and no tables.
wrong()
{
	printf '%b' "$3" >supp
	"$mpreduce" -L -b --suppressions=supp prog data >out 2>err
	is "$?" 1 "$1: status"
	is "$(cat out)" "" "$1: no tables"
	like "$(cat err)" "^mpreduce: supp:$2" "$1: message"
}
wrong "valgrind's" "3: this is a suppression of valgrind.*leak:PATTERN" \
	'# x\n\n{\n   name\n   Memcheck:Leak\n   fun:malloc\n}\n'
wrong "another kind" "1: not a suppression; write leak:PATTERN" 'race:main\n'
wrong "no pattern" "2: not a suppression" '#\nleak:\n'
wrong "words" "1: not a suppression" 'hello\n'
"$mpreduce" -L --suppressions=nothing prog data >out 2>err
is "$?" 1 "no such file: status"
like "$(cat err)" "^mpreduce: nothing: No such file.*--suppressions" "no such file"
"$mpreduce" -L --suppressions=. prog data >out 2>err
is "$?" 1 "a directory"

# Figures of allocated and freed blocks don't change.
echo 'leak:make_' >supp
made=(-b --group-by=function --columns=allocs,bytes,frees,freed,peak)
"$mpreduce" "${made[@]}" prog data >want 2>/dev/null
"$mpreduce" "${made[@]}" --suppressions=supp prog data >out 2>/dev/null
is_file out want "allocations aren't suppressed"
echo 'leak:/tmp/prog' >supp
"$mpreduce" -L -b --suppressions=supp prog data >out 2>/dev/null
like "$(cat out)" "Nothing leaked except suppressed blocks\." "nothing is left"

# With a leak check.
"$mpreduce" -L -b --leaks=all --suppressions=two prog checked >out 2>/dev/null
is "$(awk '/ (the program can.t|only lost|reachable, |by pointers)/ { print $1, $2, $3 }' out)" \
"300 3 lost
0 0 indirect
0 0 interior
521 8 reachable" "what is left of each kind"
is "$(sed -n '/^Suppressions used/,$p' out | sed '1,4d')" \
	"           610         22            100          5   leak:make_blue" \
	"kept and leaked"
is "$(grep -c 'make_blue_widget' out)" 0 "no row of it"
"$mpreduce" --json --suppressions=two prog checked >json 2>/dev/null
if perl -MJSON::PP -e1 2>/dev/null; then
	is "$(perl "$MEMMON_SRC/tests/golden/check.pl" <json 2>&1)" "" \
		"JSON: sites and patterns add up"
else
	skip 1 "no JSON::PP"
fi
like "$(grep '^"totals"' json)" '"lost":\{"blocks":3,"bytes":300\}.*"suppressed":\{"blocks":22,"bytes":610\}' \
	"JSON: totals"
like "$(sed -n '/^"suppressions"/,/^"warnings"/p' json)" \
	'"pattern":"make_blue","kept":\{"blocks":22,"bytes":610\},"leaked":\{"blocks":5,"bytes":100\}' \
	"JSON: suppressions"
"$mpreduce" -L --suppressions=two --fail-if='lost.blocks>3' prog checked >out 2>/dev/null
is "$?" 0 "a limit: lost without them"
"$mpreduce" -L --suppressions=two --fail-if='kept>821' prog checked >out 2>/dev/null
is "$?" 0 "a limit: kept without them"
"$mpreduce" -L --fail-if='lost.blocks>3' prog checked >out 2>/dev/null
is "$?" 3 "and with them"

# The built-in patterns suppress what glibc and libstdc++ never free, and
# nothing else.  The ranks of a job: blocks of the C++ library are suppressed,
# but lost ones are the program's, and each rank shows its own.  No rank shows
# blocks that a pattern matches.
rank()
{
	"$make" <<-EOF2 >"$1.mon"
		run program /tmp/prog
		run end exit
		run length 5000000000
		run leakcheck 4000000000
		module p /tmp/prog exe at 0x400000 0x500000 0
		module ld /lib64/ld-linux-x86-64.so.2
		module cxx /usr/lib/libstdc++.so.6
		chain red p:0x401008 p:0x401018
		chain cxx ld:0x10 cxx:0x20
		alloc red 100 10 2
		alloc cxx 10 5 1
		leak red lost 3:300 reachable 5:500
		leak cxx $2
	EOF2
}
rank 1 'lost 1:10 indirect 1:10 reachable 2:20'
rank 2 'reachable 4:40'
# kept_of TABLE [OPTION...]: the bytes not freed in its rows.
kept_of()
{
	"$mpreduce" "${@:2}" --export=csv --sql="select kept from $1" prog 1.mon 2.mon \
		2>/dev/null | tr -d '\r' | sed 1d | tr '\n' ' '
}
echo 'leak:make_red' >supp
is "$(kept_of ranks),$(kept_of sites)" '820 800 ,1600 20 ' "ranks: C++'s library"
is "$(kept_of ranks --suppressions=supp),$(kept_of sites --suppressions=supp)" \
	'20 0 ,0 20 ' 'ranks: and a pattern'

sed -n '/keepers\[\]/,/^};/s/.*"\(.*\)".*/\1/p' "$MEMMON_SRC/reduce/callgraph/runtime.c" >names
LC_ALL=C sort -cu names && [ -s names ]
ok $? 'names of functions are in order'
cat >keeps.c <<'EOF1'
#include <dlfcn.h>
#include <locale.h>
#include <pthread.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>

static __thread int one;
static void nothing(void) { one = 0; }
static void *idle(void *arg) { return arg; }

int main(void)
{
	char text[100], name[20];
	time_t now = time(NULL);
	wchar_t wide[10];
	pthread_key_t key;
	pthread_t t;
	void *opened = dlopen("libutil.so.1", RTLD_NOW);

	if (opened)
		dlclose(opened);
	setlocale(LC_ALL, "C.UTF-8");
	mbstowcs(wide, "abc", 10);
	for (int i = 0; i < 100; i++) {
		snprintf(name, sizeof name, "V%d", i);
#ifdef TAILS
		setenv(name, "value", 1);
#endif
		atexit(nothing);
		pthread_key_create(&key, NULL);
	}
	pthread_setspecific(key, &key);
	getpwnam("root");
	dlsym(RTLD_DEFAULT, "no_such_function");
#ifdef TAILS
	strftime(text, sizeof text, "%c", localtime(&now));
#else
	snprintf(text, sizeof text, "%ld", (long)now);
#endif
	for (int i = 0; i < 3; i++)
		pthread_create(&t, NULL, idle, NULL);
	pthread_join(t, NULL);
	printf("%s %s\n", text, strerror(12345));
	fprintf(stderr, "%d\n", getchar());
	return 0;
}
EOF1
# summed FILE PROGRAM [OPTION...]: -L's totals, and those of the built-in
# patterns.
summed()
{
	"$mpreduce" -L -b "${@:3}" "$2" "$1" 2>&1 | awk '
		/^Total bytes not freed/ { printf "%s", $NF }
		/^Nothing leaked/ { printf "%s", $0 }
		/ (the program can.t|only lost)/ { printf "%s ", $2 }
		/ built in:/ { printf " hidden %d", ($2 > 0) } END { print "" }'
}
# kept_by NAME PROGRAM: the program frees all of its own blocks.
kept_by()
{
	"$MEMMON_BUILD/memmon" -o k.out "$2" >out 2>err </dev/null
	is "$(summed k.out "$2")" 'Nothing leaked except suppressed blocks. hidden 1' \
		"built in: $1"
	like "$(summed k.out "$2" --suppressions=none)" '^[1-9][0-9]*$' \
		"built in: $1, --suppressions=none"
	"$mpreduce" -L --fail-if='kept>0' "$2" k.out >out 2>&1
	is "$?" 0 "built in: $1: --fail-if='kept>0'"
	"$MEMMON_BUILD/memmon" -l -o k.out "$2" >out 2>err </dev/null
	is "$(summed k.out "$2")" '0 0  hidden 1' "built in: $1, with a check"
	"$mpreduce" -L --fail-if='lost>0' "$2" k.out >out 2>&1
	is "$?" 0 "built in: $1: --fail-if='lost>0'"
}
"$CC" -o keeps keeps.c -pthread -ldl && kept_by 'C' ./keeps
# These end in functions that only libc's debug information names.
"$CC" -DTAILS -o keeps keeps.c -pthread -ldl &&
	"$MEMMON_BUILD/memmon" -o k.out ./keeps >out 2>err </dev/null
if "$mpreduce" -L -b --suppressions=none ./keeps k.out 2>/dev/null |
	grep -q 'add_to_environ'; then
	kept_by 'C, setenv and localtime' ./keeps
else
	skip 5 "no names of libc's functions"
fi
echo '#include <stdio.h>
int main(void) { puts("one line"); return 0; }' >puts.c
"$CC" -o puts puts.c && kept_by 'one line' ./puts
"$mpreduce" --json ./puts k.out >json 2>/dev/null
like "$(sed -n '/^"suppressions"/,/^"warnings"/p' json)" \
	'"pattern":null,"kept":\{"blocks":1,"bytes":[0-9]*\},"leaked":\{"blocks":0,"bytes":0\}' \
	'built in: JSON'

# Blocks that libc hands out are the program's; so are the blocks of functions
# that libc calls back.  Two buffers look like those of standard streams, and
# one is.
cat >takes.c <<'EOF1'
#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *at_end;
static void end(void) { at_end = malloc(1000); }
static char *line;
static DIR *dir;
static FILE *file[4];

int main(void)
{
	size_t n = 0;
	FILE *f = fopen("/dev/null", "r");

	atexit(end);
	line = strdup("not libc's");		/* 11 */
	dir = opendir("/");
	for (int i = 0; i < 4; i++) {		/* buffers, too */
		file[i] = fopen("/dev/zero", "r");
		getc(file[i]);
	}
	line[0] = (char)getline(&line, &n, f);
	puts("x");
	return n == 0;
}
EOF1
"$CC" -o takes takes.c && "$MEMMON_BUILD/memmon" -o k.out ./takes >out
is "$("$mpreduce" -L -b --verbose ./takes k.out 2>/dev/null |
	awk '/ main/ || / exit/ { print $3 } / built in:/ { print "hidden", $2 }' | sort)" \
	"$(printf '%s\n' 1 1 2 4 5 'hidden 2')" \
	"what isn't libc's: strdup, opendir, fopen, buffers, getline, a handler"

# Real names: files, inlined functions, C++ in both forms.
if ! command -v g++ >/dev/null; then
	skip 20 "no g++"
	done_testing
	exit
fi
mkdir -p deep/er
cat >deep/er/inner.h <<'EOF1'
#include <cstdlib>
namespace shop {
inline __attribute__((always_inline)) void *quick(size_t n)
{
	void *p = malloc(n);
	asm volatile("" : : "r"(p) : "memory");
	return p;
}
struct till {
	__attribute__((noinline)) void open(int);
};
}
EOF1
cat >deep/er/till.cc <<'EOF1'
#include "inner.h"
void shop::till::open(int n)
{
	for (int i = 0; i < n; i++)
		quick(40);
}
EOF1
cat >deep/main.cc <<'EOF1'
#include "er/inner.h"
int main()
{
	shop::till a;
	a.open(4);
	void *p = malloc(9);
	asm volatile("" : : "r"(p) : "memory");
	return 0;
}
EOF1
g++ -g -O1 -o real "$T/deep/main.cc" "$T/deep/er/till.cc" &&
	MEMMON_OUT=real.out "$MEMMON_BUILD/memmon" ./real
ok $? "a program in C++"

# hides PATTERN [OPTION...]: blocks that it takes away.
hides()
{
	echo "leak:$1" >supp
	shift
	"$mpreduce" -L -b --suppressions=supp "$@" ./real real.out 2>/dev/null |
		awk '/^Suppressions used/ { on = 1 } on && / leak:/ { n = $1 "/" $2 }
			END { print n + 0 ? n : "none" }'
}
is "$(hides '^shop::till::open(int)$')" 160/4 "a name as in the source"
is "$(hides '^shop::till::open(int)$' --names=mangled)" 160/4 "however it is printed"
is "$(hides '^_ZN4shop4till4openEi$')" 160/4 "a name as the linker has it"
is "$(hides '^_ZN4shop4till4openEi$' --names=mangled)" 160/4 "however it is printed, too"
is "$(hides 'shop::quick')" 160/4 "an inlined function"
is "$(hides 'er/till.cc$')" 160/4 "a source file"
is "$(hides '/deep/er/inner.h$')" 160/4 "the file of an inlined function"
is "$(hides '/deep/main.cc$')" 169/5 "the file of main"
cat >empty.cc <<'EOF1'
#include <iostream>
int main() {}
EOF1
g++ -o empty empty.cc && kept_by 'C++' ./empty
cat >threaded.cc <<'EOF1'
#include <iostream>
#include <string>
#include <thread>
thread_local std::string own;
int main()
{
	for (int i = 0; i < 20; i++)
		std::thread([] { own.assign(100, 'x'); }).join();
	own.assign(200, 'y');
	try {
		throw std::string(100, 'z');
	} catch (const std::string &s) {
		std::cout << s << own << std::endl;
	}
}
EOF1
g++ -o threaded threaded.cc -pthread && kept_by 'C++ with threads' ./threaded
done_testing
