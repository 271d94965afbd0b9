/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The code of an event, as in monitor/access/inline.h:
 *
 *	if (address >= state->limit)
 *		go on behind all events of the group
 *	index = address >> 4 & cells[-1]
 *	if (upper half of cells[index] != that of state->now) {
 *		if (it is that of state->skip)	(out of line)
 *			go on behind all events of the group
 *		touch(&cells[index])
 *	}
 *	cells[index] += add
 *
 * If blocks are sampled, the program skips most of them by the limit and writes
 * nothing.  Events that the group covers elsewhere then count in the word of
 * address 0.  A program that was compiled for samples has all of this code out
 * of line, and its groups cover no events elsewhere.
 *
 * Among places whose distance to one root differs by a multiple of 16 bytes,
 * only the first has an index of its own, if it is in reach.  `now' is read
 * again from time to time (state.cc), because another thread changes it.
 */
#include "monitor/plugin/gcc.h"
#include "monitor/plugin/plugin.h"

#define MASK_OFFSET -8 /* offset from the words */
#define SKIP_OFFSET 16 /* offsets in the thread's state */
#define LIMIT_OFFSET 32

/* Rare enough for gcc to move the code out of line. */
static profile_probability
slightly(void)
{
	return profile_probability::from_reg_br_prob_base(REG_BR_PROB_BASE /
							  50);
}

/* touch() on CPUs without a shorter way: an ordinary call. */
static void
call_touch(cursor *c, tree cell)
{
	gimple_seq seq = NULL;
	gimple *call;

	if (shared[SHARED_TOUCH] == NULL)
		shared[SHARED_TOUCH] =
			code_function("__memmon_touch",
				      build_function_type_list(
					      void_type_node,
					      code_cell_pointer(), NULL_TREE));
	call = gimple_build_call(shared[SHARED_TOUCH], 1, cell);
	gimple_set_location(call, c->where);
	gimple_seq_add_stmt(&seq, call);
	code_append(c, seq);
}

/* Where a group's code goes, and what is known at this point. */
struct emission {
	cursor c;
	const group *g;
	tree index[GRANULE]; /* as in the group */
	bool own[GRANULE];   /* the index was found for this group */
	std::vector<edge> *skips; /* edges that skip the rest of the group */
	std::vector<std::pair<tree, tree>> zeroed; /* see or_zero() */

	emission(const cursor &at, const group *of, std::vector<edge> *to)
	    : c(at), g(of), index(), own(), skips(to)
	{
		for (const group *b = of->before; b; b = b->before)
			for (unsigned i = 0; i < GRANULE; i++)
				if (index[i] == NULL)
					index[i] = b->index[i];
	}
};

/* The word of an address. */
static word_place
word_of(gimple_seq *seq, const group *g, tree address, location_t where)
{
	tree mask, index;

	index = code_binary(seq, RSHIFT_EXPR, address,
			    build_int_cst(integer_type_node,
					  MEMMON_GRANULE_SHIFT),
			    where);
	mask = code_load(seq,
			 code_part(code_cell_type(), g->cells, MASK_OFFSET),
			 where);
	index = code_binary(seq, BIT_AND_EXPR, index,
			    code_convert(seq, sizetype, mask, where), where);
	return { index, 0 };
}

/* The word that an event of one granule counts in. */
static word_place
word_of_event(gimple_seq *seq, emission *m, const event &e)
{
	const deref *a = &m->g->first;
	HOST_WIDE_INT rest = e.from & (GRANULE - 1);
	HOST_WIDE_INT words = (e.from - rest) / GRANULE;
	location_t where = m->c.where;

	if (e.kind != EVENT_ONE || !IN_RANGE(words, 0, MEMMON_BESIDE))
		return word_of(seq, m->g, code_address(a, e.off - a->off, seq),
			       where);
	if (m->index[rest] == NULL) {
		m->own[rest] = true;
		m->index[rest] =
			word_of(seq, m->g, code_address(a, rest - a->off, seq),
				where)
				.index;
	}
	return { m->index[rest], words };
}

/* Adds to a word without a check. */
static void
add_to(gimple_seq *seq, tree cells, const word_place &word, const event &e,
       tree times, location_t where)
{
	unsigned HOST_WIDE_INT add =
		(unsigned HOST_WIDE_INT)e.reads * MEMMON_READ +
		(unsigned HOST_WIDE_INT)e.writes * MEMMON_WRITE;
	tree x = code_load(seq, code_cell(code_cell_type(), cells, word, 0),
			   where);
	tree sum;

	sum = build_int_cst(code_cell_type(), add);
	if (times)
		sum = code_binary(seq, MULT_EXPR, times, sum, where);
	x = code_binary(seq, PLUS_EXPR, x, sum, where);
	code_add(seq,
		 gimple_build_assign(code_cell(code_cell_type(), cells, word,
					       0),
				     x),
		 where);
}

/*
 * Code for a word that doesn't fit.  It skips the group if the word belongs to a
 * skipped block, and calls touch() otherwise.  It loads the upper half again:
 * then the usual way compares it in memory, and needs no register for it.
 */
static void
emit_touch(emission *m, cursor side, const word_place &word)
{
	tree pointer = make_ssa_name(code_cell_pointer()), cells = m->g->cells;
	gimple_seq seq = NULL;
	basic_block bb = side.bb;
	tree skip = code_load(&seq,
			      code_part(code_half_type(), m->g->state,
					SKIP_OFFSET + UPPER),
			      side.where);
	tree ref = code_cell(code_half_type(), cells, word, UPPER), half, at;

	TREE_THIS_VOLATILE(ref) = 1;
	half = code_load(&seq, ref, side.where);
	code_append(&side, seq);
	side = code_branch(&side, half, skip, profile_probability::even());
	m->skips->push_back(EDGE_SUCC(bb, EDGE_SUCC(bb, 0)->dest == side.bb));
	seq = NULL;
	at = code_binary(&seq, MULT_EXPR, word.index, size_int(8), side.where);
	if (word.words)
		at = code_binary(&seq, PLUS_EXPR, at, size_int(8 * word.words),
				 side.where);
	code_add(&seq,
		 gimple_build_assign(pointer, POINTER_PLUS_EXPR, cells, at),
		 side.where);
	code_append(&side, seq);
	if (target_has_touch())
		target_touch(&side, pointer,
			     code_part(code_cell_type(), pointer, 0));
	else
		call_touch(&side, pointer);
}

/* Counts in a word, behind the code that finds it. */
static void
emit_one(emission *m, gimple_seq seq, const word_place &word, const event &e)
{
	cursor *c = &m->c;
	tree cells = m->g->cells, half;

	figures.events++;
	half = code_load(&seq, code_cell(code_half_type(), cells, word, UPPER),
			 c->where);
	code_append(c, seq);
	emit_touch(m,
		   code_branch(c, half, m->g->now,
			       profile_probability::very_unlikely()),
		   word);
	seq = NULL;
	add_to(&seq, cells, word, e, m->g->times, c->where);
	code_append(c, seq);
}

/* The same for the granule of the last byte, unless the first byte shares
 * it. */
static void
emit_other(emission *m, tree first, const event &e)
{
	cursor *c = &m->c;
	gimple_seq seq = NULL;
	tree last, x;
	word_place word;
	emission side = *m;

	last = code_binary(&seq, PLUS_EXPR, first, size_int(e.more - 1),
			   c->where);
	x = code_binary(&seq, BIT_XOR_EXPR, first, last, c->where);
	x = code_binary(&seq, RSHIFT_EXPR, x,
			build_int_cst(integer_type_node, MEMMON_GRANULE_SHIFT),
			c->where);
	code_append(c, seq);
	side.c = code_branch(c, x, NULL_TREE, slightly());
	seq = NULL;
	word = word_of(&seq, m->g, last, c->where);
	emit_one(&side, seq, word, e);
}

/* Adds an event whose granule needs no check. */
static void
add_covered(gimple_seq *seq, emission *m, const event &e)
{
	figures.covered++;
	if (covered_index(e))
		add_to(seq, e.covering->cells, e.cover->word, e, NULL_TREE,
		       m->c.where);
	else
		add_to(seq, m->g->cells, word_of_event(seq, m, e), e, NULL_TREE,
		       m->c.where);
}

static void
emit_event(emission *m, event *e)
{
	const deref *a = &m->g->first;
	gimple_seq seq = NULL;
	tree at;

	switch (e->kind) {
	case EVENT_RANGE:
		at = code_address(a, e->off - a->off, &seq);
		code_append(&m->c, seq);
		code_call_range(&m->c, at,
				e->more < 0 ? a->length : size_int(e->more),
				e->reads, e->writes);
		break;
	case EVENT_PAIR:
		at = code_address(a, e->off - a->off, &seq);
		e->word = word_of(&seq, m->g, at, m->c.where);
		emit_one(m, seq, e->word, *e);
		emit_other(m, at, *e);
		break;
	case EVENT_ONE:
		emit_one(m, NULL, e->word, *e);
		break;
	}
}

/* The value on the usual way; on the edges that skip the group, 0.  One for
 * each value. */
static tree
or_zero(emission *m, edge usual, tree value)
{
	for (const auto &known : m->zeroed)
		if (known.first == value)
			return known.second;

	gphi *phi = create_phi_node(make_ssa_name(TREE_TYPE(value)),
				    usual->dest);

	add_phi_arg(phi, value, usual, m->c.where);
	for (edge s : *m->skips)
		add_phi_arg(phi, size_zero_node, s, m->c.where);
	m->zeroed.push_back({ value, gimple_phi_result(phi) });
	return gimple_phi_result(phi);
}

/*
 * The edges that skip the rest of a group meet the usual way here.  Indexes that
 * later events use, and that only the usual way has found, are 0 on the others.
 */
static void
join(emission *m, std::vector<event> *events)
{
	basic_block bb;
	edge usual;

	if (m->skips->empty())
		return;
	bb = split_edge(m->c.out);
	usual = single_pred_edge(bb);
	for (edge e : *m->skips)
		redirect_edge_succ(e, bb);
	m->c.bb = bb;
	m->c.out = single_succ_edge(bb);
	if (m->g->test_align)
		return;
	for (event &e : *events)
		if (e.covers && !e.cover && e.kind == EVENT_ONE)
			e.word.index = or_zero(m, usual, e.word.index);
	for (unsigned i = 0; i < GRANULE; i++)
		if (m->index[i] && m->own[i])
			m->index[i] = or_zero(m, usual, m->index[i]);
}

/* Finds the words before anything is counted. */
static void
find_words(emission *m, std::vector<event> *events)
{
	gimple_seq seq = NULL;

	for (event &e : *events)
		if (!e.cover && e.kind == EVENT_ONE)
			e.word = word_of_event(&seq, m, e);
	code_append(&m->c, seq);
}

/*
 * Skips the group if its first access lies at the limit or above.  Not for a
 * range: the function that counts it knows the limit.
 */
static void
emit_limit(cursor *c, group *g, std::vector<edge> *skips)
{
	const deref *a = &g->first;
	gimple_seq seq = NULL;
	basic_block bb = c->bb;
	tree limit, at;

	for (const event &e : g->events) {
		if (e.cover)
			continue;
		if (e.kind == EVENT_RANGE)
			return;
		at = code_address(a, e.off - a->off, &seq);
		limit = code_load(&seq,
				  code_part(code_cell_type(), g->state,
					    LIMIT_OFFSET),
				  c->where);
		limit = code_convert(&seq, sizetype, limit, c->where);
		code_append(c, seq);
		*c = code_below(c, at, limit);
		skips->push_back(
			EDGE_SUCC(bb, EDGE_SUCC(bb, 0)->dest == c->bb));
		return;
	}
}

/* Loads behind the guard what state.cc leaves to be loaded there. */
static void
emit_loads(cursor *c, group *g)
{
	gimple_seq seq = NULL;

	if (g->cells)
		return;
	g->cells = code_cells(&seq, g->state);
	g->now = code_now(&seq, g->state, c->where);
	code_append(c, seq);
}

/*
 * Edges from `skips' go to where the events end, where the cursor is then.
 */
