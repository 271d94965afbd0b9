/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pointers in an object of a type: their offsets, and the types that they
 * point to.
 */
#include <map>
#include <vector>

#include "monitor/plugin/gcc.h"
#include "monitor/plugin/plugin.h"

#define ELEMENTS_MAX 64 /* followed in an array of a struct */
#define POINTERS_MAX 4096 /* of a type */

struct pointer_in {
	unsigned HOST_WIDE_INT offset;
	int to; /* index in pointees; -1: no further */
};
struct pointee {
	unsigned HOST_WIDE_INT size;
	std::vector<pointer_in> pointers;
};
static std::vector<pointee> pointees;
/* By TYPE_UID, and UINT_MAX for words: the index, or -1: no pointers to
 * follow. */
static std::map<unsigned, int> place_of;
/* By TYPE_UID, of structs and unions: do they contain pointers? */
static std::map<unsigned, bool> holding;

/* Is it a pointer to data? */
bool
pointee_follows(tree type)
{
	return POINTER_TYPE_P(type) &&
	       TREE_CODE(TREE_TYPE(type)) != FUNCTION_TYPE &&
	       TREE_CODE(TREE_TYPE(type)) != METHOD_TYPE;
}

bool
pointee_field(tree field)
{
	return TREE_CODE(field) == FIELD_DECL && !DECL_VIRTUAL_P(field) &&
	       !DECL_BIT_FIELD(field) && DECL_FIELD_OFFSET(field) &&
	       tree_fits_uhwi_p(DECL_FIELD_OFFSET(field));
}

/* Does an object of the type contain pointers to data? */
bool
pointee_holds(tree type)
{
	unsigned uid = TYPE_UID(TYPE_MAIN_VARIANT(type));
	bool holds = false;

	if (TREE_CODE(type) == ARRAY_TYPE)
		return pointee_holds(TREE_TYPE(type));
	if (!RECORD_OR_UNION_TYPE_P(type))
		return pointee_follows(type);
	auto known = holding.find(uid);
	if (known != holding.end())
		return known->second;
	for (tree f = TYPE_FIELDS(type); f && !holds; f = DECL_CHAIN(f))
		holds = pointee_field(f) && pointee_holds(TREE_TYPE(f));
	return holding[uid] = holds;
}

/* How many elements of the array are followed: 0 if it has no constant size. */
unsigned
pointee_elements(tree array)
{
	tree size = TYPE_SIZE_UNIT(TREE_TYPE(array));
	tree all = TYPE_SIZE_UNIT(array);
	unsigned HOST_WIDE_INT n;

	if (!size || !all || !tree_fits_uhwi_p(size) ||
	    !tree_fits_uhwi_p(all) || integer_zerop(size))
		return 0;
	n = tree_to_uhwi(all) / tree_to_uhwi(size);
	return n < ELEMENTS_MAX ? (unsigned)n : ELEMENTS_MAX;
}

/*
 * Adds the pointers in an object of `type' at `offset' to the pointee.  Types
 * without pointers are skipped: bases and unions may be nested in more ways
 * than a compiler can follow.
 */
static void
add_pointers(int place, tree type, unsigned HOST_WIDE_INT offset)
{
	if (!pointee_holds(type) ||
	    pointees[place].pointers.size() >= POINTERS_MAX)
		return;
	if (pointee_follows(type)) {
		int to = pointee_of_type(TREE_TYPE(type));

		pointees[place].pointers.push_back({ offset, to });
	} else if (RECORD_OR_UNION_TYPE_P(type)) {
		for (tree f = TYPE_FIELDS(type); f; f = DECL_CHAIN(f))
			if (pointee_field(f))
				add_pointers(place, TREE_TYPE(f),
					     offset + int_byte_position(f));
	} else if (TREE_CODE(type) == ARRAY_TYPE) {
		unsigned n = pointee_elements(type);

		for (unsigned i = 0; i < n; i++)
			add_pointers(place, TREE_TYPE(type),
				     offset + i * tree_to_uhwi(TYPE_SIZE_UNIT(
							  TREE_TYPE(type))));
	}
}

/* Is it a FILE? Its contents belong to libc. */
static bool
is_file(tree type)
{
	tree name = TYPE_NAME(type);

	if (name && TREE_CODE(name) == TYPE_DECL)
		name = DECL_NAME(name);
	return RECORD_OR_UNION_TYPE_P(type) && name &&
	       !strcmp(IDENTIFIER_POINTER(name), "_IO_FILE");
}

/* The index of the type's pointee, or -1: no pointers to follow. */
int
pointee_of_type(tree type)
{
	tree size;
	int place = (int)pointees.size();

	type = TYPE_MAIN_VARIANT(type);
	if (!COMPLETE_TYPE_P(type) || is_file(type) ||
	    (!RECORD_OR_UNION_TYPE_P(type) && TREE_CODE(type) != ARRAY_TYPE &&
	     !pointee_follows(type)))
		return -1;
	size = TYPE_SIZE_UNIT(type);
	if (!size || !tree_fits_uhwi_p(size) || integer_zerop(size))
		return -1;
	auto known = place_of.find(TYPE_UID(type));
	if (known != place_of.end())
		return known->second;
	/* Set before its pointers are added: they may lead back. */
	place_of[TYPE_UID(type)] = place;
	pointees.push_back({ tree_to_uhwi(size), {} });
	add_pointers(place, type, 0);
	return place;
}

/* Does the pointee contain pointers to follow? */
bool
pointee_leads_on(int place)
{
	return place >= 0 && !pointees[place].pointers.empty();
}

unsigned HOST_WIDE_INT
pointee_size(int place)
{
	return pointees[place].size;
}

/* A pointee of words that may be pointers, to memory that leads no further. */
int
pointee_words(void)
{
	int place = (int)pointees.size();

	if (place_of.count(UINT_MAX))
		return place_of[UINT_MAX];
	place_of[UINT_MAX] = place;
	pointees.push_back({ UNITS_PER_WORD, { { 0, -1 } } });
	return place;
}

void
pointee_finish_unit(FILE *f)
{
	if (!pointees.empty())
		fputs("\t.section\t.data.rel.ro.local,\"aw\"\n\t.balign 8\n",
		      f);
	for (unsigned i = 0; i < pointees.size(); i++) {
		const pointee &p = pointees[i];

		fprintf(f, ".LMEMMON_P%u:\n\t.quad\t%lu, %lu\n", i,
			(unsigned long)p.size,
			(unsigned long)p.pointers.size());
		for (const pointer_in &q : p.pointers)
			if (pointee_leads_on(q.to))
				fprintf(f, "\t.quad\t%lu, .LMEMMON_P%d\n",
					(unsigned long)q.offset, q.to);
			else
				fprintf(f, "\t.quad\t%lu, 0\n",
					(unsigned long)q.offset);
	}
	pointees.clear();
	place_of.clear();
	holding.clear();
}
