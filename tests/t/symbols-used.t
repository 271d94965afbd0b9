#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What the monitor may call: libmemmon.so's undefined symbols are on this list and
# no others.  Nothing here allocates, prints or waits; what may be called from
# where is in monitor/README.
. "${MEMMON_SRC:-.}/tests/tap.sh"

cat >allowed <<'L'
__cxa_at_quick_exit init
__cxa_atexit init
__environ exec
__errno_location any
__libc_current_sigrtmax any
__libc_current_sigrtmin any
__libc_single_threaded any
__libc_stack_end any
__register_atfork init
__stack_chk_fail any
__tls_get_addr any
_dl_find_object slow
_r_debug slow
bcmp slow
chdir daemon
clock_gettime exit
close daemon
dup2 daemon
fork daemon
fstat daemon
setsid daemon
dl_iterate_phdr init
dlsym init
environ exec
getauxval slow
getenv init
memchr slow
memcmp slow
memcpy any
memmove any
memset any
pthread_key_create init
pthread_setspecific slow
sigdelset init
sigfillset init
strchr exec
strcmp slow
strlen exit
strnlen slow
strrchr exit
strstr init
strtol init
strtoul init
__cxa_finalize none
__gmon_start__ none
_ITM_deregisterTMCloneTable none
_ITM_registerTMCloneTable none
L
nm -D --undefined-only "$MEMMON_BUILD/libmemmon.so" |
	awk '$1 == "U" || $1 == "w" { sub(/@.*/, "", $2); print $2 }' | sort -u >used
awk '{ print $1 }' allowed | sort -u >names
extra=$(comm -23 used names | tr '\n' ' ')
is "$extra" '' 'no call of anything else'
ok "$(grep -c . used >/dev/null; echo $?)" "there are some ($(wc -l <used))"
is "$(readelf -d "$MEMMON_BUILD/libmemmon.so" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' |
	grep -v '^libc\.so\|^ld-linux' | tr '\n' ' ')" '' 'it needs the libc and no other library'

# An early room calls what it declares itself and a late one defines: these, all
# off the usual way.  monitor/README has the order of the rooms.
cd "$MEMMON_SRC" || exit 1
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
mmi_wrap_mask" 'what early rooms call of late ones'
done_testing
