#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Forked children start again at 0: counts, the peak, threads
# (tests/prog/family.c).
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/figures.sh"

# near NAME GOT WANT: to the slack.
near()
{
	local d=$(($2 - $3))
	ok $((${d#-} > $(sum peak_slack))) \
		"$1: $2 is $3 give or take $(sum peak_slack)"
}

for way in '' thread; do
	rm -f m.out*
	# shellcheck disable=SC2086
	"$MEMMON" -o m.out "$PROG/family" $way
	ls m.out.* >files 2>/dev/null
	is "$(wc -l <files)" 2 "F02: family $way: a file for each of two children"
	for f in m.out $(cat files); do
		json "$f" "$PROG/family"
		case "$(self parent allocs) $(self kid allocs)" in
		'50 0') who=parent p=$f ;;
		'0 39') who=child c=$f ;;
		'0 5') who=grandchild g=$f ;;
		*) who=nobody ;;
		esac
		echo "$who" >>found
	done
	is "$(sort found | tr '\n' ' ')" 'child grandchild parent ' 'each its own'
	rm found

	json "$p" "$PROG/family"
	is "$(self parent frees) $(sum inherited)" '30 0' 'the parent'
	near 'its peak' "$(self parent peak)" 50000
	# The error is at most the bytes allocated at the same time.
	is "$(sum peak_slack)" $((${#way} ? 17000 : 0)) 'exactly, with one thread'
	is "$(sum reused) $(sum unseen)" '0 0' 'no free is missed'
	json "$c" "$PROG/family"
	is "$(self kid allocs) $(self kid bytes) $(self kid frees) $(self kid freed)" \
		'39 6656 37 6056' 'the child'
	is "$(self resized allocs) $(self resized bytes) $(self resized frees)" \
		'1 400 1' 'what it resized of the parent is its own'
	is "$(life resized moved) $(sum reallocs)" '0 0' \
		'and not known to have been another block'
	is "$(sum inherited)" 11 "frees of the parent's"
	near 'its peak' "$(sum peak)" 6000
	near 'who held it' "$(self kid peak)" 6000
	[ "$way" ] || is "$(sum peak) $(self kid peak) $(sum peak_blocks)" \
		'6000 6000 30' 'exactly, before it had a second thread'
	is "$(sum threads) $(thread nephew)" '2 1 7 56 7 56 0' 'its threads'
	is "$(life kid near) $(life kid temps)" '23 8' 'soon freed'
	is "$(figures threads main | grep -c true)" 1 \
		'one of them is the main thread'
	json "$g" "$PROG/family"
	is "$(totals "$g") $(sum inherited)" '5 200 0 0 2' 'the grandchild'
	is "$(sum peak) $(self kid peak) $(sum kept)" '200 200 200' \
		'its peak, which is the end'
	name=family
	[ -z "$way" ] || name=aunt
	is "$(sum threads) $(thread $name)" '1 1 5 200 0 0 0' 'its one thread'
done

# Children forked while another thread is in dlopen() or dlclose().
cat >plug.c <<'C'
int plug(void) { return 1; }
C
cat >amid.c <<'C'
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int stop;
static void *load(void *unused)
{
	while (!__atomic_load_n(&stop, __ATOMIC_SEQ_CST)) {
		void *p = dlopen("./plug.so", RTLD_NOW);
		if (p)
			dlclose(p);
	}
	return unused;
}
int main(void)
{
	int bad = 0, status;
	pthread_t t;
	pthread_create(&t, NULL, load, NULL);
	for (int i = 0; i < 100; i++) {
		pid_t pid = fork();
		if (!pid) {
			free(malloc(10));
			_exit(7);
		}
		waitpid(pid, &status, 0);
		bad += status != 7 << 8;
	}
	__atomic_store_n(&stop, 1, __ATOMIC_SEQ_CST);
	pthread_join(t, NULL);
	printf("%d\n", bad);
	return 0;
}
C
"$CC" -shared -fPIC -o plug.so plug.c && "$CC" -O0 -o amid amid.c -ldl -lpthread
is "$(timeout "$HANG" "$MEMMON" -q -o amid.mon ./amid)" 0 \
	'children of a fork amid dlopen() end as they do alone'
rm -f amid.mon*
is "$(timeout "$HANG" "$MEMMON" -q -l --every=50ms -o amid.mon ./amid)" 0 \
	'... with leak checks and snapshots'
done_testing
