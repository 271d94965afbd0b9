#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# F04, F05: as tests/t/F04-loader.t, for longer.
export LOADER_ROUNDS=400 LOADER_TIMES=10
exec "${MEMMON_SRC:-.}/tests/t/F04-loader.t"
