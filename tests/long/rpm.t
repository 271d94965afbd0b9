#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The packages for rpm: rpmlint finds no errors in the specification, and
# rpmbuild's packages of a release contain all files, and work.
. "${MEMMON_SRC:-.}/tests/tap.sh"
spec=$MEMMON_SRC/.ci/memmon.spec
is "$(sed -n 's/^Version: *//p' "$spec")" \
	"$(sed -n 's/^VERSION.*:= //p' "$MEMMON_SRC/Makefile")" "its version"
if command -v rpmlint >/dev/null; then
	rpmlint "$spec" >lint 2>&1
	is "$(grep -c ': E: ' lint)" 0 "rpmlint" || diag "$(cat lint)"
else
	skip 1 "no rpmlint"
fi
command -v rpmbuild >/dev/null && command -v cpio >/dev/null || {
	skip 4 "no rpmbuild, or no cpio"
	done_testing
	exit
}
git -C "$MEMMON_SRC" rev-parse HEAD >/dev/null 2>&1 || {
	skip 4 "no repository"
	done_testing
	exit
}
make -s -C "$MEMMON_SRC" dist O="$T/dist" >/dev/null
# Where rpm isn't the system's own it knows of no packages to build with.
unset CFLAGS
rpmbuild --define "_topdir $T/rpm" --nodeps --nocheck -tb dist/*.tar.gz \
	>log 2>&1
ok $? "rpmbuild" || diag "$(tail -n 30 log)"
is "$(ls rpm/RPMS/*/ | sed 's/-[0-9].*//' | sort | tr '\n' ' ')" \
	"memmon memmon-compiler-plugins memmon-devel memmon-runtime " "packages" ||
	diag "$(ls rpm/RPMS/*)"
mkdir root
for f in rpm/RPMS/*/*.rpm; do
	rpm2cpio "$f" | (cd root && cpio -idm --quiet)
done
# Below another root memmon looks in ../lib, not in lib64.
mkdir -p root/usr/lib
cp -a root/usr/lib64/libmemmon*.so* root/usr/lib
root/usr/bin/memmon -q -o sort.out sort /etc/services >/dev/null &&
	root/usr/bin/mpreduce -b -p sort.out >table 2>/dev/null
ok $? "what is in them works"
like "$(cat table)" "Direct" "... with its tables"
done_testing
