/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SQLite and its limits: see sql.h. */
#include "display/query/sql.h"

#include "display/query/cond.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/*
 * Limits on the bytes of SQLite's memory, of a value, and of a statement; and
 * on the steps of its virtual machine (a minute or less), which are counted in
 * units of EACH.
 */
enum { HEAP = 1 << 30, VALUE = 1 << 26, TEXT = 1 << 20, EACH = 10000 };
/* Match no longer texts with patterns: the C library can't be stopped. */
enum { MATCHED = 1 << 20 };
static const uint64_t STEPS = 3000000000u;

/* -------------------------------------------------------------- permission */

/* May a statement do this?  Users may only read.  Notes which data it reads. */
static int
authorize(void *arg, int action, const char *a, const char *b, const char *c,
	  const char *d)
{
	struct sql *q = arg;
	const struct schema_table *t;
	const struct schema_field *f;

	(void)c, (void)d;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_FUNCTION:
		return q->own || (b && strcmp(b, "load_extension") != 0)
			       ? SQLITE_OK
			       : SQLITE_DENY;
	case SQLITE_READ:
		t = a ? schema_table(a) : NULL;
		f = t && b ? schema_field(t, b, strlen(b)) : NULL;
		q->needs |= (t ? t->needs : 0) | (f ? f->needs : 0);
		return SQLITE_OK;
	default:
		return q->own ? SQLITE_OK : SQLITE_DENY;
	}
}

/* SQLite calls this after EACH steps.  Have there been too many? */
static int
progress(void *arg)
{
	struct sql *q = arg;

	q->steps += EACH;
	return q->steps > q->most;
}

/* --------------------------------------------------------------- functions */

/*
 * Set the result: does the text match?  The machine doesn't count steps in
 * here, so add the processor time as steps.
 */
static void
sql_match(sqlite3_context *c, const regex_t *regex, const char *text)
{
	struct sql *q = sqlite3_user_data(c);
	clock_t from = clock();
	int r;

	if (strnlen(text, MATCHED + 1) > MATCHED) {
		sqlite3_result_error(c, "the text is too long for a pattern",
				     -1);
		return;
	}
	r = regexec(regex, text, 0, NULL, 0);
	q->steps += (uint64_t)(clock() - from) * (STEPS / 60) / CLOCKS_PER_SEC;
	if (q->steps > q->most)
		sqlite3_result_error_code(c, SQLITE_INTERRUPT);
	else if (r && r != REG_NOMATCH)
		sqlite3_result_error_nomem(c);
	else
		sqlite3_result_int(c, !r);
}

/* text REGEXP pattern */
static void
regexp(sqlite3_context *c, int n, sqlite3_value **v)
{
	const char *pattern = (const char *)sqlite3_value_text(v[0]);
	const char *text = (const char *)sqlite3_value_text(v[1]);
	regex_t *regex = sqlite3_get_auxdata(c, 0);
	char message[256];

	(void)n;
	if (!pattern || !text)
		return;
	if (regex) {
		sql_match(c, regex, text);
		return;
	}
	if (pattern_compile(&regex, pattern, message, sizeof message)) {
		if (*message)
			sqlite3_result_error(c, message, -1);
		else
			sqlite3_result_error_nomem(c);
		return;
	}
	sql_match(c, regex, text);
	/* SQLite may free regex at once. */
	sqlite3_set_auxdata(c, 0, regex, pattern_free);
}

/* ------------------------------------------------------------- connection  */

static void
limit(sqlite3 *db)
{
	sqlite3_limit(db, SQLITE_LIMIT_LENGTH, VALUE);
	sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, TEXT);
	sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_limit(db, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000);
	sqlite3_limit(db, SQLITE_LIMIT_WORKER_THREADS, 0);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1, NULL);
	sqlite3_hard_heap_limit64(HEAP);
}

