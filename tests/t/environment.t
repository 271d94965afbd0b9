#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Unusual circumstances: in each a program does the same under memmon as alone,
# by its output, status and files.  Then a file has its true totals, or no file
# exists and one clear line says so, as memmon(7) describes.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
ulimit -c 0
export PROG MEMMON
all='200 10100 100 5100'

# both NAME COMMAND: runs it with RUN empty, then with memmon.  The files of
# both must be the same, except data files, and the launcher's message that no
# data file came. $out is the directory of the monitored run.
both()
{
	local name=$1 command=$2 how s=()
	rm -rf "$T/d0" "$T/d1"
	for how in 0 1; do
		mkdir "$T/d"
		{
			cd "$T/d" && RUN=$([ $how = 0 ] || echo "$MEMMON") \
				timeout "$HANG" bash -c "$command" \
				>"$T/o$how" 2>"$T/e$how" </dev/null
			s[how]=$?
			cd "$T" || exit 1
		} 2>/dev/null
		mv d "d$how"
		find "d$how" ! -name 'mon.out*' ! -name '*.mon' ! -name '*.mon.[0-9]*' |
			sed "s/^d$how//" | sort >"$T/f$how"
	done
	out=$T/d1
	sed -i '/^memmon: .*the program has ended, but/d' e1
	is "${s[1]} $(cat o1 e1 f1 | head -c 2000)" \
		"${s[0]} $(cat o0 e0 f0 | head -c 2000)" "$name"
}

# The data are complete.
full()
{
	local f=${1:-$out/mon.out}
	is "$(totals "$f")" "$all" '... the data are complete'
}

# none: no files are left over, and mpreduce says so in a line.
none()
{
	is "$(ls "$out" | grep '^mon\.out' | tr '\n' ' ')" '' '... no data'
	"$MPREDUCE" "$PROG/odd" "$out/mon.out" >t.out 2>t.err
	is "$? $(wc -l <t.err) $(wc -c <t.out)" '1 1 0' '... and a line about it'
}

# half: the file has at least the blocks from before the circumstances.
half()
{
	local n
	n=$(totals "$out/mon.out")
	[ "$n" = "$all" ] || [ "$n" = '100 5050 50 2550' ]
	ok $? "... the data are from before at least: $n"
}

# Either of the two.
either()
{
	if [ -e "$out/mon.out" ]; then
		full
		ok 0 '... so nothing is to be said'
	else
		none
	fi
}

# F21: files and directories
both 'F21 nothing unusual' '$RUN $PROG/odd plain'
full
both 'F21 closefrom(3)' '$RUN $PROG/odd closefrom'
full
both 'F21 all files closed' '$RUN $PROG/odd closeall'
full
both 'F21 dup2 over every file number' '$RUN $PROG/odd dupall'
full
for close in '<&-' '>&- 2>&-' '<&- >&- 2>&-'; do
	both "F21 started without files: $close" \
		"\$RUN \$PROG/odd plain $close"
	full
	both "F21 ... and the next number is the same: $close" \
		"\$RUN \$PROG/steady 3>n $close 1>&3; cat n"
done
both 'F21 chdir' '$RUN $PROG/odd chdir /'
full
both 'F21 umask 0777 at the start' 'umask 0777; $RUN $PROG/odd plain'
chmod u+r "$out/mon.out" 2>/dev/null
full
both 'F21 umask 0777 later' '$RUN $PROG/odd umask'
chmod u+r "$out/mon.out" 2>/dev/null
full
both "F21 its data file meets unlink()" "\$RUN \$PROG/odd unlink mon.out"
either
# truncate() removes the counts, and the rest isn't a data file.
both "F21 its data file meets truncate()" "\$RUN \$PROG/odd truncate mon.out"
"$MPREDUCE" "$PROG/odd" "$out/mon.out" >t.out 2>t.err
is "$? $(wc -l <t.err) $(wc -c <t.out) $(wc -c <"$out/mon.out")" '1 1 0 0' \
	'... and a line about it'
