#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Names, lines and inlined frames of one program in every form of programs and
# debug information: each must give the same results as the plain build.
. "${MEMMON_SRC:-.}/tests/tap.sh"
D=$MEMMON_BUILD/tests/symdump
for tool in objdump objcopy strip readelf; do
	command -v $tool >/dev/null || skip_all "no $tool"
done

# Calls in five functions; two of them exist only inlined, in two levels.
cat >one.c <<'EOF1'
#include <stdlib.h>
struct node { struct node *next; int n; };
void *volatile sink;
static inline __attribute__((always_inline)) void *inner(size_t n)
{
	return malloc(n + 1);
}
static inline __attribute__((always_inline)) void *outer(size_t n)
{
	void *p = inner(n + 2);

	sink = p;
	return p;
}
int part(int n);
__attribute__((noinline)) static int plain(int n)
{
	sink = malloc((size_t)n);
	return sink != NULL;
}
int main(int argc, char **argv)
{
	struct node *l = outer((size_t)argc);
	int i;

	for (i = 0; i < argc; i++)
		l = outer(sizeof(*l));
	l->n = plain(argc) + part(argc);
	return argv == sink && l->n;
}
EOF1
cat >two.c <<'EOF1'
#include <stdlib.h>
extern void *volatile sink;
static inline __attribute__((always_inline)) void *deep(int n)
{
	return calloc((size_t)n, 3);
}
int part(int n);
__attribute__((noinline)) int part(int n)
{
	sink = deep(n);
	if (n > 3)
		sink = deep(n + 1);
	return sink == NULL;
}
EOF1

# dump FILE ADDRESSES-OF OPTION...: the frames at the calls in the functions,
# one line each: name, place of the call, place of the definition; sorted.  The
# addresses come from another file, which has all names.
dump()
{
	local file=$1 names=$2
	shift 2
	objdump -d --no-show-raw-insn "$names" | awk '
		/^[0-9a-f]+ </ { in_f = $2 ~ /^<(main|plain|part)(\.|>)/; next }
		/^ *[0-9a-f]+:/ { if (after) print substr($1, 1, length($1) - 1)
				  after = in_f && $2 ~ /^call/ }' >at
	timeout "$HANG" "$D" "$@" "$file" <at | sed -n '/^0x/!p' |
		cut -f 1,2,4 | sort -u
}

# same FILE NAMES-OF NAME OPTION...
same()
{
	local file=$1 names=$2 name=$3
	shift 3
	dump "$file" "$names" "$@" >got
	is_file got want "$cc: $name"
}

# build NAME FLAGS...: compiles into NAME, or skips the tests that follow.
build()
{
	local out=$1
	shift
	"$cc" -O2 -g -Wl,--build-id "$@" -o "$out" one.c two.c 2>log && return
	skip 1 "$cc: ${*}: can't be linked"
	return 1
}

# id FILE: its build-id as a path.
id()
{
	readelf -n "$1" | sed -n 's/.*Build ID: \(..\)\(.*\)/\1\/\2/p'
}

shapes()
{
	local flags what
	build plain || return
	dump plain plain >want
	is "$(awk -F '\t' '{ sub(/.*\//, "", $2); print $1 "\t" $2 }' \
		want)" "$(cat <<-'EOF1'
		   main	one.c:23
		   main	one.c:27
		   main	one.c:28
		   part	two.c:10
		   part	two.c:12
		   plain	one.c:18
		+  deep	two.c:5
		+  inner	one.c:6
		+  outer	one.c:10
		EOF1
	)" "$cc: the plain build is as the source is"
	while read -r flags; do
		# shellcheck disable=SC2086
		build shape $flags && same shape shape "$flags"
	done < <(sed "s/^+ $cc:/+ /; t; s/^+ [a-z]*://" <<-'E2' | some
		-fPIE -pie
		+ clang:-fno-pie -no-pie
		+ clang:-static
		+ clang:-static-pie
		-gdwarf-4
		+ gcc:-gdwarf-5
		-flto
		-flto -fuse-ld=lld
		+ clang:-ffunction-sections -Wl,--gc-sections
		+ clang:-fdebug-types-section
		-gz=zlib
		+ clang:-gz=zlib-gnu
	E2
	)
	cp plain packed
	if objcopy --compress-debug-sections=zstd packed 2>log; then
		same packed plain "compressed by zstd"
	else
		skip 1 "objcopy: no zstd"
	fi
	apart
	split -gdwarf-4
	split -gdwarf-5
	split '-gdwarf-4 -fdebug-types-section'
	split '-gdwarf-5 -fdebug-types-section'
	stripped
	shared
}