static int
sql_add_all(struct sql *q)
{
	int r = SQLITE_OK;

	for (const struct schema_table *t = schema_tables; t->name && !r; t++)
		r = sql_table_add(q, t);
	for (const struct schema_view *v = schema_views; v->name && !r; v++) {
		char *text = sqlite3_mprintf("CREATE VIEW \"%w\" AS %s",
					     v->name, v->select);

		r = text ? sqlite3_exec(q->db, text, NULL, NULL, NULL)
			 : SQLITE_NOMEM;
		sqlite3_free(text);
	}
	if (!r)
		r = sqlite3_create_function(q->db, "regexp", 2,
					    SQLITE_UTF8 | SQLITE_DETERMINISTIC |
						    SQLITE_INNOCUOUS,
					    q, regexp, NULL, NULL);
	return r ? r : sql_group_add(q);
}

int
sql_open(struct sql *q, struct schema *s, struct err *e)
{
	*q = (struct sql){ .s = s, .own = true, .most = STEPS };
	if (sqlite3_open_v2(":memory:", &q->db,
			    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
				    SQLITE_OPEN_NOMUTEX,
			    NULL) == SQLITE_OK) {
		limit(q->db);
		sqlite3_exec(q->db, "PRAGMA temp_store = MEMORY", NULL, NULL,
			     NULL);
		if (sql_add_all(q) == SQLITE_OK) {
			sqlite3_set_authorizer(q->db, authorize, q);
			sqlite3_progress_handler(q->db, EACH, progress, q);
			q->needs = 0;
			return 0;
		}
	}
	return err_set(e, "SQLite: %s",
		       q->db ? sqlite3_errmsg(q->db) : "out of memory");
}

void
sql_close(struct sql *q)
{
	sqlite3_close(q->db);
	free(q->item);
	free(q->group);
	*q = (struct sql){ 0 };
}

/* ------------------------------------------------------------------ errors */

/* Names to suggest, of the kind that the message is about. */
struct names {
	char kind; /* 'c'olumn, 't'able, 'f'unction */
	const struct schema_table *t;
	size_t i;
};

static const char *
sql_next_name(void *arg)
{
	static const char *const function[] = {
		"abs",	  "avg",    "coalesce", "count",  "glob",	 "iif",
		"ifnull", "instr",  "length",	"like",	  "lower",	 "max",
		"min",	  "nullif", "regexp",	"round",  "replace",	 "sum",
		"substr", "total",  "upper",	"printf", "group_concat"
	};
	enum { NFUNCTIONS = sizeof function / sizeof *function };
	struct names *n = arg;
	size_t i = n->i++;

	if (n->kind == 'f')
		return i < NFUNCTIONS ? function[i] : NULL;
	if (n->kind == 't') {
		for (const struct schema_table *t = schema_tables; t->name; t++)
			if (!i--)
				return t->name;
		for (const struct schema_view *v = schema_views; v->name; v++)
			if (!i--)
				return v->name;
		return NULL;
	}
	while (n->t->name && i >= n->t->nfields) {
		n->t++;
		i = 0;
		n->i = 1;
	}
	return n->t->name ? n->t->field[i].name : NULL;
}

/* The place of a whole word in a text; SIZE_MAX: none. */
static size_t
find_word(const char *text, const char *word)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
	size_t n = strlen(word);

	for (const char *s = text; n && (s = strstr(s, word)) != NULL; s++)
		if ((s == text || !strchr(letters, s[-1])) &&
		    (!s[n] || !strchr(letters, s[n])))
			return (size_t)(s - text);
	return SIZE_MAX;
}

