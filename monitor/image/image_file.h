/* SPDX-License-Identifier: MIT */
/* What the files that make up the image share. */
#ifndef MEMMON_IMAGE_FILE_H
#define MEMMON_IMAGE_FILE_H

#include "monitor/base/internal.h"
#include "monitor/monimg.h"
#include "monitor/store/file.h"

#define MMI_IMAGE_WINDOWS 3u
extern const size_t mmi_image_windows[MMI_IMAGE_WINDOWS];

/* In all windows. */
#define MMI_IMAGE_SLOTS 86016u

enum { MMI_IMAGE_NONE, MMI_IMAGE_STARTING, MMI_IMAGE_ON, MMI_IMAGE_OFF };

struct mmi_image {
	int state;		    /* atomic */
	struct monimg_header *head; /* NULL: none */
	struct monimg_kind *kinds;
	uint64_t size; /* atomic; of the file, whole slots, bytes */
	/*
	 * Atomic: the newest slot that was given back, 0: none, and above it
	 * how often this has changed.  .first of its kind is the next one.
	 */
	uint64_t spare;
	struct monimg_window window[MMI_IMAGE_WINDOWS]; /* as in *head */
	struct mmi_file file;
	bool placed; /* it has the data file's name, no private one */
	bool limited;	     /* there is room for one window only */
	bool overlaid;	     /* mmi_shared is in it */
	int bins;	     /* atomic: all of its bins can be written */
	int growing;	     /* atomic: a thread makes it larger */
	uint64_t locked;     /* bytes of the first window that stay in memory */
	int broken;	     /* atomic */
	uint8_t number;	     /* the last one's */
};
extern struct mmi_image mmi_image;

/*
 * Make sure that `size' bytes at p, which nobody has written to yet, can be
 * written: on a full disk a store would be the end of the program.  A system
 * call that writes there fails instead.  ctx: slow.
 */
bool mmi_image_probe(void *p, size_t size);

/* The file of descriptor fd gets longer.  False: by less, maybe. */
bool mmi_image_extend(int fd, uint64_t more);

/*
 * What the file has by now stays in memory, as far as the limits of the process
 * leave the program most of what it may lock itself.  See image_lock.c.  One
 * thread at a time.  ctx: init, slow.
 */
void mmi_image_lock(void);

/* New items go to new chunks.  ctx: fork, and when an image is made. */
void mmi_image_skip(void);

/*
 * An image was made: what its header says of the recording; and all that was
 * counted so far goes into it.  again: its number was another one's, long ago.
 * Defined in process/image_fill.c.  ctx: init, slow.
 */
void mmi_image_describe(struct monimg_header *h);
void mmi_image_fill(bool again);

#endif
