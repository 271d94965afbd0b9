/* SPDX-License-Identifier: MIT */
/* Writing the data file: the monitor's tables -> records. */
#include "monitor/file/out.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "monitor/base/arena.h"
#include "monitor/base/emit.h"
#include "monitor/base/process.h"
#include "monitor/counts/endings.h"
#include "monitor/counts/heap.h"
#ifdef MEMMON_ACCESS
#include "monitor/file/accesses.h"
#include "monitor/shadow/shadow.h"
#endif
#include "monitor/file/log_dump.h"
#include "monitor/file/marks.h"
#include "monitor/file/moments.h"
#include "monitor/file/out_run.h"
#include "monitor/file/packed.h"
#include "monitor/file/plain.h"
#include "monitor/file/tables.h"
#include "monitor/file/snapshots_put.h"
#include "monitor/file/vtables.h"
#include "monitor/image/image.h"
#include "monitor/image/signal_mask.h"
#include "monitor/leak/leak.h"
#include "monitor/log/log.h"
#include "monitor/memory/mapped_put.h"
#include "monitor/memory/memory.h"
#include "monitor/record/event.h"
#include "monitor/record/mapped.h"
#include "monitor/record/pool.h"
#include "monitor/record/record.h"
#include "monitor/record/sample.h"
#include "monitor/record/times.h"
#include "monitor/store/name.h"
#include "monitor/store/owner.h"
#include "monitor/store/store.h"
#include "monitor/thread/control.h"
#include "monitor/thread/enter.h"
#include "monitor/thread/resync.h"

/* Instead of an end: only a moment is taken, which is fast. */
#define MOMENT (-1)

/* All except the first four are guarded by `writing'. */
/* Atomic: the enum monout_end of the writer; 0: no thread writes. */
static int writing;
static int wanted;  /* atomic: a snapshot must be written */
static int waiting; /* atomic: threads in mmi_out_wanted() that will write it */
static long ender;  /* atomic: the thread that wrote the last file; 0: none */
static struct mmi_emit emit = MMI_EMIT_FULL;
static struct mmi_file part;   /* the file being written */
static struct mmi_file mine;   /* the run's own, written last */
static struct mmi_place place; /* where the file goes */
static unsigned snapshots;     /* number of the last one */

/* log: the data file's name, which the log will get; NULL: none. */
static void
write_file(int fd, int end, int sig, const char *log)
{
	uint64_t length = mmi_process_clock(CLOCK_MONOTONIC) - mmi_process.mono;
	static struct mmi_tables_sums s;
	struct mmi_heap_state e;

	mmi_log_dump(log);
	mmi_heap_read(&e);
	mmi_emit_begin(&emit, fd);
	emit.pack = mmi_packed;
	mmi_out_run(&emit, end, sig, length);
	mmi_vtables_want(end == MONOUT_E_EXIT || end == MONOUT_E__EXIT ||
			 end == MONOUT_E_QUICK);
	mmi_memory_begin(true);
	mmi_tables_put(&emit, e.peaks, &s);
	mmi_log_owners();
	s.marks = mmi_marks_put(&emit);
	s.snapshots = mmi_snapshots_put(&emit, &s.count, length);
	mmi_plain_put(&emit, &s);
	s.mappings = mmi_mapped_put(&emit, s.nodes);
	s.mapped_lost = mmi_mapped_lost();
	s.endings_lost = mmi_endings_lost();
	mmi_packed_end();
	mmi_out_totals(&emit, &s, &e, length);
}

/* Which file is written; this decides about its name. */
enum what {
	LAST,  /* the run's own: keeps the name that it once got */
	EXEC,  /* the run's, before an exec */
	NAMED, /* replaces the file with a name that the program gives */
	NEXT,  /* the snapshot with the next number */
};

static bool
next_number(void)
{
	return mmi_name_dump(place.path, sizeof(place.path), ++snapshots);
}

