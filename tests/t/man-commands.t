#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The commands in memmon(7), memmon-tools(7), memmon-lisp(7), memmon-mpi(7),
# memmon-modules(7), mpreduce-tables(7), mpreduce-queries(7),
# mpreduce-formats(7), memmon_module(3), memmon(1), mpreduce(1) and
# memmon-cc(1), in examples and in sentences, run.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/attach.sh"
man=$MEMMON_SRC/man
unset DEBUGINFOD_URLS
export PATH=$MEMMON_BUILD:$PATH MEMMON_CC_QUIET=1 MEMMON_CC=$CC
export XDG_CACHE_HOME=$T/cache CPATH=$MEMMON_SRC/monitor/module:$MEMMON_SRC

# Commands that this test doesn't run: a pattern, and which test runs them or
# why not.
cat >elsewhere <<'E'
\b(widgets|pages|mill|config|orders|assets|timers|backlog)\b	tutorial.t, readme.t
[.]/shop	examples.t
^mpreduce .*[ =]shop( |$)	examples.t, sql.t
mon[.]out[.]1234	examples.t
redis	no server of another project
(^| )make( |$)	install.t, arm64.t, musl.t; builds of other programs
^(cmake|pkg-config|[.]/configure|MEMMON_CC_QUIET=1 [.]/configure)	install.t, cc.t
^(mpirun|srun|curl|parca-push|ls heap)	cluster.t
(part|job)[.]	cluster.t
4711[.]	cluster.t
mpreduce --html=job	cluster.t
--watch( |$)	watch.t, attach.t
^memmon -p pid	waits for ^C: attach.t
^(gdb|sleep|kill -USR2 [$]!)	in one shell only: control.t
jemalloc	allocator-others.t
chroot	environment.t
cc1	the compiler's own processes: examples.t
calibrate|compare	allocator-others.t
LD_PRELOAD=libmemmon[.]so	control.t
fsanitize	cc.t
E

# A loop in line 120, blocks that are freed, and one that is not.
{
	cat <<'C'
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct item {
	struct item *next;
	int values[30];
};
static struct item *all;
static char *text;
C
	yes '' | head -n 106
	cat <<'C'
static int
sum(const int *v)
{
	int s = 0;
	for (int i = 1; i < 30; i++)
		s += v[i] + v[i - 1];
	return s;
}
static char *config;
static void *
pool_get(size_t size)
{
	return malloc(size);
}
static void
read_config(void)
{
	free(config);
	config = pool_get(64);
}
static int
work(void)
{
	read_config();
	int s = 0;
	for (int i = 0; i < 100; i++) {
		struct item *item = calloc(1, sizeof(*item));
		item->next = all;
		all = item;
		text = realloc(text, i + 1);
		memset(text, i, i + 1);
		s += sum(item->values);
	}
	for (struct item *next; all; all = next) {
		next = all->next;
		free(all);
	}
	return s;
}
int
main(int argc, char **argv)
{
	int s = 0;
	do {
		s += work();
		if (argc > 1 && !strcmp(argv[1], "loop"))
			usleep(1000);
	} while (argc > 1 && !strcmp(argv[1], "loop"));
	return s == 1;
}
C
} >source.c
is "$(sed -n 120p source.c)" "	for (int i = 1; i < 30; i++)" "the loop is in line 120"

# commands PAGE: its commands, except those that another test runs, and modes
# such as "memmon -l" that have no program.
commands()
{
	awk -f "$MEMMON_SRC/tests/commands.awk" "$man/$1" >all
	grep -vEf <(cut -f1 ../elsewhere) all |
		grep -vE '^memmon -[^ ]*$|^mpreduce --(export|suppressions=f|log)$'
}

# here: the command, with the files of this test in place of those that the page
# names.
here()
{
	sed -E "s,/tmp/,./,g; s,/usr/bin/server,./server,; s/NAME/main/
		s/mon[.]out[.]PID/run\\/mon.out.$recorded/g
		s/-p (PID|pid|1234|4711)/-p $process/
		s/PID|4711/$recorded/; s/=(10m|60s|10s)( |$)/=1s\\2/"
}

# has PROGRAM OPTION
has()
{
	"$1" --help=list | cut -f1 | grep -qx -- "$2"
}

# snapshots COMMAND: wait for the command's output, and make one more snapshot.
snapshots()
{
	local i k
	for k in 1 2; do
		for ((i = 0; i < HANG * 20; i++)); do
			[ ! -e "run/mon.out.$recorded.$k" ] || break
			sleep .05
		done
		[ $k = 2 ] || bash -c "$1"
	done
}

# page NAME LEAST: runs its commands; the page must have at least LEAST of them.
page()
{
	local n=0
	mkdir -p "$1.d/heap" && cd "$1.d" || return
	cp ../source.c prog.c
	memmon-cc -g -O1 prog.c -o prog && cp prog a.out && cp prog server
	mkdir old new && cp prog old && cp prog new
	for file in old.mon new.mon mon.out run.mon heap/{1,2}.mon; do
		MEMMON_LOG=1 MEMMON_LEAKCHECK=1 MEMMON_ALLOCATOR=1 MEMMON_OUT=$file ./prog
	done
	mkdir run
	(cd run && exec memmon -q -l --signal=USR2 -o mon.out ../server loop) \
		>server.out 2>&1 </dev/null &
	recorded=$!
	"$CC" -g -O1 prog.c -o plain && { ./plain loop >plain.out 2>&1 </dev/null & }
	process=$!
	for ((i = 0; i < HANG * 20; i++)); do
		[ ! -e run/mon.out ] || break
		sleep .05
	done
	[ "$1" != memmon_module.3 ] ||
		sed -n '/^#include/,/^[.]Ed/p' "$man/$1" |
		sed '/^[.]Ed/d; s/"constants", "C/"my", "C/' >my.c
	echo '(ext:quit)' | tee run.lisp >prog.lisp
	: >prog.py
	commands "$1" | here >commands
	while read -r command; do
		case $command in
		*"-p $process"*) may_attach || continue ;;
		*python3*) command -v python3 >/dev/null || continue ;;
		*"| jq "*) command -v jq >/dev/null || continue ;;
		esac
		timeout "$HANG" bash -c "$command" >out 2>err </dev/null
		status=$?
		[[ $command != *--fail-if* || $status != 3 ]] || status=0
		ok "$status" "$1: $command" || diag "$(cat err)"
		[[ $command != kill* ]] || snapshots "$command"
		n=$((n + 1))
	done <commands
	kill "$recorded" "$process"
	ok $((n < $2)) "$1: $n commands"
	cd ..
}

page memmon.7 25
page memmon-tools.7 10
page memmon-mpi.7 1
page memmon.1 4
page memmon-cc.1 5
page mpreduce.1 20
page mpreduce-queries.7 2
page mpreduce-formats.7 1
if [ -n "$(with_plugin "$CC")" ]; then
	page memmon-modules.7 5
	page mpreduce-tables.7 7
	page memmon_module.3 4
else
	skip 3 "no plugin for $CC"
fi
if command -v ecl >/dev/null; then
	page memmon-lisp.7 5
else
	skip 1 'no ecl'
fi
done_testing
