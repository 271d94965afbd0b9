#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# F10 and most other failures at once, for SOAK_SECONDS, by default 60: eight
# threads that allocate, resize, pass on and free, with fork, dlopen, signals
# and short threads (tests/prog/soak.c).  All is exact, and memory doesn't grow.
TAP_LIMIT=$((${SOAK_SECONDS:-60} * 3 + 900))
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/figures.sh"
. "$MEMMON_SRC/tests/soak.sh"
soak seconds "${SOAK_SECONDS:-60}"
ok $((late > early + early / 4 + 8192)) \
	"F08: it took $early KB after a tenth of the time, $late KB at the end"
done_testing
