/* SPDX-License-Identifier: MIT */
/*
 * The log's file: writes chunks into segments.
 *
 * A thread with a chunk reserves a place by one compare-and-swap, and then
 * writes the chunk there.  If the last segment is full, the next one begins.
 * When the file has reached its limit, the next one replaces the oldest, whose
 * blocks then count as folded.  The file is opened again for each write: the
 * program could close a descriptor that stays open, and reuse its number for
 * another file.
 */
#include "monitor/log/log.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>

#include "monitor/base/process.h"
#include "monitor/base/wait.h"
#include "monitor/image/image.h"
#include "monitor/image/signal_mask.h"
#include "monitor/store/file.h"
#include "monitor/store/name.h"
#include "monitor/thread/enter.h"

enum { NONE, MAKING, OPEN, FAILED };

/*
 * The place of a segment in the file.  Blocks are counted together with the
 * number of their segment, because the thread that begins a segment isn't
 * always the first to write into it.
 */
struct segment {
	uint64_t freed, live; /* number (24 bits), blocks (40 bits) */
	uint64_t high;
	uint32_t writers; /* threads that still write into it */
};

#define BLOCKS(word) ((word) & ((1ul << 40) - 1))

static struct file {
	int state; /* atomic */
	struct mmi_file place;
	uint64_t id;
	uint32_t segment; /* bytes of one */
	uint32_t most;	  /* limit of their number; lower on a full disk */
	/* The place of the next chunk: the segment's number (24 bits), its
	 * place in the file (16 bits), and the offset in it / MONLOG_ALIGN (24
	 * bits). */
	uint64_t at;
	uint64_t blocks;	/* in the file, without folded ones */
	uint64_t folded, until; /* until: ns after start; both atomic */
	int why;		/* errno; 0: no error */
	uint32_t dump;
	struct segment segments[MONLOG_SEGMENTS_MAX];
} file;

#define AT(number, place, off) \
	((uint64_t)(number) << 40 | (uint64_t)(place) << 24 | \
	 (off) / MONLOG_ALIGN)
#define NUMBER(at) ((uint32_t)((at) >> 40))
#define PLACE(at) ((uint32_t)((at) >> 24) & 0xffffu)
#define OFF(at) (((uint32_t)(at)&0xffffffu) * MONLOG_ALIGN)

/* How long a thread waits for others. */
#define PATIENCE (100 * MMI_WAIT_MS)

void
mmi_log_file_lost(uint64_t blocks, uint64_t high)
{
	FETCH_ADD(&file.folded, blocks);
	mmi_raise(&file.until, high);
}

void
mmi_log_file_init(uint64_t cap)
{
	uint64_t least = MONLOG_SEGMENT_MIN, n;

	mmi_emit_crc_init();
	n = cap / 256 & -(uint64_t)MONLOG_ALIGN;
	n = n < least ? least : n;
	file.segment =
		n < MONLOG_SEGMENT_MAX ? (uint32_t)n : MONLOG_SEGMENT_MAX;
	n = (cap - MONLOG_FIRST) / file.segment;
	file.most = n < 2		      ? 2
		    : n < MONLOG_SEGMENTS_MAX ? (uint32_t)n
					      : MONLOG_SEGMENTS_MAX;
}

/* Writes n bytes at `off'.  0, or -errno. */
static long
write_at(int fd, const void *p, size_t n, uint64_t off)
{
	const char *from = p;
	int again = 0;
	long r;

	while (n > 0) {
		r = ARCH_SYS(SYS_pwrite64, fd, from, n, off, 0, 0);
		if (r == -EINTR && ++again < 1000)
			continue;
		if (r <= 0)
			return r ? r : -EIO;
		from += r;
		off += (uint64_t)r;
		n -= (size_t)r;
	}
	return 0;
}

static void
seal(struct monlog_chunk *h, uint64_t at)
{
	h->magic = MONLOG_CHUNK;
	h->id = file.id;
	h->number = NUMBER(at);
	h->at = OFF(at) / MONLOG_ALIGN;
	h->crc = mmi_emit_crc(0, h, offsetof(struct monlog_chunk, crc));
	h->crc = mmi_emit_crc(h->crc, h + 1, h->packed);
}

static long
write_chunk(int fd, struct monlog_chunk *h, uint64_t at)
{
	seal(h, at);
	return write_at(fd, h, sizeof(*h) + h->packed,
			MONLOG_FIRST + (uint64_t)PLACE(at) * file.segment +
				OFF(at));
}

