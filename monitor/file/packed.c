/* SPDX-License-Identifier: MIT */
/* Packs the payloads of records. */
#include "monitor/file/packed.h"

#include <string.h>

#include "monitor/base/arena.h"
#include "monitor/base/emit.h"
#include "monitor/monout.h"
#include "monitor/zip/zip.h"

/* Packing shorter payloads isn't worth the memory. */
#define LEAST 4096u

/* A signal stack may be small. */
#define STACK 65536u

static struct packer {
	const uint8_t *from;
	size_t n, packed;
	uint8_t record[MMI_EMIT_HEAD + MONOUT_PAYLOAD_MAX];
	uint8_t stack[STACK] __attribute__((aligned(64)));
	uint8_t zip[] __attribute__((aligned(64)));
} * packer; /* NULL: none yet, or no memory */

static size_t
packer_size(void)
{
	return sizeof(struct packer) + mmi_zip_room(MONOUT_PAYLOAD_MAX);
}

/* Runs on the packer's stack. */
static void
pack(void *arg)
{
	struct packer *p = arg;
	const size_t head = sizeof(uint32_t);

	p->packed = mmi_zip(p->zip, MONOUT_PAYLOAD_MAX,
			    p->record + MMI_EMIT_HEAD + head, p->n - head - 1,
			    p->from, p->n);
}

uint8_t *
mmi_packed(uint32_t tag, const uint8_t *payload, uint32_t *n)
{
	if (*n < LEAST || tag == MONOUT_RUN || tag == MONOUT_TOTALS)
		return NULL;
	if (!packer)
		packer = mmi_arena_map(packer_size());
	if (!packer)
		return NULL;
	packer->from = payload;
	packer->n = *n;
	arch_on_stack(packer->stack + STACK, pack, packer);
	if (!packer->packed)
		return NULL;
	memcpy(packer->record + MMI_EMIT_HEAD, &tag, sizeof(tag));
	*n = (uint32_t)(packer->packed + sizeof(tag));
	return packer->record + MMI_EMIT_HEAD;
}

void
mmi_packed_end(void)
{
	MMI_ARENA_DROP(packer, packer_size());
}
