#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# README.md is short, and the things that it names exist: commands, options,
# targets, manual pages, files, variables.  Its commands run, and print the
# output that it shows; tests/transcript.pl --write README.md updates it, in a
# directory with server.c.
. "${MEMMON_SRC:-.}/tests/tap.sh"
cd "$MEMMON_SRC" || exit 1

lines=$(wc -l <README.md)
[ "$lines" -le 130 ]
ok $? "$lines lines, of at most 130"
is "$(readlink README)" README.md "README is a link to it"
# The table of failures goes on below.
[ "$(sed '/^Hostile input/,$d' tests/README |
	grep -vc '^F[0-9][0-9]	\|^				')" -le 60 ]
ok $? "tests/README is one screen, and a table"

# there KIND COMMAND: COMMAND holds for each word on standard input.
there()
{
	local kind=$1 word bad=
	shift
	while read -r word; do
		"$@" "$word" || bad="$bad $word"
	done
	is "$bad" "" "$kind"
}

# Each room's README is one screen and explains its files, by name, as NAME_*
# or, after their common first part, as _REST; and the names are of files.
named()
{
	local room=${1%/README} file word
	mapfile -t words < <(grep -oE '[a-zA-Z0-9_]+[*]?' "$1" | sort -u)
	while read -r file; do
		file=${file##*/} file=${file%.*}
		for word in "${words[@]}"; do
			case $word in
			*\*) [[ $file == "${word%\*}"* ]] && continue 2 ;;
			_*) [[ $file == *"$word" ]] && continue 2 ;;
			*) [ "$file" = "$word" ] && continue 2 ;;
			esac
		done
		echo "$room: $file"
	done < <(find "$room" -maxdepth 1 -name '*.c' -o -maxdepth 1 -name '*.cc' \
		-o -maxdepth 1 -name '*.js')
	grep -oE '(^|[^a-z/._-])[a-z_]+\.(c|cc|h|js)\>' "$1" |
		sed 's/^[^a-z_]//' | while read -r file; do
		[ -n "$(find monitor reduce display -name "$file")" ] ||
			echo "$room: no $file"
	done
}
is "$(for room in {monitor,reduce,display}/*/README display/html/page/README; do
	named "$room"
	[ "$(wc -l <"$room")" -le 50 ] || echo "$room is long"
done)" "" "READMEs of the rooms name their files"

target()
{
	grep -qE "^([a-z-]+ )*$1( [a-z-]+)*:" Makefile tests/tests.mk .ci/dist.mk
}
there "make targets" target < <(
	grep -ohE "(\`|^	)make [a-z-]+( asan)?" README.md tests/README |
		sed 's/.*make //' | tr ' ' '\n' | sort -u)

page()
{
	[ -f "man/$1" ]
}
there "manual pages" page < <(
	grep -ohE '(memmon|mpreduce|mon\.out|libmemmon)\([0-9]\)' tests/README |
		sed 's/(\(.\))/.\1/' | sort -u)
# As `man NAME' or `man 7 NAME'.
name()
{
	[ -n "$(find man -name "$1.[1-8]")" ]
}
there "... by name" name < <(grep -oE '`man ([0-9] )?[a-z-]+`' README.md |
	grep -oE '[a-z-]*`$' | tr -d '`' | sort -u)

file()
{
	[ -e "$1" ]
}
there "files" file < <(
	grep -ohE '(monitor|reduce|display|tests|man)/[A-Za-z/-]*(\.[a-z0-9]+)?' \
		README.md | sort -u)

variable()
{
	grep -q "^\.It Ev $1" man/libmemmon.3
}
there "variables" variable < <(grep -ohE 'MEMMON_[A-Z]+' README.md | sort -u)

# Options that follow one of the commands.
option()
{
	"$MEMMON_BUILD/$program" --help 2>&1 |
		grep -qE -- "(^|[^a-z-])$1([^a-z-]|\$)"
}
for program in memmon mpreduce; do
	there "options of $program" option < <(
		grep -hE "(^|[^a-z])$program -" README.md |
			sed -E "s/.*(^|[^a-z])$program / /" |
			grep -oE -- ' -(-[a-z-]+|[A-Za-z])' | tr -d ' ' | sort -u)
done

# Packages to install: those that the build looks for, and those that fetch the
# source.
package()
{
	grep -qE "\<need \"?$1\>|\<cmd $1\>" .ci/deps
}
there "packages" package < <(sed -n '/apt-get install/,/[^\\]$/p' README.md |
	sed 's/.*apt-get install//' | tr -d '\\' | xargs -n 1 |
	grep -vx 'git\|make\|gcc\|g++')

# The commands; other tests run those that install: install.t,
# tests/long/packages.t.
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/attach.sh"
cd "$T" || exit 1
export PATH=$MEMMON_BUILD:$PATH MEMMON_CC_QUIET=1 MEMMON_CC=$CC
cp "$MEMMON_SRC/tests/prog/widgets.c" prog.c
"$CC" -g prog.c -o prog
memmon -o old.mon ./prog half && memmon -o new.mon ./prog
ok $? "two runs to compare"
sed -n '/^```sh/,/^```/p' "$MEMMON_SRC/README.md" |
	grep -vE '^(```|sudo |cd |make |	)' >commands
sleep 1000 >/dev/null 2>&1 &
process=$!
while read -r command; do
	if [[ $command == *4711* ]]; then
		may_attach || continue
		command=${command//4711/$process} command=${command/10s/10ms}
	fi
	want=0
	[[ $command != *fail-if* ]] || { memmon -l ./prog && want=3; }
	timeout "$HANG" bash -c "$command" >out 2>err </dev/null
	is "$?" "$want" "${command%% #*}" || diag "$(cat err)"
done <commands
kill $process
[ "$(wc -l <commands)" -ge 10 ]
ok $? "... $(wc -l <commands) commands"

# The output of the commands.
if [ "$(gcc -dumpversion 2>/dev/null)" = 12 ]; then
	cp "$MEMMON_SRC/tests/prog/server.c" .
	perl "$MEMMON_SRC/tests/transcript.pl" "$MEMMON_SRC/README.md" >said
	is "$(tail -n 1 said)" "3 commands, 0 different" \
		"the example prints what README.md shows" || diag "$(cat said)"
	sed 's/ 100 blocks  open/ 101 blocks  open/' "$MEMMON_SRC/README.md" >page.md
	perl "$MEMMON_SRC/tests/transcript.pl" page.md >said
	is "$(tail -n 1 said)" "3 commands, 1 different" "a wrong figure is found"
else
	skip 2 "the page is of gcc 12"
fi

# The figures of memmon-reading(7) equal the program's.
if [ -x "$MEMMON_BUILD/tests/prog/widgets" ]; then
	cp "$MEMMON_BUILD/tests/prog/widgets" widgets
	memmon ./widgets && mpreduce ./widgets >out
	ok $? "the example of memmon-reading(7) runs"
	bad=$(sed -n '/^\.Sh THE TABLES/,/^\.Sh THE SCORES/p' \
		"$MEMMON_SRC/man/memmon-reading.7" |
		sed -n '/^\.Bd -literal/,/^\.Ed/p' |
		grep -E '^ *[0-9[].*[|(]' | grep -vxFf out)
	is "$bad" "" "its figures are those of memmon-reading(7)"
else
	skip 2 "widgets isn't built"
fi
done_testing