# Debug information in another file, in any place.
apart()
{
	local how path
	path=$(id plain)
	strip -o bare plain
	objcopy --only-keep-debug plain bare.debug
	cp bare linked
	objcopy --add-gnu-debuglink=bare.debug linked
	same linked plain "debug link, beside it"
	mkdir -p .debug "mirror$T" flat "by-id/.build-id/${path%/*}" root/usr/bin
	mv bare.debug .debug
	same linked plain "debug link, in .debug"
	mv .debug/bare.debug "mirror$T"
	same linked plain "debug link, the whole path in --debug-dir" -D mirror
	mv "mirror$T/bare.debug" flat
	same linked plain "debug link, right in --debug-dir" -D mirror -D flat
	[ "$(dump linked plain | grep -c inner)" = 0 ]
	ok $? "$cc: and not elsewhere"
	mv flat/bare.debug "by-id/.build-id/$path.debug"
	same bare plain "build-id, in --debug-dir" -D by-id
	mv by-id by:id
	same bare plain "build-id, in --debug-dir, with a colon" -D by:id
	mv by:id by-id
	mkfifo bare.debug
	same linked plain "build-id, a pipe as the debug link" -D by-id
	timeout "$HANG" "$D" linked 0 >out
	is $? 0 "$cc: a pipe as the debug link: it isn't waited for"
	rm bare.debug

	# A sysroot has all of it.
	mkdir -p "root/usr/lib/debug/.build-id/${path%/*}" \
		root/usr/lib/debug/usr/bin
	cp "by-id/.build-id/$path.debug" "root/usr/lib/debug/.build-id/$path.debug"
	same bare plain "build-id, below the sysroot" -S root
	mv "root/usr/lib/debug/.build-id/$path.debug" \
		root/usr/lib/debug/usr/bin/bare.debug
	cp linked root/usr/bin/bare
	same root/usr/bin/bare plain "debug link, below the sysroot" -S root/

	for how in zlib zlib-gnu zstd; do
		cp "by-id/.build-id/$path.debug" packed
		if ! objcopy --compress-debug-sections=$how packed 2>log; then
			skip 1 "objcopy: no $how"
			continue
		fi
		cp packed "root/usr/lib/debug/.build-id/$path.debug"
		same bare plain "build-id, compressed by $how" -S root
	done
	rm -r root by-id flat mirror .debug
}

