/* SPDX-License-Identifier: MIT */
/*
 * Where the search starts: all memory that the program can read, except
 *
 *   the heap outside of live blocks, which has stale pointers;
 *   stacks below their stack pointers, and stacks of threads that have ended;
 *   the monitor's own memory.
 */
#include "monitor/leak/leak_check.h"

#include <elf.h>
#include <sys/auxv.h>

#include "monitor/base/context_reg.h"
#include "monitor/base/lookup.h"
#include "monitor/base/next.h"
#include "monitor/base/own_mappings.h"
#include "monitor/base/process.h"
#include "monitor/base/real.h"
#include "monitor/base/sort.h"
#include "monitor/hooks/collector.h"
#include "monitor/hooks/hooks.h"
#include "monitor/record/event.h"

extern void *__libc_stack_end; /* of the first thread; the loader sets it */

/* At most this many frames of a handler and its callees are walked. */
#define OUTER 256u

void
mmi_leak_except(struct mmi_leak *l, uintptr_t start, uintptr_t end)
{
	if (start < end && l->nexcept < l->except_room)
		l->except[l->nexcept++] = (struct mmi_leak_range){ start, end };
}

/* The end of the program's own data, where the heap may begin. */
static uintptr_t
program_end(void)
{
	const Elf64_Phdr *ph = (const void *)mmi_real_auxval(AT_PHDR);
	unsigned long n = mmi_real_auxval(AT_PHNUM);
	uintptr_t bias = 0, end = 0;

	for (unsigned long i = 0; ph && i < n; i++)
		if (ph[i].p_type == PT_PHDR)
			bias = (uintptr_t)ph - ph[i].p_vaddr;
	for (unsigned long i = 0; ph && i < n; i++)
		if (ph[i].p_type == PT_LOAD &&
		    bias + ph[i].p_vaddr + ph[i].p_memsz > end)
			end = bias + ph[i].p_vaddr + ph[i].p_memsz;
	return end;
}

/* Is it the module's zeroed data, which follows the data from the file? */
static bool
is_bss(const struct mmi_leak *l, const struct mmi_leak_map *m)
{
	return !(m->flags & MMI_LEAK_BRK) && m > l->maps &&
	       m[-1].end == m->start && m[-1].flags & MMI_LEAK_FILE &&
	       m[-1].flags & MMI_LEAK_WRITE && !(m[-1].flags & MMI_LEAK_SHARED);
}

/* No roots in live blocks up to `hi', from number i on. */
static void
except_blocks(struct mmi_leak *l, uintptr_t hi, uint32_t i)
{
	const struct mmi_leak_block *b;

	for (; i < l->nblocks && l->blocks[i].start < hi; i++) {
		b = &l->blocks[i];
		mmi_leak_except(l, b->start, b->start + b->size);
	}
}

/*
 * Except the parts of a mapping, up to `hi', that are no roots.  Its live
 * blocks begin with number i.  If some blocks may be unknown, all memory
 * outside of known blocks may be in an unknown block.
 */
static void
except_heap(struct mmi_leak *l, const struct mmi_leak_map *m, uintptr_t hi,
	    uint32_t i)
{
	uintptr_t end = program_end(), next;
	struct mmi_leak_range r;

	if (l->result->unknown || m->flags & (MMI_LEAK_FILE | MMI_LEAK_STACK) ||
	    is_bss(l, m)) {
		except_blocks(l, hi, i);
		return;
	}
	if (m->flags & MMI_LEAK_BRK) {
		/* The loader, if run as the program, maps it far above. */
		next = m->start < end && end < hi ? end : m->start;
		if (!mmi_leak_except_brk(l, next, hi))
			mmi_leak_except(l, next, hi);
		return;
	}
	while (i < l->nblocks && l->blocks[i].start < hi) {
		if (!mmi_leak_heap_around(l, m, &l->blocks[i], &r)) {
			/* It is another allocator's. */
			mmi_leak_except(l, m->start, hi);
			return;
		}
		mmi_leak_except(l, r.start, r.end);
		next = r.end;
		i = next > l->blocks[i].start ? mmi_leak_from(l, next) : i + 1;
	}
}

