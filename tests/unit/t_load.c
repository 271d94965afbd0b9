/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading mon.out: good files, damaged files, and other formats. */
#include "reduce/monout/emit.h"
#include "reduce/monout/mon.h"
#include "reduce/base/err.h"
#include "reduce/base/crc32.h"
#include "reduce/monout/load.h"
#include "reduce/image/open.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <zstd.h>

static struct mon m;
static struct err e;

/* What the file of make() has or lacks, compared with a plain one. */
enum {
	NO_TOTALS = 1,	   /* its last record is missing */
	SMALL_RECORDS = 2, /* an item a record */
	BAD_SITE = 4,	   /* one more site, with more frees than allocs */
	OTHER_SUMS = 8	   /* the totals don't match */
};

static void
make_site(struct emit *f, uint64_t node, uint64_t allocs, uint64_t frees)
{
	emit_number(f, node);
	emit_number(f, 0);
	emit_number(f, 1 << MONOUT_MEDIUM);
	emit_number(f, allocs);
	emit_number(f, allocs * 204);
	emit_number(f, frees);
	emit_number(f, frees * 204);
	emit_item(f);
}

/* Both sites at the peak, the lifetimes of the second's blocks, two threads. */
static void
make_after(struct emit *f)
{
	static const uint64_t life[] = { 1,  4000, 4500, 300, 0, 0, 2, 3,
					 96, 9600, 100,	 100, 6, 1, 96 };
	size_t i;

	emit_open(f, MONOUT_PEAKS, 0);
	for (i = 0; i < 2; i++) {
		emit_number(f, i);
		emit_number(f, i ? 1 : 5000);
		emit_number(f, 204 * (i ? 1 : 5000));
		emit_item(f);
	}
	emit_close(f);
	emit_open(f, MONOUT_LIVES, 0);
	for (i = 0; i < sizeof(life) / sizeof(life[0]); i++)
		emit_number(f, life[i]);
	emit_item(f);
	emit_close(f);
	emit_open(f, MONOUT_THREADS, 0);
	for (i = 0; i < 2; i++) {
		emit_number(f, i ? 0 : MONOUT_TH_MAIN);
		emit_number(f, 1 + i);
		emit_string(f, i ? "worker" : "main", i ? 6 : 4);
		emit_number(f, i ? 4981 : 5019);
		emit_number(f, 204 * (i ? 4981 : 5019));
		emit_number(f, i ? 4981 : 0);
		emit_number(f, 204 * (i ? 4981 : 0));
		emit_number(f, i ? 300 : 0);
		emit_item(f);
	}
	emit_close(f);
}

/* Two modules, three nodes in a row, two sites, one bin, and what follows. */
static void
make(struct emit *f, int what)
{
	static const unsigned char id[] = { 1, 2, 3 };
	uint64_t i;

	memset(f, 0, sizeof(*f));
	f->most = what & SMALL_RECORDS ? 1 : 0;
	emit_header(f, 0);
	emit_open(f, MONOUT_RUN, 0);
	emit_key_string(f, MONOUT_R_COMMAND, "a\0b", 4);
	emit_key_number(f, MONOUT_R_PID, 12345);
	emit_close(f);
	emit_open(f, MONOUT_MODULES, 1);
	for (i = 0; i < 2; i++) {
		emit_number(f, 0x1000);
		emit_number(f, 0x2000);
		emit_number(f, 0x1000);
		emit_number(f, i ? 0 : MONOUT_M_EXE);
		emit_string(f, id, i ? 0 : sizeof(id));
		emit_string(f, i ? "/lib/x" : "/bin/x", 6);
		emit_item(f);
	}
	emit_close(f);
	emit_open(f, MONOUT_NODES, 1);
	for (i = 0; i < 3; i++) {
		emit_number(f, 1);
		emit_number(f, 1 + i % 2);
		emit_number(f, 0x100 * i);
		emit_item(f);
	}
	emit_close(f);
	emit_open(f, MONOUT_SITES, 0);
	make_site(f, 3, 5019, 0);
	make_site(f, 2, 4981, 4981);
	if (what & BAD_SITE)
		make_site(f, 1, 1, 2);
	emit_close(f);
	emit_open(f, MONOUT_BINS, 0);
	emit_number(f, 204);
	emit_number(f, 10000);
	emit_number(f, 4981);
	emit_item(f);
	emit_close(f);
	make_after(f);
	if (what & NO_TOTALS)
		return;
	f->most = 0;
	emit_open(f, MONOUT_TOTALS, 0);
	emit_key_number(f, MONOUT_T_ALLOCS, what & OTHER_SUMS ? 10001 : 10000);
	emit_key_number(f, MONOUT_T_BYTES, 2040000);
	emit_key_number(f, MONOUT_T_NODES, 3);
	emit_key_number(f, MONOUT_T_PEAK, 99);
	emit_key_number(f, MONOUT_T_PEAKS, 2);
	emit_key_number(f, MONOUT_T_LIVES, 1);
	emit_key_number(f, MONOUT_T_THREADS, 2);
	emit_key_number(f, MONOUT_T_PEAK_BYTES, 204 * 5001);
	emit_close(f);
}

