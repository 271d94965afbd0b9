/* SPDX-License-Identifier: MIT */
/*
 * What the files of the leak check share.  leak.c explains how they work
 * together; no other code uses this header.
 *
 * A check reads memory that doesn't change: a frozen copy of the process, or
 * the process itself while its other threads are stopped.  In both cases a
 * thread may have been stopped in the middle of malloc.  So the check uses no
 * libc, but system calls and memory mapped for it.  All ctx: exit.
 */
#ifndef MEMMON_LEAK_CHECK_H
#define MEMMON_LEAK_CHECK_H

#include "monitor/base/internal.h"
#include "monitor/chain/walk.h"

/* A mapping of the process: a line of /proc/self/maps. */
struct mmi_leak_map {
	uintptr_t start, end;
	uint64_t flags;
};
#define MMI_LEAK_READ 1u
#define MMI_LEAK_WRITE 2u
#define MMI_LEAK_SHARED 4u
#define MMI_LEAK_FILE 8u
#define MMI_LEAK_STACK 16u /* the first thread's */
#define MMI_LEAK_BRK 32u
#define MMI_LEAK_DEVICE 64u /* not to be touched */
#define MMI_LEAK_ABSENT 128u /* a fork leaves it out, */
#define MMI_LEAK_WIPED 256u  /* or clears it */
#define MMI_LEAK_WAITS 512u  /* access to a missing page may never end */
#define MMI_LEAK_KEYED 1024u /* it has a protection key */
#define MMI_LEAK_OPENED 2048u /* the copy made it readable */
#define MMI_LEAK_GUARD 4096u /* guard pages that maps doesn't show */

/* [start, end) */
struct mmi_leak_range {
	uintptr_t start, end;
};

/* What is known about a thread. */
enum {
	MMI_LEAK_ASKED,	  /* nothing yet */
	MMI_LEAK_ANSWERS, /* its handler is writing its registers */
	MMI_LEAK_STOPPED, /* all: sp, tcb, registers */
	MMI_LEAK_IN_CALL, /* it is in a system call: sp, arguments; not tcb */
	MMI_LEAK_UNKNOWN, /* nothing */
	MMI_LEAK_GONE,	  /* it has ended */
};

struct mmi_leak_thread {
	long tid;
	uint32_t state; /* atomic */
	uint32_t check; /* number of the check that stops it */
	long call;	/* the system call that it was in; -1: none */
	uintptr_t pc, sp, tcb;
	bool exact; /* the thread uses no memory below sp, no red zone */
	unsigned nreg;
	uintptr_t reg[ARCH_CONTEXT_MAX];
};

/* Blocks and items of pools in them: sorted by start. */
struct mmi_leak_block {
	uintptr_t start;
	uint64_t size;
	uint32_t node;	/* 0: of a process before the fork */
	uint32_t outer; /* block around it, number + 1; 0 if there is none */
};

/* What a check finds out about a node's blocks. */
struct mmi_leak_site {
	uint64_t blocks[MONOUT_NLEAK], bytes[MONOUT_NLEAK];
	struct {
		uint64_t blocks, bytes;
	} holds; /* indirectly lost blocks that its lost ones lead to */
};

/*
 * The result, in memory that the copy shares with the process.  `nodes' sites
 * follow, by node.
 */
struct mmi_leak_result {
	size_t size;   /* bytes mapped */
	uint32_t done; /* atomic; a futex.  1: complete, 2: it failed */
	uint32_t nodes;
	uint64_t time;	/* ns after start */
	/* Threads that didn't stop: their registers are unknown. */
	uint64_t blind;
	uint64_t unread, places; /* bytes not searched; their ranges */
	/* Lost blocks with pointers of other forms to them. */
	uint64_t odd, tagged;
	uint64_t held, held_bytes; /* blocks that only `frames' lead to */
	bool unknown; /* there may be unrecorded blocks */
	uint64_t blocks[MONOUT_NLEAK]; /* of all sites */
	const char *why;	       /* why it failed: a constant text */
	struct mmi_graph *graph;       /* NULL: no graph was wanted */
	struct mmi_leak_site site[];
};

/* Blocks of one page of addresses: their first, and how many from there on. */
struct mmi_leak_page {
	uint32_t first, count;
};