/* Disk space to leave for the data file and its image. */
#define SPARE (16ul << 20)

/* Does the disk have room for one more segment? 0, or -ENOSPC. */
static long
look_for_room(int fd)
{
	struct statfs st;

	/* If this is unknown, assume that it has. */
	if (ARCH_SYS(SYS_fstatfs, fd, &st, 0, 0, 0, 0) || !st.f_blocks ||
	    st.f_bsize <= 0 ||
	    st.f_bavail >= (file.segment + SPARE) / (uint64_t)st.f_bsize)
		return 0;
	return -ENOSPC;
}

/* Adds n blocks to segment `number'.  Returns how many the segment had that was
 * there before. */
static uint64_t
count_in(uint64_t *word, uint32_t number, uint64_t n)
{
	uint64_t was = LOAD(word), to;

	do
		to = was >> 40 == number ? was + n : (uint64_t)number << 40 | n;
	while (!CAS(word, &was, to));
	return was >> 40 == number ? 0 : BLOCKS(was);
}

/* Counts the blocks of a replaced segment as folded. */
static void
fold(struct segment *s, uint64_t freed, uint64_t live)
{
	if (live)
		mmi_raise(&s->high, UINT64_MAX);
	if (freed + live) {
		FETCH_ADD(&file.blocks, -(freed + live));
		mmi_log_file_lost(freed + live, LOAD(&s->high));
	}
}

/* Counts blocks that are, or will be, in the segment of `at'. */
static void
count(uint64_t at, uint64_t freed, uint64_t live, uint64_t high)
{
	struct segment *s = &file.segments[PLACE(at)];

	fold(s, count_in(&s->freed, NUMBER(at), freed),
	     count_in(&s->live, NUMBER(at), live));
	mmi_raise(&s->high, high);
	FETCH_ADD(&file.blocks, freed + live);
}

/* Begins a segment, maybe in place of an older one. */
static long
segment_begin(int fd, uint64_t at)
{
	struct monlog_chunk h = { .kind = MONLOG_SEGMENT };

	count(at, 0, 0, 0);
	h.blocks = LOAD(&file.folded);
	h.high = LOAD(&file.until);
	return write_chunk(fd, &h, at);
}

/*
 * Reserves a place for a chunk of n bytes, and adds a writer.  *fresh: where a
 * new segment begins before it; 0: no new segment.  Returns 0, or -EAGAIN: the
 * place of the new segment still has writers, who might overwrite it, and count
 * blocks that it has folded.
 */
static long
take_place(uint32_t n, uint64_t *got, uint64_t *fresh)
{
	uint64_t at = LOAD_ACQ(&file.at), to;
	struct mmi_wait wait = { 0, 0 };
	uint32_t *writers, place;

	for (;;) {
		place = PLACE(at);
		*fresh = 0;
		*got = at;
		if (OFF(at) + n > file.segment) {
			place = place + 1 < LOAD(&file.most) ? place + 1 : 0;
			*fresh = AT(NUMBER(at) + 1, place, 0);
			*got = *fresh +
			       sizeof(struct monlog_chunk) / MONLOG_ALIGN;
		}
		to = *got + n / MONLOG_ALIGN;
		writers = &file.segments[place].writers;
		if (*fresh && LOAD_ACQ(writers)) {
			if (!mmi_wait_more(&wait, PATIENCE))
				return -EAGAIN;
			at = LOAD_ACQ(&file.at);
			continue;
		}
		FETCH_ADD(writers, 1);
		if (CAS(&file.at, &at, to))
			return 0;
		FETCH_ADD(writers, -1);
	}
}

/*
 * The disk has no room for a chunk at `at': limits the file to the segments
 * before it.  False if there are none.
 */
static bool
shrink(uint64_t at, long error)
{
	uint32_t most = LOAD(&file.most), place = PLACE(at);
	uint64_t now = LOAD_ACQ(&file.at);

	if (!file.why)
		STORE(&file.why, (int)-error);
	/* All segments already have their disk space: the error has another
	 * reason. */
	if (NUMBER(at) >= most || !place ||
	    (error != -ENOSPC && error != -EDQUOT && error != -EFBIG))
		return false;
	while (place < most && !CAS(&file.most, &most, place))
		;
	/* Marks the segment as full. */
	while (NUMBER(now) == NUMBER(at) &&
	       !CAS(&file.at, &now, AT(NUMBER(at), place, file.segment)))
		;
	return true;
}

