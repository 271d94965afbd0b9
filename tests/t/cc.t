#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# memmon-cc and memmon-c++ behave like the compilers that they call: output,
# exit status, odd arguments.  Also tests their additions.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
mm=$MEMMON_BUILD/memmon-cc
unset MEMMON_WAY MEMMON_CXX MEMMON_CC_QUIET
export MEMMON_CC=gcc LC_ALL=C
major=$(gcc -dumpversion) && major=${major%%.*}

cat >main.c <<'EOC'
#include <stdio.h>
#include <stdlib.h>
int add(volatile int *p);
int
main(void)
{
	int *p = calloc(4, sizeof(int)), n = 0;
	for (int i = 0; i < 1000; i++)
		n += add(p);
	printf("%d\n", n);
	free(p);
	return 0;
}
EOC
cat >add.c <<'EOC'
int add(volatile int *p);
int
add(volatile int *p)
{
	return *p = *p + 1;
}
EOC
cat >bad.c <<'EOC'
int main(void) { return nothing; }
EOC

# same NAME ARGUMENT...: gcc and memmon-cc have the same status and both
# outputs.
same()
{
	local name=$1 want
	shift
	gcc "$@" >gcc.out 2>gcc.err </dev/null
	want=$?
	MEMMON_CC_QUIET=1 "$mm" "$@" >mm.out 2>mm.err </dev/null
	is "$?" "$want" "$name: status"
	is_file mm.out gcc.out "$name: output"
	is_file mm.err gcc.err "$name: messages"
}

same "--version" --version
same "-dumpmachine" -dumpmachine
same "-dumpversion" -dumpversion
same "-print-prog-name" -print-prog-name=ld
same "-print-file-name" -print-file-name=libc.so
same "no arguments"
same "no input files" -O2
same "an unknown option" -no-such-option main.c
same "a missing file" -c missing.c
same "an error" -c bad.c -o bad.o
same "-E" -E -dD main.c
same "-M" -M main.c
same "-MM -MT" -MM -MT 'a b' main.c
same "-fsyntax-only" -fsyntax-only -Wall add.c
same "-E of standard input" -E -x c -
same "--help" --help

# accesses EXE: "READS WRITES" of its data file.
accesses()
{
	rm -f mon.out
	"./$1" >run.out 2>run.err || return
	"$MPREDUCE" "./$1" mon.out 2>/dev/null | sed -n \
		's/^accesses *\([0-9]*\) reads, \([0-9]*\) writes.*/\1 \2/p'
}

ways="calls"
[ ! -e "$MEMMON_BUILD/plugin/gcc-$major/memmon.so" ] ||
	ways="plugin calls"
