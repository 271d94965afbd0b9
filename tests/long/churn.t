#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# F08: as tests/t/F08-churn.t, with a hundred thousand threads.
export CHURN=100000
exec "${MEMMON_SRC:-.}/tests/t/F08-churn.t"
