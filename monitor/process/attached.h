/* SPDX-License-Identifier: MIT */
/*
 * A process that started without this library, and into which `memmon -p' has
 * loaded it.  The launcher calls these functions in one of the process's
 * threads, at a place where the thread holds no lock of the allocator, the
 * loader or the libc.  The other threads keep running.
 */
#ifndef MEMMON_ATTACHED_H
#define MEMMON_ATTACHED_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Part of the path that the launcher gives to dlopen().  The constructor then
 * does nothing, and leaves all to memmon_attach_begin().
 */
#define MMI_ATTACHED_PATH "/./"

/* Size limit of the settings (base/process.h), in bytes. */
#define MMI_ATTACHED_SETTINGS 8192u

/* Results of the two functions; the launcher reads them. */
struct mmi_attached_answer {
	uint64_t done;	  /* 1 when the rest is set */
	int64_t error;	  /* 0, or -errno */
	uint64_t changed; /* GOT entries that got or lost a hook */
	uint64_t refused; /* GOT entries that can't be written to */
	uint64_t again;	  /* the library was used before */
	uint64_t image;	  /* the file has the counts meanwhile */
	char file[4096];  /* the file's name; "": none */
	/* The file that was written first: its memmon was killed. */
	char before[4096];
};

/*
 * Value of memmon_attach_loaded when the library is loaded: the launcher reads
 * it in the process before it calls the functions.
 */
#define MMI_ATTACHED_LOADED 0x6d656d6d6f6e0001ull

/* ctx: none of the library's: see above. */
void memmon_attach_begin(const char *told, uint64_t length,
			 struct mmi_attached_answer *a);
void memmon_attach_end(struct mmi_attached_answer *a);

/*
 * Is `memmon -p' loading this library?  The constructor then stores main()'s
 * arguments, for start.c to begin with later.  ctx: init.
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
void mmi_attached_loaded(void); /* the constructor runs */
void mmi_attached_arguments(int argc, char **argv);
void mmi_start_attached(int argc, char **argv);

/* No memmon is attached to the child.  ctx: fork. */
void mmi_attached_fork(void);
#endif

#endif
