#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The views of the page agree with each other and with the tables: one function
# is one box, rows show lines separately, every metric has its columns, two runs
# are compared by the data that both have.  In a browser.
. "${MEMMON_SRC:-.}/tests/tap.sh"
mpreduce=$MEMMON_BUILD/mpreduce
prog=$MEMMON_BUILD/tests/prog
export T
chromium=$(command -v chromium || command -v chromium-browser ||
	command -v google-chrome)
[ -n "$chromium" ] || skip_all 'no chromium'

# Leaked: 10 blocks of 40 bytes by lines(), 600 by keep(), -n of them with an
# argument; 20 large blocks, never read; a map of 30 nodes.
cat >views.cc <<'END'
#include <cstdlib>
#include <cstring>
#include <map>
struct item { long number[5]; };
static item *volatile made;
static void *volatile last;
__attribute__((noinline)) static void lines(int i)
{
	if (i % 2)
		made = new item;
	else
		made = new item;
}
__attribute__((noinline)) static void keep(int n)
{
	for (int i = 0; i < n; i++)
		last = malloc(10);
}
__attribute__((noinline)) static void large()
{
	for (int i = 0; i < 6000; i++)
		free(malloc(2000 + i));
	for (int i = 0; i < 20; i++) {
		char *p = (char *)malloc(100000);

		memset(p, 1, 100000);
		free(p);
	}
}
__attribute__((noinline)) static void fill(std::map<int, int> &m)
{
	for (int i = 0; i < 30; i++)
		m[i] = i;
}
int main(int argc, char **argv)
{
	std::map<int, int> m;

	for (int i = 0; i < 5; i++)
		lines(i);
	for (int i = 5; i < 10; i++)
		lines(i);
	keep(argc > 1 ? atoi(argv[1]) : 60);
	large();
	if (argc < 3) fill(m);
	last = made = nullptr;
	return 0;
}
END
$CXX -g views.cc -o views
"$MEMMON_BUILD/memmon" -q -l -o old.mon ./views 30
"$MEMMON_BUILD/memmon" -q -l -o new.mon ./views
"$mpreduce" --units=bytes --html=views.html ./views new.mon
"$mpreduce" --diff --units=bytes --html=diff.html ./views old.mon new.mon
"$MEMMON_BUILD/memmon" -q -l -o less.mon ./views 60 x
"$mpreduce" --diff --units=bytes --html=less.html ./views new.mon less.mon
"$mpreduce" --diff --units=bytes --verbose ./views new.mon less.mon >less.txt
"$mpreduce" --diff --units=bytes --verbose ./views old.mon new.mon >diff.txt
"$MEMMON_BUILD/memmon-c++" -g views.cc -o used 2>err &&
	MEMMON_OUT=used.mon ./used && "$mpreduce" --units=bytes --html=used.html ./used used.mon
"$mpreduce" --ignore=keep --ignore=lines --sql='select bytes from totals' \
	--export=csv ./views new.mon | tail -n 1 | tr -d '\r' >ignored
