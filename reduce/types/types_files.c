/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that types are declared in. */
#include <dwarf.h>
#include <stdint.h>
#include <string.h>

#include "reduce/types/types_files.h"
#include "reduce/dies/dies.h"
#include "reduce/types/types_name.h"

/* Take "x/../" and "./" out of an absolute path.  "" when it's too long. */
static void
normalize(const char *path, char *out)
{
	size_t n = 0;

	while (*path) {
		size_t length = strcspn(path, "/");

		if (n + length + 2 > DIES_PATH) {
			n = 0;
			break;
		}
		if (length == 2 && !memcmp(path, "..", 2)) {
			while (n && out[--n] != '/')
				;
		} else if (length && (length != 1 || *path != '.')) {
			out[n++] = '/';
			memcpy(out + n, path, length);
			n += length;
		}
		path += length + (path[length] == '/');
	}
	out[n] = '\0';
}

static enum types_place
place_of_file(struct types_files *f, const Dwarf_Attribute *a)
{
	char path[DIES_PATH], plain[DIES_PATH];

	if (!dies_file(a, &f->where, path))
		return TYPES_HEADER;
	normalize(path, plain);
	if (f->own[0] && strcmp(plain, f->own) == 0)
		return TYPES_OWN;
	return types_name_is_system_path(plain) ? TYPES_SYSTEM : TYPES_HEADER;
}

enum types_place
types_files_place(struct types_files *f, Dwarf_Die *die)
{
	Dwarf_Attribute a;
	Dwarf_Word file;
	size_t i;

	if (!dwarf_attr_integrate(die, DW_AT_decl_file, &a) ||
	    dwarf_formudata(&a, &file) != 0 || file > UINT16_MAX)
		return TYPES_HEADER;
	i = file % TYPES_FILES;
	if (f->v[i].cu != a.cu || f->v[i].file != file) {
		f->v[i].cu = a.cu;
		f->v[i].file = (unsigned)file;
		f->v[i].place = place_of_file(f, &a);
	}
	return f->v[i].place;
}

void
types_files_start(struct types_files *f, Dwarf_Die *die, const Dwarf_Die *where)
{
	const char *name = dwarf_diename(die);
	char path[DIES_PATH];

	f->where = *where;
	memset(f->v, 0, sizeof f->v);
	if (!name)
		name = dwarf_diename(&f->where);
	f->own[0] = '\0';
	if (name && dies_path(name, &f->where, path))
		normalize(path, f->own);
}
