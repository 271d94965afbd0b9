/* SPDX-License-Identifier: MIT */
/*
 * The image: a mapped file that contains the counts while the program runs, so
 * that they survive the process no matter how it ends.  Its layout: monimg.h.
 *
 * The image doesn't contain the live map and data that can be found again
 * (hashes, remembered call paths).  Data that didn't fit into the image are in
 * ordinary memory, and the header says how much.  After a fork the child
 * doesn't use its parent's image; it gets its own when it records something.
 */
#ifndef MEMMON_IMAGE_H
#define MEMMON_IMAGE_H

#include "monitor/base/arena.h"
#include "monitor/base/shared.h"
#include "monitor/monimg.h"
#include "monitor/store/file.h"

/*
 * Have the kernel wipe mmi_memory in children.  False: this kernel can't.  ctx:
 * init.
 */
bool mmi_image_own(void);

/* For arrays: chunks are in the image if there is one, or can be one. */
extern const struct mmi_array_home mmi_image_home;

/* No image, ever: the user wants none.  ctx: init. */
void mmi_image_off(void);

/*
 * Make the image if there is none and one is wanted; the counts so far are
 * moved to it.  False: there is no image.  ctx: init, slow.
 */
bool mmi_image_start(void);

/*
 * Memory for `size' bytes, at most a slot, of items numbered from `first', of a
 * kind (enum monimg_kinds); zeroed, and writable without a fault.  NULL: no
 * such memory.  Then report with mmi_image_outside() how many items had to go
 * elsewhere.  ctx: slow.
 */
void *mmi_image_chunk(unsigned kind, uint32_t first, size_t size);
void mmi_image_outside(unsigned kind, uint32_t items);

/*
 * `size' zeroed bytes, at most 1 KiB, aligned to 16, in the image if there is
 * one; NULL: out of memory.  ctx: hook (sometimes slow).
 */
void *mmi_image_take(struct mmi_thread *t, size_t size);

/*
 * Forget everything that mmi_image_take() gave.  No thread may have an event.
 * ctx: slow.
 */
void mmi_image_forget(void);

/* Counts for a new thread, all 0; NULL: out of memory.  ctx: slow. */
struct mmi_pub *mmi_image_pub(void);

/*
 * Another number for each image, 1 to 255; 0: there is none.  A node's or a
 * module's entry is in the image if the number was the same when it was made.
 */
extern uint8_t mmi_image_number;

/* A node's entry.  ctx: slow. */
void mmi_image_node(uint32_t number, uint32_t parent, uint64_t key);

/*
 * A module's entry: a copy of *m, whose `length' isn't set yet, with its path;
 * NULL: out of memory.  Its flags may be changed.
 */
struct monimg_module *mmi_image_module(const struct monimg_module *m,
				       const char *path);

/* A type; `length' is at most MONOUT_TYPE_NAME_MAX.  ctx: slow. */
void mmi_image_type(uint32_t number, uint64_t size, const char *name,
		    size_t length);

/*
 * Call it before a part of mmi_shared is written for the first time.  False: it
 * can't be written, as the disk is full.  ctx: slow.
 */
bool mmi_image_ready(void *p, size_t size);

/*
 * mmi_image_bins(): call it before any of mmi_shared's bins is written.  ctx:
 * slow.  mmi_image_bins_used(): was it called?  Until then all bins are 0, and
 * to read them would make pages of the file.
 */
void mmi_image_bins(void);
bool mmi_image_bins_used(void);

/* How the process ends, in case no file gets written; end 0: not yet. */
void mmi_image_end(int end, int sig); /* ctx: any */

/* The file of the image; its path is "" if there is none.  ctx: exit. */
struct mmi_file *mmi_image_its_file(void);

/* The data file's name if the image has this name now, else "".  ctx: exit. */
const char *mmi_image_path(void);

/*
 * _aside: make room for a file of the image's name; the image stays beside it
 * as long as it is needed.  (If the file replaced the image, some file systems
 * would write to the disk at once, which takes milliseconds.)  _remove: remove
 * the image.  ctx: exit.
 */
void mmi_image_aside(void);
void mmi_image_remove(void);

/*
 * Soon the process may be unable to open files.  _ahead: enlarge the file as
 * far as it is mapped; the new part is a hole.  _keeps: was that done?  _keep:
 * then copy the data file of descriptor fd into the image; 0, or -errno.  ctx
 * of _ahead: slow; of the others: exit.
 */
void mmi_image_ahead(void);
bool mmi_image_keeps(void);
int mmi_image_keep(int fd);

/*
 * Give a removed image a new file.  It begins with the state and the counts of
 * the process now.  No other thread may be in an event.  ctx: slow.
 */
void mmi_image_renew(void);

/*
 * The file may have been truncated, or the disk may be full: was this the
 * reason why an access to `addr' faulted?  Then other memory is mapped there
 * instead, and the counts are worthless.  ctx: signal.
 */
bool mmi_image_fault(const void *addr);
bool mmi_image_broken(void); /* ctx: any */

/* The child doesn't use the parent's image.  ctx: fork. */
void mmi_image_fork(void);

#endif