# The launcher refuses these names, see below; a linked program goes on.
linked='p=$PROG/odd; [ -z "$RUN" ] || p=$p-mm; $p plain'
both 'F21 MEMMON_OUT in a directory that is not there' \
	"export MEMMON_OUT=not/there/x.mon; $linked"
none
both 'F21 MEMMON_OUT is a directory' \
	"mkdir x.mon; export MEMMON_OUT=x.mon; $linked"
full "$(echo "$out"/x.mon.[0-9]*)"
is "$(ls "$out" | wc -l)" 2 '... beside it, and nothing lies about'
both 'F21 MEMMON_OUT is too long' \
	"export MEMMON_OUT=\$(printf %05000d 0); $linked"
none
both 'F21 the directory goes away' \
	'mkdir x; cd x; rmdir ../x; $RUN $PROG/odd plain'

# RLIMIT_FSIZE is in units of 1024 bytes for bash.
for k in 0 4 64 1024; do
	both "F21 RLIMIT_FSIZE of $k KiB" "ulimit -f $k; \$RUN \$PROG/odd plain"
	either
	both "F21 ... with SIGXFSZ by default and much data" \
		"ulimit -f $k; \$RUN \$PROG/odd many 900"
done
for n in 0 3; do
	both "F21 RLIMIT_NOFILE $n" "\$RUN \$PROG/odd limit nofile $n"
	either
done
both 'F21 RLIMIT_AS of 30 MB' 'ulimit -v 30000; $RUN $PROG/odd plain'
full
both 'F21 RLIMIT_AS, nothing left' '$RUN $PROG/odd limit as 0'
if [ -e "$out/mon.out" ]; then
	lost=$(total "$out/mon.out" 'allocations unrecorded')
	is "$(($(total "$out/mon.out" allocations) + ${lost:-0}))" 200 \
		'... what is not counted is said to be lost'
else
	none
fi
both 'F21 RLIMIT_AS, tight, with threads' \
	'export MALLOC_ARENA_MAX=1; ulimit -v 120000; $RUN $PROG/steady threads'
both 'F21 RLIMIT_NPROC' 'ulimit -u 1; $RUN $PROG/odd plain'
full
both 'F21 RLIMIT_STACK' 'ulimit -s 128; $RUN $PROG/odd many 300'
is "$(totals "$out/mon.out")" '30200 1525100 15100 770100' \
	'... the data are complete'
both 'F21 RLIMIT_MEMLOCK and RLIMIT_SIGPENDING of 0' \
	'ulimit -l 0; ulimit -i 0; $RUN $PROG/steady signal 15'

# F21: a system that is in the way
both 'F21 PR_SET_DUMPABLE 0' '$RUN $PROG/odd secret'
full
both 'F21 interrupted all the time' '$RUN $PROG/odd alarms'
full
both 'F21 SIGPIPE' \
	'set -o pipefail; $RUN $PROG/steady signal 13 | cat >x; echo $?; cat x'
both 'F21 SIGPIPE by a pipe' \
	'mkfifo f; exec 3<>f 4>f 3<&-; $RUN $PROG/odd plain >&4; echo $? >&2'
both 'F21 all signals ignored' 'trap "" 1 2 3 13 15; $RUN $PROG/steady'
both 'F21 LD_BIND_NOW' 'LD_BIND_NOW=1 $RUN $PROG/odd plain'
full
both 'F21 MALLOC_ and GLIBC_TUNABLES' \
	'MALLOC_PERTURB_=165 MALLOC_ARENA_MAX=1 MALLOC_TOP_PAD_=0 \
	GLIBC_TUNABLES=glibc.malloc.tcache_count=0 $RUN $PROG/odd plain'
full
both 'F21 no environment' 'exec env -i PATH=$PATH $RUN $PROG/odd plain'
full
both 'F21 none at all, linked' \
	'p=$PROG/odd; [ -z "$RUN" ] || p=$p-mm; exec env -i $p plain'