# 40 of 80 blocks of item stay, made between two marks; a block lives shortly.
cat >grow.c <<'END'
#define MEMMON_WEAK
#include <memmon.h>
#include <stdlib.h>
#include <unistd.h>
struct item { char text[1000]; };
static struct item *all[80];
__attribute__((noinline)) static void keep(int i)
{ all[i] = malloc(sizeof(struct item)); }
__attribute__((noinline)) static struct item *item(void)
{ struct item *made = malloc(sizeof(struct item)); return made; }
__attribute__((noinline)) static void brief(void)
{ char *p = malloc(20000); usleep(20000); free(p); }
int main(void)
{
	for (int i = 40; i < 80; i++)
		all[i] = item();
	for (int i = 40; i < 80; i++)
		free(all[i]);
	memmon_mark("before");
	for (int i = 0; i < 40; i++) {
		keep(i);
		usleep(200);
	}
	memmon_mark("after");
	brief();
	return 0;
}
END
$CC -g -I "$MEMMON_SRC/monitor" -c grow.c && $CC grow.o -o grow
"$MEMMON_BUILD/memmon" -q -o grow.mon ./grow
"$mpreduce" --units=bytes --html=grow.html ./grow grow.mon
# A named thread allocates 5 of 8 blocks by make().
cat >crew.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
static void *volatile last;
struct padded { char a; long b; };
__attribute__((noinline)) static void make(int n, size_t size)
{ for (int i = 0; i < n; i++) last = malloc(size); }
static void *work(void *arg)
{ pthread_setname_np(pthread_self(), "worker"); make(5, 100); return arg; }
int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
	make(3, 1000);
	for (int i = 0; i < 9; i++) {
		struct padded *p = malloc(sizeof *p);

		p->a = 1;
		last = p;
		free(p);
	}
	last = malloc(77);
	return 0;
}
END
$CC -g -pthread crew.c -o crew
"$MEMMON_BUILD/memmon" -q -o crew.mon ./crew
"$mpreduce" --units=bytes --html=crew.html ./crew crew.mon
"$mpreduce" --units=bytes -b --waste ./crew crew.mon >waste
"$mpreduce" --timeline=thread -b --units=bytes ./crew crew.mon >threads
"$MEMMON_BUILD/memmon" -q --log -o lives.mon ./crew
"$mpreduce" --units=bytes --html=lives.html ./crew lives.mon
"$MEMMON_BUILD/memmon" -q --allocator -o cost.mon ./crew
"$mpreduce" --units=bytes --html=cost.html ./crew cost.mon
# A recursion; and 40 functions, each called by the next one.
"$MEMMON_BUILD/memmon" -q -o parse.mon "$prog/recurse" parse '1+(2*3)'
"$mpreduce" --units=bytes --html=parse.html "$prog/recurse" parse.mon
"$mpreduce" --units=bytes --hide=parse_product --html=hidden.html \
	"$prog/recurse" parse.mon
"$mpreduce" --diff --units=bytes --hide=keep --html=diff-hidden.html ./views \
	old.mon new.mon
{
	echo '#include <stdlib.h>'
	echo 'void *f0(void) { return malloc(7); }'
	for i in {1..40}; do
		echo "void *f$i(void) { return f$((i - 1))(); }"
	done
	echo 'int main(void) { return !f40(); }'
} >deep.c
$CC -O0 deep.c -o deep
"$MEMMON_BUILD/memmon" -q -o deep.mon ./deep
"$mpreduce" --units=bytes --html=deep.html ./deep deep.mon
# One line allocates two types, and nothing is freed.
cat >same.c <<'END'
#include <stdlib.h>
struct a { long v[10]; };
struct b { long v[20]; };
static struct a *volatile a;
static struct b *volatile b;
static void both(void)
{
	a = malloc(sizeof(struct a)); b = malloc(sizeof(struct b));
}
int main(void)
{
	for (int i = 0; i < 100; i++)
		both();
	return 0;
}
END
$CC -g -O0 same.c -o same
"$MEMMON_BUILD/memmon" -q -o same.mon ./same
"$mpreduce" --units=bytes --html=same.html ./same same.mon
# One of the blocks is badly used, and does not matter.
cat >few.c <<'END'
#include <stdlib.h>
int main(void)
{
	char *volatile idle = malloc(18);
	long *volatile all = malloc(80000), s = 0;
	for (int i = 0; i < 10000; i++)
		all[i] = i;
	for (int i = 0; i < 10000; i++)
		s += all[i];
	free(all);
	return idle == 0 && s;
}
END
"$MEMMON_BUILD/memmon-cc" -g -O1 few.c -o few 2>err &&
	MEMMON_OUT=few.mon ./few && "$mpreduce" --html=few.html ./few few.mon
# The figures of the page equal those of SQL: the bytes that could be saved, by
# line.
if [ -s used.html ]; then
	"$mpreduce" -l --export=csv --sql='select sum(save) from sites' ./used \
		used.mon | tail -n 1 | tr -d '\r' >want
	perl -MJSON::PP -0777 -ne 'm{id="data">(.*?)</script>}s;
		my $d = JSON::PP->new->utf8->decode($1); my $n = 0;
		$n += $_ for @{$d->{sites}{save}};
		print "$n\n"' used.html >got
	is "$(cat got)" "$(cat want)" "worst used: as in SQL"
fi
perl "$MEMMON_SRC/tests/html_views.pl" "$chromium" >said 2>err
is $? 0 "the browser went through all of it" || diag "$(tail -n 5 err)"
while read -r held what; do
	[ "$held" = 1 ]
	ok $? "$what" || diag "$(head -n 40 err)"
done <said
done_testing
