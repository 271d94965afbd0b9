#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Limits and settings of the system in the data file: those that the shell finds,
# also in a control group with a limit and without /proc; and in the views.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

# least FILE GROUP MOUNT: the least limit of the group and those around it.
least()
{
	local path=$3${2%/}
	while [[ $path == "$3"* ]]; do
		cat "$path/$1" 2>/dev/null
		path=${path%/*}
	done | grep -x '[0-9]\{1,18\}' | sort -n | head -n 1
}

# facts: what a process finds now, as NAME=VALUE.
facts()
{
	local group name value
	if group=$(grep :memory: /proc/self/cgroup); then
		value=$(least memory.limit_in_bytes "${group#*:memory:}" \
			/sys/fs/cgroup/memory)
		[ -z "$value" ] || echo "memory.max=$value"
	elif group=$(grep ^0:: /proc/self/cgroup); then
		for name in memory.max memory.high memory.swap.max; do
			value=$(least $name "${group#0::}" /sys/fs/cgroup)
			[ -z "$value" ] || echo "$name=$value"
		done
	fi
	[ ! -r /proc/sys/vm/overcommit_memory ] ||
		echo "overcommit_memory=$(</proc/sys/vm/overcommit_memory)"
	sed -n 's/.*\[\(.*\)\].*/transparent_hugepage=\1/p' \
		/sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null
}

# of FILE: the facts of a data file.
of()
{
	"$MPREDUCE" -i "$1" | sed -n 's/^  system  *//p' | sort
}

unset "${!MALLOC_@}" GLIBC_TUNABLES
"$MEMMON" -o m.mon true
is "$(of m.mon)" "$(facts | sort)" 'as the shell finds them'
MALLOC_ARENA_MAX=3 MALLOCS=1 GLIBC_TUNABLES=glibc.malloc.check=0 \
	"$MEMMON" -o m.mon true
is "$(of m.mon)" "$({ facts; echo MALLOC_ARENA_MAX=3
	echo GLIBC_TUNABLES=glibc.malloc.check=0; } | sort)" \
	'and variables that set the allocator'
"$MPREDUCE" --export=csv --sql="SELECT value FROM system
	WHERE name = 'MALLOC_ARENA_MAX'" m.mon | grep -q '^3'
ok $? 'SQL has them'
"$MPREDUCE" --json m.mon | tr -d '\n ' |
	grep -q '{"name":"MALLOC_ARENA_MAX","value":"3"}'
ok $? 'JSON has them'

# A group with a limit, in one with a lower limit.
if mkdir "/sys/fs/cgroup/memory/memmon.$$" 2>/dev/null; then
	outer=/sys/fs/cgroup/memory/memmon.$$ file=memory.limit_in_bytes
	mkdir "$outer/inner"
	echo 300000000 >"$outer/inner/$file"
	echo 200000000 >"$outer/$file"
	want=$(<"$outer/$file")
	sh -c 'echo $$ >"$1/inner/cgroup.procs" && exec "$2" -o g.mon true' \
		sh "$outer" "$MEMMON"
	is "$(of g.mon | grep ^memory)" "memory.max=$want" 'the least limit'
	"$MPREDUCE" --memory g.mon |
		grep -q "^  memory.max=$want; RSS is [0-9]*% of it\$"
	ok $? '--memory has it'
	rmdir "$outer/inner" "$outer"
fi

# Without /proc and /sys.
if [ "$(id -u)" = 0 ]; then
	mkdir empty
	"$MEMMON" -o c.mon perl -e 'chroot "empty" or exit 1; exit 7'
	is $? 7 'a program that calls chroot(2)'
	is "$(of c.mon)" '' '  has no such facts'
fi

# A sum of two files has each fact once.
for n in 1 2; do
	MALLOC_ARENA_MAX=$n "$MEMMON" -o $n.mon true
done
"$MPREDUCE" --sum 1.mon 2.mon >/dev/null 2>&1
is "$(of mon.sum)" "$({ facts; printf 'MALLOC_ARENA_MAX=%s\n' 1 2; } | sort)" \
	'a sum'
"$MPREDUCE" --memory 1.mon 2.mon 2>/dev/null |
	grep -A 2 '^Limits and settings' | grep -c 'ARENA_MAX=[12]$' >n
is "$(<n)" 2 'the table of two files'
done_testing
