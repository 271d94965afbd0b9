#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The rules of the house style that a tool can check.
. "${MEMMON_SRC:-.}/tests/tap.sh"
cd "$MEMMON_SRC" || exit 1

find monitor reduce display tests -name '*.[ch]' | sort >"$T/files"
find monitor reduce display tests \( -name '*.t' -o -name '*.sh' \
	-o -name '*.cc' \) | sort >"$T/more"

# each NAME COMMAND: COMMAND, given all C files, prints nothing.
each()
{
	local name=$1
	shift
	is "$(xargs -a "$T/files" "$@" 2>&1)" "" "$name"
}

each "at most 80 columns" awk '
	{ line = $0; width = 0
	  while ((i = index(line, "\t"))) {
		width += i - 1; width += 8 - width % 8; line = substr(line, i + 1)
	  }
	  if (width + length(line) > 80) print FILENAME ":" FNR }'
each "functions of at most 60 lines" awk '
	/^{/ { start = FNR }
	/^}/ && start { if (FNR - start > 61)
			print FILENAME ":" start ": " FNR - start - 1 " lines"
			start = 0 }'
each "files of at most 550 lines" awk '
	FNR == 551 { print FILENAME ": too long" }'
each "no blanks at the ends of lines" grep -nE '[[:blank:]]+$'
each "nothing left to do" grep -nwE 'TODO|FIXME|XXX'
each "no typedefs of structs" grep -nE '^typedef (struct|union|enum)[^(]*(;|\{|$)'
is "$(xargs -a "$T/more" grep -nE '[[:blank:]]+$|\<(TODO|FIXME)\>' |
	grep -v '^tests/t/style.t:')" "" "shell and C++: blanks, things to do"

if command -v clang-format >/dev/null; then
	xargs -a "$T/files" .ci/format --check >"$T/diff" 2>&1
	ok $? "clang-format" || diag "$(head -n 80 "$T/diff")"
else
	skip 1 "no clang-format"
fi
# Files that a run leaves, by the names that it gives them, aren't in the tree.
if [ -e .git ] && git ls-files >"$T/tracked" 2>"$T/bad"; then
	is "$(git ls-files -ci --exclude-per-directory=.gitignore)" "" \
		"git has no file that .gitignore names"
	printf '%s\n' build/x mon.out mon.out.123 mon.out.part123 mon.out.live \
		mon.out.123.live mon.out.123.bash mon.out.log mon.out.123.log \
		mon.out.log.part123 mon.sum mon.sum.part123 >"$T/left"
	is "$(xargs -a "$T/left" git check-ignore --no-index)" \
		"$(cat "$T/left")" "data files are ignored, whatever their ends"
	ok "$(wc -l <"$T/tracked" | awk '{ print $1 < 300 }')" "git was asked"
	is "$(grep -v '^\.' "$T/tracked" | cut -d/ -f1 | LC_ALL=C sort -u | xargs)" \
		'LICENSES Makefile README README.md display man monitor reduce tests' \
		"nothing else is at the top"
else
	skip 4 "no git, or not of a repository"
fi
# Commands that a bare Debian lacks and .ci/deps doesn't install: a test looks
# for them first.
lacking='pgrep|pkill|pidof|killall|ps|pmap|ip|lsof|xxd|bc|curl|wget|nc|strace|gdb'
lacking="$lacking|heaptrack|pprof|ruby|busybox"
for script in tests/t/*.t; do
	grep -vE '^[[:blank:]]*#' "$script" |
		grep -oE '(^|[;|&(`]|\b(if|then|do|while|until|timeout|!)) *'"($lacking) " |
		grep -oE "($lacking) $" | sort -u |
		while read -r tool; do
			grep -qE "(command -v|which|need|skip_.*) .*\b$tool\b" "$script" ||
				echo "$script: $tool"
		done
done >"$T/bad" 2>&1
is "$(cat "$T/bad")" "" "commands that may be missing are looked for first"
is "$(find tests/t tests/long -name '*.t' ! -perm -u+x 2>/dev/null)" "" \
	"the tests can be executed"
for script in tests/t/*.t; do
	bash -n "$script" || echo "$script"
done >"$T/bad" 2>&1
is "$(cat "$T/bad")" "" "the tests in bash can be parsed"

# A debugger, ctags and a stack trace then name one function.
find reduce display -name '*.c' -print0 | xargs -0 awk '/^static / && !/[;{}=]$/ {
	getline
	if (match($0, /^[a-z_][a-z_0-9]*\(/))
		print substr($0, 1, RLENGTH - 1)
}' | sort >"$T/statics"
ok $(($(wc -l <"$T/statics") < 1000)) "there are static functions"
is "$(uniq -d "$T/statics")" "" \
	"no two static functions of reduce/ and display/ have one name"
done_testing