/* Does the memory of the break go on from the mapping below? */
static bool
goes_on(const struct mmi_leak *l, const struct mmi_leak_map *m)
{
	return m > l->maps && m->flags & m[-1].flags & MMI_LEAK_BRK &&
	       m[-1].end == m->start;
}

/* The heap that begins with mapping k; the break may have several mappings. */
static void
except_heap_at(struct mmi_leak *l, size_t k)
{
	const struct mmi_leak_map *m = &l->maps[k];
	uint32_t i = mmi_leak_from(l, m->start);

	if (goes_on(l, m))
		return;
	while (k + 1 < l->nmaps && goes_on(l, &l->maps[k + 1]))
		k++;
	if (i < l->nblocks && l->blocks[i].start < l->maps[k].end)
		except_heap(l, m, l->maps[k].end, i);
}

/* May it be a live thread's control block? */
static bool
tcb_lives(const struct mmi_leak *l, uintptr_t tcb)
{
	uint32_t state;

	for (unsigned i = 0; i < l->nthreads; i++) {
		state = LOAD(&l->threads[i].state);
		if (l->threads[i].tcb == tcb ||
		    (state != MMI_LEAK_STOPPED && state != MMI_LEAK_GONE))
			return true;
	}
	return false;
}

/* l->tcb: the first control block in a mapping. */
static void
look_for_tcb(struct mmi_leak *l, uintptr_t lo, uintptr_t hi)
{
	lo = (lo + ARCH_PTHREAD_ALIGN - 1) & -(uintptr_t)ARCH_PTHREAD_ALIGN;
	for (; !l->tcb && lo + ARCH_PTHREAD_HEAD <= hi;
	     lo += ARCH_PTHREAD_ALIGN)
		if (arch_pthread_is((const uintptr_t *)lo))
			l->tcb = lo - (uintptr_t)mmi_leak_pthread;
}

/* Is the page below it inaccessible, as below a stack? */
static bool
is_guarded(const struct mmi_leak *l, const struct mmi_leak_map *m)
{
	return m > l->maps && m[-1].end == m->start &&
	       !(m[-1].flags & (MMI_LEAK_READ | MMI_LEAK_WRITE));
}

/*
 * glibc keeps the stacks of threads that have ended.  Such a stack and the
 * memory mapped above it may be one mapping.
 */
static void
except_dead(struct mmi_leak *l, const struct mmi_leak_map *m)
{
	uintptr_t end, page = ARCH_PAGE_NOW;

	if (!is_guarded(l, m) || m->flags != (MMI_LEAK_READ | MMI_LEAK_WRITE))
		return;
	l->tcb = 0;
	mmi_leak_map_present(l, m, m->start, m->end, look_for_tcb);
	end = l->tcb + (uintptr_t)mmi_leak_pthread;
	end += ARCH_PTHREAD_SIZE;
	/* The program doesn't use the storage above it any more, either. */
	if (ARCH_PTHREAD_AT < 0)
		end = (end + page - 1) & -page;
	if (!l->tcb || end > m->end || tcb_lives(l, l->tcb) ||
	    arch_pthread_tid(l->tcb + (uintptr_t)mmi_leak_pthread) > 0)
		return;
	mmi_leak_except(l, m->start, end);
	l->ended[l->nended++] = l->tcb;
}

/* The lowest address that the thread uses on its stack. */
static uintptr_t
stack_end(const struct mmi_leak_thread *t)
{
	return t->sp - (t->exact ? 0 : ARCH_RED_ZONE);
}

/* The mapping of the thread's stack; NULL: unknown. */
static const struct mmi_leak_map *
stack_of(struct mmi_leak *l, const struct mmi_leak_thread *t)
{
	const struct mmi_leak_map *m;

	if (t->tid != mmi_process.pid)
		return t->tcb ? mmi_leak_find(l, t->tcb) : NULL;
	m = mmi_leak_find(l, (uintptr_t)__libc_stack_end);
	return m && m->flags & MMI_LEAK_STACK ? m : NULL;
}

/* The lowest frame in a mapping, for a thread that came from another stack. */
struct outer {
	const struct mmi_leak_map *m;
	uintptr_t sp;
};

