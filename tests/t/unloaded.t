#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Libraries that are unloaded without dlclose(): those of a dlopen() that fails,
# and those that libc itself loads for iconv().  The monitor reads nothing at
# their addresses, and a library that is loaded there later has its own names.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

# A library that can't be loaded: it calls a function that doesn't exist.
cat >bad.c <<'C'
extern int nowhere(void);
int bad(void) { return nowhere(); }
C
# A library that takes long to read.
cat >long.c <<'C'
#include <stdio.h>
#define P8 puts, puts, puts, puts, puts, puts, puts, puts
#define P64 P8, P8, P8, P8, P8, P8, P8, P8
#define P512 P64, P64, P64, P64, P64, P64, P64, P64
#define P4096 P512, P512, P512, P512, P512, P512, P512, P512
int (*all[])(const char *) = { P4096, P4096, P4096, P4096 };
C
# Modules of iconv that are the same, address for address, except for the name.
cat >module.c <<'C'
#include <gconv.h>
#include <stdlib.h>
__attribute__((noinline)) void *NAME(void)
{
	void *volatile p = malloc(SIZE);
	return p;
}
int gconv_init(struct __gconv_step *s)
{
	s->__data = NAME();
	s->__min_needed_from = s->__max_needed_from = 1;
	s->__min_needed_to = s->__max_needed_to = 4;
	s->__stateful = 0;
	return 0;
}
void gconv_end(struct __gconv_step *s) { free(s->__data); }
int gconv(struct __gconv_step *s, struct __gconv_step_data *d,
	  const unsigned char **in, const unsigned char *end,
	  unsigned char **out, size_t *n, int flush, int first)
{
	return 0;
}
C
cat >goes.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <iconv.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "memmon.h"
static void *fails(void *unused)
{
	for (;;)
		if (dlopen("./bad.so", RTLD_NOW))
			abort();
	return unused;
}
static void convert(unsigned i)
{
	static char name[] = "M0";
	iconv_t c;
	name[1] = '0' + i % 6;
	c = iconv_open("UTF-8", name);
	if (c == (iconv_t)-1)
		abort();
	iconv_close(c);
}
static void *converts(void *unused)
{
	for (unsigned i = 0;; i++)
		convert(i);
	return unused;
}
static void *dumps(void *unused)
{
	for (;; usleep(1000))
		memmon_dump_to("dump");
	return unused;
}
static int each(struct dl_phdr_info *i, size_t size, void *n)
{
	return ++*(int *)n, 0;
}
/* Each child asks the loader, which no thread that is gone may have locked. */
static int forks(void)
{
	int bad = 0, status, n = 0;
	for (int i = 0; i < 200 && !bad; i++) {
		pid_t pid = fork();
		if (!pid) {
			alarm(200);
			dl_iterate_phdr(each, &n);
			_exit(n < 3);
		}
		waitpid(pid, &status, 0);
		bad += status != 0;
	}
	return bad != 0;
}
int main(int argc, char **argv)
{
	pthread_t t;
	if (strchr(argv[1], 'k') && !dlopen("./long.so", RTLD_NOW))
		return 1;
	for (char *s = argv[1]; *s; s++)
		if (*s != 'k')
			pthread_create(&t, NULL, *s == 'f' ? fails :
				       *s == 'c' ? converts : dumps, NULL);
		else
			return forks();
	for (int i = 0; argc > 2 && i < 600; i++)
		convert(i);
	usleep(20000 + getpid() % 100 * 200);
	return 0;
}
C
$CC -shared -fPIC -o bad.so bad.c || exit 1
$CC -shared -fPIC -o long.so long.c || exit 1
for i in 0 1 2 3 4 5; do
	$CC -shared -fPIC -g -DNAME=take$i -DSIZE=20 -o M$i.so module.c ||
		exit 1
	echo "module M$i// INTERNAL M$i 1"
done >gconv-modules
$CC -O1 -g -I"$MEMMON_SRC/monitor" -o goes goes.c -L"$MEMMON_BUILD" \
	-Wl,--as-needed -lmemmon -ldl -lpthread || exit 1
export GCONV_PATH=$PWD LD_LIBRARY_PATH=$MEMMON_BUILD