for way in $ways; do
	export MEMMON_WAY=$way
	"$mm" -O2 -g main.c add.c -o prog 2>err
	is "$?:$(cat err)" "0:" "$way: compile and link in one command"
	is "$(accesses prog)" "1000 1000" "$way: ... counts"
	is "$(cat run.out)" 500500 "$way: ... the program does what it did"
	"$mm" -O2 -c main.c && "$mm" -c add.c -O2 &&
		"$mm" main.o add.o -o prog2 2>err
	is "$?:$(cat err)" "0:" "$way: compile, then link"
	is "$(accesses prog2)" "1000 1000" "$way: ... counts"
	gcc -O2 -c main.c -o plain.o && "$mm" plain.o add.o -o mixed
	is "$(accesses mixed)" "1000 1000" "$way: one object is plain"
	gcc -O2 -c add.c -o plainadd.o && "$mm" main.o plainadd.o -o mixed2
	is "$(accesses mixed2)" "0 0" "$way: the one that matters is plain"
	"$mm" -O2 -shared -fPIC -o libadd.so add.c
	ok $? "$way: a shared library"
	"$mm" -O2 main.c -o dyn -L. -ladd -Wl,-rpath,"$PWD"
	is "$(accesses dyn)" "1000 1000" "$way: ... counts"
	gcc -O2 -shared -fPIC -o libplain.so add.c
	"$mm" -O2 main.c -o dyn2 -L. -lplain -Wl,-rpath,"$PWD"
	is "$(accesses dyn2)" "0 0" "$way: a plain library"
	like "$(readelf -d dyn | grep NEEDED | head -n 1)" memmon-access \
		"$way: its malloc comes first"
	gcc main.o add.o -o without 2>err
	is "$?" 1 "$way: without the library it doesn't link"
	like "$(cat err)" '__link_with_lmemmon_access_v6|__tsan_' \
		"$way: ... and the linker names what is missing"
	gcc main.o add.o -L"$MEMMON_BUILD" -lmemmon-access \
		-Wl,-rpath,"$MEMMON_BUILD" -o by_hand
	is "$(accesses by_hand)" "1000 1000" "$way: -lmemmon-access by hand"

	mkdir -p "in a 'dir'"
	cp add.c "in a 'dir'/a b\$.c"
	"$mm" -O2 -g '-DX="a b"' main.c "in a 'dir'/a b\$.c" \
		-o "in a 'dir'/the prog"
	is "$(accesses "in a 'dir'/the prog")" "1000 1000" \
		"$way: names with blanks and quotes"
	printf '%s\n' -O2 '"main.c"' add.c -o resp >args
	"$mm" @args
	is "$(accesses resp)" "1000 1000" "$way: a response file"
	printf '%s\n' -O2 '"-c"' add.c -o resp.o >args
	"$mm" @args && ! readelf -d resp.o 2>/dev/null | grep -q NEEDED
	ok $? "$way: a response file with -c"
	printf '%s ' -O2 "'-DX=a -c'" '"-DY=\"\" -E"' main.c add.c -o resp >args
	rm -f resp
	"$mm" @args
	is "$(accesses resp)" "1000 1000" \
		"$way: blanks and quotes in a response file"
	"$mm" --compile add.c --output long.o && "$mm" main.c long.o -o long
	is "$(accesses long)" "1000 1000" "$way: long names of options"
	"$mm" -x c -O2 - -x none add.c -o stdin <main.c
	is "$(accesses stdin)" "1000 1000" "$way: standard input"
	"$mm" -O2 -S add.c -o add.s && "$mm" main.c add.s -O2 -o asm
	is "$(accesses asm)" "1000 1000" "$way: by -S"
	"$mm" -flto -O2 main.c add.c -o lto
	is "$(accesses lto)" "1000 1000" "$way: -flto"
	"$mm" -O2 -MMD -MF dep -c main.c && gcc -O2 -MMD -MF dep2 -c main.c
	is_file dep dep2 "$way: -MMD"
	"$mm" -O2 main.c -o no -Wl,-z,defs 2>/dev/null
	is "$?" 1 "$way: a link that fails has the linker's status"
	# In libtool's way for C++: the objects that -v shows, libraries by
	# name.
	seen=$("$mm" -shared -v add.c -o seen.so 2>&1 | grep collect2 |
		grep -oE '[^ ]*/(crt[a-zA-Z]*|calls)\.o')
	# shellcheck disable=SC2046 # several words
	"$mm" -O2 -fPIC -shared -nostdlib -Wl,-z,defs -o libown.so \
		$(echo "$seen" | grep -v '/crt[en]') add.c -l c -lgcc \
		$(echo "$seen" | grep '/crt[en]') 2>err
	is "$?:$(head -n 3 err)" "0:" "$way: -shared -nostdlib -lc"
	"$mm" -O2 main.c -o own -L. -lown -Wl,-rpath,"$PWD"
	is "$(accesses own)" "1000 1000" "$way: ... counts"
done
unset MEMMON_WAY

# Finds its library by a symbolic link, by PATH, and from any directory.
ln -s "$MEMMON_BUILD/memmon-cc" "a link"
./"a link" -O2 main.c add.c -o linked
is "$(accesses linked)" "1000 1000" "by a symbolic link"
(PATH=$MEMMON_BUILD:$PATH && memmon-cc -O2 main.c add.c -o linked)
is "$(accesses linked)" "1000 1000" "by PATH"
ln -s "$MEMMON_BUILD/memmon-cc" cc
(PATH=$PWD:$PATH && unset MEMMON_CC && cc main.c add.c -o x) 2>err
like "$(cat err)" 'set MEMMON_CC' "it doesn't call itself for ever"
rm cc