full
both 'F21 a huge environment' 'for i in {1..15}; do
	export BIG$i="$(printf %0100000d 0)"; done; $RUN $PROG/odd plain'
full
both 'F21 huge arguments' \
	'$RUN $PROG/odd plain $(printf "%0100000d " 1 2 3 4 5 6 7 8 9)'
full
both 'F21 no arguments' '$RUN $PROG/odd'
full

# F21: seccomp(2)
for e in 1 38; do
	both "F21 seccomp: calls fail with errno $e" "\$RUN \$PROG/odd deny $e"
	half
done
both 'F21 SECCOMP_MODE_STRICT' '$RUN $PROG/odd strict'
half
both 'F21 seccomp: an allow-list that kills' '$RUN $PROG/odd allow'
half
both 'F21 seccomp: an allow-list that sends SIGSYS' '$RUN $PROG/odd trap'
half

both 'F21 seccomp: ... by syscall(2), and ended by SIGTERM' '$RUN $PROG/odd syscall'
half
both 'F21 seccomp: a filter that is none' '$RUN $PROG/odd nofilter'
full

# F21: other mounts, another root, another user
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
	mount='unshare -m bash -c'
	both 'F21 a read-only file system, linked' "$mount '
		mkdir m; mount -t tmpfs x m; cd m; mount -o remount,ro .
		p=\$PROG/odd; [ -z \"\$RUN\" ] || p=\$p-mm
		\$p plain; echo \$?; ls'"
	$mount "mkdir -p ro; mount -t tmpfs x ro; cd ro; mount -o remount,ro .
		$MEMMON $PROG/odd plain" >o 2>err
	is "$? $(cat o)" '125 ' '... under memmon: it refuses'
	like "$(cat err)" \
		'^memmon: [^:]*/ro: Read-only file system: the data file can.t be' \
		'... and says why'
	both 'F21 a full file system' "$mount '
		mkdir m; mount -t tmpfs -o size=8k x m; cd m
		head -c 8192 /dev/zero >full
		\$RUN \$PROG/odd plain; echo \$?; ls'"
	for k in 4 16 64; do
		both "F21 a file system with $k KiB" "$mount '
			mkdir m; mount -t tmpfs -o size=${k}k x m; cd m
			\$RUN \$PROG/odd many 900; echo \$?
			cp -f mon.out .. 2>/dev/null; true'"
		[ ! -e "$out/mon.out" ] ||
			"$MPREDUCE" -i "$out/mon.out" >/dev/null 2>t.err
		ok $? '... and what is there can be read'
	done
	both 'F21 no inodes' "$mount '
		mkdir m; mount -t tmpfs -o nr_inodes=1 x m; cd m
		\$RUN \$PROG/odd plain; echo \$?; ls'"
	both 'F21 no /proc' "$mount '
		mount -t tmpfs x /proc; \$RUN \$PROG/odd plain'"
	full
	is "$("$MPREDUCE" --json "$out/mon.out" 2>/dev/null |
		"$MEMMON_BUILD/tests/jsonrows" runs program)" "$PROG/odd" \
		'... with the path by which it was started'
	both 'F21 no /dev' "$mount 'mount -t tmpfs x /dev; \$RUN \$PROG/odd plain'"
	full
	both 'F21 chroot to where the directory is, too' \
		'mkdir -p root/$PWD; $RUN $PROG/odd chroot root
		mv root/$PWD/mon.out . 2>/dev/null; true'
	full
	both 'F21 chroot' 'mkdir root; $RUN $PROG/odd chroot root; find root | sort'
	either
else
	skip 25 'mounts need root, and a mount namespace of their own'
