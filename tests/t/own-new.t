#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Programs whose executable defines some of the allocator's functions itself; no
# library comes before the executable.  memmon says so at the start, in each
# report, and when it attaches.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/figures.sh"
. "$MEMMON_SRC/tests/attach.sh"

# 1,000 nodes of 400 bytes of a pool, and 100 blocks of malloc().
cat >pool.h <<'C'
#include <cstdlib>
#include <fcntl.h>
#include <new>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
static char *at, *end;
static void *pool(std::size_t n)
{
	n = (n + 15) & ~std::size_t(15);
	if (std::size_t(end - at) < n) {
		at = (char *)mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		end = at + (1 << 20);
	}
	return at += n, at - n;
}
struct node { char text[400]; static void *operator new(std::size_t n); };
void *volatile keep;
int main(int argc, char **)
{
	do {
		for (int i = 0; i < 1000; i++)
			keep = new NODE;
		for (int i = 0; i < 100; i++)
			std::free(keep = std::malloc(100));
		std::string text(1000, 'x');
		keep = &text[0];
		if (argc > 1)
			close(creat("round", 0666));
	} while (argc > 1 && access("end", F_OK) != 0);
}
C
deletes='void operator delete(void *) noexcept {}
void operator delete(void *, std::size_t) noexcept {}'
{
	echo '#define NODE std::string(400, 65)'
	echo '#include "pool.h"'
	echo 'void *operator new(std::size_t n) { return pool(n); }'
	echo "$deletes"
} >new.cc
{
	echo '#define NODE char[400]'
	echo '#include "pool.h"'
	echo 'void *operator new[](std::size_t n) { return pool(n); }'
} >array.cc
{
	echo '#define NODE node'
	echo '#include "pool.h"'
	echo 'void *node::operator new(std::size_t n) { return pool(n); }'
} >class.cc
said='has its own operator new: memmon sees only the blocks that it gets from malloc'
reported='the program has its own malloc or operator new; the figures leave out memory that these functions get without calling malloc'

# own NAME FLAG...: build it, and run it; its messages in err.
own()
{
	local name=$1
	shift
	rm -f n.mon
	"$CXX" -g -O1 -fno-builtin -o "$name" "$name.cc" "$@" || return
	timeout "$HANG" "$MEMMON" -o n.mon "./$name" 2>err
	"$MPREDUCE" --summary "./$name" n.mon >summary 2>&1
	tr -s '\n ' '  ' <summary >line
}
for flags in '' -flto -rdynamic; do
	# shellcheck disable=SC2086 # flags
	own new $flags
	like "$(cat err)" "$said" "operator new, ${flags:-plain}: memmon tells"
	like "$(cat line)" "$reported" '... and the report'
done
own new -static-libstdc++
like "$(cat err)" "$said" 'operator new, with a C++ library linked in: memmon tells'
like "$(cat line)" "$reported" '... and the report'

# No library calls it, so it is in no dynamic symbol table.
cat >alone.cc <<'C'
#include <cstdlib>
#include <new>
static char pool[1 << 20], *at = pool;
void *operator new(std::size_t n) { return at += n, at - n; }
void operator delete(void *) noexcept {}
void operator delete(void *, std::size_t) noexcept {}
struct node { char text[400]; };
node *volatile keep;
int main() { keep = new node; return !std::malloc(100); }
C
own alone
like "$(cat err)" "$said" 'operator new that no library calls: memmon tells'
like "$(cat line)" "$reported" '... and the report'
own array
like "$(cat err) $(cat line)" "$said.*$reported" 'operator new[] alone: both tell'
own class
is "$(grep -c 'own operator' err line | tr '\n' ' ')" 'err:0 line:0 ' \
	'operator new of a class: neither does'
own class -static-libstdc++
is "$(grep -c 'own operator' err line | tr '\n' ' ')" 'err:0 line:0 ' \
	'... with a C++ library linked in, either'

# A program that defines only calloc(), not the rest of malloc()'s family.
cat >calloc.c <<'C'
#include <stddef.h>
extern void *__libc_calloc(size_t, size_t);
void *calloc(size_t n, size_t size) { return __libc_calloc(n, size); }
void *volatile keep;
int main(void) { keep = calloc(10, 10); return !keep; }
C
rm -f n.mon
"$CC" -g -O0 -fno-builtin -o calloc calloc.c &&
	timeout "$HANG" "$MEMMON" -o n.mon ./calloc 2>err
