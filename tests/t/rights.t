#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Servers start as root, and then give up the right to write to the directory of
# the data file, or leave it by chroot(2).  All counts and the leak check must be
# there, with more call paths than the image had room for.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

if [ "$(id -u)" != 0 ]; then
	skip 11 'giving up rights needs root'
	done_testing
	exit
fi

# drops HOW: 10 blocks of 1000 bytes; gives up its rights; 3 blocks of 40 bytes
# for each of 2^14 call paths: 49162 blocks, 1976080 bytes; all are lost.
cat >drops.c <<'C'
#define _GNU_SOURCE
#include <grp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
void a(int d, int k);
void b(int d, int k)
{
	volatile int x = d;
	if (!d) {
		malloc(40);
		return;
	}
	if (k & 1)
		a(d - 1, k >> 1);
	else
		b(d - 1, k >> 1);
	x++;
}
void a(int d, int k)
{
	b(d, k);
	__asm__ volatile("");
}
static int drop(const char *how)
{
	if (!strcmp(how, "setuid"))
		return setgid(65534) || setuid(65534);
	if (!strcmp(how, "setresuid"))
		return setresuid(65534, 65534, 65534);
	if (!strcmp(how, "setreuid"))
		return setreuid(65534, 65534);
	if (!strcmp(how, "seteuid"))
		return seteuid(65534);
	return chroot("jail") || chdir("/");
}
int main(int argc, char **argv)
{
	for (int i = 0; i < 10; i++)
		malloc(1000);
	if (drop(argv[argc - 1]))
		return 9;
	for (int r = 0; r < 3; r++)
		for (int k = 0; k < 1 << 14; k++)
			a(14, k);
	return 4;
}
C
$CC -g -O0 -w drops.c -o drops || exit 1
chmod 755 "$T"
mkdir jail
for how in setuid setreuid setresuid seteuid chroot; do
	"$MEMMON" -q -l --full-chains -o $how.mon ./drops $how
	is "$? $(totals $how.mon)" '4 49162 1976080 0 0' \
		"$how: all counts are there"
	[ $how != chroot ] || continue
	like "$("$MPREDUCE" --summary ./drops $how.mon)" \
		'Lost .*: 1[.]88 MB in 49,16[12] blocks' '... and the leak check'
done
# As inetd: a child gives up its rights and executes a program.
cat >starts.c <<'C'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	if (!fork()) {
		malloc(20);
		if (setgid(65534) || setuid(65534))
			return 9;
		execl("/bin/true", "true", NULL);
	}
	wait(0);
	return 0;
}
C
$CC -g -O0 -w starts.c -o starts
"$MEMMON" -q -o starts.mon ./starts
is "$(end_of starts.mon.[0-9]*)" exec \
	'a child without rights: its counts end by exec'

# It is a data file like others: the next run replaces it.
touch -d '1 hour ago' setuid.mon
"$MEMMON" -q -o setuid.mon true
is "$(ls setuid.mon* | wc -l)" 1 'a later run replaces it'
done_testing
