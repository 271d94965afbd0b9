/* SPDX-License-Identifier: MIT */
/*
 * What code instrumented for modules (memmon-cc --module), libmemmon-access and
 * the consumer of the events must agree on.  The plugin for gcc and the pass
 * for LLVM include it, too.
 *
 * An event is one to three words of 64 bits, written to a buffer of the thread.
 * The first word describes it:
 *
 *	0-31	where: the number of an instruction, loop, function or object
 *	32-55	size in bytes (MEMMON_EVENT_SIZE_MAX: that or more), or 0
 *	56-60	kind, an enum memmon_event_kind; 0 isn't an event, but a word
 *		that was reserved and not written: it is passed over
 *	61	a word with an address follows
 *	62	a word with a value follows, after the address if there is one:
 *		its bits; bits above its size are 0
 *
 * So each event shows which arguments it has.  The modules' requests decide
 * which arguments these are, when a file is compiled.
 *
 * Compiled code writes the events of a stretch without calls and branches as
 * one event, a block: its first word has the number of the block, how many
 * words follow (where other events have a size) and nothing else.  The list of
 * the file says which events these are (struct memmon_step), and which of the
 * words are the address and the value of each event: several events may share a
 * word.
 *
 * Numbers are valid for one run: a file's numbers are given out when it is
 * registered.  No place has number 0, and numbers from MEMMON_CALLERS on are
 * places that call the allocator.  The file's list of places says what a number
 * means.  It is in section MEMMON_EVENTS_SECTION of the program: plain bytes
 * without relocations, so a reader of the program's file can read them, too.
 */
#ifndef MEMMON_EVENTS_H
#define MEMMON_EVENTS_H

#define MEMMON_EVENTS_SECTION ".memmon_events"
#define MEMMON_EVENT_SIZE_SHIFT 32
#define MEMMON_EVENT_SIZE_MAX 0xffffff
#define MEMMON_EVENT_KIND_SHIFT 56
#define MEMMON_EVENT_KIND_MASK 31
#define MEMMON_EVENT_ADDRESS_SHIFT 61
#define MEMMON_EVENT_VALUE_SHIFT 62
#define MEMMON_EVENT_WORDS 3 /* most words of one event */
#define MEMMON_CALLERS 0x80000000u
/* *first before a list is registered: such blocks are passed over. */
#define MEMMON_UNREGISTERED 0xc0000000u

/*
 * A thread's variable in thread-local storage (initial-exec) of this name is
 * its struct memmon_events.  If the library is missing, the linker's message
 * shows this name, which says what to do; the number changes with this file.
 */
#define MEMMON_EVENTS_NAME "__link_with_lmemmon_events_v1"

/* Table 2 of the PROMPT paper; events_kinds.h has the arguments of each. */
enum memmon_event_kind {
	MEMMON_EVENT_NONE,
	MEMMON_EVENT_LOAD, /* address, value; size */
	/*
	 * Address, value; size.  LOAD and STORE: if the size is unknown or too
	 * large, the value is the size.
	 */
	MEMMON_EVENT_STORE,
	MEMMON_EVENT_POINTER, /* address: what it points to */
	MEMMON_EVENT_ALLOC,   /* address; value: size, of any length */
	MEMMON_EVENT_FREE,    /* address */
	/* address; size; value: a size that is too large */
	MEMMON_EVENT_STACK_ALLOC,
	MEMMON_EVENT_STACK_FREE, /* address */
	MEMMON_EVENT_GLOBAL,	 /* address; value: size */
	MEMMON_EVENT_ENTRY,	 /* address: the frame's */
	MEMMON_EVENT_EXIT,	 /* address: the frame's */
	/* A loop is entered from outside; address: the frame's. */
	MEMMON_EVENT_LOOP,
	/* The loop's header is run, also the first time. */
	MEMMON_EVENT_ITERATION,
	MEMMON_EVENT_LOOP_EXIT, /* an edge out of the loop is taken */
	MEMMON_EVENT_START,	/* of a process; value: its number */
	MEMMON_EVENT_END,	/* the same */
	/*
	 * Address: of the frame that continues, although functions that it
	 * called haven't returned: after an exception or longjmp().
	 */
	MEMMON_EVENT_RESUME,
	MEMMON_EVENT_BLOCK, /* a block of events; size: words that follow */
	MEMMON_EVENT_KINDS
};

/* The parts of a list of places: all numbers are little-endian. */
#define MEMMON_PLACES_MAGIC 0x3156454d /* MEV1 */
#define MEMMON_NO_PLACE 0xffffffffu
#define MEMMON_PLACE_FLOAT 1  /* the value is a floating-point number */
#define MEMMON_PLACE_SIGNED 2 /* the value is a signed number */
#define MEMMON_PLACE_POINTER 4
/* Of a restriction: something in the file matches. */
#define MEMMON_PLACE_FOUND 8
#define MEMMON_STEP_FIXED 0xffff

