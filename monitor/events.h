/* SPDX-License-Identifier: MIT */
/*
 * Between code instrumented for modules (memmon-cc --module), libmemmon-access
 * and whoever consumes the events: what all must agree on.  The plugin for gcc
 * and the pass for LLVM include it too.
 *
 * An event is one to three words of 64 bits, written to a buffer of the thread.
 * The first says what it is:
 *
 *	0-31	where: the number of an instruction, loop, function or object
 *	32-55	size in bytes (MEMMON_EVENT_SIZE_MAX: that or more), or 0
 *	56-60	kind, an enum memmon_event_kind; 0 isn't an event, but a word
 *		that was reserved and not written: it is passed over
 *	61	a word with an address follows
 *	62	a word with a value follows, behind the address if there is one:
 *		its bits, of which those above its size are 0
 *
 * So events tell themselves which arguments they have; which these are is
 * decided when a file is compiled, by what the modules ask for.
 *
 * Compiled code writes those of a stretch without calls and branches as one, a
 * block: its first word says which (a number, too), how many words follow
 * (where others have a size) and nothing else.  The list of the file tells
 * which events these are (struct memmon_step), and from which of the words each
 * has its address and its value: several may have theirs from one.
 *
 * Numbers are those of one run: a file's first one is given out when it is
 * registered, 0 to nobody, and those from MEMMON_CALLERS on are places that
 * call the allocator.  What a number means is in the file's list of places, in
 * section MEMMON_EVENTS_SECTION of the program: plain bytes without
 * relocations, so that whoever reads the program's file can read them too.
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
#define MEMMON_EVENT_WORDS 3 /* at most, of one event */
#define MEMMON_CALLERS 0x80000000u
/* What *first is before a list is registered: such blocks are passed over. */
#define MEMMON_UNREGISTERED 0xc0000000u

/*
 * A thread's variable in thread-local storage (initial-exec) of this name is
 * its struct memmon_events.  The name tells who reads the linker's message what
 * is missing; its number changes with this file.
 */
#define MEMMON_EVENTS_NAME "__link_with_lmemmon_events_v1"

/* Table 2 of PROMPT; which arguments each may have is in events_kinds.h. */
enum memmon_event_kind {
	MEMMON_EVENT_NONE,
	MEMMON_EVENT_LOAD,    /* address, value; size */
	MEMMON_EVENT_STORE,   /* address, value; size; of both: a size that
				 isn't known, or too large, is the value */
	MEMMON_EVENT_POINTER, /* address: what it points to */
	MEMMON_EVENT_ALLOC,   /* address; value: size, of any length */
	MEMMON_EVENT_FREE,    /* address */
	MEMMON_EVENT_STACK_ALLOC, /* address; size; value: if it is longer */
	MEMMON_EVENT_STACK_FREE,  /* address */
	MEMMON_EVENT_GLOBAL,	  /* address; value: size */
	MEMMON_EVENT_ENTRY,	  /* address: the frame's */
	MEMMON_EVENT_EXIT,	  /* address: the frame's */
	MEMMON_EVENT_LOOP,	  /* a loop is entered from outside; address:
				     the frame's */
	MEMMON_EVENT_ITERATION,	  /* its header is run, the first time too */
	MEMMON_EVENT_LOOP_EXIT,	  /* an edge out of it is taken */
	MEMMON_EVENT_START,	  /* of a process; value: its number */
	MEMMON_EVENT_END,	  /* the same */
	MEMMON_EVENT_RESUME, /* address: of the frame that goes on, though
				others that it called haven't returned: behind
				an exception or longjmp() */
	MEMMON_EVENT_BLOCK,  /* of events; size: words that follow */
	MEMMON_EVENT_KINDS
};

