#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# F28: which blocks are lost, and which others keep blocks.  The shapes and the
# results for each are in tests/prog/leakshapes.c.  Where valgrind's memcheck
# and the leak sanitizer have the same definition, the test compares with them,
# too.
# shellcheck disable=SC2031
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

SHAPES=$PROG/leakshapes
LIBLEAK=$PROG/libleak.so
unset MEMMON_LEAKCHECK

# found FILE PROGRAM: the results of the check.
found()
{
	local names=${2##*/}.names
	[ -e "$names" ] || nm "$2" >"$names"
	perl "$MEMMON_SRC/tests/leaks.pl" "$@" "$names" 2>&1 |
		grep -v "$own_leaks"
}
own_leaks='^$' # what isn't the program's

# wanted FILE: the results to find, from the program's output.
wanted()
{
	sed -n 's/^want_\([a-z]*\)/want_\1 \1/p' "$1" | sort
	echo checked
}

# shape NAME COMMAND...: the check's result for a shape is the one that the
# shape prints.
shape()
{
	local name=$1 status file=m.out
	shift
	rm -f m.out*
	timeout "$HANG" "$@" >out 2>err
	status=$?
	[ "$status" -eq 0 ] || diag "$(cat err)" "status $status"
	case $name in *fork*) file=$(echo m.out.*) ;; esac
	is "$(found "$file" "$program")" "$(wanted out)" "F28: $name"
	is "$(grep 'no more' out)" '' "F28: $name: nobody wakes up"
}

# The shapes.  The command memmon runs each of them; with another library, see
# all().
alone='lost several static frame interior both end self ring ring-held tree
	tree-kept list tls thread-tls specific detached register vector below
	ended unjoined dropped thousand big-stacks reused main-ended sbrk freed tagged xor large fork own-stack ignored'
# One of each way in which the check finds a block, or doesn't.
some='lost frame interior ring tree-kept list tls thread-tls register ended
	big-stacks main-ended sbrk xor large fork own-stack'
# all NAME COMMAND...: all shapes; with another library, some of them.
all()
{
	local name=$1 s shapes=$alone
	shift
	[ -z "$name" ] || exhaustive || shapes=$some
	for s in $shapes; do
		shape "$name$s" "$@" "$s"
	done
	[ -z "$name" ] || exhaustive || return 0
	for s in read poll futex nanosleep sigwait spin; do
		shape "${name}on a stack, $s" "$@" on-stack "$s"
	done
	for s in private shared readonly; do
		shape "${name}mapped $s" "$@" mapped "$s"
	done
	for s in none mapped malloc; do
		shape "${name}sigaltstack $s" "$@" sigaltstack "$s"
		shape "${name}context $s" "$@" context "$s"
	done
}

program=$SHAPES
all '' "$MEMMON" -l -o m.out "$SHAPES"
for s in dynamic-tls dynamic-ended; do
	shape $s "$MEMMON" -l -o m.out "$SHAPES" $s "$LIBLEAK"
done
for s in _exit quick_exit; do
	shape "$s" "$MEMMON" -l -o m.out "$SHAPES" on-stack poll "$s"
done
for s in read poll futex sigwait; do
	shape "called while others are in $s" "$MEMMON" -o m.out "$SHAPES" \
		on-stack "$s" call
	is "$(tail -n 1 out)" 0 '... which says that none is lost'
done
# poll() goes on by restart_syscall(2) then.
for s in poll futex; do
	shape "called after a stop while others are in $s" \
		"$MEMMON" -o m.out "$SHAPES" on-stack "$s" stopped
done
shape 'called' "$MEMMON" -o m.out "$SHAPES" tree - call
is "$(tail -n 1 out)" 31 '... which says how many are lost'

# The file records a thread that can't be stopped.
rm -f m.out
timeout "$HANG" "$MEMMON" -l -o m.out "$SHAPES" blocking >out
is "$(found m.out "$SHAPES")" \
	$'want_reachable reachable 1 24\nblind 1\nchecked' \
	'F28: a thread that blocks all signals'

# No check.
timeout "$HANG" "$MEMMON" -l -o m.out "$SHAPES" lost - signal >out 2>&1
is "$(found m.out "$SHAPES")" 'why the program crashed, and its memory may be damaged' \
	'a fatal signal: no check'
