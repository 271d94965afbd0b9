# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# For tests of memmon -p, after tap.sh and monitor.sh.

# Returns 0 if this user may attach; otherwise nothing can be tested.
may_attach()
{
	local pid
	sleep 100 &
	pid=$!
	timeout "$HANG" "$MEMMON" -p $pid --for=1ms -o "$T/may.mon" 2>"$T/may.err"
	local status=$?
	kill $pid
	wait $pid 2>/dev/null
	[ $status = 0 ] || ! grep -Eq 'permission|ptrace_scope|not permitted' \
		"$T/may.err"
}

# until_said FILE WORDS: wait until they are in the file.
until_said()
{
	for _ in $(seq $((HANG * 20))); do
		! grep -q -e "$2" "$1" || return 0
		sleep 0.05
	done
	return 1
}

# maps PID PATTERN: wait until the process has mapped such a file.  Before it
# executes its program it is the shell that starts it, and memmon -p must not
# attach to the shell.
maps()
{
	for _ in $(seq $((HANG * 20))); do
		! grep -qs "$2" "/proc/$1/maps" || return 0
		kill -0 "$1" 2>/dev/null || return 1
		sleep 0.05
	done
	return 1
}

# recorded FILE N: wait until the file of the run has N allocations.
recorded()
{
	local n
	for _ in $(seq $((HANG * 20))); do
		n=$(total "$1" allocations)
		[ "${n:-0}" -lt "$2" ] || return 0
		sleep 0.05
	done
	return 1
}

# is_stopped PID: is one of its threads stopped, or traced?
is_stopped()
{
	grep -hE '^(State:.[tT]|TracerPid:.[1-9])' /proc/"$1"/task/*/status
}

# stays_stopped PID: prints those lines if each look finds some; prints nothing
# as soon as they go away.
stays_stopped()
{
	local lines
	for _ in $(seq $((HANG * 20))); do
		lines=$(is_stopped "$1") || return 0
		sleep 0.05
	done
	echo "$lines"
}

# start FILE N: the program of N threads, with the account FILE; its pid in
# $victim.
start()
{
	"$PROG/attach" "$1" run "$2" >victim.out 2>&1 &
	victim=$!
	until [ "$("$PROG/attach" "$1" read 2>/dev/null | cut -d' ' -f 1)" -gt 1000 ] \
		2>/dev/null; do
		kill -0 $victim || return 1
		sleep 0.05
	done
}

# moves: wait until the program has made thousands of blocks more; each thread
# keeps 128.
moves()
{
	local from
	from=$("$PROG/attach" account read)
	until [ "$("$PROG/attach" account read | cut -d' ' -f 1)" -gt \
		$((${from%% *} + 5000)) ]; do
		kill -0 $victim || return
		sleep 0.02
	done
}

# attach ARGUMENT...: memmon in the background, until it records; its pid in
# $attached.
attach()
{
	: >attach.err
	"$MEMMON" -p "$victim" "$@" 2>attach.err &
	attached=$!
	for _ in $(seq $((HANG * 20))); do
		! grep -q 'is being recorded' attach.err || return 0
		kill -0 $attached 2>/dev/null || return 1
		sleep 0.02
	done
	return 1
}

# detach: end it by ^C's signal, and wait.
detach()
{
	kill -INT $attached
	wait $attached
}

# less A B: the account A less the account B.
less()
{
	paste -d' ' <(echo "$1") <(echo "$2") |
		awk '{ n = NF / 2; print $1 - $6, $2 - $7, $3 - $8, $4 - $9 }'
}
