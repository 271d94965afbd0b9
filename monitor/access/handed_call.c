/* SPDX-License-Identifier: MIT */
/*
 * Calls from recorded code: is the function recorded, too?  If not, the blocks
 * that it gets are marked as passed to unrecorded code, by the types that the
 * caller knows.  ctx: hook.
 */
#include <dlfcn.h>
#include <stdarg.h>

#include "monitor/abi.h"
#include "monitor/access/handed.h"
#include "monitor/access/recorded.h"
#include "monitor/base/sampling.h"
#include "monitor/chain/modules.h"
#include "monitor/shadow/access_state.h"
#include "monitor/thread/enter.h"

/* The most objects on the way from an argument: each points to the next. */
#define DEEP 128
/*
 * A call examines EACH_CALL pointers in objects, and EACH_FRESH more for each
 * block that is marked for the first time.  So its cost is limited, no matter
 * how much its arguments lead to.  With each call a thread saves up SAVED_CALL
 * pointers for objects that were marked before.  When it has used up its
 * savings, it follows no such object until it has saved SAVED_SOME.
 *
 * A function that is called often gets the same objects again and again.  Once
 * any objects were left out, or if blocks are sampled, memmon follows only one
 * call of ONE_IN (ONE_IN_SAMPLED), chosen at random.  Each call marks the
 * blocks that its arguments point to.
 */
#define EACH_CALL 4
#define EACH_FRESH 4
#define SAVED_CALL 1
#define SAVED_MOST 4096
#define SAVED_SOME 256
#define OFTEN 255u
#define ONE_IN 4u
#define ONE_IN_SAMPLED 16u
/* Bytes that are followed in a block of words, the first time and later. */
#define WORDS_BYTES 4096
#define WORDS_AGAIN 128
/* The thread's stack may have grown by this since its bounds were read. */
#define NEAR (256u << 10)

/* Adjacent objects of one type whose pointers are followed. */
struct walk {
	uintptr_t at, end;
	const struct memmon_pointee *type;
	uint64_t first, next; /* pointers: the first to follow, how many are
			       * done */
	unsigned depth;	      /* 1: an argument points to it */
};

struct walks {
	unsigned n;
	int left;  /* how many pointers may still be examined */
	bool deep; /* follow blocks that were marked before, too */
	struct walk w[DEEP];
};

/* The thread's pointers saved up; a random number; are none left? */
static TLS struct {
	int saved;
	uint32_t random;
	bool spent;
} purse = { SAVED_MOST, 1, false };

/* Has any thread left out an object because it had no pointers left? */
static unsigned cut; /* atomic */

static uint32_t
random_below(uint64_t n)
{
	purse.random = purse.random * 1664525u + 1013904223u;
	return (uint32_t)((purse.random >> 8) * n >> 24);
}

static void
walks_begin(struct walks *s)
{
	/* The array isn't cleared. */
	s->n = 0;
	s->left = EACH_CALL;
	if (purse.saved < SAVED_MOST)
		purse.saved += SAVED_CALL;
	if (purse.spent && purse.saved >= SAVED_SOME)
		purse.spent = false;
	s->deep = !purse.spent;
	if (s->deep)
		s->left += purse.saved;
}

static void
walks_end(const struct walks *s)
{
	if (s->n)
		STORE(&cut, 1);
	if (!s->deep)
		return;
	if (s->left < purse.saved)
		purse.saved = s->left > 0 ? s->left : 0;
	purse.spent = s->left <= 0;
}

/* The end of the readable memory of the stack or library at p; or NULL. */
static const void *
end_elsewhere(const void *p)
{
	const struct mmi_thread *t = mmi_thread_self() ? mmi_thread_me : NULL;
	uintptr_t a = (uintptr_t)p;
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	struct dl_find_object o;

	if (t && a < t->stack_hi &&
	    (a >= t->stack_lo || (a >= here && t->stack_lo - here < NEAR)))
		return (const void *)t->stack_hi;
	if (_dl_find_object((void *)(uintptr_t)p, &o) == 0 &&
	    a < (uintptr_t)o.dlfo_map_end)
		return o.dlfo_map_end;
	return NULL;
}