/* Append a suggestion to SQLite's message. */
static void
suggest(char *message, size_t room, const char *said, bool quoted)
{
	static const char *const begin[] = {
		"no such column: ", "no such table: ", "no such function: "
	};
	struct names names = { .t = schema_tables };
	size_t n = strlen(message);
	const char *name, *near, *dot;

	for (size_t i = 0; i < sizeof begin / sizeof *begin; i++) {
		if (strncmp(said, begin[i], strlen(begin[i])) != 0)
			continue;
		name = said + strlen(begin[i]);
		dot = strrchr(name, '.');
		name = dot ? dot + 1 : name;
		names.kind = "ctf"[i];
		near = schema_nearest(sql_next_name, &names, name,
				      strlen(name));
		if (quoted)
			snprintf(message + n, room - n,
				 "; write texts in single quotes");
		else if (near && !strcmp(near, name))
			snprintf(message + n, room - n,
				 " here; --sql=list shows the tables that have "
				 "it");
		else if (near)
			snprintf(message + n, room - n, "; do you mean \"%s\"?",
				 near);
		else
			snprintf(message + n, room - n,
				 "; --sql=list lists all");
		return;
	}
}

/*
 * Set *e to SQLite's message about a statement, and the place in it.  text
 * NULL: a statement of our own.
 */
static void
sql_complain(struct sql *q, const char *text, const char *what, int code,
	     struct err *e)
{
	const char *said = sqlite3_errmsg(q->db);
	int offset = sqlite3_error_offset(q->db);
	size_t at = offset >= 0 ? (size_t)offset : SIZE_MAX;
	char message[300];

	switch (code & 0xff) {
	case SQLITE_NOMEM:
		said = "the statement needs too much memory";
		break;
	case SQLITE_INTERRUPT:
		said = "the statement takes too long";
		break;
	case SQLITE_AUTH:
		said = "only a SELECT of the tables that --sql=list prints is "
		       "allowed";
		break;
	default:
		break;
	}
	if (!strcmp(said, "parser stack overflow"))
		said = "too many brackets";
	snprintf(message, sizeof message, "%.200s", said);
	if (text && !strcmp(said, "incomplete input"))
		at = strlen(text);
	else if (text && at == SIZE_MAX && strrchr(said, ' '))
		at = find_word(text, strrchr(said, ' ') + 1);
	suggest(message, sizeof message, said,
		text && at < strlen(text) && text[at] == '"');
	if (text && at <= strlen(text))
		caret_complain(e, what, text, at, message);
	else
		snprintf(e->text, sizeof e->text, "%.300s: %s", what, message);
}

/* -------------------------------------------------------------- statements */

sqlite3_stmt *
sql_prepare_own(struct sql *q, const char *text, const char *what,
		struct err *e)
{
	sqlite3_stmt *stmt = NULL;
	int code;

	q->own = true;
	code = sqlite3_prepare_v2(q->db, text, -1, &stmt, NULL);
	if (code == SQLITE_OK)
		return stmt;
	sql_complain(q, NULL, what, code, e);
	return NULL;
}

sqlite3_stmt *
sql_prepare(struct sql *q, const char *text, const char *what, struct err *e)
{
	sqlite3_stmt *stmt = NULL, *more = NULL;
	const char *rest = text;
	int code;

	q->own = false;
	code = sqlite3_prepare_v2(q->db, text, -1, &stmt, &rest);
	if (code == SQLITE_OK && !stmt) {
		caret_complain(e, what, text, 0, "no statement");
		return NULL;
	}
	if (code != SQLITE_OK) {
		sql_complain(q, text, what, code, e);
		return NULL;
	}
	if (sqlite3_prepare_v2(q->db, rest, -1, &more, NULL) == SQLITE_OK &&
	    !more && sqlite3_column_count(stmt) > 0 &&
	    sqlite3_stmt_readonly(stmt))
		return stmt;
	caret_complain(e, what, text, *rest ? (size_t)(rest - text) : 0,
		       *rest ? "a second statement; give one"
			     : "this returns no rows; write a SELECT");
	sqlite3_finalize(more);
	sqlite3_finalize(stmt);
	return NULL;
}

int
sql_step(struct sql *q, sqlite3_stmt *stmt, const char *what, struct err *e)
{
	int code = sqlite3_step(stmt);

	if (code == SQLITE_ROW || code == SQLITE_DONE)
		return code == SQLITE_ROW;
	sql_complain(q, NULL, what, code, e);
	return -1;
}
