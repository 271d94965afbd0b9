#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# memmon -p on difficult programs (tests/prog/guest.c): they are recorded, or
# memmon says truly why not; and they end as they would.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/attach.sh"

may_attach || skip_all 'ptrace is not allowed here'
guest=$PROG/guest

# begins: wait until the process does what this test needs.
begins()
{
	until [ -e begun ] || [ -e jail/begun ]; do
		kill -0 $pid || return
		sleep 0.05
	done
}

# guest ARGUMENT...: run it; its pid in $pid.
guest()
{
	: >guest.out
	rm -f begun
	"$guest" "$@" >guest.out 2>&1 &
	pid=$!
	begins
}

# record ARGUMENT...: attaches for a short time; the status, messages in err.
record()
{
	timeout "$HANG" "$MEMMON" -p $pid --for=50ms -o x.mon "$@" 2>err
}

# done_when FILE TEXT: the guest is to end as soon as the file has the text.
done_when()
{
	{ until_said "$@"; touch done; } &
}

# lives WHAT: the guest ends as it would.
lives()
{
	touch done
	[ ! -d jail ] || touch jail/done
	wait $pid
	set -- "$1" "$?" "${2-}"
	rm -f done begun jail/done jail/begun
	is "$2 $(cat guest.out)" "7 $3" "$1: it ends as it would"
}

# Plug-ins that come and go: the thread is nearly always in the loader.
# shellcheck disable=SC2086 # flags
"$CC" -shared -fPIC -O1 -o plug.so "$MEMMON_SRC/tests/prog/libplug.c"
guest plugs 600 ./plug.so
for n in 1 2 3 4 5; do
	record || { diag "time $n: $(cat err)"; break; }
done
is "$n" 5 'a program that opens plug-ins all the time is recorded, 5 times'
lives 'plug-ins'

# A plug-in that is opened later is bound to libc, and then gets the hooks.
cat >late.c <<'C'
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

int
main(void)
{
	void *(*plug)(void), *h;

	creat("begun", 0600);
	while (access("go", F_OK))
		usleep(10000);
	h = dlopen("./plug.so", RTLD_NOW | RTLD_LOCAL);
	plug = h ? (void *(*)(void))dlsym(h, "plug") : 0;
	for (int i = 0; i < 10; i++)
		if (!plug || !plug())
			return 1;
	while (access("done", F_OK))
		usleep(10000);
	return 7;
}
C
"$CC" -g -O1 -o late late.c
: >guest.out
./late &
pid=$!
begins
victim=$pid
attach -o late.mon && touch go && recorded late.mon 10
detach
is "$("$MPREDUCE" --sql='SELECT allocs, kept FROM totals' --export=csv late late.mon |
	tr -d '\r' | tail -n 1)" '10,240' 'a plug-in that is opened later is recorded'
is "$("$MPREDUCE" --full late late.mon 2>&1 | grep 'bound to the C library')" '' \
	'... and it is not said that it is not'
rm go
lives 'late'

# It ends by itself, with and without a process that waits for it.
guest rest 600
: >err
done_when err 'being recorded'
timeout "$HANG" "$MEMMON" -p $pid -o ends.mon 2>err
is "$? $(cat err)" "0 memmon: process $pid is being recorded; press ^C to stop
memmon: process $pid has ended
memmon: wrote $T/ends.mon" 'the process ends: it is said, with its file'
lives 'ends'
like "$("$MPREDUCE" --summary "$guest" ends.mon 2>&1)" 'ended by exit' \
	'... which is whole'
sh -c '"$0" rest 600 & echo $! >zombie; exec sleep 600' "$guest" >guest.out 2>&1 &
parent=$!
until [ -s zombie ]; do sleep 0.05; done
pid=$(cat zombie)
begins
: >err
done_when err 'being recorded'
timeout "$HANG" "$MEMMON" -p "$pid" -o zombie.mon 2>err
is "$? $(sed -n 2p err)" "0 memmon: process $pid has ended" \
	'... also if nobody waits for it'
record
like "$? $(cat err)" "125 .*process $pid has ended \(a zombie\)" \
	'a process that has ended is not attached to'
kill $parent
wait $parent 2>/dev/null
rm done

# It executes another program.
guest exec 600 "$guest"
: >err
done_when err 'being recorded'
timeout "$HANG" "$MEMMON" -p $pid -o exec.mon 2>err
like "$? $(cat err)" "^0 .*process $pid has executed another program.*wrote" \
	'it executes another program: that is said'
