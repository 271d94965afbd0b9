#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --export=dhat, loaded by valgrind's dh_view.html in a browser without a
# window: the figures at the root of the page are mpreduce's.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/export.sh"
for dir in /usr/libexec/valgrind /usr/lib/valgrind /usr/lib/*/valgrind; do
	[ -f "$dir/dh_view.html" ] && view=$dir
done
[ -n "${view:-}" ] || skip_all "no dh_view.html"
browser=$(command -v chromium || command -v google-chrome) ||
	skip_all "no chromium"
cp "$view"/dh_view.* .
export HOME=$T XDG_CONFIG_HOME=$T XDG_CACHE_HOME=$T
runs

# show FILE [SORT]: the page's text, once FILE was given to its file chooser,
# and sorted by the metric of that number.  The browser's own reader takes a
# while, and its virtual time may be over before.
show()
{
	{
		cat dh_view.html
		echo '<script>window.addEventListener("load", () => {'
		echo "const it = $(sed 's:</:<\\/:g' "$1");"
		cat <<-JS
		window.FileReader = class {
			readAsText() {
				this.onload({ target: { result: JSON.stringify(it) } });
			}
		};
		const d = new DataTransfer();
		d.items.add(new File([JSON.stringify(it)], "$1"));
		gInput.files = d.files;
		gInput.dispatchEvent(new Event("change"));
		gSelect.selectedIndex = ${2:-0};
		gSelect.dispatchEvent(new Event("change"));
		});</script>
		JS
	} >page.html
	timeout "$HANG" "$browser" --headless --no-sandbox --disable-gpu \
		--virtual-time-budget=10000 --dump-dom "file://$T/page.html" \
		2>browser.err | perl -0pe 's/<script.*?<\/script>//gs;
			s/<[^>]*>//g; s/&lt;/</g; s/&gt;/>/g; s/&amp;/&/g'
}

# commas N
commas()
{
	printf '%s\n' "$1" | sed ':a; s/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/; ta'
}

for run in $RUNS; do
	[[ $run = @(widgets|boxes) ]] || exhaustive || continue
	figures "$run"
	export_to dhat "$run" || ok 1 "$run: written"
	jq -e '[.pps[].fs[]] | max < 1000000' "$run.dhat" >/dev/null
	ok $? "$run: it is JSON"
	show "$run.dhat" >text
	root=$(grep -n -m1 'PP 1/1' text | cut -d: -f1)
	[ -n "$root" ] || { ok 1 "$run: shown"; diag "$(tail -n 20 text)"; continue; }
	sed -n "$root,$((root + 8))p" text >top
	like "$(cat top)" "Total: +$(commas "$(want bytes)") bytes [(]100%, [^ ]* in $(commas "$(want allocs)") blocks [(]100%," \
		"$run: Total"
	like "$(cat top)" "At t-gmax: $(commas "$(want peak)") bytes [(]100%[)] in $(commas "$(want peak-blocks)") blocks" \
		"$run: At t-gmax"
	like "$(cat top)" "At t-end: +$(commas "$(want live)") bytes [(][0-9]+%[)] in $(commas "$(want live-blocks)") blocks" \
		"$run: At t-end"
	if knows reads; then
		like "$(cat top)" "Reads: +$(commas "$(want reads)") bytes" "$run: Reads"
		like "$(cat top)" "Writes: +$(commas "$(want writes)") bytes" "$run: Writes"
		like "$(cat text)" "Mode: +heap, .*numbers of accesses, not bytes" "$run: ... which says what they are"
	else
		is "$(grep -c 'Reads:' top)" 0 "$run: no accesses, no word of them"
	fi
done
is "$(echo "$RUNS" | grep -c boxes)" 1 "accesses were among these"

# A site with its frames, innermost first; the page is sorted by another metric.
show widgets.dhat 9 >text
like "$(cat text)" "DHAT Viewer - widgets.dhat - At t-end [(]bytes[)]" "by what was kept"
like "$(tr -s ' \n' '  ' <text)" "Total: 1,023,876 bytes [(]50.19%, [^ ]* in 5,019 blocks [(]50.19%, [^ ]* avg size 204 bytes" "a site"
like "$(cat text)" "#2: 0x[0-9A-F]+: make_red_widget [(]widgets.c:[0-9]+[)]" "a frame"
like "$(tr -s ' \n' '  ' <text)" "#1: 0x[0-9A-F]+: make_widget " "the innermost first"
like "$(tr -s ' \n' '  ' <text)" "At t-end: 1,023,876 bytes [(]100%[)] in 5,019 blocks [(]100%[)], avg size 204 bytes" "... and its end"
is "$(jq '.pps[] | select(.ebk == 0) | .tl >= 0' widgets.dhat)" true "lifetimes of blocks that were freed"

# The same call path, once from main and once with its outer part unknown, is
# two.
cat >desc <<'EOF1'
run program /tmp/prog
run pid 5
run length 5000000000
run end exit
module p /tmp/prog exe at 0x400000 0x500000 0
chain red p:0x401008 p:0x401018
alloc red 100 50 20
EOF1
"$MEMMON_BUILD/tests/monmake" <desc >some.out
"$CC" -nostdlib -static -no-pie \
	-Wl,-Ttext=0x401000,-e,main,--build-id=none -o some \
	"$MEMMON_SRC/tests/golden/prog.s"
export_to dhat some
is "$(jq -r '.pps | map(.fs | tostring) | length - (unique | length)' some.dhat)" 0 "no chain twice"
done_testing
