#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --export=otlp, decoded by protoc: only fields of the schema, indices that lead
# to a row, each row once and used, mpreduce's sums, and the same samples as
# --export=pprof, stack by stack.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/export.sh"
command -v protoc >/dev/null || skip_all "no protoc"
runs

# The fields of opentelemetry-proto 1.11 (v1development) that this test needs,
# and those of pprof.
cat >otlp.proto <<'P'
syntax = "proto3";
message Request { repeated Of of = 1; Dictionary dictionary = 2; }
message Of { Resource resource = 1; repeated Scoped scoped = 2; }
message Resource { repeated Pair attributes = 1; }
message Pair { string key = 1; Any value = 2; }
message Any { oneof v { string text = 1; int64 number = 3; } }
message Scoped { Scope scope = 1; repeated Profile profiles = 2; }
message Scope { string name = 1; string version = 2; }
message Profile {
	Type type = 1; repeated Sample samples = 2; fixed64 time = 3;
	uint64 length = 4; Type period_type = 5; int64 period = 6;
	repeated int32 attributes = 11;
}
message Type { int32 type = 1; int32 unit = 2; }
message Sample {
	int32 stack = 1; repeated int32 attributes = 2; repeated int64 values = 4;
}
message Dictionary {
	repeated Mapping mappings = 1; repeated Location locations = 2;
	repeated Function functions = 3; repeated Link links = 4;
	repeated string strings = 5; repeated Attribute attributes = 6;
	repeated Stack stacks = 7;
}
message Mapping {
	uint64 start = 1; uint64 end = 2; uint64 offset = 3; int32 file = 4;
	repeated int32 attributes = 5;
}
message Location {
	int32 mapping = 1; uint64 address = 2; repeated Line lines = 3;
}
message Line { int32 function = 1; int64 line = 2; }
message Function { int32 name = 1; int32 system = 2; int32 file = 3; int64 line = 4; }
message Link { bytes trace = 1; bytes span = 2; }
message Attribute { int32 key = 1; Any value = 2; int32 unit = 3; }
message Stack { repeated int32 locations = 1; }
P
cat >pprof.proto <<'P'
syntax = "proto3";
message Pprof {
	repeated Type types = 1; repeated Sample samples = 2;
	repeated Mapping mappings = 3; repeated Location locations = 4;
	repeated Function functions = 5; repeated string strings = 6;
	int64 time = 9; int64 length = 10; Type period_type = 11;
	int64 period = 12; repeated int64 comments = 13; int64 usual = 14;
}
message Type { int64 type = 1; int64 unit = 2; }
message Sample {
	repeated uint64 path = 1; repeated int64 values = 2; repeated Label labels = 3;
}
message Label { int64 key = 1; int64 text = 2; int64 number = 3; int64 unit = 4; }
message Mapping {
	uint64 id = 1; uint64 start = 2; uint64 end = 3; uint64 offset = 4;
	int64 file = 5; int64 build_id = 6; bool functions = 7; bool files = 8;
	bool lines = 9; bool inlined = 10;
}
message Location {
	uint64 id = 1; uint64 mapping = 2; uint64 address = 3; repeated Line lines = 4;
}
message Line { uint64 function = 1; int64 line = 2; }
message Function {
	uint64 id = 1; int64 name = 2; int64 system = 3; int64 file = 4; int64 line = 5;
}
P

# decode FORMAT RUN: to RUN.FORMAT.txt.
decode()
{
	local message=Request
	[ "$1" = otlp ] || message=Pprof
	gzip -dc "$2.$1" | protoc --decode=$message "$1.proto" >"$2.$1.txt"
}

for run in $RUNS; do
	figures "$run"
	mv "$run" gone
	mv gone "$run"
	export_to otlp "$run"
	ok $? "$run: written"
	cp "$run.otlp" first && export_to otlp "$run"
	is_file "$run.otlp" first "... the same each time"
	export_to pprof "$run"
	decode otlp "$run"
	ok $? "... decoded"
	decode pprof "$run"
	is "$(grep -cE '^ *[0-9]+[: ]' "$run.otlp.txt")" 0 "... no other fields" ||
		diag "$(grep -E '^ *[0-9]+[: ]' "$run.otlp.txt" | head)"
	perl "$MEMMON_SRC/tests/otlp.pl" "$run.otlp.txt" "$run.pprof.txt" >got 2>err
	is "$(cat err)" "" "... whole, without duplicates" || diag "$(head err)"
	is "$(sed -n 's/^differ //p' got)" 0 "... the samples of pprof"
	: >want
	for pair in kept:inuse_space allocs:alloc_objects bytes:alloc_space \
		kept-blocks:inuse_objects peak-blocks:peak_objects peak:peak_space \
		reads:reads writes:writes; do
		knows "${pair%:*}" || continue
		echo "${pair#*:} $(want "${pair%:*}")" >>want
	done
	sed -n 's/^sum //p' got >sums
	is_file sums want "... its sums"
	is "$(sed -n 's/^service.name //p' got)" "$run" "... and its name"
done
is "$(echo "$RUNS" | grep -c boxes)" 1 "accesses were among these" ||
	diag "no plugin for $CXX"
like "$(cat widgets.otlp.txt)" 'key: "process.command_line"' "the command"
like "$(cat crew.otlp.txt)" 'text: "hand 3"' "a thread's name"

MEMMON_SAMPLE_SEED=1 "$MEMMON" --sample=512 -o some.out ./widgets
"$MPREDUCE" --export=otlp -o some.otlp ./widgets some.out
decode otlp some
like "$(cat some.otlp.txt)" 'text: "sampled: every 512 bytes on average, [1-9][0-9]* blocks recorded, figures are estimates' \
	"estimates are said to be"
is "$(grep -c '^ *period: 512$' some.otlp.txt)" 6 "... in each profile"
done_testing
