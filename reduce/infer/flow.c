/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Follow the result of a call. */
#include <elfutils/libdw.h>
#include <string.h>

#include "reduce/base/str.h"
#include "reduce/infer/flow.h"

#define GIVES 16	     /* instructions of a function that returns it */
#define RANGES_SEEN 1000     /* of a function; more are ignored */

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
	return STR_IS_IN(name, names);
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

	return STR_IS_IN(name, names);
}

/* Does the function store the result where its first argument points? */
static bool
stores_result(const char *name)
{
	static const char *const names[] = {
		"posix_memalign",  "asprintf", "vasprintf", "__asprintf_chk",
		"__vasprintf_chk", "getline",  "getdelim",  "__getdelim",
	};

	return STR_IS_IN(name, names);
}

static bool
step_at(const struct guess_flow *f, uint64_t pc, struct guess_step *s)
{
	const unsigned char *code;
	size_t n;

	code = guess_code_at(f->code, pc, &n);
	return code && guess_step(f->code->machine, code, n, pc, s);
}

/*
 * Find out which of its first two arguments the function returns; writes to
 * memory don't matter.  Works only for code without branches.  -1 if it returns
 * neither, or it is unknown.
 */
static int
gives_back(struct guess_flow *f, uint64_t target)
{
	enum guess_machine m = f->code->machine;
	struct guess_state s = { .pc = target };
	size_t were = f->nsyms;
	struct guess_value back;
	uint16_t given[2];
	struct guess_step step = { 0 };
	int n, i, found = -1;

	for (i = 0; i < 2; i++)
		given[i] = guess_state_reg(f, &s, guess_step_argument(m, i));
	for (n = 0; target && n < GIVES && step_at(f, s.pc, &step); n++) {
		if (step.op >= GUESS_OP_CALL)
			break;
		guess_state_work(f, &s, &step);
		s.pc = step.next;
	}
	if (target && n < GIVES && step.op == GUESS_OP_RETURN) {
		back = guess_state_value(f, s.reg[guess_step_result(m)]);
		for (i = 0; i < 2; i++)
			if (back.sym && back.sym == given[i] && !back.off)
				found = i;
	}
	f->nsyms = were;
	return found;
}

/* Handle a call after the one in question.  Returns whether it returns. */
static bool
flow_call(struct guess_flow *f, const struct guess_step *s)
{
	enum guess_machine m = f->code->machine;
	uint16_t given[GUESS_ARGS];
	const char *name =
		guess_code_callee(f->code, s->target, guess_step_slot(s));
	bool any = false;
	int i, back = -1;

	for (i = 0; i < GUESS_ARGS; i++) {
		given[i] = guess_state_argument(f, &f->now, (unsigned)i);
		any |= i < 2 &&
		       guess_state_value(f, given[i]).kind == GUESS_SYM_VALUE;
		if (given[i] == GUESS_VALUE)
			guess_state_event(f, GUESS_EVENT_PASS, s, 0,
					  (unsigned)i);
	}
	if (name && guess_flow_returns_first(name))
		back = 0;
	else if (!name && any)
		back = gives_back(f, s->target);
	guess_state_call(f, &f->now, s);
	if (back >= 0 &&
	    guess_state_value(f, given[back]).kind == GUESS_SYM_VALUE)
		f->now.reg[guess_step_result(m)] = given[back];
	return !name || !never_returns(name);
}

/* Before the call: add the states of branches that lead to this address. */
static void
flow_join(struct guess_flow *f)
{
	struct guess_state *s = &f->now;
	uint64_t pc = s->pc;
	unsigned i;

	for (i = 0; i < f->nwait; i++) {
		if (f->wait[i].pc != pc)
			continue;
		if (f->reached)
			guess_state_merge(f, s, &f->wait[i]);
		else
			*s = f->wait[i];
		f->reached = true;
		f->wait[i--] = f->wait[--f->nwait];
	}
}

static void
branch_ahead(struct guess_flow *f, const struct guess_step *s, uint64_t ra)
{
	if ((s->op == GUESS_OP_BRANCH || s->op == GUESS_OP_JUMP) &&
	    s->target > s->pc && s->target < ra && f->nwait < GUESS_PATHS) {
		f->wait[f->nwait] = f->now;
		f->wait[f->nwait++].pc = s->target;
	}
	if (s->op == GUESS_OP_BRANCH)
		return;
	/* The next instruction can only be reached from elsewhere. */
	f->reached = false;
	memset(f->now.reg, 0, sizeof f->now.reg);
	f->now.nslots = 0;
}

/* The next instruction is the call itself. */
static void
at_call(struct guess_flow *f, const struct guess_step *s)
{
	unsigned i;

	f->call = s->pc;
	f->target = s->target;
	for (i = 0; i < GUESS_ARGS; i++)
		f->argument[i] = guess_state_reg(
			f, &f->now, guess_step_argument(f->code->machine, i));
	f->slot = guess_step_slot(s);
	f->callee = guess_code_callee(f->code, f->target, f->slot);
}