"$MEMMON" -o m.out "$SHAPES" lost >out
is "$(found m.out "$SHAPES")" '' 'not asked for: no check'
MEMMON_LEAKCHECK=0 "$MEMMON" -o m.out "$SHAPES" lost >out
is "$(found m.out "$SHAPES")" '' 'MEMMON_LEAKCHECK=0: no check'
MEMMON_LEAKCHECK=1 "$MEMMON" -o m.out "$SHAPES" lost >out
is "$(found m.out "$SHAPES")" "$(wanted out)" 'MEMMON_LEAKCHECK=1: there is'

# Where the process can't be copied it is searched in itself.
cat >nofork.c <<'C'
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* No clone(2); threads are made by clone3(2). */
int
main(int argc, char **argv)
{
	struct sock_filter f[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog p = { 4, f };

	(void)argc;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, 2, &p) != 0)
		return 77;
	execv(argv[1], argv + 1);
	return 126;
}
C
if "$CC" -o nofork nofork.c && ./nofork /bin/true; then
	for s in several tree-kept interior large thread-tls register; do
		shape "no copy, $s" ./nofork "$MEMMON" -l -o m.out "$SHAPES" "$s"
	done
	timeout "$HANG" ./nofork "$MEMMON" -l -o m.out "$SHAPES" blocking >out
	like "$(found m.out "$SHAPES")" "^why the process can't be copied" \
		'no copy, nor all threads stopped: no check'
else
	skip 13 'no seccomp filters'
fi

# The program sees nothing of the check: no child, no signal, no descriptor.
cat >seen.c <<'C'
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

extern long memmon_leak_check(void) __attribute__((weak));
static volatile sig_atomic_t children;

static void
on_child(int sig)
{
	(void)sig;
	children++;
}

int
main(void)
{
	sigset_t before, after;
	int fd, other, p[2];
	char c;

	signal(SIGCHLD, on_child);
	if (pipe(p) != 0)
		return 1;
	fd = open("/dev/null", O_RDONLY);
	close(fd);
	sigprocmask(SIG_SETMASK, NULL, &before);
	errno = 99;
	printf("%ld", memmon_leak_check());
	printf(" errno %d", errno);
	sigprocmask(SIG_SETMASK, NULL, &after);
	other = open("/dev/null", O_RDONLY);
	printf(" fd %d", other - fd);
	printf(" wait %d", wait(NULL));
	printf(" %d", errno == ECHILD);
	close(p[1]);
	printf(" pipe %zd", read(p[0], &c, 1));
	for (int i = 1; i < 65; i++)
		if (sigismember(&before, i) != sigismember(&after, i))
			printf(" mask %d", i);
	printf(" children %d\n", children);
	return 0;
}
C
"$CC" -o seen seen.c
is "$("$MEMMON" -o m.out ./seen)" \
	'0 errno 99 fd 0 wait -1 1 pipe 0 children 0' \
	'the program sees nothing of a check'

# Recording accesses.
if "$MEMMON_BUILD/memmon-cc" -std=gnu11 -O0 -g -I"$MEMMON_SRC" \
	-o access "$MEMMON_SRC/tests/prog/leakshapes.c" -pthread -ldl 2>err; then
	program=$T/access
	export MEMMON_LEAKCHECK=1 MEMMON_OUT=m.out
	export LD_LIBRARY_PATH=$MEMMON_BUILD
	all 'accesses, ' ./access
	unset MEMMON_LEAKCHECK MEMMON_OUT LD_LIBRARY_PATH
else
	diag "$(cat err)"
	ok 1 'accesses: compiled'
fi

# In a static program.
program=$T/static
if "$CC" -std=gnu11 -O0 -g -w -I"$MEMMON_SRC" -static -o static \
	"$MEMMON_SRC/tests/prog/leakshapes.c" -L"$MEMMON_BUILD" \
	-Wl,--eh-frame-hdr -Wl,-u,memmon_version \
	$(sed 's/#.*//; s/^./-Wl,--wrap=&/' "$MEMMON_SRC/monitor/wrap.list") \
	-lmemmon -pthread 2>err; then
	export MEMMON_LEAKCHECK=1 MEMMON_OUT=m.out
	all 'static, ' ./static
	unset MEMMON_LEAKCHECK MEMMON_OUT
else
	skip 1 'no static libc'
fi

