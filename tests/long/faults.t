#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# As tests/t/faults.t, with every call and not only the first of each kind, and
# with errors of other meanings.
TAP_LIMIT=7200
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/faults.sh"
ulimit -c 0

for how in '' child '_exit' 'signal 15'; do
	# shellcheck disable=SC2086
	check 1000 1000 107 107 "$PROG/steady" $how
done
check 200 50 535 1000000000 "$PROG/steady" threads

# With a log of blocks.
export MEMMON_LOG=1
for how in '' child '_exit' 'signal 15'; do
	# shellcheck disable=SC2086
	check 1000 1000 107 107 "$PROG/steady" $how
done
check 200 50 535 1000000000 "$PROG/steady" threads
unset MEMMON_LOG

# A filter of seccomp(2) or a security module may refuse any call in this way.
for e in EPERM ENOSYS EACCES ENOMEM EINVAL EINTR EAGAIN EBADF EFAULT; do
	problem='' runs=0
	alone "$PROG/steady" child
	for name in $(names "$PROG/steady" child); do
		for n in 1 2 3 4; do
			faulty "$name:$n:$e" 107 107 "$PROG/steady" child
			faulty "$name:$n+:$e" 107 107 "$PROG/steady" child
			runs=$((runs + 2))
			[ ${#problem} -lt 1000 ] || break 2
		done
	done
	is "$problem" '' "$e: $runs runs"
done

# Two calls fail.
problem='' runs=0
alone "$PROG/steady"
names "$PROG/steady" >first
for one in $(cat first); do
	for two in $(cat first); do
		faulty "$one:2,$two:1+" 107 107 "$PROG/steady"
		runs=$((runs + 1))
		[ ${#problem} -lt 1000 ] || break 2
	done
done
is "$problem" '' "two kinds of calls: $runs runs"
done_testing