static const struct memmon_pointee words = { sizeof(void *),
					     1,
					     { { 0, MEMMON_WORDS } } };

/*
 * Marks the block that p points to, and adds the object at p to those to be
 * followed.  Words outside of blocks are followed only as arguments: they may
 * be anything, and on a stack they may be gone.
 */
static void
reach(struct walks *s, const void *p, const struct memmon_pointee *type,
      uint64_t bytes, unsigned depth)
{
	const void *end;
	bool fresh = mmi_handed_block(p, &end);
	uintptr_t a = (uintptr_t)p, e = (uintptr_t)end;
	struct walk *w;

	if (fresh && depth > 1 && LOAD(&cut))
		mmi_handed_site(p);
	if (type == MEMMON_WORDS) {
		if (!end && !bytes)
			return;
		type = &words;
		a = (a + sizeof(void *) - 1) & ~(sizeof(void *) - 1);
		if (end)
			bytes = fresh ? WORDS_BYTES : WORDS_AGAIN;
	}
	if (!type || !type->size || !type->n || a % sizeof(void *) ||
	    !(fresh || depth < 1 || s->deep))
		return;
	if (!end) {
		bytes = bytes ? bytes : type->size;
		e = (uintptr_t)end_elsewhere(p);
	}
	if (e < a || e - a < type->size)
		return;
	if (bytes && e - a > bytes)
		e = a + bytes;
	if (fresh)
		s->left += EACH_FRESH;
	if (s->n == DEEP) {
		STORE(&cut, 1);
		return;
	}
	w = &s->w[s->n++];
	*w = (struct walk){ a, e, type, 0, 0, depth + 1 };
	/* If not all can be examined, begin at random: each part has its
	 * turn. */
	if (LOAD(&cut) && (s->left <= 0 || (e - a) / type->size * type->n >
						   (uint64_t)s->left)) {
		w->at += random_below((e - a) / type->size) * type->size;
		w->first = random_below(type->n);
	}
}

static void
follow(struct walks *s)
{
	const struct memmon_pointee *type;
	struct walk *w;
	uintptr_t at;
	uint64_t i;
	unsigned depth;

	for (; s->n && s->left > 0; s->left--) {
		w = &s->w[s->n - 1];
		type = w->type;
		depth = w->depth;
		i = (w->first + w->next++) % type->n;
		at = w->at;
		if (w->next == type->n) {
			w->next = 0;
			w->at += type->size;
			/* The place of the last one is free for the object it
			 * leads to. */
			if (w->end - w->at < type->size || w->at > w->end)
				s->n--;
		}
		at += type->pointer[i].offset;
		reach(s, (const void *)mmi_handed_word((const void *)at),
		      type->pointer[i].to, 0, depth);
	}
}

/* Handles n arguments, each with its type and bytes.  follows: follow them. */
static void
hand_over(unsigned n, va_list ap, bool follows)
{
	const struct memmon_pointee *type;
	const void *p;
	struct walks s;

	walks_begin(&s);
	for (; n; n--) {
		p = va_arg(ap, const void *);
		type = va_arg(ap, const struct memmon_pointee *);
		reach(&s, p, follows ? type : NULL, va_arg(ap, uint64_t), 0);
	}
	follow(&s);
	walks_end(&s);
}

/* The bits of `asked' that count calls, up to OFTEN. */
#define CALLS 0xffu

/*
 * Is the function recorded?  If it is, no caller asks again; if it isn't,
 * callers ask again when other libraries are loaded.
 */