# ---------------------------------------------- what it can't record --

# plainly NAME MESSAGE ARGUMENT...: prints MESSAGE in one line, and compiles
# like plain gcc.
plainly()
{
	local name=$1 message=$2
	shift 2
	rm -f out.o
	"$mm" "$@" 2>err
	is "$?" 0 "$name: compiles"
	is "$(wc -l <err)" 1 "$name: one line"
	like "$(cat err)" "$message" "$name: says so"
	if [ -e out.o ]; then
		is "$(nm out.o | grep -E 'memmon|tsan')" "" "$name: is plain"
	fi
}

plainly "-ffreestanding" "aren't recorded: -ffreestanding" \
	-ffreestanding -c add.c -o out.o
echo 'void _start(void) { for (;;) ; }' >start.c
for arg in -nostdlib -nodefaultlibs\ -nostartfiles -nolibc\ -nostartfiles; do
	# shellcheck disable=SC2086 # several words
	plainly "$arg" "aren't recorded.* ${arg%% *}" $arg start.c -o out.o
done
"$mm" -r -nostdlib main.c add.c -o relocatable.o 2>err &&
	"$mm" relocatable.o -o from_relocatable
is "$(cat err)$(accesses from_relocatable)" "1000 1000" "-r -nostdlib: counts"
plainly "-static" "aren't recorded.*-static" -static -c add.c -o out.o
plainly "-fsanitize=address" "aren't recorded.*allocator of its own" \
	-fsanitize=undefined,address -c add.c -o out.o
if gcc -m32 -c add.c -o m32.o 2>/dev/null; then
	plainly "-m32" "aren't recorded: -m32" -m32 -c add.c -o out.o
fi
MEMMON_CC_QUIET=1 "$mm" -ffreestanding -c add.c 2>err
is "$(cat err)" "" "MEMMON_CC_QUIET=1"
for arg in -fsanitize=thread -ltsan; do
	"$mm" main.c add.c "$arg" -o x 2>err
	is "$?" 1 "$arg: refused"
	like "$(cat err)" "memmon-cc: $arg and memmon" "... with a reason"
done
"$mm" -fsanitize=thread -fno-sanitize=thread -O2 main.c add.c -o taken_back
is "$(accesses taken_back)" "1000 1000" "-fno-sanitize=thread takes it back"
"$mm" --sample=512K -c add.c 2>err
is "$?:$(cat err)" "1:memmon-cc: --sample=512K: use --sample here, and \
memmon --sample=512K when the program runs" '--sample takes no size'
"$mm" --sample -c main.c && "$mm" -c add.c && "$mm" main.o add.o -o mixed
is "$(accesses mixed)" "1000 1000" '--sample: one file of two'
MEMMON_WAY=other "$mm" -c add.c 2>err
is "$?" 1 "MEMMON_WAY: another word is an error"

# --------------------------------------------------------- the plugin --

copy=$T/copy
mkdir -p "$copy/plugin"
cp "$MEMMON_BUILD"/{memmon-cc,libmemmon-access.so} "$copy"
cp "$MEMMON_BUILD"/plugin/{calls.specs,calls.o,calls_fortify.h} "$copy/plugin"
ln -s libmemmon-access.so "$copy/libmemmon-access.so.0"
"$copy/memmon-cc" -O2 main.c add.c -o fallen 2>err
is "$(cat err)" "memmon-cc: no plugin for gcc $(gcc -dumpfullversion), using \
calls (slower)" "without the plugin it says what it does instead"
is "$(accesses fallen)" "1000 1000" "... and counts"
MEMMON_WAY=plugin "$copy/memmon-cc" -c add.c 2>err
is "$?" 1 "... and MEMMON_WAY=plugin is an error"
mkdir -p "$copy/plugin/gcc-$major"
echo >"$copy/plugin/gcc-$major/memmon.so"
echo "$major.99.9 (another one)" >"$copy/plugin/gcc-$major/version"
"$copy/memmon-cc" -O2 main.c add.c -o fallen 2>err
like "$(cat err)" "no plugin for gcc [0-9.]+ \(but one for $major.99.9\)" \
	"the plugin of another version isn't used"

