#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The README is short, and what it names is there: commands, options, targets,
# manual pages, files, variables.
. "${MEMMON_SRC:-.}/tests/tap.sh"
cd "$MEMMON_SRC" || exit 1

lines=$(wc -l <README)
[ "$lines" -le 120 ]
ok $? "$lines lines, of at most 120"
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

# Each room's README is one screen and says what its files are for: by name, as
# NAME_* or, behind its first part, as _REST; and the names are of files.
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
	grep -qE "^([a-z-]+ )*$1( [a-z-]+)*:" Makefile tests/tests.mk
}
there "make targets" target < <(
	grep -ohE "(\`|^	)make [a-z-]+( asan)?" README tests/README |
		sed 's/.*make //' | tr ' ' '\n' | sort -u)

page()
{
	[ -f "man/$1" ]
}
there "manual pages" page < <(
	grep -ohE '(memmon|mpreduce|mon\.out|libmemmon)\([0-9]\)' README \
		tests/README | sed 's/(\(.\))/.\1/' | sort -u)

file()
{
	[ -e "$1" ]
}
there "files" file < <(
	grep -ohE '(monitor|reduce|display|tests|man)/[A-Za-z/]*(\.[a-z]+)?' \
		README | sort -u)

variable()
{
	grep -q "^\.It Ev $1" man/libmemmon.3
}
there "variables" variable < <(grep -ohE 'MEMMON_[A-Z]+' README | sort -u)

# Options that stand behind one of the commands.
option()
{
	"$MEMMON_BUILD/$program" --help 2>&1 |
		grep -qE -- "(^|[^a-z-])$1([^a-z-]|\$)"
}
for program in memmon mpreduce; do
	there "options of $program" option < <(
		grep -hE "(^|[^a-z])$program -" README |
			sed -E "s/.*(^|[^a-z])$program / /" |
			grep -oE -- ' -(-[a-z-]+|[A-Za-z])' | tr -d ' ' | sort -u)
done

# The transcript is what the program prints.
if [ -x "$MEMMON_BUILD/tests/prog/widgets" ]; then
	cd "$T" || exit 1
	cp "$MEMMON_BUILD/tests/prog/widgets" widgets
	{ "$MEMMON_BUILD/memmon" ./widgets &&
		"$MEMMON_BUILD/mpreduce" ./widgets >out &&
		"$MEMMON_BUILD/memmon" -l ./widgets &&
		"$MEMMON_BUILD/mpreduce" --summary ./widgets >screen; }
	ok $? "the example runs"
	"$MEMMON_BUILD/mpreduce" -q ./widgets >some
	# The first line tells the time that it took.
	is "$(sed -n '/^What it prints/,/^Install/p' "$MEMMON_SRC/README" |
		grep -E '^ *[0-9[<L].*' | grep -cxFf some) $(
		sed -n '/^What it prints/,/^Install/p' "$MEMMON_SRC/README" |
			grep -E '^ *[0-9<L]' | grep -cxFf screen)" "3 4" \
		"... with the options that it has"
	cat screen >>out
	sed -n '/^What it prints/,/^Install/p' "$MEMMON_SRC/README" |
		grep -E '^ *[0-9[].*[|(]' >transcript
	[ -s transcript ]
	ok $? "the README has a transcript"
	bad=$(grep -vxFf out transcript)
	is "$bad" "" "its figures are those of the program"
	bad=$(sed -n '/^\.Sh THE TABLES/,/^\.Sh THE SCORES/p' \
		"$MEMMON_SRC/man/memmon.7" |
		sed -n '/^\.Bd -literal/,/^\.Ed/p' |
		grep -E '^ *[0-9[].*[|(]' | grep -vxFf out)
	is "$bad" "" "... and those of memmon(7), too"
else
	skip 5 "widgets isn't built"
fi
done_testing
