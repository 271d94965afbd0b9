/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A thread takes jobs out of a pipe and puts them into a queue, but starts none.
 * So the queue of a thread that waits holds all jobs.  memmon(7) finds that: 900
 * jobs of 3000 bytes.
 *
 * The thread says that it is ready in the line in which it waits: when the
 * program ends, it is in this line.
 */
#include <deque>
#include <stdlib.h>
#include <string>
#include <thread>
#include <unistd.h>

struct Job {
	std::string text;
};

static int jobs[2], ready[2];

static void collect()
{
	std::deque<Job *> waiting;
	char what;

	while (write(ready[1], "", 1) == 1 && read(jobs[0], &what, 1) == 1)
		waiting.push_back(new Job{ std::string(3000, what) });
}

int main()
{
	char answer;

	if (pipe(jobs) || pipe(ready))
		return 1;
	std::thread(collect).detach();
	for (int i = 0; i <= 900; i++)
		if (read(ready[0], &answer, 1) != 1 ||
		    (i < 900 && write(jobs[1], "j", 1) != 1))
			return 1;
	exit(0);
}