# ------------------------------------------------------------- installed --

# Installed by make install, in another place than the build directory.
root="$T/a root/usr"
mkdir -p "$root"/{bin,lib/pkgconfig}
sed 's|@lib@|../lib|; s|@own@|../lib/memmon|' \
	"$MEMMON_SRC/monitor/launch/memmon-cc" >"$root/bin/memmon-cc"
chmod +x "$root/bin/memmon-cc"
cp -L "$MEMMON_BUILD"/libmemmon-access.so* "$root/lib"
cp -R "$MEMMON_BUILD/plugin" "$root/lib/memmon"
"$root/bin/memmon-cc" -O2 main.c add.c -o installed 2>err
is "$(accesses installed)" "1000 1000" "installed: counts"
MEMMON_WAY=calls "$root/bin/memmon-cc" -O2 main.c add.c -o installed
is "$(accesses installed)" "1000 1000" "installed: counts by calls"
like "$(readelf -d installed)" "RUNPATH.*$root/lib" \
	"installed: a run path, as the directory isn't the system's"
if command -v pkg-config >/dev/null; then
	pc=$MEMMON_BUILD/memmon-access.pc
	lib=$T/lib
	ln -s "$root/lib" "$lib" # blanks are too much for pkg-config
	for way in --cflags --variable=calls_cflags; do
		# shellcheck disable=SC2046 # several words
		gcc -O2 $(pkg-config --define-variable=libdir="$lib" $way "$pc") \
			main.c add.c -o pc -Wl,-rpath,"$lib" \
			$(pkg-config --define-variable=libdir="$lib" --libs "$pc")
		is "$(accesses pc)" "1000 1000" "pkg-config $way"
	done
else
	skip 2 "no pkg-config"
fi

rm "$copy/libmemmon-access.so"
"$copy/memmon-cc" -O2 main.c add.c -o fallen 2>err
is "$?:$(cat err)" "1:memmon-cc: $copy/.: libmemmon-access.so is missing; install memmon" \
	"without the library it doesn't start"

# Code after a loop of one block isn't counted in each round.
cat >again.c <<'EOC'
#include <stdlib.h>
int
main(int argc, char **argv)
{
	volatile long *p = malloc(16);

	(void)argv;
	p[0] = 0;
again:
	p[0] = p[0] + 1;
	if (p[0] < argc * 1000)
		goto again;
	return p[0] != 1000;
}
EOC
for way in $ways; do
	MEMMON_WAY=$way "$mm" -O2 again.c -o again
	is "$(accesses again)" "2001 1001" "$way: a loop and what is behind it"
done

# ------------------------------------------------------ other compilers --

cat >main.cc <<'EOC'
#include <vector>
#include <cstdio>
struct base { virtual ~base() {} volatile long n = 0; };
int
main()
{
	base *b = new base;
	for (int i = 0; i < 1000; i++)
		b->n = b->n + 1;
	std::printf("%ld\n", (long)b->n);
	delete b;
}
EOC
for cxx in g++ clang++; do
	if ! command -v $cxx >/dev/null; then
		skip 2 "no $cxx"
		continue
	fi
	MEMMON_CXX=$cxx MEMMON_WAY=calls "$MEMMON_BUILD/memmon-c++" -O2 \
		main.cc -o cxx
	ok $? "$cxx: compiles"
	# The program's accesses, and those of the object's constructor and
	# destructor, which depend on the compiler.
	like "$(accesses cxx)" '^100[0-9] 100[0-9]$' "$cxx: counts"
done