fi
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	mkdir su && chmod 711 "$T" && chmod 777 su
	cp "$PROG/odd" su/odd && chmod 4755 su/odd
	cp "$MEMMON_BUILD/libmemmon.so" su/libmemmon.so.0
	$CC -g -w -I"$MEMMON_SRC" "$MEMMON_SRC/tests/prog/odd.c" -o su/linked \
		-L"$MEMMON_BUILD" -Wl,-rpath,"$T/su" -Wl,--no-as-needed \
		-lmemmon && chmod 4755 su/linked
	cp "$MEMMON" su/memmon && chmod 755 su/*
	chmod 4755 su/odd su/linked
	user='setpriv --reuid=65534 --regid=65534 --clear-groups'
	(cd su && $user env MEMMON_OUT="$T/su/x.mon" ./linked plain) >o 2>&1
	is "$? $(tail -n 1 o)" '3 rounds 2' 'F21 set-user-ID, linked: it runs'
	is "$(ls su | grep '[.]mon')" '' \
		'... and writes nothing where the environment says'
	(cd su && $user ./memmon ./odd plain) >o 2>err
	is "$? $(tail -n 1 o)" '3 rounds 2' '... under memmon: it runs'
	like "$(cat err)" 'set-user-ID.*no data' '... and memmon says that'
	is "$(ls su | tr '\n' ' ')" 'libmemmon.so.0 linked memmon odd ' \
		'... no file'
	# A directory of root's that the user must not write to.
	mkdir own && chmod 755 own
	(cd own && $user "$T/su/memmon" "$T/su/odd" plain) >o 2>err
	is "$? $(ls own; cat o)" '125 ' 'F21 no right to write: it does not run'
	like "$(cat err)" '/own: Permission denied: the data file can.t be' \
		'... and memmon says why'
	is "$(cd own && $user "$T/su/memmon" -o /dev/null true 2>&1; echo $?)" 0 \
		'... a device can be written'
else
	skip 8 'another user needs root, and setpriv'
fi

# F21: no file comes.  The launcher says so before the run, if it can know, or
# after the program has ended: the program's status and output stay.
cd "$T" || exit 1
mkdir place && mkdir place/dir && echo old >place/old
refuses()
{
	MEMMON_OUT=$2 "$MEMMON" "$PROG/odd" plain >o 2>err
	is "$? $(cat o err)" \
		"125 memmon: $3: the data file can't be written; name another place with -o" \
		"F21 $1"
}
refuses 'no directory' place/none/x "$T/place/none: No such file or directory"
refuses 'a file for a directory' place/old/x "$T/place/old: Not a directory"
refuses 'a directory for a file' place/dir "$T/place/dir: Is a directory"
refuses 'no directory, and a pid' none/%p.mon "$T/none: No such file or directory"
refuses 'too long a name' "$(printf %05000d 0)" "the data file's name: File name too long"
is "$(find place | sort | tr '\n' ' ')" 'place place/dir place/old ' \
	'... nothing is left'

# after WORD COMMAND...: the launcher's message after the program has ended.
after()
{
	local want=$1
	shift
	"$@" >o 2>err
	said=$?
	for _ in $(seq $((10 * HANG))); do
		grep -q 'no data file' err && break
		[ "$want" = yes ] || break
		sleep 0.1
	done
}
after yes env MEMMON_IMAGE=0 "$MEMMON" -o place/old sh -c 'kill -9 $$'
is "$said $(sed -n '/^memmon/p' err)" \
	"137 memmon: $T/place/old: the program has ended, but no data file was written; see memmon-circumstances(7)" \
	'F21 killed, without an image: it is said'
[ ! -e place/old ]
ok $? '... and the old file does not pass for a new one'
for how in '' %p. %e. %h.%p. %t.; do
	after no "$MEMMON" -o "place/$how"new "$PROG/odd" plain
	sleep 0.3
	is "$said $(grep memmon err) $(ls place | grep -c 'new$')" '3  1' \
		"F21 ${how}new comes: nothing is said"
	rm -f place/*new
done
# gone NAME WANT SIGNAL DO: a program that reads a line, or gets SIGNAL; then DO
# runs while the launcher is stopped.  When the launcher looks it must print
# WANT.
mkfifo line
gone()
{
	local name=$1 want=$2 signal=$3 ran watcher='' w
	mkdir -p place/gone
	"$MEMMON" -o place/gone/x sh -c 'read -r x <line' 2>err &
	ran=$!
	for _ in $(seq $((10 * HANG))); do
		[ ! "$watcher" ] || break
		sleep 0.1
		for w in /proc/[0-9]*; do
			grep -q "^Pid:[[:space:]]$ran\$" "$w/fdinfo/0" &&
				watcher=${w#/proc/}
		done
	done 2>/dev/null
	kill -STOP "$watcher"
	exec 7<>line
	until [ "$(readlink /proc/$ran/fd/0)" = "$PWD/line" ] ||
		! kill -0 $ran 2>/dev/null; do sleep 0.05; done
	[ "$signal" ] && kill "-$signal" $ran
	echo >&7
	wait $ran 2>/dev/null
	exec 7>&-
	eval "$4"
	kill -CONT "$watcher"
	while grep -qs '^State:[[:space:]]*[^ZX]' "/proc/$watcher/status"; do
		sleep 0.05
	done
	is "$(sed -n 's/^memmon: .*the program has ended, but //p' err)" \
		"${want:+$want; see memmon-circumstances(7)}" "F21 $name"
	rm -rf place/gone place/away
}
if [ -e /proc/self/fdinfo/0 ]; then
	gone 'moved at once: nothing is said' '' '' 'mv place/gone/x place/y'
	gone 'removed at once' '' '' 'rm place/gone/x'
	gone 'moved with its directory' '' '' 'mv place/gone place/away'
	gone 'removed with its directory' '' '' 'rm -r place/gone'
	gone 'of one that was killed: not known' \
		"its data file is missing: not written, or moved" \
		KILL 'rm place/gone/x'
	MEMMON_IMAGE=0 gone 'killed, without an image, in time' \
		'no data file was written' KILL :
else
	skip 6 "no /proc"
fi
rm -f place/y
after no "$MEMMON" -o place/x "$T/none"
sleep 0.3
is "$said $(cat err)" "127 memmon: $T/none: No such file or directory" \
	'F21 no program: nothing more is said'
is "$("$MEMMON" -o place/y "$PROG/odd" plain 2>&1 | wc -l)" \
	"$("$PROG/odd" plain 2>&1 | wc -l)" 'F21 who reads stderr sees its end'
is "$("$MEMMON" -o place/y bash -c 'read -r c </proc/$$/task/$$/children
	echo "[$c]"')" '[]' \
	'F26 the program has no child that it has not started'
(ulimit -f 1; MEMMON_IMAGE=0 after yes "$MEMMON" -o place/limit "$PROG/odd" plain
	echo "$said $(ls place | grep limit)") >o1
is "$(cat o1) $(grep -c 'no data file' err)" '3  1' \
	'F21 RLIMIT_FSIZE: it runs, no file, and it is said'

# F26: the program's own view of its process
for how in '' child threads _exit 'signal 15' 'signal 2' 'signal 24' \
	'signal 34'; do
	both "F26 what it sees: $how" "\$RUN \$PROG/steady $how"
done
like "$(end_of "$out/mon.out")" '^signal 34' \
	'... and by which signal it ends'
both 'F26 signals blocked from the start' \
	'env --block-signal=10,15,40 $RUN $PROG/steady'
both 'F26 linked' 'p=$PROG/steady; [ -z "$RUN" ] || p=$p-mm; $p child'
both 'F26 no thread of ours' '$RUN $PROG/odd threads'
both 'F26 few mappings' '$RUN $PROG/odd maps'
is "$(totals "$out/mon.out")" '90200 4555100 45100 2300100' \
	'... and all is counted'

# F27: names of files
both 'F27 many processes in one directory' '{ for i in {1..8}; do
	MEMMON_OUT=%p.mon $RUN $PROG/odd plain & done; wait; } | sort'
n=0
for f in "$out"/*.mon; do
	[ "$(totals "$f")" = "$all" ] && n=$((n + 1))
done
is "$n $(ls "$out" | wc -l)" '8 8' '... a file for each, all of them complete'
both 'F27 many processes, one name' '{ for i in {1..8}; do
	$RUN $PROG/odd plain & done; wait; } | sort'
n=0
for f in "$out"/mon.out*; do
	[ "$(totals "$f")" = "$all" ] && n=$((n + 1))
done
is "$n $(ls "$out" | wc -l)" '8 8' '... a file for each, all of them complete'
both 'F27 %h %e %t %%' \
	'MEMMON_OUT=%h-%e-%t-%%.mon $RUN $PROG/odd plain'
like "$(ls "$out")" "^$(uname -n)-odd-[0-9]+-%\.mon\$" '... stand in the name'
full "$(echo "$out"/*.mon)"
both 'F27 a file of the pid is there already' 'if [ -n "$RUN" ]; then
	echo old >$$.mon; fi
	MEMMON_OUT=%p.mon exec $RUN $PROG/odd plain'
n=0
for f in "$out"/*.mon*; do
	[ "$(totals "$f" 2>/dev/null)" = "$all" ] && n=$((n + 1))
done
is "$n $(cat "$out"/*[0-9].mon)" '1 old' '... and both are there'
both 'F27 a symbolic link has the name' 'if [ -n "$RUN" ]; then
	echo mine >x.mon; ln -s x.mon mon.out; fi; $RUN $PROG/odd plain'
is "$(cat "$out/x.mon")" mine '... and what it leads to is left alone'

# F25: the end doesn't take long: its work is bounded by the size of the data.
both 'F25 SIGTERM is the end' \
	'$RUN $PROG/steady signal 15; echo $?'
like "$(end_of "$out/mon.out")" '^signal 15' '... of whole data'

# The file lists the variables with which the program was recorded.
settings()
{
	"$MEMMON_BUILD/mpreduce" -i "$PROG/odd-mm" "$1" | sed -n 's/^  setting *//p' | sort
}
for depth in 9 8; do
	env -i MEMMON_OUT=s$depth.out MEMMON_DEPTH=$depth OTHER_DEPTH=3 \
		"$PROG/odd-mm" plain >/dev/null
