#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# mpreduce under valgrind: every view of data files with known content reads
# only memory that was written, and loses no memory.
TAP_LIMIT=3600
. "${MEMMON_SRC:-.}/tests/tap.sh"
golden=$MEMMON_SRC/tests/golden
mpreduce=$MEMMON_BUILD/mpreduce
command -v valgrind >/dev/null || {
	skip 1 'no valgrind'
	exit
}

"$CC" -nostdlib -static -no-pie \
	-Wl,-Ttext=0x401000,-e,main,--build-id=none -o prog "$golden/prog.s"
ok $? "a program with known addresses"
for description in "$golden"/*.in; do
	name=$(basename "$description" .in)
	"$MEMMON_BUILD/tests/monmake" <"$description" >"$name.mon" || exit 1
done
"$MEMMON_BUILD/memmon" --sample=1K -o sampled.mon \
	"$MEMMON_BUILD/tests/prog/widgets" >/dev/null
"$MEMMON_BUILD/memmon" --log -o whole.mon \
	"$MEMMON_BUILD/tests/prog/widgets" >/dev/null

# clean PROGRAM ARGUMENT...: no errors and no lost blocks, and the same status
# as without valgrind.
clean()
{
	local program=$1
	shift
	"$mpreduce" "$@" "$program" "${files[@]}" >out 2>err
	set -- $? "$@"
	valgrind -q --leak-check=full --errors-for-leak-kinds=definite \
		--error-exitcode=99 --log-file=vg.log \
		"$mpreduce" "${@:2}" "$program" "${files[@]}" >out 2>err
	is $? "$1" "mpreduce ${*:2} ${files[*]}" || diag "$(head -n 30 vg.log err)"
}

views=(--json --html=page.html "-S --fields" "-L -B" "-p -q --verbose"
	"--peak --lifetimes --threads" "-T --waste" --timeline
	"--where=kept>0 --group-by=type" --focus=main --fail-if=kept\>=0
	--export=folded --export=pprof --export=otlp --export=dhat --export=massif
	--export=csv:all --export=heaptrack -i -A)
for name in *.mon; do
	files=("$name")
	program=prog
	case $name in
	sampled*|whole*) program=$MEMMON_BUILD/tests/prog/widgets ;;
	esac
	for view in "${views[@]}"; do
		IFS=' ' read -ra options <<<"$view"
		clean "$program" "${options[@]}"
	done
done

widgets=$MEMMON_BUILD/tests/prog/widgets
files=(sampled.mon whole.mon)
clean "$widgets" --json
clean "$widgets" -s
clean "$widgets" -B
files=(whole.mon sampled.mon)
clean "$widgets" -B -L
clean "$widgets" --diff
files=(whole.mon)
clean "$widgets" --export=csv:nothing
clean "$widgets" --log=blocks
clean "$widgets" --at=peak --json
done_testing
