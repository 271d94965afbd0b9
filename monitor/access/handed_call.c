/* SPDX-License-Identifier: MIT */
/*
 * Calls from recorded code: is the function recorded as well?  If not, the
 * blocks go that it gets, by the types that the caller knows.  ctx: hook.
 */
#include <dlfcn.h>
#include <stdarg.h>

#include "monitor/abi.h"
#include "monitor/access/handed.h"
#include "monitor/access/recorded.h"
#include "monitor/chain/modules.h"
#include "monitor/thread/enter.h"

/* Pointers that are being followed, one in what another points to. */
#define DEEP 128
/* Objects that were handed over before and are looked at again, in one call. */
#define AGAIN 32
/* After so many calls of a function in a row that found no block that way only
 * some look for one, but by so many objects with few pointers elsewhere. */
#define IDLE 16
#define IDLE_EACH 256
#define ELSEWHERE 2
#define FEW 8
/* Of words in a block: how much is followed, the first time and later. */
#define WORDS_BYTES 4096
#define WORDS_AGAIN 128
/* So far below what is known of it, the own stack may have grown. */
#define NEAR (256u << 10)

/* Objects of one type, to follow their pointers from. */
struct walk {
	uintptr_t at, end;
	const struct memmon_pointee *type;
	uint64_t next; /* pointer */
	bool again;
};

struct walks {
	unsigned n, again, elsewhere;
	bool found; /* a block, by an object that is looked at again */
	struct walk w[DEEP];
};

/* By the function that is called: calls in a row that found none. */
static uint16_t idle[1024]; /* atomic */

static uint16_t *
walks_begin(struct walks *s, const void *function)
{
	uint64_t key = (uintptr_t)function * 0x9e3779b97f4a7c15ull;
	uint16_t *calls = &idle[key >> 54], n = LOAD(calls);

	/* Its places aren't cleared. */
	s->n = 0;
	s->again = n < IDLE || n % IDLE_EACH == 0 ? AGAIN : 0;
	s->elsewhere = ELSEWHERE;
	s->found = false;
	return calls;
}

static void
walks_end(const struct walks *s, uint16_t *calls)
{
	uint16_t n = LOAD(calls);

	if (!s->found)
		STORE(calls, (uint16_t)(n + 1));
	else if (n)
		STORE(calls, 0);
}

/* Where readable memory of a stack, or of a module, ends after p; or NULL. */
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

/* Is an object looked at that was handed over before, in a block or not? */
static bool
may_again(const struct walks *s, bool in_block,
	  const struct memmon_pointee *type)
{
	return s->again || (!in_block && s->elsewhere && type->n <= FEW);
}

/*
 * What p points to is handed over, and what can be reached from it is to be.
 * Words elsewhere than in a block are followed only as arguments: they may be
 * anything, and in what isn't there any more.
 */
static void
reach(struct walks *s, const void *p, const struct memmon_pointee *type,
      uint64_t bytes, bool again)
{
	const void *end;
	bool fresh = mmi_handed_block(p, &end);
	uintptr_t a = (uintptr_t)p, e = (uintptr_t)end;

	s->found |= fresh && again;
	if (type == MEMMON_WORDS) {
		if (!end && !bytes)
			return;
		type = &words;
		a = (a + sizeof(void *) - 1) & ~(sizeof(void *) - 1);
		if (end)
			bytes = fresh ? WORDS_BYTES : WORDS_AGAIN;
	}
	if (!type || a % sizeof(void *) || !(fresh || may_again(s, end, type)))
		return;
	if (!end) {
		bytes = bytes ? bytes : type->size;
		e = (uintptr_t)end_elsewhere(p);
	}
	if (e < a || e - a < type->size)
		return;
	if (bytes && e - a > bytes)
		e = a + bytes;
	if (!fresh && s->again)
		s->again--;
	else if (!fresh)
		s->elsewhere--;
	if (s->n == DEEP) {
		mmi_handed_all();
		return;
	}
	s->w[s->n++] = (struct walk){ a, e, type, 0, !fresh };
}

static void
follow(struct walks *s)
{
	const struct memmon_pointee *type;
	struct walk *w;
	uintptr_t at;
	uint64_t i;
	bool again;

	while (s->n) {
		w = &s->w[s->n - 1];
		type = w->type;
		again = w->again;
		i = w->next++;
		at = w->at;
		if (w->next == type->n) {
			w->next = 0;
			w->at += type->size;
			/* The last one's place goes to what it leads to. */
			if (w->end - w->at < type->size || w->at > w->end)
				s->n--;
		}
		reach(s, *(const void *const *)(at + type->pointer[i].offset),
		      type->pointer[i].to, 0, again);
	}
}

/* n arguments of the function, each with its type and bytes. */
static void
hand_over(const void *function, unsigned n, va_list ap)
{
	const struct memmon_pointee *type;
	const void *p;
	struct walks s;
	uint16_t *calls = walks_begin(&s, function);

	for (; n; n--) {
		p = va_arg(ap, const void *);
		type = va_arg(ap, const struct memmon_pointee *);
		reach(&s, p, type, va_arg(ap, uint64_t), false);
		follow(&s);
	}
	walks_end(&s, calls);
}

/* Is the function recorded?  Then nobody asks again. */
static bool
known(struct memmon_callee *callee)
{
	const void *f = *(const void *const *)((uintptr_t)&callee->slot +
					       (intptr_t)callee->slot);

	if (!mmi_recorded(f, callee))
		return false;
	STORE(&callee->unknown, 0);
	return true;
}

EXPORT void
__memmon_handed(struct memmon_callee *callee, unsigned n, ...)
{
	va_list ap;

	if (known(callee))
		return;
	va_start(ap, n);
	hand_over(callee, n, ap);
	va_end(ap);
}

/* What is so many bytes from there. */
static const void *
at(const int32_t *from)
{
	return (const void *)((uintptr_t)from + (uintptr_t)(intptr_t)*from);
}

EXPORT void
__memmon_handed_registers(const struct memmon_handing *h,
			  const uintptr_t *registers)
{
	struct memmon_callee *callee = (struct memmon_callee *)at(&h->callee);
	struct walks s;
	uint16_t *calls;
	const void *type;

	if (known(callee))
		return;
	calls = walks_begin(&s, callee);
	for (uint32_t i = 0; i < h->n; i++) {
		type = NULL;
		if (h->pointer[i].type)
			type = h->pointer[i].type == 1
				       ? MEMMON_WORDS
				       : at(&h->pointer[i].type);
		reach(&s, (const void *)registers[h->pointer[i].place], type,
		      h->pointer[i].bytes, false);
		follow(&s);
	}
	walks_end(&s, calls);
}

EXPORT uint64_t __memmon_targets[MEMMON_TARGETS_MASK / 8 + 1];

/* The function is recorded as long as no module is unloaded. */
static void
remember(const void *target, uint64_t state)
{
	uint64_t *known =
		&__memmon_targets[((uintptr_t)target & MEMMON_TARGETS_MASK) /
				  8];

	if (state & MMI_MODULES_CLOSING)
		return;
	__atomic_store_n(known, (uintptr_t)target, __ATOMIC_SEQ_CST);
	/* Either it is seen here that one is, or it is taken out there. */
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
	hand_over(target, n, ap);
	va_end(ap);
}

void
mmi_handed_unload(void)
{
	for (size_t i = 0; i < MEMMON_TARGETS_MASK / 8 + 1; i++)
		STORE(&__memmon_targets[i], 0);
}