/* Follow the code from `before' to the call. */
static bool
lead_up(struct guess_flow *f, uint64_t before, uint64_t ra)
{
	struct guess_step s;

	f->reached = true;
	for (f->now.pc = before; f->now.pc < ra; f->now.pc = s.next) {
		flow_join(f);
		if (!step_at(f, f->now.pc, &s))
			return false;
		switch (s.op) {
		case GUESS_OP_CALL:
			if (s.next == ra) {
				at_call(f, &s);
				return true;
			}
			guess_state_call(f, &f->now, &s);
			break;
		case GUESS_OP_BRANCH:
		case GUESS_OP_JUMP:
		case GUESS_OP_STOP:
		case GUESS_OP_RETURN:
			branch_ahead(f, &s, ra);
			break;
		default:
			guess_state_work(f, &f->now, &s);
		}
	}
	return false;
}

static void
flow_start(struct guess_flow *f)
{
	memset(&f->now, 0, sizeof f->now);
	f->nwait = 0;
	f->nsyms = 2;
}

/* Find only the call itself, by the usual lengths of call instructions. */
static bool
lead_short(struct guess_flow *f, uint64_t ra)
{
	static const unsigned char lengths[] = { 5, 6, 3, 2, 4, 7 };
	size_t i;

	for (i = 0; i < sizeof lengths; i++) {
		flow_start(f);
		if (ra > lengths[i] && lead_up(f, ra - lengths[i], ra))
			return true;
	}
	flow_start(f);
	return false;
}

