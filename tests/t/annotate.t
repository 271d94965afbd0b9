#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# mpreduce -A: the source with the allocations of each line.  The programs list
# the allocations of each line in comments (tests/lines), or are made at random;
# with all compilers that are installed, with and without optimization.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/lines/build.sh"

# ------------------------------------------------------------- the figures --

# agrees NAME DIR EXPECTED: the listing has exactly these figures.
agrees()
{
	"$mpreduce" -A -b --verbose "$1" "$1.mon" >"$1.txt" 2>err
	is "$(cat err)" "" "$1: no messages"
	perl "$lines/listed.pl" "$2" <"$1.txt" | sort >got
	sort "$3" >want
	[ -s want ]
	ok $? "$1: something is expected"
	is_file got want "$1: figures of lines"
}

seeds=1
! exhaustive || seeds='1 2 3'
for cc in gcc clang; do
	levels=2
	[ $cc != gcc ] || levels=0
	! exhaustive || levels='0 1 2'
	if ! command -v $cc >/dev/null; then
		skip 1 "no $cc"
		continue
	fi
	for level in $levels; do
		compile_shapes $cc-O$level $cc -O$level
		agrees $cc-O$level "$src" shapes.expect
		for seed in $seeds; do
			compile_random random-$cc-O$level-$seed \
				$((seed * 31 + level * 7 + ${#cc})) $cc -O$level
			agrees random-$cc-O$level-$seed "$T" random.expect
		done
	done
done

# C++: a line is one line, however many functions contain it.
for cxx in g++ clang++; do
	if ! command -v $cxx >/dev/null; then
		skip 3 "no $cxx"
		continue
	fi
	levels=2
	! exhaustive || levels='0 2'
	for level in $levels; do
		compile_shapes $cxx-O$level $cxx -O$level
		agrees $cxx-O$level "$src" shapes-cc.expect
	done
done

# ------------------------------------------------------------ the text of it --

mkdir -p build/src && cat >build/src/small.c <<'END'
#include <stdlib.h>

void *volatile kept;

static void *get(size_t n)
{
	return malloc(n);
}

/* 10 */








/* 19 */
static void *
longer(size_t n)
{
	/* 23 */













	/* 37 */
	return malloc(n);
}

int main(void)
{
	kept = get(100);
	kept = get(200);
	free(longer(50));
	return 0;
}
END
compile small "$CC" -O0 "$T/build/src/small.c"

# run OPTION...: mpreduce -A for it, in out; checks err.
run()
{
	"$mpreduce" -A -b "$@" small small.mon >out 2>err
	is "$? $(cat err)" "0 " "mpreduce -A $*"
}

run
cat >want <<END
--------- Annotated Source ------------

*** File $T/build/src/small.c:

     bytes    allocs      kept     total (%)    line  source

       350         3       300       350 (**)         <TOTAL>

...
                                                   4
                                                   5  static void *get(size_t n)
                                                   6  {
       300         2       300       300 (85)      7          return malloc(n);
                                                   8  }
                                                   9
                                                  10  /* 10 */
...
                                                  20  static void *
                                                  21  longer(size_t n)
                                                  22  {
...
                                                  35
                                                  36
                                                  37          /* 37 */
        50         1         0        50 (14)     38          return malloc(n);
                                                  39  }
                                                  40
                                                  41  int main(void)
                                                  42  {
                                     100 (28)     43          kept = get(100);
                                     200 (57)     44          kept = get(200);
                                      50 (14)     45          free(longer(50));
                                                  46          return 0;
                                                  47  }

Top 2 Lines:

       bytes (%)       allocs         kept   line

         300 (85)           2          300   small.c:7 (get)
          50 (14)           1            0   small.c:38 (longer)

Execution Summary:

              1   source file
              5   lines with calls that led to allocations
              2   of these lines allocated themselves
            350   bytes were allocated by these lines
            175   bytes by each line on average
              0   bytes by unknown lines
END
is_file out want "all of a small program"

# figures: the lines that have some, of the listing in out.
figures() { grep -E '^.{41}[(][0-9*.]' out | grep -v TOTAL; }
figures >figures
is "$(wc -l <figures)" 5 "five lines have figures"
run --verbose
figures >got
is_file got figures "--verbose has the same figures"
is "$(sed -n '/<TOTAL>/,/^Top/p' out | sed 1,2d | grep -cE '^.{51}[0-9]')" 47 \
	"--verbose has each line"
is "$(grep -c '^[.][.][.]$' out)" 0 "and leaves none out"
run --units=human
like "$(cat out)" ' 350 +3 +300 +350 [(][*][*][)] +<TOTAL>' "--units=human"

# Only some functions: lines of others have no figures.
"$mpreduce" -Alonger -b small small.mon >out 2>err
is "$(figures | awk '{ print $NF }')" "malloc(n);" "-ASYMBOL: one line"
like "$(cat out)" ' 50 +1 +0 +50 [(]14[)] +38 ' "-ASYMBOL: the right one"
like "$(cat out)" ' 300   bytes by all other lines' "-ASYMBOL: the others' sum"
"$mpreduce" --annotated-source=get -Alonger -b small small.mon >out 2>err
is "$(figures | wc -l)" 2 "-A twice: lines of both"
"$mpreduce" -Anothing -b small small.mon >out 2>err
is "$?" 1 "-A of what isn't there: status"
like "$(cat err)" 'no source line of nothing ' "and a message"
"$mpreduce" -A -p small small.mon >out 2>err
like "$(cat out)" 'Direct Allocation.*Annotated Source' "after other tables"
like "$(cat out)" 'A line counts once' "a legend"

# Symspecs: files, their functions and lines.
for spec in small.c src/small.c "$T/build/src/small.c" '*.c'; do
	run -A"$spec"
	figures >got
	is_file got figures "all lines of $spec"
done
run -Asmall.c:get
is "$(figures | awk '{ print $6 }')" 7 "FILE:FUNC"
run -Asmall.c:44
is "$(figures | awk '{ print $3 }')" 44 "FILE:LINE, a call"
run -Asmall.c:5
is "$(figures | awk '{ print $6 }')" 7 "FILE:LINE, a function that begins there"

# Filters that leave out parts of the program, or functions of call paths.
run --focus=longer
is "$(figures | awk '{ print $1, $(NF - 1) }')" "50 return
50 45" "--focus"
like "$(cat out)" ' 0   bytes by unknown lines' "--focus: sums"
run --hide=get
is "$(figures | awk '{ print $1, $2, $NF }')" "50 1 malloc(n);
100 1 get(100);
200 1 get(200);
50 (14) free(longer(50));" "--hide: callers get what it allocated"

# JSON has all of it.
"$mpreduce" --json small small.mon >out 2>err
is "$(grep -c '^"sources"' out)" 0 "JSON without -A has no lines"
"$mpreduce" -A --json small small.mon >out 2>err
like "$(cat out)" '"line":7,"functions":\["get"\],"self":\{"allocs":2,"bytes":300,"frees":0,"freed":0,"kept":300\},"total":\{"allocs":2,"bytes":300,' \
	"JSON with -A"

# ---------------------------------------------------------- where files are --

# found PATH OPTION...: the text is read from there.
found()
{
	local path=$1
	shift
	run "$@"
	is "$(sed -n 's/^    read from //p' out)" "$path" "read from $path: $*"
	figures >got
	is_file got figures "the figures are the same: $*"
}

# missing OPTION...: there are figures, but no text.
missing()
{
	run "$@"
	like "$(cat out)" 'small.c:
    not found: the source text is missing.* -I DIR' "it isn't found: $*"
	is "$(figures | awk '{ $(NF - 2) = ""; print $1, $NF }')" \
		"300 get)
50 longer)
100 main)
200 main)
50 main)" "figures without text: $*"
}

