#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# F28: leak checks know their limits.  Memory that isn't as /proc says is
# searched, or counted; each view prints the same, the time of the check, and
# the reason if no check was done.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/attach.sh"
P=$PROG/leaklimits

# ask FILE COLUMNS: figures of totals, with blanks between.
ask()
{
	"$MPREDUCE" --sql="SELECT $2 FROM totals" --export=csv "$P" "$1" \
		2>/dev/null | tr -d '\r' | sed -n '2{s/,/ /g;p}'
}

# found HOW [OPTION...]: "lost reachable unsearched", in blocks and places.
found()
{
	local how=$1
	shift
	rm -f m.out
	timeout "$HANG" "$MEMMON" -q "${@:--l}" -o m.out "$P" "$how" >out 2>&1
	case $? in
	0) ask m.out lost_blocks,reachable_blocks,unsearched_blocks ;;
	77) echo 77 ;;
	*) echo "status $?: $(cat out)" ;;
	esac
}

# is_found WANT HOW [OPTION...]
is_found()
{
	local want=$1 got
	shift
	got=$(found "$@")
	if [ "$got" = 77 ]; then
		skip 1 "$1: not with this kernel"
	else
		is "$got" "$want" "$*"
	fi
}

for how in plain guard guard-stack truncated secret keyed protected \
	dontfork wiped waits waits-fork sparse no-fork; do
	is_found '1 1 0' $how
done
for how in block block-guard block-protected block-dontfork; do
	is_found '1 2 0' $how
done
# glibc's own blocks for 50 threads are reachable, too.
got=$(found threads)
[ "$got" = 77 ] || got="${got%% *} ${got##* }"
like "$got" '^(1 0|77)$' threads

# Pointers of other forms: a line in the table, and options that count them.
is_found '71 11 0' packed
like "$("$MPREDUCE" -L "$P" m.out)" \
	'leak check: 70 lost blocks have pointers to them at odd addresses' \
	'... which the table says'
is_found '81 1 0' tagged
like "$("$MPREDUCE" -L "$P" m.out)" \
	'leak check: 80 lost blocks have pointers to them with other bits set' \
	'... which the table says'
is_found '1 81 0' packed --leak-check=unaligned
is_found '1 81 0' tagged --leak-check=tagged
is_found '1 81 0' packed --leak-check=9,unaligned,tagged
is_found '1 1 0' plain --leak-check=unaligned,tagged
is "$("$MPREDUCE" -L "$P" m.out | grep -c 'leak check:')" 0 'no line without'
"$MEMMON" --leak-check=untagged "$P" >out 2>&1
is $? 125 'another word is refused'

# The check counts the memory that it has no room to save, as not searched.
cat >large.c <<'C'
#include <stdlib.h>
#include <sys/mman.h>

