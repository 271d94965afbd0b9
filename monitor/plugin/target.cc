/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What depends on the CPU.
 *
 * x86-64: gcc must not see the rare call of __memmon_touch(): leaf functions
 * would save registers, and values would leave registers.  So the call is an
 * asm, away from the hot code, that calls one of 15 entries, one for each
 * register that may contain the granule's address.  An entry saves all
 * registers that a function may change (touch() leaves vectors alone), and
 * stores the word.  Each program or library has one copy of the entries, as a
 * COMDAT group.  As a call writes below the stack pointer, plugin.cc switches
 * the red zone off.
 *
 * A recorded function that may be called by a pointer begins with a nop that
 * says so, MEMMON_MARK.  So do the thunks that change `this' before such a
 * function.
 */
#include "monitor/plugin/gcc.h"
#include "monitor/plugin/plugin.h"
#include "monitor/touch_entries.h"

#ifdef TARGET_64BIT
#define HAVE_TOUCH 1
#else
#define HAVE_TOUCH 0
#endif

/* Prints an error and returns true if the plugin can't do this kind of
 * program. */
bool
target_refuses(void)
{
	const char *why = NULL;

#if HAVE_TOUCH
	if (!TARGET_64BIT || TARGET_X32)
		why = "-m32 and -mx32";
	else if (ix86_cmodel == CM_LARGE || ix86_cmodel == CM_LARGE_PIC ||
		 ix86_cmodel == CM_KERNEL)
		why = "-mcmodel=large and -mcmodel=kernel";
#endif
	if (POINTER_SIZE != 64)
		why = "pointers of other than 64 bits";
	if (why == NULL)
		return false;
	sorry("memmon: the plugin cannot count accesses with %s; "
	      "%<MEMMON_WAY=calls%> may",
	      why);
	return true;
}

bool
target_has_touch(void)
{
	return HAVE_TOUCH;
}

/* Are a function's arguments in registers that __memmon_handed_entry keeps? */
bool
target_keeps_arguments(tree fntype)
{
#if HAVE_TOUCH
	return ix86_abi == SYSV_ABI &&
	       !lookup_attribute("ms_abi", TYPE_ATTRIBUTES(fntype)) &&
	       !lookup_attribute("no_caller_saved_registers",
				 TYPE_ATTRIBUTES(fntype));
#else
	(void)fntype;
	return false;
#endif
}

#if HAVE_TOUCH
static tree
operand(const char *constraint, tree value)
{
	return build_tree_list(
		build_tree_list(NULL_TREE, build_string(strlen(constraint) + 1,
							constraint)),
		value);
}

#define PAST_RED_ZONE(call) \
	"lea\t-128(%%rsp), %%rsp\n\t" call "\n\tlea\t128(%%rsp), %%rsp"

static bool
has_red_zone(void)
{
#ifdef MASK_NO_RED_ZONE
	return !(target_flags & MASK_NO_RED_ZONE);
#else
	return true;
#endif
}

/* Calls touch() for the granule's word `ref', whose address is `cell'. */
void
target_touch(cursor *c, tree cell, tree ref)
{
	vec<tree, va_gc> *inputs = NULL, *outputs = NULL, *clobbers = NULL;
	gimple_seq seq = NULL;
	gasm *stmt;

	vec_safe_push(outputs, operand("=m", ref));
	vec_safe_push(inputs, operand("m", unshare_expr(ref)));
	vec_safe_push(inputs, operand("r", cell));
	vec_safe_push(clobbers,
		      build_tree_list(NULL_TREE, build_string(3, "cc")));
	stmt = gimple_build_asm_vec(
		has_red_zone() ? PAST_RED_ZONE("call\t__memmon_touch_%V2")
			       : "call\t__memmon_touch_%V2",
		inputs, outputs, clobbers, NULL);
	gimple_asm_set_volatile(stmt, true);
	gimple_set_location(stmt, c->where);
	gimple_seq_add_stmt(&seq, stmt);
	code_append(c, seq);
}

/*
 * Loads the thread's pointer from its variable.  false: load it like any
 * variable.  gcc 11 may take the address of code that the linker must replace;
 * the linker refuses this.
 */
