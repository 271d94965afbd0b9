/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each block is freed in the next iteration. */
/* EXPECT lifetime scopes site=A scope=loop where=L blocks=9 bytes=72 */
/* EXPECT lifetime scopes site=A scope=function where=M blocks=1 */
#include <stdlib.h>
int
main(void) /*M*/
{
	void *p = NULL;
	for (int i = 0; i < 10; i++) { /*L*/
		free(p);
		p = malloc(8); /*A*/
		__asm__("" : "+r"(p));
	}
	free(p);
	return 0;
}
