#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The first words of live blocks, at the end.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
dump=$MEMMON_BUILD/tests/celldump

# addr PROGRAM NAME MORE: the address of NAME in nm's output, plus MORE, in hex.
addr()
{
	printf '%x' $((0x$(nm -C "$1" | sed -n "s/ . $2\$//p") + $3))
}

# seen FILE: blocks and bytes of each address, by site.
seen()
{
	"$dump" "$1" | sed -n 's/^vtable [0-9]* //p'
}

for lib in mm libmemmon libmemmon-access; do
	p=$PROG/shapes
	if [ $lib = mm ]; then
		p=$PROG/shapes-mm
		"$p"
	else
		LD_PRELOAD=$MEMMON_BUILD/$lib.so "$p"
	fi
	name=${p##*/}
	circle=$(addr "$p" "vtable for circle" 16)
	square=$(addr "$p" "vtable for square" 16)
	is "$("$dump" mon.out | sed -n 1p)" "known 1 1 1" "$lib: known"
	is "$(seen mon.out | sort)" "$(printf '%s\n' "$name $circle 20 480" \
		"$name $square 20 640" "$name $square 5 160" \
		"$name $circle 15 360" \
		"$name $(addr "$p" variable 0) 4 64" | sort)" \
		"$lib: objects of classes by site; not code, nor what can't be read"
done

"$PROG/shapes-mm" 200000
is "$(seen mon.out | awk '{ n += $3 } END { print n }')" 200064 "many"
"$PROG/shapes-mm" 20000 4096
is "$(seen mon.out | awk '{ n += $3; b += $4 } END { print n, b }')" \
	"20064 $((20000 * 4096 + 480 + 640 + 160 + 360 + 64))" "... large ones"
is "$(total mon.out "blocks begun with an address")" 20064 "-i"
is "$(total mon.out "blocks begun, not by address")" 0 "... none had no room"
MEMMON_VTABLES=0 "$PROG/shapes-mm"
is "$("$dump" mon.out | head -n 1) $(seen mon.out | wc -l)" "known 1 1 0 0" \
	"MEMMON_VTABLES=0: not looked at"
MEMMON_VTABLES=1 "$PROG/shapes-mm"
is "$(seen mon.out | wc -l)" 5 "MEMMON_VTABLES=1"

# At each kind of end, except those after which the heap may be broken.
cat >ends.cc <<'E'
#include <cstdlib>
#include <csignal>
#include <unistd.h>
extern "C" int memmon_dump(void);
struct a {
	virtual ~a() {}
};
static a *p;
int
main(int, char **argv)
{
	p = new a;
	switch (*argv[1]) {
	case '_':
		_exit(0);
	case 'q':
		quick_exit(0);
	case 's':
		abort();
	case 'd':
		memmon_dump();
		kill(getpid(), SIGKILL);
	}
}
E
"$CXX" -w -o ends ends.cc -L "$MEMMON_BUILD" -lmemmon \
	-Wl,-rpath,"$MEMMON_BUILD"
for end in exit _exit quick signal dump; do
	rm -f mon.out*
	./ends $end 2>/dev/null
	echo "$end $(seen mon.out | wc -l)"
done 2>/dev/null >got
is "$(cat got)" "exit 1
_exit 1
quick 1
signal 0
dump 0" "at ends in good order"

# A class in a library without a frame on any call path, and more addresses than
# the table has room for.
cat >lib.cc <<'E'
struct far {
	virtual ~far() {}
	long v;
};
template <int N> struct some : far {
	~some() override {}
};
extern "C" void *
far_table(void)
{
	static far f;
	return *(void **)&f;
}
long table[40000];
E
cat >use.cc <<'E'
#include <cstdlib>
extern "C" void *far_table(void);
extern long table[40000];
static void **list[40000];
int
main(int argc, char **)
{
	for (int i = 0; i < 3; i++)
		*(list[i] = (void **)malloc(16)) = far_table();
	for (int i = 3; argc > 1 && i < 40000; i++)
		*(list[i] = (void **)malloc(8)) = &table[i];
}
E
"$CXX" -w -fPIC -shared -o libfar.so lib.cc &&
	"$CXX" -w -o use use.cc -L . -lfar -Wl,-rpath,"$PWD" &&
	LD_PRELOAD=$LIBMEMMON ./use
is "$(seen mon.out)" "libfar.so $(addr libfar.so "vtable for far" 16) 3 48" \
	"a library that only has the class"
LD_PRELOAD=$LIBMEMMON ./use more
is "$(seen mon.out | wc -l) $(total mon.out "blocks begun, not by address")" \
	"16384 $((39998 - 16384))" "too many addresses: how many blocks are left out"
is "$(seen mon.out | awk '{ n += $3 } END { print n }')" 16386 "... or not"

# Seccomp refuses the call: the figure is unknown, and the program goes on.
cat >box.c <<'E'
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
int
main(int argc, char **argv)
{
	struct sock_filter f[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, argc > 1 ? SECCOMP_RET_KILL_PROCESS
						   : SECCOMP_RET_ERRNO | 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog p = { 4, f };
	static void *q;

	q = malloc(50);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p) != 0;
}
E
"$CC" -w -o box box.c
for how in "" kill; do
	rm -f mon.out
	LD_PRELOAD=$LIBMEMMON ./box $how
	echo "$? $("$dump" mon.out | head -n 1)"
done >got
is "$(cat got)" "0 known 1 1 0
0 known 1 1 0" "a filter that lets it fail, or would kill"
done_testing
