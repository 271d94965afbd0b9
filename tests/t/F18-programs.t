#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# F18: program files that aren't the recorded ones, or not whole.  Names come
# from any file that has the right ones, and never from a wrong file.
# (symbols.t has the kinds of debug information; fuzz-corpus.t and bounds.t,
# damaged ones.)
. "${MEMMON_SRC:-.}/tests/tap.sh"

make="$MEMMON_BUILD/tests/monmake"
mpreduce="$MEMMON_BUILD/mpreduce"

cat >prog.c <<'EOF1'
__attribute__((noinline)) int inner(int i) { return i * 3; }
__attribute__((noinline)) int outer(int i) { return inner(i) + 1; }
int main(int argc, char **argv) { (void)argv; return outer(argc); }
EOF1
id=00112233445566778899aabbccddeeff00112233
build()
{
	$CC -g -O1 -fno-optimize-sibling-calls -Wl,--build-id=0x$id "$@" prog.c
}
build -o prog || echo "Bail out! compiler"
# address NAME: of the function's first byte, and one more.
address()
{
	printf '0x%x' $((0x$(nm "$1" | awk -v n="$2" '$3 == n { print $1 }') + 1))
}

# data PROGRAM ID: the data that it would have recorded, without a file at its
# path.
data()
{
	printf '%s\n' "module exe /nonexistent/prog exe id $2" \
		"chain c exe:$(address "$1" main) exe:$(address "$1" outer)\
 exe:$(address "$1" inner)" "alloc c 10 3" | "$make"
}
data prog $id >mon.out

# run FILE: mpreduce -L of the data with the program in FILE.
run()
{
	timeout "$HANG" "$mpreduce" -L "$1" mon.out >out 2>err
}
named='main > outer > inner'

# unlike TEXT REGEX NAME
unlike()
{
	! grep -q -- "$2" <<<"$1"
	ok $? "$3"
}

run prog
is "$? $(cat err)" "0 " "the program: nothing to say"
like "$(cat out)" "$named" "the program: names"

# Another build: the same names at other addresses.
id=ff112233445566778899aabbccddeeff00112233 build -o other -DX
run other
is $? 0 "another build: status"
like "$(cat err)" "^mpreduce: other: isn't the program.*/nonexistent/prog" \
	"F18: another build: warning"
unlike "$(cat out)" "$named" "another build: no names"
like "$(cat out)" '\[other\+0x' "another build: addresses"

# Without a build-id only the time of the file can tell: a file that is newer
# than the run may be another build.  The program's run starts after the program
# was made; a library may be made during the run.
aged()
{
	{
		printf '%s\n' "run start 1700000000500000000" \
			"run length 10000000000" \
			"module $1 /nonexistent/$1 $2" \
			"chain c $1:$(address bare main) $1:$(address bare outer)"
		echo "alloc c 10 3"
	} | "$make" >mon.out
	"$mpreduce" -L ${2:+bare} --sysroot=root mon.out >out 2>err
	grep -c "^mpreduce: .*is newer than the run.*--build-id" err
}
build -Wl,--build-id=none -o bare
mkdir -p root/nonexistent
cp bare root/nonexistent/lib
touch -d @1700000001 bare
is "$(aged exe exe) $(wc -l <err)" '1 1' "a newer program, no build-id: warning"
like "$(cat out)" 'main > outer' "... and names"
touch -d @1700000000 bare
is "$(aged exe exe) $(cat err)" '0 ' "an older one: none"
touch -d @1700000000.5 bare
is "$(aged exe exe) $(cat err)" '0 ' "one as old: none"
touch -d @1700000010 root/nonexistent/lib
is "$(aged lib '') $(cat err)" '0 ' "a library made in the run: none"
touch -d @1700000011 root/nonexistent/lib
is "$(aged lib '') $(wc -l <err)" '1 1' "one made later: warning"
touch -d 2100-01-01 prog
{
	echo "run start 1700000000000000000"
	printf '%s\n' "module exe /nonexistent/prog exe id $id" \
		"chain c exe:$(address prog main)" "alloc c 10 3"
} | "$make" >mon.out
run prog
is "$? $(cat err)" "0 " "the same build-id, however new: none"
data prog $id >mon.out