mkdir -p elsewhere/src other there/build/src root"$T"/build/src
cp -p build/src/small.c elsewhere/src
mv build/src/small.c kept.c
missing
missing -I "$T/nowhere:$T/other"
found elsewhere/src/small.c -I elsewhere
found "$T/elsewhere/src/small.c" -I "$T/other::$T/elsewhere:"
found elsewhere/src/small.c -I other -I elsewhere
cp -p kept.c other/small.c
found other/small.c --directory-path=other:elsewhere
found elsewhere/src/small.c -I elsewhere:other
cp -p kept.c root"$T"/build/src/small.c
found "root$T/build/src/small.c" --sysroot=root
cp -p kept.c small.c
found ./small.c
mkdir -p build/src && cp -p kept.c build/src/small.c
run
is "$(grep -c 'read from' out)" 0 "where it was, before the current directory"
found "root$T/build/src/small.c" --sysroot=root
rm small.c build/src/small.c
mkdir exe && cp -p small exe && cp -p kept.c exe/small.c
"$mpreduce" -A -b exe/small small.mon >out 2>err
is "$(sed -n 's/^    read from //p' out)" exe/small.c "beside the program"

# ----------------------------------------------------------- what it may be --

cp -p kept.c build/src/small.c
touch -d '2000-01-01' small
run
like "$(cat out)" "small.c:
    warning: it is newer than small: " "changed after the program"
