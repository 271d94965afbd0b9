#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The functions that the monitor may call by name, although another library may
# replace them.  libmemmon.so's undefined symbols are on this list and no
# others, in the objects that it names.  Hooks call none of these functions:
# they make system calls directly, use the kernel's clock (base/vdso.c) and the
# monitor's own memcpy() and others (base/libc.c), and call functions that only
# libc can do by their address in libc (base/real.c).  tests/t/hostile.t tries
# that.
. "${MEMMON_SRC:-.}/tests/tap.sh"

# Name, objects, and why it does no harm:
#   init    once, at the start; hooks don't call it again
#   data    no function; a copy in the program is used by libc, too
#   daemon  the program itself has called daemon(), which calls it
#   exec    the program itself calls another program
#   none    calls nothing of the program's
cat >allowed <<'L'
__cxa_at_quick_exit process/start init
__cxa_atexit process/start init
__environ * data
__errno_location * none
__libc_current_sigrtmax process/dump,process/signals init
__libc_current_sigrtmin process/dump,process/signals init
__libc_single_threaded * data
__libc_stack_end chain/walk,hooks/lisp_ihs,leak/leak_roots data
__register_atfork - init
pthread_atfork process/start init
__stack_chk_fail * none
__tls_get_addr - none
_dl_find_object base/real init
dl_iterate_phdr base/real init
getauxval base/real init
pthread_setspecific base/real init
chdir process/exec daemon
close process/exec daemon
dup2 process/exec daemon
fork process/exec daemon
fstat process/exec daemon
setsid process/exec daemon
dlsym base/next init
environ * data
pthread_key_create thread/enter init
aligned_alloc hooks/cxx none
free hooks/cxx none
malloc hooks/cxx none
__cxa_finalize - none
__gmon_start__ - none
_ITM_deregisterTMCloneTable - none
_ITM_registerTMCloneTable - none
_r_debug base/process data
L
nm -D --undefined-only "$MEMMON_BUILD/libmemmon.so" |
	awk '$1 == "U" || $1 == "w" { sub(/@.*/, "", $2); print $2 }' | sort -u >used
awk '{ print $1 }' allowed | sort -u >names
extra=$(comm -23 used names | tr '\n' ' ')
is "$extra" '' 'no call of anything else'
ok "$(grep -c . used >/dev/null; echo $?)" "there are some ($(wc -l <used))"

# The same for the objects: they may call the names that the linker resolves to
# base/libc.c and base/real.c (libc.list), and those of the compiler's own
# library.
cd "$MEMMON_SRC" || exit 1
for file in monitor/*/*.c; do
	object=$MEMMON_BUILD/obj/shared/${file%.c}.o
	[ ! -e "$object" ] || nm -u "$object" | sed "s,^,${file%.c} ,"
done | awk -v list=monitor/base/libc.list -v rows="$T/allowed" '
	BEGIN {
		while ((getline line <list) > 0)
			may[line] = "*"
		while ((getline line <rows) > 0) {
			split(line, w, " ")
			may[w[1]] = may[w[1]] "," w[2] ","
		}
	}
	$3 ~ /^(mmi|memmon)_|^__real_|^__(start|stop)_|^_GLOBAL_OFFSET_TABLE_$/ ||
	$3 ~ /^(_end|__ehdr_start)$|^__[a-z]*[dt]i[234]?$/ { next }
	{
		sub(/^monitor\//, "", $1)
		if (may[$3] !~ /\*/ && index(may[$3], "," $1 ",") == 0)
			print $3 ": " $1
	}' >"$T/others"
is "$(cat "$T/others")" '' 'nor in an object where it is not expected'
cd "$T" || exit 1
is "$(readelf -d "$MEMMON_BUILD/libmemmon.so" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' |
	grep -v '^libc\.so\|^ld-linux' | tr '\n' ' ')" '' 'it needs the libc and no other library'

# An early room may declare a function itself that a late room defines, and call
# it: these functions only, all outside the usual path.  monitor/README has the
# order of the rooms.
cd "$MEMMON_SRC" || exit 1

# A thread that waits for another thread sleeps, or one with less priority never
# runs; and code that blocks signals doesn't block SIGBUS: each in one place.
is "$(grep -n 'SYS_sched_yield,\|SYS_sched_yield)\|arch_pause()' monitor/*/*.[ch] |
	grep -v '^monitor/base/wait[.]h:')" '' \
	'nothing spins or yields but base/wait.h'
is "$(grep -nA1 --no-group-separator 'SYS_rt_sigprocmask, *\(SIG_SETMASK\|2\)' monitor/*/*.[ch] |
	grep -v '^monitor/\(base/mask[.]h\|costs/kernel[.]c\|attach/\)' |
	grep -v '^monitor/events/consumer[.]c[-:].*\(&none\|execve\)')" '' \
	'nothing sets a mask of signals but base/mask.h'

late=$(for file in monitor/*/*.c; do
	object=$MEMMON_BUILD/obj/access/${file%.c}.o
	[ ! -e "$object" ] || nm "$object" | sed "s,^,$file ,"
done | awk -v order="$(sed -n 's/^    \([a-z][a-z]*\)  .*/\1/p' monitor/README |
	tr '\n' ' ')" '
	BEGIN {
		n = split(order, room, " ")
		for (i = 1; i <= n; i++)
			rank[room[i]] = i
	}
	{ split($1, path, "/") }
	NF == 4 && $3 ~ /[TDBRV]/ { defined[$4] = rank[path[2]] }
	NF == 3 && $3 ~ /^mmi_/ { calls[$1 " " $3] = rank[path[2]] }
	END {
		for (c in calls) {
			split(c, by, " ")
			if (defined[by[2]] > calls[c])
				print by[2]
		}
	}' | sort -u)
is "$late" "mmi_cells_made
mmi_control_waiting
mmi_image_describe
mmi_image_fill
mmi_kernel_fatal
mmi_next_found
mmi_process_forked
mmi_thread_costs_end
mmi_times_dump
mmi_times_moment
mmi_wrap_mask" 'what early rooms call of late ones'
done_testing
