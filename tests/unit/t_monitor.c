/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The monitor's DWARF expressions, file names and records. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "monitor/chain/cfi.c"
#undef load
#include "monitor/base/emit.c"
#include "monitor/chain/expr.c"
#include "monitor/store/name.c"
#include "reduce/base/crc32.h"
#include "tests/tap.h"

struct mmi_process mmi_process;

static bool
reader(void *arg, uintptr_t addr, uint64_t *v)
{
	(void)arg;
	if (addr % 8 || addr > 0x2000)
		return false;
	*v = addr * 2;
	return true;
}

/* The value of an expression, or -1 when it is refused. */
static int64_t
eval(const char *bytes, size_t n)
{
	static const uintptr_t reg[ARCH_NREG] = {
		[6] = 0x1000, [7] = 0x800, [16] = 0x40000b
	};
	uintptr_t init = 77;
	uint64_t v;

	if (!mmi_expr_eval((const uint8_t *)bytes, n, reg,
			   1u << 6 | 1u << 7 | 1u << 16, &init, reader, NULL,
			   &v))
		return -1;
	return (int64_t)v;
}
#define EVAL(s) eval(s, sizeof(s) - 1)

static void
expressions(void)
{
	is_int(EVAL(""), 77, "nothing: what was pushed first");
	is_int(EVAL("\x76\x78"), 0x1000 - 8, "breg6 -8");
	is_int(EVAL("\x76\x78\x06"), (0x1000 - 8) * 2, "breg6 -8, deref");
	is_int(EVAL("\x30\x4f\x22"), 31, "lit0 lit31 plus");
	is_int(EVAL("\x08\xff\x09\xff\x22"), 254,
	       "const1u 255 const1s -1 plus");
	is_int(EVAL("\x0c\x01\x00\x00\x80"), 0x80000001, "const4u");
	is_int(EVAL("\x10\xe5\x8e\x26"), 624485, "constu");
	is_int(EVAL("\x11\x7f\x23\x05"), 4, "consts -1 plus_uconst 5");
	/* The expression of a PLT slot: sp + 8 + (ip & 15 >= 11) * 8. */
	is_int(EVAL("\x77\x08\x80\x00\x3f\x1a\x3b\x2a\x33\x24\x22"),
	       0x800 + 8 + 8, "the procedure linkage table's");
	is_int(EVAL("\x32\x33\x1c"), -1 & ~0L, "lit2 lit3 minus");
	is_int(EVAL("\x31\x28\x01\x00\x30\x45"), 21, "bra skips one");
	is_int(EVAL("\x73\x00"), -1, "a register that isn't known");
	is_int(EVAL("\x22\x22"), -1, "an empty stack");
	is_int(EVAL("\x2f\xfd\xff"), -1, "an endless loop ends");
	is_int(EVAL("\x0a\x01\x30\x06"), -1, "memory that isn't there");
	is_int(EVAL("\xff"), -1, "an unknown operation");
}

static const char *
name(const char *pattern, bool child, bool exec)
{
	static char to[64];
	bool has_pid;

	mmi_process = (struct mmi_process){ .pid = 4321,
					    .child = child,
					    .exe = "/usr/bin/prog",
					    .cwd = "/home/me",
					    .pattern = pattern,
					    .start = 1700000000999999999ull };
	return mmi_name_expand(to, sizeof(to), exec, 0, &has_pid)
		       ? to
		       : "(too long)";
}

static void
names(void)
{
	char host[256] = "", want[300];
	bool has_pid;

	is_str(name("mon.out", false, false), "/home/me/mon.out", "plain");
	is_str(name("mon.out", true, false), "/home/me/mon.out.4321",
	       "a child");
	is_str(name("mon.out", false, true), "/home/me/mon.out.4321.prog",
	       "exec");
	is_str(name("/tmp/%e-%p", true, false), "/tmp/prog-4321",
	       "absolute, with a pid");
	is_str(name("/tmp/%p", false, true), "/tmp/4321.prog", "that and exec");
	is_str(name("%t.%%.%x%", false, false), "/home/me/1700000000.%.%x%",
	       "time, percent signs");
	mmi_name_expand(host, sizeof(host), false, 2, &has_pid);
	is_str(host, "/home/me/1700000000.%.%x%.4321.1", "the third choice");
	name("%p.mon", false, false);
	mmi_name_expand(host, sizeof(host), false, 2, &has_pid);
	is_str(host, "/home/me/4321.mon.2", "... of a name with a pid");
	mmi_name_dump(host, sizeof(host), 7);
	is_str(host, "/home/me/4321.mon.7", "a snapshot");
	mmi_name_beside(host, sizeof(host), "/x", ".", 5, 0, ".live");
	is_str(host, "/x.5.live", "beside a file");
	gethostname(host, sizeof(host) - 1);
	snprintf(want, sizeof(want), "/%s", host);
	is_str(name("/%h", false, false), want, "host");
	is_str(name("012345678901234567890123456789012345678901234567890123456"
		    "7",
		    false, false),
	       "(too long)", "too long is refused");
}

static struct mmi_emit o = MMI_EMIT_FULL;

/* Records as written, read back. */
static void
records(void)
{
	static unsigned char file[300000];
	struct monout_header h;
	struct monout_record r;
	char path[] = "/tmp/memmon-unit.XXXXXX";
	int fd = mkstemp(path), n = 0, bad = 0;
	size_t at = sizeof(h), items = 0;
	ssize_t size;

	unlink(path);
	mmi_emit_begin(&o, fd);
	mmi_emit_table(&o, MONOUT_BINS, 0);
	for (uint64_t i = 0; i < 30000; i++) {
		mmi_emit_item(&o, 3 * MMI_EMIT_NUMBER);
		mmi_emit_number(&o, i);
		mmi_emit_number(&o, i << 20);
		mmi_emit_number(&o, 0);
	}
	mmi_emit_flush(&o);
	mmi_emit_flush(&o);
	ok(!o.failed, "written");
	ok(!mmi_emit_item(&o, MONOUT_PAYLOAD_MAX + 1),
	   "an item that no record holds is refused");
	size = pread(fd, file, sizeof(file), 0);
	memcpy(&h, file, sizeof(h));
	is_int(h.crc, crc32_add(0, &h, 20), "the header's CRC");
	while (at + sizeof(r) <= (size_t)size) {
		memcpy(&r, file + at, sizeof(r));
		bad += r.first != items || r.tag != MONOUT_BINS ||
		       r.length > MONOUT_PAYLOAD_MAX ||
		       r.crc != crc32_add(crc32_add(0, &r, 20),
					  file + at + sizeof(r), r.length);
		items += r.count;
		at += sizeof(r) + r.length;
		n++;
	}
	is_int((long)at, (long)size, "records fill the file");
	is_int((long)items, 30000, "all items are there");
	ok(n > 2 && !bad, "in %d records, each whole", n);
	close(fd);
	o.fd = -1;
	mmi_emit_begin(&o, -1);
	ok(o.failed, "a write that fails is noticed");
}

int
main(void)
{
	expressions();
	names();
	records();
	done_testing();
}
