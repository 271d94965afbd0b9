#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The first calls of the monitor of each kind fail in turn, once and from then
# on: the program behaves as alone, and the data file is readable and true, or
# doesn't exist.  tests/long/faults.t does the same with all calls.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/faults.sh"
ulimit -c 0
few=(2 1)
! exhaustive || few=(3 2)
many=1000000000

# The checks themselves: they notice failing calls, wrong counts, damaged files.
alone "$PROG/steady"
problem=
faulty '' 107 107 "$PROG/steady"
is "$fell$problem" '' 'without rules nothing fails'
is "$(totals mon.out)" '107 5492 57 2992' '... and the file is as always'
problem=
faulty openat:1 107 107 "$PROG/steady"
is "$fell$problem" 'openat 1' 'an open that fails'
is "$(totals mon.out)" '107 5492 57 2992' '... the first one, of the image'
faulty openat:1+ 107 107 "$PROG/steady"
like "$fell$problem" '^openat 1,openat 2[,0-9a-z ]*$' 'all of them'
ok "$([ ! -e mon.out ]; echo $?)" '... leaves no file'
faulty write:2:short 107 107 "$PROG/steady"
is "$fell$problem" 'write 2' 'a short write'
is "$(totals mon.out)" '107 5492 57 2992' '... is gone on with'
faulty write:2:EINTR 107 107 "$PROG/steady"
is "$fell$problem" 'write 2' 'an interrupted one'
is "$(totals mon.out)" '107 5492 57 2992' '... is made again'
want=0
faulty write:1 107 107 "$PROG/steady"
like "$problem" 'status 3, not 0' 'another exit status would be noticed'
alone "$PROG/steady"
problem=
faulty write:1 108 108 "$PROG/steady"
faulty '' 108 108 "$PROG/steady"
like "$problem" '107 allocations of 108' '... and other counts'
head -c 100 mon.out >cut
what_is_left 107 107 mon.out cut mon.out
like "$bad" '^cut: ' '... and which of several files is damaged'

check "${few[@]}" 107 107 "$PROG/steady"
problem=
alone "$PROG/steady"
for n in {1..14}; do faulty "mmap:$n" 107 107 "$PROG/steady"; done
is "$problem" '' 'each mapping that fails by itself: every allocation is told of'
! exhaustive || check "${few[@]}" 107 107 "$PROG/steady" _exit
! exhaustive || check "${few[@]}" 107 107 "$PROG/steady" signal 15
check "${few[@]}" 107 107 "$PROG/steady" child
! exhaustive || check "${few[@]}" 535 $many "$PROG/steady" threads

# With a log of blocks.
export MEMMON_LOG=1
check "${few[@]}" 107 107 "$PROG/steady"
! exhaustive || check 2 1 107 107 "$PROG/steady" child
problem=
alone "$PROG/steady"
for rule in {openat,pwrite64,fstat,unlinkat,close,mmap}:{1,2,3}+:ENOSPC \
	{openat,pwrite64}:1+:{EDQUOT,EIO} \
	pwrite64:{1,3}+:{EFBIG,EINTR,short} getrandom:1+ renameat:1+; do
	faulty "$rule" 107 107 "$PROG/steady"
done
is "$problem" '' 'a log on file systems that are full, or broken'
unset MEMMON_LOG

# The errors that the file system may return to each of the calls that make a
# file.
problem=
alone "$PROG/steady"
for rule in openat:1+:{ENOENT,EROFS,EDQUOT,ENOSPC,EMFILE,ENFILE,EPERM,ENOSYS} \
	{write,ftruncate,pwrite64}:{1,3}+:{ENOSPC,EDQUOT,EIO,EFBIG,EINTR,EPERM} \
	write:1+:short mmap-shared:1+:{ENODEV,EINVAL,EPERM,EACCES} \
	{renameat,link,unlinkat,close}:1+:{EPERM,EIO,EDQUOT,EROFS} \
	mmap:1+:{ENOMEM,EPERM,ENOSYS,EAGAIN}; do
	faulty "$rule" 107 107 "$PROG/steady"
done
is "$problem" '' 'file systems that are full, read-only, over quota, odd'

# One step on the way to a file fails, and so does its undoing.
problem=
for rule in renameat:1,unlinkat:1+ close:1,unlinkat:1+ write:2,unlinkat:1+ \
	mmap:5+,write:3+ ftruncate:1,unlinkat:1+; do
	faulty "$rule" 107 107 "$PROG/steady"
done
is "$problem" '' 'two failures at a time'

# Static.
mkdir lib && ln -s "$FAULTS/libmemmon-fault.a" lib/libmemmon.a
wrap=$(sed -n 's/^Libs.private: *//p' "$MEMMON_BUILD/memmon.pc")
# shellcheck disable=SC2086
if $CC -g -w -static "$MEMMON_SRC/tests/prog/steady.c" -o steady -Llib \
	-lmemmon $wrap -pthread 2>err; then
	FAULT_PRELOAD=
	# The totals contain libc's allocations at the start.
	check "${few[@]}" 107 120 ./steady
	! exhaustive || check "${few[@]}" 107 120 ./steady signal 15
	! exhaustive || check "${few[@]}" 107 120 ./steady child
	unset FAULT_PRELOAD
