#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every source file names its licence in its first lines: MIT for code that is
# linked into users' programs, GPL for the rest; and the texts exist.
. "${MEMMON_SRC:-.}/tests/tap.sh"
cd "$MEMMON_SRC" || exit 1

# others LICENCE: of the files named on stdin those that name another licence,
# or none, in their first lines.
others()
{
	xargs perl -e 'my $want = shift;
		for my $file (@ARGV) {
			open my $in, "<", $file or die "$file: $!\n";
			my $head = join "", map { <$in> // "" } 1 .. 4;
			my ($says) = $head =~ /SPDX-License-Identifier: *([^ \n]+)/;
			print "$file\n" if ($says // "") !~ /^(?:$want)$/;
		}' "$1" 2>&1
}

# sources DIR...: files that somebody wrote: by name, or by a #! line.
sources()
{
	find "$@" -type f \( -name '*.[ch]' -o -name '*.cc' -o -name '*.t' \
		-o -name '*.sh' -o -name '*.mk' -o -name '*.in' \
		-o -name '*.pl' -o -name '*.py' \) |
		grep -v '^tests/golden/\|^tests/data/'
	find "$@" -type f ! -name '*.*' -exec grep -lI '^#!' {} +
}

# all LICENCE DIR...: every source in DIR names that licence.
all()
{
	local want=$1
	shift
	sources "$@" | sort -u | others "$want"
}

is "$(all MIT monitor | grep -v '^monitor/plugin/')" "" "monitor/ is MIT"
is "$(all GPL-3.0-or-later reduce display tests .ci monitor/plugin)" "" \
	"reduce/, display/, tests/, .ci/ and gcc's plugin are GPL-3.0-or-later"
is "$(printf '%s\n' Makefile man/*.[1-8] .clang-* | others .+)" "" \
	"the Makefile and the man pages have one"
for name in MIT GPL-3.0-or-later; do
	[ -s "LICENSES/$name.txt" ]
	ok $? "LICENSES/$name.txt"
done
is "$(ls LICENSES | wc -l)" 2 "no other licence"
done_testing
