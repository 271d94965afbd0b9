/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the result of a call goes. */
#include <string.h>

#include "reduce/guess/guess_flow.h"

#define PATHS 8	  /* branches that wait to be followed */
#define SEEN 1024 /* more than GUESS_TRACE, a power of two */
#define ALIASES 8 /* registers that an address goes through */

struct run {
	struct guess_flow *f;
	struct guess_state now;
	struct guess_state wait[PATHS];
	unsigned nwait;
	bool reached; /* before the call: the code leads here */
	uint64_t seen[SEEN];
};

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

bool
guess_flow_returns_first(const char *name)
{
	static const char *const names[] = {
		"memset",	"memcpy",	 "memmove",
		"strcpy",	"strncpy",	 "strcat",
		"strncat",	"__memset_chk",	 "__memcpy_chk",
		"__strcpy_chk", "__memmove_chk", "__strncpy_chk",
		"__strcat_chk", "__strncat_chk",
	};

	if (strncmp(name, "__builtin_", 10) == 0)
		name += 10;
	return is_in(name, names, sizeof names / sizeof *names);
}

static bool
never_returns(const char *name)
{
	static const char *const names[] = {
		"abort",
		"exit",
		"_exit",
		"_Exit",
		"quick_exit",
		"pthread_exit",
		"longjmp",
		"_longjmp",
		"siglongjmp",
		"__longjmp_chk",
		"err",
		"errx",
		"verr",
		"verrx",
		"__assert_fail",
		"__assert",
		"__chk_fail",
		"__stack_chk_fail",
		"__cxa_throw",
		"__cxa_rethrow",
		"_Unwind_Resume",
		"_ZSt9terminatev",
	};

	return is_in(name, names, sizeof names / sizeof *names);
}

/* Does the function put the result where its first argument points? */
static bool
stores_result(const char *name)
{
	static const char *const names[] = {
		"posix_memalign",  "asprintf", "vasprintf", "__asprintf_chk",
		"__vasprintf_chk", "getline",  "getdelim",  "__getdelim",
	};

	return is_in(name, names, sizeof names / sizeof *names);
}

static bool
step_at(const struct guess_flow *f, uint64_t pc, struct guess_step *s)
{
	const unsigned char *code;
	size_t n;

	code = guess_code_at(f->code, pc, &n);
	return code && guess_step(f->code->machine, code, n, pc, s);
}

/* Is the function's code nothing but the return of its first argument? */
static bool
gives_back(const struct guess_flow *f, uint64_t target)
{
	enum guess_machine m = f->code->machine;
	struct guess_step s;
	bool moved = false;
	int i;

	for (i = 0; target && i < 4 && step_at(f, target, &s); i++) {
		if (s.op == GUESS_OP_RETURN)
			return moved || guess_step_argument(m, 0) ==
						guess_step_result(m);
		if (s.op == GUESS_OP_MOVE && !s.constant &&
		    s.dst == guess_step_result(m) &&
		    s.src == guess_step_argument(m, 0))
			moved = true;
		else if (s.op != GUESS_OP_OTHER || s.clobbers)
			return false;
		target = s.next;
	}
	return false;
}

/* A call behind the one in question.  Returns whether it comes back. */
static bool
call(struct run *r, const struct guess_step *s)
{
	enum guess_machine m = r->f->code->machine;
	int first = guess_step_argument(m, 0);
	bool through = r->now.reg[first] == GUESS_VALUE;
	uint64_t slot;
	const char *name = callee(r, s, &slot);
	unsigned i;

	for (i = 0; i < GUESS_ARGS; i++) {
		int reg = guess_step_argument(m, i);

		if (r->now.reg[reg] == GUESS_VALUE)
			guess_state_event(r->f, GUESS_EVENT_PASS, s, 0, i);
	}
	guess_state_call(r->f, &r->now, s->next);
	if (through && (name ? guess_flow_returns_first(name)
			     : gives_back(r->f, s->target)))
		r->now.reg[guess_step_result(m)] = GUESS_VALUE;
	return !name || !never_returns(name);
}