else
	ok 1 'links statically' || diag "$(cat err)"
fi

# C++: an exception through frames that allocate; forms of new.
cat >cxx.cc <<'C'
#include <cstdio>
#include <map>
#include <new>
#include <string>
#include <vector>
static int deep(int n)
{
	std::vector<std::string> v(3, std::string(40 + n, 'x'));
	if (n == 0)
		throw std::string("the end, long enough to be on the heap");
	return deep(n - 1) + (int)v.size();
}
struct alignas(64) wide { char c[64]; };
int main()
{
	std::map<int, std::string> m;
	for (int i = 0; i < 50; i++)
		m[i] = std::string(i, 'a');
	try { deep(10); } catch (const std::string &s) { std::puts(s.c_str()); }
	delete new wide;
	delete[] new (std::nothrow) int[7];
	try { volatile size_t n = (size_t)1 << 60; delete[] new char[n]; }
	catch (const std::bad_alloc &) { std::puts("bad_alloc"); }
	return m.size() == 50 ? 4 : 5;
}
C
if ! exhaustive; then
	: # in make check-all
elif command -v g++ >/dev/null && g++ -w -g cxx.cc -o cxx; then
	check "${few[@]}" 100 $many ./cxx
else
	skip 1 'no g++'
fi

# Accesses: the shadow, its clock, and code that counts.
if "$MEMMON_BUILD/memmon-cc" -g -w -O1 "$MEMMON_SRC/tests/prog/steady.c" \
	-o counted -pthread 2>err; then
	FAULT_LIB=$FAULTS/libmemmon-access-fault.so
	LD_LIBRARY_PATH=$MEMMON_BUILD
	export LD_LIBRARY_PATH
	check "${few[@]}" 107 107 ./counted
	! exhaustive || check "${few[@]}" 107 107 ./counted child
	! exhaustive || check "${few[@]}" 535 $many ./counted threads
	alone ./counted
	problem=
	faulty '' 107 107 ./counted
	is "$("$MPREDUCE" -i mon.out | grep -c '^ *way ')" 1 \
		'accesses are recorded'
	faulty clone:1 107 107 ./counted
	is "$fell$problem" 'clone 1' 'no clock thread'
	# mincore(2) reports that no page of a large heap is in memory.
	cat >kept.c <<'C'
#include <stdlib.h>
static char *p[50000];
int main(void)
{
	for (int i = 0; i < 50000; i++) {
		p[i] = malloc(100);
		p[i][5] = 1;
	}
	for (int i = 0; i < 1000; i++)
		free(p[i]);
	return 0;
}
C
	"$MEMMON_BUILD/memmon-cc" -g -w -O0 kept.c -o kept 2>/dev/null
	alone ./kept
	for rule in '' mincore:1+:short,sysinfo:1+ \
		mincore:1+; do
		problem=
		faulty "$rule" 50000 50000 ./kept
		is "$problem $("$MPREDUCE" -b --sql='select sum(write_only) from sites' \
			kept mon.out | tail -n 1 | tr -d ' ')" ' 50000' \
			"pages in swap, ${rule:-or not}: all blocks are there"
	done
else
	ok 1 'memmon-cc' || diag "$(cat err)"
fi

# The test covers all calls that can fail: each libc function that libmemmon
# calls can't fail, or is in libc.list, or is called for the program.
cat >safe <<'L'
_r_debug environ __environ __errno_location __libc_current_sigrtmax __libc_current_sigrtmin
__libc_single_threaded __libc_stack_end __stack_chk_fail __tls_get_addr bcmp
memcmp memcpy memset memmove memchr sigdelset sigfillset sigemptyset strchr strcmp strlen strnlen
strrchr strstr strtol strtoul __cxa_finalize __gmon_start__
_ITM_deregisterTMCloneTable _ITM_registerTMCloneTable
chdir close dl_iterate_phdr dup2 fork fstat open setsid
L
{
	cat safe
	sed 's/#.*//' "$MEMMON_SRC/tests/fault/libc.list"
	echo __register_atfork
} | tr -s ' ' '\n' | sort -u >known
is "$(nm -D --undefined-only "$MEMMON_BUILD/libmemmon.so" |
	awk '{ sub(/@.*/, "", $NF); print $NF }' | sort -u |
	comm -23 - known | tr '\n' ' ')" '' 'every call of libc can be made to fail'
is "$(nm "$MEMMON_BUILD"/libmemmon.so "$MEMMON_BUILD"/libmemmon-access.so \
	"$MEMMON_BUILD"/libmemmon.a | grep -c mmi_fault)" 0 \
	'nothing of this is in the libraries that are installed'
done_testing
