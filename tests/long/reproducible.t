#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Two builds in two places have the same bytes: make dist, and the files of make
# install, by one job and by several.  The installed files also work with the
# flags of Debian's packages, with LTO, and with another prefix.
. "${MEMMON_SRC:-.}/tests/tap.sh"
command -v git >/dev/null || skip_all 'no git'
git -C "$MEMMON_SRC" rev-parse HEAD >/dev/null 2>&1 || skip_all 'no repository'

# place DIR: puts the source of the last commit into DIR, as in a release.
place()
{
	mkdir -p "$1" && tar -xzf dist.tar.gz -C "$1" --strip-components=1
}

# built DIR MAKE-ARGUMENT...: built and installed there, into DIR.is.
built()
{
	local dir=$1
	shift
	if ! make -s -C "$dir" "$@" install DESTDIR="$PWD/$dir.is" >log 2>&1; then
		diag "$(tail -n 20 log)"
		return 1
	fi
}

for n in 1 2; do
	make -s -C "$MEMMON_SRC" dist O="$PWD/dist$n" >/dev/null 2>&1
done
cmp dist1/*.tar.gz dist2/*.tar.gz
ok $? "make dist twice"
cp dist1/*.tar.gz dist.tar.gz
place a
place elsewhere/further/b
unset CFLAGS
built a -j1 prefix=/usr
ok $? "built without git"
built elsewhere/further/b -j"$(nproc)" prefix=/usr
ok $? "in another place, by several jobs"
for d in a elsewhere/further/b; do
	(cd "$d.is" && find . -type f -exec sha256sum {} + | sort -k 2) >"${d##*/}.sums"
done
is_file b.sums a.sums "the same bytes"
[ "$(wc -l <a.sums)" -gt 20 ]
ok $? "... of all files"
is "$(grep -rl "$PWD" a.is)" "" "no file has the place in it"

# works DIR PREFIX: the files installed there work.
works()
{
	local bin=$PWD/$1.is$2/bin
	"$bin/memmon" -q -o "$1.out" sort /etc/services >/dev/null &&
		"$bin/mpreduce" -b -p "$1.out" >"$1.table" 2>/dev/null &&
		grep -q 'Direct' "$1.table"
}
works a /usr
ok $? "it works where it was put"

exhaustive || { done_testing; exit; }
if command -v dpkg-buildflags >/dev/null; then
	place hardened
	export DEB_BUILD_MAINT_OPTIONS=hardening=+all
	built hardened -j"$(nproc)" prefix=/opt/x \
		CFLAGS="$(dpkg-buildflags --get CPPFLAGS) $(dpkg-buildflags --get CFLAGS)" \
		LDFLAGS="$(dpkg-buildflags --get LDFLAGS)"
	ok $? "with all hardening flags"
	works hardened /opt/x
	ok $? "... it works"
	unset DEB_BUILD_MAINT_OPTIONS
else
	skip 2 "no dpkg-buildflags"
fi
place lto
built lto -j"$(nproc)" CFLAGS='-O2 -g -flto=auto'
ok $? "with LTO"
works lto /usr/local
ok $? "... it works"
done_testing