static bool
find_outer(const struct mmi_walk_frame *f, void *arg)
{
	struct outer *o = arg;

	if (f->sp < o->m->start || f->sp >= o->m->end)
		return true;
	o->sp = f->sp;
	return false;
}

/* A thread in a signal handler on another stack: find the interrupted stack. */
static void
except_interrupted(struct mmi_leak *l, const struct mmi_leak_thread *t)
{
	struct outer o = { .m = stack_of(l, t) };
	struct mmi_walk_at at;

	if (!o.m || (t->sp >= o.m->start && t->sp < o.m->end) ||
	    !mmi_leak_walk_at(l, t, &at))
		return;
	mmi_walk_thread(&at, OUTER, find_outer, &o);
	if (o.sp > o.m->start + ARCH_RED_ZONE)
		mmi_leak_except(l, o.m->start, o.sp - ARCH_RED_ZONE);
}

/* Memory below a thread's stack pointer isn't part of its stack any more. */
static void
except_below(struct mmi_leak *l, const struct mmi_leak_thread *t)
{
	const struct mmi_leak_map *m = mmi_leak_find(l, t->sp);
	uintptr_t sp = stack_end(t);

	except_interrupted(l, t);
	if (!m || sp <= m->start)
		return;
	if (m->flags & MMI_LEAK_STACK ||
	    (is_guarded(l, m) && t->tcb > t->sp && t->tcb < m->end &&
	     (!(m[-1].flags & MMI_LEAK_GUARD) ||
	      mmi_leak_stack_is(l, t->tcb, m - 1))))
		mmi_leak_except(l, m->start, sp);
}

/*
 * The first thread has ended before the process: only the data that the kernel
 * put on its stack, such as the environment, remains.
 */
static void
except_first(struct mmi_leak *l, const struct mmi_leak_thread *t)
{
	const struct mmi_leak_map *m;

	if (t->tid != mmi_process.pid || t->state != MMI_LEAK_GONE)
		return;
	m = mmi_leak_find(l, (uintptr_t)__libc_stack_end);
	if (m && m->flags & MMI_LEAK_STACK)
		mmi_leak_except(l, m->start, (uintptr_t)__libc_stack_end);
}

/*
 * The functions that are active when the first thread calls exit() never use
 * their variables again.  If main() has returned, there are none of the
 * program.  The environment is above the first frame.
 */
static void
except_frames(struct mmi_leak *l)
{
	const struct mmi_leak_thread *t = &l->threads[0];
	const struct mmi_leak_map *m = mmi_leak_find(l, t->sp);
	uintptr_t sp = stack_end(t), end = (uintptr_t)__libc_stack_end;

	if (!l->exits || t->tid != mmi_process.pid || !m ||
	    !(m->flags & MMI_LEAK_STACK) || sp >= end || end > m->end)
		return;
	mmi_leak_except(l, sp, end);
	l->frames = (struct mmi_leak_range){ sp, end };
	mmi_leak_exit_find(l);
}

/* The monitor's own variables in the thread's storage. */
static void
except_tls(struct mmi_leak *l, const struct mmi_leak_thread *t)
{
	uintptr_t last = (uintptr_t)&mmi_event_last - arch_tcb() + t->tcb;
	uintptr_t passing = (uintptr_t)&mmi_hooks_passing - arch_tcb() + t->tcb;

	if (!t->tcb)
		return;
#ifndef MEMMON_STATIC
	if (mmi_lookup_storage.size) {
		last = t->tcb + (uintptr_t)mmi_lookup_storage.at;
		mmi_leak_except(l, last, last + mmi_lookup_storage.size);
		return;
	}
#endif
	mmi_leak_except(l, last, last + sizeof(mmi_event_last));
	mmi_leak_except(l, passing, passing + sizeof(mmi_hooks_passing));
}

/* Words of [lo, hi) that aren't in a block. */
static void
words_outside(struct mmi_leak *l, uintptr_t lo, uintptr_t hi)
{
	const uintptr_t step = l->forms & MMI_LEAK_UNALIGNED ? 1 : 8;

	for (lo = (lo + 7) & ~(uintptr_t)7; lo + 8 <= hi; lo += step)
		if (!mmi_leak_at(l, lo)) {
			l->at = lo;
			mmi_leak_word(l, *(const mmi_leak_unaligned *)lo);
		}
	l->at = 0;
}

