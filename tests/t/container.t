#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# memmon in a container: with a mount, network, process and host name space of
# its own, a read-only root, the program as process 1, and the system calls that
# Docker's default profile allows (tests/prog/confine.c).  Also the commands of
# memmon-faq(7) for containers.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/attach.sh"

unshare -m -n -p -u -f true 2>/dev/null ||
	skip_all 'unshare(1) is not permitted here'

# The image: a server, memmon, and the files that both need.
mkdir -p image/{bin,opt/memmon,data,dev,proc} data
: >image/dev/null
cp "$PROG/server" image/server
cp "$PROG/confine" /bin/sh "$(command -v sleep)" image/bin/
cp "$MEMMON_BUILD/memmon" "$MEMMON_BUILD/libmemmon.so.0" image/opt/memmon/
for file in image/server image/bin/* image/opt/memmon/*; do
	ldd "$file" 2>/dev/null | grep -o '/[^ ]*'
done | sort -u | xargs -I% cp --parents % image/

# In a shell with its own namespaces: only data can be written to.
cat >enter <<'E'
mount --make-rprivate / && mount --bind image image &&
	mount --bind data image/data && mount -t proc proc image/proc &&
	mount --bind /dev/null image/dev/null &&
	mount -o remount,bind,ro image && hostname pod-1 &&
	exec chroot image "$@"
E
# container COMMAND...: it as process 1.
enter=(unshare --kill-child -m -n -p -u -f sh ./enter)
container()
{
	"${enter[@]}" "$@"
}

container /bin/sh -c 'echo $$; : >/bin/new' >out 2>err || :
if [ "$(cat out)" != 1 ] || ! grep -q 'Read-only' err; then
	diag "$(cat err)"
	skip_all 'no mounts are permitted here'
fi
memmon=/opt/memmon/memmon
confined='/bin/confine'

# The program is process 1.
container $confined $memmon -o /data/%h.%e.mon /server 100 2>err
is "$? $(cat err)" '0 ' 'a program runs in a container'
"$MPREDUCE" --summary --sysroot=image image/server data/pod-1.server.mon >said 2>err
like "$(cat said)" \
	'ended by exit.*300 blocks allocated.*remember \(server[.]c:' \
	'... its file, with the name of the host, is read outside'
is "$(cat err)" '' '... with all names'
container $confined $memmon /server 100 2>err
like "$? $(cat err)" '^125 .*the data file can.t be written' 'no file can be written: memmon says so'
container $confined /bin/sh -c "LD_PRELOAD=${memmon%/*}/libmemmon.so.0 \
	MEMMON_OUT=/data/%h.preloaded.mon exec /server 100"
is "$? $("$MPREDUCE" -i data/pod-1.preloaded.mon | awk 'NF == 2 && $2 == "allocations" { print $1 }')" \
	"0 300" 'by LD_PRELOAD alone'

# live COMMAND: in a container, in the background, until the server has its pid
# file; the process outside in $outside.
live()
{
	rm -f data/server.pid
	"${enter[@]}" "$@" >live.out 2>&1 &
	unshared=$!
	for ((i = 0; i < HANG * 20; i++)); do
		[ ! -s data/server.pid ] && kill -0 $unshared || break
		sleep .05
	done
	[ -s data/server.pid ] || diag "$(cat live.out)"
	read -r outside _ <"/proc/$unshared/task/$unshared/children"
}

# dies: the container is killed, as when it is out of memory.
dies()
{
	kill -9 "$outside"
	wait $unshared 2>/dev/null
}

live $confined /bin/sh -c "cd /data; exec $memmon -o /data/%h.%e.mon /server"
dies
like "$("$MPREDUCE" --summary --sysroot=image image/server data/pod-1.server.mon)" \
	'ended or still running.*remember' 'the container is killed: the counts are there'

may_attach || {
	skip 6 'ptrace is not allowed here'
	done_testing
	exit
}
# From inside, under the same filter.
live $confined /bin/sh -c "cd /data; /server & \
	server=\$!; while [ ! -s server.pid ]; do sleep .05; done; \
	$memmon -p \$server -o /data/inside.mon & \
	while [ ! -e enough ]; do sleep .05; done; \
	kill \$!; wait \$!; echo \$? >/data/status; wait"
recorded data/inside.mon 10
touch data/enough
for ((i = 0; i < HANG * 20; i++)); do
	[ ! -s data/status ] && kill -0 $unshared || break
	sleep .05
done
is "$(cat data/status)" 0 'attached to from inside' || diag "$(cat live.out)"
like "$("$MPREDUCE" --summary --sysroot=image image/server data/inside.mon)" \
	'remember' '... with its file'

# From outside.
server=$(head -n 1 "/proc/$outside/task/$outside/children" | tr -d ' ')
"$MEMMON" -p "$server" --for=100ms -o /data/outside.mon 2>err
like "$? $(cat err)" '^125 .*restricts its system calls \(seccomp\)' \
	'from outside it is not, under a filter'
dies
live /bin/sh -c 'cd /data; exec /server'
library=$(realpath "$MEMMON_BUILD")/libmemmon.so.0
"$MEMMON" -p "$outside" --for=100ms -o /data/outside.mon 2>err
like "$? $(cat err)" "^125 .* no $library \\(a container\\?\\); copy " \
	'... without one, memmon says where the library is missing'
dies
mkdir -p "image${library%/*}"
cp "$library" "image$library"
live /bin/sh -c 'cd /data; exec /server'
victim=$outside
attach -o /data/outside.mon && recorded data/outside.mon 10
detach
like "$? $(cat attach.err)" '^0 .*memmon: wrote .*/data/outside[.]mon' \
	'... and with the library it is'
like "$("$MPREDUCE" --summary --sysroot=image image/server data/outside.mon)" \
	'remember' '... with its file'
dies

# Without /proc, the data file doesn't name a script's interpreter.
printf '#!%s 100\n' "$PWD/image/server" >script
chmod +x script
unshare -m sh -c 'mount -t tmpfs none /proc && exec "$@"' - \
	"$MEMMON" -q -o data/nameless.mon ./script
"$MPREDUCE" --summary data/nameless.mon 2>&1 >/dev/null | sort -u >err
is "$(cat err)" "mpreduce: the data file doesn't name the program, so its \
functions have no names; give the executable as an argument" \
	'a program without a name: what to do'
like "$("$MPREDUCE" --summary image/server data/nameless.mon 2>err)" \
	'remember' '... and that helps'
is "$(cat err)" '' '... without a warning'
done_testing