/* l->leaves: one for each GiB that has blocks. */
#define MMI_LEAK_LEAVES (1u << (ARCH_ADDR_BITS - 30))
#define MMI_LEAK_LEAF_PAGES (1u << 18)
#define MMI_LEAK_LEAF_SIZE (MMI_LEAK_LEAF_PAGES * sizeof(struct mmi_leak_page))

/*
 * The functions of libc that end the program, between the stack pointers of the
 * handler and of exit()'s caller.  Their frames have old values of the program,
 * but the registers that they saved are the caller's.
 */
#define MMI_LEAK_SAVED 64
struct mmi_leak_exit {
	uintptr_t handler, caller;
	uintptr_t saved[MMI_LEAK_SAVED]; /* addresses */
	unsigned nsaved;
};

/* One check. */
struct mmi_leak {
	struct mmi_leak_result *result;
	/* Threads, the calling one first. */
	struct mmi_leak_thread *threads;
	unsigned nthreads;
	struct mmi_walk_at self; /* the calling one, in this library */

	/* leak_special.c */
	/* Memory that a copy lacks, or that nothing may touch. */
	struct mmi_leak_map *special;
	size_t nspecial;
	/* Ranges of `special'; their bytes follow in `stash'. */
	struct mmi_leak_range *saved;
	size_t nsaved, stash_used;
	unsigned char *stash;
	bool in_place; /* the process itself is searched, not a copy */

	/* leak_fault.c */
	struct mmi_leak_range *unread;
	size_t nunread;
	uintptr_t probed; /* the last page that could be read */
	uint64_t until;	  /* ns on the monotonic clock */
	unsigned turn;
	bool late; /* `until' has passed: no results */

	/* leak_maps.c */
	struct mmi_leak_map *maps;
	size_t nmaps, map_room;
	size_t near;	   /* index of the mapping found last */
	long pagemap;	   /* file descriptor; < 0 if there is none */
	uint64_t *entries; /* of pages, room for ENTRIES */
	/* The kernel can't list pages, or guard pages. */
	bool no_scan, no_guards;

	/* leak_mark.c */
	struct mmi_leak_block *blocks;
	uint32_t nblocks, block_room;
	bool unsorted;		       /* the blocks aren't in order yet */
	uintptr_t lo, span;	       /* where blocks are */
	struct mmi_leak_page **leaves; /* by GiB */
	uint8_t *kinds;
	uint32_t *stack;
	uint32_t depth;
	uint32_t root; /* node of the lost block that is followed */
	unsigned forms; /* MMI_LEAK_UNALIGNED, MMI_LEAK_TAGGED */
	uint64_t budget; /* bytes that may be searched; UINT64_MAX: all */
	void (*hit)(struct mmi_leak *l, uint32_t i, bool exact);
	uintptr_t at; /* address of the word; 0: it isn't in memory */

	/* leak_roots.c */
	struct mmi_leak_range *except; /* no roots there; sorted */
	size_t nexcept, except_room;
	bool exits; /* the program ends by exit(), _exit() or quick_exit() */
	/* Of the first thread's functions, if it ends the program so; and the
	 * functions of libc within them. */
	struct mmi_leak_range frames;
	struct mmi_leak_exit ends;
	uintptr_t tcb;	  /* found in a mapping */
	uintptr_t top;	  /* of glibc's first arena; 0: it isn't known */
	uintptr_t *ended; /* control blocks of threads that have ended */
	size_t nended;
	/* The thread whose words these are. */
	const struct mmi_leak_thread *of_thread;
	/* If at is 0: DWARF number of the word's register, if it has one. */
	unsigned reg;
};

/* Forms of pointers that count in addition to aligned words. */
#define MMI_LEAK_UNALIGNED 1u /* at any address */
#define MMI_LEAK_TAGGED 2u    /* with any value in the unused bits */

/*
 * leak_result.c: the result of the last successful check.  Other threads may
 * read this result.  mmi_leak_why(): why a later check failed, a constant text;
 * or NULL.
 */
void mmi_leak_publish(struct mmi_leak_result *r);
void mmi_leak_failed(const char *why);
const char *mmi_leak_why(void);
const struct mmi_leak_result *mmi_leak_last(void);
void mmi_leak_result_fork(void); /* ctx: fork */

/* Keep the last result's graph for later files; is there one? */
void mmi_leak_graph_keep(void);
bool mmi_leak_graph_kept(void);

/*
 * Zeroed memory for a check; only pages that are touched cost memory.  NULL:
 * none.  It disappears with the copy, or by mmi_leak_unmap().
 */
