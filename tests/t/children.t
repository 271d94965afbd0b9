#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs that a recorded one starts, and into which the library can't be
# loaded: for them nothing changes, however they are started.  Other programs
# are recorded.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

cat >hi.c <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	const char *p = getenv("LD_PRELOAD"), *other = getenv("OTHER");
	free(malloc(1000));
	printf("hi %d %s %s\n", argc, p ? p : "none", other ? other : "");
	return argc + (argv[0] == NULL);
}
C
cat >start.c <<'C'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
static char *program, *name;
static int status;
static void said(const char *how)
{
	dprintf(1, "%s: %x\n", how, status);
}
static int memfd(void)
{
	int from = open(program, O_RDONLY), to = memfd_create("program", 0);
	char b[65536];
	ssize_t n;
	while ((n = read(from, b, sizeof(b))) > 0)
		if (write(to, b, n) != n)
			exit(9);
	close(from);
	return to;
}
#define FORKED(how, call) \
	do { \
		pid_t p = fork(); \
		if (p == 0) { \
			call; \
			_exit(99); \
		} \
		waitpid(p, &status, 0); \
		said(how); \
	} while (0)
int main(int c, char **v)
{
	char *args[] = { "shown", NULL }, *two[] = { "shown", "2", NULL };
	char *lean[] = { "OTHER=1", NULL }, command[4096];
	posix_spawn_file_actions_t a;
	pid_t p;
	FILE *f;

	program = v[c - 1];
	name = strrchr(program, '/') + 1;
	FORKED("execv", execv(program, args));
	FORKED("execve", execve(program, two, environ));
	FORKED("lean", execve(program, two, lean));
	FORKED("none", execve(program, two, NULL));
	FORKED("execl", execl(program, "x", "y", "z", NULL));
	FORKED("execlp", execlp(name, "x", "y", "z", NULL));
	FORKED("execvp", execvp(name, args));
	FORKED("execvpe", execvpe(name, args, environ));
	FORKED("fexecve", fexecve(open(program, O_RDONLY | O_CLOEXEC), args,
				  environ));
	FORKED("path", fexecve(open(program, O_PATH | O_CLOEXEC), args,
			       environ));
	FORKED("memfd", fexecve(memfd(), args, environ));
	FORKED("execveat", execveat(AT_FDCWD, program, args, environ, 0));
	FORKED("syscall", syscall(SYS_execve, program, args, environ));
	FORKED("not there", execvp("/not/there", args));
	p = vfork();
	if (p == 0) {
		execv(program, args);
		_exit(99);
	}
	waitpid(p, &status, 0);
	said("vfork");
	if (posix_spawn(&p, program, NULL, NULL, two, environ) == 0)
		waitpid(p, &status, 0);
	said("posix_spawn");
	posix_spawn_file_actions_init(&a);
	posix_spawn_file_actions_addopen(&a, 5, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addchdir_np(&a, "bin");
	snprintf(command, sizeof(command), "./%s", name);
	if (posix_spawn(&p, command, &a, NULL, args, environ) == 0)
		waitpid(p, &status, 0);
	said("file actions");
	posix_spawn_file_actions_destroy(&a);
	if (posix_spawnp(&p, name, NULL, NULL, args, environ) == 0)
		waitpid(p, &status, 0);
	said("posix_spawnp");
	fflush(stdout);
	status = system(program);
	said("system");
	f = popen(program, "r");
	while (f && fgets(command, sizeof(command), f))
		dprintf(1, "popen %s", command);
	status = f ? pclose(f) : -1;
	said("popen");
	snprintf(command, sizeof(command), "bin/script-%s", name);
	FORKED("script", execl(command, command, NULL));
	return 0;
}
C
mkdir bin
export PATH=$T/bin:$PATH
$CC -w -O1 start.c -o start && $CC hi.c -o bin/hi-own

# build NAME COMMAND...: a program of a kind, if it can be made and runs alone.
kinds=
build()
{
	local name=$1
	shift
	if "$@" hi.c -o "bin/hi-$name" 2>log && "bin/hi-$name" >log 2>&1; [ $? = 1 ]
	then
		kinds="$kinds $name"
		printf '#! %s\n' "$T/bin/hi-$name" >"bin/script-hi-$name"
		chmod +x "bin/script-hi-$name"
	else
		skip 1 "no programs of the kind $name"
	fi
}
build musl musl-gcc
build 32 gcc -m32
build static "$CC" -static
build pie "$CC" -static-pie
build asan "$CC" -fsanitize=address

# An old glibc, as far as a program can tell: this one, with other versions.
mkdir old
loader=$($CC -print-file-name=ld-linux-x86-64.so.2)
if [ -e "$loader" ]; then
	sed 's/ release version 2[.]../ release version 2.31/' "$loader" >old/ld-linux.so
	sed 's/GLIBC_2[.]33/GLIBC_2.xx/g' "$($CC -print-file-name=libc.so.6)" \
		>old/libc.so.6
	chmod +x old/*
fi
build old "$CC" -Wl,--dynamic-linker="$T/old/ld-linux.so" -Wl,-rpath,"$T/old" \
	-Wl,--disable-new-dtags

run()
{
	"$@" >got 2>&1
	echo "status $?" >>got
}
for kind in $kinds; do
	run ./start "$T/bin/hi-$kind"
	mv got want
	ok "$(grep -c '^hi' want | grep -qx 19; echo $?)" \
		"hi-$kind runs alone in all ways"
	for option in -q --no-children --follow=start; do
		run "$MEMMON" $option ./start "$T/bin/hi-$kind"
		is "$(cat got)" "$(cat want)" "... and with memmon $option as alone"
		rm -f mon.out*
	done
done

# With more variables than the frame of the hook has room to copy.
for kind in $kinds; do
	for i in {1..1500}; do
		export "V$i=$i"
	done
	run sh -c "$T/bin/hi-$kind; :"
	mv got want
	run "$MEMMON" -q sh -c "$T/bin/hi-$kind; :"
	is "$(cat got)" "$(cat want)" "hi-$kind with a large environment"
	for i in {1..1500}; do
		unset "V$i"
	done
	break
done

# The launcher refuses a program that it can't be loaded into, with its reason.
# refused KIND TEXT
refused()
{
	case " $kinds " in
	*" $1 "*) ;;
	*) return ;;
	esac
	"$MEMMON" "bin/hi-$1" >out 2>err
	is "$?.$(cat out)" 125. "hi-$1 is refused"
	like "$(cat err)" "$2" "... with the reason"
}
refused musl 'linked with musl'
refused 32 'is not an .* program'
refused static 'statically linked'
refused asan 'built with a sanitizer'
refused old 'is run by glibc 2.31 .*needs glibc 2.3[0-9] or later'
if [ -e old/ld-linux.so ]; then
	# Loaders before 2.33 didn't print their release.
	sed -i 's/ release version /_________________/' old/ld-linux.so
	refused old 'is run by a glibc .* too old'
fi
head -c 100 /bin/true >bin/hi-short
chmod +x bin/hi-short
kinds="$kinds short" refused short 'is truncated or damaged'
accepted=$(printf '#include "monitor/base/program.h"\nMMI_PROGRAM_GLIBC\n' |
	$CC -E -P -I"$MEMMON_SRC" - | sed -n '$s/u$//p')
needed=$(readelf -VW "$LIBMEMMON" | sed '1,/needs section/d' |
	grep -o 'Name: GLIBC_2[.][0-9]*' | sed 's/.*[.]//' | sort -n | tail -n 1)
ok "$((needed > accepted))" \
	"no function is of a glibc after 2.$accepted, the oldest that is accepted"

# Programs that it can be loaded into are recorded, also behind a program that
# isn't recorded.
rm -f mon.out*
"$MEMMON" -q ./start "$T/bin/hi-own" >out
ok "$(($(ls mon.out.* | wc -l) < 19))" "programs that it can be loaded into are recorded"
rm -f mon.out*
"$MEMMON" -q --follow=hi-own sh -c "sh -c '$T/bin/hi-own; :'; :" >out
is "$(ls mon.out* | wc -l)" 2 "... by way of one that is left out"
cat >wrap.c <<'C'
#include <unistd.h>
int main(int argc, char **argv)
{
	return execv(argv[argc - 1], argv + argc - 1);
}
C
if $CC -static wrap.c -o wrap 2>/dev/null; then
	rm -f mon.out*
	"$MEMMON" -q sh -c "./wrap -x 1 $T/bin/hi-own; :" >out
	is "$(ls mon.out* | wc -l)" 2 "... or of a static one with its path"
	for kind in $kinds; do
		run "$MEMMON" -q sh -c "./wrap $T/bin/hi-$kind; :"
		is "$(tr -d '\n' <got)" "hi 1 none status 0" "... which doesn't harm hi-$kind"
	done
fi
rm -f mon.out*
LD_PRELOAD=libm.so.6 "$MEMMON" -q --no-children ./start "$T/bin/hi-own" >out
is "$(awk '$1 == "hi" { print $3 }' out | sort | uniq -c | tr -s ' ')" \
	" 16 libm.so.6
 2 none" "what the user preloads stays"

# The recorded process continues as another program, which writes no file.
if [[ $kinds = *static* ]] && command -v script >/dev/null; then
	rm -f mon.out*
	on_terminal "$MEMMON sh -c 'exec bin/hi-static'"
	like "$(cat seen)" "memmon: .*mpreduce.* mon.out.[0-9]*[.][a-z]*" \
		"the file that the first program has left is named"
	is "$(grep -c "isn't there" seen)" 0 "... and nobody misses another one"
	is "$(ls mon.out* | wc -l)" 1 "... nor is there another one"
fi
done_testing
