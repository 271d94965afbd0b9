/* SPDX-License-Identifier: MIT */
/* Generated code: its modules and names. */
#include "monitor/file/codes_put.h"

#include <string.h>

#include "monitor/base/process.h"
#include "monitor/base/put.h"
#include "monitor/chain/generated.h"
#include "monitor/chain/modules.h"
#include "monitor/file/names_put.h"

/* A module for each age: "[generated code of PID]", "[... PID, 2]". */
static char path[64];
static unsigned ages, first;

static size_t
path_make(unsigned age)
{
	static const char before[] = "[generated code of ";
	char *p = path + sizeof(before) - 1;

	memcpy(path, before, sizeof(before));
	p = mmi_process_decimal(p, (uint64_t)mmi_process.pid);
	if (age) {
		memcpy(p, ", ", 2);
		p = mmi_process_decimal(p + 2, age + 1);
	}
	*p++ = ']';
	return (size_t)(p - path);
}

unsigned
mmi_codes_put_modules(struct mmi_emit *o, unsigned others)
{
	struct mmi_generated *c;

	mmi_generated_look();
	first = others;
	ages = 0;
	for (uint32_t i = 0; (c = mmi_generated_at(i)); i++) {
		c->put = 0;
		if (!c->named && c->age >= ages)
			ages = c->age + 1u;
	}
	for (unsigned age = 0; age < ages; age++)
		mmi_put_module(o, &(struct monrec_module){
					  .path = path,
					  .pathlen = path_make(age),
					  .id = "" });
	return first + ages;
}

void
mmi_codes_in_module(uint64_t key)
{
	struct mmi_generated *c = NULL;

	if (LOAD(&mmi_generated_nnamed))
		c = mmi_generated_named(MMI_KEY_ADDR(key) - 1);
	if (c)
		c->put = 1;
}

int
mmi_codes_module_of(uint64_t key)
{
	struct mmi_generated *c = ages ? mmi_generated_of(key) : NULL;

	if (!c || c->age >= ages)
		return -1;
	c->put = 1;
	return (int)(first + c->age);
}

bool
mmi_codes_after(unsigned i)
{
	return i < first;
}

/*
 * Generated code with a name, in a module.  The size is written only if
 * mpreduce can't read it from the module: the file is gone or the library was
 * unloaded, as is usual for files that run-time compilers write.
 */
static void
put_named(struct mmi_emit *o, const struct mmi_generated *c)
{
	const struct mmi_module *m;
	const char *of;

	for (unsigned i = first; i-- > 0;) {
		m = mmi_modules_at(i);
		if (!m || c->start - m->start >= m->end - m->start)
			continue;
		of = mmi_names_path(i, m);
		mmi_put_code(o,
			     &(struct monrec_code){
				     .name = c->name,
				     .namelen = c->length,
				     .module = of,
				     .modulelen = strlen(of),
				     .start = c->start - m->bias,
				     .size = mmi_names_gone(i) || LOAD(&m->gone)
						     ? c->size
						     : 0 });
		return;
	}
}

void
mmi_codes_put(struct mmi_emit *o)
{
	const struct mmi_generated *c;

	for (uint32_t i = 0; (c = mmi_generated_at(i)); i++)
		if (c->put && c->named)
			put_named(o, c);
		else if (c->put)
			mmi_put_code(o, &(struct monrec_code){
						.name = c->name,
						.namelen = c->length,
						.module = path,
						.modulelen = path_make(c->age),
						.start = c->start,
						.size = c->size });
	mmi_names_put(o);
}
