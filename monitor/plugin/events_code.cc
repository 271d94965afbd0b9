/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The code of a block of events (monitor/events.h):
 *
 *	end = events->next + n
 *	if (end > events->end)
 *		end = room(n)			(out of line)
 *	events->next = end
 *	end[-n] = first + number | words << 32 | kind << 56
 *
 * Each other word is written before or behind the statement that it comes from.
 * All of these accesses are volatile: a signal handler may run between them,
 * and vector instructions would gain nothing.
 */
#include "monitor/plugin/gcc.h"
#include "monitor/plugin/events.h"

#define WORDS_MAX 500 /* in a block */
#define STEPS_MAX 30000

static tree
thread_variable(void)
{
	tree decl = shared[SHARED_EVENTS];

	if (decl)
		return decl;
	decl = build_decl(UNKNOWN_LOCATION, VAR_DECL,
			  get_identifier(MEMMON_EVENTS_NAME),
			  build_array_type_nelts(code_cell_type(), 2));
	DECL_EXTERNAL(decl) = 1;
	TREE_PUBLIC(decl) = 1;
	TREE_ADDRESSABLE(decl) = 1;
	DECL_ARTIFICIAL(decl) = 1;
	DECL_IGNORED_P(decl) = 1;
	set_decl_tls_model(decl, TLS_MODEL_INITIAL_EXEC);
	shared[SHARED_EVENTS] = decl;
	return decl;
}

static tree
ref_at(tree type, tree pointer, HOST_WIDE_INT off)
{
	tree ref = build2(MEM_REF, type, pointer,
			  build_int_cst(code_cell_pointer(), off));

	TREE_THIS_NOTRAP(ref) = 1;
	TREE_THIS_VOLATILE(ref) = 1;
	return ref;
}

/* The address of the thread's next event (0), and the end of the room (1). */
static tree
thread_ref(unsigned index)
{
	return ref_at(code_cell_pointer(),
		      build_fold_addr_expr(thread_variable()), 8 * index);
}

/* ---------------------------------------------------------------- words -- */

/* Does the value fit in a register of up to 64 bits? */
bool
events_has_value(tree value)
{
	tree type = TREE_TYPE(value);
	HOST_WIDE_INT size;

	if (!is_gimple_val(value) || TREE_CODE(value) == ADDR_EXPR)
		return is_gimple_val(value);
	size = int_size_in_bytes(type);
	return size > 0 && size <= 8 && pow2p_hwi(size) &&
	       (INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type) ||
		SCALAR_FLOAT_TYPE_P(type) || VECTOR_TYPE_P(type) ||
		TREE_CODE(type) == COMPLEX_TYPE ||
		TREE_CODE(type) == OFFSET_TYPE);
}

/* The bits of the value, as a word. */
tree
events_value(gimple_seq *seq, tree value)
{
	tree type = TREE_TYPE(value), bits;

	/* The sign of a signed bit-field fills up its bytes. */
	if (INTEGRAL_TYPE_P(type) && !TYPE_UNSIGNED(type) &&
	    TYPE_PRECISION(type) < int_size_in_bytes(type) * BITS_PER_UNIT)
		return CONSTANT_CLASS_P(value)
			       ? fold_convert(code_cell_type(), value)
			       : code_convert(seq, code_cell_type(), value,
					      UNKNOWN_LOCATION);
	if (CONSTANT_CLASS_P(value)) {
		bits = POINTER_TYPE_P(type)
			       ? sizetype
			       : build_nonstandard_integer_type(
					 INTEGRAL_TYPE_P(type)
						 ? TYPE_PRECISION(type)
						 : int_size_in_bytes(type) *
							   BITS_PER_UNIT,
					 1);
		value = INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type)
				? fold_convert(bits, value)
				: fold_build1(VIEW_CONVERT_EXPR, bits, value);
		if (CONSTANT_CLASS_P(value))
			return fold_convert(code_cell_type(), value);
		type = bits;
	}
	if (POINTER_TYPE_P(type))
		return code_convert(seq, code_cell_type(),
				    code_convert(seq, sizetype, value,
						 UNKNOWN_LOCATION),
				    UNKNOWN_LOCATION);
	if (INTEGRAL_TYPE_P(type)) {
		bits = unsigned_type_for(type);
		value = code_convert(seq, bits, value, UNKNOWN_LOCATION);
	} else {
		bits = build_nonstandard_integer_type(int_size_in_bytes(type) *
							      BITS_PER_UNIT,
						      1);
		value = code_add(seq,
				 gimple_build_assign(make_ssa_name(bits),
						     VIEW_CONVERT_EXPR,
						     build1(VIEW_CONVERT_EXPR,
							    bits, value)),
				 UNKNOWN_LOCATION);
	}
	return code_convert(seq, code_cell_type(), value, UNKNOWN_LOCATION);
}

static tree
frame(gimple_seq *seq)
{
	gcall *call =
		gimple_build_call(builtin_decl_explicit(BUILT_IN_DWARF_CFA), 0);

	gimple_call_set_lhs(call, make_ssa_name(ptr_type_node));
	gimple_seq_add_stmt(seq, call);
	return gimple_call_lhs(call);
}

static tree
word_value(const events_word &w, gimple_seq *seq)
{
	switch (w.source) {
	case FROM_ACCESS:
		return code_address(&w.at, 0, seq);
	case FROM_FRAME:
		return frame(seq);
	default:
		return w.value;
	}
}