like "$("$MPREDUCE" --summary "$guest" exec.mon.*.guest 2>&1)" 'ended by exec' \
	'... what came before is there'
lives 'exec'

# Its first thread has ended.
guest leader 600
until grep -q '^State:.Z' /proc/$pid/status; do sleep 0.05; done
record
is $? 0 'a process is recorded whose first thread has ended'
lives 'first thread'

# Started by its loader, with libraries of its own.
loader=$(readelf -l "$guest" | sed -n 's/.*interpreter: \(.*\)]/\1/p')
mkdir own
cp "$loader" "$(ldd "$guest" | sed -n 's/.*libc.so[^ ]* => \([^ ]*\).*/\1/p')" own/
: >guest.out
"own/${loader##*/}" --library-path own "$guest" rest 600 >guest.out 2>&1 &
pid=$!
begins
record
is "$? $(tail -n 1 err)" "0 memmon: wrote $T/x.mon" \
	'a program is recorded that its loader was told to start'
lives 'loader'

# The process has no mapping left; later it has.
max=$(cat /proc/sys/vm/max_map_count)
if [ "$max" -le 70000 ]; then
	rm -f free
	guest full 600
	until_said guest.out full
	record
	like "$? $(cat err)" '^125 .*its loader says: .*(failed to map|cannot change memory)' \
		'no mappings: the reason is the loader'"'"'s'
	touch free
	until [ "$(wc -l <"/proc/$pid/maps")" -lt 1000 ]; do sleep 0.05; done
	record
	is "$? $(tail -n 1 err)" "0 memmon: wrote $T/x.mon" \
		'... and later it is recorded'
	kill $pid
	wait $pid 2>/dev/null
else
	skip 2 "vm.max_map_count is $max"
fi

# No static TLS is left.
echo '__thread __attribute__((tls_model("initial-exec"))) char a[64]; char *f(void) { return a; }' >tls.c
"$CC" -shared -fPIC -O1 -o tls.so tls.c
for n in $(seq 40); do cp tls.so "tls$n.so"; done
# shellcheck disable=SC2046 # names
guest tls 600 $(seq -f './tls%g.so' 40)
record
like "$? $(cat err)" '^125 .*its loader says: .*static TLS' \
	'no static TLS: the reason is the loader'"'"'s'
lives 'static TLS'

# A child of vfork() has its parent's memory until it executes a program.
guest vfork 600 "$guest"
parent=$pid
pid=$(head -n 1 "/proc/$parent/task/$parent/children" | tr -d ' ')
record
like "$? $(cat err)" '^125 .*shares the memory of its parent \(vfork\)' \
	'a child of vfork() is not attached to'
pid=$parent
touch done
wait $pid
is $? 7 '... and it and its parent end as they would'
rm done begun

# Another root directory.
if mkdir -p jail/bin jail/tmp && cp "$guest" jail/bin/ &&
	ldd "$guest" | grep -o '/[^ ]*' | xargs -I% cp --parents % jail/ &&
	chroot jail /bin/guest rest 0; [ $? = 7 ]; then
	: >guest.out
	chroot jail /bin/guest rest 600 &
	pid=$!
	begins
	library=$(realpath "$MEMMON_BUILD")/libmemmon.so.0
	record -o /tmp/x.mon
	like "$? $(cat err)" \
		"^125 .* no $library \\(a container\\?\\); copy .* to $T/jail$library\$" \
		'another root: what is to be copied where'
	mkdir -p "jail${library%/*}"
	cp "$library" "jail$library"
	record -o /tmp/x.mon
	is "$? $(tail -n 1 err)" "0 memmon: wrote $T/jail/tmp/x.mon" \
		'... and then where the file is'
	[ -s jail/tmp/x.mon ]
	ok $? '... and it is there'
	record -o /nowhere/x.mon
	like "$? $(cat err)" '^125 .*/nowhere' \
		'... a folder that is not there is named'
	lives 'another root'

	# By its launcher: memmon chroot DIR PROGRAM.
	rm "jail$library"
	chroot_says()
	{
		rm -f -- *.mon
		"$MEMMON" -o "$1" chroot jail /bin/guest rest 0 2>err
		until_said err 'memmon:'
		cat err
	}
	like "$(chroot_says c.mon)" \
		"c.mon: the counts end where the program executed another program; see .*chroot" \
		'memmon chroot: the file is of chroot alone'
	like "$(chroot_says %e.mon)" \
		'/chroot.mon: the counts end where the program executed another program; see' \
		'... and none of an earlier run'
else
	skip 7 'chroot is not allowed here'
fi
done_testing