# split VERSION: units in files of their own, which the test moves.
split()
{
	local dwp llvm
	rm -rf obj away gone
	mkdir obj away gone
	# shellcheck disable=SC2086
	if ! "$cc" -O2 -g -gsplit-dwarf $1 -c -o obj/one.o one.c 2>log ||
	   ! "$cc" -O2 -g -gsplit-dwarf $1 -c -o obj/two.o two.c 2>log ||
	   ! "$cc" -o apart obj/one.o obj/two.o 2>log; then
		skip 1 "$cc: no split debug information"
		return
	fi
	same apart apart "split $1"
	llvm=$(compgen -c llvm-dwp | sort | head -n 1)
	for dwp in dwp $llvm; do
		rm -f apart.dwp
		# Some can't cope with DWARF 5: they die, or go on for ever.
		if ! bash -c "ulimit -t 5; $dwp -e apart -o apart.dwp; exit \$?" \
			>log 2>&1 || ! [ -s apart.dwp ]; then
			rm -f apart.dwp
			continue
		fi
		mv obj/*.dwo away
		same apart apart "split $1, packed by $dwp"
		mv apart.dwp gone
		same apart apart "split $1, packed by $dwp, in --debug-dir" \
			-D gone
		is "$(timeout "$HANG" "$D" -t -D gone apart -- 16 |
			sed -n 's/^16:.*\(struct \)\{0,1\}node.*/node/p')" \
			node "$cc: split $1, packed by $dwp: types"
		mv away/*.dwo obj
	done
	mv obj/*.dwo away
	same apart apart "split $1, in --debug-dir" -D away
	mkdir -p "root$T"
	cp -r away "root$T/obj"
	same apart apart "split $1, below the sysroot" -S root
	rm -r root
	# Without these files the program still has names, and the lines from
	# units that exist.
	like "$(dump apart apart)" 'main	' "$cc: split $1, gone: names"
	like "$("$D" -p apart 0 | tail -n 1)" \
		"^problem: debug information of 2 of its units is missing, " \
		"$cc: split $1, gone: says so"
	mkfifo obj/one.dwo
	like "$(dump apart apart)" 'main	' "$cc: split $1, a pipe there: names"
	cp away/one.dwo obj/two.dwo
	rm obj/one.dwo
	like "$(dump apart apart -D obj)" 'main	' \
		"$cc: split $1, another's there: names"
}

# Less and less is left.
stripped()
{
	build whole -rdynamic || return
	strip -o dynamic whole
	is "$(dump dynamic whole | cut -f 1 | grep -v '?')" \
		"$(printf '   main\n   part')" "$cc: dynamic symbols"
	strip -o bare plain
	# All calls of one function belong to one function, whose start has its
	# name.
	is "$(dump bare plain | cut -f 1 | sort)" "$(nm plain | awk '
		$3 ~ /^(main|plain|part)$/ { sub(/^0+/, "", $1)
			print " ? [bare+0x" $1 "]" }' | sort)" \
		"$cc: no symbols: functions by .eh_frame"
	if ! command -v xz >/dev/null; then
		skip 1 "no xz"
		return
	fi
	nm -D whole --format=posix --defined-only | awk '{ print $1 }' |
		sort >dynamic.names
	nm whole --format=posix --defined-only |
		awk '$2 ~ /^[Tt]$/ { print $1 }' | sort >all.names
	comm -13 dynamic.names all.names >keep
	objcopy --only-keep-debug whole mini
	objcopy -S --remove-section .gdb_index --remove-section .comment \
		--keep-symbols=keep mini
	rm -f mini.xz
	xz mini
	objcopy --add-section .gnu_debugdata=mini.xz dynamic
	is "$(dump dynamic whole | cut -f 1)" \
		"$(printf '   main\n   part\n   plain')" "$cc: packed symbols"
	like "$("$D" -p dynamic 1 | tail -n 1)" "^problem: no debug inform" \
		"$cc: packed symbols: what is missing"
}

# The same as a library.
shared()
{
	build lib.so -shared -fPIC && same lib.so lib.so "a library"
}

compilers=gcc
! exhaustive || compilers='gcc clang'
for cc in $compilers; do
	if command -v $cc >/dev/null; then
		shapes
	else
		skip 1 "no $cc"
	fi
done

# ------------------------------------------------------------------ dwz --

cc=$CC
build plain -gdwarf-4
dump plain plain >want
if command -v dwz >/dev/null; then
	cp plain single
	# dwz finds little to do in so small a program.
	dwz -L none -l none single 2>log
	same single plain "dwz"
	cp plain first
	build second -gdwarf-4 -DX
	rm -rf common
	mkdir -p common/.dwz byid moved
	dwz -L none -l none -m common/.dwz/both.debug first second 2>log
	if readelf -S first | grep -q gnu_debugaltlink; then
		same first plain "dwz, a common file"
		same second second "dwz, a common file, the other"
		mv common/.dwz moved
		same first plain "dwz, a common file in --debug-dir" -D moved
		path=$(id moved/.dwz/both.debug)
		mkdir -p "byid/.build-id/${path%/*}"
		mv moved/.dwz/both.debug "byid/.build-id/$path.debug"
		same first plain "dwz, a common file by its build-id" -D byid
	else
		skip 4 "dwz makes no common file"
	fi
else
	skip 5 "no dwz"
fi

# ----------------------------------------------------------- gone, other --

build plain
dump plain plain >want
path=$(id plain)
hex=${path/\//}
at=$(dump plain plain >/dev/null; head -n 1 at)
mkdir -p "kept/.build-id/${path%/*}"
objcopy --only-keep-debug plain "kept/.build-id/$path.debug"
same /nonexistent/plain plain "gone: by its debug file" -D kept -b "$hex"
like "$("$D" -p -D kept -b "$hex" /nonexistent/plain "$at" | tail -n 1)" \
	"^problem: no longer exists; names come from kept/" "gone: says so"
like "$("$D" -p -b "$hex" /nonexistent/plain "$at" | tail -n 1)" \
	"^severe: can't be opened" "gone: no debug file"
build other -DOTHER=1 -fno-inline -O1
same other plain "upgraded: by the debug file of the one that ran" -D kept \
	-b "$hex"
like "$("$D" -p -D kept -b "$hex" other "$at" | tail -n 1)" \
	"^problem: has another build-id .*; names come from kept/" \
	"upgraded: says so"
like "$("$D" -p -b "$hex" other "$at")" \
	"\[other\+0x.*severe: has another build-id .*--debug-dir" \
	"upgraded: no names without it"
objcopy --only-keep-debug other "kept/.build-id/$path.debug"
like "$("$D" -p -D kept -b "$hex" other "$at" | tail -n 1)" "^severe:" \
	"upgraded: a debug file of another build isn't taken"
objcopy --only-keep-debug plain "kept/.build-id/$path.debug"

# From the data: a deleted file has a word after its path.
make=$MEMMON_BUILD/tests/monmake
mpreduce=$MEMMON_BUILD/mpreduce
data()
{
	printf '%s\n' "module exe ${1// /\\s} exe id $hex" "chain c exe:0x$at" \
		"alloc c 10 3" | "$make"
}
data "$T/plain (deleted)" >deleted.out 2>log || diag "$(cat log)"
"$mpreduce" -L deleted.out >out 2>err
like "$(cat out)" 'main' "deleted, and there again: names"
is "$(cat err)" "" "deleted, and there again: nothing to say"
data "$T/other (deleted)" >deleted.out
"$mpreduce" -L deleted.out >out 2>err
like "$(cat err)" "other: was deleted .*while the program ran.*build-id" \
	"deleted, another there: said"
is "$(wc -l <err)" 1 "deleted, another there: once"
"$mpreduce" -L --debug-dir=kept deleted.out >out 2>err
like "$(cat out)" 'main' "deleted, another there, its debug file: names"
like "$(cat err)" "other: has another build-id.*names come from" \
	"deleted, another there, its debug file: said"
"$mpreduce" -L --debug-dir=kept other deleted.out >out 2>err
like "$(cat out)" 'main' "another is given: names by the debug file"
like "$(cat err)" "other: isn't the program .*names come from debug" \
	"another is given: said"
mkdir -p root/opt/there
cp plain root/opt/there/prog
data /opt/there/prog >moved.out
"$mpreduce" -L --sysroot=root moved.out >out 2>err
like "$(cat out)" 'main' "--sysroot"
is "$(cat err)" "" "--sysroot: nothing to say"

# ----------------------------------------------------------------- Rust --

# rust NAME PREFIX FLAGS...: the program's own functions in the call graph.
rust()
{
	local name=$1 prefix=$2
	shift 2
	if ! rustc "$@" -g -O -o shop "$MEMMON_SRC/tests/prog/shop.rs" 2>log ||
	   ! nm shop | grep -q " ${prefix}.*4shop.*4fill"; then
		skip 3 "rustc: no names of the kind $name"
		return
	fi
	rm -f shop.mon
	"$MEMMON_BUILD/memmon" -o shop.mon ./shop >log 2>&1
	"$mpreduce" -q --wrapper=none -b shop.mon >out 2>err
	grep -o '<*shop::[^ ]*\( as shop::[^ ]*\)*' out | sort -u >got
	sort >want
	is_file got want "Rust, $name"
	is "$(grep -c 'h[0-9a-f]\{16\}' out)" 0 "Rust, $name: no hashes"
	"$mpreduce" -q --wrapper=none --names=short -b shop.mon >out 2>err
	grep -o '<*shop::[^ ]*\( as shop::[^ ]*\)*' out | sort -u >got
	sed 's/Item<[Tu64]*>/Item<>/; s/boxed::<.*/boxed::<>/' want | sort >short
	is_file got short "Rust, $name: short"
}
if command -v rustc >/dev/null; then
	rust old _ZN <<-'EOF1'
	<shop::shop::Item<u64> as shop::shop::Make>::make
	shop::boxed
	shop::main
	shop::main::{{closure}}
	shop::shop::Item<T>::fill
	EOF1
	rust new _R -C symbol-mangling-version=v0 <<-'EOF1'
	<shop::shop::Item<u64> as shop::shop::Make>::make
	<shop::shop::Item<u64>>::fill
	shop::boxed::<shop::main::{closure#0}>
	shop::main
	shop::main::{closure#0}
	EOF1
else
	skip 6 "no rustc"
fi

# Functions whose names become the same stay apart, and their names show the
# difference.
cat >make.cc <<'EOF1'
#include <cstdlib>
template <class T> struct box {
	__attribute__((noinline)) void *make(T n) const
	{
		return malloc(n + sizeof(T));
	}
};
int main(int argc, char **)
{
	box<int> a;
	box<char> b;
	void *volatile p = a.make(argc + 95);
	p = b.make((char)(argc + 8));
	return !p;
}
EOF1
if command -v g++ >/dev/null && g++ -O1 -g -o make make.cc 2>log; then
	"$MEMMON_BUILD/memmon" -o make.mon ./make >log 2>&1
	"$mpreduce" -p -b make.mon >out
	is "$(sed -n 's/.*   \(box<.*\)/\1/p' out)" \
		"$(printf 'box<int>::make(int) const\nbox<char>::make(char) const')" \
		"whole names"
	"$mpreduce" -p -b --names=short make.mon >out
	is "$(sed -n 's/.*   \(box<>::make\) (make.cc, make+0x[0-9a-f]*)$/\1/p' \
		out)" "$(printf 'box<>::make\nbox<>::make')" \
		"short names: two functions"
	is "$("$mpreduce" -L --names=short --paths=offsets -b make.mon |
		grep -o 'main[^>]*> box<>::make+0x[0-9a-f]* (make.cc:[0-9]*)' |
		wc -l)" 2 "short names with offsets"
	is "$("$mpreduce" -p -b --names=short --wrapper='box<int>*' make.mon |
		grep -c 'box<>::make')" 1 "short names: wrappers by whole ones"