/* The name of the run's file or image, unless another file has it now. */
static bool
own_place(void)
{
	const char *name = mine.path[0] ? mine.path : mmi_image_path();
	struct stat st;

	if (!name[0])
		return false;
	memcpy(place.path, name, strlen(name) + 1);
	place.special = place.plain = false;
	return mmi_file_there(&mine) || mmi_file_there(mmi_image_its_file()) ||
	       ARCH_SYS(SYS_newfstatat, AT_FDCWD, name, &st,
			AT_SYMLINK_NOFOLLOW, 0, 0) == -ENOENT;
}

/*
 * Choose where the file goes, in static memory: a signal stack may be small.
 * NAMED: already chosen.
 */
static bool
choose(enum what what)
{
	switch (what) {
	case LAST:
		if (own_place())
			return true;
		break;
	case NEXT:
		return next_number();
	case NAMED:
		return true;
	default:
		break;
	}
	place.exec = what == EXEC;
	return mmi_store_choose(&place);
}

/*
 * Give the file its name.  0; -EEXIST: another process was faster; or -errno.
 */
static long
settle(enum what what)
{
	long r;

	if (strcmp(mmi_image_path(), place.path) == 0)
		mmi_image_aside();
	switch (what) {
	case NAMED:
		return mmi_file_replace(&part, place.path);
	case NEXT:
		do
			r = mmi_file_move(&part, place.path);
		while (r == -EEXIST && next_number());
		return r;
	case LAST:
		if (strcmp(mine.path, place.path) == 0 && mmi_file_there(&mine))
			return mmi_file_replace(&part, place.path);
		break;
	default:
		break;
	}
	return mmi_store_settle(&part, &place);
}

/* The file is complete: if the run doesn't go on, the image isn't needed. */
static void
written(enum what what, int end)
{
	if (what == LAST)
		mine = part;
	if (end != MONOUT_E_DUMP && end != MONOUT_E_EXEC &&
	    !mmi_image_path()[0])
		mmi_image_remove();
}

/* -EEXIST: no process reads the pipe; the file gets another name. */
static int
write_special(enum what what, int end, int sig)
{
	long fd =
		ARCH_SYS(SYS_openat, AT_FDCWD, place.path,
			 O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0, 0, 0);

	place.refused = fd == -ENXIO && what != NAMED;
	if (fd < 0)
		return place.refused ? -EEXIST : (int)fd;
	write_file((int)fd, end, sig, NULL);
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
	return -emit.failed;
}

/* Write it once; 0, or -errno. */
static int
write_once(enum what what, int end, int sig)
{
	bool run = what == LAST || what == EXEC;
	long r;

	if (place.special)
		return write_special(what, end, sig);
	r = mmi_file_new(&part, place.path, ".part", "");
	if (r < 0)
		return (int)r;
	write_file((int)r, end, sig, run ? place.path : NULL);
	r = ARCH_SYS(SYS_close, r, 0, 0, 0, 0, 0);
	if (emit.failed)
		r = -emit.failed;
	/*
	 * If the image was truncated meanwhile, the data read from it are
	 * wrong.
	 */
	if (r == 0 && mmi_image_broken())
		r = -EIO;
	if (r == 0)
		r = settle(what);
	if (r == 0)
		written(what, end);
	else
		mmi_file_remove(&part);
	return (int)r;
}

/* No file can be made: keep the run's data in the image.  0, or -errno. */
static int
write_within(int end, int sig)
{
	long fd = -ENOENT;
	int r;

	if (mmi_image_keeps())
		fd = ARCH_SYS(SYS_memfd_create, "memmon", MFD_CLOEXEC, 0, 0, 0,
			      0);
	if (fd < 0)
		return (int)fd;
	write_file((int)fd, end, sig, NULL);
	r = emit.failed ? -emit.failed : mmi_image_keep((int)fd);
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
	return r;
}

/* How many times another process may take the chosen name. */
#define TRIES 100u