# Other allocators: their own records are in no block.  One of them loses one.
program=$SHAPES
own_leaks='^other lost 1 8$'
for a in jemalloc.so.2 mimalloc.so.2 tcmalloc_minimal.so.4; do
	so=$(ldconfig -p 2>/dev/null | sed -n "s/.*lib$a .*=> //p" | head -n 1)
	if [ -z "$so" ]; then
		skip 10 "no lib$a"
		continue
	fi
	for s in lost several interior tree large; do
		shape "${a%%.*}, $s" env "LD_PRELOAD=$so" "$MEMMON" -l \
			-o m.out "$SHAPES" "$s"
	done
done

own_leaks='^$'

# The bytes that lost blocks hold, by their path: as the program says, and as
# memcheck reports them.
cat >holds.c <<'C'
#include <stdlib.h>

struct node {
	struct node *next, *prev, *more;
};

static struct node *
list(int n)
{
	struct node *first = NULL, *x;

	while (n-- > 0) {
		x = calloc(1, 40);
		x->next = first;
		first = x;
	}
	return first;
}

static struct node *
tree(int depth)
{
	struct node *x = calloc(1, 56);

	if (depth) {
		x->next = tree(depth - 1);
		x->more = tree(depth - 1);
	}
	return x;
}

struct node *
lists(int n)
{
	struct node *x = calloc(1, 24);

	x->next = list(n);
	x->more = n & 1 ? x->next : NULL;
	return x;
}

struct node *
trees(int depth)
{
	struct node *x = calloc(1, 32), *y = calloc(1, 48);

	x->next = tree(depth);
	x->more = y;
	y->prev = x->next;
	return x;
}

struct node *kept;

__attribute__((noinline)) void
all(void)
{
	for (int i = 0; i < 7; i++)
		lists(3 * i);
	for (int i = 0; i < 5; i++)
		trees(i);
	lists(0);
	kept = lists(100);
	kept->prev = trees(6);
}

int
main(void)
{
	volatile char over[8192];

	all();
	for (int i = 0; i < 8192; i++)
		over[i] = 0;
	return 0;
}
C
"$CC" -g -O0 -o holds holds.c
timeout "$HANG" "$MEMMON" -l -o m.out ./holds
"$MEMMON_BUILD/mpreduce" --sql='SELECT function AS func, sum(lost_blocks) AS b, sum(lost) AS l,
	sum(holds_blocks) AS hb, sum(holds) AS h FROM sites WHERE lost_blocks > 0
	GROUP BY function ORDER BY function' --export=csv ./holds m.out |
	tr -d '\r' >got
printf 'func,b,l,hb,h\nlists,8,192,63,2520\ntrees,5,160,62,3432\n' >want
is_file got want 'what lost blocks hold'
"$MEMMON_BUILD/mpreduce" -s ./holds m.out m.out 2>err
"$MEMMON_BUILD/mpreduce" --sql='SELECT sum(holds_blocks) AS hb, sum(holds) AS h,
	sum(indirect) AS i FROM sites' --export=csv ./holds mon.sum |
	tr -d '\r' >got
printf 'hb,h,i\n250,11904,11904\n' >want
is_file got want '... and in a sum'
"$MEMMON_BUILD/mpreduce" --summary ./holds m.out >got
like "$(cat got)" '3\.51 KB 56%  5 \+ 62 held  trees \(holds\.c:[0-9]+\)' \
	'... and in the summary'
if command -v valgrind >/dev/null; then
	timeout "$HANG" valgrind --leak-check=full --num-callers=3 \
		--log-file=v.out ./holds
	perl -ne '$i = $2 =~ tr/,//dr if
		/([\d,]+) direct, ([\d,]+) indirect\) bytes in .* definitely/;
		$sum{$1} += $i, $i = 0 if / by .*: (lists|trees) /;
		END { print "$_ $sum{$_}\n" for sort keys %sum }' v.out >got
	printf 'lists 2520\ntrees 3432\n' >want
	is_file got want '... as memcheck has it'
else
	skip 1 'no valgrind'
fi

# After many resets blocks from before them are still known, to look into.
cat >old.c <<'C'
#include <stdlib.h>

extern int memmon_reset(void) __attribute__((weak));

struct node {
	struct node *next;
	void *held;
};

static struct node *all;

/* Blocks of many sizes come and go, and some stay. */
static void
round_of(int n)
{
	struct node *x;

	for (size_t i = 0; i < 300; i++)
		free(malloc(i * 8 + (size_t)n % 7));
	x = malloc(sizeof(*x) + (size_t)(n % 50) * 16);
	x->held = NULL;
	x->next = all;
	all = x;
}

