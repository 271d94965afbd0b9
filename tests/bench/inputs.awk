# SPDX-License-Identifier: GPL-3.0-or-later
#
# Inputs for tests/bench/run, n records or functions of them:
#
#	awk -v n=N -v kind=json -f inputs.awk	about 100 bytes each
#	awk -v n=N -v kind=c -f inputs.awk	C, each calls the one before

function json(i)
{
	printf "{\"id\": %d, \"kind\": \"k%d\", \"name\": \"record number %d\"",
		i, i * 7919 % 101, i
	printf ", \"value\": %d.5, \"tags\": [\"a%d\", \"b%d\"]}\n",
		i * 31 % 1009, i % 7, i % 11
}

function c(i)
{
	printf "struct s%d { int a[%d]; struct s%d *next; double d; };\n", i,
		i % 9 + 1, i
	printf "int f%d(struct s%d *s, int n, const char *t)\n{\n", i, i
	printf "\tint sum = %d;\n", i
	printf "\tfor (int i = 0; i < n && s; i++, s = s->next) {\n"
	printf "\t\tif (s->a[i %% %d] > %d) sum += s->a[0] * i;\n", i % 9 + 1,
		i % 50
	printf "\t\telse if (t[i]) sum ^= (int)(s->d * %d.5) + t[i];\n", i % 13
	printf "\t\tswitch (sum & 7) {\n\t\tcase 0: sum += %d; break;\n", i
	printf "\t\tcase 3: sum -= printf(\"%%d\\n\", i); break;\n"
	printf "\t\tdefault: sum++;\n\t\t}\n\t}\n"
	printf "\treturn sum%s;\n}\n\n", i ? " + f" i - 1 "(NULL, n, t)" : ""
}

BEGIN {
	if (kind == "c")
		print "#include <stdio.h>\n#include <stdlib.h>\n"
	for (i = 0; i < n; i++)
		if (kind == "c")
			c(i)
		else
			json(i)
}