/* The file contains its log's name: with another name it is written again. */
static int
write_whole(enum what what, int end, int sig)
{
	int r = -EEXIST;

	place.refused = false;
	for (unsigned n = 0; n < TRIES && r == -EEXIST; n++)
		r = choose(what) ? write_once(what, end, sig) : -ENAMETOOLONG;
	/* The file is worth more than a log that has filled the disk. */
	while (r && emit.failed && !place.special && mmi_log_give())
		r = write_once(what, end, sig);
	if (r && what == LAST && end != MONOUT_E_DUMP)
		r = write_within(end, sig) == 0 ? 0 : r;
	return r;
}

/*
 * The process ends after the last file, even if another thread is still writing
 * a snapshot then.  So other threads don't begin one any more.
 */
static bool
too_late(int end)
{
	long tid = LOAD(&ender);

	return end == MONOUT_E_DUMP && tid &&
	       tid != ARCH_SYS(SYS_gettid, 0, 0, 0, 0, 0, 0);
}

/*
 * If another thread is writing, this thread gives up.  But it waits for a
 * moment, and at the end of the process for a snapshot, for at most five
 * seconds.
 */
static bool
writing_begins(int end)
{
	int by = 0;

	for (int i = 0; i < 500; i++, by = 0) {
		if (CAS(&writing, &by, end)) {
			if (!too_late(end))
				return true;
			STORE_REL(&writing, 0);
			return false;
		}
		if (by != MOMENT &&
		    (by != MONOUT_E_DUMP || end == MONOUT_E_DUMP))
			return false;
		mmi_wait_ms(10);
	}
	return false;
}

/*
 * First block all signals: a signal that ends the process must not come before
 * the file is complete, and no handler may jump out meanwhile.
 */
static int
begin(struct mmi_signal_mask *m, int end)
{
	/* If it isn't blocked, the program gets the signal. */
	if (!mmi_signal_mask_block(m))
		return -EAGAIN;
	if (writing_begins(end))
		return 0;
	mmi_signal_mask_unblock(m);
	return -EBUSY;
}

static void
finish(const struct mmi_signal_mask *m)
{
	__atomic_store_n(&writing, 0, __ATOMIC_SEQ_CST);
	mmi_signal_mask_unblock(m);
}

/*
 * A thread that wants a snapshot sets `wanted' first, and then writes the
 * snapshot unless another thread is writing.  Each thread that has written
 * checks `wanted' again.
 */
static int
write_wanted(void)
{
	struct mmi_signal_mask m;
	int r = 1, e;

	while (__atomic_load_n(&wanted, __ATOMIC_SEQ_CST)) {
		e = begin(&m, MONOUT_E_DUMP);
		if (e)
			return e == -EBUSY ? r : e;
		if (SWAP(&wanted, 0))
			r = write_whole(NEXT, MONOUT_E_DUMP, 0);
		finish(&m);
	}
	return r;
}

/* Then also write the snapshots that were wanted meanwhile. */
static void
ends(const struct mmi_signal_mask *m, int end)
{
	finish(m);
	if (end != MONOUT_E_SIGNAL && end != MONOUT_E_EXEC)
		write_wanted();
}

int
mmi_out_write(int end, int sig, struct mmi_out_file *exec)
{
	/* The run goes on after an exec that fails, or a file in between. */
	bool last = end != MONOUT_E_DUMP && end != MONOUT_E_EXEC;
	struct mmi_signal_mask m;
	int r = begin(&m, end);

	if (r)
		return r;
	if (last)
		mmi_thread_freeze();
	r = write_whole(exec ? EXEC : LAST, end, sig);
	if (exec)
		*exec = (struct mmi_out_file){ part.dev, part.ino,
					       place.again };
	if (last) {
		STORE(&ender, ARCH_SYS(SYS_gettid, 0, 0, 0, 0, 0, 0));
		mmi_thread_thaw();
	}
	ends(&m, end);
	return r;
}