run nothing
is "$? $(wc -l <err) $(wc -c <out)" "1 1 0" "missing: an error"
like "$(cat err)" "nothing: No such file.*/nonexistent/prog" "missing: message"
"$mpreduce" -L mon.out >out 2>err
is $? 0 "missing where it was: status"
like "$(cat err)" "/nonexistent/prog: can't be opened" "missing where it was"
like "$(cat out)" '\[prog\+0x' "missing where it was: addresses"

strip -o stripped prog
run stripped
is $? 0 "stripped: status"
like "$(cat err)" "stripped: (stripped:|has no symbols)" "stripped: warning"
unlike "$(cat out)" "$named" "stripped: no names"
strip -g -o nodebug prog
run nodebug
like "$(cat err)" "nodebug: no debug information" "without -g: warning"
like "$(cat out)" "$named" "without -g: names"
# A nameless function that a wrapper calls counts as the wrapper's.
objcopy --strip-debug -x -N inner --redefine-sym outer=xmalloc prog handed
run handed
is "$(grep -c '> main$' out)" 1 "a nameless function of a wrapper: its caller"
objcopy --strip-debug -x -N inner prog nameless
run nameless
like "$(cat out)" '> outer > \[nameless\+0x' "one of another function: itself"
objcopy --only-keep-debug prog apart.debug
(strip -o apart prog && objcopy --add-gnu-debuglink=apart.debug apart)
run apart
is "$? $(cat err)" "0 " "a separate debug file: nothing to say"
like "$(cat out)" "$named" "a separate debug file: names"
cp other wrong.debug
(strip -o wrong prog && objcopy --add-gnu-debuglink=wrong.debug wrong)
run wrong
like "$(cat err)" "wrong: (stripped:|has no symbols)" \
	"another's debug file: warning"
unlike "$(cat out)" "$named" "another's debug file: no names"

# A library without local symbols: a warning if half of the bytes come from
# functions without a name.
cat >part.c <<'EOF1'
#pragma GCC visibility push(hidden)
__attribute__((noinline)) int inner(int i) { return i * 3; }
#pragma GCC visibility pop
__attribute__((noinline)) int outer(int i) { return inner(i) + 1; }
EOF1
$CC -g -O1 -fno-optimize-sibling-calls -fPIC -shared \
	-Wl,--build-id=0x$id -o part.so part.c
inner=$(address part.so inner) outer=$(address part.so outer)
strip part.so
# part BYTES BYTES: allocated by inner(), by outer().
part()
{
	printf '%s\n' "module exe $PWD/prog exe id $id" \
		"module part $PWD/part.so id $id" \
		"chain a exe:$(address prog main) part:$outer part:$inner" \
		"chain b exe:$(address prog main) part:$outer" \
		"alloc a $1 1" "alloc b $2 1" | "$make" >part.mon
	"$mpreduce" -L prog part.mon 2>&1 >out
}
is "$(part 50 50)" "mpreduce: $PWD/part.so: stripped: names come from the dynamic\
 symbols only; install its debug symbols, or link without -s" \
	"a stripped library with half of the bytes: a warning"
is "$(part 49 50)" "" "... with less: none"

head -c 4096 /dev/urandom >garbage
: >empty
mkdir dir
$CC -c -o object.o prog.c
# A directory is one of data files.
run dir
is "$? $(wc -l <err) $(wc -c <out)" "1 1 0" "dir: an error"
like "$(cat err)" "^mpreduce: dir: the directory has no data file " "dir: message"
for file in garbage empty object.o prog.c; do
	run $file
	is "$? $(wc -l <err) $(wc -c <out)" "1 1 0" "$file: an error"
	like "$(cat err)" "^mpreduce: $file: .*give the program" "$file: message"
done

# Truncated at any place: names, or a message why there are none; at once.
size=$(stat -c %s prog)
bad=$(for ((n = 0; n < size; n += 97)); do
	head -c $n prog >cut
	run cut
	status=$?
	[ $status -le 1 ] || echo "cut $n: status $status"
	grep -q "$named" out || [ -s err ] || echo "cut $n: nothing said"
done)
is "$bad" "" "F18: a program cut anywhere"
done_testing
