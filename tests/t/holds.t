#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A resource of the monitor that one thread holds at a time: the child of a fork
# must release each, because its holder may not exist there; and code that takes
# one of those that mmi_thread_hold() can take must use mmi_thread_hold().
. "${MEMMON_SRC:-.}/tests/tap.sh"
cd "$MEMMON_SRC" || exit 1
command -v perl >/dev/null || skip_all "there is no perl"

# FILE NAME FUNCTION: the function that releases it; or - and the reason why
# none needs to.
cat >"$T/table" <<'T'
base/next.c finding - before there is a second thread
base/peek.c busy mmi_peek_fork
chain/generated.c looking mmi_generated_fork
chain/rules.c e->key - an entry that stays so is one less
costs/costs.c taking mmi_costs_fork
costs/footprint.c taking mmi_footprint_fork
costs/mappings.c changing mmi_mappings_fork
counts/endings.c endings_held mmi_endings_fork
counts/live_pages.c old[i] - mmi_live_fork() forgets pages that were moving
counts/snapshots.c taking mmi_snapshots_clear
events/events.c h->ending - the stream is the parent's
events/events.c r->state - the stream is the parent's
events/events.c starting leave
events/in_process.c lock mmi_in_process_drop
file/out.c writing mmi_out_fork
hooks/collector.c mmi_collector_ready - set once, before anything else
hooks/cxx.c mode - set once
image/image.c mmi_image.growing mmi_image_fork image_start.c
image/image_keep.c mmi_image.growing mmi_image_fork image_start.c
image/image_start.c mmi_image.state mmi_image_fork
leak/leak.c checking mmi_leak_fork
leak/leak_stop.c t->state - the table is of one check
leak/leak_stop.c threads[i].state - the table is of one check
log/log.c b->busy mmi_log_fork
log/log_chunk.c w->busy mmi_log_chunk_fork
log/log_file.c file.at mmi_log_file_fork
log/log_file.c file.state mmi_log_file_fork
process/dump.c kept.busy mmi_dump_fork
record/backing.c b->key - an entry that stays so is one less
record/mapped.c held mmi_mapped_fork
record/times.c moment_due moments_begin
shadow/clock.c mmi_clock_started mmi_clock_fork
thread/ended.c r->state - mmi_thread_fork() clears all rows
thread/resync.c mmi_thread_alone mmi_thread_fork enter.c
T

# FILE NAME of all that is taken by an atomic operation that sets a constant.
found()
{
	local f
	for f in monitor/*/*.[ch]; do
		case $f in
		monitor/attach/* | monitor/consume/* | monitor/launch/* | \
			monitor/base/internal.h | monitor/base/thread.h | \
			monitor/pass/* | monitor/plugin/*) continue ;;
		esac
		perl -0ne 'while (/\b(CAS|SWAP|mmi_thread_hold)\s*\(\s*
			&([\w.>\[\]-]+)\s*(?:,\s*(?:&\w+\s*,\s*)?([^;]*?))?\)/gx) {
			my ($how, $name, $to) = ($1, $2, $3 // "");
			next if $how ne "mmi_thread_hold" &&
				$to !~ /^(1|2|end|self\(|[A-Z][A-Z_]+|&mmi_)/;
			print substr($ARGV, 8), " $name\n" }' "$f"
	done | LC_ALL=C sort -u
}
is "$(found)" "$(cut -d' ' -f 1,2 "$T/table" | LC_ALL=C sort -u)" \
	"each has a row in the table of this test"

# The text of a function.
body()
{
	awk -v f="$2(" 'index($0, f) == 1 { on = 1 } on; /^}/ { on = 0 }' \
		"monitor/$1"
}
while read -r file name function where; do
	[ "$function" = - ] && continue
	[ -z "$where" ] || file=${file%/*}/$where
	name=${name##*[.>]}
	body "$file" "$function" | grep -qw "$name" || echo "$file $name"
done <"$T/table" >"$T/kept"
is "$(cat "$T/kept")" "" "each is let go in the child of a fork"

# Resources that are released by a function that on_fork[] neither lists nor
# calls.
while read -r file _ function _; do
	[ "$function" = - ] && continue
	grep -qw "$function" monitor/process/start.c ||
		[ "$(cat monitor/*/*.c | grep -cw "$function();\|$function(.*);")" \
			-gt 0 ] || echo "$file $function"
done <"$T/table" >"$T/alone"
is "$(cat "$T/alone")" "" "... by a function that is called there"

# No variable is cleared after its memory is unmapped: a child forked between
# the two would use other memory through it.  MMI_ARENA_DROP() clears first.
is "$(perl -0ne 'while (/(?:arena_un(?:map|map_part|reserve)\(|SYS_munmap, )
		([\w>.\[\]-]+),[^;{}]*;\s*\}?\s*(?:STORE\w*\(&)?\1(?:\s*=|,\s*NULL)/gx) {
		my $name = $1;
		print "$ARGV: $name\n" unless /^\t[^\n]*\s\*\Q$name\E\b[^\n]*;/m }' monitor/{file,memory,leak,log,counts,costs,events,record,chain,hooks,process,base,thread}/*.c)" \
	"" "no variable points to memory that is gone"
done_testing