int
mmi_out_wanted(void)
{
	int r;

	__atomic_add_fetch(&waiting, 1, __ATOMIC_SEQ_CST);
	__atomic_store_n(&wanted, 1, __ATOMIC_SEQ_CST);
	r = write_wanted();
	__atomic_sub_fetch(&waiting, 1, __ATOMIC_SEQ_CST);
	return r;
}

int
mmi_out_next(struct mmi_out_file *f, uint64_t *size)
{
	struct mmi_signal_mask m;
	struct stat st = { 0 };
	int r = begin(&m, MONOUT_E_DUMP);

	if (r)
		return r;
	r = write_whole(NEXT, MONOUT_E_DUMP, 0);
	*f = (struct mmi_out_file){ part.dev, part.ino, snapshots };
	ARCH_SYS(SYS_newfstatat, AT_FDCWD, part.path, &st, 0, 0, 0);
	*size = (uint64_t)st.st_size;
	ends(&m, MONOUT_E_DUMP);
	return r;
}

/* Find out which file the name means; or -errno. */
static int
named(const char *name, enum what *what)
{
	struct stat st;
	long pid;

	memcpy(place.path, name, strlen(name) + 1);
	place.special = place.plain = false;
	*what = NAMED;
	if (ARCH_SYS(SYS_newfstatat, AT_FDCWD, name, &st, 0, 0, 0) != 0)
		return 0;
	if (mmi_file_is(&mine, &st) || mmi_file_is(mmi_image_its_file(), &st)) {
		*what = LAST;
		return 0;
	}
	place.special = !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
	return S_ISREG(st.st_mode) &&
			       mmi_owner_look(name, &pid) == MMI_OWNER_USED
		       ? -EBUSY
		       : 0;
}

int
mmi_out_named(const char *name)
{
	struct mmi_signal_mask m;
	enum what what;
	int r;

	if (strlen(name) >= sizeof(place.path))
		return -ENAMETOOLONG;
	r = begin(&m, MONOUT_E_DUMP);
	if (r)
		return r;
	r = named(name, &what);
	if (!r)
		r = write_whole(what, MONOUT_E_DUMP, 0);
	ends(&m, MONOUT_E_DUMP);
	return r;
}

bool
mmi_out_moment(uint64_t at)
{
	int by = 0;
	bool known;

	if (!CAS(&writing, &by, MOMENT))
		return true;
	known = too_late(MONOUT_E_DUMP) || mmi_moments_take(at);
	__atomic_store_n(&writing, 0, __ATOMIC_SEQ_CST);
	/*
	 * A thread that waits for this one writes its snapshot itself.  If this
	 * thread wrote the snapshot, that thread would go on before the file is
	 * complete.
	 */
	if (!__atomic_load_n(&waiting, __ATOMIC_SEQ_CST))
		write_wanted();
	return known;
}

bool
mmi_out_hold(void)
{
	return writing_begins(MONOUT_E_DUMP);
}

void
mmi_out_release(void)
{
	__atomic_store_n(&writing, 0, __ATOMIC_SEQ_CST);
	write_wanted();
}

const char *
mmi_out_name(void)
{
	return mine.path;
}

bool
mmi_out_busy(void)
{
	return LOAD_ACQ(&writing) != 0;
}

void
mmi_out_remove(const struct mmi_out_file *f, bool exec)
{
	struct mmi_file gone = { .dev = f->dev, .ino = f->ino };
	bool has_pid;

	if (exec ? mmi_name_expand(gone.path, sizeof(gone.path), true,
				   f->number, &has_pid)
		 : mmi_name_dump(gone.path, sizeof(gone.path), f->number))
		mmi_file_remove(&gone);
}

void
mmi_out_fork(void)
{
	STORE(&writing, 0);
	STORE(&waiting, 0);
	mine.path[0] = '\0';
	STORE(&wanted, 0);
	STORE(&ender, 0);
	snapshots = 0;
}