/* Before the call: what is known where branches lead to on the way to it. */
static void
join(struct run *r)
{
	struct guess_state *s = &r->now;
	uint64_t pc = s->pc;
	unsigned i;

	for (i = 0; i < r->nwait; i++) {
		if (r->wait[i].pc != pc)
			continue;
		if (r->reached)
			guess_state_merge(r->f, s, &r->wait[i]);
		else
			*s = r->wait[i];
		r->reached = true;
		r->wait[i--] = r->wait[--r->nwait];
	}
}

static void
branch_ahead(struct run *r, const struct guess_step *s, uint64_t ra)
{
	if ((s->op == GUESS_OP_BRANCH || s->op == GUESS_OP_JUMP) &&
	    s->target > s->pc && s->target < ra && r->nwait < PATHS) {
		r->wait[r->nwait] = r->now;
		r->wait[r->nwait++].pc = s->target;
	}
	if (s->op == GUESS_OP_BRANCH)
		return;
	/* What comes next is reached from elsewhere. */
	r->reached = false;
	memset(r->now.reg, 0, sizeof r->now.reg);
	r->now.nslots = 0;
}

/* The call itself is next. */
static void
at_call(struct run *r, const struct guess_step *s)
{
	struct guess_flow *f = r->f;
	unsigned i;

	f->call = s->pc;
	f->target = s->target;
	for (i = 0; i < GUESS_ARGS; i++)
		f->argument[i] = guess_state_reg(
			f, &r->now, guess_step_argument(f->code->machine, i));
	f->callee = callee(r, s, &f->slot);
}

/* Go through the code from `before' to the call. */
static bool
lead_up(struct run *r, uint64_t before, uint64_t ra)
{
	struct guess_flow *f = r->f;
	struct guess_step s;

	r->reached = true;
	for (r->now.pc = before; r->now.pc < ra; r->now.pc = s.next) {
		join(r);
		if (!step_at(f, r->now.pc, &s))
			return false;
		switch (s.op) {
		case GUESS_OP_CALL:
			if (s.next == ra) {
				at_call(r, &s);
				return true;
			}
			guess_state_call(f, &r->now, s.next);
			break;
		case GUESS_OP_BRANCH:
		case GUESS_OP_JUMP:
		case GUESS_OP_STOP:
		case GUESS_OP_RETURN:
			branch_ahead(r, &s, ra);
			break;
		default:
			guess_state_work(f, &r->now, &s);
		}
	}
	return false;
}

static void
start(struct run *r)
{
	memset(&r->now, 0, sizeof r->now);
	r->nwait = 0;
	r->f->nsyms = 2;
}

