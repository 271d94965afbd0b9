/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts instructions by the processor's trap flag; compiled plain. */
#ifndef APART_STEPS_H
#define APART_STEPS_H

/* The instructions of f(), all that it calls included; -1: no such flag. */
long steps_of(void (*f)(void));

/* A function that isn't recorded. */
void steps_call(const void *p);

#endif