static void
write_word(const events_word &w, tree end, HOST_WIDE_INT off)
{
	gimple_stmt_iterator gsi = gsi_for_stmt(w.where);
	gimple_seq seq = NULL, some = NULL;
	tree value = word_value(w, &seq);

	value = force_gimple_operand(unshare_expr(value), &some, true,
				     NULL_TREE);
	gimple_seq_add_seq(&seq, some);
	value = events_value(&seq, value);
	gimple_seq_add_stmt(&seq, gimple_build_assign(ref_at(code_cell_type(),
							     end, off),
						      value));
	gimple_seq_set_location(seq, gimple_location(w.where));
	if (w.behind)
		gsi_insert_seq_after(&gsi, seq, GSI_NEW_STMT);
	else
		gsi_insert_seq_before(&gsi, seq, GSI_SAME_STMT);
}

/* --------------------------------------------------------------- blocks -- */

/* Ends the marker's block where words are reserved; returns their end. */
static tree
reserve(cursor *c, HOST_WIDE_INT bytes)
{
	tree next, other, over, end;
	gimple_seq seq = NULL;
	basic_block before;
	cursor side;
	gphi *phi;

	next = code_load(&seq, thread_ref(0), c->where);
	next = code_add(&seq,
			gimple_build_assign(make_ssa_name(code_cell_pointer()),
					    POINTER_PLUS_EXPR, next,
					    size_int(bytes)),
			c->where);
	over = code_add(&seq,
			gimple_build_assign(make_ssa_name(boolean_type_node),
					    GT_EXPR, next,
					    code_load(&seq, thread_ref(1),
						      c->where)),
			c->where);
	code_append(c, seq);
	before = c->bb;
	side = code_side(c, over);
	other = make_ssa_name(code_cell_pointer());
	target_room(&side, bytes / 8, other);
	end = make_ssa_name(code_cell_pointer());
	phi = create_phi_node(end, c->bb);
	add_phi_arg(phi, next, find_edge(before, c->bb), c->where);
	add_phi_arg(phi, other, single_succ_edge(side.bb), c->where);
	return end;
}

static void
write_head(cursor *c, const events_block *b, tree end, HOST_WIDE_INT bytes)
{
	unsigned HOST_WIDE_INT rest =
		events_head(MEMMON_EVENT_BLOCK, 0, b->words.size(), false,
			    false) >>
		32;
	tree type = uint32_type_node, number;
	gimple_seq seq = NULL;

	code_add(&seq, gimple_build_assign(thread_ref(0), end), c->where);
	number = code_load(&seq, events_first(), c->where);
	number = code_binary(&seq, PLUS_EXPR, number,
			     build_int_cst(type, events_block_number(b)),
			     c->where);
	code_add(&seq, gimple_build_assign(ref_at(type, end, -bytes), number),
		 c->where);
	code_add(&seq,
		 gimple_build_assign(ref_at(type, end, 4 - bytes),
				     build_int_cst(type, rest)),
		 c->where);
	code_append(c, seq);
}

void
events_emit(events_block *b)
{
	HOST_WIDE_INT bytes = 8 * (1 + (HOST_WIDE_INT)b->words.size());
	cursor c = code_before(b->marker);
	gimple_stmt_iterator gsi;
	tree end = reserve(&c, bytes);

	write_head(&c, b, end, bytes);
	for (size_t i = 0; i < b->words.size(); i++)
		write_word(b->words[i], end,
			   8 * (1 + (HOST_WIDE_INT)i) - bytes);
	gsi = gsi_for_stmt(b->marker);
	gsi_remove(&gsi, true);
	delete b;
}

/* The block's word that has this address, maybe at a distance (*delta). */
static unsigned
find_word(const events_block *b, const deref *at, int32_t *delta)
{
	for (size_t i = 0; i < b->words.size(); i++) {
		const events_word &w = b->words[i];
		HOST_WIDE_INT off;

		if (w.source != FROM_ACCESS || !group_same_root(&w.at, at))
			continue;
		off = at->off - w.at.off;
		if (off != (int32_t)off)
			continue;
		*delta = (int32_t)off;
		return i;
	}
	return b->words.size();
}

static events_block *
open_block(events_function *f, gimple *where, bool behind)
{
	events_block *b = new events_block();
	gimple_stmt_iterator gsi = gsi_for_stmt(where);

	b->behind = behind ? where : NULL;
	b->marker = gimple_build_nop();
	gimple_set_location(b->marker, gimple_location(where));
	if (behind)
		gsi_insert_after(&gsi, b->marker, GSI_SAME_STMT);
	else
		gsi_insert_before(&gsi, b->marker, GSI_SAME_STMT);
	f->blocks.push_back(b);
	return b;
}

/* Adds an event at a statement to the open block, or to a new one. */
void
events_add(events_function *f, events_block **open, const events_draft &d,
	   gimple *where, bool behind)
{
	events_step step = { events_head(d.kind, d.place, d.size,
					 d.source != FROM_NOTHING,
					 d.value != NULL),
			     0, 0, 0 };
	events_block *b = *open;

	if (b == NULL || b->words.size() >= WORDS_MAX ||
	    b->steps.size() >= STEPS_MAX)
		b = *open = open_block(f, where, behind);
	if (behind && where == b->behind)
		where = b->marker;
	if (d.source != FROM_NOTHING) {
		unsigned i = b->words.size();

		if (d.source == FROM_ACCESS)
			i = find_word(b, &d.at, &step.delta);
		step.address = i;
		if (d.source == FROM_ACCESS &&
		    events_fixed(&d.at, &step.delta)) {
			step.address = MEMMON_STEP_FIXED;
		} else if (i == b->words.size()) {
			b->words.push_back(
				{ d.source, d.at, d.pointer, where, behind });
			b->words.back().at.stmt = where;
		}
	}
	if (d.value) {
		step.value = b->words.size();
		b->words.push_back({ FROM_VALUE, deref(), d.value, where,
				     behind || d.late_value });
	}
	b->steps.push_back(step);
}
