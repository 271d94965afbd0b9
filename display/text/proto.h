/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages of protocol buffers, and a stream of gzip to write them to.  What
 * doesn't fit in memory is noted and told at the end.
 */
#ifndef MEMMON_PROTO_H
#define MEMMON_PROTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Bytes of a message; all zero is an empty one. */
struct proto {
	unsigned char *v;
	size_t n, room;
	bool failed; /* out of memory: something is missing */
};

void proto_fini(struct proto *m);

/* A number, unless it is 0, which is what a missing one is. */
void proto_number(struct proto *m, unsigned field, uint64_t n);

/* A number, be it 0. */
void proto_given(struct proto *m, unsigned field, uint64_t n);

/* A number in eight bytes, unless it is 0. */
void proto_fixed(struct proto *m, unsigned field, uint64_t n);

/* An item of a packed array, which becomes a field by proto_message(). */
void proto_item(struct proto *m, uint64_t n);

/* A message or packed array: *part, which is empty afterwards. */
void proto_message(struct proto *m, unsigned field, struct proto *part);

/* A string, made fit by clean_text(). */
void proto_text(struct proto *m, unsigned field, const char *text);

struct gzip;

/* A stream that ends in out.  NULL: out of memory. */
struct gzip *gzip_open(FILE *out);

/* Write all of *m, which is empty afterwards. */
void gzip_write(struct gzip *g, struct proto *m);

/* 0, or -1: out of memory.  Errors of writing are left to be seen in out. */
int gzip_close(struct gzip *g);

#endif
