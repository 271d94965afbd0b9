/* SPDX-License-Identifier: MIT */
/* Writing the data file: the monitor's tables -> records. */
#include "monitor/file/out.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "monitor/base/arena.h"
#include "monitor/base/emit.h"
#include "monitor/base/process.h"
#include "monitor/counts/heap.h"
#ifdef MEMMON_ACCESS
#include "monitor/file/accesses.h"
#include "monitor/shadow/shadow.h"
#endif
#include "monitor/file/log_dump.h"
#include "monitor/file/marks.h"
#include "monitor/file/out_run.h"
#include "monitor/file/packed.h"
#include "monitor/file/plain.h"
#include "monitor/file/tables.h"
#include "monitor/file/snapshots_put.h"
#include "monitor/file/vtables.h"
#include "monitor/image/image.h"
#include "monitor/image/name.h"
#include "monitor/image/reservation.h"
#include "monitor/image/signal_mask.h"
#include "monitor/leak/leak.h"
#include "monitor/log/log.h"
#include "monitor/record/event.h"
#include "monitor/record/pool.h"
#include "monitor/record/record.h"
#include "monitor/record/sample.h"
#include "monitor/record/times.h"
#include "monitor/thread/control.h"
#include "monitor/thread/enter.h"
#include "monitor/thread/resync.h"

/* Guarded by `writing'. */
static struct mmi_emit emit;
static char path[PATH_MAX], temporary[PATH_MAX];
static bool special;	    /* path isn't a file that could be replaced */
static char mine[PATH_MAX]; /* the file that this process has written */
static int writing;	    /* atomic: who does, enum monout_end; 0: nobody */
static int wanted;	    /* atomic: a dump is to be written */
static unsigned dumps;  /* number of the last one; guarded by `writing' */

/* log: the data file's name, which the log is to get; NULL: none. */
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
	mmi_tables_put(&emit, e.peaks, &s);
	mmi_log_owners();
	s.marks = mmi_marks_put(&emit);
	s.snapshots = mmi_snapshots_put(&emit, &s.count, length);
	mmi_plain_put(&emit, &s);
	mmi_packed_end();
	mmi_out_totals(&emit, &s, &e, length);
}

static int
open_new(const char *name)
{
	int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
	long fd = ARCH_SYS(SYS_openat, AT_FDCWD, name, flags, 0666, 0, 0);

	if (fd == -EEXIST) {
		/* Left by a process of this pid that was killed meanwhile. */
		ARCH_SYS(SYS_unlinkat, AT_FDCWD, name, 0, 0, 0, 0);
		fd = ARCH_SYS(SYS_openat, AT_FDCWD, name, flags, 0666, 0, 0);
	}
	return (int)fd;
}

/* to = path + what + pid. */
static bool
name_with_pid(char *to, size_t n, const char *what)
{
	size_t len = strlen(path), wlen = strlen(what), digits;
	char pid[21];

	digits = (size_t)(mmi_process_decimal(pid, (uint64_t)mmi_process.pid) -
			  pid);
	if (len + wlen + digits + 6 >= n)
		return false;
	memcpy(to, path, len);
	memcpy(to + len, what, wlen);
	memcpy(to + len + wlen, pid, digits + 1);
	return true;
}

/*
 * Both names, in static memory: a signal stack may be small.  Once the process
 * has a file, or an image, it keeps the name.
 */
static bool
file_names(bool exec)
{
	const char *image = mmi_image_path();

	special = false;
	if (exec) {
		if (!mmi_reservation_name(path, sizeof(path), true, &special))
			return false;
	} else if (mine[0]) {
		memcpy(path, mine, sizeof(path));
	} else if (image[0]) {
		memcpy(path, image, strlen(image) + 1);
	} else if (!mmi_reservation_name(path, sizeof(path), false, &special)) {
		return false;
	}
	return name_with_pid(temporary, sizeof(temporary), ".part");
}

/*
 * The image makes room for a file of its name, and stays beside it as long as
 * it is needed.  (To replace it would make some file systems write to the disk
 * at once, which takes milliseconds.)
 */
static bool
image_aside(void)
{
	static char aside[PATH_MAX];
	const char *image = mmi_image_path();

	if (!image[0] || strcmp(image, path) != 0 ||
	    !name_with_pid(aside, sizeof(aside), "."))
		return false;
	memcpy(aside + strlen(aside), ".live", 6);
	mmi_image_move(aside);
	return true;
}

/* Linux 3.15; it is in <stdio.h> under other names. */
#define NOREPLACE 1

/* The temporary file gets its name, which was our image's.  0, or -errno. */
static long
take_place(void)
{
	long r = ARCH_SYS(SYS_renameat2, AT_FDCWD, temporary, AT_FDCWD, path,
			  NOREPLACE, 0);

	/* Another process was first, and has the name now. */
	if (r == -EEXIST &&
	    !mmi_reservation_name(path, sizeof(path), false, &special))
		return r;
	return r == 0 ? 0
		      : ARCH_SYS(SYS_renameat, AT_FDCWD, temporary, AT_FDCWD,
				 path, 0, 0);
}

/* Which name a file gets: the run's own; that of a run before exec(3); or the
 * one that stands in path[] already. */
enum what { LAST, EXEC, DUMP };

/* The file is there: unless the run goes on the image isn't needed any more. */
static void
written(enum what what, int end)
{
	const char *image = mmi_image_path();

	if (what == LAST)
		memcpy(mine, path, sizeof(mine));
	if (end != MONOUT_E_DUMP && image[0] && strcmp(image, path) != 0)
		mmi_image_remove();
}

