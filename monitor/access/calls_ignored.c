/* SPDX-License-Identifier: MIT */
/*
 * The portable way: calls that have no effect here.  The compiler makes some of
 * them.  The others are in programs that tell the sanitizer about their own
 * locks if __has_feature() says that they are compiled for it.  ctx: hook.
 */
#include "monitor/base/internal.h"

#define NONE(name) \
	EXPORT void name(void); \
	EXPORT void name(void) \
	{ \
	}
#define NOTHING(name) \
	EXPORT void *name(void); \
	EXPORT void *name(void) \
	{ \
		return NULL; \
	}

NONE(__tsan_func_entry)
NONE(__tsan_func_exit)
NONE(__tsan_ignore_thread_begin)
NONE(__tsan_ignore_thread_end)

/* sanitizer/tsan_interface.h */
NONE(__tsan_acquire)
NONE(__tsan_release)
NONE(__tsan_mutex_create)
NONE(__tsan_mutex_destroy)
NONE(__tsan_mutex_pre_lock)
NONE(__tsan_mutex_post_lock)
NOTHING(__tsan_mutex_pre_unlock)
NONE(__tsan_mutex_post_unlock)
NONE(__tsan_mutex_pre_signal)
NONE(__tsan_mutex_post_signal)
NONE(__tsan_mutex_pre_divert)
NONE(__tsan_mutex_post_divert)
NOTHING(__tsan_external_register_tag)
NONE(__tsan_external_register_header)
NONE(__tsan_external_assign_tag)
NONE(__tsan_external_read)
NONE(__tsan_external_write)
NOTHING(__tsan_get_current_fiber)
NOTHING(__tsan_create_fiber)
NONE(__tsan_destroy_fiber)
NONE(__tsan_switch_to_fiber)
NONE(__tsan_set_fiber_name)
NONE(__tsan_flush_memory)

/* dynamic_annotations.h, which many programs contain a copy of */
NONE(AnnotateHappensBefore)
NONE(AnnotateHappensAfter)
NONE(AnnotateCondVarSignal)
NONE(AnnotateCondVarSignalAll)
NONE(AnnotateMutexIsNotPHB)
NONE(AnnotateMutexIsUsedAsCondVar)
NONE(AnnotateCondVarWait)
NONE(AnnotateRWLockCreate)
NONE(AnnotateRWLockCreateStatic)
NONE(AnnotateRWLockDestroy)
NONE(AnnotateRWLockAcquired)
NONE(AnnotateRWLockReleased)
NONE(AnnotateTraceMemory)
NONE(AnnotateFlushState)
NONE(AnnotateNewMemory)
NONE(AnnotateNoOp)
NONE(AnnotateFlushExpectedRaces)
NONE(AnnotateEnableRaceDetection)
NONE(AnnotatePCQCreate)
NONE(AnnotatePCQDestroy)
NONE(AnnotatePCQPut)
NONE(AnnotatePCQGet)
NONE(AnnotateExpectRace)
NONE(AnnotateBenignRace)
NONE(AnnotateBenignRaceSized)
NONE(AnnotateIgnoreReadsBegin)
NONE(AnnotateIgnoreReadsEnd)
NONE(AnnotateIgnoreWritesBegin)
NONE(AnnotateIgnoreWritesEnd)
NONE(AnnotateIgnoreSyncBegin)
NONE(AnnotateIgnoreSyncEnd)
NONE(AnnotatePublishMemoryRange)
NONE(AnnotateUnpublishMemoryRange)
NONE(AnnotateThreadName)
NONE(WTFAnnotateHappensBefore)
NONE(WTFAnnotateHappensAfter)
NONE(WTFAnnotateBenignRaceSized)
