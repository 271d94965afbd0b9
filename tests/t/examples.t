#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# mpreduce(1) and memmon(1) have an example of each option, and these run.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/attach.sh"
golden=$MEMMON_SRC/tests/golden
unset DEBUGINFOD_URLS
PATH=$MEMMON_BUILD:$PATH

# examples PAGE: its commands, a line each.
examples()
{
	sed -n '/^\.Ss Each option/,/^\.El/s/^\.It Li //p' \
		"$MEMMON_SRC/man/$1.1" | sed 's/\\e/\\/g'
}

# without PROGRAM: options of its --help that no example has by any name.
without()
{
	"$1" --help=list | awk -F '\t' '{
		print "--" $1, "--" ($2 == "" ? $1 : $2), $3 == "" ? "" : "-" $3 }' |
		while read -r option alias letter; do
			grep -qE -e " ($option|$alias)([= ]|\$)" \
				${letter:+-e " $letter"} commands ||
				echo "$option"
		done
}

"$CC" -g -O0 -shared -fPIC -o libcache.so "$golden/libcache.c" &&
	MEMMON_CC_QUIET=1 MEMMON_CC=$CC memmon-cc -g -O0 \
		--module=dependence -I"$MEMMON_SRC" \
		-o shop "$golden/shop.c" -L. -lcache -Wl,-rpath,'$ORIGIN' \
		-pthread
ok $? "the shop"
for name in old.mon mon.out; do
	MEMMON_LEAKCHECK=1 MEMMON_LOG=1 MEMMON_OUT=$name ./shop
done
cp mon.out new.mon
cp mon.out mon.out.1234.live
echo 'leak:libfontconfig' >known

sleep 1000 >/dev/null 2>&1 &
process=$!
for program in mpreduce memmon; do
	examples $program >commands
	is "$(without $program)" "" "$program(1) has each option in an example"
	while read -r command; do
		timeout "${HANG:-120}" bash -c "${command//4711/$process}" \
			>out 2>err </dev/null
		# The output of memmon -p, where this user may attach.
		[[ $command != *4711* ]] || {
			sed -i '/^m[a-z]*: /d' err
			may_attach || continue
		}
		status=$?
		# This one prints on standard error.
		[[ $command != *--report* ]] || : >err
		is "$status $(cat err)" "0 " "$command"
	done <commands
done
kill $process
done_testing
