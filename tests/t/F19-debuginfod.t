#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# F19: a server of debug information that never answers.  mpreduce asks none,
# with any value of DEBUGINFOD_URLS: it neither connects to anything nor loads
# the library that would.
. "${MEMMON_SRC:-.}/tests/tap.sh"

make="$MEMMON_BUILD/tests/monmake"
mpreduce="$MEMMON_BUILD/mpreduce"

# Both leave a mark, and would wait for ever.
cat >net.c <<'EOF1'
#include <fcntl.h>
#include <unistd.h>
static int mark(void)
{
	close(open("asked", O_WRONLY | O_CREAT, 0600));
	for (;;)
		pause();
}
int socket(int a, int b, int c) { return (void)a, (void)b, (void)c, mark(); }
int connect(int a, const void *b, unsigned c)
{
	return (void)a, (void)b, (void)c, mark();
}
EOF1
cat >library.c <<'EOF1'
#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>
__attribute__((constructor)) static void loaded(void)
{
	close(open("asked", O_WRONLY | O_CREAT, 0600));
}
void *debuginfod_begin(void) { for (;;) pause(); return NULL; }
EOF1
mkdir lib
$CC -shared -fPIC -o net.so net.c &&
	$CC -shared -fPIC -Wl,-soname,libdebuginfod.so.1 \
		-o lib/libdebuginfod.so.1 library.c ||
	echo "Bail out! compiler"

# A program that is stripped, and a library that is missing.
echo 'int main(void) { return 0; }' >prog.c
$CC -g -Wl,--build-id=0x0102030405060708090a0b0c0d0e0f1011121314 -o prog prog.c
strip prog
printf '%s\n' "module exe $PWD/prog exe id\
 0102030405060708090a0b0c0d0e0f1011121314" \
	"module lib /nonexistent/lib.so id 1413121110" \
	"chain c exe:0x1050 lib:0x20 exe:0x1060" "alloc c 24 3" | "$make" >mon.out

# ask NAME COMMAND...: with a server that is a black hole (RFC 5737).
ask()
{
	local name=$1
	shift
	rm -f asked
	DEBUGINFOD_URLS="http://192.0.2.1/ http://192.0.2.2:8002/" \
		DEBUGINFOD_CACHE_PATH=$PWD/cache DEBUGINFOD_TIMEOUT=1000 \
		LD_LIBRARY_PATH=$PWD/lib LD_PRELOAD=$PWD/net.so \
		timeout "$HANG" "$@" >out 2>err
	status=$?
	[ ! -e asked ]
	ok $? "$name: nobody is asked"
	[ ! -e cache ]
	ok $? "$name: nothing is kept"
}
ask mpreduce "$mpreduce" mon.out
is $status 0 "F19: mpreduce: status"
like "$(cat err)" "prog: (stripped|has no symbols)" "the file is said to lack it"
ask --json "$mpreduce" --json --fields -b prog mon.out
is $status 0 "--json: status"

# The marks are made when somebody does ask.
cat >asks.c <<'EOF1'
#include <dlfcn.h>
int main(void) { return !dlopen("libdebuginfod.so.1", RTLD_NOW); }
EOF1
$CC -o asks asks.c -ldl
LD_LIBRARY_PATH=$PWD/lib ./asks
[ -e asked ]
ok $? "the test sees who loads it"
done_testing
