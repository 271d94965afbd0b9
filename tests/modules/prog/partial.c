/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A load reads half of a stored word: the other half may be overwritten. */
/* EXPECT dependence dependences kind=flow source=S sink=U loop=- count=10 */
/* EXPECT not dependence dependences kind=flow source=T sink=U */
#include <stdint.h>
static union {
	uint64_t whole;
	uint32_t half[2];
} v[10];
uint32_t sum;
static __attribute__((noinline, noipa)) void *
at(int i)
{
	return &v[i];
}
int
main(void)
{
	for (int i = 0; i < 10; i++) {
		*(uint64_t *)at(i) = 7; /*S*/
		((uint32_t *)at(i))[0] = 8; /*T*/
		sum = ((uint32_t *)at(i))[1]; /*U*/
	}
	return 0;
}