like "$(cat err) $("$MPREDUCE" --prolog ./calloc n.mon 2>&1 | tr -s '\n ' '  ')" \
	"has its own calloc, realloc.*$reported" \
	'calloc() alone: both tell'

# In a program linked with the library no launcher can report it; mpreduce's
# tables do.
rm -f n.mon
"$CXX" -g -O1 -fno-builtin -o linked new.cc -L"$MEMMON_BUILD" -lmemmon \
	-Wl,-rpath,"$MEMMON_BUILD" && MEMMON_OUT=n.mon timeout "$HANG" ./linked
like "$("$MPREDUCE" --summary ./linked n.mon 2>&1 | tr -s '\n ' '  ')" \
	"$reported" 'linked: the report tells'

# until_round: wait until the program ends one of its rounds.
until_round()
{
	rm -f round
	until [ -e round ]; do sleep 0.02; done
}

# Attached: memmon counts neither the blocks of libraries nor those of the
# program.
if may_attach; then
	"$CXX" -g -O1 -fno-builtin -o new new.cc
	rm -f end n.mon round
	./new on &
	victim=$!
	until_round
	attach -o n.mon
	# A whole one: the first may have begun before.
	until_round
	until_round
	detach
	like "$(cat attach.err)" "$said" 'attached: memmon tells'
	touch end
	wait $victim
	like "$("$MPREDUCE" --summary ./new n.mon 2>&1 | tr -s '\n ' '  ')" \
		"$reported" '... and the report'
	"$MPREDUCE" --json ./new n.mon >json 2>/dev/null
	is "$(grep -c '^{"size":1001,' json) $(grep -c '^{"size":100,' json | grep -c '[1-9]')" \
		'0 1' '... what libraries get by operator new is not counted either'
else
	skip 3 'ptrace is not allowed here'
fi
# A library with a malloc of its own: 10 blocks of the library, 5 of the
# program.
cat >lib.c <<'C'
#include <stddef.h>
static char pool[1 << 20];
static size_t at;
VISIBLE void *malloc(size_t n)
{
	void *p = pool + at;

	at += (n + 15) / 16 * 16;
	return p;
}
VISIBLE void free(void *p) { (void)p; }
VISIBLE void *calloc(size_t a, size_t b) { return malloc(a * b); }
VISIBLE void *realloc(void *p, size_t n) { return p ? p : malloc(n); }
void *lib_alloc(size_t n) { return malloc(n); }
C
cat >uses.c <<'C'
#include <stdlib.h>
void *lib_alloc(size_t n);
int main(void)
{
	for (int i = 0; i < 10; i++)
		lib_alloc(1000);
	for (int i = 0; i < 5; i++)
		free(malloc(10));
	return 0;
}
C
echo 'OWN_1 { global: malloc; free; calloc; realloc; lib_alloc; };' >own.map
bound='a library has its own malloc and calls it directly .*; the figures leave out the calls within that library'
# tells TEXT PROGRAM FILE: 1 if a report contains the text.
tells()
{
	"$MPREDUCE" --summary "$2" "$3" 2>&1 | tr -s '\n ' '  ' | grep -c "$1"
}
# within NAME WANT FLAGS...: how many of the library's are counted.
within()
{
	local name=$1 want=$2
	shift 2
	"$CC" -g -O0 -fno-builtin -fPIC -shared "$@" lib.c -o libwithin.so &&
		"$CC" -g -O0 uses.c -o uses -L. -lwithin -Wl,-rpath,"$T"
	rm -f within.mon
	"$MEMMON" -q -o within.mon ./uses
	is "$? $(totals within.mon | cut -d' ' -f 1)" "0 $want" \
		"a library's own malloc, $name: allocations"
	is "$(tells "$bound" ./uses within.mon)" $((want == 5)) \
		'... the report tells that calls are missing, if they are'
}
within plain 15 -DVISIBLE=
within 'with versions' 15 -DVISIBLE= -Wl,--version-script=own.map
# Its own calls can't be seen.
within 'symbolic functions' 5 -DVISIBLE= -Wl,-Bsymbolic-functions
within symbolic 5 -DVISIBLE= -Wl,-Bsymbolic
within protected 5 '-DVISIBLE=__attribute__((visibility("protected")))'

