#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The data files of a program's children: they are named, by the end line, the
# summary and JSON, and --fail-if looks at them, too.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

# tree DEPTH BLOCKS [two]: forks DEPTH generations, one from another; the last
# one loses BLOCKS blocks of 1000 bytes.  two: each process forks twice.
cat >tree.c <<'C'
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static void *volatile p;
int main(int argc, char **argv)
{
	int depth = atoi(argv[1]), blocks = atoi(argv[2]);
	for (int i = 0; depth && i < 1 + (argc > 3); i++) {
		if (!fork()) {
			argv[1][0]--;
			return main(argc, argv);
		}
		wait(NULL);
	}
	for (int i = 0; !depth && i < blocks; i++)
		p = malloc(1000);
	p = NULL;
	return 0;
}
C
"$CC" -g -O0 -o tree tree.c
run()
{
	rm -f mon.*
	"$MEMMON" -q -l "$@"
}

# names: prints JSON's text about children.
names()
{
	"$MPREDUCE" --json "$@" 2>/dev/null |
		jq -r '.conditions[] | select(.name == "children").text'
}

# gate LIMIT: its status and message, without numbers of processes.
gate()
{
	"$MPREDUCE" -L --fail-if="$1" ./tree "${@:2}" 2>&1 >/dev/null |
		sed -E 's/out\.[0-9]+/out.PID/g' | sort
	"$MPREDUCE" -L --fail-if="$1" ./tree "${@:2}" >/dev/null 2>&1
	echo $?
}

run ./tree 0 0
is "$(names ./tree)" "" "no children: no word"
run ./tree 1 5
child=$(ls mon.out.*)
is "$(names ./tree)" "processes that this one started have 1 data file: $child" \
	"one child"
is "$(gate 'lost>0')" "mpreduce: mon.out.PID: --fail-if=lost>0: lost is 5000 bytes in 5 blocks; see mpreduce --summary mon.out.PID
3" "--fail-if sees what a child lost"
is "$(gate 'lost>5000')" 0 "... within the limit"
is "$(gate 'allocs>1M')" 0 "... of another figure"
is "$(gate 'lost>0' mon.out "$child" | tail -n 1)" 3 "... both by their names"
is "$(names ./tree mon.out "$child")" "" "then there are no others"
is "$("$MPREDUCE" --summary ./tree | sed -n 's/^children: //p')" "$(names ./tree)" \
	"the summary has it"
run ./tree 1 0
is "$(gate 'lost>0')" 0 "a child that loses nothing"

run ./tree 3 2
is "$(ls mon.out.* | wc -l)" 3 "three generations"
like "$(names ./tree)" '^processes that this one .* 3 data files: mon.out.[0-9]+, ...$' \
	"... are named"
is "$(gate 'lost>0' | wc -l)" 2 "... and the last one is looked at"
run ./tree 2 1 two
is "$(gate 'lost>0' | wc -l)" 5 "four grandchildren"

# Files of other runs, at the same time or earlier, don't belong to the family.
run ./tree 1 1
mv "$(ls mon.out.*)" old
"$MEMMON" -q -l -o mon.out.4711 ./tree 0 3
cp old mon.out.4712
echo none >mon.out.4713
is "$(names ./tree)" "processes that this one started have 1 data file: mon.out.4712" \
	"files of others aren't"
"$MEMMON" -q -l -o mon.out ./tree 0 0
is "$(names ./tree) $(gate 'lost>0')" " 0" "nor those of the run before"

# A process that executes another program.  What it ran before has a file, too.
cat >become.c <<'C'
#include <stdlib.h>
#include <unistd.h>
static void *volatile p;
int main(int argc, char **argv)
{
	for (int i = 0; i < 4; i++)
		p = malloc(1000);
	p = NULL;
	return argc < 2 || execv(argv[1], argv + 1);
}
C
"$CC" -g -O0 -o become become.c
run ./become ./tree 0 3
before=$(ls mon.out.*.become)
is "$(names ./tree mon.out)" \
	"programs that this process ran before have 1 data file: $before" \
	"a program that executed this one"
is "$(gate 'lost>0' mon.out | grep -c 'lost is 3000 bytes')" 1 \
	"... --fail-if sees this one"
"$MPREDUCE" -L --fail-if='kept>3500' mon.out >/dev/null 2>&1
is $? 0 "... and nothing of what ran before, which is gone"
run ./become ./tree 1 2
is "$(names ./tree mon.out | sed 's/:.*//')" \
	"what this process ran before, and processes that it started, have 2 data files" \
	"... with a child"

# A parent that isn't recorded, and names by a pattern.
rm -rf mon.* named
cat >unseen.sh <<'SH'
#!/bin/sh
./tree 0 4
exit 0
SH
chmod +x unseen.sh
"$MEMMON" -q -l --follow=tree env sh -c './unseen.sh; true'
is "$(gate 'lost>0' mon.out | grep -c 'lost is 4000 bytes')" 1 \
	"a child whose parent isn't recorded"
mkdir named
sh -c 'echo $$ >parent; exec "$@"' - "$MEMMON" -q -l -o named/%e.%p.mon ./tree 1 3
first=named/tree.$(cat parent).mon
is "$(gate 'lost>0' "$first" | grep -c 'lost is 3000 bytes')" 1 \
	"names by a pattern"
"$MEMMON" -q -l -o gone/%e.%p.mon ./tree 0 1 2>err
is "$? $(cat err)" "125 memmon: $PWD/gone: No such file or directory: the data file can't be written; name another place with -o" \
	"... in a directory that isn't there"

# The end line, on a terminal.
rm -f mon.*
if command -v script >/dev/null; then
	on_terminal "$MEMMON -l ./tree 2 1" >/dev/null 2>&1
	like "$(cat seen)" ', \+2 files of children: mon.out.\*; mpreduce ./tree' \
		"the end line"
	on_terminal "$MEMMON -l ./tree 1 1" >/dev/null 2>&1
	like "$(cat seen)" ', \+1 file of a child: mon.out.\*; mpreduce ./tree' \
		"... of one"
else
	skip 2 "no script(1)"
fi

# mpreduce refuses to overwrite the data file that it reads.
for how in --html=mon.out "-o mon.out" "-o mon.out --export=pprof" "-o mon.out --json"; do
	# shellcheck disable=SC2086
	"$MPREDUCE" $how ./tree mon.out 2>err
	is "$? $(cat err)" "1 mpreduce: mon.out: is a data file and is not overwritten; choose another file for the output" \
		"mpreduce $how"
done
"$MPREDUCE" -s -o sum.mon ./tree mon.out && "$MPREDUCE" -s -o sum.mon ./tree mon.out
ok $? "... but a sum is"
done_testing
