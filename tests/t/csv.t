#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --export=csv: each table equals that of --json, cell by cell.
. "${MEMMON_SRC:-.}/tests/tap.sh"
B=$MEMMON_BUILD
PROG=$B/tests/prog

# same NAME ARGUMENTS...: CSV and JSON of a profile have the same data.
same()
{
	local name=$1
	shift
	"$B/mpreduce" --json "$@" >json 2>err &&
		"$B/mpreduce" --export=csv:all "$@" >csv 2>err
	is "$?" 0 "$name: both are written" || sed 's/^/# /' err
	is "$(perl "$MEMMON_SRC/tests/csv.pl" json csv 2>counts)" same \
		"$name: and say the same" || sed 's/^/# /' counts
}

if ! perl -MJSON::PP -e 1 2>/dev/null; then
	skip_all "no perl with JSON::PP"
fi

for p in widgets recurse threads sizes lives; do
	MEMMON_OUT=$p.mon "$PROG/$p-mm" >/dev/null 2>&1
	same "$p" "$PROG/$p-mm" "$p.mon"
done
same "call sites" --paths=offsets "$PROG/recurse-mm" recurse.mon
same "a part" --only=size:1..64 "$PROG/sizes-mm" sizes.mon

# Names with commas, quotes, line feeds and bytes that are no UTF-8.
cat >names.c <<'XEOF'
#include <stdlib.h>
void *volatile kept;
__asm__(".text\n.globl odd\n.type odd, @function\nodd:\n"
	"sub $8, %rsp\nmov $24, %edi\ncall malloc@plt\nadd $8, %rsp\nret\n"
	".size odd, . - odd\n");
extern void *odd(void);
int main(void) { kept = odd(); kept = malloc(48); return 0; }
XEOF
if [ "$(uname -m)" = x86_64 ] && $CC -o names names.c 2>err; then
	printf 'odd a,"b"\n' >rename
	cp names names2
	if objcopy --redefine-syms=rename names2 2>err; then
		MEMMON_OUT=names.mon "$B/memmon" ./names2
		same "odd names" ./names2 names.mon
		like "$(cat csv)" 'a,""b""' "and are quoted"
	else
		skip "objcopy can't rename symbols"
	fi
else
	skip "no such assembler here"
fi

# ----------------------------------------------------------------- one table --
m() { "$B/mpreduce" "$@" "$PROG/widgets-mm" widgets.mon; }
is "$(m --export=csv | head -c 11)" "path,start," "without a name: the sites"
is "$(m --export=csv:bins)" "$(printf '%s\r\n' \
	size,allocs,bytes,frees,kept,types \
	'204,10000,2040000,4981,1023876,"[{""name"":""struct widget"",""mark"":""~""}]"')" \
	"one table, and only that" || m --export=csv:bins | sed 's/^/# /'
m --export=csv:totals | perl -F, -lane '@h = @F, next if $. == 1;
	@v{@h} = @F; END { print "$v{allocs} $v{bytes} $v{kept}" }' >totals
is "$(cat totals)" "10000 2040000 1023876" "an object is a table of one row"

m --export=csv:nonsense -o no.csv >out 2>err
is "$?" 1 "a table that isn't there"
like "$(cat err)" 'csv:nonsense: no such table.*sites' "is said, and which are"
is "$(ls no.csv* 2>/dev/null)" "" "and nothing is written"
m --export=csv:sites -o yes.csv
is "$?" 0 "to a file"
is "$(cat yes.csv)" "$(m --export=csv)" "the same is in it"
m --export=csv -o /nonexistent/x.csv 2>err
is "$?" 1 "a directory that isn't there"
like "$(cat err)" '^mpreduce: /nonexistent/x.csv: No such file' "is said"
m --export=csv -o /dev/full 2>err
is "$?" 1 "a full disk"
like "$(cat err)" '^mpreduce: /dev/full: No space left' "is said, too"
done_testing