static int
load(const struct emit *f, size_t length)
{
	return open_memory(&m, "f", f->data, length, &e);
}

static void
good(int what, const char *name)
{
	struct emit f;

	make(&f, what);
	ok(!f.failed, "%s: written", name);
	is_int(load(&f, f.length), 0, "%s: read", name);
	is_int(m.incomplete, 0, "%s: whole", name);
	is_int(m.nwarning, 0, "%s: no warning", name);
	is_int(m.nmodules, 3, "%s: modules", name);
	is_str(m.modules[1].path, "/bin/x", "%s: path", name);
	is_int(m.modules[1].idlen, 3, "%s: build-id", name);
	is_int(m.modules[1].flags, MONOUT_M_EXE, "%s: flags", name);
	is_int(m.nnodes, 4, "%s: nodes", name);
	is_int(m.nodes[3].parent, 2, "%s: parent", name);
	is_int(m.nodes[3].addr, 0x200, "%s: address", name);
	is_int(m.nsites, 2, "%s: sites", name);
	is_int(m.sites[1].count.frees[MONOUT_MEDIUM], 4981, "%s: frees", name);
	is_int(m.sums.bytes, 2040000, "%s: sum of bytes", name);
	is_int(m.bins[0].size, 204, "%s: bin", name);
	is_int(m.total[MONOUT_T_PEAK], 99, "%s: peak", name);
	is_int(m.peak_bytes, 204 * 5001, "%s: bytes at the peak", name);
	is_int(m.life.temps, 4000, "%s: temps", name);
	is_int(m.life.bin[6], 96, "%s: lifetimes", name);
	is_int(m.nthreads, 2, "%s: threads", name);
	is_str(m.threads[1].name, "worker", "%s: name of one", name);
	is_int(m.run[MONOUT_R_PID].number, 12345, "%s: pid", name);
	is_int(m.run[MONOUT_R_COMMAND].length, 4, "%s: command", name);
	mon_fini(&m);
	emit_fini(&f);
}

/* Expects one warning, which says that totals are lower bounds. */
static void
is_incomplete(const char *name, const char *says)
{
	ok(m.incomplete, "%s: incomplete", name);
	is_int(m.nwarning, 1, "%s: one warning", name);
	ok(m.nwarning && strstr(m.warning[0], says), "%s: it says %s: %s", name,
	   says, m.nwarning ? m.warning[0] : "");
}

