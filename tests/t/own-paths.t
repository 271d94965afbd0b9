#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Call paths by the program's own lines, innermost first (--paths=own), which is
# the form of tables on a terminal.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
cat >own.cc <<'C'
#include <functional>
#include <map>
#include <string>
#include <vector>
struct Item { long v[6]; };
static std::vector<Item *> kept;
static std::map<int, std::string> names;
__attribute__((noinline)) static void item(int n)
{
	for (int i = 0; i < n; i++)
		kept.push_back(new Item());
}
__attribute__((noinline)) static void name(int i)
{
	names[i] = std::string(100, 'x');
}
__attribute__((noinline)) static void both(int n)
{
	item(n);
	for (int i = 0; i < n; i++)
		name(i);
}
int main()
{
	both(100);
	item(10);
	kept.clear();
	kept.shrink_to_fit();
	return 0;
}
C
"${CXX:-g++}" -g -O0 -std=c++17 -o own own.cc || skip_all 'no C++ compiler'
"$MEMMON" -q -l ./own

"$MPREDUCE" --peak -b --paths=own --names=short own >peak
like "$(cat peak)" ' 100   item [(]own\.cc:11[)]  ~Item < both [(]own\.cc:19[)] < main [(]own\.cc:25[)]' \
	'a line, the type, who called it'
like "$(cat peak)" '10   item [(]own\.cc:11[)]  ~Item < main [(]own\.cc:26[)]' \
	'another caller is another row'
like "$(cat peak)" 'name [(]own\.cc:15[)] > \[std\]' 'code of libstdc++ is folded'
is "$(sed 's/  ~.*//' peak | grep -c 'std::')" 0 '... and not named'

# The same figures for every way to group paths.
for table in -L --leaks=kept --peak --lifetimes; do
	for how in own all; do
		"$MPREDUCE" $table -b --verbose --paths=$how own >$how.table
		grep -E '^ +[0-9]+ ' $how.table | awk '!/TOTAL/ { n += $1; b += $3 }
			END { print (NR > 0), n }' >$how.sum
	done
	[ "$table" = --peak ] && continue # shares, rounded
	is "$(cat own.sum)" "$(cat all.sum)" "$table: rows add up to the same"
	like "$(cat own.sum)" '^1 [1-9]' "... and there are some"
done
is "$("$MPREDUCE" --peak -b --paths=own own | grep TOTAL)" \
	"$("$MPREDUCE" --peak -b own | grep TOTAL)" "--peak: the same total"
is "$("$MPREDUCE" --peak -b own)" "$("$MPREDUCE" --peak -b --paths=all own)" \
	"not in a pipe"

# On a terminal; the name of the source line is never shortened.
if command -v script >/dev/null; then
	for columns in 60 80 100 200; do
		COLUMNS=$columns script -qc \
			"'$MPREDUCE' --no-pager --color=never --peak own" /dev/null \
			</dev/null | tr -d '\r' >seen
		is "$(grep -c 'item (own\.cc:11)' seen)" 3 \
			"$columns columns: the line is whole"
		is "$(awk -v n=$columns 'length > n && /own.cc/' seen)" "" \
			"... and no row is longer"
	done
	for option in --full --paths=all --line --paths=offsets; do
		script -qc "'$MPREDUCE' --no-pager --color=never --peak $option own" \
			/dev/null </dev/null >seen
		ok "$([ "$(grep -c '|| > main' seen)" -gt 1 ]; echo $?)" \
			"$option has whole paths"
	done
else
	skip 12 'no script(1)'
fi
done_testing