# The same for a library that is loaded later, and unloaded.
cat >opens.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	int how = argc > 3 ? RTLD_NOW | RTLD_DEEPBIND : RTLD_NOW;
	void *so = argc > 3 && argv[3][0] == 's'
			   ? dlmopen(LM_ID_NEWLM, argv[1], RTLD_NOW)
			   : dlopen(argv[1], how);
	void *(*f)(size_t) = so ? (void *(*)(size_t))dlsym(so, "lib_alloc") : 0;
	void *volatile p;

	if (!f)
		return 1;
	for (int i = 0; i < 10; i++)
		p = f(1000);
	for (int i = 0; i < 5; i++)
		free(malloc(10));
	return argc > 2 && argv[2][0] == 'c' ? dlclose(so) : 0;
}
C
"$CC" -g -O0 -fno-builtin -o opens opens.c -ldl
prog=./opens so=./late.so
cat >deep.c <<'C'
#include <stdlib.h>
void *lib_alloc(size_t n) { return malloc(n); }
C
deep='loaded with RTLD_DEEPBIND and calls the C library.s malloc directly'
# later NAME SEEN TEXT CFLAGS...: is it said, where SEEN of 10 blocks are seen?
later()
{
	local name=$1 seen=$2 text=$3 how
	shift 3
	"$CC" -g -O0 -fno-builtin -fPIC -shared "$@" -o late.so
	for how in stay close; do
		rm -f late.mon
		"$MEMMON" -q -o late.mon $prog $so $how $way
		"$MPREDUCE" --json $prog late.mon >json 2>/dev/null
		is "$? $(sed -n 's/^{"size":1000,"allocs":\([0-9]*\),.*/\1/p' json)" \
			"0 $seen" "a library loaded later, $name, $how: allocations"
		is "$(tells "$text" $prog late.mon)" $((!seen)) \
			'... and what the report tells'
	done
}
way=
later plain 10 'calls .*directly' -DVISIBLE= lib.c
later symbolic '' "$bound" -DVISIBLE= -Wl,-Bsymbolic lib.c
later 'symbolic functions' '' "$bound" -DVISIBLE= \
	-Wl,-Bsymbolic-functions lib.c
later 'without its own malloc' 10 'calls .*directly' deep.c
way=deep
later 'RTLD_DEEPBIND' 10 "$deep" deep.c
# The loader searches for a plain name in the caller's DT_RUNPATH, so no other
# library can open it for the caller.
"$CC" -g -O0 -fno-builtin -o found opens.c -ldl \
	-Wl,--enable-new-dtags,-rpath,"$T"
prog=./found so=late.so
later 'RTLD_DEEPBIND by DT_RUNPATH' '' "$deep" deep.c
prog=./opens so=./late.so
way=space
later 'dlmopen()' '' 'loaded into a namespace with a C library of its own' \
	deep.c

# Tools of valgrind have a malloc of their own; others leave the program's.
for tool in memcheck massif dhat none; do
	if ! valgrind --tool=$tool true >/dev/null 2>&1; then
		skip 1 "no $tool"
		continue
	fi
	want=1
	[ $tool = none ] && want=0
	"$MEMMON" -q -o tool.mon valgrind -q --tool=$tool \
		"$PROG/widgets" >/dev/null 2>&1
	is "$(tells 'valgrind replaced malloc' "$PROG/widgets" tool.mon)" $want \
		"valgrind's $tool: its malloc is told"
done
rm -f massif.out.* dhat.out.*

# An allocator's calls within itself don't count as such direct calls.
for lib in libjemalloc.so.2 libmimalloc.so.2 libtcmalloc_minimal.so.4; do
	rm -f late.mon
	LD_PRELOAD=$lib "$MEMMON" -q -o late.mon ./opens ./late.so 2>err
	if grep -q 'cannot be preloaded' err; then
		skip 1 "$lib isn't here"
		continue
	fi
	is "$(tells 'calls .*directly' ./opens late.mon)" 0 "none of $lib"
done
done_testing