static void
damaged(void)
{
	struct emit f;
	size_t nodes;

	make(&f, NO_TOTALS);
	is_int(load(&f, f.length), 0, "no totals");
	is_incomplete("no totals", "f: truncated after");
	is_int(m.nsites, 2, "no totals: sites");
	mon_fini(&m);
	emit_fini(&f);

	make(&f, BAD_SITE);
	is_int(load(&f, f.length), 0, "an impossible site");
	is_incomplete("an impossible site", "1 impossible");
	is_int(m.nsites, 2, "an impossible site: sites");
	mon_fini(&m);
	emit_fini(&f);

	make(&f, OTHER_SUMS);
	is_int(load(&f, f.length), 0, "other sums");
	is_incomplete("other sums", "damaged: ");
	mon_fini(&m);
	emit_fini(&f);

	/* Damages the second node's record: its child is an orphan. */
	make(&f, SMALL_RECORDS);
	for (nodes = sizeof(struct monout_header);
	     memcmp(f.data + nodes, "NODE\1\0\0\0\2", 9); nodes++)
		;
	f.data[nodes + 20] ^= 0x80;
	is_int(load(&f, f.length), 0, "a lost node");
	is_incomplete("a lost node",
		      "1 damaged record left out; read 2 "
		      "modules, 2 of 3 nodes, 2 sites, 1 bins, 2 peaks, "
		      "1 lives, 2 threads: totals");
	is_int(m.nodes[2].parent, MON_MISSING, "a lost node: missing");
	is_int(m.nodes[3].parent, MON_ORPHAN, "a lost node: orphan");
	is_int(m.sites[1].node, 0, "a lost node: site without chain");
	is_int(m.sums.allocs, 10000, "a lost node: all counts are there");
	mon_fini(&m);
	emit_fini(&f);
}

/* A sum of all that is read; more bytes of the file never make it smaller. */
static uint64_t
amount(void)
{
	return m.sums.allocs + m.sums.bytes + m.peak_blocks + m.peak_bytes +
	       m.life.near + m.life.weight + m.thread_sums.allocs +
	       m.thread_sums.reallocs;
}

/*
 * Truncated anywhere: more bytes give more items; never an error, only a
 * warning.
 */
static void
every_cut(void)
{
	struct emit f;
	unsigned bad = 0;
	uint64_t before = 0;
	size_t i;

	make(&f, SMALL_RECORDS);
	for (i = 0; i < f.length; i++) {
		unsigned char *copy = malloc(i + !i);

		/* A buffer of exactly that size, for the sanitizers. */
		memcpy(copy, f.data, i);
		if (open_memory(&m, "f", copy, i, &e)) {
			bad += i >= sizeof(struct monout_header);
		} else {
			bad += i < sizeof(struct monout_header) ||
			       !m.incomplete || m.nwarning != 1 ||
			       amount() < before;
			before = amount();
			mon_fini(&m);
		}
		free(copy);
	}
	is_int(bad, 0, "truncated after any byte");
	is_int(before,
	       10000 + 2040000 + 5001 + 204 * 5001 + 4500 + 96 + 10000 + 3,
	       "nothing is lost for a byte less");
	emit_fini(&f);
}

/* One bit changed anywhere: never more data than the file has. */
static void
every_bit(void)
{
	struct emit f;
	unsigned silent = 0, more = 0;
	uint64_t all;
	size_t i;

	make(&f, 0);
	load(&f, f.length);
	all = amount();
	mon_fini(&m);
	for (i = 0; i < f.length * 8; i++) {
		f.data[i / 8] ^= 1 << i % 8;
		if (!load(&f, f.length)) {
			silent += !m.incomplete;
			more += amount() > all;
			mon_fini(&m);
		}
		f.data[i / 8] ^= 1 << i % 8;
	}
	is_int(silent, 0, "no changed bit goes unseen");
	is_int(more, 0, "none makes more of it");
	emit_fini(&f);
}