#ifndef MEMMON_ABI_NAMES_ONLY
#include <stddef.h>
#include <stdint.h>

/*
 * Where the thread's next event goes.  Code reserves all words of a stretch
 * without calls and branches at once:
 *
 *	p = e->next
 *	if (p + n > e->end)	(both are NULL at first)
 *		p = __memmon_events_full(n)
 *	e->next = p + n
 *
 * and then fills them, so the events of a signal handler follow after them.
 * There is always room: events that can't be kept go to words that are thrown
 * away, and are counted.
 */
struct memmon_events {
	uint64_t *next, *end;
};

extern __thread struct memmon_events __link_with_lmemmon_events_v1
	__attribute__((tls_model("initial-exec")));

/*
 * Room for n words, n < 4096, in a buffer of this thread.  Doesn't change
 * vector and floating-point registers.
 */
uint64_t *__memmon_events_full(size_t n);

/*
 * The contents of MEMMON_EVENTS_SECTION of a file: this, places, and strings.
 */
struct memmon_places {
	uint32_t magic;
	/* Of all parts, with the strings, in bytes, a multiple of 8. */
	uint32_t size;
	uint32_t n; /* how many places follow */
	/* From the start to the strings; each string ends with 0. */
	uint32_t strings;
	uint32_t wants;	  /* a bit for each kind of event that is emitted */
	uint32_t unit;	  /* offset of the name of the file compiled */
	/*
	 * Offset of the names of the modules that the file is compiled for,
	 * with blanks between them.  A name with a slash is a path.  A word
	 * workers=N says how many threads consume the events.
	 */
	uint32_t modules;
	/*
	 * Offsets of arrays from the start of all, and how many items they
	 * have:
	 */
	uint32_t blocks, n_blocks; /* struct memmon_block */
	uint32_t steps, n_steps;   /* struct memmon_step */
	/* How many addresses the registration passes. */
	uint32_t n_addresses;
	/*
	 * Steps that happen at registration: GLOBAL; their sizes are those of
	 * their places.
	 */
	uint32_t start, n_start;
};

/* A block of events: its number is *first + its index. */
struct memmon_block {
	uint32_t step;	/* index of its first step */
	uint16_t n;	/* how many steps it has */
	uint16_t words; /* how many words follow, less than 1024 */
};

struct memmon_step {
	/*
	 * Its first word, without the number: instead it has the index of its
	 * place; *first is added to that.
	 */
	uint64_t event;
	int32_t delta;	  /* is added to the address */
	/*
	 * Which of the words that follow is the address, from 0 on; or
	 * MEMMON_STEP_FIXED: addresses[delta].
	 */
	uint16_t address;
	uint16_t value; /* the same for the value */
};

/*
 * A place in the source.  Offsets are from the beginning of the strings, where
 * an empty string comes first.  If a line has several equal places, `ordinal'
 * counts them from 0 on, so (kind, file, line, column, ordinal) is the same in
 * each build.
 */
struct memmon_place {
	/*
	 * An enum memmon_event_kind; LOOP, ENTRY and STACK_ALLOC for all events
	 * of a loop, a function and an object on the stack.  START, after all
	 * others: a restriction of the events, with name "--only=FUNCTION" or
	 * "--loop=FILE:LINE"; file (and line, for a loop) is what is most
	 * similar to it.
	 */
	uint8_t kind;
	uint8_t flags;	  /* MEMMON_PLACE_* */
	uint16_t ordinal; /* counts equal places in its line and column */
	uint32_t line, column;
	uint32_t file;	   /* offset of its name */
	uint32_t function; /* index of the place of the function around it */
	/*
	 * Index of the place of the innermost loop around it, or
	 * MEMMON_NO_PLACE.
	 */
	uint32_t loop;
	/*
	 * Offset: of a function (the linker's name), of an object, or of what
	 * is accessed: its type or path.
	 */
	uint32_t name;
	uint32_t size;	   /* of an access or object in bytes, or 0 */
};

/*
 * A file's code registers its list before any event of the file, from a
 * constructor of priority 100.  Sets *first to the number of its place 0 and of
 * its block 0: the number of a place is *first + index, and code adds the lower
 * half of *first to a constant.  `addresses' are those of the objects of steps
 * with a fixed address; they may be NULL.
 */
void __memmon_events_register(const struct memmon_places *list, uint64_t *first,
			      const void *const *addresses);
#endif

#endif
