#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Libraries that were deleted or replaced, that are in memory only (memfd), or
# that were loaded by a relative path.  Functions that they export have names;
# all functions have names if the process may open files that it has mapped.
# For the rest a message says why they lack names, with the build-id.  A copy of
# the file in --debug-dir, by any name, gives all names.
. "${MEMMON_SRC:-.}/tests/tap.sh"

memmon="$MEMMON_BUILD/memmon"
mpreduce="$MEMMON_BUILD/mpreduce"

cat >lib.c <<'EOF'
#include <stdlib.h>
static __attribute__((noinline)) void *inner(size_t n)
{
	char *p = malloc(n);

	if (p)
		*p = 1;
	return p;
}
void *made(size_t n)
{
	char *p = inner(n);

	if (p)
		p[1] = 1;
	return p;
}
EOF
cat >p.c <<'EOF'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static void put(const char *from, int to)
{
	static char b[1000000];
	ssize_t n = read(open(from, O_RDONLY), b, sizeof(b));

	if (n <= 0 || write(to, b, (size_t)n) != n)
		exit(2);
}
int main(int c, char **v)
{
	const char *path = c > 2 ? v[2] : "./gone.so";
	char to[64];
	void *h;
	void *(*f)(size_t);
	int fd;

	if (!strcmp(v[1], "memfd")) {
		fd = memfd_create("plug", 0);
		put("lib.so", fd);
		snprintf(to, sizeof(to), "/proc/self/fd/%d", fd);
		path = to;
	} else {
		put("lib.so", open(path, O_CREAT | O_TRUNC | O_WRONLY, 0700));
	}
	h = dlopen(path, RTLD_NOW);
	if (!h)
		return 3;
	if (!strcmp(v[1], "unlink") || !strcmp(v[1], "replace"))
		unlink(path);
	if (!strcmp(v[1], "replace"))
		put("other.so", open(path, O_CREAT | O_TRUNC | O_WRONLY, 0700));
	f = (void *(*)(size_t))dlsym(h, "made");
	for (int i = 0; i < 10; i++)
		if (!f(1000))
			return 4;
	return 0;
}
EOF
# inner() calls nothing that the compiler could make a jump.
$CC -g -O0 -fPIC -shared -Wl,--build-id lib.c -o lib.so &&
	sed 's/made/mode/; s/n)$/n )/' lib.c >other.c &&
	$CC -g -O0 -fPIC -shared -Wl,--build-id other.c -o other.so &&
	$CC -g -O0 p.c -o p -ldl || skip_all "no compiler for it"
id=$(readelf -n lib.so | sed -n 's/.*Build ID: //p')
[ -n "$id" ] || skip_all "no build-ids"

# path ARG...: the call path of the 10 blocks, and messages in err.
path()
{
	"$mpreduce" -L -b "$@" 2>err | sed -n 's/^ *10000 .*main > //p'
}

# names NAME FILE WORDS: exported functions have names; a message has WORDS.
names()
{
	is "$(path ./p "$2" | sed 's/\[[^]]*+0x[0-9a-f]*\]/[inner]/')" \
		'made > [inner]' "$1: what it exports has its name" || cat err >&2
	like "$(cat err)" "$3.*come from the data file, without lines.*--debug-dir=DIR.*$id" \
		"$1: the rest is told of"
}

# As a user who may not open files by /proc/self/map_files; root may.
user=
[ "$(id -u)" != 0 ] || user='setpriv --bounding-set=-sys_admin,-checkpoint_restore'
run() { $user "$memmon" -q -o "$1.mon" ./p "${@:2}" || diag "$1: $?"; }
run relative unlink
run absolute unlink "$T/away.so"
run memfd memfd
run replaced replace "$T/new.so"
names "deleted, by a relative path" relative.mon 'deleted or replaced while the program ran'
names "deleted" absolute.mon 'away.so: was deleted or replaced while'
names "in memory" memfd.mon 'memfd:plug: was in memory only'
names "replaced by another build" replaced.mon 'new.so: was deleted or replaced while'
path ./p replaced.mon >out
! grep -q mode out
ok $? "no name is another build's"

