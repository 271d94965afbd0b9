#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# F03: a busy program is killed at a thousand random times; KILLS sets another
# number.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/kills.sh"

kill_many "${KILLS:-1000}" 4 300000
is "$bad" 0 "F03: ${KILLS:-1000} kills: each file has all ($kept had something)"
done_testing
