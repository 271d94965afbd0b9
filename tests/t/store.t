#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The life of a data file: each program's profile exists at the end, with any
# number of programs in one folder, and after any change of names.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
store=$PROG/store

# figures FILE...: "allocations bytes" of each, sorted, each once with its
# count.
figures()
{
	local f
	for f; do
		totals "$f" | cut -d ' ' -f 1,2
	done | sort | uniq -c | tr -s ' ' | sed 's/^ //' | paste -sd, -
}
none='1000 100000'

# Eight at a time: all of them are counted, and the remaining files are whole.
lost=0 rounds=$(some <<<'3
+ 30' | tail -n 1)
for ((i = 0; i < rounds; i++)); do
	rm -f mon.out*
	for k in 1 2 3 4 5 6 7 8; do
		"$MEMMON" -q "$store" &
	done
	wait
	lost=$((lost + 8 - $(ls mon.out* | wc -l)))
done
is "$lost" 0 "eight at once, $rounds times: none is lost"
is "$(figures mon.out*)" "8 $none" '... and each has all'
lost=0
for ((i = 0; i < rounds * 2; i++)); do
	rm -f mon.out*
	"$MEMMON" -q "$store" | "$MEMMON" -q "$store"
	lost=$((lost + 2 - $(ls mon.out* | wc -l)))
done
is "$lost" 0 'two in a pipe: none is lost'
rm -f mon.out*
for k in 1 2 3 4 5 6 7 8; do
	MEMMON_IMAGE=0 MEMMON_LOG=1 "$store-mm" &
done
wait
is "$(figures $(ls mon.out* | grep -v log)) $(ls mon.out*.log | wc -l)" \
	"8 $none 8" '... without images, and with logs'
bad=0
# has_log FILE: does the report find it?
has_log()
{
	! "$MPREDUCE" -b --log=blocks "$PROG/store-mm" "$1" 2>&1 |
		grep -q "no log\|isn't here\|another run"
}
for f in $(ls mon.out* | grep -v log); do
	has_log "$f" || bad=$((bad + 1))
done
is "$bad" 0 '... each finds its own log'

# Equal process ids, in one folder.
if unshare -pf true 2>/dev/null; then
	rm -f mon.out*
	for k in 1 2 3 4 5 6; do
		unshare -pf "$store-mm" &
	done
	wait
	is "$(figures mon.out*)" "6 $none" 'six that all are process 1'
else
	skip 1 'no namespaces'
fi

# Runs one after another: the file of a finished run is replaced, that of a
# killed run is not.
rm -f mon.out*
"$store-mm"
touch -d '1 minute ago' mon.out
"$store-mm"
is "$(ls mon.out*)" mon.out 'a file of a minute ago is replaced'
rm -f mon.out*
"$store-mm" wait never &
pid=$!
until [ "$(figures mon.out 2>/dev/null)" = "1 $none" ]; do sleep .05; done
{ kill -9 $pid; wait $pid; } 2>/dev/null
touch -d '1 day ago' mon.out
"$store-mm"
is "$(ls mon.out* | tr '\n' ' ')$(figures mon.out*)" \
	"mon.out mon.out.$pid 2 $none" \
	'what a killed process left is kept, under its process id'
like "$(end_of mon.out.$pid)" 'SIGKILL' '... and says so'

# A file that is moved away while its process runs.
rm -f mon.out* kept go
"$store-mm" wait go &
a=$!
until [ -e mon.out ]; do sleep .02; done
mv mon.out kept
"$store-mm" wait go &
b=$!
until [ -e mon.out ]; do sleep .02; done
: >go
wait $a
wait $b
is "$(ls mon.out* | sed "s/$a\|$b/ID/" | tr '\n' ' ')$(figures mon.out*)" \
	"mon.out mon.out.ID 2 $none" 'moved while it runs: both have a file'

# The same for a folder.
rm -rf mon.out* go folder moved
mkdir folder
MEMMON_OUT=$PWD/folder/x "$store-mm" wait "$PWD/go" &
a=$!
until [ -e folder/x ]; do sleep .02; done
mv folder moved
: >go
wait $a
is "$(ls moved) $(figures moved/x)" "x 1 $none" \
	'a folder that is renamed has the profile, too'

# Names that the program gives.
rm -f mon.out* go
"$store-mm" dump "$PWD/mon.out"
is "$(ls mon.out*) $(figures mon.out)" 'mon.out 1 2000 200000' \
	'memmon_dump_to() its own name: the last file has it'
rm -f mon.out*
ln -s mon.out link
"$store-mm" dump link
is "$(ls mon.out*) $(figures mon.out)" 'mon.out 1 2000 200000' \
	'... and by a link'
rm -f mon.out* link
"$store-mm" wait go &
a=$!
until [ -e mon.out ]; do sleep .02; done
"$store-mm" dump mon.out
is $? 16 'memmon_dump_to() a file that another process uses: EBUSY'
: >go
wait $a
is "$(figures mon.out*)" "1 $none,1 2000 200000" '... and both have a file'
# read_pipe COMMAND: COMMAND reads the pipe in the background.  From then on the
# pipe has a reader, and until unread_pipe a writer.
read_pipe()
{
	exec 7<>pipe 8>pipe 9<pipe 7>&-
	"$@" <&9 8>&- &
	exec 9<&-
}
unread_pipe()
{
	exec 8>&-
	wait
}
mkfifo pipe
read_pipe cat >got
"$store-mm" dump pipe
unread_pipe
[ -p pipe ]
ok $? 'memmon_dump_to() a pipe: it stays one'
is "$(figures got)" "1 $none" '... and has had the file'

# The data file's name belongs to something that isn't a file.
rm -f mon.out*
mkdir mon.out
"$store-mm" &
a=$!
wait $a
is "$(figures mon.out.$a)" "1 $none" 'a directory is there: another name'
rmdir mon.out
read_pipe perl -e 'fcntl(STDIN, 1031, 4096); open my $f, ">", "small"; sleep 1;
	print while <STDIN>' >got
until [ -e small ]; do sleep .02; done
MEMMON_OUT=pipe "$store-mm" paths
unread_pipe
ok $(($(wc -c <got) < 20000)) "a pipe of 4096 bytes, of which $(wc -c <got) are read"
is "$(total got allocations)" 17384 '... has all'
read_pipe head -c 1000 >/dev/null
MEMMON_OUT=pipe "$store-mm" paths
is $? 0 'a reader that goes away: no signal ends the program'
unread_pipe
MEMMON_OUT=pipe "$store-mm"
[ -p pipe ]
ok $? 'a pipe that nobody reads stays one'
is "$(figures pipe.*)" "1 $none" '... and the file is beside it'
"$store-mm" dump pipe
is $? 1 'memmon_dump_to() such a pipe fails'
rm -f pipe.* mon.out*
echo mine >mon.out.log
MEMMON_LOG=1 "$store-mm" >/dev/null
is "$(cat mon.out.log)" mine "a file that is no log isn't replaced by one"
has_log mon.out
ok $? '... and the log is found'

# Snapshots.
rm -f mon.out*
MEMMON_EVERY=1ms "$store-mm" forks mon.out >said
is "$(cat said)" '0 without' 'each child of a fork writes snapshots'
rm -f mon.out*
forks=$(some <<<'600
+ 3000' | tail -n 1)
is "$("$store-mm" amid "$forks")" "0 of $forks without" \
	'children of a fork amid the writing of a file write theirs'
rm -f mon.out*
MEMMON_EVERY=50ms MEMMON_KEEP=2 MEMMON_SIGNAL=USR1 "$PROG/killed-mm" busy \
	>/dev/null &
a=$!
newest()
{
	ls mon.out.$a.* 2>/dev/null | sed -n 's/.*[.]\([0-9]*\)$/\1/p' |
		sort -n | tail -n 1
}
until [ "0$(newest)" -ge 3 ]; do sleep .02; done
kill -USR1 $a
until [ "0$(newest)" -ge 20 ]; do sleep .05; done
# If it is stopped between a new file and the removal of the oldest one, one
# more file exists.
for k in 1 2 3 4 5; do
	kill -STOP $a
	while [ "$(grep -L "^State:.T" /proc/$a/task/*/status)" ]; do sleep .02; done
	n=$(ls mon.out.$a.* | grep -v part | wc -l)
	[ "$n" = 4 ] || break
	kill -CONT $a
	sleep .1
done
is "$n" 3 'of --every two are kept, and the one that a signal asked for'
is "$(ls mon.out.$a.* | grep -v part | sed 's/.*[.]//' | sort -n | tail -n 2 |
	tr '\n' ' ')" "$(($(newest) - 1)) $(newest) " '... the last two'
{ kill -9 $a; wait $a; } 2>/dev/null

# exec that fails.
printf '#!/no/such/interpreter\n' >broken
chmod +x broken
rm -f mon.out*
is "$("$store-mm" execs)" '0 gone' \
	"an exec that fails removes no other thread's snapshot"
is "$(ls mon.out*) $(figures snapshot.39)" "mon.out 1 1001 100288" \
	'... and leaves no file of its own'
if command -v strace >/dev/null; then
	strace -f -o trace "$store-mm" probe >said
	is "$(cat said) $(grep -c 'open.*part' trace)" '5 1' \
		'an exec of no program writes no file'
	strace -f -o trace -e trace=openat \
		env PATH=/no:/nor:/neither:/usr/bin:/bin LD_PRELOAD="$LIBMEMMON" \
		sh -c 'exec true' 2>/dev/null
	ok $(($(grep -c 'open.*part' trace) > 3)) \
		'... nor does a shell for each directory of PATH'
else
	skip 2 'no strace'
fi

# The parent's file is cut.
rm -f mon.out* go
"$store-mm" inherit >said &
a=$!
until [ "$(ls mon.out* 2>/dev/null | wc -l)" -ge 1 ] &&
	[ "$(figures mon.out 2>/dev/null)" = "1 $none" ]; do sleep .02; done
sleep .1
: >mon.out
: >go
wait $a
is "$(cat said)" 0 "a child isn't ended when its parent's file is cut"

# The process ends while another thread writes one snapshot after another: the
# last of them must not stay half written.  exit() has written the last file and
# still waits for the reader of its output.
cat >late.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <memmon.h>
static char line[200000];
static void *writes(void *arg)
{
	for (;;)
		memmon_dump_to("dump");
	return arg;
}
int main(void)
{
	pthread_t t;
	for (int i = 0; i < 20000; i++)
		if (!malloc(100 + i))
			return 1;
	setvbuf(stdout, malloc(300000), _IOFBF, 300000);
	fwrite(line, sizeof(line), 1, stdout);
	pthread_create(&t, NULL, writes, NULL);
	return 0;
}
C
"$CC" -O1 -I"$MEMMON_SRC/monitor" -o late late.c -pthread -L"$MEMMON_BUILD" \
	-lmemmon -Wl,-rpath,"$MEMMON_BUILD"
left=0 ended=0
for k in 1 2 3 4 5 6; do
	rm -rf at && mkdir at
	(cd at && ../late) | { sleep .3; cat >/dev/null; }
	# If a snapshot takes more than 5 s there is no last file.
	[ "$(end_of at/mon.out)" = exit ] || continue
	ended=$((ended + 1)) left=$((left + $(ls at | grep -c '\.part')))
done
is "$left $((ended > 0))" '0 1' 'no snapshot is begun after the last file'
rm -rf at

# SIGPIPE and SIGXFSZ that another process sends while files are written go to
# the program: it handles each.
cat >sent.c <<'C'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <memmon.h>
static volatile int *got;
static void on(int sig)
{
	(void)sig;
	++*got;
}
int main(void)
{
	got = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < 20000; i++)
		if (!malloc(100 + i % 1000))
			return 1;
	signal(SIGPIPE, on);
	signal(SIGXFSZ, on);
	if (!fork()) {
		int lost = 0;
		for (int i = 0; i < 40; i++) {
			int was = *got;
			kill(getppid(), i % 2 ? SIGPIPE : SIGXFSZ);
			for (int ms = 0; *got == was && ms < 60000; ms++)
				usleep(1000);
			lost += *got == was;
		}
		printf("%d lost\n", lost);
		fflush(stdout);
		_exit(0);
	}
	while (waitpid(-1, NULL, WNOHANG) == 0)
		memmon_dump_to("dump");
	return 0;
}
C
"$CC" -O1 -I"$MEMMON_SRC/monitor" -o sent sent.c -L"$MEMMON_BUILD" -lmemmon \
	-Wl,-rpath,"$MEMMON_BUILD"