/* The range of the monitor's own memory that contains a. */
static struct mmi_own_mapping
own_of(uintptr_t a)
{
	struct mmi_own_mapping o;

	for (uint32_t i = 0; i < mmi_own_count(); i++) {
		o = mmi_own_at(i);
		if (a - o.start < o.size)
			return o;
	}
	return (struct mmi_own_mapping){ 0, 0, false };
}

/* A mapping with a thread's stack or control block isn't one whole root. */
static bool
is_except(const struct mmi_leak *l, uintptr_t a)
{
	for (size_t i = 0; i < l->nexcept && l->except[i].start <= a; i++)
		if (a < l->except[i].end)
			return true;
	return false;
}

/* The thread-local storage of a thread. */
static void
thread_tls(struct mmi_leak *l, const struct mmi_leak_thread *t)
{
	const struct mmi_leak_map *m = t->tcb ? mmi_leak_find(l, t->tcb) : NULL;
	uintptr_t from = t->tcb - ARCH_TLS_BELOW, to = t->tcb + ARCH_TLS_ABOVE;

	if (!m || !mmi_leak_ok(l, t->tcb, 16))
		return;
	l->at = t->tcb;
	mmi_leak_word(l, arch_tls_table((const uintptr_t *)t->tcb));
	l->at = 0;
	if (!is_except(l, t->tcb))
		return;
	if (from < m->start || from > t->tcb)
		from = m->start;
	if (t->sp > from && t->sp < t->tcb)
		from = stack_end(t);
	mmi_leak_present(l, from, to < m->end ? to : m->end, words_outside);
}

/*
 * The roots of one thread: its registers, and its stack, which may be in a
 * block, in the monitor's memory, or in a mapping.
 */
static void
thread_roots(struct mmi_leak *l, const struct mmi_leak_thread *t)
{
	const struct mmi_leak_map *m = mmi_leak_find(l, t->sp);
	uintptr_t sp = stack_end(t), end;
	struct mmi_own_mapping own;
	uint32_t i;

	l->of_thread = t;
	thread_tls(l, t);
	if (t == l->threads && l->frames.end)
		return;
	for (unsigned k = 0; k < t->nreg; k++) {
		l->reg = t == l->threads ? ARCH_NREG : arch_context_reg(k);
		mmi_leak_word(l, t->reg[k]);
	}
	l->reg = ARCH_NREG;
	if (!m || !is_except(l, t->sp))
		return;
	own = own_of(t->sp);
	i = mmi_leak_at(l, t->sp);
	if (own.size) {
		mmi_leak_present(l, sp, own.start + own.size, mmi_leak_words);
	} else if (i) {
		end = l->blocks[i - 1].start + l->blocks[i - 1].size;
		mmi_leak_present(l, sp, end, mmi_leak_words);
	} else {
		end = t->tcb > sp && t->tcb < m->end ? t->tcb : m->end;
		mmi_leak_present(l, sp, end, words_outside);
	}
}

/* May it hold roots at all? */
static bool
map_counts(const struct mmi_leak_map *m)
{
	return !(m->flags & MMI_LEAK_DEVICE) &&
	       (m->flags & MMI_LEAK_WRITE || !(m->flags & MMI_LEAK_READ) ||
		!(m->flags & MMI_LEAK_SHARED));
}