static void
emit_events(cursor *c, group *g, std::vector<event> *events,
	    std::vector<edge> skips)
{
	emission m(*c, g, &skips);

	find_words(&m, events);
	for (event &e : *events) {
		gimple_seq seq = NULL;

		if (e.cover) {
			add_covered(&seq, &m, e);
			code_append(&m.c, seq);
		} else {
			emit_event(&m, &e);
		}
	}
	join(&m, events);
	if (!g->test_align)
		memcpy(g->index, m.index, sizeof(g->index));
	*c = m.c;
}

/* Emits a group that needs no branch. */
static void
emit_all_covered(group *g)
{
	emission m({ NULL, NULL, gimple_location(g->first.stmt) }, g, NULL);
	gimple_seq seq = NULL;

	for (const event &e : g->events)
		add_covered(&seq, &m, e);
	code_insert(g->first.stmt, seq);
}

/* Emits a group's events, twice if its root's alignment is tested. */
void
event_group(group *g)
{
	gimple_seq seq = NULL;
	std::vector<edge> skips;
	cursor c, side;
	tree x;

	if (covered_all(g)) {
		emit_all_covered(g);
		return;
	}
	c = code_before(g->first.stmt);
	emit_limit(&c, g, &skips);
	emit_loads(&c, g);
	if (!g->test_align) {
		emit_events(&c, g, &g->events, skips);
		return;
	}
	figures.checks++;
	x = code_address(&g->first, -g->first.off, &seq);
	x = code_binary(&seq, BIT_AND_EXPR, x, size_int(GRANULE - 1), c.where);
	code_append(&c, seq);
	side = code_branch(&c, x, NULL_TREE, slightly());
	redirect_edge_succ(side.out, split_edge(c.out));
	c.out = single_succ_edge(c.bb);
	emit_events(&side, g, &g->events, {});
	emit_events(&c, g, &g->aligned, {});
	for (edge e : skips)
		redirect_edge_succ(e, c.out->dest);
}