# runs N WHAT OPTION...: how many of N runs don't end with 0.
runs()
{
	local i n=$1 what=$2 bad=0
	shift 2
	for ((i = 0; i < n; i++)); do
		timeout "$HANG" "$MEMMON" -q "$@" -o goes.mon ./goes "$what" \
			>out 2>&1 || bad=$((bad + 1))
		rm -f goes.mon*
	done
	echo $bad
}
times=10
! exhaustive || times=100
is "$(runs $times f)" 0 'a thread whose dlopen() fails, while the program ends'
is "$(runs $times c)" 0 'a thread that uses iconv()'
is "$(runs $times fd)" 0 'both that and files'
is "$(runs $times cd --every=1ms)" 0 'iconv() and files'
is "$(runs $times cf -l)" 0 'with the leak check at the end'
is "$(runs 2 dk)" 0 'children of fork() while files are written may ask the loader'
is "$(runs 2 dk -l)" 0 '... with the leak check'

# The process ends, or writes a file, while a thread is in the loader: while it
# unloads a library, or forever in a function that the loader calls.
cat >within.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int within;
static void ends(int sig)
{
	_exit(sig == SIGALRM ? 3 : 4);
}
static int stays(struct dl_phdr_info *i, size_t size, void *forever)
{
	within = 1;
	if (forever)
		for (;;)
			pause();
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return 1;
}
static void *asks(void *forever)
{
	dl_iterate_phdr(stays, forever);
	return NULL;
}
int main(int argc, char **argv)
{
	struct itimerval in = { { 0, 0 }, { 0, 1000 + getpid() % 97 * 50 } };
	char what = argv[1][0];
	pthread_t t;
	if (strchr("uU", what)) { /* a signal, while this thread unloads */
		if (what == 'u')
			signal(SIGALRM, ends);
		setitimer(ITIMER_REAL, &in, NULL);
		for (;;)
			dlclose(dlopen("./M0.so", RTLD_NOW));
	}
	pthread_mutex_lock(&lock);
	pthread_create(&t, NULL, asks, what == 'm' ? NULL : &t);
	while (!within)
		usleep(100);
	for (int i = 0; i < 200; i++) {
		free(malloc(100));
		usleep(100);
	}
	if (what == 'm') { /* the other thread waits for this one */
		pthread_mutex_unlock(&lock);
		pthread_join(t, NULL);
	}
	if (what == '_')
		_exit(3);
	if (what == 'x')
		execl("/bin/sh", "sh", "-c", "exit 3", NULL);
	return 3;
}
C
$CC -O1 -g -o within within.c -ldl -lpthread || exit 1

# within N STATUS WHAT OPTION...: how many of N runs don't end with that status.
within()
{
	local i n=$1 status=$2 what=$3 bad=0
	shift 3
	for ((i = 0; i < n; i++)); do
		timeout "$HANG" "$MEMMON" -q "$@" -o within.mon \
			./within "$what" >out 2>&1
		[ $? = "$status" ] || bad=$((bad + 1))
		rm -f within.mon*
	done
	echo $bad
}
is "$(within $((2 * times)) 3 u)" 0 'a handler that ends the process amid dlclose()'
is "$(within $((2 * times)) 142 U)" 0 '... a signal that does'
is "$(within 1 3 r)$(within 1 3 _)$(within 1 3 x)" 000 \
	'a thread stays in dl_iterate_phdr(): exit, _exit, exec'
is "$(within 2 3 m --every=5ms)" 0 '... it waits for one that writes files'

$MEMMON -q -o names.mon ./goes '' names
"$MPREDUCE" --json ./goes names.mon >json 2>err
is "$("$MEMMON_BUILD/tests/jsonrows" functions name self.allocs <json |
	grep '^take. ' | LC_ALL=C sort)" \
	"$(printf 'take%d 100\n' 0 1 2 3 4 5)" \
	'modules of iconv at the address of others have their own blocks'

# The code that writes a file reads nothing of the loader's, because mappings
# may go away.  These files ask only for an address, or use the allocator, which
# stays.
cd "$MEMMON_SRC" || exit 1
is "$(grep -lE 'dlfo_link_map|struct link_map|l_next|dl_iterate_phdr' \
	monitor/{file,log,leak,counts,memory,costs,image,store}/*.c)" \
	"monitor/costs/costs_put.c
monitor/costs/locks.c" 'no other file of those that write reads the list'
done_testing