else
	skip 4 "no g++"
fi

# ------------------------------------------------------------ libraries --

# A library that was closed before the end: its functions have names still.
cat >plug.c <<'EOF1'
#include <stdlib.h>
void *plug_make(int n);
void *plug_make(int n) { return malloc((size_t)n * 3); }
EOF1
cat >host.c <<'EOF1'
#include <dlfcn.h>
int main(void)
{
	void *lib = dlopen("./plug.so", RTLD_NOW);
	void *(*make)(int);

	if (!lib)
		return 1;
	*(void **)&make = dlsym(lib, "plug_make");
	if (!make(5))
		return 1;
	return dlclose(lib);
}
EOF1
$CC -O1 -g -shared -fPIC -o plug.so plug.c
$CC -O1 -g -o host host.c -ldl
"$MEMMON_BUILD/memmon" -o host.mon ./host >log 2>&1 || diag "$(cat log)"
like "$("$mpreduce" -L host.mon 2>&1)" 'main > plug_make' \
	"a library that was closed"

# -------------------------------------------------------------- damaged --

# A header may state a wrong size for an unpacked section.
if objcopy --compress-debug-sections=zstd plain lies 2>log; then
	perl -e '
		open F, "+<", "lies"; binmode F; local $/; my $t = <F>;
		my ($off, $n, $size) = (unpack("Q", substr $t, 40),
			unpack("S", substr $t, 60), 64);
		for my $i (0 .. $n - 1) {
			my $h = substr $t, $off + $i * $size, $size;
			my ($flags, $at) = (unpack("Q", substr $h, 8),
				unpack("Q", substr $h, 24));
			next unless $flags & 0x800;
			seek F, $at + 8, 0;
			print F pack("Q", 1 << ($i % 2 ? 40 : 62));
		}'
	(ulimit -v 2000000; timeout "$HANG" "$D" -p lies "$at") >out 2>err
	like "$(cat out)" "main.*problem: no debug information" \
		"sizes that can't be: names, no lines"
	is "$(cat err)" "" "sizes that can't be: no word"