# If nothing of libstdc++ is used, it isn't in the program: new and delete are
# the monitor's own, also below memmon(1), which loads libmemmon first.
cat >alone.cc <<'EOC'
void *volatile kept;
int main()
{
	kept = new int[5];
	delete[] (int *)kept;
	kept = new int;
}
EOC
MEMMON_CC_QUIET=1 "$MEMMON_BUILD/memmon-c++" -g alone.cc -o alone
"$MEMMON" -q -o alone.mon ./alone
is "$? $("$MPREDUCE" --sql='select allocs, bytes, kept from totals' --export=csv \
	./alone alone.mon | tr -d '\r' | tail -n 1)" '0 2,24,4' \
	'new without the C++ library, by memmon(1)'

# What the program asks of memmon.h does the same below memmon(1).
cat >asks.c <<'EOC'
#include <memmon.h>
#include <stdio.h>
#include <stdlib.h>
static char *volatile lost, *volatile kept, room[4096], pool;
__attribute__((noinline)) static void *reports(size_t n)
{
	memmon_alloc(room, n);
	memmon_pool_alloc(&pool, room + 1024, n);
	return room;
}
__attribute__((noinline)) static void *wants(void) { return reports(100); }
int main(void)
{
	struct memmon_totals t;
	int r[6];

	kept = malloc(400);
	lost = malloc(1000);
	lost = NULL;
	r[0] = memmon_type(kept, "pixel", 4);
	r[1] = memmon_mark("half");
	r[2] = memmon_stop();
	free(malloc(77));
	r[3] = memmon_start();
	memmon_pool_create(&pool);
	wants();
	memmon_pool_realloc(&pool, room + 1024, room + 2048, 300);
	memmon_pool_free(&pool, room + 2048);
	memmon_pool_discard(&pool);
	memmon_pool_destroy(&pool);
	memmon_free(room);
	r[4] = (int)memmon_leak_check();
	r[5] = memmon_leak_ignore(kept);
	memmon_totals(&t);
	fprintf(stderr, "%d %d %d %d %d %d %d %d\n", r[0], r[1], r[2], r[3],
		r[4], r[5], (int)t.allocs, (int)t.frees);
	return memmon_dump_to("asked.mon") + memmon_graph();
}
EOC
MEMMON_CC_QUIET=1 "$mm" -g -O1 -I"$MEMMON_SRC/monitor" asks.c -o asks
# told FILE: the figures of its call paths, types and marks
told()
{
	"$MPREDUCE" --sql="select site, allocs, bytes, frees, kept, lost from sites
		union select name, mark, bytes, 0, kept, 0 from types
		union select name, allocs, bytes, frees, 0, 0 from marks" \
		--export=csv ./asks "$1" | tr -d '\r'
}
for by in '' "$MEMMON -q -o by.mon"; do
	rm -f asked.mon
	MEMMON_OUT=by.mon $by ./asks 2>"said${by:+.by}"
	ok $? 'memmon.h, by memmon-cc: all functions succeed'
	{ told by.mon && told asked.mon; } >"told${by:+.by}"
done
is "$(cat said)" '0 0 1 0 1 0 5 3' '... what they return'
like "$(paste -sd' ' told)" 'half,2,.* main > wants > reports,2,200,2,.* pixel,=,400,' \
	'... what they report'