touch small
run
is "$(grep -c 'newer than' out)" 0 "not changed after it"

head -n 40 kept.c >build/src/small.c
run
like "$(cat out)" '
Lines beyond the end of the file, which was changed:
 {37}100 [(]28[)] +43  [(]in main[)]' "lines behind the end"
: >build/src/small.c
run
is "$(figures | wc -l)" 5 "an empty file"

# Line 7, hostile; 38, long; without a newline at the end.
{
	sed -n 1,6p kept.c
	printf '\treturn\033[2Jx\0y\302\233z\377\177;\r\n'
	sed -n 8,37p kept.c
	head -c 100000 /dev/zero | tr '\0' x
	sed -n '38,$p' kept.c | sed 's/$/\r/'
	printf end
} >build/src/small.c
run
is "$(sed -n 's/.* 7  //p' out | cut -c 9- | od -An -c | tr -d ' \n')" \
	'return?[2Jx?y??z??;\n' "control characters"
is "$(LC_ALL=C grep -c "$(printf '[\001-\010\013-\037\177]')" out)" 0 "nowhere"
is "$(sed -n 's/.* 38  \(x*\)[.][.][.]$/\1/p' out | tr -d '\n' | wc -c)" 400 \
	"a long line is cut"
head -c 100000 /dev/zero | tr '\0' '\200' >build/src/small.c
run --verbose
[ "$(wc -c <out)" -lt 8000 ]
ok $? "one of nothing but continuation bytes"
for i in 1 2 3 4 5 6 7 8; do printf '\t%d\n' $i; done >build/src/small.c
run
like "$(cat out)" ' 7 {10}7
' "tabs"

rm build/src/small.c
mkfifo build/src/small.c
run
like "$(cat out)" "small.c: not a regular file: the source text " "a fifo isn't waited for"
rm build/src/small.c
mkdir build/src/small.c
run
like "$(cat out)" "small.c: not a regular file: the source text " "a directory"
rmdir build/src/small.c
truncate -s 17M build/src/small.c
run
like "$(cat out)" "small.c: is too large to be shown: the source " "a huge file"
ln -sf small.c build/src/small.c
missing
rm build/src/small.c
if [ "$(id -u)" -ne 0 ]; then
	cp -p kept.c build/src/small.c
	chmod 0 build/src/small.c
	run
	like "$(cat out)" "small.c: Permission denied: only " "one not for us"
else
	skip 2 "root may read everything"
fi

# Without debug information there is nothing to be shown.
cp -pf kept.c bare.c
"$CC" -O0 -o bare bare.c && MEMMON_OUT=bare.mon "$MEMMON_BUILD/memmon" ./bare
"$mpreduce" -A -b bare bare.mon >out 2>err
is "$(cat out)" "--------- Annotated Source ------------

No source line is known: compile with -g." "no debug information"
done_testing