void *mmi_leak_map(size_t size);

/* The same, shared by the copy and the process. */
void *mmi_leak_map_shared(size_t size);
void mmi_leak_unmap(void *p, size_t size);

/*
 * leak_stop.c: all other threads except the monitor's own.  stop: they stay
 * stopped until go, or for at most `seconds'; false: they can't be listed
 * (*why), and none is stopped.  then: what happens to a thread whose system
 * call would fail with EINTR.  The structs of *l are valid until the next
 * check.
 */
enum mmi_leak_then {
	MMI_LEAK_GO_ON,	 /* the call fails */
	MMI_LEAK_REPEAT, /* the call is repeated, with its whole timeout */
	/* The thread stays stopped: the process is about to end. */
	MMI_LEAK_STAY,
};
bool mmi_leak_stop(struct mmi_leak *l, enum mmi_leak_then then,
		   unsigned seconds, const char **why);
void mmi_leak_go(void);
void mmi_leak_stop_fork(void); /* ctx: fork */

/*
 * leak_call.c: a thread was in system call `call', which would fail with EINTR.
 * Repeat it instead if the program can't notice, or, if even_so, in any case.
 * `seen': the call's arguments when the thread was asked to stop.
 */
bool mmi_leak_again(ucontext_t *c, long call, const uintptr_t seen[6],
		    bool even_so);

/*
 * leak_special.c: mmi_leak_special() looks for memory that a copy wouldn't
 * have, while the threads run.  mmi_leak_save() saves its contents when the
 * threads are stopped.  mmi_leak_restore() puts the contents back in the copy.
 * mmi_leak_special_close() frees the memory of these, at the end, in the
 * process.
 */
void mmi_leak_special(struct mmi_leak *l);
void mmi_leak_save(struct mmi_leak *l);
void mmi_leak_restore(const struct mmi_leak *l);
void mmi_leak_special_close(struct mmi_leak *l);

/* Is an address in memory with one of these flags? */
bool mmi_leak_is_special(const struct mmi_leak *l, uintptr_t a, uint64_t flags);

/* leak_filter.c: why a filter allows no check, or NULL. */
const char *mmi_leak_filtered(void);

/*
 * leak_fault.c: in the copy, accesses to the program's memory never fault from
 * now on.  Memory that can't be read reads as 0, and is added to the list
 * `unread'.
 */
void mmi_leak_faults(struct mmi_leak *l);

/*
 * May n bytes at a be read (n: at most a page)?  In the copy: are they memory
 * of the program?
 */
bool mmi_leak_ok(struct mmi_leak *l, uintptr_t a, size_t n);

/*
 * Make a mapping readable that the program made unreadable.  Only in the copy.
 */
bool mmi_leak_open(struct mmi_leak_map *m);

/* Can the process itself read the page at a now? */
bool mmi_leak_probe(struct mmi_leak *l, uintptr_t a);

/* Note that [start, end) isn't searched.  _sum: add up all such ranges. */
void mmi_leak_unread(struct mmi_leak *l, uintptr_t start, uintptr_t end);
void mmi_leak_unread_sum(struct mmi_leak *l);

/* Is the time limit over?  Only some calls ask the clock. */
bool mmi_leak_late(struct mmi_leak *l);

/* leak_maps.c: read all mappings.  False: they can't be read. */
bool mmi_leak_maps(struct mmi_leak *l);
void mmi_leak_maps_close(struct mmi_leak *l);

/* Parse a line of /proc/self/maps.  False: not such a line, or not useful. */
bool mmi_leak_map_line(const char *s, struct mmi_leak_map *m);

/* Prepare mmi_leak_present(), except for the mappings. */
bool mmi_leak_pages(struct mmi_leak *l);
void mmi_leak_pages_close(struct mmi_leak *l);

/* Call mmi_leak_present() for a mapping. */
void mmi_leak_map_present(struct mmi_leak *l, const struct mmi_leak_map *m,
			  uintptr_t lo, uintptr_t hi,
			  void (*f)(struct mmi_leak *l, uintptr_t lo,
				    uintptr_t hi));

/* The mapping of an address, or NULL. */
const struct mmi_leak_map *mmi_leak_find(struct mmi_leak *l, uintptr_t a);

/* Call f for the parts of [lo, hi) that are present and may hold pointers. */
void mmi_leak_present(struct mmi_leak *l, uintptr_t lo, uintptr_t hi,
		      void (*f)(struct mmi_leak *l, uintptr_t lo,
				uintptr_t hi));