static int
write_special(int end, int sig)
{
	long fd =
		ARCH_SYS(SYS_openat, AT_FDCWD, path,
			 O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0, 0, 0);

	if (fd < 0)
		return (int)fd;
	write_file((int)fd, end, sig, NULL);
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
	return -emit.failed;
}

/* Once; 0, or -errno. */
static int
write_once(enum what what, int end, int sig)
{
	long r = special ? 0 : open_new(temporary);

	if (special)
		return write_special(end, sig);
	if (r < 0)
		return (int)r;
	write_file((int)r, end, sig, what == DUMP ? NULL : path);
	r = ARCH_SYS(SYS_close, r, 0, 0, 0, 0, 0);
	if (emit.failed)
		r = -emit.failed;
	/* If the image was cut meanwhile, what was read from it is wrong. */
	if (r == 0 && mmi_image_broken())
		r = -EIO;
	if (r == 0)
		r = image_aside() ? take_place()
				  : ARCH_SYS(SYS_renameat, AT_FDCWD, temporary,
					     AT_FDCWD, path, 0, 0);
	if (r == 0)
		written(what, end);
	else
		ARCH_SYS(SYS_unlinkat, AT_FDCWD, temporary, 0, 0, 0, 0);
	return (int)r;
}

static int
write_whole(enum what what, int end, int sig)
{
	int r = write_once(what, end, sig);

	/* It is worth more than a log that has filled the disk. */
	while (r && emit.failed && !special && mmi_log_give())
		r = write_once(what, end, sig);
	return r;
}

/*
 * With all signals blocked: one that ends the process must not strike before
 * the file is whole.
 */
static int
write_masked(enum what what, int end, int sig)
{
	struct mmi_signal_mask m;
	int r = -ENAMETOOLONG;

	/* Unmasked, the signal would be the program's. */
	if (!mmi_signal_mask_block(&m))
		return -EAGAIN;
	if (what == DUMP || file_names(what == EXEC))
		r = write_whole(what, end, sig);
	mmi_signal_mask_unblock(&m);
	return r;
}

/* The names of the next dump, whose number no file has. */
static bool
dump_names(void)
{
	do
		if (!mmi_name_dump(path, sizeof(path), ++dumps))
			return false;
	while (ARCH_SYS(SYS_faccessat, AT_FDCWD, path, F_OK, 0, 0, 0) == 0);
	special = false;
	return name_with_pid(temporary, sizeof(temporary), ".part");
}

/*
 * A thread that wants a dump sets `wanted' first and then writes it, unless
 * another one is writing; each, when it has written, looks at `wanted' again.
 */
static int
write_wanted(void)
{
	int none, r = 1;

	while (__atomic_load_n(&wanted, __ATOMIC_SEQ_CST)) {
		none = 0;
		if (!CAS(&writing, &none, MONOUT_E_DUMP))
			return r;
		if (SWAP(&wanted, 0))
			r = dump_names() ? write_masked(DUMP, MONOUT_E_DUMP, 0)
					 : -ENAMETOOLONG;
		__atomic_store_n(&writing, 0, __ATOMIC_SEQ_CST);
	}
	return r;
}

static void
writing_ends(int end)
{
	__atomic_store_n(&writing, 0, __ATOMIC_SEQ_CST);
	if (end != MONOUT_E_SIGNAL && end != MONOUT_E_EXEC)
		write_wanted();
}

/*
 * If another thread is writing, this one gives up; but at the end of the
 * process it waits while that is a dump, two seconds at most.
 */
static bool
writing_begins(int end)
{
	int by = 0;

	for (int i = 0; i < 200; i++, by = 0) {
		if (CAS(&writing, &by, end))
			return true;
		if (by != MONOUT_E_DUMP || end == MONOUT_E_DUMP)
			return false;
		mmi_wait_ms(10);
	}
	return false;
}

int
mmi_out_write(bool exec, int end, int sig)
{
	/* After an exec that fails, or a file in between, the run goes on. */
	bool last = end != MONOUT_E_DUMP && end != MONOUT_E_EXEC;
	int r;

	if (!writing_begins(end))
		return -EBUSY;
	if (last)
		mmi_thread_freeze();
	r = write_masked(exec ? EXEC : LAST, end, sig);
	if (last)
		mmi_thread_thaw();
	writing_ends(end);
	return r;
}

int
mmi_out_dump(const char *name)
{
	size_t n = name ? strlen(name) : 0;
	int r = -ENAMETOOLONG;

	if (!name) {
		__atomic_store_n(&wanted, 1, __ATOMIC_SEQ_CST);
		return write_wanted();
	}
	if (n >= sizeof(path))
		return r;
	if (!writing_begins(MONOUT_E_DUMP))
		return -EBUSY;
	memcpy(path, name, n + 1);
	special = false;
	if (name_with_pid(temporary, sizeof(temporary), ".part"))
		r = write_masked(DUMP, MONOUT_E_DUMP, 0);
	writing_ends(MONOUT_E_DUMP);
	return r;
}

bool
mmi_out_hold(void)
{
	return writing_begins(MONOUT_E_DUMP);
}

void
mmi_out_release(void)
{
	writing_ends(MONOUT_E_DUMP);
}

const char *
mmi_out_name(void)
{
	return mine;
}

bool
mmi_out_busy(void)
{
	return LOAD_ACQ(&writing) != 0;
}

void
mmi_out_remove(void)
{
	int none = 0;

	if (!CAS(&writing, &none, MONOUT_E_DUMP))
		return;
	ARCH_SYS(SYS_unlinkat, AT_FDCWD, path, 0, 0, 0, 0);
	STORE_REL(&writing, 0);
}

void
mmi_out_fork(void)
{
	STORE(&writing, 0);
	mine[0] = '\0';
	STORE(&wanted, 0);
	dumps = 0;
}
