#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs restrict themselves by seccomp(2) and by prctl(PR_SET_TSC) while
# memmon records them.  They end with the same status as without memmon.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/attach.sh"

# boxed HOW BLOCKS BEFORE: allocates BEFORE blocks, restricts itself, and
# allocates BLOCKS more.  HOW: strict; allow, only six calls; clock, all except
# clock_gettime(); tsc, the CPU's counter can't be read.  With "later" it waits
# for 5 lines of its standard input before it restricts itself, and for one
# after.
cat >boxed.c <<'C'
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
static void *kept[4000];
static void blocks(int n)
{
	for (int i = 0; i < n; i++) {
		free(kept[i % 4000]);
		kept[i % 4000] = malloc(i % 50 + 1);
	}
}
static void filter(const int *calls, int n, int allow)
{
	struct sock_filter f[32] = { BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		offsetof(struct seccomp_data, nr)) };
	unsigned yes = allow ? SECCOMP_RET_ALLOW : SECCOMP_RET_KILL_PROCESS;
	unsigned no = allow ? SECCOMP_RET_KILL_PROCESS : SECCOMP_RET_ALLOW;
	int k = 1;
	for (int i = 0; i < n; i++) {
		f[k++] = (struct sock_filter)BPF_JUMP(
			BPF_JMP | BPF_JEQ | BPF_K, calls[i], 0, 1);
		f[k++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, yes);
	}
	f[k++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, no);
	struct sock_fprog p = { k, f };
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p))
		_exit(99);
}
int main(int argc, char **argv)
{
	static const int few[] = { SYS_read, SYS_write, SYS_exit_group,
				   SYS_brk,  SYS_mmap,  SYS_munmap };
	static const int one[] = { SYS_clock_gettime };
	const char *how = argv[1];
	char line[8], *large;
	mallopt(M_TRIM_THRESHOLD, 1 << 30);
	mallopt(M_MMAP_THRESHOLD, 1 << 29);
	large = malloc(5000000);
	memset(large, 1, 5000000);
	free(large);
	blocks(atoi(argv[3]));
	if (argc > 4 && (write(1, "ready\n", 6) < 0 || read(0, line, 8) < 0))
		return 98;
	if (!strcmp(how, "strict"))
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
	else if (!strcmp(how, "allow"))
		filter(few, 6, 1);
	else if (!strcmp(how, "clock"))
		filter(one, 1, 0);
	else
		prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
	if (argc > 4 && (write(1, "boxed\n", 6) < 0 || read(0, line, 8) < 0))
		return 98;
	blocks(atoi(argv[2]));
	if (!strcmp(how, "strict"))
		syscall(SYS_exit, 6);
	_exit(6);
}
C
"$CC" -g -O0 -o boxed boxed.c
is "$(./boxed strict 10 10; echo $?) $(./boxed allow 10 10; echo $?)" "6 6" \
	"alone both end with 6"
for how in strict allow clock; do
	for blocks in "100 0" "4000 100" "20 2000"; do
		for option in '' -l --allocator --sample=100 --log; do
			rm -f m.out*
			# shellcheck disable=SC2086
			"$MEMMON" -q $option -o m.out ./boxed $how $blocks \
				>/dev/null 2>&1
			is "$? $(ls m.out.part* 2>/dev/null)" "6 " \
				"$how, $blocks blocks ${option:-as usual}"
		done
	done
done
if [ "$(uname -m)" = x86_64 ]; then
	for blocks in "100 0" "1000 100"; do
		for option in '' --allocator; do
			# shellcheck disable=SC2086
			"$MEMMON" -q $option -o m.out ./boxed tsc $blocks 2>/dev/null
			is $? 6 "no counter, $blocks blocks ${option:-as usual}"
		done
	done
else
	skip 4 "the counter can always be read"
fi

# Attached to before it restricts itself, and let go afterwards.
if ! may_attach; then
	skip 4 "nobody may attach"
	done_testing
	exit
fi
for how in strict allow; do
	rm -f in out said l.mon
	mkfifo in
	./boxed $how 1000 100 later <in >out &
	boxed=$!
	exec 9>in
	until_said out ready
	"$MEMMON" -p $boxed -o l.mon 2>said &
	memmon=$!
	until_said said 'being recorded'
	echo >&9
	until_said out boxed
	kill -INT $memmon
	wait $memmon
	is "$? $(grep -c 'restricts its system calls by now' said)" "125 1" \
		"$how: memmon says why it doesn't let go"
	echo >&9
	exec 9>&-
	wait $boxed
	is $? 6 "... and the process ends as it would"
done
done_testing
