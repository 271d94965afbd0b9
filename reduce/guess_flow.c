/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the result of a call goes. */
#include <string.h>

#include "reduce/guess_flow.h"

#define SLOTS 12 /* of the frame that are remembered */
#define PATHS 8	 /* branches that wait to be followed */
#define SEEN 1024 /* more than GUESS_TRACE, a power of two */
#define VALUE 1	 /* the result's place in f->sym */

struct slot {
	int64_t at; /* from the frame's address */
	uint16_t sym;
};

/* What is known at an instruction. */
struct state {
	uint64_t pc;
	uint16_t reg[GUESS_REGS]; /* 0: not known */
	struct slot slot[SLOTS];
	unsigned nslots, oldest;
	uint16_t tested; /* what was compared with 0 */
};

struct run {
	struct guess_flow *f;
	struct state now;
	struct state wait[PATHS];
	unsigned nwait;
	bool behind; /* the call */
	uint64_t seen[SEEN];
};

static uint16_t
sym_new(struct guess_flow *f, struct guess_sym sym)
{
	if (f->nsyms >= GUESS_SYMS)
		return 0;
	f->sym[f->nsyms] = sym;
	return (uint16_t)f->nsyms++;
}

static uint16_t
plus(struct guess_flow *f, uint16_t a, int64_t off)
{
	struct guess_sym sym = f->sym[a];

	if (!a || !off)
		return a;
	switch (sym.kind) {
	case GUESS_SYM_FRAME:
	case GUESS_SYM_FIXED:
	case GUESS_SYM_PLUS:
	case GUESS_SYM_SUM:
		sym.off = (int64_t)((uint64_t)sym.off + (uint64_t)off);
		if (sym.kind == GUESS_SYM_PLUS && !sym.off)
			return sym.a;
		return sym_new(f, sym);
	default:
		return sym_new(f, (struct guess_sym){ .kind = GUESS_SYM_PLUS,
						      .a = a,
						      .off = off });
	}
}

/* What the register holds; as far as it isn't known, what it is called. */
static uint16_t
value_of(struct run *r, int reg)
{
	uint16_t known = reg == GUESS_NOREG ? 0 : r->now.reg[reg];

	if (reg == GUESS_NOREG)
		return 0;
	switch (r->f->sym[known].kind) {
	case GUESS_SYM_VALUE:
	case GUESS_SYM_FRAME:
	case GUESS_SYM_FIXED:
		return known;
	case GUESS_SYM_PLUS:
		if (r->f->sym[known].a == VALUE)
			return known;
		break;
	default:
		break;
	}
	return sym_new(r->f, (struct guess_sym){ .kind = GUESS_SYM_REG,
						 .reg = reg,
						 .b = known,
						 .pc = r->now.pc });
}

static uint16_t
address_of(struct run *r, const struct guess_mem *m)
{
	struct guess_flow *f = r->f;
	enum guess_machine machine = f->code->machine;
	const struct guess_cfa *cfa;
	uint16_t base;

	if (!m->known)
		return 0;
	if (m->base == GUESS_NOREG) {
		base = sym_new(f, (struct guess_sym){ .kind = GUESS_SYM_FIXED,
						      .off = m->disp });
	} else if (m->base == guess_step_stack(machine) ||
		   m->base == guess_step_frame(machine)) {
		cfa = guess_code_cfa(f->code, r->now.pc);
		base = 0;
		if (cfa->known && cfa->reg == m->base)
			base = sym_new(f, (struct guess_sym){
						  .kind = GUESS_SYM_FRAME,
						  .off = -cfa->off });
		base = plus(f, base ? base : value_of(r, m->base), m->disp);
	} else {
		base = plus(f, value_of(r, m->base), m->disp);
	}
	if (m->index == GUESS_NOREG)
		return base;
	return sym_new(f, (struct guess_sym){ .kind = GUESS_SYM_SUM,
					      .a = base,
					      .b = value_of(r, m->index) });
}

static struct slot *
slot_of(struct state *s, int64_t at)
{
	unsigned i;

	for (i = 0; i < s->nslots; i++)
		if (s->slot[i].at == at)
			return &s->slot[i];
	return NULL;
}

/* Something is stored in the frame: forget what was there, note what is. */
static void
slot_store(struct state *s, int64_t at, unsigned width, uint16_t sym)
{
	struct slot *slot;
	unsigned i;

	for (i = 0; i < s->nslots; i++)
		if (s->slot[i].at < at + (width ? width : 8) &&
		    at < s->slot[i].at + 8)
			s->slot[i].sym = 0;
	if (!sym)
		return;
	slot = slot_of(s, at);
	if (!slot && s->nslots < SLOTS)
		slot = &s->slot[s->nslots++];
	if (!slot) {
		/* The result's own places are kept. */
		do
			slot = &s->slot[s->oldest++ % SLOTS];
		while (slot->sym == VALUE && s->oldest % SLOTS);
	}
	*slot = (struct slot){ at, sym };
}