int
main(void)
{
	size_t size = 80ul << 20;
	void **p = mmap(NULL, size, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (size_t i = 0; i < size / sizeof(*p); i += 512)
		p[i] = p;
	p[0] = malloc(10);
	p[(size - 4096) / sizeof(*p)] = malloc(20);
	return madvise(p, size, MADV_DONTFORK);
}
C
"$CC" -g -O0 -o large large.c
"$MEMMON" -q -l -o m.out ./large
P=./large
is "$(ask m.out 'unsearched, unsearched_blocks, lost')" '16777216 1 20' \
	'memory that could not be searched'
text='(16777216|16\.0M) bytes of memory in 1 place could not be searched'
for view in -L --summary --prolog; do
	like "$("$MPREDUCE" $view ./large m.out | tr -s ' \n' ' ')" "$text" \
		"... $view says it"
done
like "$("$MPREDUCE" --json ./large m.out)" \
	'"leak_unsearched":16777216,"leak_unsearched_places":1' '... and JSON'
"$MPREDUCE" -L --fail-if='lost>0' ./large m.out >out 2>err
is $? 3 '... and --fail-if'
like "$(cat err)" "$text" '... in its message'
"$MPREDUCE" -s m.out m.out
is "$(ask mon.sum 'unsearched,unsearched_blocks')" '33554432 2' '... in a sum'
P=$PROG/leaklimits

# The last block that was lost before the check is found.
is "$("$MEMMON" -q -o m.out "$P" plain call)" 1 'the last one lost is found'
is "$(ask m.out lost_blocks)" 1 '... and is in the file'

# The check counts blocks that only variables of the functions that called
# exit() lead to: by a pointer to their start, by one to their inside, and the
# blocks that these lead to.  Blocks that another root leads to as well don't
# count.
cat >held.c <<'C'
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *volatile global;

static __attribute__((noinline)) void
end(const char *how, void **held, char *inside)
{
	if (!strcmp(how, "exit"))
		exit(held == (void *)inside);
	if (!strcmp(how, "quick_exit"))
		quick_exit(held == (void *)inside);
	_exit(held == (void *)inside);
}

int
main(int argc, char **argv)
{
	void **volatile held = malloc(100);
	char *volatile inside = (char *)malloc(200) + 8;
	void **volatile both = malloc(400);

	held[1] = malloc(10);
	((void **)inside)[1] = malloc(20);
	both[1] = malloc(40);
	/* The environment is on the stack, too, but not in a frame. */
	if (putenv(strcpy(malloc(1000), "HELD=2")))
		return 1;
	if (argc > 2) {
		global = (char *)both + 8;
		end(argv[1], held, inside);
	}
	free(held[1]);
	free(held);
	free(((void **)inside)[1]);
	free(inside - 8);
	free(both[1]);
	free(both);
	return 0;
}
C
"$CC" -g -O0 -o held held.c
P=./held
text='4 blocks, 330 bytes in all, are reachable only from the first '
text+="thread's stack: variables of main(), or old values"
for how in exit _exit quick_exit; do
	HELD=1 "$MEMMON" -q -l -o m.out ./held $how now
	is "$(ask m.out lost,reachable,interior)" '0 1550 220' "$how"
	like "$("$MPREDUCE" -L ./held m.out | tr -s ' \n' ' ')" \
		"${text//[()]/.}" '... and what only its frames hold'
done
HELD=1 "$MEMMON" -q -l -o m.out ./held return
is "$("$MPREDUCE" -L ./held m.out | grep -c 'reachable only from')" 0 \
	'no line of a program whose main() has returned'

# Lists are lost in functions that have returned before main() calls exit().
# The functions of libc do not overwrite all that they left on the stack.
cat >stale.c <<'C'
#include <stdlib.h>
#include <string.h>
struct node { struct node *next; char data[50]; };
static __attribute__((noinline)) struct node *
build(int n)
{
	struct node *head = NULL;
	for (int i = 0; i < n; i++) {
		struct node *x = malloc(sizeof *x);
		x->next = head;
		memset(x->data, i, sizeof x->data);
		head = x;
	}
	return head;
}
static __attribute__((noinline)) int
use(int n)
{
	struct node *volatile head = build(n);
	int sum = 0;
	for (struct node *x = head; x; x = x->next)
		sum += x->data[3];
	return sum;
}
static __attribute__((noinline)) int
deep(int n)
{
	volatile char room[200];
	room[0] = n;
	return n ? deep(n - 1) + room[0] : use(100);
}
int
main(void)
{
	int sum = 0;
	for (int i = 0; i < 10; i++)
		sum += deep(i);
	exit(sum & 0);
}
C
for level in 0 1 2 3; do
	$CC -g -O$level -w -o stale stale.c
	"$MEMMON" -q -l -o m.out ./stale
	P=./stale
	echo "$(ask m.out lost_blocks,indirect_blocks,reachable)"
done >got
is "$(sort -u got)" '10 990 0' 'no value below the caller of exit() counts ...'
cat >saved.c <<'C'
#include <stdlib.h>
#ifdef __x86_64__
#define REGISTER "rbx"
#else
#define REGISTER "x19"
#endif
int
main(void)
{
	register void *held __asm__(REGISTER) = malloc(100);
	__asm__ volatile("" : "+r"(held));
	exit(0);
}
C
$CC -g -O1 -o saved saved.c
"$MEMMON" -q -l -o m.out ./saved
P=./saved
is "$(ask m.out lost,reachable)" '0 100' '... except a register of the caller'
P=./held

# Old values remain on the stack after main() has returned.
cat >old.c <<'C'
#include <stdlib.h>

int
main(int argc, char **argv)
{
	void *volatile old[64];

	for (int i = 0; i < 64; i++)
		old[i] = i ? old[0] : malloc(50);
	if (argc > 1)
		exit(*argv[1] - '0');
	return 0;
}
C
"$CC" -g -O0 -o old old.c
"$MEMMON" -q -l -o m.out ./old
is "$(ask m.out lost,reachable,interior)" '50 0 0' \
	'old values of a main() that has returned hold nothing'
"$MEMMON" -q -l -o m.out ./old 0
is "$(ask m.out lost,reachable,interior)" '0 50 0' '... but its variables do'
P=$PROG/leaklimits

# A failed check doesn't leave an older result as the present one.
cat >stale.c <<'C'
#include <stdio.h>
#include <stdlib.h>

extern long memmon_leak_check(void) __attribute__((weak));

int
main(void)
{
	void *volatile lost;

	printf("%ld\n", memmon_leak_check ? memmon_leak_check() : -1);
	fflush(stdout);
	for (int i = 0; i < 100; i++)
		lost = malloc(1000);
	lost = NULL;
	abort();
}
C
"$CC" -g -O0 -o stale stale.c
(ulimit -c 0; exec "$MEMMON" -q -l -o m.out ./stale) >out 2>/dev/null
is "$(cat out)" 0 'nothing is lost at first'
for view in -L --summary --prolog; do
	like "$("$MPREDUCE" $view ./stale m.out | tr -s ' \n' ' ')" \
		'no later check could be made: the program crashed' \
		"$view: the result is an older one"
done
"$MPREDUCE" -L --fail-if='lost>0' ./stale m.out >out 2>err
is $? 3 '--fail-if: what is lost at the end is not known'
like "$(cat err)" 'lost is unknown: the program crashed' '... which it says'

# none WHY ARGUMENT: the check didn't run, and each view says why.
none()
{
	local why=$1 view
	shift
	rm -f m.out
	(ulimit -c 0; exec timeout "$HANG" "$MEMMON" -q -l -o m.out "$P" \
		plain "$@") >out 2>&1
	for view in -L --summary --prolog --json; do
		like "$("$MPREDUCE" $view "$P" m.out | tr -s ' \n' ' ')" \
			"$why" "$*: $view says why"
	done
	is "$("$MPREDUCE" --summary "$P" m.out | grep -c 'memmon -l')" 0 \
		"... and doesn't ask for what was asked for"
}
none 'the program was killed, or ended without exit' 9
none 'the program was killed, or ended without exit' raw
like "$("$MPREDUCE" --prolog=marks "$P" m.out)" 'Which marks the program set is not known' \
	'marks are not known either'
none 'the program crashed' 11

# Signals that ask a program to end have a check.
for sig in 15 2; do
	timeout "$HANG" "$MEMMON" -q -l -o m.out "$P" plain "$sig" >out 2>&1
	is $? $((128 + sig)) "signal $sig: the status"
	is "$(ask m.out lost_blocks,reachable_blocks)" '1 1' '... and a check'
done

# While it runs: files of a signal and of memmon -p.
rm -f m.out*
mkfifo fifo
LD_PRELOAD=$LIBMEMMON MEMMON_LEAKCHECK=1 MEMMON_SIGNAL=USR2 MEMMON_OUT=m.out \
	"$P" plain wait >fifo &
pid=$!
read -r _ <fifo
kill -USR2 $pid
for _ in $(seq $((HANG * 50))); do
	[ ! -e m.out.$pid.1 ] || break
	sleep 0.02
done
is "$(ask m.out.$pid.1 lost_blocks,reachable_blocks)" '1 1' \
	'a file that a signal asked for has a check'
kill $pid 2>/dev/null
wait 2>/dev/null

cat >serve.c <<'C'
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void *kept[100];

/* As soon as there is a file "begin"; then it waits. */
int
main(void)
{
	void **old = calloc(1, sizeof(*old));
	void *volatile lost;

	puts("ready");
	fflush(stdout);
	while (access("begin", F_OK) != 0)
		usleep(2000);
	for (unsigned i = 0; i < 1000; i++) {
		lost = malloc(200);
		lost = NULL;
		if (i % 100 == 50) {
			free(kept[i / 100 % 100]);
			kept[i / 100 % 100] = malloc(300);
			free(*old);
			*old = malloc(400);
		}
	}
	close(creat("done", 0666));
	for (;;)
		pause();
	return lost != NULL;
}
C
"$CC" -g -O0 -o serve serve.c
./serve >fifo &
victim=$!
read -r _ <fifo
if may_attach; then
	attach -l -o att.out
	: >begin
	until [ -e done ]; do sleep 0.02; done
	detach
	status=$?
	P=./serve
	is "$status $(ask att.out 'lost_blocks > 20, lost % 200, reachable > 0')" \
		'0 1 0 1' 'memmon -l -p: what was allocated since'
	like "$("$MPREDUCE" -L ./serve att.out)" \
		'leak check: some blocks were not recorded' \
		'... and that older blocks are not known'
else
	skip 2 'ptrace is not allowed here'
fi
kill $victim
wait 2>/dev/null

# A reset drops the result of a check, and so does attaching again.
cat >anew.c <<'C'
#define MEMMON_WEAK
#include <memmon.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void *volatile lost;

int
main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < 1000; i++)
		lost = malloc(100);
	lost = NULL;
	if (argc == 1) {
		printf("%ld\n", memmon_leak_check());
		memmon_reset();
	}
	if (argc > 1 && write(1, "ready\n", 6) != 6)
		return 1;
	for (int i = 0; argc > 1 || i < 10; i++) {
		lost = malloc(100);
		if (argc > 1)
			usleep(1000);
	}
	return 0;
}
C
"$CC" -g -O0 -I"$MEMMON_SRC/monitor" -o anew anew.c
# unchecked FILE TEXT: its run had no check, and the gate doesn't pass.
unchecked()
{
	"$MPREDUCE" -L --fail-if='lost>0' ./anew "$1" >out 2>err
	is "$? $(grep -c 'Leak check' out)" "3 0" "$2: no check, and the gate is shut"
	is "$(cat err)" \
		"mpreduce: --fail-if=lost>0: lost is unknown: the run had no leak check" \
		"$2: nothing else is said"
}
is "$("$MEMMON" -q -o m.out ./anew)" 1000 'a check before a reset'
unchecked m.out 'after a reset'
./anew run >said &
pid=$!
until_said said ready
if may_attach; then
	"$MEMMON" -p $pid -l --for=100ms -o first.mon >out 2>&1
	"$MEMMON" -p $pid --for=100ms -o second.mon >out 2>&1
	like "$("$MPREDUCE" -L ./anew first.mon 2>&1)" 'Leak check, ' 'attached with a check'
	unchecked second.mon 'attached again without'
else
	skip 3 'ptrace is not allowed here'
fi
kill $pid

# GLib's slices.
if pkg-config --exists glib-2.0 2>/dev/null; then
	cat >slices.c <<'C'
#include <glib.h>

int
main(void)
{
	for (int i = 0; i < 100; i++)
		g_ptr_array_add(g_ptr_array_new(), g_strdup("--"));
	return 0;
}
C
	# shellcheck disable=SC2046
	"$CC" -g -O0 -o slices slices.c $(pkg-config --cflags --libs glib-2.0)
	"$MEMMON" -q -l -o m.out ./slices
	if "$MPREDUCE" -q ./slices m.out 2>/dev/null | grep -q g_slice_alloc; then
		like "$("$MPREDUCE" -L ./slices m.out 2>/dev/null)" \
			'leak check: GLib .* G_SLICE=always-malloc' \
			"GLib's slices: what to do"
	else
		skip 1 'this GLib has no slices'
	fi
else
	skip 1 'no GLib'
fi
done_testing
