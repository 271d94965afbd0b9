#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# F10: addresses that come back at once, in other threads, by free and by
# realloc; with fork, dlopen, signals and short threads between
# (tests/prog/soak.c).
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/figures.sh"
. "$MEMMON_SRC/tests/soak.sh"
soak rounds 400
done_testing