/* leak_blocks.c: list the live blocks.  False: no memory. */
bool mmi_leak_list(struct mmi_leak *l);

/*
 * The block that a points into, number + 1, or 0.  A block of no bytes contains
 * only its own address.
 */
uint32_t mmi_leak_at(const struct mmi_leak *l, uintptr_t a);

/*
 * Prefetch what mmi_leak_at() will read for several addresses: first call _page
 * for all of them, then _block.  Only for a - l->lo < l->span.
 */
void mmi_leak_fetch_page(const struct mmi_leak *l, uintptr_t a);
void mmi_leak_fetch_block(const struct mmi_leak *l, uintptr_t a);

/* The first block from address a on, or the number of blocks. */
uint32_t mmi_leak_from(const struct mmi_leak *l, uintptr_t a);

/*
 * leak_roots.c: call mmi_leak_words() for all memory that holds roots, except
 * l->frames (_roots); for l->frames (_frames).  _init: call it first, once; it
 * finds that memory.  False: out of memory.
 */
bool mmi_leak_roots_init(struct mmi_leak *l);
void mmi_leak_roots(struct mmi_leak *l);
void mmi_leak_frames(struct mmi_leak *l);

/*
 * leak_frames.c: where to start the walk of a thread's stack; false: unknown.
 */
bool mmi_leak_walk_at(const struct mmi_leak *l, const struct mmi_leak_thread *t,
		      struct mmi_walk_at *at);

/*
 * leak_frames.c: set l->ends; l->frames are the calling thread's.  If main()
 * has returned, all of them are libc's; if they are unknown, none.
 */
void mmi_leak_exit_find(struct mmi_leak *l);

/*
 * l->hit for the memory that glibc keeps of each thread that has ended, until
 * glibc uses that thread's stack again: the table of thread-local storage, and
 * the blocks in the table.  A pointer in these makes no block reachable.
 */
void mmi_leak_ended(struct mmi_leak *l);

/* [start, end) holds no roots. */
void mmi_leak_except(struct mmi_leak *l, uintptr_t start, uintptr_t end);

/*
 * leak_glibc.c: the part of the heap around one of glibc's blocks, found by the
 * words before the block: a mapping for this block alone, or an arena.  False:
 * another allocator made the block, or it is elsewhere.
 */
bool mmi_leak_heap_around(struct mmi_leak *l, const struct mmi_leak_map *m,
			  const struct mmi_leak_block *b,
			  struct mmi_leak_range *r);

/*
 * The result of a thread that has ended, if pthread_join() may still return it.
 * 0: the result can't be fetched any more, or its address is unknown.
 */
uintptr_t mmi_leak_result(struct mmi_leak *l, uintptr_t tcb);

/* Offset of glibc's struct pthread from a thread's control block. */
extern HIDDEN intptr_t mmi_leak_pthread;

/*
 * Did glibc make the stack of the thread with this control block, with the
 * guard pages `guard' below it?
 */
bool mmi_leak_stack_is(struct mmi_leak *l, uintptr_t tcb,
		       const struct mmi_leak_map *guard);

/* mmi_leak_except() for malloc's own data in a module's data. */
void mmi_leak_except_arenas(struct mmi_leak *l, const struct mmi_leak_map *m);

/*
 * mmi_leak_except() for the parts of [lo, hi), memory from sbrk(2), that are
 * malloc's.  Call it after mmi_leak_except_arenas() of all modules.  False: the
 * parts are unknown.
 */
bool mmi_leak_except_brk(struct mmi_leak *l, uintptr_t lo, uintptr_t hi);

/* leak_ignore.c: mmi_leak_word() for each block of memmon_leak_ignore(). */
void mmi_leak_ignored(struct mmi_leak *l);

/* A word at any address. */
typedef uintptr_t mmi_leak_unaligned __attribute__((aligned(1), may_alias));

/* leak_mark.c: l->hit for each pointer in [lo, hi). */
void mmi_leak_words(struct mmi_leak *l, uintptr_t lo, uintptr_t hi);
void mmi_leak_word(struct mmi_leak *l, uintptr_t w);

/* The same for all pointers in block i. */
void mmi_leak_block(struct mmi_leak *l, uint32_t i);

/* Find the kind of each block.  False: no memory. */
bool mmi_leak_mark(struct mmi_leak *l);

#endif