done
is "$(settings s9.out)" "MEMMON_DEPTH=9
MEMMON_OUT=s9.out" 'MEMMON_ variables are in the file'
"$MEMMON_BUILD/mpreduce" -s "$PROG/odd-mm" s9.out s8.out s9.out
is "$(settings mon.sum)" "MEMMON_DEPTH=8
MEMMON_DEPTH=9
MEMMON_OUT=s8.out
MEMMON_OUT=s9.out" '... and in a sum those of all files, each once'

# ... and the limits on its memory.
(ulimit -Sv 4000000 -Sd 3000000 -Ss 1000
	MEMMON_OUT=l1.out "$PROG/odd-mm" plain >/dev/null)
(ulimit -Sv 4000000 -Ss 2000; MEMMON_OUT=l2.out "$PROG/odd-mm" plain >/dev/null)
"$MEMMON_BUILD/mpreduce" -s "$PROG/odd-mm" l1.out l2.out
is "$("$MEMMON_BUILD/mpreduce" -i "$PROG/odd-mm" mon.sum | grep '^  limit ')" \
	'  limit      RLIMIT_AS=4096000000
  limit      RLIMIT_DATA=3072000000
  limit      RLIMIT_STACK=1024000
  limit      RLIMIT_STACK=2048000' 'limits on memory are in the file, and in a sum'

if command -v strace >/dev/null; then
	strace -f -o trace "$MEMMON" -o m.out "$PROG/odd" many 900 >/dev/null
	awk 'NR == 1 { pid = $1 } $1 != pid { next } /exit_group/ { exit } { n++ } / open.*m\.out\.part/ && !at { at = n }
		END { print at ? n - at : -1 }' trace >calls
	n=$(cat calls)
	ok $((n < 1 || n > 200)) \
		"F25 $n system calls for the file, of 90200 allocations"
else
	skip 1 'no strace'
fi
done_testing