/* Tries to write once.  0, or -errno; *at: the place. */
static long
try_put(int fd, struct monlog_chunk *h, uint64_t *at)
{
	uint64_t fresh;
	long r = take_place(mmi_log_file_size(h), at, &fresh);

	if (r)
		return r;
	if (fresh && NUMBER(fresh) == PLACE(fresh))
		r = look_for_room(fd);
	if (!r && fresh)
		r = segment_begin(fd, fresh);
	if (!r)
		r = write_chunk(fd, h, *at);
	if (!r && h->kind == MONLOG_FREED)
		count(*at, h->count, 0, h->high);
	else if (!r && h->kind == MONLOG_LIVE)
		count(*at, 0, h->count, 0);
	__atomic_fetch_sub(&file.segments[PLACE(*at)].writers, 1,
			   __ATOMIC_RELEASE);
	return r;
}

void
mmi_log_file_put(struct monlog_chunk *h)
{
	uint64_t at;
	long r = -ENOENT;
	int fd;

	mmi_log_file_make();
	if (LOAD_ACQ(&file.state) == OPEN) {
		h->dump = h->kind == MONLOG_FREED ? 0 : LOAD(&file.dump);
		fd = (int)mmi_file_open(&file.place, O_WRONLY);
		r = fd;
		if (fd >= 0) {
			r = try_put(fd, h, &at);
			if (r && r != -EAGAIN && shrink(at, r))
				r = try_put(fd, h, &at);
			ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
		}
	}
	if (r && h->kind == MONLOG_FREED)
		mmi_log_file_lost(h->count, h->high);
	else if (r && h->kind == MONLOG_LIVE)
		mmi_log_file_lost(h->count, UINT64_MAX);
	if (r && r != -EAGAIN && !LOAD(&file.why))
		STORE(&file.why, (int)-r);
}

/* Names it after the data file, unless another file has that name. */
static void
follow(const char *data)
{
	static char to[PATH_MAX];

	if (mmi_name_log(to, sizeof(to), data) &&
	    strcmp(to, file.place.path) != 0)
		mmi_file_move(&file.place, to);
}

static void
header_make(struct monlog_header *h)
{
	memset(h, 0, sizeof(*h));
	memcpy(h->magic, MONLOG_MAGIC, sizeof(h->magic));
	h->version = MONLOG_VERSION;
	h->order = MONLOG_ORDER;
	if (ARCH_SYS(SYS_getrandom, &h->id, sizeof(h->id), 1, 0, 0, 0) !=
	    sizeof(h->id))
		h->id = mmi_process_clock(CLOCK_MONOTONIC) *
			0x9e3779b97f4a7c15ull;
	h->pid = (uint64_t)mmi_process.pid;
	h->start = mmi_process.start;
	h->segment = file.segment;
	h->segments = file.most;
#ifdef MEMMON_ACCESS
	h->flags = MONLOG_F_ACCESS | MONLOG_F_PLACES;
#endif
	h->crc = mmi_emit_crc(0, h, offsetof(struct monlog_header, crc));
}

