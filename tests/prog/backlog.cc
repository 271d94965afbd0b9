/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A thread takes jobs out of a pipe and puts them into a queue, but starts one
 * only when it is told to.  Nobody tells it, so the queue of a thread that waits
 * holds all jobs.  memmon(7) finds that: 900 jobs of 3000 bytes.
 */
#include <deque>
#include <stdlib.h>
#include <string>
#include <thread>
#include <unistd.h>

struct Job {
	std::string text;
};

static int jobs[2], done[2];

static void collect()
{
	std::deque<Job *> waiting;
	char what;

	while (read(jobs[0], &what, 1) == 1) {
		if (what == 'j')
			waiting.push_back(new Job{ std::string(3000, what) });
		else if (write(done[1], "", 1) != 1)
			return;
	}
}

int main()
{
	char ready;

	if (pipe(jobs) || pipe(done))
		return 1;
	std::thread(collect).detach();
	if (write(jobs[1], std::string(900, 'j').c_str(), 900) != 900 ||
	    write(jobs[1], "?", 1) != 1 || read(done[0], &ready, 1) != 1)
		return 1;
	exit(0);
}
