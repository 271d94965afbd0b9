/* SPDX-License-Identifier: MIT */
/* Modules that run in the program itself. */
#include "monitor/events/in_process.h"

#include <string.h>

#include "monitor/base/own_mappings.h"
#include "monitor/base/sampling.h"
#include "monitor/base/thread.h"
#include "monitor/events/consumer.h"
#include "monitor/events/driver.h"

static struct driver driver;
static uint32_t lock; /* 1: a thread is in the driver, 2: others wait */
static bool opened;
static const char *refused; /* why modules don't run, or NULL */

static void
driver_lock(void)
{
	uint32_t is_free = 0;

	if (CAS(&lock, &is_free, 1))
		return;
	while (SWAP(&lock, 2))
		mmi_consumer_sleep(&lock, 2);
}

static void
driver_unlock(void)
{
	if (SWAP(&lock, 0) == 2)
		mmi_consumer_wake(&lock);
}

bool
mmi_in_process_start(struct stream_head *h)
{
	memset(&driver, 0, sizeof(driver));
	driver.mapped = mmi_own_add_or_miss;
	if (mmi_sample_on())
		refused = "modules need every block; run without --sample";
	opened = mmi_driver_open(&driver, h, mmi_consumer_home());
	return opened;
}

void
mmi_in_process_consume(uint32_t thread, const uint64_t *from,
		       const uint64_t *end)
{
	if (refused)
		return;
	mmi_thread_internal_begin();
	driver_lock();
	if (mmi_driver_behind(&driver))
		mmi_driver_update(&driver);
	mmi_driver_batch(&driver, 0, thread, from, end);
	driver_unlock();
	mmi_thread_internal_end();
}

/* Consume what is still in the buffers, then write the results. */
static void
finish(struct stream_head *h)
{
	mmi_driver_update(&driver);
	for (uint32_t i = 0; i < STREAM_RINGS; i++) {
		uint64_t *words = stream_buffer(h, i, 0);
		const uint64_t *end = words + h->words;

		if (LOAD(&h->ring[i].fills))
			mmi_driver_batch(&driver, 0, h->ring[i].thread, words,
					 mmi_driver_partial(&driver, words,
							    end));
	}
	mmi_driver_finish(&driver);
}

void
mmi_in_process_finish(struct stream_head *h)
{
	mmi_thread_internal_begin();
	driver_lock();
	if (refused)
		mmi_driver_failed(&driver, refused);
	else
		finish(h);
	driver_unlock();
	mmi_thread_internal_end();
}

void
mmi_in_process_failed(struct stream_head *h)
{
	mmi_thread_internal_begin();
	memset(&driver, 0, sizeof(driver));
	driver.mapped = mmi_own_add_or_miss;
	if (mmi_driver_open(&driver, h, mmi_consumer_home()))
		mmi_driver_failed(&driver,
				  "memmon-consume, which runs the modules, "
				  "ended or couldn't be started");
	mmi_thread_internal_end();
}

void
mmi_in_process_drop(void)
{
	lock = 0;
	opened = false;
}