/* Is something that isn't a file in the data file's place? */
static bool
is_special(const char *data)
{
	struct stat st;

	return ARCH_SYS(SYS_newfstatat, AT_FDCWD, data, &st, 0, 0, 0) == 0 &&
	       !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

/* Makes the file, with a header and its first segment.  0, or -errno. */
static long
file_begin(const char *data)
{
	struct monlog_header h;
	long fd, r;

	if (is_special(data))
		return -EINVAL;
	fd = mmi_file_new(&file.place, data, ".", ".log");
	if (fd < 0)
		return fd;
	header_make(&h);
	file.id = h.id;
	file.at = AT(0, 0, sizeof(struct monlog_chunk));
	r = look_for_room((int)fd);
	if (!r)
		r = write_at((int)fd, &h, sizeof(h), 0);
	if (!r)
		r = segment_begin((int)fd, 0);
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
	if (r)
		mmi_file_remove(&file.place);
	return r;
}

/* Without an image, the data file's name isn't taken yet: see follow(). */
static long
make(void)
{
	static char name[PATH_MAX];
	const char *image = mmi_image_path();
	bool has_pid;
	long r;

	if (!image[0] &&
	    !mmi_name_expand(name, sizeof(name), false, 0, &has_pid))
		return -ENAMETOOLONG;
	r = file_begin(image[0] ? image : name);
	if (!r && image[0])
		follow(image);
	return r;
}

void
mmi_log_file_make(void)
{
	struct mmi_wait wait = { 0, 0 };
	struct mmi_signal_mask m;
	int none = NONE;
	long r;

	if (LOAD_ACQ(&file.state) >= OPEN)
		return;
	if (!mmi_process_writes())
		return;
	if (!CAS(&file.state, &none, MAKING)) {
		while (LOAD_ACQ(&file.state) == MAKING &&
		       mmi_wait_more(&wait, PATIENCE))
			continue;
		return;
	}
	if (!mmi_signal_mask_block(&m)) {
		STORE_REL(&file.state, FAILED);
		return;
	}
	r = make();
	if (r)
		STORE(&file.why, (int)-r);
	STORE_REL(&file.state, r ? FAILED : OPEN);
	mmi_signal_mask_unblock(&m);
}

void
mmi_log_file_dump(const char *name)
{
	/* Blocks that were live at the last dump aren't needed any more. */
	for (uint32_t i = 0; i < MONLOG_SEGMENTS_MAX; i++) {
		struct segment *s = &file.segments[i];

		FETCH_ADD(&file.blocks, -BLOCKS(LOAD(&s->live)));
		FETCH_ADD(&s->live, -BLOCKS(LOAD(&s->live)));
	}
	FETCH_ADD(&file.dump, 1);
	if (name && LOAD_ACQ(&file.state) == OPEN)
		follow(name);
}

void
mmi_log_file_run(struct mmi_emit *o, uint64_t missed)
{
	uint64_t folded = LOAD(&file.folded);

	mmi_emit_key_bytes(o, MONOUT_R_LOG, file.place.path,
			   strlen(file.place.path));
	mmi_emit_key_number(o, MONOUT_R_LOG_ID, file.id);
	mmi_emit_key_number(o, MONOUT_R_LOG_DUMP, LOAD(&file.dump));
	mmi_emit_key_number(o, MONOUT_R_LOG_BLOCKS, LOAD(&file.blocks));
	mmi_emit_key_number(o, MONOUT_R_LOG_FOLDED, folded);
	mmi_emit_key_number(o, MONOUT_R_LOG_UNTIL,
			    folded ? LOAD(&file.until) : 0);
	mmi_emit_key_number(o, MONOUT_R_LOG_MISSED, missed);
	if (LOAD(&file.why))
		mmi_emit_key_number(o, MONOUT_R_LOG_ERROR,
				    (uint64_t)LOAD(&file.why));
}

void
mmi_log_file_remove(void)
{
	if (LOAD_ACQ(&file.state) != OPEN)
		return;
	mmi_file_remove(&file.place);
	STORE_REL(&file.state, FAILED);
}

/* Counts blocks in segments from `keep' on as lost. */
static void
cut_off(uint32_t keep)
{
	for (uint32_t i = keep; i < MONLOG_SEGMENTS_MAX; i++) {
		struct segment *s = &file.segments[i];

		fold(s, BLOCKS(SWAP(&s->freed, 0)), BLOCKS(SWAP(&s->live, 0)));
	}
}

bool
mmi_log_file_give(void)
{
	uint64_t at = LOAD_ACQ(&file.at);
	uint32_t used = NUMBER(at) < LOAD(&file.most) ? PLACE(at) + 1
						      : LOAD(&file.most);
	uint32_t keep = used / 2;
	int fd = -1;

	if (LOAD_ACQ(&file.state) != OPEN || !file.why)
		return false;
	cut_off(keep);
	if (!keep) {
		mmi_log_file_remove();
		return true;
	}
	STORE(&file.most, keep);
	while (!CAS(&file.at, &at, AT(NUMBER(at), keep - 1, file.segment)))
		;
	fd = (int)mmi_file_open(&file.place, O_WRONLY);
	if (fd < 0)
		return false;
	ARCH_SYS(SYS_ftruncate, fd,
		 MONLOG_FIRST + (uint64_t)keep * file.segment, 0, 0, 0, 0);
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
	return true;
}

void
mmi_log_file_fork(void)
{
	file.state = NONE;
	file.at = 0;
	file.blocks = file.folded = file.until = 0;
	file.why = 0;
	file.dump = 0;
	memset(file.segments, 0, sizeof(file.segments));
}
