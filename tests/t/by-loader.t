#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A program run as an argument of its dynamic loader: /proc/self/exe is then the
# loader's, but the profile is the program's.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

cat >prog.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
void *keep;
__attribute__((noinline)) void *make(void)
{
	return malloc(5000);
}
static void *thread(void *arg)
{
	return free(malloc(300)), arg;
}
int main(int argc, char **argv)
{
	pthread_t t;
	keep = make();
	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
	dprintf(1, "%s %d\n", argv[0], argc);
	return argc + 2;
}
C
$CC -g -O1 prog.c -o prog -pthread || skip_all "no programs"
loader=$(readelf -lW prog | sed -n 's/.*interpreter: \(.*\)]/\1/p')
[ -x "$loader" ] || skip_all "no dynamic loader"
ln -s "$loader" ld.so

# shown FILE: mpreduce's lines about the file that name the program.
shown()
{
	"$MPREDUCE" -L -l -b "$1" 2>&1 | grep -o 'main.*make (prog.c:[0-9]*)' |
		head -n 1
	"$MPREDUCE" --file-info=list "$1" | grep -o '\bprog\b' | head -n 1
	"$MPREDUCE" -i "$1" | grep -c ' prog\b.*(program)\|/prog (program)'
	"$MPREDUCE" --threads "$1" 2>&1 | awk '$NF == "prog" { n++ }
		/ld/ { loader = 1 } END { print n, loader }'
}
"$MEMMON" -o plain.mon ./prog >out
is "$?" 3 "the program alone"
is "$(cat out)" "./prog 1" "... its output"
want=$(shown plain.mon)
like "$want" "main .prog.c:[0-9]*. > make .prog.c:7." "... has names"
totals=$(totals plain.mon)

# same FILE WHAT: is the profile the plain one?
same()
{
	is "$(totals "$1")" "$totals" "$2: its totals"
	is "$(shown "$1")" "$want" "... and its names"
}
"$MEMMON" -o a.mon "$loader" ./prog >out
is "$?" 3 "memmon ld.so ./prog: its status"
is "$(cat out)" "./prog 1" "... and its output"
same a.mon "memmon ld.so ./prog"
"$MEMMON" -o %e.mon ./ld.so --inhibit-cache --library-path /lib --argv0 x \
	./prog 1 >out
is "$?.$(cat out)" "4.x 2" "ld.so with options: status and output"
same prog.mon "... %e is the program"
rm prog.mon

printf '#!/bin/sh\nexec %s %s/prog\n' "$loader" "$T" >wrap
chmod +x wrap
"$MEMMON" -o %e.%p.mon ./wrap >/dev/null
is "$?" 3 "by a script"
same "$(echo prog.*.mon)" "... the program's file"
"$MEMMON" -o c.mon --follow=prog sh -c "$loader ./prog; exit 0" >/dev/null
same "$(echo c.mon.*)" "--follow takes it by its name"
"$MEMMON" -o d.mon --follow='ld*' sh -c "$loader ./prog; exit 0" >/dev/null
is "$(echo d.mon.*)" "d.mon.*" "... and not by the loader's"

# A name that is longer than the part of a line of /proc/self/maps that memmon
# reads.
long=$(printf '%0100d' 0)
mkdir "$long" && cp prog "$long"
"$MEMMON" -o e.mon "$loader" "./$long/prog" >/dev/null
like "$("$MPREDUCE" -i e.mon)" "$T/$long/prog" "a long path"

# The loader prints the same as without memmon.
for what in "--list ./prog" "--verify ./prog" "--help" "./prog --list"; do
	# shellcheck disable=SC2086
	for how in "" "$MEMMON"; do
		$how sh -c "$loader $what; echo \$?" 2>&1 |
			sed 's/0x[0-9a-f]*//g' >"out${how:+.memmon}"
	done
	is "$(cat out.memmon)" "$(cat out)" "ld.so $what prints what it does"
	rm -f mon.out*
done
LD_TRACE_LOADED_OBJECTS=1 ./prog | sed 's/0x[0-9a-f]*//' >out
"$MEMMON" sh -c 'LD_TRACE_LOADED_OBJECTS=1 ./prog; :' | sed 's/0x[0-9a-f]*//' >got
is "$(cat got)" "$(cat out)" "... and so does ldd"

# A program that memmon can't be loaded into is refused, however it is run.
if $CC -static prog.c -o static 2>/dev/null; then
	"$MEMMON" "$loader" ./static 2>err
	is "$?.$(grep -c 'statically linked' err)" 125.1 \
		"ld.so with a static program is refused"
fi

# The heap follows the loader's data, and the program's are far above.
cat >list.c <<'C'
#include <stdlib.h>
struct node {
	struct node *next;
};
int main(void)
{
	struct node *volatile head = 0, *n;

	for (int i = 0; i < 100; i++) {
		n = malloc(sizeof(*n));
		n->next = head;
		head = n;
	}
	head = n = 0;
	return 0;
}
C
$CC -g -O0 list.c -o list
for how in "" "$loader"; do
	"$MEMMON" -q -l -o list.mon $how ./list
	is "$("$MPREDUCE" -L -b list.mon | awk '/ (lost|indirect|reachable)  / { print $1, $2 }' | tr '\n' ,)" \
		'8 1,792 99,0 0,' "a list is lost${how:+, run by the loader}"
done
done_testing
