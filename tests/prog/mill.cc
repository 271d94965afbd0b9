/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two threads make 5000 jobs of 1000 bytes each; a third thread does them
 * and frees them.  It wakes up only when both are done: at the peak all
 * 10,000 jobs wait in the queue, and at the end none is left.  memmon(7)
 * finds that.
 */
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

struct Job {
	char text[1000];
};

class Queue {
	std::mutex mutex;
	std::condition_variable filled;
	std::deque<std::unique_ptr<Job>> jobs;
	int makers = 2;

public:
	void put(std::unique_ptr<Job> job)
	{
		std::lock_guard<std::mutex> lock(mutex);

		jobs.push_back(std::move(job));
	}

	void done()
	{
		std::lock_guard<std::mutex> lock(mutex);

		if (--makers == 0)
			filled.notify_all();
	}

	std::unique_ptr<Job> get()
	{
		std::unique_lock<std::mutex> lock(mutex);
		std::unique_ptr<Job> job;

		filled.wait(lock, [this] { return makers == 0; });
		if (!jobs.empty()) {
			job = std::move(jobs.front());
			jobs.pop_front();
		}
		return job;
	}
};

static void make(Queue &queue)
{
	for (int i = 0; i < 5000; i++)
		queue.put(std::make_unique<Job>());
	queue.done();
}

static void work(Queue &queue)
{
	while (queue.get())
		;
}

int main()
{
	Queue queue;
	std::thread worker(work, std::ref(queue));
	std::thread first(make, std::ref(queue)), second(make, std::ref(queue));

	first.join();
	second.join();
	worker.join();
	return 0;
}
