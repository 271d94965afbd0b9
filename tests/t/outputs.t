#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Names of any bytes, in every output: each output is valid UTF-8, without
# control characters from the names.  Programs, arguments, functions, source
# files, libraries, threads, marks, types and data files have such names here.
. "${MEMMON_SRC:-.}/tests/tap.sh"

make="$MEMMON_BUILD/tests/monmake"
mpreduce="$MEMMON_BUILD/mpreduce"

# ISO-8859-1, a lone control character of an 8-bit terminal, the same in UTF-8,
# escapes, a truncated sequence, a surrogate, an overlong slash; a real e-acute.
bad=$(printf 'a\351\233[31m\302\233\033[1m\177\001\360\237\355\240\200\300\257\303\251')

# clean FILE: strictly UTF-8, and no control characters but between lines.
clean()
{
	iconv -f UTF-8 -t UTF-8 "$1" >/dev/null 2>iconv.err &&
		! LC_ALL=C grep -aqP '[\x00-\x08\x0b\x0e-\x1f\x7f]|\xc2[\x80-\x9f]' "$1"
}

# good NAME: the files out and err are valid, too.
good()
{
	clean out && clean err
	ok $? "$1" || diag "$(cat -v out err | grep -a 'M-i\|\^\[' | head -n 3)"
}

# A program whose source, function and own name are such names.
cat >"s$bad.c" <<'EOF'
#include <stdlib.h>
void *volatile kept;
void odd(void) { kept = malloc(24); }
int main(void) { odd(); return 0; }
EOF
$CC -g -O0 -o plain "s$bad.c" && printf 'odd f%s;x\n' "$bad" >rename &&
	objcopy --redefine-syms=rename plain "p$bad" 2>/dev/null ||
	cp plain "p$bad"
at=$(nm plain | awk '$3 == "main" { print $1 }')
odd=$(nm plain | awk '$3 == "odd" { print $1 }')
[ -n "$at" ] && [ -n "$odd" ] || skip_all "no nm"

# desc NAME: a data file.
desc()
{
	"$make" >"$1" <<EOF
run program $T/p$bad
run command $T/p$bad x$bad\n\ty <script>
run cwd /d$bad
run version v$bad
run end exit
run start 1000000000000000000
run length 5000000000
run why w$bad\n
run leak_why w$bad
module exe $T/p$bad exe
module lib /l$bad\nx.so
chain a exe:0x$(printf %x $((0x$at + 8))) exe:0x$(printf %x $((0x$odd + 8))) lib:0x20
alloc a 24 3 1
alloc a 4096 2
thread t$bad\n flags 1 allocs 5 bytes 8264 frees 1 freed 24
mark m$bad\n 1000 allocs 1 bytes 24
type y$bad\n 24
type z 4096
peak a 2 48
total peak 48
total peak_at 5
EOF
}
desc "d$bad.mon"
desc other.mon
data=("./p$bad" "./d$bad.mon")
[ -s other.mon ] || skip_all "no such names here"

# ------------------------------------------------------------- to read --
while IFS= read -r line; do
	read -ra words <<<"$line"
	"$mpreduce" "${words[@]}" "${data[@]}" >out 2>err
	good "mpreduce $line"
done <<'EOF'
--summary
--full
--verbose --full --paths=offsets --names=long
--full
--full --json
-i
--file-info=list
--file-info=list --json
--timeline
--annotate
--where=bytes>0
--where=bytes>0 --json
--where=bytes>0 --export=csv
--group-by=type,thread,function
--group-by=site,file,module --export=csv
--watch=2,1
--fail-if=any(bytes>1)
EOF
# What --color adds aside.
"$mpreduce" --summary --color=always "${data[@]}" 2>err | sed 's/\x1b\[[0-9;]*m//g' >out
good "colours"
"$mpreduce" --diff "./p$bad" "./d$bad.mon" other.mon >out 2>err
good "--diff"
"$mpreduce" --diff --json "./p$bad" "./d$bad.mon" other.mon >out 2>err
good "--diff --json"
for way in --units=bytes --json --export=csv; do
	"$mpreduce" $way --sql="SELECT program, command, version FROM runs" \
		"${data[@]}" >out 2>err
	good "--sql, $way"
	"$mpreduce" $way --sql="SELECT CAST(x'e9411b' AS TEXT) AS \"k$bad\", 1 AS \"a\\\"\"\"" \
		"${data[@]}" >out 2>err
	good "--sql, bytes of the query, $way"
done

# -------------------------------------------------------------- exports --
"$mpreduce" --export=list | awk '/^[a-z]/ && NF > 1 { print $1 }' | sed 's/\[.*//; s/:.*//' |
	grep -v METRIC | sort -u >formats
while read -r format; do
	"$mpreduce" --export="$format" -o out "${data[@]}" 2>err
	case $format in
	pprof | otlp)
		{ gunzip -c out 2>/dev/null || cat out; } >plain.out
		! LC_ALL=C grep -aq "$(printf 'a\351')" plain.out && clean err
		ok $? "--export=$format: no such bytes in its texts" ;;
	sqlite)
		! LC_ALL=C grep -aq "$(printf 'a\351')" out && clean err
		ok $? "--export=sqlite: no such bytes in its texts"
		if command -v sqlite3 >/dev/null; then
			sqlite3 out .dump >dump 2>/dev/null
			clean dump
			ok $? "... nor in its dump"
		fi ;;
	*)
		[ -s out ] && good "--export=$format" || ok 1 "--export=$format" ;;
	esac
done <formats
ok $((!($(wc -l <formats) >= 9))) "all formats: $(tr '\n' ' ' <formats)"
"$mpreduce" --html=out "${data[@]}" >/dev/null 2>err
good "--html"

# ------------------------------------------------------------- messages --
for args in "p$bad nofile$bad" "no$bad" "--focus=no$bad other.mon" \
	"--fail-if=any(name~\"$bad\") other.mon" "--where=x$bad other.mon" \
	"--sort=$bad other.mon" "-s -o /no$bad/x other.mon" "--columns=$bad other.mon"; do
	read -ra words <<<"$args"
	"$mpreduce" "${words[@]}" >out 2>err
	good "a message: ${args%%[!-a-z=]*}"
done
head -c 200 other.mon >"cut$bad.mon"
"$mpreduce" -i "cut$bad.mon" >out 2>err
good "a file that is cut, -i"
"$mpreduce" "cut$bad.mon" >out 2>err
good "a file that is cut"

# Valid letters stay in the output.
"$mpreduce" --json "${data[@]}" 2>/dev/null >out
grep -q "$(printf '\303\251')" out
ok $? "letters stay letters"
"$mpreduce" -b "${data[@]}" 2>/dev/null | grep -a '^program' >out
like "$(cat out)" 'pa\?\?\[31m' "each byte that isn't text is ?"
# The printed command can be run again.
"$mpreduce" --json "${data[@]}" 2>/dev/null |
	perl -ne 'print $1 if /"command":"((?:[^"\\]|\\.)*)"/' >command
like "$(cat command)" '\\\\351' "bytes of arguments are told as sh has them"
done_testing