static bool
seen_before(struct guess_flow *f, uint64_t pc)
{
	size_t i = (size_t)(pc * UINT64_C(0x9e3779b97f4a7c15) >> 32);

	for (;; i++) {
		uint64_t *at = &f->seen[i & (GUESS_SEEN - 1)];

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
	struct guess_value v = guess_state_value(f, at);
	const struct guess_sym *sym = &f->sym[v.sym];

	return v.kind == GUESS_SYM_VALUE ||
	       (v.kind == GUESS_SYM_SUM &&
		(sym->a == GUESS_VALUE || sym->b == GUESS_VALUE));
}

/*
 * Set *regs to the registers that hold the result.  Returns whether any
 * register or slot depends on it.
 */
static bool
flow_held(const struct guess_flow *f, const struct guess_state *s,
	  uint64_t *regs)
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
flow_inside(const struct guess_flow *f, uint64_t pc)
{
	unsigned i;

	for (i = 0; i < f->nranges; i++)
		if (pc >= f->range[i].low && pc < f->range[i].high)
			return true;
	return false;
}

/* Follow one side of the branch now, and the other side later. */
static void
flow_branch(struct guess_flow *f, const struct guess_step *s)
{
	uint16_t tested = f->now.tested;
	bool null;

	if (s->tests)
		tested = s->src == GUESS_NOREG ? 0 : f->now.reg[s->src];
	null = s->null != GUESS_NULL_NONE && tested == GUESS_VALUE;
	if (null && s->null == GUESS_NULL_FALLS) {
		f->now.pc = s->target;
		return;
	}
	f->now.pc = s->next;
	if (null || f->nwait == GUESS_PATHS || !flow_inside(f, s->target))
		return;
	f->wait[f->nwait] = f->now;
	f->wait[f->nwait++].pc = s->target;
}

/* A call at the end of a function, made by a jump. */
static void
last_call(struct guess_flow *f, const struct guess_step *s)
{
	int result = guess_step_result(f->code->machine);

	flow_call(f, s);
	if (f->now.reg[result] == GUESS_VALUE)
		guess_state_event(f, GUESS_EVENT_RETURN, s, 0, 0);
}

/* Handle one instruction after the call.  Returns whether the path goes on. */
static bool
follow(struct guess_flow *f, const struct guess_step *s)
{
	int result = guess_step_result(f->code->machine);

	switch (s->op) {
	case GUESS_OP_CALL:
		f->now.pc = s->next;
		return flow_call(f, s);
	case GUESS_OP_JUMP:
		f->now.pc = s->target;
		if (flow_inside(f, s->target))
			return true;
		last_call(f, s);
		return false;
	case GUESS_OP_BRANCH:
		flow_branch(f, s);
		return true;
	case GUESS_OP_RETURN:
		if (f->now.reg[result] == GUESS_VALUE)
			guess_state_event(f, GUESS_EVENT_RETURN, s, 0, 0);
		else if (is_near(f, f->now.reg[result]))
			guess_state_event(f, GUESS_EVENT_NEAR, s, 0, 0);
		return false;
	case GUESS_OP_STOP:
		if (s->slot && s->mem.index == GUESS_NOREG)
			last_call(f, s);
		return false;
	default:
		guess_state_work(f, &f->now, s);
		f->now.pc = s->next;
		return true;
	}
}

/*
 * Follow f->now until no register or slot holds the result.  Returns whether to
 * follow other paths.
 */
static bool
flow_path(struct guess_flow *f, unsigned steps)
{
	const struct guess_observer *o = f->observer;
	struct guess_step s;
	uint64_t regs;

	while (f->steps < steps && flow_inside(f, f->now.pc) &&
	       flow_held(f, &f->now, &regs) && !seen_before(f, f->now.pc) &&
	       step_at(f, f->now.pc, &s)) {
		if (!o->step(o->arg, f, &s, regs))
			return false;
		f->steps++;
		if (s.pc < f->first)
			f->first = s.pc;
		if (s.next > f->last)
			f->last = s.next;
		if (!follow(f, &s))
			break;
	}
	return true;
}

/* Put the result where the call leaves it. */
static void
result(struct guess_flow *f)
{
	uint16_t at = f->argument[0];
	struct guess_step s = { .pc = f->call, .next = f->now.pc };

	if (!f->callee || !stores_result(f->callee)) {
		f->now.reg[guess_step_result(f->code->machine)] = GUESS_VALUE;
		return;
	}
	guess_state_event(f, GUESS_EVENT_STORE, &s, at, 0);
	if (f->sym[at].kind == GUESS_SYM_FRAME)
		guess_state_slot(&f->now, f->sym[at].off, 8, GUESS_VALUE);
}

/* The start of an instruction about `bytes' bytes before the call, or ra. */
static uint64_t
ahead(const struct symbols_debug *p, uint64_t low, uint64_t bytes)
{
	uint64_t least = p->ra - low > bytes ? p->ra - bytes : low;
	Dwarf_Die unit = p->line;
	Dwarf_Line *line;
	Dwarf_Lines *lines;
	Dwarf_Addr addr;
	size_t n, from = 0, to;

	if (least == low || dwarf_getsrclines(&unit, &lines, &n) != 0)
		return low;
	/* Find the first line at `least' or after it. */
	for (to = n; from < to;) {
		size_t mid = from + (to - from) / 2;

		line = dwarf_onesrcline(lines, mid);
		if (dwarf_lineaddr(line, &addr) == 0 && addr < least)
			from = mid + 1;
		else
			to = mid;
	}
	line = from < n ? dwarf_onesrcline(lines, from) : NULL;
	if (!line || dwarf_lineaddr(line, &addr) != 0 || addr > p->ra)
		return p->ra;
	return addr;
}

/*
 * Note the code of the function.  *low: start of the part that contains the
 * call.
 */
static bool
ranges_of(struct guess_flow *f, const struct symbols_debug *p, uint64_t *low)
{
	Dwarf_Die function = p->die[p->n - 1];
	Dwarf_Addr base, start, end;
	ptrdiff_t next = 0;
	bool found = false;
	int n = 0;

	f->nranges = 0;
	while (n++ < RANGES_SEEN && f->nranges < GUESS_RANGES &&
	       (next = dwarf_ranges(&function, next, &base, &start, &end)) >
		       0) {
		f->range[f->nranges].low = start;
		f->range[f->nranges++].high = end;
		if (p->ra - 1 >= start && p->ra - 1 < end) {
			*low = start;
			found = true;
		}
	}
	return found;
}

bool
guess_flow_run(struct guess_flow *f, struct guess_code *code,
	       const struct symbols_debug *p, const struct guess_reach *reach,
	       const struct guess_observer *observer)
{
	uint64_t low, before;

	f->code = code;
	f->observer = observer;
	f->sym[0] = (struct guess_sym){ .kind = GUESS_SYM_NONE };
	f->sym[GUESS_VALUE] = (struct guess_sym){ .kind = GUESS_SYM_VALUE };
	f->call = f->target = f->slot = 0;
	f->callee = NULL;
	f->behind = false;
	f->steps = f->npaths = 0;
	f->first = f->last = p->ra;
	memset(f->argument, 0, sizeof f->argument);
	memset(f->seen, 0, sizeof f->seen);
	if (!ranges_of(f, p, &low))
		return false;
	before = ahead(p, low, reach->bytes);
	flow_start(f);
	if (before >= p->ra || !lead_up(f, before, p->ra))
		lead_short(f, p->ra);
	guess_state_clobber(&f->now, guess_step_scratch(code->machine));
	f->now.tested = 0;
	f->now.pc = p->ra;
	f->nwait = 0;
	f->behind = true;
	result(f);
	while (flow_path(f, reach->steps) && f->nwait) {
		f->now = f->wait[--f->nwait];
		f->npaths++;
	}
	return true;
}
