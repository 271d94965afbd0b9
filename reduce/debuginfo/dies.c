/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Attributes of debugging information entries. */
#include <dwarf.h>
#include <stdint.h>
#include <string.h>

#include "reduce/debuginfo/dies.h"

#define DIMENSIONS 16 /* more of them: no size */

unsigned
dies_number(const Dwarf_Attribute *a)
{
	Dwarf_Attribute at;
	Dwarf_Word n;

	if (!a)
		return 0;
	at = *a;
	return dwarf_formudata(&at, &n) == 0 && n <= INT32_MAX ? (unsigned)n
							       : 0;
}

bool
dies_path(const char *name, const Dwarf_Die *unit, char *path)
{
	Dwarf_Die at = *unit;
	const char *dir = NULL;
	Dwarf_Attribute a;
	size_t d, n = strlen(name);

	path[0] = '\0';
	if (!n || strcmp(name, "???") == 0)
		return false;
	if (name[0] != '/' && dwarf_attr(&at, DW_AT_comp_dir, &a))
		dir = dwarf_formstring(&a);
	d = dir ? strlen(dir) : 0;
	if (d + n + 2 > DIES_PATH)
		return false;
	if (d) {
		memcpy(path, dir, d);
		path[d++] = '/';
	}
	memcpy(path + d, name, n + 1);
	return true;
}

bool
dies_file(const Dwarf_Attribute *a, const Dwarf_Die *unit, char *path)
{
	unsigned i = dies_number(a);
	const char *name = NULL;
	Dwarf_Files *files;
	Dwarf_Half version;
	Dwarf_Die cu;
	size_t n;

	path[0] = '\0';
	/* File 0 is one only since DWARF 5. */
	if (a &&
	    dwarf_cu_die(a->cu, &cu, &version, NULL, NULL, NULL, NULL, NULL) &&
	    (i || version >= 5) && dwarf_getsrcfiles(&cu, &files, &n) == 0)
		name = dwarf_filesrc(files, i, NULL, NULL);
	return name && dies_path(name, unit ? unit : &cu, path);
}

bool
dies_scoped(const Dwarf_Die *unit)
{
	Dwarf_Die at = *unit;

	switch (dwarf_srclang(&at)) {
	case -1:
	case DW_LANG_C:
	case DW_LANG_C89:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_Mips_Assembler:
		return false;
	default:
		return true;
	}
}

uint64_t
dies_array_count(Dwarf_Die *array)
{
	Dwarf_Die sub, next;
	Dwarf_Attribute a;
	Dwarf_Word n;
	uint64_t count = 1;
	int i;

	if (dwarf_child(array, &sub) != 0)
		return 0;
	for (i = 0; i < DIMENSIONS; i++) {
		bool last = dwarf_attr(&sub, DW_AT_upper_bound, &a);

		if (dwarf_tag(&sub) != DW_TAG_subrange_type ||
		    (!last && !dwarf_attr(&sub, DW_AT_count, &a)) ||
		    dwarf_formudata(&a, &n) != 0 ||
		    __builtin_mul_overflow(count, n + last, &count))
			return 0;
		if (dwarf_siblingof(&sub, &next) != 0)
			return count;
		sub = next;
	}
	return 0;
}
