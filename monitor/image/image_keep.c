/* SPDX-License-Identifier: MIT */
/* The image of a process that gives up the right to open files. */
#include "monitor/image/image.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "monitor/base/thread.h"
#include "monitor/image/image_file.h"
#include "monitor/image/signal_mask.h"

#define SLOT ((uint64_t)MONIMG_SLOT)

/* With `growing' held.  It isn't locked: that would fill the hole. */
static void
enlarge(void)
{
	uint64_t length = mmi_image.window[0].length;
	int fd;

	if (LOAD(&mmi_image.size) >= length)
		return;
	fd = (int)mmi_file_open(&mmi_image.file, O_RDWR);
	if (fd < 0)
		return;
	if (ARCH_SYS(SYS_ftruncate, fd, length, 0, 0, 0, 0) == 0) {
		STORE_REL(&mmi_image.size, length);
		mmi_image.ahead = true;
	}
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
}

void
mmi_image_ahead(void)
{
	struct mmi_signal_mask m;
	int none = 0;

	if (!mmi_image.head || mmi_image_broken() || mmi_image.ahead ||
	    !mmi_image.file.path[0] || !mmi_signal_mask_block(&m))
		return;
	if (CAS(&mmi_image.growing, &none, 1)) {
		enlarge();
		STORE_REL(&mmi_image.growing, 0);
	}
	mmi_signal_mask_unblock(&m);
}

/* Room for that many bytes at once, in the first window; 0: none. */
static uint64_t
room(uint64_t size)
{
	uint32_t used = LOAD(&mmi_image.head->used), slots;

	if (size > mmi_image.window[0].length)
		return 0;
	slots = (uint32_t)((size + SLOT - 1) / SLOT);
	do
		if ((used + slots) * SLOT > mmi_image.window[0].length ||
		    (used + slots) * SLOT > LOAD(&mmi_image.size))
			return 0;
	while (!CAS(&mmi_image.head->used, &used, used + slots));
	return used * SLOT;
}

bool
mmi_image_keeps(void)
{
	return mmi_image.head && mmi_image.ahead && !mmi_image_broken();
}

int
mmi_image_keep(int fd)
{
	struct stat st;
	uint64_t at, done;
	long n = 1;
	char *to;

	if (!mmi_image_keeps())
		return -ENOENT;
	if (ARCH_SYS(SYS_fstat, fd, &st, 0, 0, 0, 0) != 0 || st.st_size <= 0)
		return -EIO;
	at = room((uint64_t)st.st_size);
	to = (char *)mmi_image.window[0].base + at;
	if (!at || !mmi_image_probe(to, (size_t)st.st_size))
		return -ENOSPC;
	for (done = 0; done < (uint64_t)st.st_size && n > 0;
	     done += (uint64_t)n)
		n = ARCH_SYS(SYS_pread64, fd, to + done,
			     (uint64_t)st.st_size - done, done, 0, 0);
	if (n <= 0)
		return -EIO;
	mmi_image.head->data_at = at;
	STORE_REL(&mmi_image.head->data_size, (uint64_t)st.st_size);
	return 0;
}