/* What is in a list of places: all numbers little-endian. */
#define MEMMON_PLACES_MAGIC 0x3156454d /* MEV1 */
#define MEMMON_NO_PLACE 0xffffffffu
#define MEMMON_PLACE_FLOAT 1  /* the value is a floating-point number */
#define MEMMON_PLACE_SIGNED 2 /* a signed one */
#define MEMMON_PLACE_POINTER 4
#define MEMMON_PLACE_FOUND 8 /* of a restriction: the file has it */
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
 * and then fills them, so a handler's events follow behind.  There is always
 * room: what can't be kept goes to words that are thrown away, and counted.
 */
struct memmon_events {
	uint64_t *next, *end;
};

extern __thread struct memmon_events __link_with_lmemmon_events_v1
	__attribute__((tls_model("initial-exec")));

/*
 * Room for n words, n < 4096, in a buffer of this thread.  Leaves vector and
 * floating-point registers alone.
 */
uint64_t *__memmon_events_full(size_t n);

/* What a file has in MEMMON_EVENTS_SECTION: this, places, and strings. */
struct memmon_places {
	uint32_t magic;
	uint32_t size;	  /* of all, strings too, in bytes, a multiple of 8 */
	uint32_t n;	  /* places, which follow */
	uint32_t strings; /* from the start to the strings, each ends with 0 */
	uint32_t wants;	  /* a bit for each kind of event that is emitted */
	uint32_t unit;	  /* offset of the name of the file compiled */
	uint32_t modules; /* of the modules that are asked for, with blanks
			     between; those with a slash are paths; a word
			     workers=N says how many consume */
	/* From the start of all to arrays, and how many there are: */
	uint32_t blocks, n_blocks; /* struct memmon_block */
	uint32_t steps, n_steps;   /* struct memmon_step */
	uint32_t n_addresses;	   /* given at the registration */
	uint32_t start, n_start;   /* steps that happen at registration: GLOBAL,
				      whose sizes are those of their places */
};

/* A block of events: number *first + its index. */
struct memmon_block {
	uint32_t step;	/* its first one */
	uint16_t n;	/* how many they are */
	uint16_t words; /* that follow, less than 1024 */
};

struct memmon_step {
	uint64_t event;	  /* its first word, but for the number: that is the
			     index of its place, to which *first is added */
	int32_t delta;	  /* is added to the address */
	uint16_t address; /* which of the words that follow, from 0, or
			     MEMMON_STEP_FIXED: addresses[delta] */
	uint16_t value;	  /* the same */
};

/*
 * A place in the source.  Offsets are from the beginning of the strings, where
 * an empty one comes first.  What a line has several of are numbered from 0 in
 * `ordinal', so (kind, file, line, column, ordinal) is the same in each build.
 */
struct memmon_place {
	uint8_t kind;	  /* an enum memmon_event_kind; LOOP, ENTRY and
			     STACK_ALLOC for all events of a loop, a function
			     and an object on the stack; START, behind all
			     others: what events are restricted to, with name
			     "--only=FUNCTION" or "--loop=FILE:LINE", and file
			     (of a loop, line too) what is most like it */
	uint8_t flags;	  /* MEMMON_PLACE_* */
	uint16_t ordinal; /* in its line and column */
	uint32_t line, column;
	uint32_t file;	   /* offset of its name */
	uint32_t function; /* index of the place of its function */
	uint32_t loop;	   /* index of that of its innermost loop (of a loop:
			      the one around it), or MEMMON_NO_PLACE */
	uint32_t name;	   /* offset: of a function (as the linker has it), an
			      object, or what is accessed: its type or path */
	uint32_t size;	   /* of an access or object in bytes, or 0 */
};

/*
 * A file's code registers its list before any event of it, from a constructor
 * of priority 100.  Sets *first to the number of its place 0 and of its block
 * 0: the number of a place is *first + index, and code adds *first (of which it
 * reads the lower half) to a constant.  `addresses' are those of objects that
 * steps with a fixed address have; they may be NULL.
 */
void __memmon_events_register(const struct memmon_places *list, uint64_t *first,
			      const void *const *addresses);
#endif

#endif