is "$(cat said.by)" "$(cat said)" '... the same by memmon(1)'
is "$(cat told.by)" "$(cat told)" '... and the data files'
if command -v clang >/dev/null; then
	export MEMMON_CC="clang -O2"
	lmajor=$(clang -dumpversion | sed 's/[.].*//')
	ways=calls
	[ ! -e "$MEMMON_BUILD/plugin/clang-$lmajor/memmon.so" ] ||
		ways="plugin calls"
	for way in $ways; do
		export MEMMON_WAY=$way
		"$mm" -Werror main.c add.c -o cl 2>err
		is "$?:$(cat err)" "0:" "clang, $way, with an option in MEMMON_CC"
		is "$(accesses cl)" "1000 1000" "... counts"
		"$mm" -Werror -c main.c add.c &&
			"$mm" -Werror main.o add.o -o cl 2>err
		is "$?:$(cat err)" "0:" "clang, $way: compile, then link"
		is "$(accesses cl)" "1000 1000" "... counts"
		"$mm" -Werror --sample main.c add.c -o cl 2>err
		is "$?:$(cat err)" "0:" "clang, $way: --sample"
		is "$(accesses cl)" "1000 1000" "... counts"
		"$MPREDUCE" ./cl mon.out >page 2>/dev/null
		like "$(cat page)" "recorded \\($way\\)" "... in this way"
		MEMMON_CXX=clang++ "$MEMMON_BUILD/memmon-c++" -O2 -fPIE -pie \
			-fno-plt main.cc -o cxx
		like "$(accesses cxx)" '^100[0-9] 100[0-9]$' "clang++, $way: counts"
	done
	unset MEMMON_WAY
	"$mm" --target=riscv64-linux-gnu -c add.c -o riscv.o 2>err
	like "$(cat err)" "aren't recorded: riscv64" "clang for another machine"
	"$mm" --target=x86_64-linux-musl -c add.c -o musl.o 2>err
	like "$(cat err)" "aren't recorded: .* not for musl" "clang for musl"
	cp "$MEMMON_BUILD"/{memmon-cc,libmemmon-access.so} "$copy"
	"$copy/memmon-cc" -O2 main.c add.c -o fallen 2>err
	like "$(cat err)" "^memmon-cc: no plugin for clang [0-9.]+, using calls" \
		"clang without the plugin"
	is "$(accesses fallen)" "1000 1000" "... counts"
	MEMMON_WAY=plugin "$copy/memmon-cc" -c add.c 2>err
	is "$?" 1 "... and MEMMON_WAY=plugin is an error"
	mkdir -p "$copy/plugin/clang-$lmajor"
	echo >"$copy/plugin/clang-$lmajor/memmon.so"
	echo "$lmajor.99.9" >"$copy/plugin/clang-$lmajor/version"
	"$copy/memmon-cc" -O2 main.c add.c -o fallen 2>err
	like "$(cat err)" "for clang [0-9.]+ \\(but one for $lmajor.99.9\\)" \
		"... or with another's"
	if [ "$ways" != calls ] && command -v pkg-config >/dev/null; then
		# shellcheck disable=SC2046 # several words
		clang -O2 $(pkg-config --define-variable=libdir="$lib" \
			--variable=clang_cflags "$pc") main.c add.c -o pc \
			-Wl,-rpath,"$lib" $(pkg-config \
			--define-variable=libdir="$lib" --libs "$pc")
		is "$(accesses pc)" "1000 1000" "pkg-config --variable=clang_cflags"
	fi
fi

# ----------------------------------------------- a package, as it is built --

export MEMMON_CC=gcc
cat >configure <<'EOC'
#!/bin/sh
set -e
echo 'int main(void) { return 0; }' >conftest.c
$CC $CFLAGS -o conftest conftest.c && ./conftest
! echo 'int main(void) { return no; }' | $CC -x c -c - -o conftest.o 2>/dev/null
echo 'char no_such_function(void); int main(void) { return no_such_function(); }' >conftest.c
! $CC -o conftest conftest.c 2>/dev/null
case $($CC -E -dM -x c /dev/null) in *__SANITIZE*) exit 1;; esac
$CC -Wl,--version >/dev/null 2>&1
echo "CC=$CC" >config.mk
EOC
cat >Makefile <<'EOC'
include config.mk
CFLAGS = -O2 -g -Wall -Werror
pkg: main.o libadd.a
	$(CC) $(LDFLAGS) -o $@ main.o -L. -l:libadd.a
libadd.a: add.o
	ar rcs $@ add.o
%.o: %.c
	$(CC) $(CFLAGS) -MMD -c -o $@ $<
EOC
rm -f ./*.o
CC=$mm sh ./configure >log 2>&1
ok $? "configure" || diag "$(cat log)"
make -f Makefile >log 2>&1
ok $? "make" || diag "$(cat log)"
is "$(accesses pkg)" "1000 1000" "the package counts"
done_testing
