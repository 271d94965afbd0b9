/* SPDX-License-Identifier: MIT */
/*
 * The format of mon.out.log, a file beside mon.out with a record for each block
 * (memmon --log).  mon.out(5) also describes it.  Integers of fixed width are
 * little-endian; varints and zigzags are as in monout.h.
 *
 *	header (64 bytes), zeros up to MONLOG_FIRST
 *	segment*	each of header.segment bytes, the last may be shorter
 *
 * A segment is a sequence of chunks.  Each chunk begins at a multiple of
 * MONLOG_ALIGN, with a struct monlog_chunk.  The first chunk is of kind
 * MONLOG_SEGMENT.  Segments are numbered in the order in which they were begun;
 * when the log has the most segments that it may have, a new segment replaces
 * the oldest, and the blocks of the old one are no longer in the log: they were
 * folded.  After a segment's last chunk there may be any bytes.
 *
 * The payload of a chunk of blocks is columns; each column has a number for
 * each block:
 *
 *	varint node		of NODES in mon.out
 *	varint size		bytes
 *	zigzag address		minus that of the block before; for the first
 *				block minus 0
 *	zigzag end		ns: when it was freed, minus that of the block
 *				before; for live blocks: when it was made
 *	varint life		ns; for live blocks 0
 *	varint owner		who allocated it: a number of OWNERS; 0: unknown
 *	varint other		who freed it, if another thread did; else 0
 *	varint flags		MONLOG_B_*
 *
 * and with MONLOG_F_ACCESS, only for blocks with MONLOG_B_USED: varint reads,
 * varint writes, varint first access (ns after it was made), varint last access
 * (ns after the first); with MONLOG_F_PLACES also varint low (bytes before the
 * first granule that was accessed), varint span (bytes from there to the end of
 * the last one; 0: none).
 */
#ifndef MEMMON_MONLOG_H
#define MEMMON_MONLOG_H

#include <stddef.h>
#include <stdint.h>

#define MONLOG_MAGIC "\211monlog\n"
#define MONLOG_VERSION 1u
#define MONLOG_ORDER 0x01020304u
#define MONLOG_FIRST 4096u
#define MONLOG_ALIGN 64u

/* Most blocks in a chunk; most bytes of its payload before it is packed. */
#define MONLOG_BLOCKS_MAX 2048u
#define MONLOG_PLAIN_MAX 262144u

#define MONLOG_SEGMENTS_MAX 1024u
#define MONLOG_SEGMENT_MIN (MONLOG_PLAIN_MAX + 65536u)
#define MONLOG_SEGMENT_MAX (1u << 29)

#define MONLOG_F_ACCESS 1u /* accesses were recorded */
#define MONLOG_F_PLACES 2u /* and where in the blocks */

struct monlog_header {
	char magic[8];
	uint32_t version;
	uint32_t order;
	uint64_t id; /* random; MONOUT_R_LOG_ID of the data file */
	uint64_t pid;
	uint64_t start;	   /* ns since 1970, as in mon.out */
	uint32_t segment;  /* bytes of a segment, a multiple of MONLOG_ALIGN */
	uint32_t segments; /* most segments */
	uint32_t flags;
	uint32_t unused[2];
	uint32_t crc; /* CRC-32 of the bytes before it */
};
_Static_assert(sizeof(struct monlog_header) == 64, "on disk");

#define MONLOG_CHUNK 0x4b4e4843u /* "CHNK" */

enum monlog_kind {
	MONLOG_SEGMENT = 1, /* blocks, high: folded before it was begun */
	MONLOG_FREED,	    /* blocks that were freed, or resized */
	MONLOG_LIVE,	    /* blocks that were live when mon.out was written */
	/*
	 * For each owner, from number `blocks' on: varint item of THREADS, plus
	 * 1; 0: unknown.
	 */
	MONLOG_OWNERS
};

struct monlog_chunk {
	uint32_t magic;
	uint32_t kind;
	uint64_t id;	 /* the header's */
	uint32_t number; /* of the segment, from 0 */
	uint32_t at;	 /* where it begins in the segment, / MONLOG_ALIGN */
	uint32_t dump;	 /* LIVE and OWNERS: MONOUT_R_LOG_DUMP; else 0 */
	uint32_t count;	 /* blocks, or owners */
	uint32_t plain;	 /* bytes of payload */
	/* Bytes stored here: a frame of zstd; or equal to plain. */
	uint32_t packed;
	/* SEGMENT: blocks folded so far; OWNERS: number of the first owner */
	uint64_t blocks;
	/* ns after start: the last end; SEGMENT: of the folded blocks */
	uint64_t high;
	uint32_t unused;
	uint32_t crc; /* CRC-32 of the bytes before it, and of the payload */
};
_Static_assert(sizeof(struct monlog_chunk) == 64, "on disk");

/* Flags of a block. */
#define MONLOG_B_RESIZED 1u /* realloc resized it, and made the next block */
#define MONLOG_B_USED 2u    /* its accesses are known */
#define MONLOG_B_EARLY 4u   /* when it was made is unknown */
#define MONLOG_B_SHARED 8u  /* several threads accessed it */

#endif