else
	skip 2 "objcopy: no zstd"
fi
bad=
for i in $(seq "$(exhaustive && echo 30 || echo 10)"); do
	for file in lies mini.xz; do
		[ -f $file ] || continue
		cp $file hurt
		size=$(stat -c %s hurt)
		for j in 1 2 3 4; do
			printf '\x55' | dd of=hurt bs=1 conv=notrunc \
				seek=$(((i * 7919 + j * 104729) % size))
		done 2>/dev/null
		if [ $file = mini.xz ]; then
			cp dynamic hurt2
			objcopy --update-section .gnu_debugdata=hurt hurt2
			mv hurt2 hurt
		fi
		timeout "$HANG" "$D" -p hurt "$at" >/dev/null 2>err ||
			bad="$bad $file:$i"
		[ -s err ] && bad="$bad $file:$i:$(head -c 99 err)"
	done
done
is "$bad" "" "damaged compressed sections"
cc=clang
command -v clang >/dev/null || cc=$CC
rm -rf obj
mkdir obj
if "$cc" -O2 -g -gsplit-dwarf -gdwarf-4 -c -o obj/one.o one.c 2>log &&
   "$cc" -O2 -g -gsplit-dwarf -gdwarf-4 -c -o obj/two.o two.c 2>log &&
   "$cc" -o apart obj/one.o obj/two.o 2>log &&
   (ulimit -t 5; dwp -e apart -o good.dwp) 2>log; then
	rm obj/*
	size=$(stat -c %s good.dwp)
	bad=
	for i in $(seq 60); do
		cp good.dwp apart.dwp
		for j in 1 2 3 4 5 6; do
			printf '\xff' | dd of=apart.dwp bs=1 conv=notrunc \
				seek=$(((i * 7919 + j * 104729) % size))
		done 2>/dev/null
		[ $((i % 5)) = 0 ] &&
			head -c $((size * i / 61)) good.dwp >apart.dwp
		timeout "$HANG" "$D" -p apart "$at" >out 2>err || bad="$bad $i"
		[ -s err ] && bad="$bad $i($(head -c 200 err))"
	done
	is "$bad" "" "damaged packed units"
else
	skip 1 "no dwp"
fi
done_testing
