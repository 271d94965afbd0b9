#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The page by keyboard alone, in a narrow window and in both themes: each row
# can be chosen, the focus is always in sight, texts have contrast, and what a
# finger touches is large enough.  In a browser.
. "${MEMMON_SRC:-.}/tests/tap.sh"
mpreduce=$MEMMON_BUILD/mpreduce
export T
chromium=$(command -v chromium || command -v chromium-browser ||
	command -v google-chrome)
[ -n "$chromium" ] || skip_all 'no chromium'

# Nine functions that hold blocks; two threads; a line whose blocks are
# short-lived on one of two call paths.
{
	cat <<'END_OF_PART'
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void *volatile last;
static void *volatile held[99];
static int n;
struct item { long number[50]; };
__attribute__((noinline)) static void *make(void)
{
	return malloc(40);
}
__attribute__((noinline)) static void brief(int times)
{ while (times--) free(make()); }
__attribute__((noinline)) static void stay(int times)
{ while (times--) held[n++] = make(); }
static void *work(void *arg)
{
	pthread_setname_np(pthread_self(), (char *)arg);
	last = malloc(1000);
	return NULL;
}
END_OF_PART
	for i in {1..9}; do
		echo "__attribute__((noinline)) static void hold$i(void)"
		echo "{ struct item *p = (struct item *)malloc($i * sizeof *p);"
		echo "memset(p, 1, $i * sizeof *p); held[n++] = p; usleep(2000); }"
	done
	cat <<'END_OF_PART'
int main(int argc, char **argv)
{
	char one[] = "one", two[] = "two";
	pthread_t t;

	pthread_create(&t, NULL, work, one);
	pthread_join(t, NULL);
	pthread_create(&t, NULL, work, two);
	pthread_join(t, NULL);
	hold1(); hold2(); hold3(); hold4(); hold5(); hold6();
	if (argc > 1) { hold7(); hold8(); hold9(); }
	brief(500);
	stay(30);
	for (int i = 0; i < n; i++)
		held[i] = NULL;
	return argc > 9 && argv[9][0];
}
END_OF_PART
} >many.cc
$CXX -g -pthread many.cc -o many
"$MEMMON_BUILD/memmon" -q -l -o old.mon ./many
"$MEMMON_BUILD/memmon" -q -l -o new.mon ./many x
"$MEMMON_BUILD/memmon" -q --log -o log.mon ./many x
"$mpreduce" --units=bytes --html=many.html ./many new.mon
"$mpreduce" --units=bytes --html=log.html ./many log.mon
"$mpreduce" --diff --units=bytes --html=diff.html ./many old.mon new.mon
"$MEMMON_BUILD/memmon-c++" -g -pthread many.cc -o used 2>err &&
	MEMMON_OUT=used.mon ./used x &&
	"$mpreduce" --units=bytes --html=used.html ./used used.mon
perl "$MEMMON_SRC/tests/html_keys.pl" "$chromium" >said 2>err
is $? 0 "the browser went through all of it" || diag "$(tail -n 5 err)"
while read -r held what; do
	[ "$held" = 1 ]
	ok $? "$what" || diag "$(head -n 40 err)"
done <said
done_testing