is "$(./sent)" "0 lost" 'a signal that another process sends is handled'

# File systems that can't do all: rename without replacing, links.
if [ -e "$MEMMON_BUILD/fault/libmemmon-fault.so" ]; then
	for fault in renameat2:1+:EINVAL 'renameat2:1+:EINVAL,linkat:1+:EPERM' \
		flock:1+:EBADF; do
		rm -f mon.out*
		for k in 1 2 3 4 5 6; do
			LD_PRELOAD=$MEMMON_BUILD/fault/libmemmon-fault.so \
				MEMMON_FAULT=$fault "$store" &
		done
		wait
		is "$(figures mon.out*)" "6 $none" "six at once with $fault"
	done
	# Each open() in turn doesn't find its file, as when another process
	# renames the file at that time.
	gone=
	for n in $(seq 40); do
		rm -f mon.out* held
		MEMMON_IMAGE=0 "$store-mm"
		ln mon.out held # its number isn't given to another
		LD_PRELOAD=$MEMMON_BUILD/fault/libmemmon-fault.so MEMMON_IMAGE=0 \
			MEMMON_FAULT=openat:$n:ENOENT "$store" 2>/dev/null
		[ "$(stat -c %h held)" = 2 ] || gone="$gone $n"
		rm -f held
	done
	is "$gone" '' 'a file that open() does not find is not removed'
else
	skip 4 'no fault build'
fi

rm -f mon.out*
ln -s nowhere mon.out
MEMMON_IMAGE=0 "$store-mm"
is "$(ls mon.out*) $(stat -c %F mon.out)" 'mon.out regular file' \
	'a link to nowhere is replaced'

# Names as long as a name may be: of one program, and of five more.
cat >kids.c <<'C'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	for (int i = 0; i < 5; i++)
		if (!fork())
			return !malloc(10);
	while (wait(NULL) > 0)
		;
	return 0;
}
C
"$CC" -O0 -o kids kids.c
for n in 244 246 255; do
	name=$(printf "%${n}s" | tr ' ' a)
	"$MEMMON" -q -o "$name" ./kids
	is "$? $(ls | grep -c '^aaa')" "0 6" "six files with names of $n bytes"
	rm -f aaa*
done
done_testing