static bool
known(struct memmon_callee *callee)
{
	uint64_t epoch = LOAD_ACQ(&mmi_modules_state) / MMI_MODULES_EPOCH;
	uint32_t state = ((uint32_t)epoch + 1) * (CALLS + 1);
	uint32_t asked = LOAD(&callee->asked);
	const void *f;

	if (LIKELY((asked & ~CALLS) == state)) {
		if (UNLIKELY((asked & CALLS) < OFTEN))
			STORE(&callee->asked, asked + 1);
		return false;
	}
	f = *(const void *const *)((uintptr_t)&callee->slot +
				   (intptr_t)callee->slot);
	if (!mmi_recorded(f, callee)) {
		STORE(&callee->asked, state);
		return false;
	}
	STORE(&callee->unknown, 0);
	return true;
}

/* Should this call of an unrecorded function be followed? */
static bool
is_followed(const struct memmon_callee *callee)
{
	if (LIKELY((LOAD(&callee->asked) & CALLS) < OFTEN))
		return true;
	if (!LOAD(&cut)) {
		if (!mmi_sample_on())
			return true;
		STORE(&cut, 1);
	}
	return random_below(mmi_sample_on() ? ONE_IN_SAMPLED : ONE_IN) == 0;
}

EXPORT void
__memmon_handed(struct memmon_callee *callee, unsigned n, ...)
{
	va_list ap;

	if (known(callee))
		return;
	va_start(ap, n);
	hand_over(n, ap, is_followed(callee));
	va_end(ap);
}

/* The address that is *from bytes away. */
static const void *
at(const int32_t *from)
{
	return (const void *)((uintptr_t)from + (uintptr_t)(intptr_t)*from);
}

/* Does none of the pointers lead to a sample? */
static bool
all_beyond(const struct memmon_handing *h, const uintptr_t *registers)
{
	const uint64_t limit = mmi_state_limit();

	for (uint32_t i = 0; i < h->n; i++)
		if (registers[h->pointer[i].place] < limit)
			return false;
	return true;
}

EXPORT void
__memmon_handed_registers(const struct memmon_handing *h,
			  const uintptr_t *registers)
{
	struct memmon_callee *callee = (struct memmon_callee *)at(&h->callee);
	struct walks s;
	const void *type;
	bool follows;

	if (known(callee))
		return;
	follows = is_followed(callee);
	if (!follows && all_beyond(h, registers))
		return;
	walks_begin(&s);
	for (uint32_t i = 0; i < h->n; i++) {
		type = NULL;
		if (h->pointer[i].type && follows)
			type = h->pointer[i].type == 1
				       ? MEMMON_WORDS
				       : at(&h->pointer[i].type);
		reach(&s, (const void *)registers[h->pointer[i].place], type,
		      h->pointer[i].bytes, 0);
	}
	follow(&s);
	walks_end(&s);
}

EXPORT uint64_t __memmon_targets[MEMMON_TARGETS_MASK / 8 + 1];

/* The function stays known as recorded until a library is unloaded. */
static void
remember(const void *target, uint64_t state)
{
	uint64_t *known =
		&__memmon_targets[((uintptr_t)target & MEMMON_TARGETS_MASK) /
				  8];

	if (state & MMI_MODULES_CLOSING)
		return;
	__atomic_store_n(known, (uintptr_t)target, __ATOMIC_SEQ_CST);
	/* Either this sees an unload, or the unload clears the entry. */
	if (__atomic_load_n(&mmi_modules_state, __ATOMIC_SEQ_CST) != state)
		STORE(known, 0);
}

EXPORT void
__memmon_handed_target(const void *target, unsigned n, ...)
{
	uint64_t state = LOAD_ACQ(&mmi_modules_state);
	va_list ap;

	if (mmi_recorded_target(target)) {
		remember(target, state);
		return;
	}
	va_start(ap, n);
	hand_over(n, ap, true);
	va_end(ap);
}

void
mmi_handed_unload(void)
{
	for (size_t i = 0; i < MEMMON_TARGETS_MASK / 8 + 1; i++)
		STORE(&__memmon_targets[i], 0);
}
