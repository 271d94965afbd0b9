/* SPDX-License-Identifier: MIT */
/* Records of the data file. */
#include "monitor/base/emit.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>

/* CRC-32 of zlib and Ethernet: reflected, polynomial 0xedb88320. */
static uint32_t crc_table[256];

void
mmi_emit_crc_init(void)
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t c = i;

		for (int k = 0; k < 8; k++)
			c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
		crc_table[i] = c;
	}
}

uint32_t
mmi_emit_crc(uint32_t crc, const void *p, size_t n)
{
	const uint8_t *b = p;

	crc = ~crc;
	while (n-- > 0)
		crc = crc >> 8 ^ crc_table[(crc ^ *b++) & 0xff];
	return ~crc;
}

/* How long the reader of a pipe may do nothing, s. */
#define READER_SECONDS 2

/* A pipe is full: does its reader make room? */
static bool
is_read(int fd)
{
	struct timespec most = { READER_SECONDS, 0 };
	struct pollfd p = { .fd = fd, .events = POLLOUT };

	return ARCH_SYS(SYS_ppoll, &p, 1, &most, NULL, 8, 0) == 1 &&
	       p.revents == POLLOUT;
}

static void
write_all(struct mmi_emit *o, const void *p, size_t n)
{
	const char *at = p;
	int again = 0;

	while (n > 0 && !o->failed) {
		long r = ARCH_SYS(SYS_write, o->fd, at, n, 0, 0, 0);

		if (r == -EINTR && ++again < 1000)
			continue;
		if (r == -EAGAIN && is_read(o->fd))
			continue;
		if (r <= 0) {
			o->failed = r ? (int)-r : EIO;
			return;
		}
		at += r;
		n -= (size_t)r;
	}
}

void
mmi_emit_begin(struct mmi_emit *o, int fd)
{
	struct monout_header h;

	mmi_emit_crc_init();
	o->after = NULL;
	o->pack = NULL;
	o->fd = fd;
	o->failed = 0;
	o->used = 0;
	memcpy(h.magic, MONOUT_MAGIC, sizeof(h.magic));
	h.major = MONOUT_MAJOR;
	h.minor = MONOUT_MINOR;
	h.order = MONOUT_ORDER;
	h.flags = 0;
	h.crc = mmi_emit_crc(0, &h, offsetof(struct monout_header, crc));
	write_all(o, &h, sizeof(h));
}

void
mmi_emit_table(struct mmi_emit *o, uint32_t tag, uint64_t first)
{
	memset(&o->head, 0, sizeof(o->head));
	o->head.tag = tag;
	o->head.first = first;
	o->used = 0;
}

void
mmi_emit_table_after(struct mmi_emit *o, struct mmi_emit *of, uint32_t tag)
{
	o->after = of;
	o->pack = of->pack;
	o->fd = of->fd;
	o->failed = of->failed;
	mmi_emit_table(o, tag, 0);
}

uint64_t
mmi_emit_end(struct mmi_emit *o)
{
	mmi_emit_flush(o);
	if (!o->after->failed)
		o->after->failed = o->failed;
	return o->head.first;
}

void
mmi_emit_flush(struct mmi_emit *o)
{
	struct monout_record *h = &o->head;
	struct mmi_emit *before = o->after;
	uint8_t *payload;
	uint32_t tag = h->tag;

	if (!h->count)
		return;
	/* If a table is empty, the one before it comes first. */
	while (before && !before->head.count)
		before = before->after;
	if (before)
		mmi_emit_flush(before);
	h->length = o->used;
	payload = o->pack ? o->pack(tag, o->payload, &h->length) : NULL;
	if (payload)
		h->tag = MONOUT_PACKED;
	else
		payload = o->payload;
	h->crc = mmi_emit_crc(0, h, offsetof(struct monout_record, crc));
	h->crc = mmi_emit_crc(h->crc, payload, h->length);
	memcpy(payload - MMI_EMIT_HEAD, h, MMI_EMIT_HEAD);
	write_all(o, payload - MMI_EMIT_HEAD, MMI_EMIT_HEAD + h->length);
	mmi_emit_table(o, tag, h->first + h->count);
}

uint32_t
mmi_emit_room(struct mmi_emit *o, size_t most)
{
	if (most > o->size - o->used)
		mmi_emit_flush(o);
	return o->used;
}

bool
mmi_emit_item(struct mmi_emit *o, size_t most)
{
	if (most > o->size)
		return false;
	mmi_emit_room(o, most);
	o->head.count++;
	return true;
}

void
mmi_emit_number(struct mmi_emit *o, uint64_t v)
{
	while (v > 0x7f) {
		o->payload[o->used++] = (uint8_t)(v | 0x80);
		v >>= 7;
	}
	o->payload[o->used++] = (uint8_t)v;
}

static void
bytes(struct mmi_emit *o, const void *p, size_t n)
{
	mmi_emit_number(o, n);
	memcpy(o->payload + o->used, p, n);
	o->used += (uint32_t)n;
}

void
mmi_emit_key_number(struct mmi_emit *o, unsigned key, uint64_t v)
{
	uint64_t rest = v;
	unsigned n = 1;

	while (rest >>= 7)
		n++;
	if (!mmi_emit_item(o, 3 * MMI_EMIT_NUMBER))
		return;
	mmi_emit_number(o, key);
	mmi_emit_number(o, n);
	mmi_emit_number(o, v);
}

void
mmi_emit_key_bytes(struct mmi_emit *o, unsigned key, const void *p, size_t n)
{
	if (!mmi_emit_item(o, n + 2 * MMI_EMIT_NUMBER))
		return;
	mmi_emit_number(o, key);
	bytes(o, p, n);
}
