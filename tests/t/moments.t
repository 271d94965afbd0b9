#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Where the memory of the process was at times of the run: the lines of --memory
# over time.
. "${MEMMON_SRC:-.}/tests/tap.sh"
memmon=$MEMMON_BUILD/memmon mpreduce=$MEMMON_BUILD/mpreduce

# Blocks of 20 MB, then a mapping of 32 MB beside them, then neither.  Each
# state lasts, by the program's own clock, until a snapshot must have been
# taken.  With "go" the kernel's clock counts, and the next state begins when a
# file "both", or "none", exists.
cat >phases.c <<'C'
#include <malloc.h>
#include <memmon.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/clock_pass.h"
enum { N = 20000, SIZE = 1000, MAPPED = 32 << 20 };
static char *block[N];
static void stay(int ms, const char *until)
{
	for (int i = 0; i < 4 * ms || (!clock_stands && access(until, F_OK)); i++) {
		void *volatile p = malloc(100);
		free(p);
		if (clock_stands)
			clock_pass(250000);
		else
			usleep(250);
	}
}
int main(int argc, char **argv)
{
	int ms = argc > 1 ? atoi(argv[1]) : 300;
	char *m;
	if (argc < 3 || strcmp(argv[2], "go"))
		clock_pass(0);
	for (int i = 0; i < N; i++)
		memset(block[i] = malloc(SIZE), 1, SIZE);
	stay(ms, "both");
	m = mmap(NULL, MAPPED, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(m, 1, MAPPED);
	stay(ms, "none");
	if (argc > 2 && !strcmp(argv[2], "kill"))
		kill(getpid(), SIGKILL);
	munmap(m, MAPPED);
	for (int i = 0; i < N; i++)
		free(block[i]);
	malloc_trim(0);
	if (argc > 2 && !strcmp(argv[2], "reset"))
		memmon_reset();
	if (argc > 2 && !strcmp(argv[2], "fork") && fork())
		return wait(NULL) < 0;
	stay(ms, "none");
	return 0;
}
C
"$CC" -g -O1 -I"$MEMMON_SRC/monitor" -I"$MEMMON_SRC" -o phases phases.c \
	-L"$MEMMON_BUILD" -lmemmon -Wl,-rpath,"$MEMMON_BUILD"

# rows FILE: a snapshot a line: ms, RSS, live, free, mapped; KB.  sums FILE: the
# snapshots whose parts don't add up to RSS.
rows()
{
	"$mpreduce" --export=csv --sql='select at / 1000000, resident / 1024,
		live / 1024, (pages + parts) / 1024, mapped / 1024
		from memory_snapshots' ./phases "$1" 2>/dev/null | tr -d '\r' | sed 1d
}
sums()
{
	"$mpreduce" --export=csv --sql='select count(*) from memory_snapshots where
		live + rounded + pages + parts + mapped + files + shared + code +
		stacks + own + other != resident' ./phases "$1" 2>/dev/null |
		tr -d '\r' | sed 1d
}
# phases FILE: the states in the file, each once when it begins; without the
# states between them, while blocks are allocated and freed.
phases()
{
	rows "$1" | awk -F, '
		{ at = $3 > 19000 ? ($5 > 32000 ? "both" : "blocks") : "none" }
		at == "none" && !last || at == "blocks" && last == "both" { next }
		at != last { printf "%s ", at }
		{ last = at }'
}

./phases
is "$(phases mon.out)" "blocks both none " "blocks, a mapping beside them, none of both"
is "$(sums mon.out)" 0 "the parts add up to RSS at each moment"
ok $(($(rows mon.out | wc -l) < 6)) "several moments of each"
is "$(rows mon.out | sort -c -n -t, -k1 2>&1)" "" "by time"
"$mpreduce" --memory -b ./phases >table
like "$(cat table)" "Peak RSS, as far as snapshots show, 0\.[0-9]+ s after" "--memory: when RSS was largest"
like "$(cat table)" "peak RSS +% RSS +bytes +% RSS +what" "... beside the end"
like "$(cat table)" " 33[0-9]{6} +[0-9.]+ +[0-9]{5,6} +[0-9.]+ +other private" "... with the mapping"
like "$(cat table)" " 20000000 +[0-9.]+ +[0-9]{1,4} +[0-9.]+ +live blocks" "... and the blocks"
"$mpreduce" --timeline=memory -b ./phases >plot
like "$(cat plot)" "RSS at [0-9]+ snapshots, about" "--timeline=memory"
like "$(cat plot)" " [a-d] +33[0-9]{6} +other private memory" "... the mapping has a letter"
like "$(cat plot)" " [a-d] +20000000 +live blocks" "... and the blocks"
like "$(cat plot)" "the most seen" "... a row for the moment with most"
like "$("$mpreduce" --summary ./phases)" \
	"RSS at [0-9]+ms: 5[0-9.]+ MB, live blocks 19\.1 MB, other private 32\.0 MB; --memory" \
	"the first screen names what had most then"
"$mpreduce" --json ./phases >json
like "$(cat json)" '"memory_snapshots":' "JSON"

# The states in the image of a killed run, and in that of one that runs.
rm -f mon.out*
MEMMON_IMAGE=1 ./phases 300 kill
is "$(phases mon.out*)" "blocks both " "killed: until then"
is "$(sums mon.out*)" 0 "... adding up"
like "$("$mpreduce" --memory -b ./phases mon.out*)" "At the last snapshot, " "... in --memory"
rm -f mon.out*
MEMMON_IMAGE=1 ./phases 300 go &
pid=$!
# seen STATES: wait until the file has these states.
seen()
{
	for ((i = 0; i < HANG * 10; i++)); do
		[ "$(phases mon.out*)" != "$1" ] || break
		sleep .1
	done
}
seen "blocks "
: >both
seen "blocks both "
is "$(phases mon.out*)" "blocks both " "running: till now"
like "$(timeout "$HANG" "$mpreduce" --watch=1,1 ./phases mon.out* </dev/null)" \
	"RSS of [0-9.]+ s ago: (other private [0-9]{8}, live blocks|live blocks [0-9]{8}, )" "... in --watch"
: >none
wait $pid
is "$(phases mon.out)" "blocks both none " "... and at its end"
./phases 2000
ok $(($(rows mon.out | wc -l) > 66)) "never more than 64, and the end"
is "$(phases mon.out)" "blocks both none " "... and all states are still there"

# A child, and a run after a reset, start again at 0.
rm -f mon.out*
./phases 400 reset
is "$(phases mon.out)$(($(rows mon.out | wc -l) > 2))" 1 "after a reset"
rm -f mon.out*
./phases 400 fork
for f in mon.out*; do
	echo "$(phases "$f")$(($(rows "$f" | wc -l) > 2))"
done | sort >states
is "$(cat states)" "$(printf '1\nblocks both none 1')" "a child"

# Not asked for: none.
rm -f mon.out*
MEMMON_TIMELINE=0 ./phases 100
is "$(rows mon.out)" "" "without a timeline"
like "$("$mpreduce" --timeline=memory -b ./phases)" "The timeline is unknown: the data file has no snapshots" "... it is said"

# A snapshot of much memory takes long, so the next one would be much later.  It
# comes earlier if RSS has grown, or the part of it that isn't live blocks.
cat >burst.c <<'C'
#include <stdlib.h>
#include <string.h>
#include "tests/clock_pass.h"
enum { N = 300000, SIZE = 1000 };
static char *block[N];
int main(void)
{
	clock_pass(0);
	for (int i = 0; i < N; i++) {
		memset(block[i] = malloc(SIZE), 1, SIZE);
		if (i == N / 3)
			clock_pass(1000000000);
	}
	for (int i = 0; i < N; i++)
		if (i % 40)
			free(block[i]);
	clock_pass(9000000000);
	for (int i = 0; i < N; i += 40)
		free(block[i]);
	return 0;
}
C
"$CC" -g -O1 -I"$MEMMON_SRC/monitor" -I"$MEMMON_SRC" -o burst burst.c \
	-L"$MEMMON_BUILD" -lmemmon -Wl,-rpath,"$MEMMON_BUILD"
rm -f mon.out*
./burst
is "$(rows mon.out | awk -F, '$2 > 290000 && $3 < 9000 && $4 > 280000' |
	wc -l)" 1 "a burst of blocks: what the allocator holds of it"
like "$("$mpreduce" --memory -b --at=500ms ./burst)" \
	"Where the memory was then is not known: the first snapshot|At the last snapshot" \
	"--memory --at: of that time, or it is said"
like "$("$mpreduce" --memory -b --at=5s ./burst)" \
	"At the last snapshot, [0-4]\.[0-9]+ s after" \
	"... with a snapshot before it"
done_testing
