/* SPDX-License-Identifier: MIT */
/* What the source files of the image share. */
#ifndef MEMMON_IMAGE_FILE_H
#define MEMMON_IMAGE_FILE_H

#include "monitor/base/internal.h"
#include "monitor/monimg.h"
#include "monitor/store/file.h"

#define MMI_IMAGE_WINDOWS 3u
extern const size_t mmi_image_windows[MMI_IMAGE_WINDOWS];

/* Slots in all windows together. */
#define MMI_IMAGE_SLOTS 86016u

enum { MMI_IMAGE_NONE, MMI_IMAGE_STARTING, MMI_IMAGE_ON, MMI_IMAGE_OFF };

struct mmi_image {
	int state;		    /* atomic */
	struct monimg_header *head; /* NULL: none */
	struct monimg_kind *kinds;
	uint64_t size; /* atomic; of the file, only whole slots, bytes */
	/*
	 * Atomic: the newest slot that was given back (0: none), and in the
	 * upper half how often this has changed. .first of its kind is the next
	 * slot.
	 */
	uint64_t spare;
	struct monimg_window window[MMI_IMAGE_WINDOWS]; /* as in *head */
	struct mmi_file file;
	bool placed;  /* it has the data file's name, not a private one */
	bool limited;	     /* only one window fits */
	bool whole;	     /* the file reaches to the end of each window */
	bool overlaid;	     /* mmi_shared is in it */
	bool ahead;	     /* mmi_image_ahead() has made it larger */
	bool stays;	     /* its pages may be locked in memory */
	int bins;	     /* atomic: its bins are used */
	int growing;	     /* atomic: a thread is making the file larger */
	uint64_t locked;     /* bytes of the first window that stay in memory */
	int broken;	     /* atomic */
	uint8_t number;	     /* of the last image */
};
extern struct mmi_image mmi_image;

/*
 * Make sure that `size' bytes at p, not yet written, can be written: on a full
 * disk a store would end the program.  Instead a system call writes there,
 * which fails.  ctx: slow.
 */
bool mmi_image_probe(void *p, size_t size);

/*
 * A window ends at byte `end' of the file, whose last part is missing as a
 * rule: pages behind the file's end cost nothing.  memcheck gets SIGBUS for
 * each word of them when it searches for leaks, which takes a minute; for it
 * the file is made as long as the window.  ctx: slow.
 */
void mmi_image_reach(int fd, uint64_t end);

/*
 * Write zero bytes to the file of descriptor fd from byte `at' to `end'.
 * Returns where they end, `end' or less.  ctx: slow.
 */
uint64_t mmi_image_zero(int fd, uint64_t at, uint64_t end);

/*
 * Make the file of descriptor fd longer.  False: it may be shorter than wanted.
 */
bool mmi_image_extend(int fd, uint64_t more);

/*
 * Lock the present part of the file in memory.  Most of the limit on locked
 * memory remains for the program.  See image_lock.c.  One thread at a time.
 * ctx: init, slow.
 */
void mmi_image_lock(void);

/* New items go to new chunks.  ctx: fork, and when an image is made. */
void mmi_image_skip(void);

/*
 * An image was made.  _describe: fill in what its header says about the
 * recording.  _fill: move the counts so far to it; again: an earlier image had
 * the same number.  Defined in process/image_fill.c.  ctx: init, slow.
 */
void mmi_image_describe(struct monimg_header *h);
void mmi_image_fill(bool again);

#endif
