#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --export=folded, speedscope, firefox: what flame graphs are made from adds up,
# and is as the readers want it.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/export.sh"
runs

# flames FILE: reads it as flamegraph.pl does: the last blank parts the number,
# semicolons part the frames.  Prints the sum, and what lies below each root.
flames()
{
	perl -ne '
		chomp;
		my ($stack, $n) = /^(.*)\s+?(\d+(?:\.\d*)?)$/ or die "line: $_\n";
		die "two numbers: $_\n" if $stack =~ /\s\d+(\.\d*)?$/;
		my @frames = split /;/, $stack, -1;
		die "empty frame: $_\n" if !@frames || grep { !length } @frames;
		$all += $n; $root{$frames[0]} += $n;
		END { print "all $all\n";
		      print "$_ $root{$_}\n" for sort keys %root }' "$@"
}

# The rules of the schema.
cat >speedscope.jq <<'EOF1'
."$schema" == "https://www.speedscope.app/file-format-schema.json" and
(.exporter | test("^mpreduce@")) and .activeProfileIndex == 0 and
(.shared.frames | all(.[]; (.name | type == "string") and
	((has("line") | not) or (has("file") and (.line > 0))))) and
(.shared.frames | length) as $n |
(.profiles | length > 0 and all(.[]; .type == "sampled" and
	(.name | type == "string") and (.unit == "bytes" or .unit == "none") and
	.startValue == 0 and .endValue == (.weights | add // 0) and
	(.samples | length) == (.weights | length) and
	all(.weights[]; . > 0) and
	all(.samples[]; length > 0 and all(.[]; . >= 0 and . < $n))))
EOF1

# The rules of a processed profile of version 61.
cat >firefox.jq <<'EOF1'
def even: . as $t | [to_entries[] | select(.value | type == "array")] |
	all(.[]; (.value | length) == $t.length);
def below(n): . == null or (. >= 0 and . < n);
.meta.preprocessedProfileVersion == 61 and .meta.symbolicated and
(.meta.categories | any(.color == "grey")) and
(.meta.initialVisibleThreads | length) == (.threads | length) and
.shared as $s | (.libs | length) as $libs |
([$s.stackTable, $s.frameTable, $s.funcTable, $s.resourceTable,
	$s.nativeSymbols, $s.sources] | all(.[]; even)) and
($s.stackTable.prefix | to_entries | all(.[]; .value == null or .value < .key)) and
all($s.stackTable.frame[]; below($s.frameTable.length)) and
all($s.frameTable.func[]; below($s.funcTable.length)) and
all($s.funcTable.name[]; below($s.stringArray | length)) and
all($s.funcTable.resource[]; . == -1 or below($s.resourceTable.length)) and
all($s.funcTable.source[]; below($s.sources.length)) and
all($s.sources.filename[]; below($s.stringArray | length)) and
all($s.resourceTable.lib[]; below($libs)) and
all(.threads[]; (.pid | type == "string") and (.samples | even) and
	(.markers | even) and (.samples.weightType | . == "bytes" or . == "samples") and
	all(.samples.stack[]; below($s.stackTable.length))) and
([.threads[].tid] | length == (unique | length))
EOF1

what()
{
	"$MPREDUCE" --export=list | sed -n 's/^METRIC is one of: //p'
}
is "$(what)" "$METRICS" "the metrics, as --export=list has them"

for run in $RUNS; do
	figures "$run"
	export_to speedscope "$run"
	export_to firefox "$run"
	is "$(jq -f speedscope.jq "$run.speedscope")" true "$run: speedscope: its schema"
	is "$(jq -f firefox.jq "$run.firefox")" true "$run: firefox: its tables"
	mapfile -t scopes < <(jq '.profiles[] | .weights | add // 0' "$run.speedscope")
	mapfile -t foxes < <(jq '.threads[] | .samples.weight | add // 0' "$run.firefox")
	i=0
	for metric in $METRICS; do
		if ! knows $metric; then
			export_to folded:$metric "$run" 2>err
			is "$?" 1 "$run: $metric isn't known"
			like "$(cat err)" "^mpreduce: --export=folded:$metric: accesses " "... why"
			[ ! -e "$run.folded" ]
			ok $? "... and there is no file"
			continue
		fi
		if exhaustive || [ "$run" = boxes ] || [ "$run" = widgets ]; then
			export_to folded:$metric "$run"
			flames "$run.folded" >got
			is "$(sed -n 's/^all //p' got | sed 's/^$/0/')" \
				"$(want $metric)" "$run: folded: $metric"
			rm -f "$run.folded"
		fi
		is "${scopes[i]:-}" "$(want $metric)" "$run: speedscope: $metric"
		is "${foxes[i]:-}" "$(want $metric)" "$run: firefox: $metric"
		i=$((i + 1))
	done
	is "${#scopes[@]} ${#foxes[@]}" "$i $i" "$run: nothing else"
done

is "$("$MPREDUCE" --export=folded ./widgets widgets.out)" \
"main;make_red_widget;make_widget 1023876
main;make_blue_widget;make_widget 1016124" "folded, as a whole"
is "$("$MPREDUCE" --export=folded ./parse parse.out | flames | sed -n 's/^main //p')" 360 \
	"recursion: all below main"
is "$("$MPREDUCE" --export=folded ./crew crew.out | grep '^hand;make ')" "hand;make 910000" \
	"threads have no main"
# speedscope's stacks by names, and Firefox's, are the folded ones.
by_names='.shared.frames as $f | .profiles[0] | [.samples, .weights] | transpose[] |
	([.[0][] | $f[.].name] | join(";")) + " \(.[1])"'
is "$(jq -r "$by_names" stairs.speedscope | sort)" \
	"$("$MPREDUCE" --export=folded ./stairs stairs.out | sort)" "speedscope: stacks"
by_names='.shared as $s | def up: if . == null then empty else
	($s.stackTable.prefix[.] | up), $s.stringArray[$s.funcTable.name[$s.frameTable.func[
	$s.stackTable.frame[.]]]] end;
	.threads[0].samples | [.stack, .weight] | transpose[] |
	([.[0] | up] | join(";")) + " \(.[1])"'
sums='{ n = $NF; sub(/ [0-9]+$/, ""); v[$0] += n } END { for (s in v) print s, v[s] }'
is "$(jq -r "$by_names" parse.firefox | awk "$sums" | sort)" \
	"$("$MPREDUCE" --export=folded ./parse parse.out | awk "$sums" | sort)" "Firefox: stacks"

# Names that would be something else there.
cat >odd.c <<'C'
#include <stdlib.h>
void *one(void) __asm__("semi;colon 12");
__attribute__((noinline)) void *one(void) { return malloc(77); }
int main(void) { static void *volatile p; p = one(); return !p; }
C
if "$CC" -g -O0 odd.c -o odd 2>/dev/null && "$MEMMON" -o odd.out ./odd; then
	is "$("$MPREDUCE" --export=folded ./odd odd.out)" "main;semi:colon_12 77" \
		"a semicolon and a number in a name" ||
		"$MPREDUCE" --export=folded ./odd odd.out | flames
else
	skip 1 "such names can't be"
fi
# Lines, when they are asked for.
like "$("$MPREDUCE" -l --export=folded ./widgets widgets.out)" \
	"^main [(]widgets.c:[0-9]+[)];make_red_widget [(]widgets.c:[0-9]+[)];make_widget [(]widgets.c:[0-9]+[)] 1023876" "-l"
done_testing