int
main(void)
{
	struct node *x;
	int n = 0;

	for (; n < 400; n++) {
		round_of(n);
		if (memmon_reset)
			memmon_reset();
	}
	/* Only they lead to these; every fourth goes, and what it held is lost. */
	for (x = all; x; x = x->next)
		x->held = malloc(40);
	for (x = all; x && x->next; x = x->next)
		if (--n % 4 == 0) {
			struct node *gone = x->next;

			x->next = gone->next;
			gone->held = NULL;
			gone->next = NULL;
			free(gone);
		}
	return 0;
}
C
"$CC" -g -O0 -o old old.c
timeout "$HANG" "$MEMMON" -l -o m.out ./old
"$MEMMON_BUILD/mpreduce" -i m.out >old.info
is "$(sed -n 's/^ *\([0-9]*\)  \(frees unmatched\|blocks lost\|blocks reachable\)$/\1 \2/p' old.info)" \
	"$(printf '80 frees unmatched\n80 blocks lost\n320 blocks reachable')" \
	'blocks from before resets lead to others'
own=$(total m.out "monitor's bytes")
# A chunk of cells stays for each round's block: 12 KiB.
ok $((own > (400 * 12 + 1024) << 10)) "... in $own bytes of the monitor's"

# Results of other tools.  These are not compared: blocks that only memmon calls
# lost (a stack of a thread that has ended) or reachable (the result of a thread
# that can be joined), and pointers that memcheck has seen undefined.
# memcheck SHAPE...: lines as those of wanted()
memcheck()
{
	timeout "$HANG" valgrind --leak-check=full --show-leak-kinds=all \
		--num-callers=4 --leak-check-heuristics=none --log-file=v.out \
		"$SHAPES" "$@" >out 2>&1
	perl -ne '
		if (/ ([\d,]+) (?:\(([\d,]+) direct.*\) )?bytes in ([\d,]+) blocks are (\w+ \w+) in/) {
			($bytes, $blocks, $kind) = ($2 || $1, $3, $4);
			tr/,//d for $bytes, $blocks;
		}
		if (defined $kind && / by .*: (want_\w+) /) {
			my $f = $1;
			$kind =~ s/definitely lost/lost/;
			$kind =~ s/indirectly lost/indirect/;
			$kind =~ s/possibly lost/interior/;
			$kind =~ s/still reachable/reachable/;
			$n{"$f $kind"}[0] += $blocks;
			$n{"$f $kind"}[1] += $bytes;
			undef $kind;
		}
		END { print "$_ $n{$_}[0] $n{$_}[1]\n" for sort keys %n }' v.out
}
if command -v valgrind >/dev/null; then
	shapes='interior tree-kept thread-tls xor'
	! exhaustive || shapes='lost static interior end self tree tree-kept tls
		thread-tls freed tagged xor large dropped thousand reused sbrk'
	for s in $shapes; do
		got=$(memcheck $s)
		is "$got" "$(wanted out | grep -v checked)" "memcheck: $s"
	done
	got=$(memcheck on-stack poll)
	is "$got" "$(wanted out | grep -v checked)" "memcheck: on a stack"
else
	skip 5 'no valgrind'
fi

# lsan SHAPE...: "blocks bytes" that it calls leaked, directly or not.
lsan()
{
	LSAN_OPTIONS=exitcode=0 timeout "$HANG" ./lsan "$@" 2>&1 >out |
		sed -n 's/.*SUMMARY.* \([0-9]*\) byte(s) leaked in \([0-9]*\) .*/\2 \1/p'
}
if "$CC" -std=gnu11 -O0 -g -w -I"$MEMMON_SRC" -fsanitize=leak -o lsan \
	"$MEMMON_SRC/tests/prog/leakshapes.c" -pthread -ldl 2>err &&
	[ "$(lsan lost)" = '1 24' ]; then
	for s in lost static interior end ring tree tree-kept tls thread-tls \
		specific detached register ended freed tagged xor \
		dropped thousand reused; do
		got=$(lsan $s)
		is "${got:-0 0}" "$(awk '/want_lost|want_indirect/ {
			n += $2; b += $3 } END { print n + 0, b + 0 }' out)" \
			"the leak sanitizer: $s"
	done
else
	skip 19 'the leak sanitizer is not there, or cannot run here'
fi
done_testing
