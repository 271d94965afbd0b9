# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# After monitor.sh: numbers of a data file by their names in monitor/monout.h,
# without reduce/.

# key NAME: its number in monout.h, of totals (T_) or of the run (R_).
key()
{
	awk -v name="MONOUT_$1" -v kind="${1%%_*}" '
		/^enum monout_run/ { on = kind == "R"; n = 0 }
		/^enum monout_total/ { on = kind == "T"; n = 0 }
		/^};/ { on = 0 }
		on && match($0, /MONOUT_[A-Z_0-9]+/) {
			n++
			if (substr($0, RSTART, RLENGTH) == name) print n
		}' <(sed 's,/\*.*,,; /^[[:space:]]*\*/d' "$MEMMON_SRC/monitor/monout.h")
}

# raw FILE NAME: a figure as it stands in the file; 0: not there.
raw()
{
	local table=total
	case $2 in R_*) table=run ;; esac
	"$MEMMON_BUILD/tests/rawdump" "$1" |
		awk -v t=$table -v k="$(key "$2")" \
		'$1 == t && $2 == k { v = $3 } END { print v + 0 }'
}
