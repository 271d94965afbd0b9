#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The completion of command lines of memmon and mpreduce, in bash and in zsh:
# all options of --help, the values of options, files, commands.
. "${MEMMON_SRC:-.}/tests/tap.sh"
made=$MEMMON_BUILD/completion

# Words as bash splits them: "=" and ":" are words of their own.
# complete_bash LINE: the possible ends of the last word, a line each.
complete_bash()
{
	bash --norc --noprofile -c '
		. "$1"
		[[ $2 == *" " ]] && end=" "
		mapfile -t COMP_WORDS < <(grep -oE "[^ =:]+|[=:]" <<<"$2")
		[[ $2 == *" " ]] && COMP_WORDS+=("")
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		COMP_LINE=$2
		"_${COMP_WORDS[0]}"
		printf "%s\n" "${COMPREPLY[@]}"' - "$made/bash/${1%% *}" "$1" \
		2>&1
}

# by NAME LINE ENDS: as one line, in the order of sort.
by()
{
	is "$(complete_bash "$2" | sort -u | tr '\n' ' ')" "$3 " "bash: $1"
}

mkdir files && cd files || exit 1
mkdir dir && touch mon.out mon.sum 'a b'
for program in memmon mpreduce; do
	is "$(bash --norc -c '. "$1"; complete -p "$2"' - \
		"$made/bash/$program" $program)" \
		"complete -F _$program $program" "bash: complete -p $program"
	"$MEMMON_BUILD/$program" --help | grep -E '^ *-' |
		grep -oE -- '(^|[ ,])--[a-z][a-z-]*(\[?=)?' |
		sed 's/^[ ,]*//; s/\[=/\n&/' |
		awk '/^\[=/ { print last "="; next }
			{ print; last = $0 }' | sort -u >offered
	complete_bash "$program --" | sort -u >options
	[ "$(wc -l <offered)" -gt 9 ]
	ok $? "$program --help has options"
	is "$(cat options)" "$(cat offered)" "bash: all options of $program"
done
rm offered options

by "an option of one kind" "mpreduce --line" "--line"
by "a letter" "mpreduce -o" "-o"
by "a value" "mpreduce --sort=se" "severity"
by "all values" "mpreduce --timeline=" "memory site thread type"
by "the values that tables add" "mpreduce --memory=" "mapped pins"
by "... beside a number" "mpreduce --lifetimes=" "reallocs"
by "one apart from its option" "mpreduce --sort bl" "blocks"
by "a list of values" "mpreduce --leaks=lost,in" \
	"lost,indirect lost,interior"
by "what --export=list has" "mpreduce --export=f" "folded"
by "files" "mpreduce mon." "mon.out mon.sum"
by "a blank in a name" "mpreduce a" "a b"
by "files behind a letter" "mpreduce -o mon.o" "mon.out"
by "files as values" "mpreduce --html=mon.o" "mon.out"
by "directories" "mpreduce --sysroot=" "dir"
by "nothing that there isn't" "mpreduce --sort=zzz" ""
by "a signal" "memmon --signal=USR" "USR1 USR2"
by "what it does" "memmon --signal=USR1:st" "start stop"
by "a command" "memmon -l gzi" "gzip"
by "the command's files" "memmon -d 5 --output=x gzip mon.s" "mon.sum"
by "... and not our options" "memmon gzip --lea" ""
is "$(bash --norc -c '. "$1"
	COMP_WORDS=(mpreduce --sort=sev) COMP_CWORD=1
	_mpreduce
	echo "${COMPREPLY[*]}"' - "$made/bash/mpreduce")" "--sort=severity" \
	"bash: words that aren't cut at ="

if ! command -v zsh >/dev/null; then
	skip 1 "no zsh"
	done_testing
	exit
fi
# Prints a line after a tab at its end, in a zsh on a terminal.
cat >../tab.zsh <<'EOS'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1= PS2=; fpath=($1 \$fpath); autoload -U compinit"
zpty -w shell "compinit -u -d $2"
zpty -w shell 'show() { print -r -- "<<$BUFFER>>"; BUFFER=; zle redisplay }'
zpty -w shell 'unsetopt automenu listbeep; zle -N show; bindkey "^X" show'
zpty -w shell 'bindkey "^I" complete-word; print ready-$((1 + 1))'
zpty -r shell text '*ready-2*'
shift 2
for line; do
	zpty -n -w shell "$line"$'\t\x18'
	zpty -r shell text '*<<*>>*'
	text=${text##*<<}
	print -r -- "${text%%>>*}"
done
zpty -d shell
EOS
# zsh_by NAME LINE COMPLETED
names=() lines=() want=()
zsh_by()
{
	names+=("$1") lines+=("$2") want+=("$3")
}
zsh_by "an option" "mpreduce --line" "mpreduce --line "
zsh_by "a value" "mpreduce --sort=sev" "mpreduce --sort=severity "
zsh_by "an optional one" "mpreduce --timeline=ty" "mpreduce --timeline=type "
zsh_by "a list" "mpreduce --leaks=lost,ind" \
	"mpreduce --leaks=lost,indirect,"
zsh_by "what --export=list has" "mpreduce --export=heap" \
	"mpreduce --export=heaptrack "
zsh_by "a file" "mpreduce --brief mon.o" "mpreduce --brief mon.out "
zsh_by "a file behind a letter" "mpreduce -o mon.o" "mpreduce -o mon.out "
zsh_by "a directory" "mpreduce --sysroot=d" "mpreduce --sysroot=dir/"
zsh_by "an option of memmon" "memmon --leak" "memmon --leak-check "
zsh_by "a signal" "memmon --signal=USR1" "memmon --signal=USR1 "
zsh_by "a command" "memmon -l gzi" "memmon -l gzip "
zsh_by "its files" "memmon gzip mon.s" "memmon gzip mon.sum "
mapfile -t got < <(TERM=dumb timeout "${HANG:-120}" zsh -f ../tab.zsh \
	"$made/zsh" "$T/dump" "${lines[@]}" 2>&1)
for i in "${!names[@]}"; do
	is "${got[i]% }" "${want[i]% }" "zsh: ${names[i]}"
done
done_testing
