#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Where the memory of a process is (mpreduce --memory): the lines add up to the
# kernel's figures, each equals what the program made, and malloc_trim() returns
# the amount that the tables predict.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

# bytes CONDITION: the sum of the lines of mon.out, or of $file, that fulfil
# CONDITION.
bytes()
{
	"$MPREDUCE" --sql="SELECT sum(bytes) FROM memory WHERE $1" \
		"$PROG/ledger" "${file:-mon.out}" | awk 'NF { n = $1 } END { print n }'
}
line()
{
	bytes "name = '$1'"
}

# near NAME BYTES SLACK TEXT: the line differs by at most SLACK.
near()
{
	local is
	is=$(line "$1")
	[ "$is" -ge $(($2 - $3)) ] && [ "$is" -le $(($2 + $3)) ]
	ok $? "$4" || diag "$1 is $is, not $2 +- $3"
}

# run MODE...: the program, recorded; its own account is in out.
run()
{
	rm -f mon.out*
	"$MEMMON" -q "$PROG/ledger" "$@" >out 2>err
}

sum_is()
{
	local kernel
	is "$(bytes part)" "$(line resident)" "$1: the lines add up"
	# More is touched between the two, and while the file is written.
	kernel=$(($(head -n 1 out) * 1024))
	near resident "$kernel" $((kernel / 100 + (1 << 20))) "$1: as the kernel says"
}

MB=$((1 << 20))
run blocks
sum_is blocks
is "$(line blocks)" 4001 "blocks: with the buffer of stdout"
near live 800000 20000 "blocks: live"
near rounded $((8 * 4001)) 4000 "blocks: glibc adds the header"
near heap $((208 * 200000)) $MB "blocks: all of the heap is resident"
run map shared file stack big
sum_is map
near mapped $((20 * MB)) $((MB / 2)) "map: 20 of 50 MiB are touched"
near shared $((4 * MB)) 0 "shared memory"
near files $((8 * MB)) 65536 "a file"
near stacks $((2 * MB)) $((MB / 4)) "a thread's stack"
near live $((64 * MB)) 20000 "a block with a mapping of its own"
near pages 0 65536 "... is no free memory"
# The kernel may make one mapping of a stack and the mapping above it.
run beside
sum_is beside
near stacks $((2 * MB)) $((MB / 4)) "a stack below another mapping"
near mapped $((3 * MB)) $((MB / 2)) "... which isn't a stack"
run zero
sum_is zero
near asked $((100 * MB)) 20000 "zero: asked for"
near live 8192 12288 "... and not touched"
like "$("$MPREDUCE" --memory -b "$PROG/ledger")" \
	"Of the live blocks, 1048[0-9]{5} bytes more are not in memory" "... it is said"

# The memory that the allocator can return equals what it returned, to 5
# percent.
for mode in last blocks threads; do
	rm -f mon.out*
	"$MEMMON" -q --signal=USR2 "$PROG/ledger" $mode trim >out 2>err
	file=$(ls mon.out.*.1)
	back=$(tail -n 1 out)
	near pages "$back" $((back / 20 + 300000)) \
		"$mode: malloc_trim(0) returns what was said"
	file=
done

# Pins: a block in 50 stays.  50 blocks take 2.5 pages, so each that stays is
# alone on its pages; and all of them pin the bytes that --memory shows as free
# beside them.
run blocks
# pins COLUMN: the sum of the table, or of a function's rows.
pins()
{
	"$MPREDUCE" --sql="SELECT sum(pins.$1) FROM pins JOIN sites USING (id) \
		WHERE sites.function LIKE '${2:-%}'" "$PROG/ledger" "${file:-mon.out}" |
		awk 'NF { n = $1 } END { print n }'
}
# A page may come into memory between the two readings.
near parts "$(pins pinned)" 65536 "pins: all that is free beside blocks"
is "$("$MPREDUCE" --export=folded:pinned "$PROG/ledger" mon.out |
	awk '{ n += $NF } END { print n }')" "$(pins pinned)" "... as an export"
is "$("$MPREDUCE" --html=pins.html "$PROG/ledger" mon.out &&
	grep -o '"pinned":[0-9]*' pins.html | head -n 1)" "\"pinned\":$(line parts)" \
	"... on the page"