/* Find all readable memory that isn't a root. */
bool
mmi_leak_roots_init(struct mmi_leak *l)
{
	uint32_t own = mmi_own_count(), i;
	struct mmi_own_mapping o = mmi_own_module();

	l->except_room = own + 3 * l->nmaps + l->nblocks + 5 * l->nthreads + 16;
	l->except = mmi_leak_map(l->except_room * sizeof(*l->except));
	l->ended = mmi_leak_map(l->nmaps * sizeof(*l->ended));
	if (!l->except || !l->ended)
		return false;
	for (size_t k = 0; k < l->nmaps; k++)
		if (map_counts(&l->maps[k]))
			mmi_leak_except_arenas(l, &l->maps[k]);
	for (size_t k = 0; k < l->nmaps; k++) {
		if (!map_counts(&l->maps[k]))
			continue;
		except_dead(l, &l->maps[k]);
		except_heap_at(l, k);
	}
	for (unsigned k = 0; k < l->nthreads; k++) {
		except_below(l, &l->threads[k]);
		except_first(l, &l->threads[k]);
		except_tls(l, &l->threads[k]);
	}
	except_frames(l);
	mmi_leak_except(l, o.start, o.start + o.size);
	for (i = 0; i < own; i++) {
		o = mmi_own_at(i);
		mmi_leak_except(l, o.start, o.start + o.size);
	}
	mmi_sort(l->except, l->nexcept, sizeof(*l->except) / 8);
	return true;
}

static void
sweep(struct mmi_leak *l)
{
	const struct mmi_leak_range *x = l->except, *end = x + l->nexcept;
	const struct mmi_leak_map *m;
	uintptr_t lo, done = 0;

	for (size_t k = 0; k < l->nmaps; k++) {
		m = &l->maps[k];
		lo = m->start > done ? m->start : done;
		for (; x < end && x->start < m->end; x++) {
			if (x->start > lo && map_counts(m))
				mmi_leak_map_present(l, m, lo, x->start,
						     mmi_leak_words);
			if (x->end > lo)
				lo = x->end;
		}
		if (lo < m->end && map_counts(m))
			mmi_leak_map_present(l, m, lo, m->end, mmi_leak_words);
		done = lo;
	}
}

/* Mappings of devices and similar memory may also hold pointers. */
static void
devices_note(struct mmi_leak *l, const struct mmi_leak_map *m, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (m[i].flags & MMI_LEAK_DEVICE && m[i].flags & MMI_LEAK_WRITE)
			mmi_leak_unread(l, m[i].start, m[i].end);
}

void
mmi_leak_ended(struct mmi_leak *l)
{
	const struct mmi_leak_block *b;
	uint32_t i;

	for (size_t k = 0; k < l->nended; k++) {
		i = mmi_leak_ok(l, l->ended[k], 16)
			    ? mmi_leak_at(l, arch_tls_table((const uintptr_t *)l
								    ->ended[k]))
			    : 0;
		if (!i)
			continue;
		b = &l->blocks[i - 1];
		l->hit(l, i - 1, true);
		mmi_leak_present(l, b->start, b->start + b->size,
				 mmi_leak_words);
	}
}

void
mmi_leak_frames(struct mmi_leak *l)
{
	const struct mmi_leak_thread *t = &l->threads[0];

	if (!l->frames.end)
		return;
	l->of_thread = t;
	for (unsigned k = 0; k < t->nreg; k++)
		mmi_leak_word(l, t->reg[k]);
	l->of_thread = NULL;
	mmi_leak_present(l, l->frames.start, l->ends.handler, words_outside);
	for (unsigned k = 0; k < l->ends.nsaved; k++)
		words_outside(l, l->ends.saved[k], l->ends.saved[k] + 8);
	mmi_leak_present(l, l->ends.caller, l->frames.end, words_outside);
}

void
mmi_leak_roots(struct mmi_leak *l)
{
	const void *boot;
	size_t n;

	l->reg = ARCH_NREG;
	sweep(l);
	devices_note(l, l->maps, l->nmaps);
	devices_note(l, l->special, l->nspecial);
	for (unsigned i = 0; i < l->nthreads; i++)
		thread_roots(l, &l->threads[i]);
	l->of_thread = NULL;
	for (size_t i = 0; i < l->nended; i++)
		mmi_leak_word(l, mmi_leak_result(l, l->ended[i]));
	for (unsigned i = 0; (n = mmi_next_boot_area(i, &boot)) > 0; i++)
		mmi_leak_present(l, (uintptr_t)boot, (uintptr_t)boot + n,
				 mmi_leak_words);
	mmi_leak_ignored(l);
	/* A collector keeps or frees its blocks itself. */
	for (uint32_t i = 0; i < l->nblocks; i++)
		if (mmi_collector_has(l->blocks[i].start))
			mmi_leak_word(l, l->blocks[i].start);
}
