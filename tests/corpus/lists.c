/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists, trees and queues: nodes made in functions, in loops, by parameters. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
	struct node *next;
	long value;
};
struct dnode {
	struct dnode *prev, *next;
	char *text;
	int weight;
};
struct dlist {
	struct dnode *head, *tail;
	size_t n;
};
struct tree {
	struct tree *left, *right, *up;
	int key;
	unsigned char red;
	void *data;
};
struct skip {
	int key;
	int levels;
	struct skip *forward[];
};
struct queue {
	struct node *first, **last;
	struct stats {
		struct stats *older;
		unsigned long in, out;
	} * stats;
};
struct quad {
	struct quad *child[4];
	double x, y;
	struct {
		struct item {
			int id;
			struct item *link;
			short tag[6];
		} * items;
		size_t n;
	} content;
};
/* The links of lists; a link is the first member of its struct. */
struct link {
	struct link *next;
};
struct job {
	struct link link;
	int id;
	char name[20];
};
struct worker {
	long load;
	struct link *jobs;
	struct job *current;
};

static struct node *head;
static struct dlist list;
struct tree *root;
struct queue queue;
static struct worker workers[3];
static long sum;

static void
push(long value)
{
	struct node *n = malloc(sizeof(*n)); /*= struct node */

	if (!n)
		return;
	n->value = value;
	n->next = head;
	head = n;
}

/* The address of the last link decides. */
static void
append(struct node **end, int count)
{
	int i;

	while (*end)
		end = &(*end)->next;
	for (i = 0; i < count; i++) {
		*end = calloc(1, sizeof(**end)); /*= struct node */
		if (!*end)
			exit(1);
		(*end)->value = i;
		end = &(*end)->next;
	}
}

static struct dnode *
dlist_add(struct dlist *l, const char *text)
{
	struct dnode *d = malloc(sizeof(struct dnode)); /*= struct dnode */

	if (d == NULL)
		return NULL;
	d->text = strdup(text); /*= char */
	d->weight = (int)strlen(text);
	d->next = NULL;
	d->prev = l->tail;
	if (l->tail)
		l->tail->next = d;
	else
		l->head = d;
	l->tail = d;
	l->n++;
	return d;
}

static struct tree *
tree_insert(struct tree *t, int key)
{
	if (!t) {
		t = calloc(1, sizeof(*t)); /*= struct tree */
		t->key = key;
		return t;
	}
	if (key < t->key) {
		t->left = tree_insert(t->left, key);
		t->left->up = t;
	} else {
		t->right = tree_insert(t->right, key);
		t->right->up = t;
	}
	return t;
}

/* Without recursion: stores into the place that was found. */
static void
tree_put(struct tree **at, int key)
{
	struct tree *up = NULL;

	while (*at) {
		up = *at;
		at = key < up->key ? &up->left : &up->right;
	}
	*at = malloc(sizeof(struct tree)); /*= struct tree */
	memset(*at, 0, sizeof(**at));
	(*at)->key = key;
	(*at)->up = up;
}

static struct tree *
tree_copy(const struct tree *t)
{
	struct tree *copy;

	if (!t)
		return NULL;
	copy = malloc(sizeof(*copy)); /*= struct tree */
	*copy = *t;
	copy->left = tree_copy(t->left);
	copy->right = tree_copy(t->right);
	return copy;
}

static struct skip *
skip_new(int key, int levels)
{
	size_t tail = (size_t)levels * sizeof(struct skip *);
	struct skip *s = malloc(sizeof(*s) + tail); /*= struct skip */
	int i;

	s->key = key;
	s->levels = levels;
	for (i = 0; i < levels; i++)
		s->forward[i] = NULL;
	return s;
}

static int
queue_init(struct queue *q)
{
	q->first = NULL;
	q->last = &q->first;
	q->stats = malloc(sizeof(*q->stats)); /*= struct stats */
	if (!q->stats)
		return -1;
	q->stats->older = malloc(sizeof(struct stats)); /*= struct stats */
	if (!q->stats->older)
		return -1;
	q->stats->in = q->stats->out = 0;
	return 0;
}

static void
queue_put(struct queue *q, long value)
{
	struct node *n = malloc(sizeof(struct node)); /*= struct node */

	*n = (struct node){ NULL, value };
	*q->last = n;
	q->last = &n->next;
	q->stats->in++;
}

static void
quad_split(struct quad *q)
{
	int i;

	for (i = 0; i < 4; i++) {
		q->child[i] = calloc(1, sizeof(struct quad)); /*= struct quad */
		q->child[i]->x = q->x + i;
		q->child[i]->y = q->y - i;
	}
	q->content.n = 5;
	q->content.items = calloc(5, sizeof(struct item)); /*= struct item */
	q->content.items[2].link =
		malloc(sizeof(struct item)); /*= struct item */
	q->content.items[2].link->id = 7;
}

static void
work(int which, int id)
{
	struct job *j = malloc(sizeof(*j)); /*= struct job */

	j->id = id;
	snprintf(j->name, sizeof(j->name), "job %d", id);
	j->link.next = workers[which].jobs;
	workers[which].jobs = &j->link;
	if (!workers[which].current)
		workers[which].current =
			calloc(1, sizeof(struct job)); /*= struct job */
}

static long
tree_sum(const struct tree *t)
{
	return t ? t->key + tree_sum(t->left) + tree_sum(t->right) : 0;
}

int
main(int argc, char **argv)
{
	struct quad *q;
	struct skip *s;
	int i;

	(void)argv;
	for (i = 0; i < 5; i++)
		push(i * argc);
	append(&head, 3);
	dlist_add(&list, "one");
	dlist_add(&list, "twenty-two");
	for (i = 0; i < 10; i++)
		root = tree_insert(root, i * 7 % 10);
	for (i = 0; i < 4; i++)
		tree_put(&root, i * argc);
	sum += tree_sum(tree_copy(root));
	s = skip_new(3, 4);
	s->forward[0] = skip_new(4, 2);
	if (queue_init(&queue))
		return 1;
	queue_put(&queue, 3);
	queue_put(&queue, 4);
	q = malloc(sizeof(*q)); /*= struct quad */
	memset(q, 0, sizeof(*q));
	quad_split(q);
	quad_split(q->child[argc]);
	work(0, 1);
	work(0, 2);
	work(argc, 3);
	printf("%ld %zu %d\n", sum, list.n, s->forward[0]->key); /*= ?|char */
	return 0;
}
