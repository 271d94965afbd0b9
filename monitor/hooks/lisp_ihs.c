/* SPDX-License-Identifier: MIT */
/* ECL's invocation history stack. */
#ifndef MEMMON_STATIC

#include "monitor/hooks/lisp_ihs.h"

#include <dlfcn.h>

#include "monitor/base/lookup.h"
#include "monitor/chain/cfi.h"
#include "monitor/chain/generated.h"
#include "monitor/chain/modules.h"
#include "monitor/hooks/lisp_object.h"

extern void *__libc_stack_end; /* the main thread's; the loader sets it */

static uintptr_t data_start, data_end; /* ECL's mapping */
static const uintptr_t *(*environment)(void); /* ECL's function, which must
					       * exist */
unsigned mmi_lisp_ihs_word; /* atomic; 0: not known yet */
size_t mmi_lisp_environment_at;

/* ------------------------------------------------ the interpreter's own -- */

static const char *const own[] = { "ecl_interpret",
				   "_ecl_bytecodes_dispatch_vararg",
				   "_ecl_bclosure_dispatch_vararg",
				   "ecl_apply_from_stack_frame",
				   "ecl_function_dispatch",
				   "si_eval_with_env",
				   "cl_eval",
				   "cl_funcall",
				   "cl_apply",
				   "APPLY",
				   "APPLY_fixed",
				   "_ecl_standard_dispatch" };
#define NOWN (sizeof(own) / sizeof(own[0]))
/*
 * And functions that call a compiled function with a fixed number of arguments:
 * without this all call paths would go through one of them.
 */
#define DISPATCHERS 64u
static uintptr_t own_start[NOWN + DISPATCHERS]; /* atomic */
static unsigned nown = NOWN;			/* atomic */
static uintptr_t known[256]; /* atomic: address twice; plus 1: it is one */

void
mmi_lisp_ihs_init(void *function)
{
	uintptr_t ecl = (uintptr_t)function;
	struct dl_find_object f;

	if (_dl_find_object(function, &f) == 0) {
		data_start = (uintptr_t)f.dlfo_map_start;
		data_end = (uintptr_t)f.dlfo_map_end;
	}

	for (unsigned i = 0; i < NOWN; i++)
		own_start[i] = (uintptr_t)mmi_lookup_from(ecl, own[i], NULL);
	environment =
		(const uintptr_t *(*)(void))mmi_lookup_from(ecl,
							    "ecl_process_env",
							    NULL);
}

static bool
is_own(uintptr_t pc)
{
	uintptr_t *k = &known[pc * 0x9e3779b97f4a7c15ull >> 56], start = 0;
	struct mmi_object o;
	bool is = false;

	if (LIKELY(LOAD(k) >> 1 == pc))
		return LOAD(k) & 1;
	if (mmi_modules_find(pc - 1, &o))
		start = mmi_cfi_function(pc - 1, o.eh_hdr);
	for (unsigned i = 0; start && i < LOAD(&nown); i++)
		is |= LOAD(&own_start[i]) == start;
	STORE(k, pc << 1 | is);
	return is;
}

static COLD void
dispatcher(uintptr_t start)
{
	unsigned n = LOAD(&nown);

	for (unsigned i = 0; i < n; i++)
		if (LOAD(&own_start[i]) == start)
			return;
	if (!start || n == NOWN + DISPATCHERS)
		return;
	STORE(&own_start[n], start);
	STORE(&nown, n + 1);
	for (unsigned i = 0; i < sizeof(known) / sizeof(*known); i++)
		STORE(&known[i], 0);
}

/* ----------------------------------------------------------------- names -- */

/*
 * Interpreted functions have no address: they get one that no code has, by
 * their name.
 */
#define FIRST 0x1000u
#define ROOM 16u
#define NAMES 2048u
static uintptr_t names[NAMES]; /* atomic */

static uint64_t
key_of(uintptr_t name)
{
	uint64_t h = name * 0x9e3779b97f4a7c15ull;
	char text[256];
	uintptr_t was;
	unsigned i;
	size_t n;

	for (unsigned k = 0; k < 64; k++) {
		i = ((h >> 40) + k) % NAMES;
		was = LOAD(&names[i]);
		if (LIKELY(was == name))
			break;
		if (was || !CAS(&names[i], &was, name)) {
			if (was == name)
				break;
			continue;
		}
		n = mmi_lisp_name(name, text, sizeof(text));
		mmi_generated_name(FIRST + ROOM * i, n ? text : "LAMBDA",
				   n ? n : 6, ROOM, false);
		break;
	}
	return (FIRST + ROOM * i + 1) | (uint64_t)MMI_GEN_NONE << MMI_KEY_SHIFT;
}

void
mmi_lisp_function(uintptr_t code, uintptr_t name, uintptr_t by)
{
	char text[256];
	size_t n = code ? mmi_lisp_name(name, text, sizeof(text)) : 0;
	struct mmi_object o;

	if (n && mmi_modules_find(code, &o))
		mmi_generated_name(code, text, n,
				   mmi_cfi_function_size(code, o.eh_hdr), true);
	if (by)
		dispatcher(by);
}

