# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# After monitor.sh: numbers of a data file by their names in monitor/monkeys.h,
# without reduce/.

# key NAME: its number in monkeys.h, of totals (T_) or of the run (R_).
key()
{
	awk -v name="${1#?_}" -v kind="${1%%_*}" '
		/^#define MONREC_RUN_KEYS/ { on = kind == "R"; n = 0 }
		/^#define MONREC_TOTAL_KEYS/ { on = kind == "T"; n = 0 }
		on && match($0, /^\tK\([A-Z_]+/) {
			n++
			if (substr($0, 4, RLENGTH - 3) == name) print n
		}' "$MEMMON_SRC/monitor/monkeys.h"
}

# raw FILE NAME: a figure straight from the file; 0: the file lacks it.
raw()
{
	local table=total
	case $2 in R_*) table=run ;; esac
	"$MEMMON_BUILD/tests/rawdump" "$1" |
		awk -v t=$table -v k="$(key "$2")" \
		'$1 == t && $2 == k { v = $3 } END { print v + 0 }'
}