static void
event(struct run *r, enum guess_event_kind kind, const struct guess_step *s,
      uint16_t sym, unsigned argument)
{
	struct guess_flow *f = r->f;

	if (f->nevents >= GUESS_EVENTS || !r->behind)
		return;
	f->event[f->nevents++] = (struct guess_event){
		.kind = kind,
		.pc = s->pc,
		.next = s->next,
		.sym = sym,
		.argument = argument,
		.at = (uint16_t)f->ntrace,
	};
}

static void
store(struct run *r, const struct guess_step *s, int src, int64_t by)
{
	struct guess_flow *f = r->f;
	uint16_t at = plus(f, address_of(r, &s->mem), by);
	uint16_t what = src == GUESS_NOREG ? 0 : r->now.reg[src];

	if (what == VALUE)
		event(r, GUESS_EVENT_STORE, s, at, 0);
	if (f->sym[at].kind == GUESS_SYM_FRAME)
		slot_store(&r->now, f->sym[at].off,
			   by || s->src2 != GUESS_NOREG ? 8 : s->width, what);
}

static void
load(struct run *r, const struct guess_step *s, int dst, int64_t by)
{
	struct guess_flow *f = r->f;
	struct guess_sym sym = { .kind = GUESS_SYM_LOAD, .pc = s->pc };
	struct slot *slot;

	if (dst == GUESS_NOREG)
		return;
	sym.a = plus(f, address_of(r, &s->mem), by);
	slot = f->sym[sym.a].kind == GUESS_SYM_FRAME
		       ? slot_of(&r->now, f->sym[sym.a].off)
		       : NULL;
	if (slot && slot->sym == VALUE) {
		r->now.reg[dst] = VALUE;
		return;
	}
	if (slot)
		sym.b = slot->sym;
	r->now.reg[dst] = sym.a || sym.b ? sym_new(f, sym) : 0;
}

/* Is the result what is tested? */
static void
test(struct run *r, const struct guess_step *s)
{
	uint16_t at;
	struct slot *slot;

	if (s->src != GUESS_NOREG) {
		r->now.tested = r->now.reg[s->src];
		return;
	}
	at = address_of(r, &s->mem);
	slot = r->f->sym[at].kind == GUESS_SYM_FRAME
		       ? slot_of(&r->now, r->f->sym[at].off)
		       : NULL;
	r->now.tested = slot ? slot->sym : 0;
}

static void
clobber(struct state *s, uint64_t regs)
{
	int i;

	for (i = 0; i < GUESS_REGS; i++)
		if (regs >> i & 1)
			s->reg[i] = 0;
}

/* Whom it calls, if that is outside of the module. */
static const char *
callee(struct run *r, const struct guess_step *s, uint64_t *slot)
{
	*slot = s->slot && s->mem.base == GUESS_NOREG &&
				s->mem.index == GUESS_NOREG
			? (uint64_t)s->mem.disp
			: 0;
	return guess_code_callee(r->f->code, s->target, *slot);
}