/* Records with the right form and absurd values. */
static void
hostile(void)
{
	static const uint64_t numbers[] = { 0,
					    1,
					    2,
					    3,
					    127,
					    128,
					    UINT32_MAX - 1,
					    UINT32_MAX,
					    UINT32_MAX + 1ull,
					    INT64_MAX,
					    UINT64_MAX - 1,
					    UINT64_MAX };
	static const uint32_t tags[] = { MONOUT_RUN,   MONOUT_MODULES,
					 MONOUT_NODES, MONOUT_SITES,
					 MONOUT_BINS,  MONOUT_PEAKS,
					 MONOUT_LIVES, MONOUT_THREADS,
					 MONOUT_TOTALS };
	enum {
		N = sizeof(numbers) / sizeof(numbers[0]),
		TAGS = sizeof(tags) / sizeof(tags[0])
	};
	struct emit f;
	uint64_t state = 1;
	unsigned bad = 0, taken[3] = { 0 };
	int turn, i, k;

	for (turn = 0; turn < 20000; turn++) {
		memset(&f, 0, sizeof(f));
		emit_header(&f, 0);
		for (i = 0; i < TAGS; i++) {
			state = state * 6364136223846793005u + 1;
			emit_open(&f, tags[i], numbers[(state >> 40) % N]);
			for (k = 0; k < 12; k++) {
				state = state * 6364136223846793005u + 1;
				emit_number(&f, numbers[(state >> 40) %
							(state >> 60 ? 4 : N)]);
				if (state >> 33 & 1)
					emit_item(&f);
			}
			emit_item(&f);
			emit_close(&f);
		}
		bad += load(&f, f.length) != 0;
		bad += m.sums.frees > m.sums.allocs;
		bad += m.nnodes > f.length || m.nmodules > f.length;
		bad += m.peak_bytes > m.sums.bytes ||
		       m.peak_blocks > m.sums.allocs;
		bad += m.life.near > m.sums.frees ||
		       m.life.timed > m.sums.frees;
		taken[0] += m.peak_blocks > 0;
		taken[1] += m.life.near > 0;
		taken[2] += m.nthreads > 0;
		mon_fini(&m);
		emit_fini(&f);
	}
	is_int(bad, 0, "mad numbers");
	for (i = 0; i < 3; i++)
		ok(taken[i], "some rows of kind %d are taken: %u", i, taken[i]);
}

static void
refused(const void *data, size_t n, const char *says)
{
	is_int(open_memory(&m, "f", data, n, &e), -1, "refused: %s", says);
	ok(!strncmp(e.text, "f: ", 3) && strstr(e.text, says), "%s", e.text);
}

static void
strangers(void)
{
	struct monout_header h;
	struct emit f;

	refused("", 0, "empty");
	refused("gmon\1\0\0\0more", 12, "gprof");
	refused("\177ELF\2\1\1", 7, "program");
	refused("alloc=1 free=2\n", 15, "text file");
	refused("\0\0\0\1\2\3\4\5\6\7\0\1", 12, "is not a data file of memmon");
	make(&f, 0);
	refused(f.data, 23, "truncated after 23 bytes");
	refused(f.data, 3, "truncated after 3 bytes");
	f.data[20] ^= 1;
	refused(f.data, f.length, "header is damaged");
	memcpy(&h, f.data, sizeof(h));
	h.order = __builtin_bswap32(h.order);
	memcpy(f.data, &h, sizeof(h));
	emit_header_crc(&f);
	refused(f.data, f.length, "byte order");
	h.order = MONOUT_ORDER;
	h.major++;
	memcpy(f.data, &h, sizeof(h));
	refused(f.data, f.length, "newer memmon");
	h.major = 0;
	memcpy(f.data, &h, sizeof(h));
	emit_header_crc(&f);
	refused(f.data, f.length, "older memmon");
	emit_fini(&f);
	is_int(open_file(&m, "/", &e), -1, "a directory");
	ok(strstr(e.text, "/: is a directory"), "%s", e.text);
	is_int(open_file(&m, "/nonexistent/x", &e), -1, "no file");
	ok(strstr(e.text, "no such file; give the data file"), "%s", e.text);
	is_int(open_file(&m, "/dev/zero", &e), -1, "a device without end");
}

static void
whole_after_all(void)
{
	static const unsigned char zero[4096], junk[5] = "junk";
	struct emit f;

	make(&f, 0);
	emit_bytes(&f, zero, sizeof(zero));
	is_int(load(&f, f.length), 0, "zeros behind the end");
	is_int(m.incomplete + m.nwarning, 0, "are nothing");
	mon_fini(&m);
	emit_bytes(&f, junk, sizeof(junk));
	is_int(load(&f, f.length), 0, "junk behind the end");
	is_int(m.incomplete, 0, "takes nothing away");
	is_int(m.nwarning, 1, "but is said");
	mon_fini(&m);
	emit_fini(&f);
	is_int(crc32_add(0, "123456789", 9), 0xcbf43926, "CRC-32");
}

