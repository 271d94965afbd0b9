/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages of protocol buffers, and a gzip stream to write them to.  Out of
 * memory is remembered and reported at the end.
 */
#ifndef MEMMON_PROTO_H
#define MEMMON_PROTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The bytes of a message; all zero is an empty one. */
struct proto {
	unsigned char *v;
	size_t n, room;
	bool failed; /* out of memory: bytes are missing */
};

void proto_fini(struct proto *m);

/* Add a number, unless it is 0: readers take a missing number as 0. */
void proto_number(struct proto *m, unsigned field, uint64_t n);

/* Add a number, even 0. */
void proto_given(struct proto *m, unsigned field, uint64_t n);

/* Add a number of eight bytes, unless it is 0. */
void proto_fixed(struct proto *m, unsigned field, uint64_t n);

/* Add an item to a packed array, which proto_message() makes a field. */
void proto_item(struct proto *m, uint64_t n);

/* Add *part, a message or packed array, and empty *part. */
void proto_message(struct proto *m, unsigned field, struct proto *part);

/* Add a string, after clean_text(). */
void proto_text(struct proto *m, unsigned field, const char *text);

struct gzip;

/* Open a gzip stream to out.  NULL: out of memory. */
struct gzip *gzip_open(FILE *out);

/* Write *m and empty it. */
void gzip_write(struct gzip *g, struct proto *m);

/* 0, or -1: out of memory.  Write errors stay in the error flag of out. */
int gzip_close(struct gzip *g);

#endif
