/* SPDX-License-Identifier: MIT */
/*
 * The image: a file, mapped, in which the counts stand while the program runs,
 * so that they outlive the process however it ends.  Its layout: monimg.h.
 *
 * What isn't in it is what can be found again (hashes, remembered chains) and
 * the live map.  What couldn't be put into it stands in plain memory, and the
 * header says how much that is.  After a fork the child leaves its parent's
 * image alone, and gets one of its own when it records something.
 */
#ifndef MEMMON_IMAGE_H
#define MEMMON_IMAGE_H

#include "monitor/base/arena.h"
#include "monitor/base/shared.h"
#include "monitor/monimg.h"
#include "monitor/store/file.h"

/* Have mmi_memory wiped in children.  False: this kernel can't.  ctx: init. */
bool mmi_image_own(void);

/* For arrays: chunks are in the image if there is one, or can be one. */
extern const struct mmi_array_home mmi_image_home;

/* No image, ever: the user wants none.  ctx: init. */
void mmi_image_off(void);

/*
 * Make the image if there is none and one is wanted; what was counted so
 * far goes into it.  False if there is none.  ctx: init, slow.
 */
bool mmi_image_start(void);

/*
 * Memory for `size' bytes, at most a slot, of items numbered from `first', of a
 * kind (enum monimg_kinds), zeroed, which can be written without a fault.  NULL
 * when it can't be had; mmi_image_outside() then says how many items had to go
 * elsewhere.  ctx: slow.
 */
void *mmi_image_chunk(unsigned kind, uint32_t first, size_t size);
void mmi_image_outside(unsigned kind, uint32_t items);

/*
 * `size' zeroed bytes, at most 1 KiB, aligned to 16, in the image if there is
 * one; NULL when there is no memory.  ctx: hook (slow now and then).
 */
void *mmi_image_take(struct mmi_thread *t, size_t size);

/*
 * All that mmi_image_take() gave before isn't needed.  No thread has an event.
 * ctx: slow.
 */
void mmi_image_forget(void);

/* A new thread's counts, 0; NULL when there is no memory.  ctx: slow. */
struct mmi_pub *mmi_image_pub(void);

/*
 * Changes with each image, 1 .. 255; 0 if there is none.  A node's or a
 * module's entry is in the image if the number was this when it was made.
 */
extern uint8_t mmi_image_number;

/* A node's entry.  ctx: slow. */
void mmi_image_node(uint32_t number, uint32_t parent, uint64_t key);

/*
 * The same of a module: a copy of *m, whose `length' isn't set yet, with its
 * path; NULL: no memory.  Its flags may be changed.
 */
struct monimg_module *mmi_image_module(const struct monimg_module *m,
				       const char *path);

/* A type; `length' is at most MONOUT_TYPE_NAME_MAX.  ctx: slow. */
void mmi_image_type(uint32_t number, uint64_t size, const char *name,
		    size_t length);

/*
 * A part of mmi_shared is about to be written to for the first time.  False: it
 * can't be, as the disk is full.  ctx: slow.
 */
bool mmi_image_ready(void *p, size_t size);

/* All of mmi_shared's bins will be written.  ctx: slow. */
void mmi_image_bins(void);

/* How the process ends, should there be no file; end 0: not yet. */
void mmi_image_end(int end, int sig); /* ctx: any */

/* The image's file, whose path is "" if there is none.  ctx: exit. */
struct mmi_file *mmi_image_its_file(void);

/* The data file's name while the image has it, else "".  ctx: exit. */
const char *mmi_image_path(void);

/*
 * Make room for a file of the image's name: the image stays beside it as long
 * as it is needed.  (To replace it would make some file systems write to the
 * disk at once, which takes milliseconds.)  Or remove it.  ctx: exit.
 */
void mmi_image_aside(void);
void mmi_image_remove(void);

/*
 * An image that was removed has a file again, a new one, and begins with what
 * the process is and has counted now.  No other thread may be in an event.
 * ctx: slow.
 */
void mmi_image_renew(void);

/*
 * The file may have become shorter, or the disk full: was that what made an
 * access to `addr' fault?  Then there is other memory in its place, and the
 * counts are worth nothing.  ctx: signal.
 */
bool mmi_image_fault(const void *addr);
bool mmi_image_broken(void); /* ctx: any */

/* The parent's image isn't the child's.  ctx: fork. */
void mmi_image_fork(void);

#endif
