# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# For tests of the monitor, after tap.sh: where things are, figures from a data
# file, examples of the manual.

PROG=$MEMMON_BUILD/tests/prog
MEMMON=$MEMMON_BUILD/memmon
MPREDUCE=$MEMMON_BUILD/mpreduce
LIBMEMMON=$MEMMON_BUILD/libmemmon.so.0

# total FILE WHAT: a figure of `mpreduce -i', by its words ("allocations").
total()
{
	"$MPREDUCE" -i "$1" 2>/dev/null | awk -v what="$2" '
		$1 ~ /^[0-9]+$/ { n = $1; $1 = ""; sub(/^ /, "")
				  if ($0 == what) { print n; exit } }'
}

# totals FILE: "allocations bytes frees freed", and " lost N" if any were.
totals()
{
	"$MPREDUCE" -i "$1" 2>/dev/null | awk '
		$1 ~ /^[0-9]+$/ { n = $1; $1 = ""; sub(/^ /, ""); v[$0] = n }
		END { printf "%s %s %s %s", v["allocations"], v["bytes"],
			v["frees"], v["bytes freed"]
		      if (v["allocations unrecorded"] != 0)
			printf " lost %s", v["allocations unrecorded"]
		      print "" }'
}

# end_of FILE: how the run ended.
end_of()
{
	"$MPREDUCE" -i "$1" | sed -n 's/^ *end  *//p'
}

# on_terminal COMMAND: `seen' gets its output on a terminal, which script(1)
# provides.  script ends with its command; the command ends when no other process
# has the terminal, such as the one that prints the end line after the program.
on_terminal()
{
	cat >"$T/.alone" <<-'X'
	tty=$(readlink /proc/$$/fd/2)
	while ls -l /proc/[0-9]*/fd/2 >"$0.on" 2>/dev/null
		[ "$(grep -c " $tty\$" "$0.on")" -gt 1 ]; do
		sleep 0.05
	done
	X
	timeout "$HANG" script -qec "$1
		exec sh '$T/.alone'" typescript </dev/null >/dev/null
	sed '1{/^Script started/d}; ${/^Script done/d}' typescript |
		tr -d '\r' | sed '${/^$/d}' >seen
}

# example NAME N: the Nth literal block below that name in memmon(7) or
# memmon-mpi(7).
example()
{
	awk -v name="$1" -v n="$2" '
		/^\.It Sy / { on = substr($0, 8) == name; k = 0 }
		/^\.El/ { on = 0 }
		on && /^\.Bd/ { k++; inside = 1; next }
		/^\.Ed/ { inside = 0 }
		on && inside && k == n { gsub(/\\e/, "\\"); print }' \
		"$MEMMON_SRC"/man/memmon{,-mpi}.7
}

# with_plugin COMPILER...: the compilers for which memmon-cc has a plugin.
with_plugin()
{
	local cc major
	for cc; do
		major=$($cc -dumpversion 2>/dev/null) && major=${major%%.*}
		[ ! -e "$MEMMON_BUILD/plugin/$cc-$major/memmon.so" ] ||
			echo "$cc"
	done
}