/*
 * Writes the file `from' to f, with packed tables.  If `damage' isn't NULL, its
 * n bytes replace the payload of the table with the tag `bad'.
 */
static void
pack(struct emit *f, const struct emit *from, uint32_t bad, const void *damage,
     size_t n)
{
	static unsigned char to[MONOUT_PAYLOAD_MAX];
	size_t at = sizeof(struct monout_header), k = sizeof(uint32_t);
	struct monout_record r;

	emit_bytes(f, from->data, at);
	for (; at < from->length; at += sizeof(r) + r.length) {
		const unsigned char *p = from->data + at;
		struct monout_record h;

		memcpy(&r, p, sizeof(r));
		h = r;
		p += sizeof(r);
		if (r.tag != MONOUT_RUN && r.tag != MONOUT_TOTALS) {
			memcpy(to, &r.tag, k);
			h.tag = MONOUT_PACKED;
			h.length =
				(uint32_t)(k + ZSTD_compress(to + k,
							     sizeof(to) - k, p,
							     r.length, 1));
			p = to;
			if (damage && r.tag == bad)
				memcpy(to, damage, h.length = (uint32_t)n);
		}
		h.crc = crc32_add(0, &h, offsetof(struct monout_record, crc));
		h.crc = crc32_add(h.crc, p, h.length);
		emit_bytes(f, &h, sizeof(h));
		emit_bytes(f, p, h.length);
	}
}

/* Tables that are packed, right or wrong. */
static void
packed(void)
{
	static unsigned char large[MONOUT_PAYLOAD_MAX + 1], bomb[4096];
	struct emit plain, f = { 0 };
	uint32_t tag = MONOUT_SITES;
	uint64_t all;
	size_t n;

	make(&plain, 0);
	load(&plain, plain.length);
	all = amount();
	mon_fini(&m);
	pack(&f, &plain, 0, NULL, 0);
	is_int(load(&f, f.length), 0, "packed tables");
	is_int((long)amount(), (long)all, "nothing is lost");
	is_int(m.incomplete + m.nwarning, 0, "nor said");
	mon_fini(&m);
	emit_fini(&f);
	memcpy(bomb, &tag, sizeof(tag));
	n = sizeof(tag) + ZSTD_compress(bomb + sizeof(tag),
					sizeof(bomb) - sizeof(tag), large,
					sizeof(large), 1);
	for (unsigned i = 0; i < 3; i++) {
		const size_t length[] = { n, 3, sizeof(tag) + 2 };

		f = (struct emit){ 0 };
		pack(&f, &plain, tag, bomb, length[i]);
		is_int(load(&f, f.length), 0, "%zu bytes of damage", length[i]);
		ok(m.incomplete && amount() < all, "are told");
		mon_fini(&m);
		emit_fini(&f);
	}
	emit_fini(&plain);
	/* Many nodes in few bytes. */
	f = plain = (struct emit){ 0 };
	emit_header(&plain, 0);
	emit_open(&plain, MONOUT_NODES, 1);
	for (unsigned i = 0; i < 10000; i++) {
		emit_number(&plain, 1);
		emit_number(&plain, 0);
		emit_number(&plain, 1);
		emit_item(&plain);
	}
	emit_close(&plain);
	pack(&f, &plain, 0, NULL, 0);
	is_int(load(&f, f.length), 0, "%zu bytes of nodes", f.length);
	is_int((long)m.tally[MON_NODES].items, 10000, "all of which are taken");
	mon_fini(&m);
	emit_fini(&f);
	emit_fini(&plain);
}

int
main(void)
{
	good(0, "plain");
	good(SMALL_RECORDS, "small records");
	damaged();
	every_cut();
	every_bit();
	hostile();
	strangers();
	whole_after_all();
	packed();
	return done_testing();
}
