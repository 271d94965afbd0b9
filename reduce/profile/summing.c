/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of data files, as files: by one process, or by several together. */
#include "reduce/base/err.h"
#include "reduce/estimate/recount.h"
#include "reduce/estimate/sample.h"
#include "reduce/monout/load.h"
#include "reduce/monout/merge.h"
#include "reduce/monout/sum.h"
#include "reduce/model/stages.h"
#include "reduce/model/warn.h"
#include "reduce/profile/files.h"
#include "reduce/profile/profile.h"

#include <stdlib.h>
#include <string.h>

struct summing {
	struct profile p; /* for warnings */
	struct merge g;
	struct files_sum sum;
	const char *exe;
};

/*
 * The head of the bytes.  The warnings, each ended by NUL, and the file follow.
 */
struct summing_head {
	uint64_t files; /* in the sum; 0: no file follows */
	uint64_t runs, unread, others;
	uint64_t warnings; /* bytes of the warnings */
};

struct summing *
summing_new(const struct profile_options *o, size_t part, size_t parts,
	    struct err *e)
{
	struct summing *s = heap_array(1, sizeof(*s));

	s->p.priv = heap_array(1, sizeof(*s->p.priv));
	s->p.listed = true;
	s->g.tau = o->tau;
	s->exe = o->exe;
	s->sum = (struct files_sum){ .part = part, .parts = parts };
	if (!files_read(&s->p, &s->g, o, &s->sum, NULL, e))
		return s;
	summing_free(s);
	return NULL;
}

void
summing_free(struct summing *s)
{
	if (!s)
		return;
	profile_fini(&s->p);
	merge_fini(&s->g);
	free(s);
}

unsigned char *
summing_bytes(const struct summing *s, size_t *n)
{
	const struct profile *p = &s->p;
	struct summing_head h = { s->g.nfiles, p->nruns, p->nunread,
				  s->sum.others, 0 };
	struct emit e = { 0 };
	size_t i;

	for (i = 0; i < p->nwarnings; i++)
		h.warnings += strlen(p->warnings[i]) + 1;
	emit_bytes(&e, &h, sizeof(h));
	for (i = 0; i < p->nwarnings; i++)
		emit_bytes(&e, p->warnings[i], strlen(p->warnings[i]) + 1);
	*n = e.length;
	if (h.files && !e.failed) {
		struct emit file = { 0 };

		sum_content(&file, &s->g.all);
		emit_bytes(&e, file.data, file.length);
		e.failed |= file.failed;
		emit_fini(&file);
		*n = e.length;
	}
	if (!e.failed)
		return e.data;
	emit_fini(&e);
	return NULL;
}

/* Add a part's file.  The part has already made the warnings. */
static int
summing_merge(struct summing *s, const unsigned char *data, size_t n,
	      struct err *e)
{
	struct mon m;
	int status;

	if (load_memory(&m, "a part of the sum", data, n, e))
		return -1;
	sample_scale(&m);
	recount_running(&m);
	status = merge_add(&s->g, &m, e);
	mon_fini(&m);
	return status;
}

int
summing_add(struct summing *s, const unsigned char *bytes, size_t n,
	    struct err *e)
{
	struct profile *p = &s->p;
	struct summing_head h;
	const char *w;
	size_t i;

	if (n < sizeof(h))
		return err_set(e, "a part of the sum is truncated");
	memcpy(&h, bytes, sizeof(h));
	n -= sizeof(h);
	w = (const char *)bytes + sizeof(h);
	if (h.warnings > n || (h.warnings && w[h.warnings - 1]))
		return err_set(e, "a part of the sum is truncated");
	for (i = 0; i < h.warnings; i += strlen(w + i) + 1)
		profile_warn(p, NULL, "%s", w + i);
	p->nruns += h.runs;
	p->nunread += h.unread;
	s->sum.others += h.others;
	if (h.files)
		return summing_merge(s, bytes + sizeof(h) + h.warnings,
				     n - h.warnings, e);
	s->g.all.total[MONOUT_T_UNREAD] += h.unread;
	s->g.all.total_set[MONOUT_T_UNREAD] |= h.unread > 0;
	return 0;
}

int
summing_write(struct summing *s, struct profile *p, const char *path,
	      struct err *e)
{
	int status = 0;

	if (!s->g.nfiles)
		status = err_set(e, "none of the %zu data files can be read",
				 s->p.nruns);
	if (!status && s->sum.parts)
		files_warn_others(&s->p, s->exe, s->sum.others);
	if (!status)
		merge_order(&s->g);
	if (!status)
		status = sum_write(&s->g, path, e);
	if (status)
		return -1;
	s->p.incomplete = s->g.all.incomplete;
	*p = s->p;
	s->p = (struct profile){ 0 };
	return 0;
}

int
profile_sum(struct profile *p, const struct profile_options *o,
	    const char *path, struct err *e)
{
	struct summing *s = summing_new(o, 0, 0, e);
	int status = s ? summing_write(s, p, path, e) : -1;

	summing_free(s);
	return status;
}