bool
target_state(gimple_seq *seq, tree state)
{
#if GCCPLUGIN_VERSION < 12000
	vec<tree, va_gc> *outputs = NULL;
	gasm *stmt;

	vec_safe_push(outputs, operand("=r", state));
	stmt = gimple_build_asm_vec("movq\t" MEMMON_STATE_NAME
				    "@gottpoff(%%rip), %0\n\t"
				    "movq\t%%fs:(%0), %0",
				    NULL, outputs, NULL, NULL);
	SSA_NAME_DEF_STMT(state) = stmt;
	code_add(seq, stmt, UNKNOWN_LOCATION);
	return true;
#else
	(void)seq;
	(void)state;
	return false;
#endif
}

/* Makes room for events by the function at EVENTS_ROOM_TEXT: returns its
 * end. */
void
target_room(cursor *c, unsigned words, tree end)
{
	vec<tree, va_gc> *inputs = NULL, *outputs = NULL, *clobbers = NULL;
	gimple_seq seq = NULL;
	gasm *stmt;

	vec_safe_push(outputs, operand("=a", end));
	vec_safe_push(inputs,
		      operand("0", build_int_cst(TREE_TYPE(end), words)));
	vec_safe_push(clobbers,
		      build_tree_list(NULL_TREE, build_string(3, "cc")));
	stmt = gimple_build_asm_vec(
		has_red_zone() ? PAST_RED_ZONE("call\t__memmon_events_room")
			       : "call\t__memmon_events_room",
		inputs, outputs, clobbers, NULL);
	SSA_NAME_DEF_STMT(end) = stmt;
	gimple_asm_set_volatile(stmt, true);
	gimple_set_location(stmt, c->where);
	gimple_seq_add_stmt(&seq, stmt);
	code_append(c, seq);
}

static const char *const registers[] = { "rax", "rbx", "rcx", "rdx", "rsi",
					 "rbp", "r8",  "r9",  "r10", "r11",
					 "r12", "r13", "r14", "r15", "rdi" };

static void
write_entries(FILE *f)
{
	fputs(TOUCH_SECTION, f);
	for (unsigned i = 0; i < ARRAY_SIZE(registers); i++) {
		const char *r = registers[i];

		fprintf(f,
			"\t.globl\t__memmon_touch_%s\n"
			"\t.hidden\t__memmon_touch_%s\n"
			"\t.type\t__memmon_touch_%s, @function\n"
			"__memmon_touch_%s:\n",
			r, r, r, r);
		fputs(TOUCH_START, f);
		if (strcmp(r, "rdi") != 0)
			fprintf(f, "\tmovq\t%%%s, %%rdi\n\tjmp\t1f\n", r);
	}
	fputs(TOUCH_QUICK TOUCH_COMMON HANDED_ENTRY TOUCH_CONSTRUCTOR, f);
}

/* May a pointer lead to the function's start? */
static bool
has_address(void)
{
	cgraph_node *node = cgraph_node::get(cfun->decl);

	return TREE_PUBLIC(cfun->decl) || DECL_VIRTUAL_P(cfun->decl) || !node ||
	       node->address_taken || node->has_aliases_p();
}

static void (*next_prologue)(FILE *);

/* Runs at each function's start, and at that of a thunk which gcc makes
 * itself. */
static void
prologue(FILE *f)
{
	if (has_address() &&
	    !lookup_attribute("naked", DECL_ATTRIBUTES(cfun->decl)))
		fprintf(f, "%s\t.byte\t" TOUCH_TEXT(MEMMON_MARK) "\n",
			flag_cf_protection & CF_BRANCH ? "\tendbr64\n" : "");
	next_prologue(f);
}

void
target_register(void)
{
	next_prologue = targetm.asm_out.function_prologue;
	targetm.asm_out.function_prologue = prologue;
}

void
target_finish_unit(void)
{
	/*
	 * Code without accesses to the heap gets the entries, too: their
	 * constructor says that it is recorded.
	 */
	if (asm_out_file)
		write_entries(asm_out_file);
}
#else
bool
target_state(gimple_seq *, tree)
{
	return false;
}

void
target_touch(cursor *, tree, tree)
{
	gcc_unreachable();
}

void
target_room(cursor *, unsigned, tree)
{
	gcc_unreachable();
}

void
target_register(void)
{
}

void
target_finish_unit(void)
{
}
#endif
