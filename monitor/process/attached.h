/* SPDX-License-Identifier: MIT */
/*
 * A process that ran without this library, and that `memmon -p' has loaded it
 * into.  The launcher calls these functions in one of its threads, at a place
 * where that holds no lock of the allocator, the loader or the libc; the other
 * threads go on.
 */
#ifndef MEMMON_ATTACHED_H
#define MEMMON_ATTACHED_H

#include <stdbool.h>
#include <stdint.h>

/*
 * In the path that the launcher gives to dlopen(): the constructor does nothing
 * then, and leaves all to memmon_attach_begin().
 */
#define MMI_ATTACHED_PATH "/./"

/* Bytes of settings (base/process.h), at most. */
#define MMI_ATTACHED_SETTINGS 8192u

/* What the two functions say; the launcher reads it. */
struct mmi_attached_answer {
	uint64_t done;	  /* 1 when the rest is set */
	int64_t error;	  /* 0, or -errno */
	uint64_t changed; /* GOT entries that have got a hook, or lost one */
	uint64_t refused; /* GOT entries that can't be written to */
	uint64_t again;	  /* it isn't the first time */
	uint64_t image;	  /* counts stand in the file while it runs */
	char file[4096];  /* the file's name, "" if there is none */
	/* The file that was written first, of a memmon that was killed. */
	char before[4096];
};

/*
 * What memmon_attach_loaded is once the library is loaded: the launcher reads
 * it in the process before it calls the functions.
 */
#define MMI_ATTACHED_LOADED 0x6d656d6d6f6e0001ull

/* ctx: none of the library's: see above. */
void memmon_attach_begin(const char *told, uint64_t length,
			 struct mmi_attached_answer *a);
void memmon_attach_end(struct mmi_attached_answer *a);

/*
 * Is this library being loaded by `memmon -p'?  Then the constructor leaves
 * main()'s arguments, for start.c to begin with later.  ctx: init.
 */
#if defined(MEMMON_STATIC) || defined(MEMMON_ACCESS)
#define mmi_attached_loading() false
#define mmi_attached_loaded() ((void)0)
#define mmi_attached_arguments(argc, argv) ((void)0)
static inline void
mmi_attached_fork(void)
{
}
#else
#define MMI_ATTACHES
extern uint64_t memmon_attach_loaded;
bool mmi_attached_loading(void);
void mmi_attached_loaded(void); /* the constructor is run */
void mmi_attached_arguments(int argc, char **argv);
void mmi_start_attached(int argc, char **argv);

/* Nobody is attached to the child.  ctx: fork. */
void mmi_attached_fork(void);
#endif

#endif