/* The call by itself, by the ways calls are put. */
static bool
lead_short(struct run *r, uint64_t ra)
{
	static const unsigned char lengths[] = { 5, 6, 3, 2, 4, 7 };
	size_t i;

	for (i = 0; i < sizeof lengths; i++) {
		start(r);
		if (ra > lengths[i] && lead_up(r, ra - lengths[i], ra))
			return true;
	}
	start(r);
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

/* Is it the result with something added? */
static bool
is_near(const struct guess_flow *f, uint16_t at)
{
	const struct guess_sym *sym = &f->sym[at];
	int i;

	for (i = 0; i < ALIASES &&
		    (sym->kind == GUESS_SYM_REG || sym->kind == GUESS_SYM_LOAD);
	     i++)
		sym = &f->sym[sym->b];
	return (sym->kind == GUESS_SYM_PLUS && sym->a == GUESS_VALUE) ||
	       (sym->kind == GUESS_SYM_SUM &&
		(sym->a == GUESS_VALUE || sym->b == GUESS_VALUE));
}

/* Registers that hold the result; whether anything has to do with it. */
static bool
held(const struct guess_flow *f, const struct guess_state *s, uint64_t *regs)
{
	bool any = false;
	unsigned i;

	*regs = 0;
	for (i = 0; i < GUESS_REGS; i++) {
		if (s->reg[i] == GUESS_VALUE)
			*regs |= UINT64_C(1) << i;
		else
			any = any || is_near(f, s->reg[i]);
	}
	for (i = 0; i < s->nslots; i++)
		any |= s->slot[i].sym == GUESS_VALUE ||
		       is_near(f, s->slot[i].sym);
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
	uint16_t tested = r->now.tested;
	bool null;

	if (s->tests)
		tested = s->src == GUESS_NOREG ? 0 : r->now.reg[s->src];
	null = s->null != GUESS_NULL_NONE && tested == GUESS_VALUE;
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

/* A call that is made by a jump out of the function. */
static void
last_call(struct run *r, const struct guess_step *s)
{
	int result = guess_step_result(r->f->code->machine);

	call(r, s);
	if (r->now.reg[result] == GUESS_VALUE)
		guess_state_event(r->f, GUESS_EVENT_RETURN, s, 0, 0);
}

/* One instruction behind the call.  Returns whether the path goes on. */
static bool
follow(struct run *r, const struct guess_step *s)
{
	struct guess_flow *f = r->f;
	int result = guess_step_result(f->code->machine);

	switch (s->op) {
	case GUESS_OP_CALL:
		r->now.pc = s->next;
		return call(r, s);
	case GUESS_OP_JUMP:
		r->now.pc = s->target;
		if (inside(f, s->target))
			return true;
		last_call(r, s);
		return false;
	case GUESS_OP_BRANCH:
		branch(r, s);
		return true;
	case GUESS_OP_RETURN:
		if (r->now.reg[result] == GUESS_VALUE)
			guess_state_event(f, GUESS_EVENT_RETURN, s, 0, 0);
		else if (is_near(f, r->now.reg[result]))
			guess_state_event(f, GUESS_EVENT_NEAR, s, 0, 0);
		return false;
	case GUESS_OP_STOP:
		if (s->slot && s->mem.index == GUESS_NOREG)
			last_call(r, s);
		return false;
	default:
		guess_state_work(f, &r->now, s);
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
	       held(f, &r->now, &regs) && !seen_before(r, r->now.pc) &&
	       step_at(f, r->now.pc, &s)) {
		f->trace[f->ntrace++] = (struct guess_at){ s.pc, regs };
		if (!follow(r, &s))
			break;
	}
}

/* The result is where the call leaves it. */
static void
result(struct run *r)
{
	struct guess_flow *f = r->f;
	uint16_t at = f->argument[0];
	struct guess_step s = { .pc = f->call, .next = r->now.pc };

	if (!f->callee || !stores_result(f->callee)) {
		r->now.reg[guess_step_result(f->code->machine)] = GUESS_VALUE;
		return;
	}
	guess_state_event(f, GUESS_EVENT_STORE, &s, at, 0);
	if (f->sym[at].kind == GUESS_SYM_FRAME)
		guess_state_slot(&r->now, f->sym[at].off, 8, GUESS_VALUE);
}

void
guess_flow_run(struct guess_flow *f, struct guess_code *code, uint64_t low,
	       uint64_t high, uint64_t before, uint64_t ra, unsigned steps)
{
	static struct run r;

	f->code = code;
	f->low = low;
	f->high = high;
	f->sym[0] = (struct guess_sym){ .kind = GUESS_SYM_NONE };
	f->sym[GUESS_VALUE] = (struct guess_sym){ .kind = GUESS_SYM_VALUE };
	f->ntrace = f->nevents = 0;
	f->call = f->target = f->slot = 0;
	f->callee = NULL;
	f->behind = false;
	memset(f->argument, 0, sizeof f->argument);
	memset(r.seen, 0, sizeof r.seen);
	r.f = f;
	start(&r);
	if (before >= ra || !lead_up(&r, before, ra))
		lead_short(&r, ra);
	guess_state_clobber(&r.now, guess_step_scratch(code->machine));
	r.now.tested = 0;
	r.now.pc = ra;
	r.nwait = 0;
	f->behind = true;
	result(&r);
	if (steps > GUESS_TRACE)
		steps = GUESS_TRACE;
	path(&r, steps);
	while (r.nwait) {
		r.now = r.wait[--r.nwait];
		path(&r, steps);
	}
}
