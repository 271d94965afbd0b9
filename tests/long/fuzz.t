#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# libFuzzer on data files, programs and the command line, a minute each
# (MEMMON_FUZZ: seconds).
TAP_LIMIT=7200
. "${MEMMON_SRC:-.}/tests/tap.sh"
seconds=${MEMMON_FUZZ:-60}

command -v clang >/dev/null || skip_all "no clang"
cat >try.c <<'EOF1'
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return (void)data, (void)size, 0;
}
EOF1
clang -fsanitize=fuzzer,address,undefined -o try try.c 2>log ||
	skip_all "clang has no libFuzzer"
unset MAKEFLAGS MFLAGS CFLAGS
make -s -C "$MEMMON_SRC" O="$MEMMON_BUILD" fuzz FUZZ_SECONDS="$seconds" \
	>out 2>&1
ok $? "libFuzzer finds nothing" || diag "$(tail -n 60 out)"
diag "$(grep ' inputs, ' out)"
for kind in load elf image options; do
	n=$(sed -n "s/^$kind: \([0-9]*\) inputs.*/\1/p" out)
	[ "${n:-0}" -gt 1000 ]
	ok $? "$kind: inputs were tried"
done
done_testing