is "$(pins resident)" "$(line live)" "... the blocks are those that are live"
is "$(pins blocks blocks)" 4000 "... all of them"
# A block in 20 is on two pages.
near parts $((4000 * 4096 - 4000 * 208 + 200 * 4096)) 300000 "... each on pages of its own"
alone=$(pins alone blocks)
[ "$alone" -ge 3900 ]
ok $? "... alone" || diag "$alone"
like "$("$MPREDUCE" --memory=pins -b "$PROG/ledger")" \
	"[(](\*\*|99)[)] +8000[0-9]{2} +4000 +$alone   .*> run > blocks" "the table has them"
like "$("$MPREDUCE" --memory=pins -b "$PROG/ledger" | tr '\n' ' ')" \
	'4,000 .char blocks [(]200 bytes each, on average[)], allocated in blocks, pin 16[0-9]{6} bytes: nearly all are alone on a page. Allocate them from a pool' \
	'... and what to do'
# Blocks of all sizes, and eight arenas.
run threads
near parts "$(pins pinned)" 65536 "... of all sizes"
near live "$(pins resident)" 65536 "... and what is live"
run map big
like "$("$MPREDUCE" --memory=pins -b "$PROG/ledger")" "no more than [0-9]+ bytes were free on pages" \
	"little isn't recorded by call path"

# The same by each way, and for a sum of two files.
run last
cp mon.out a.mon
"$MPREDUCE" --json "$PROG/ledger" >json
is "$(grep -o '"name":"pages","bytes":[0-9]*' json | grep -o '[0-9]*$')" "$(line pages)" \
	"JSON has the same"
is "$("$MPREDUCE" --memory -b "$PROG/ledger" | awk '/without a live block/ { print $1 }')" \
	"$(line pages)" "and the table"
"$MPREDUCE" -s -o two.mon "$PROG/ledger" a.mon a.mon
one=$(line pages)
is "$(file=two.mon line pages)" $((2 * one)) "a sum adds them up"
run blocks
cp mon.out b.mon
"$MPREDUCE" -s -o two.mon "$PROG/ledger" b.mon b.mon
is "$(file=two.mon pins pinned)" $((2 * $(pins pinned))) "... pins, too"
is "$("$MPREDUCE" --memory=pins -b --ignore=blocks "$PROG/ledger" b.mon | grep -c '> blocks')" 0 \
	"a filter holds for them"
run last
like "$("$MPREDUCE" --memory -b "$PROG/ledger" a.mon a.mon)" \
	"All of 2 files together [(]2 of 2 have it[)]" "the table says so"
like "$("$MPREDUCE" --summary "$PROG/ledger" a.mon)" \
	"RSS at the end: [0-9.]+ MB, live blocks [0-9.]+ KB, free in malloc [0-9.]+ MB; --memory" \
	"the first screen names what has most"

ok $(($(line pss) <= $(line live) || $(line pss) > $(line resident))) \
	"PSS: pages of others count in part"

# Where not all blocks are known the free bytes aren't, either.
rm -f mon.out*
"$MEMMON" -q --sample=64K "$PROG/ledger" blocks >out
"$MPREDUCE" --memory -b "$PROG/ledger" >table
like "$(cat table)" "the allocator: live blocks and free memory" "samples: one line"
like "$(cat table)" "isn't divided further: only samples were recorded" "... and why"
is "$(grep -c 'without a live' table)" 0 "... no guess"
MEMMON_IMAGE=1 MEMMON_TIMELINE=0 "$MEMMON" -q "$PROG/killed" kill 100 >out 2>&1
like "$("$MPREDUCE" --memory -b "$PROG/killed" mon.out)" \
	"Where the memory was is not known" "a killed run has none by itself"

# Another allocator: the lines add up, and memmon doesn't guess its rounding.
for lib in /usr/lib/*/libjemalloc.so.2 /usr/lib/*/libmimalloc.so.2.0 \
	/usr/lib/*/libtcmalloc_minimal.so.4; do
	[ -e "$lib" ] || continue
	rm -f mon.out*
	LD_PRELOAD=$lib "$MEMMON" -q "$PROG/ledger" blocks >out 2>err
	sum_is "${lib##*/}"
	near live 800000 20000 "${lib##*/}: live"
	is "$(line rounded)" 0 "${lib##*/}: rounding isn't known"
done

# Linked with the library, and with accesses.
rm -f mon.out*
"$PROG/ledger-mm" blocks >out
sum_is linked
near live 800000 20000 "linked: live"
done_testing