# Root's process opens the deleted file at the end, and has all names of it.
if [ -n "$user" ] && ls -L /proc/$$/map_files/* >/dev/null 2>&1; then
	user='' run full unlink
	is "$(path ./p full.mon)" 'made > inner' \
		'deleted: static functions have names if root ran it'
	user='' run full memfd memfd
	is "$(path ./p full.mon)" 'made > inner' 'in memory: they have'
	strip lib.so -o bare.so && mv lib.so whole.so && cp bare.so lib.so
	user='' run bare unlink
	mv whole.so lib.so
	is "$(path ./p bare.mon | sed 's/\[[^]]*+0x[0-9a-f]*\]/[inner]/')" \
		'made > [inner]' 'without a full table, what it exports'
else
	skip 3 'files of mappings may not be opened'
fi

# A killed process leaves no names: mpreduce says so.
cat >killed.c <<'EOF'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <unistd.h>
int main(void)
{
	void *h = dlopen("./gone.so", RTLD_NOW);
	void *(*f)(unsigned long) = (void *(*)(unsigned long))dlsym(h, "made");
	unlink("gone.so");
	for (int i = 0; i < 10; i++)
		f(1000);
	raise(SIGKILL);
}
EOF
cp lib.so gone.so
$CC -g -O0 killed.c -o killed -ldl && { "$memmon" -q -o killed.mon ./killed; } 2>/dev/null
like "$(path ./killed killed.mon)" '^\[gone.so[+]0x[0-9a-f]*\] > ' \
	'killed: no function of it has a name'
like "$(cat err)" "gone.so: .*its functions have no names.*--debug-dir=DIR.*$id" \
	'... which is said'
is "$(cp lib.so copy.so; mkdir -p back; mv copy.so back; path --debug-dir=back ./killed killed.mon)" \
	'made > inner' '... and a copy gives them'

# A descriptor of mpreduce isn't the program's descriptor of the same number.
exec 4<other.so 5<other.so 6<other.so
path ./p memfd.mon >out
! grep -q 'mode\|another build-id' out err
ok $? "and no file of another process"
exec 4<&- 5<&- 6<&-

# ------------------------------------------- copies of it are elsewhere --
mkdir -p some/.build-id/"${id:0:2}" full stripped debug/.build-id/"${id:0:2}"
cp lib.so "some/.build-id/${id:0:2}/${id:2}"
cp lib.so full/whatever.copy
objcopy --only-keep-debug lib.so "debug/.build-id/${id:0:2}/${id:2}.debug"
cp lib.so stripped/x && strip stripped/x
for f in relative absolute memfd replaced; do
	for d in some full debug full/; do
		is "$(path --debug-dir=$d ./p $f.mon)" "made > inner" \
			"$f: --debug-dir=$d"
	done
	is "$(cd full && path --debug-dir=. ../p ../$f.mon)" "made > inner" \
		"$f: --debug-dir=. in that"
	like "$(path --debug-dir=stripped ./p $f.mon)" '^made > ' "$f: a stripped copy"
done

# ---------------------------------------------------- another directory --
run there stay
cp gone.so kept.so
mkdir -p elsewhere
is "$(cd elsewhere && path ../p ../there.mon)" "made > inner" \
	"a relative path is of the directory that the program ran in"
is "$(cd / && path "$T/p" "$T/there.mon")" "made > inner" "from anywhere"
rm -f gone.so
path ./p there.mon >out
like "$(cat err)" "gone.so: can't be opened: No such file.*build-id $id" \
	"one that went away afterwards"
"$mpreduce" -s -o sum.mon there.mon relative.mon 2>/dev/null
"$mpreduce" -L -b ./p sum.mon 2>/dev/null >out
like "$(cat out)" ' 20000 .*> made > ' "names are in a sum, too"

# Two builds of one path in one sum.
cp lib.so saved.so && cp other.so lib.so && sed 's/"made"/"mode"/' p.c >q.c &&
	$CC -g -O0 q.c -o q -ldl && "$memmon" -q -o other.mon ./q unlink
"$mpreduce" -s -o two.mon relative.mon other.mon 2>/dev/null
"$mpreduce" -L -b --verbose two.mon 2>/dev/null | grep -o 'made\|mode' | sort -u | tr '\n' ' ' >two
is "$(cat two)" "made mode " "each build has its own names"
done_testing