static bool
is_in(const char *name, const char *const *names, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* Does it return its first argument? */
static bool
returns_first(const char *name)
{
	static const char *const names[] = {
		"memset",      "memcpy",       "memmove",
		"strcpy",      "strncpy",      "strcat",
		"strncat",     "__memset_chk", "__memcpy_chk",
		"__strcpy_chk", "__memmove_chk", "__strncpy_chk",
		"__strcat_chk", "__strncat_chk",
	};

	return is_in(name, names, sizeof names / sizeof *names);
}

static bool
never_returns(const char *name)
{
	static const char *const names[] = {
		"abort",   "exit",     "_exit",		   "_Exit",
		"longjmp", "_longjmp", "__longjmp_chk",	   "siglongjmp",
		"err",	   "errx",     "__assert_fail",	   "__assert",
		"quick_exit", "pthread_exit", "__stack_chk_fail",
		"__cxa_throw", "__cxa_rethrow", "_Unwind_Resume",
		"_ZSt9terminatev", "__chk_fail", "g_assertion_message_expr",
	};

	return is_in(name, names, sizeof names / sizeof *names);
}

/* A call behind the one in question.  Returns whether it comes back. */
static bool
call(struct run *r, const struct guess_step *s)
{
	enum guess_machine m = r->f->code->machine;
	int first = guess_step_argument(m, 0);
	bool through = r->now.reg[first] == VALUE;
	uint64_t slot;
	const char *name = callee(r, s, &slot);
	unsigned i;

	for (i = 0; i < GUESS_ARGS; i++) {
		int reg = guess_step_argument(m, i);

		if (r->now.reg[reg] == VALUE)
			event(r, GUESS_EVENT_PASS, s, 0, i);
	}
	clobber(&r->now, guess_step_scratch(m));
	if (!name)
		return true;
	if (through && returns_first(name))
		r->now.reg[guess_step_result(m)] = VALUE;
	return !never_returns(name);
}

/* Instructions that only work something out. */
static void
work(struct run *r, const struct guess_step *s)
{
	struct guess_flow *f = r->f;
	uint16_t sum;

	switch (s->op) {
	case GUESS_OP_MOVE:
		r->now.reg[s->dst] = s->src == GUESS_NOREG
					     ? 0
					     : value_of(r, s->src);
		break;
	case GUESS_OP_ADDRESS:
		sum = address_of(r, &s->mem);
		r->now.reg[s->dst] = sum;
		break;
	case GUESS_OP_LOAD:
		load(r, s, s->dst, 0);
		if (s->dst2 != GUESS_NOREG)
			load(r, s, s->dst2, 8);
		break;
	case GUESS_OP_STORE:
		store(r, s, s->src, 0);
		if (s->src2 != GUESS_NOREG)
			store(r, s, s->src2, 8);
		break;
	case GUESS_OP_TEST:
		test(r, s);
		break;
	default:
		break;
	}
	clobber(&r->now, s->clobbers);
	if (s->bump_reg != GUESS_NOREG)
		r->now.reg[s->bump_reg] = plus(f, r->now.reg[s->bump_reg],
					       s->bump);
	if (s->flags)
		r->now.tested = 0;
}

static bool
step_at(const struct guess_flow *f, uint64_t pc, struct guess_step *s)
{
	const unsigned char *code;
	size_t n;

	code = guess_code_at(f->code, pc, &n);
	return code && guess_step(f->code->machine, code, n, pc, s);
}

/* Go through the code from `before' to the call. */
static bool
lead_up(struct run *r, uint64_t before, uint64_t ra)
{
	struct guess_flow *f = r->f;
	struct guess_step s;
	unsigned i;

	for (r->now.pc = before; r->now.pc < ra; r->now.pc = s.next) {
		if (!step_at(f, r->now.pc, &s))
			return false;
		if (s.next == ra && s.op == GUESS_OP_CALL)
			break;
		work(r, &s);
		if (s.op == GUESS_OP_CALL)
			clobber(&r->now, guess_step_scratch(f->code->machine));
		if (s.op == GUESS_OP_JUMP || s.op == GUESS_OP_STOP ||
		    s.op == GUESS_OP_RETURN) {
			memset(r->now.reg, 0, sizeof r->now.reg);
			r->now.nslots = 0;
		}
	}
	if (r->now.pc >= ra)
		return false;
	f->call = s.pc;
	f->target = s.target;
	for (i = 0; i < GUESS_ARGS; i++)
		f->argument[i] = value_of(
			r, guess_step_argument(f->code->machine, i));
	f->callee = callee(r, &s, &f->slot);
	return true;
}

/* The call by itself, by the ways calls are put. */
static bool
lead_short(struct run *r, uint64_t ra)
{
	static const unsigned char lengths[] = { 5, 6, 3, 2, 4, 7 };
	size_t i;

	for (i = 0; i < sizeof lengths; i++) {
		r->f->nsyms = 2;
		memset(&r->now, 0, sizeof r->now);
		if (ra > lengths[i] && lead_up(r, ra - lengths[i], ra))
			return true;
	}
	return false;
}

static bool
seen_before(struct run *r, uint64_t pc)
{
	size_t i = (size_t)(pc * UINT64_C(0x9e3779b97f4a7c15) >> 32);

	for (;; i++) {
		uint64_t *at = &r->seen[i & (SEEN - 1)];

		if (*at == pc)
			return true;
		if (!*at) {
			*at = pc;
			return false;
		}
	}
}

/* Registers that hold the result; whether anything does. */
static bool
held(const struct state *s, uint64_t *regs)
{
	bool any = false;
	unsigned i;

	*regs = 0;
	for (i = 0; i < GUESS_REGS; i++)
		if (s->reg[i] == VALUE)
			*regs |= UINT64_C(1) << i;
	for (i = 0; i < s->nslots; i++)
		any |= s->slot[i].sym == VALUE;
	return any || *regs;
}

static bool
inside(const struct guess_flow *f, uint64_t pc)
{
	return pc >= f->low && pc < f->high;
}

/* Go where the branch leads, and to the other side later. */
static void
branch(struct run *r, const struct guess_step *s)
{
	bool null = s->null != GUESS_NULL_NONE &&
		    (s->tests ? s->src != GUESS_NOREG &&
					r->now.reg[s->src] == VALUE
			      : r->now.tested == VALUE);

	if (null && s->null == GUESS_NULL_FALLS) {
		r->now.pc = s->target;
		return;
	}
	r->now.pc = s->next;
	if (null || r->nwait == PATHS || !inside(r->f, s->target))
		return;
	r->wait[r->nwait] = r->now;
	r->wait[r->nwait++].pc = s->target;
}

/* One instruction behind the call.  Returns whether the path goes on. */
static bool
follow(struct run *r, const struct guess_step *s)
{
	enum guess_machine m = r->f->code->machine;

	switch (s->op) {
	case GUESS_OP_CALL:
		r->now.pc = s->next;
		return call(r, s);
	case GUESS_OP_JUMP:
		r->now.pc = s->target;
		if (inside(r->f, s->target))
			return true;
		/* The last call, made by a jump. */
		r->now.pc = s->next;
		call(r, s);
		if (r->now.reg[guess_step_result(m)] == VALUE)
			event(r, GUESS_EVENT_RETURN, s, 0, 0);
		return false;
	case GUESS_OP_BRANCH:
		branch(r, s);
		return true;
	case GUESS_OP_RETURN:
		if (r->now.reg[guess_step_result(m)] == VALUE)
			event(r, GUESS_EVENT_RETURN, s, 0, 0);
		return false;
	case GUESS_OP_STOP:
		return false;
	default:
		work(r, s);
		r->now.pc = s->next;
		return true;
	}
}

/* Follow r->now until nothing holds the result any more. */
static void
path(struct run *r, unsigned steps)
{
	struct guess_flow *f = r->f;
	struct guess_step s;
	uint64_t regs;

	while (f->ntrace < steps && inside(f, r->now.pc) &&
	       held(&r->now, &regs) && !seen_before(r, r->now.pc) &&
	       step_at(f, r->now.pc, &s)) {
		f->trace[f->ntrace++] = (struct guess_at){ s.pc, regs };
		if (!follow(r, &s))
			break;
	}
}

/* Does the function put the result where its first argument points? */
static bool
stores_result(const char *name)
{
	static const char *const names[] = {
		"posix_memalign", "asprintf", "vasprintf", "__asprintf_chk",
		"__vasprintf_chk", "getline", "getdelim", "__getdelim",
	};

	return is_in(name, names, sizeof names / sizeof *names);
}

/* The result is where the call leaves it. */
static void
result(struct run *r)
{
	struct guess_flow *f = r->f;
	uint16_t at = f->argument[0];
	struct guess_step s = { .pc = f->call, .next = r->now.pc };

	if (!f->callee || !stores_result(f->callee)) {
		r->now.reg[guess_step_result(f->code->machine)] = VALUE;
		return;
	}
	event(r, GUESS_EVENT_STORE, &s, at, 0);
	if (f->sym[at].kind == GUESS_SYM_FRAME)
		slot_store(&r->now, f->sym[at].off, 8, VALUE);
}

void
guess_flow_run(struct guess_flow *f, struct guess_code *code, uint64_t low,
	       uint64_t high, uint64_t before, uint64_t ra, unsigned steps)
{
	static struct run r;

	memset(&r.now, 0, sizeof r.now);
	memset(r.seen, 0, sizeof r.seen);
	r.f = f;
	r.nwait = 0;
	r.behind = false;
	f->code = code;
	f->low = low;
	f->high = high;
	f->nsyms = 2;
	f->sym[0] = (struct guess_sym){ .kind = GUESS_SYM_NONE };
	f->sym[VALUE] = (struct guess_sym){ .kind = GUESS_SYM_VALUE };
	f->ntrace = f->nevents = 0;
	f->call = f->target = f->slot = 0;
	f->callee = NULL;
	memset(f->argument, 0, sizeof f->argument);
	if (steps > GUESS_TRACE)
		steps = GUESS_TRACE;
	if (before >= ra || !lead_up(&r, before, ra)) {
		f->nsyms = 2;
		memset(&r.now, 0, sizeof r.now);
		if (!lead_short(&r, ra))
			memset(&r.now, 0, sizeof r.now);
	}
	clobber(&r.now, guess_step_scratch(code->machine));
	r.now.tested = 0;
	r.now.pc = ra;
	r.behind = true;
	result(&r);
	path(&r, steps);
	while (r.nwait) {
		r.now = r.wait[--r.nwait];
		path(&r, steps);
	}
}
