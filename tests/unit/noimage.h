/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replaces monitor/image/: a process without an image. */
#ifndef MEMMON_TESTS_NOIMAGE_H
#define MEMMON_TESTS_NOIMAGE_H

#include "monitor/image/image.h"

struct mmi_shared mmi_shared;
struct mmi_memory mmi_memory = { .mine = 1 };
uint8_t mmi_image_number;

static void *
noimage_take(unsigned kind, uint32_t first, size_t size)
{
	(void)kind;
	(void)first;
	(void)size;
	return NULL;
}

static bool
noimage_give(void *chunk)
{
	(void)chunk;
	return false;
}

const struct mmi_array_home mmi_image_home = { noimage_take, mmi_image_outside,
					       noimage_give };

void
mmi_image_forget(void)
{
}

void *
mmi_image_chunk(unsigned kind, uint32_t first, size_t size)
{
	(void)kind;
	(void)first;
	(void)size;
	return NULL;
}

void
mmi_image_outside(unsigned kind, uint32_t items)
{
	(void)kind;
	(void)items;
}

void *
mmi_image_take(struct mmi_thread *t, size_t size)
{
	return mmi_arena_take(t, size, 16);
}

struct mmi_pub *
mmi_image_pub(void)
{
	static void *dir[1024];
	static struct mmi_array pubs = { .chunk = dir,
					 .chunks = 1024,
					 .shift = 5,
					 .size = sizeof(struct mmi_pub) };
	uint32_t i;

	return mmi_array_add(&pubs, &i);
}

void
mmi_image_type(uint32_t number, uint64_t size, const char *name, size_t length)
{
	(void)number;
	(void)size;
	(void)name;
	(void)length;
}

void
mmi_image_node(uint32_t number, uint32_t parent, uint64_t key)
{
	(void)number;
	(void)parent;
	(void)key;
}

struct monimg_module *
mmi_image_module(const struct monimg_module *m, const char *path)
{
	(void)path;
	(void)m;
	return NULL;
}

void
mmi_image_bins(void)
{
}

bool
mmi_image_bins_used(void)
{
	return true;
}

#endif