/* ------------------------------------------------------------- the stack -- */

/* The end of the stack, above the thread's frames. */
TLS uintptr_t mmi_lisp_stack_end;

static COLD void
stack_find(void)
{
	mmi_lisp_stack_end =
		ARCH_SYS(SYS_gettid, 0, 0, 0, 0, 0, 0) ==
				ARCH_SYS(SYS_getpid, 0, 0, 0, 0, 0, 0)
			? (uintptr_t)__libc_stack_end
			: arch_tcb();
}

static bool
on_stack(const struct mmi_ihs *p, uintptr_t sp, uintptr_t end)
{
	return (uintptr_t)p > sp && (uintptr_t)p < end - sizeof(*p) &&
	       (uintptr_t)p % 8 == 0;
}

/* How many words of the environment are searched. */
#define WORDS 1024u

/* The outermost frame is a variable of ECL. */
static bool
is_outermost(const struct mmi_ihs *p)
{
	return (uintptr_t)p - data_start < data_end - data_start &&
	       (uintptr_t)p % 8 == 0;
}

static bool
is_function(uintptr_t o)
{
	int type = lisp_type(o);

	return type == LISP_SYMBOL ||
	       (type >= LISP_BYTECODES && type < LISP_INSTANCE);
}

/*
 * The word of the environment that leads to the history stack: builds differ.
 * 0: not found yet.
 */
static COLD unsigned
word_find(const uintptr_t *env, uintptr_t sp, uintptr_t end)
{
	const struct mmi_ihs *p, *q;

	for (unsigned i = 1; i < WORDS; i++) {
		p = (const struct mmi_ihs *)env[i];
		if (!on_stack(p, sp, end))
			continue;
		q = p->next;
		if ((on_stack(q, (uintptr_t)p, end) || is_outermost(q)) &&
		    p->index == q->index + 1 && is_function(p->function))
			return i;
	}
	return 0;
}

/*
 * The environment is a thread's value for a POSIX key.  The C library stores
 * the first values next to the thread's control block, each after a number,
 * which is odd while the key is in use.
 */
static COLD void
key_find(const uintptr_t *env)
{
	const uintptr_t *w =
		(const uintptr_t *)(arch_tcb() + ARCH_THREAD_FIRST);
	size_t at = 0;

	for (unsigned i = 1; i < ARCH_THREAD_SIZE / sizeof(*w); i++)
		if (w[i] == (uintptr_t)env && w[i - 1] % 2 &&
		    w[i - 1] < 65536) {
			if (at)
				return;
			at = (uintptr_t)&w[i] - arch_tcb();
		}
	STORE_REL(&mmi_lisp_environment_at, at);
}

/*
 * The environment of a new thread: is it at the same place as in other threads?
 */
static COLD const uintptr_t *
thread_comes(void)
{
	size_t at = LOAD(&mmi_lisp_environment_at);
	const uintptr_t *env, *here;

	here = at ? *(const uintptr_t *const *)(arch_tcb() + at) : NULL;
	if (at && !here)
		return NULL;
	env = environment();
	if (at && here != env)
		STORE(&mmi_lisp_environment_at, 0);
	stack_find();
	return env;
}

__attribute__((noinline)) const uintptr_t *
mmi_lisp_environment(uintptr_t sp)
{
	static unsigned tries, due = 1; /* atomic */
	const uintptr_t *env;
	unsigned i;

	if (!mmi_lisp_symbol)
		return NULL;
	env = mmi_lisp_stack_end ? environment() : thread_comes();
	if (!env)
		return NULL;
	if (LIKELY(LOAD(&mmi_lisp_ihs_word)))
		return env;
	if (++tries < due)
		return NULL;
	due += due / 16 + 8;
	i = word_find(env, sp, mmi_lisp_stack_end);
	if (!i)
		return NULL;
	STORE(&mmi_lisp_ihs_word, i);
	key_find(env);
	return env;
}

/* Compiled functions are on the stack already. */
static unsigned
fill(const struct mmi_origin *o, struct mmi_run *run)
{
	const struct mmi_ihs *p = (const struct mmi_ihs *)o->from;
	uintptr_t end = mmi_lisp_stack_end - sizeof(*p), f;
	unsigned n = 0;

	for (; p && n < MMI_RUNS && (uintptr_t)p < end; p = p->next) {
		f = p->function;
		run[n] = (struct mmi_run){ .at = (uintptr_t)p,
					   .part = mmi_lisp_part(p) };
		if (lisp_type(f) == LISP_BCLOSURE)
			f = lisp_word(f, 1);
		if (lisp_type(f) == LISP_BYTECODES)
			run[n].key = key_of(lisp_word(f, 1));
		n++;
		if ((uintptr_t)p->next <= (uintptr_t)p)
			break;
	}
	return n;
}

const struct mmi_runner mmi_lisp_interpreter = { fill, is_own };

#endif
