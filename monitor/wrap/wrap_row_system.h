/* SPDX-License-Identifier: MIT */
/*
 * Rows (wrap_row_list.h) of threads, signals, files, times, processes,
 * addresses, patterns.
 */
#ifndef ROW
#define ROW(...)
#define VOID(...)
#endif

/* Threads */
#define MUTEX pthread_mutex_t *m
#define COND pthread_cond_t *c
#define LOCK pthread_rwlock_t *l
#define LIMIT const struct timespec *limit
ROW(int, EAGAIN, pthread_create,
    (pthread_t * t, const pthread_attr_t *a, void *(*f)(void *), void *arg),
    (t, a, f, arg), (IF(r == 0, W1(t)), R1(a)))
ROW(int, EINVAL, pthread_join, (pthread_t t, void **result), (t, result),
    IF(r == 0, W1(result)))
ROW(int, EINVAL, pthread_tryjoin_np, (pthread_t t, void **result), (t, result),
    IF(r == 0, W1(result)))
ROW(int, EINVAL, pthread_timedjoin_np, (pthread_t t, void **result, LIMIT),
    (t, result, limit), (IF(r == 0, W1(result)), R1(limit)))
ROW(int, EINVAL, pthread_getattr_np, (pthread_t t, pthread_attr_t *a), (t, a),
    W1(a))
ROW(int, EINVAL, pthread_getname_np, (pthread_t t, char *p, size_t n),
    (t, p, n), IF(r == 0, W(p, STRING(p))))
ROW(int, EINVAL, pthread_setname_np, (pthread_t t, const char *p), (t, p),
    R(p, STRING(p)))
ROW(int, EINVAL, pthread_once, (pthread_once_t * once, void (*f)(void)),
    (once, f), RW1(once))
ROW(int, EINVAL, pthread_key_create, (pthread_key_t * key, void (*f)(void *)),
    (key, f), IF(r == 0, W1(key)))
ROW(int, EINVAL, pthread_mutex_init, (MUTEX, const pthread_mutexattr_t *a),
    (m, a), (W1(m), R1(a)))
ROW(int, EINVAL, pthread_mutex_destroy, (MUTEX), (m), RW1(m))
ROW(int, EINVAL, pthread_mutex_lock, (MUTEX), (m), RW1(m))
ROW(int, EINVAL, pthread_mutex_trylock, (MUTEX), (m), RW1(m))
ROW(int, EINVAL, pthread_mutex_unlock, (MUTEX), (m), RW1(m))
ROW(int, EINVAL, pthread_mutex_consistent, (MUTEX), (m), RW1(m))
ROW(int, EINVAL, pthread_mutex_timedlock, (MUTEX, LIMIT), (m, limit),
    (RW1(m), R1(limit)))
ROW(int, EINVAL, pthread_mutex_clocklock, (MUTEX, clockid_t k, LIMIT),
    (m, k, limit), (RW1(m), R1(limit)))
ROW(int, EINVAL, pthread_cond_init, (COND, const pthread_condattr_t *a), (c, a),
    (W1(c), R1(a)))
ROW(int, EINVAL, pthread_cond_destroy, (COND), (c), RW1(c))
ROW(int, EINVAL, pthread_cond_signal, (COND), (c), RW1(c))
ROW(int, EINVAL, pthread_cond_broadcast, (COND), (c), RW1(c))
ROW(int, EINVAL, pthread_cond_wait, (COND, MUTEX), (c, m), (RW1(c), RW1(m)))
ROW(int, EINVAL, pthread_cond_timedwait, (COND, MUTEX, LIMIT), (c, m, limit),
    (RW1(c), RW1(m), R1(limit)))
ROW(int, EINVAL, pthread_cond_clockwait, (COND, MUTEX, clockid_t k, LIMIT),
    (c, m, k, limit), (RW1(c), RW1(m), R1(limit)))
ROW(int, EINVAL, pthread_rwlock_init, (LOCK, const pthread_rwlockattr_t *a),
    (l, a), (W1(l), R1(a)))
ROW(int, EINVAL, pthread_rwlock_destroy, (LOCK), (l), RW1(l))
ROW(int, EINVAL, pthread_rwlock_rdlock, (LOCK), (l), RW1(l))
ROW(int, EINVAL, pthread_rwlock_wrlock, (LOCK), (l), RW1(l))
ROW(int, EINVAL, pthread_rwlock_tryrdlock, (LOCK), (l), RW1(l))
ROW(int, EINVAL, pthread_rwlock_trywrlock, (LOCK), (l), RW1(l))
ROW(int, EINVAL, pthread_rwlock_unlock, (LOCK), (l), RW1(l))
ROW(int, EINVAL, pthread_rwlock_timedrdlock, (LOCK, LIMIT), (l, limit),
    (RW1(l), R1(limit)))
ROW(int, EINVAL, pthread_rwlock_timedwrlock, (LOCK, LIMIT), (l, limit),
    (RW1(l), R1(limit)))
ROW(int, EINVAL, pthread_spin_init, (pthread_spinlock_t * s, int shared),
    (s, shared), W(CV s, sizeof(*s)))
ROW(int, EINVAL, pthread_spin_destroy, (pthread_spinlock_t * s), (s),
    RW(CV s, sizeof(*s)))
ROW(int, EINVAL, pthread_spin_lock, (pthread_spinlock_t * s), (s),
    RW(CV s, sizeof(*s)))
ROW(int, EINVAL, pthread_spin_trylock, (pthread_spinlock_t * s), (s),
    RW(CV s, sizeof(*s)))
ROW(int, EINVAL, pthread_spin_unlock, (pthread_spinlock_t * s), (s),
    W(CV s, sizeof(*s)))
ROW(int, EINVAL, pthread_barrier_init,
    (pthread_barrier_t * b, const pthread_barrierattr_t *a, unsigned n),
    (b, a, n), (W1(b), R1(a)))
ROW(int, EINVAL, pthread_barrier_destroy, (pthread_barrier_t * b), (b), RW1(b))
ROW(int, EINVAL, pthread_barrier_wait, (pthread_barrier_t * b), (b), RW1(b))
ROW(int, -1, sem_init, (sem_t * s, int shared, unsigned n), (s, shared, n),
    W1(s))
ROW(int, -1, sem_destroy, (sem_t * s), (s), R1(s))
ROW(int, -1, sem_post, (sem_t * s), (s), RW1(s))
ROW(int, -1, sem_wait, (sem_t * s), (s), RW1(s))
ROW(int, -1, sem_trywait, (sem_t * s), (s), RW1(s))
ROW(int, -1, sem_timedwait, (sem_t * s, LIMIT), (s, limit), (RW1(s), R1(limit)))
ROW(int, -1, sem_clockwait, (sem_t * s, clockid_t k, LIMIT), (s, k, limit),
    (RW1(s), R1(limit)))
ROW(int, -1, sem_getvalue, (sem_t * s, int *n), (s, n), (R1(s), W1(n)))

/* Attributes of threads and their locks */
#define ATTRIBUTE(kind, object) \
	ROW(int, EINVAL, pthread_##object##_init, (kind * a), (a), W1(a)) \
	ROW(int, EINVAL, pthread_##object##_destroy, (kind * a), (a), RW1(a))
#define SETTING(kind, object, what) \
	ROW(int, EINVAL, pthread_##object##_set##what, (kind * a, int v), \
	    (a, v), RW1(a)) \
	ROW(int, EINVAL, pthread_##object##_get##what, \
	    (const kind *a, int *v), (a, v), (R1(a), W1(v)))
ATTRIBUTE(pthread_attr_t, attr)
SETTING(pthread_attr_t, attr, detachstate)
SETTING(pthread_attr_t, attr, schedpolicy)
SETTING(pthread_attr_t, attr, inheritsched)
SETTING(pthread_attr_t, attr, scope)
ROW(int, EINVAL, pthread_attr_setstacksize, (pthread_attr_t * a, size_t n),
    (a, n), RW1(a))
ROW(int, EINVAL, pthread_attr_getstacksize,
    (const pthread_attr_t *a, size_t *n), (a, n), (R1(a), W1(n)))
ROW(int, EINVAL, pthread_attr_setguardsize, (pthread_attr_t * a, size_t n),
    (a, n), RW1(a))
ROW(int, EINVAL, pthread_attr_getguardsize,
    (const pthread_attr_t *a, size_t *n), (a, n), (R1(a), W1(n)))
ROW(int, EINVAL, pthread_attr_setstack,
    (pthread_attr_t * a, void *stack, size_t n), (a, stack, n),
    (RW1(a), H(stack)))
ROW(int, EINVAL, pthread_attr_getstack,
    (const pthread_attr_t *a, void **stack, size_t *n), (a, stack, n),
    (R1(a), W1(stack), W1(n)))
ROW(int, EINVAL, pthread_attr_setschedparam,
    (pthread_attr_t * a, const struct sched_param *p), (a, p), (RW1(a), R1(p)))
ROW(int, EINVAL, pthread_attr_getschedparam,
    (const pthread_attr_t *a, struct sched_param *p), (a, p), (R1(a), W1(p)))
ROW(int, EINVAL, pthread_attr_setaffinity_np,
    (pthread_attr_t * a, size_t n, const cpu_set_t *p), (a, n, p),
    (RW1(a), R(p, n)))
ATTRIBUTE(pthread_mutexattr_t, mutexattr)
SETTING(pthread_mutexattr_t, mutexattr, type)
SETTING(pthread_mutexattr_t, mutexattr, pshared)
SETTING(pthread_mutexattr_t, mutexattr, robust)
SETTING(pthread_mutexattr_t, mutexattr, protocol)
ATTRIBUTE(pthread_condattr_t, condattr)
SETTING(pthread_condattr_t, condattr, pshared)
ROW(int, EINVAL, pthread_condattr_setclock,
    (pthread_condattr_t * a, clockid_t k), (a, k), RW1(a))
ATTRIBUTE(pthread_rwlockattr_t, rwlockattr)
SETTING(pthread_rwlockattr_t, rwlockattr, pshared)
ATTRIBUTE(pthread_barrierattr_t, barrierattr)
SETTING(pthread_barrierattr_t, barrierattr, pshared)

/* Signals */
ROW(int, -1, sigemptyset, (sigset_t * s), (s), W1(s))
ROW(int, -1, sigfillset, (sigset_t * s), (s), W1(s))
ROW(int, -1, sigaddset, (sigset_t * s, int n), (s, n), IF(r == 0, RW1(s)))
ROW(int, -1, sigdelset, (sigset_t * s, int n), (s, n), IF(r == 0, RW1(s)))
ROW(int, -1, sigismember, (const sigset_t *s, int n), (s, n), IF(r >= 0, R1(s)))
ROW(int, -1, sigpending, (sigset_t * s), (s), IF(r == 0, W1(s)))
ROW(int, -1, sigsuspend, (const sigset_t *s), (s), R1(s))
ROW(int, EINVAL, sigwait, (const sigset_t *s, int *n), (s, n),
    (R1(s), IF(r == 0, W1(n))))
ROW(int, -1, sigwaitinfo, (const sigset_t *s, siginfo_t *i), (s, i),
    (R1(s), IF(r > 0, W1(i))))
ROW(int, -1, sigtimedwait, (const sigset_t *s, siginfo_t *i, LIMIT),
    (s, i, limit), (R1(s), R1(limit), IF(r > 0, W1(i))))

/* Waiting for files */
ROW(int, -1, poll, (struct pollfd * p, nfds_t n, int limit), (p, n, limit),
    IF(r >= 0, RW(p, n * sizeof(*p))))
ROW(int, -1, ppoll, (struct pollfd * p, nfds_t n, LIMIT, const sigset_t *s),
    (p, n, limit, s), (IF(r >= 0, RW(p, n * sizeof(*p))), R1(limit), R1(s)))
ROW(int, -1, __poll_chk, (struct pollfd * p, nfds_t n, int limit, size_t room),
    (p, n, limit, room), IF(r >= 0, RW(p, n * sizeof(*p))))
ROW(int, -1, __ppoll_chk,
    (struct pollfd * p, nfds_t n, LIMIT, const sigset_t *s, size_t room),
    (p, n, limit, s, room),
    (IF(r >= 0, RW(p, n * sizeof(*p))), R1(limit), R1(s)))
#define FDS(n) (((size_t)(n) + 7) / 8)
ROW(int, -1, select,
    (int n, fd_set *a, fd_set *b, fd_set *c, struct timeval *limit),
    (n, a, b, c, limit),
    IF(r >= 0 && n >= 0, (IF(a, RW(a, FDS(n))), IF(b, RW(b, FDS(n))),
			  IF(c, RW(c, FDS(n))), RW1(limit))))
ROW(int, -1, pselect,
    (int n, fd_set *a, fd_set *b, fd_set *c, LIMIT, const sigset_t *s),
    (n, a, b, c, limit, s),
    IF(r >= 0 && n >= 0, (IF(a, RW(a, FDS(n))), IF(b, RW(b, FDS(n))),
			  IF(c, RW(c, FDS(n))), R1(limit), R1(s))))
ROW(int, -1, epoll_ctl, (int e, int op, int fd, struct epoll_event *v),
    (e, op, fd, v), IF(r == 0 && op != EPOLL_CTL_DEL, R1(v)))
ROW(int, -1, epoll_wait, (int e, struct epoll_event *v, int n, int limit),
    (e, v, n, limit), IF(r > 0, W(v, (size_t)r * sizeof(*v))))
ROW(int, -1, epoll_pwait,
    (int e, struct epoll_event *v, int n, int limit, const sigset_t *s),
    (e, v, n, limit, s), (IF(r > 0, W(v, (size_t)r * sizeof(*v))), R1(s)))

/* Files */
#define STAT(kind, by_path, of_link, by_fd, at) \
	ROW(int, -1, by_path, (const char *path, kind *b), (path, b), \
	    (NAME(path), IF(r == 0, W1(b)))) \
	ROW(int, -1, of_link, (const char *path, kind *b), (path, b), \
	    (NAME(path), IF(r == 0, W1(b)))) \
	ROW(int, -1, by_fd, (int fd, kind *b), (fd, b), IF(r == 0, W1(b))) \
	ROW(int, -1, at, (int fd, const char *path, kind *b, int flags), \
	    (fd, path, b, flags), (NAME(path), IF(r == 0, W1(b))))
STAT(struct stat, stat, lstat, fstat, fstatat)
STAT(struct stat64, stat64, lstat64, fstat64, fstatat64)
ROW(int, -1, statx,
    (int fd, const char *path, int flags, unsigned mask, struct statx *b),
    (fd, path, flags, mask, b), (NAME(path), IF(r == 0, W1(b))))
#define STATFS(name, kind) \
	ROW(int, -1, name, (const char *path, kind *b), (path, b), \
	    (NAME(path), IF(r == 0, W1(b)))) \
	ROW(int, -1, f##name, (int fd, kind *b), (fd, b), IF(r == 0, W1(b)))
STATFS(statfs, struct statfs)
STATFS(statfs64, struct statfs64)
STATFS(statvfs, struct statvfs)
STATFS(statvfs64, struct statvfs64)
ROW(int, -1, pipe, (int fd[2]), (fd), IF(r == 0, W(fd, 2 * sizeof(*fd))))
ROW(int, -1, pipe2, (int fd[2], int flags), (fd, flags),
    IF(r == 0, W(fd, 2 * sizeof(*fd))))
ROW(int, -1, utimensat,
    (int fd, const char *path, const struct timespec t[2], int flags),
    (fd, path, t, flags), IF(t, R(t, 2 * sizeof(*t))))
ROW(int, -1, futimens, (int fd, const struct timespec t[2]), (fd, t),
    IF(t, R(t, 2 * sizeof(*t))))
ROW(int, -1, utimes, (const char *path, const struct timeval t[2]), (path, t),
    IF(t, R(t, 2 * sizeof(*t))))
ROW(ssize_t, -1, sendfile, (int to, int from, off_t *at, size_t n),
    (to, from, at, n), IF(r >= 0, RW1(at)))
ROW(ssize_t, -1, sendfile64, (int to, int from, off64_t *at, size_t n),
    (to, from, at, n), IF(r >= 0, RW1(at)))
ROW(ssize_t, -1, copy_file_range,
    (int from, off64_t *at, int to, off64_t *to_at, size_t n, unsigned flags),
    (from, at, to, to_at, n, flags), IF(r >= 0, (RW1(at), RW1(to_at))))
ROW(ssize_t, -1, splice,
    (int from, off64_t *at, int to, off64_t *to_at, size_t n, unsigned flags),
    (from, at, to, to_at, n, flags), IF(r >= 0, (RW1(at), RW1(to_at))))
ROW(char *, NULL, realpath, (const char *path, char *to), (path, to),
    (NAME(path), IF(r, W(r, STRING(r)))))
ROW(char *, NULL, __realpath_chk, (const char *path, char *to, size_t room),
    (path, to, room), (NAME(path), IF(r, W(r, STRING(r)))))

/* Times */
ROW(time_t, -1, time, (time_t * t), (t), W1(t))
ROW(int, -1, gettimeofday, (struct timeval * t, void *zone), (t, zone),
    IF(r == 0, (W1(t), IF(zone, W(zone, sizeof(struct timezone))))))
ROW(int, -1, clock_gettime, (clockid_t k, struct timespec *t), (k, t),
    IF(r == 0, W1(t)))
ROW(int, -1, clock_getres, (clockid_t k, struct timespec *t), (k, t),
    IF(r == 0, W1(t)))
ROW(int, 0, timespec_get, (struct timespec * t, int base), (t, base),
    IF(r, W1(t)))
ROW(int, -1, nanosleep, (const struct timespec *t, struct timespec *left),
    (t, left), (R1(t), IF(r != 0, W1(left))))
ROW(int, EINVAL, clock_nanosleep,
    (clockid_t k, int flags, const struct timespec *t, struct timespec *left),
    (k, flags, t, left), (R1(t), IF(r != 0, W1(left))))
ROW(struct tm *, NULL, localtime, (const time_t *t), (t), R1(t))
ROW(struct tm *, NULL, gmtime, (const time_t *t), (t), R1(t))
ROW(struct tm *, NULL, localtime_r, (const time_t *t, struct tm *tm), (t, tm),
    (R1(t), IF(r, W1(tm))))
ROW(struct tm *, NULL, gmtime_r, (const time_t *t, struct tm *tm), (t, tm),
    (R1(t), IF(r, W1(tm))))
ROW(time_t, -1, mktime, (struct tm * tm), (tm), RW1(tm))
ROW(time_t, -1, timegm, (struct tm * tm), (tm), RW1(tm))
ROW(time_t, -1, timelocal, (struct tm * tm), (tm), RW1(tm))
ROW(char *, NULL, ctime, (const time_t *t), (t), R1(t))
ROW(char *, NULL, asctime, (const struct tm *tm), (tm), R1(tm))
ROW(char *, NULL, ctime_r, (const time_t *t, char *p), (t, p),
    (R1(t), IF(r, W(p, STRING(p)))))
ROW(char *, NULL, asctime_r, (const struct tm *tm, char *p), (tm, p),
    (R1(tm), IF(r, W(p, STRING(p)))))
ROW(size_t, 0, strftime,
    (char *p, size_t n, const char *format, const struct tm *tm),
    (p, n, format, tm), (R1(tm), R(format, STRING(format)), IF(r, W(p, r + 1))))
ROW(size_t, 0, strftime_l,
    (char *p, size_t n, const char *format, const struct tm *tm, locale_t l),
    (p, n, format, tm, l),
    (R1(tm), R(format, STRING(format)), IF(r, W(p, r + 1))))
ROW(char *, NULL, strptime, (const char *s, const char *format, struct tm *tm),
    (s, format, tm),
    (R(format, STRING(format)), IF(r, R(s, (size_t)(r - s))), H(tm)))
ROW(int, -1, getitimer, (int k, struct itimerval *t), (k, t), IF(r == 0, W1(t)))
ROW(int, -1, setitimer,
    (int k, const struct itimerval *t, struct itimerval *was), (k, t, was),
    IF(r == 0, (R1(t), W1(was))))
ROW(int, -1, timer_create, (clockid_t k, struct sigevent *e, timer_t *t),
    (k, e, t), IF(r == 0, (R1(e), W1(t))))
ROW(int, -1, timer_settime,
    (timer_t t, int flags, const struct itimerspec *v, struct itimerspec *was),
    (t, flags, v, was), IF(r == 0, (R1(v), W1(was))))
ROW(int, -1, timer_gettime, (timer_t t, struct itimerspec *v), (t, v),
    IF(r == 0, W1(v)))
ROW(int, -1, timerfd_settime,
    (int fd, int flags, const struct itimerspec *v, struct itimerspec *was),
    (fd, flags, v, was), IF(r == 0, (R1(v), W1(was))))
ROW(int, -1, timerfd_gettime, (int fd, struct itimerspec *v), (fd, v),
    IF(r == 0, W1(v)))
ROW(clock_t, -1, times, (struct tms * t), (t), IF(r != -1, W1(t)))

/* Processes and the system */
ROW(pid_t, -1, wait, (int *status), (status), IF(r > 0, W1(status)))
ROW(pid_t, -1, waitpid, (pid_t pid, int *status, int flags),
    (pid, status, flags), IF(r > 0, W1(status)))
ROW(pid_t, -1, wait3, (int *status, int flags, struct rusage *u),
    (status, flags, u), IF(r > 0, (W1(status), W1(u))))
ROW(pid_t, -1, wait4, (pid_t pid, int *status, int flags, struct rusage *u),
    (pid, status, flags, u), IF(r > 0, (W1(status), W1(u))))
ROW(int, -1, waitid, (idtype_t type, id_t id, siginfo_t *i, int flags),
    (type, id, i, flags), IF(r == 0, W1(i)))
ROW(int, -1, getrusage, (int who, struct rusage *u), (who, u),
    IF(r == 0, W1(u)))
ROW(int, -1, uname, (struct utsname * u), (u), IF(r == 0, W1(u)))
ROW(int, -1, sysinfo, (struct sysinfo * i), (i), IF(r == 0, W1(i)))
ROW(int, -1, gethostname, (char *p, size_t n), (p, n),
    IF(r == 0, W(p, mmi_wrap_size_max(p, n))))
ROW(int, -1, getloadavg, (double v[], int n), (v, n),
    IF(r > 0, W(v, (size_t)r * sizeof(*v))))
ROW(int, -1, getgroups, (int n, gid_t v[]), (n, v),
    IF(r > 0 && n > 0, W(v, (size_t)r * sizeof(*v))))
ROW(int, -1, sched_getparam, (pid_t pid, struct sched_param *p), (pid, p),
    IF(r == 0, W1(p)))
ROW(int, -1, sched_setparam, (pid_t pid, const struct sched_param *p), (pid, p),
    R1(p))
ROW(int, -1, sched_getaffinity, (pid_t pid, size_t n, cpu_set_t *p),
    (pid, n, p), IF(r == 0, W(p, n)))
ROW(int, -1, sched_setaffinity, (pid_t pid, size_t n, const cpu_set_t *p),
    (pid, n, p), R(p, n))
ROW(int, -1, putenv, (char *s), (s), H(s))
ROW(int, -1, setenv, (const char *name, const char *value, int over),
    (name, value, over),
    (NAME(name), IF(r == 0 && value, R(value, STRING(value)))))

/* Addresses */
#define ADDRESS(name, constness) \
	ROW(int, -1, name, \
	    (int fd, constness struct sockaddr *a, socklen_t n), (fd, a, n), \
	    R(a, n))
#define NAME_OF(name) \
	ROW(int, -1, name, (int fd, struct sockaddr *a, socklen_t *n), \
	    (fd, a, n), IF(r >= 0 && a, (W(a, *n), RW1(n))))
ADDRESS(bind, const)
ADDRESS(connect, const)
NAME_OF(accept)
NAME_OF(getsockname)
NAME_OF(getpeername)
ROW(int, -1, accept4, (int fd, struct sockaddr *a, socklen_t *n, int flags),
    (fd, a, n, flags), IF(r >= 0 && a, (W(a, *n), RW1(n))))
ROW(int, -1, socketpair, (int domain, int type, int protocol, int fd[2]),
    (domain, type, protocol, fd), IF(r == 0, W(fd, 2 * sizeof(*fd))))
ROW(int, -1, setsockopt,
    (int fd, int level, int name, const void *p, socklen_t n),
    (fd, level, name, p, n),
    IF(r == 0, (R(p, n), H_DEEP(p), IF(n == 2 * sizeof(p), H_EACH(p, 2)))))
ROW(int, -1, getsockopt, (int fd, int level, int name, void *p, socklen_t *n),
    (fd, level, name, p, n), IF(r == 0, (W(p, *n), RW1(n))))
ROW(int, -1, inet_pton, (int family, const char *s, void *to), (family, s, to),
    (R(s, STRING(s)), IF(r == 1, W(to, family == AF_INET ? 4 : 16))))
ROW(const char *, NULL, inet_ntop,
    (int family, const void *a, char *to, socklen_t n), (family, a, to, n),
    (R(a, family == AF_INET ? 4 : 16), IF(r, W(to, STRING(to)))))
ROW(int, 0, inet_aton, (const char *s, struct in_addr *to), (s, to),
    (R(s, STRING(s)), IF(r, W1(to))))
ROW(int, EAI_AGAIN, getaddrinfo,
    (const char *node, const char *service, const struct addrinfo *hints,
     struct addrinfo **all),
    (node, service, hints, all),
    (IF(node, R(node, STRING(node))), IF(service, R(service, STRING(service))),
     R1(hints), IF(r == 0, W1(all))))
ROW(int, EAI_AGAIN, getnameinfo,
    (const struct sockaddr *a, socklen_t n, char *host, socklen_t host_n,
     char *service, socklen_t service_n, int flags),
    (a, n, host, host_n, service, service_n, flags),
    (R(a, n), IF(r == 0 && host && host_n, W(host, STRING(host))),
     IF(r == 0 && service && service_n, W(service, STRING(service)))))

/* Patterns, files by pattern, characters of other sets */
ROW(int, REG_ESPACE, regcomp, (regex_t * x, const char *s, int flags),
    (x, s, flags), (R(s, STRING(s)), RW1(x)))
ROW(int, REG_NOMATCH, regexec,
    (const regex_t *x, const char *s, size_t n, regmatch_t *m, int flags),
    (x, s, n, m, flags),
    (R1(x), IF(flags &REG_STARTEND, H(s)),
     IF(!(flags & REG_STARTEND), R(s, STRING(s))),
     IF(r == 0 && m && !(x->re_nsub == 0 && n == 0), W(m, n * sizeof(*m)))))
VOID((void)0, regfree, (regex_t * x), (x), RW1(x))
ROW(size_t, 0, regerror, (int e, const regex_t *x, char *p, size_t n),
    (e, x, p, n), (R1(x), IF(n, W(p, r < n ? r : n))))
ROW(int, GLOB_NOSPACE, glob,
    (const char *s, int flags, int (*f)(const char *, int), glob_t *g),
    (s, flags, f, g), (R(s, STRING(s)), RW1(g)))
ROW(int, FNM_NOMATCH, fnmatch, (const char *pattern, const char *s, int flags),
    (pattern, s, flags), (R(pattern, STRING(pattern)), R(s, STRING(s))))
ROW(size_t, (size_t)-1, mbstowcs, (wchar_t * to, const char *s, size_t n),
    (to, s, n),
    IF(r != (size_t)-1,
       (R(s, STRING(s)), IF(to, W(to, (r + (r < n)) * sizeof(*to))))))
ROW(size_t, (size_t)-1, __mbstowcs_chk,
    (wchar_t * to, const char *s, size_t n, size_t room), (to, s, n, room),
    IF(r != (size_t)-1,
       (R(s, STRING(s)), IF(to, W(to, (r + (r < n)) * sizeof(*to))))))
ROW(size_t, (size_t)-1, __wcstombs_chk,
    (char *to, const wchar_t *s, size_t n, size_t room), (to, s, n, room),
    IF(r != (size_t)-1, (H(s), IF(to, W(to, r + (r < n))))))
ROW(size_t, (size_t)-1, wcstombs, (char *to, const wchar_t *s, size_t n),
    (to, s, n), IF(r != (size_t)-1, (H(s), IF(to, W(to, r + (r < n))))))
ROW(size_t, (size_t)-1, strxfrm, (char *to, const char *s, size_t n),
    (to, s, n), (R(s, STRING(s)), IF(n, W(to, r < n ? r + 1 : n))))
ROW(char *, NULL, strerror_r, (int e, char *p, size_t n), (e, p, n),
    IF(r == p && n, W(p, STRING(p))))
ROW(int, EINVAL, __xpg_strerror_r, (int e, char *p, size_t n), (e, p, n),
    IF(n, W(p, mmi_wrap_size_max(p, n))))
ROW(int, EINVAL, ttyname_r, (int fd, char *p, size_t n), (fd, p, n),
    IF(r == 0, W(p, STRING(p))))

/* Memory that the function keeps, or whose use is unknown. */
ROW(int, EOF, setvbuf, (FILE * f, char *p, int mode, size_t n), (f, p, mode, n),
    H(p))
ROW(FILE *, NULL, fmemopen, (void *p, size_t n, const char *mode), (p, n, mode),
    H(p))
ROW(FILE *, NULL, open_memstream, (char **p, size_t *n), (p, n), (H(p), H(n)))
ROW(size_t, (size_t)-1, iconv,
    (iconv_t c, char **from, size_t *left, char **to, size_t *room),
    (c, MOVED(from), left, MOVED(to), room), (H(left), H(room)))
ROW(size_t, (size_t)-1, mbsrtowcs,
    (wchar_t * to, const char **s, size_t n, mbstate_t *state),
    (to, MOVED(s), n, state), (H(to), H(state)))
ROW(size_t, (size_t)-1, wcsrtombs,
    (char *to, const wchar_t **s, size_t n, mbstate_t *state),
    (to, MOVED(s), n, state), (H(to), H(state)))
ROW(size_t, (size_t)-1, mbrtowc,
    (wchar_t * to, const char *s, size_t n, mbstate_t *state),
    (to, s, n, state), (H(to), H(s), H(state)))
ROW(size_t, (size_t)-1, wcrtomb, (char *to, wchar_t c, mbstate_t *state),
    (to, c, state), (H(to), H(state)))
#define ALL(a) H_EACH(a, sizeof(*(a)) / sizeof(void *))
ROW(int, -1, aio_read, (struct aiocb * a), (a), ALL(a))
ROW(int, -1, aio_write, (struct aiocb * a), (a), ALL(a))
ROW(int, -1, lio_listio,
    (int mode, struct aiocb *const v[], int n, struct sigevent *e),
    (mode, v, n, e), (listed(v, n), H(e)))
ROW(ssize_t, -1, vmsplice,
    (int fd, const struct iovec *v, size_t n, unsigned flags),
    (fd, v, n, flags), IF(r >= 0, H_AREAS(v, n)))
ROW(ssize_t, -1, process_vm_readv,
    (pid_t pid, const struct iovec *v, unsigned long n, const struct iovec *w,
     unsigned long m, unsigned long flags),
    (pid, v, n, w, m, flags), IF(r >= 0, (H_AREAS(v, n), H(w))))
ROW(int, -1, msgsnd, (int id, const void *p, size_t n, int flags),
    (id, p, n, flags), H(p))
ROW(ssize_t, -1, msgrcv, (int id, void *p, size_t n, long type, int flags),
    (id, p, n, type, flags), H(p))
ROW(int, -1, mq_send, (mqd_t q, const char *p, size_t n, unsigned priority),
    (q, p, n, priority), IF(r == 0, R(p, n)))
ROW(ssize_t, -1, mq_receive, (mqd_t q, char *p, size_t n, unsigned *priority),
    (q, p, n, priority), IF(r >= 0, (W(p, (size_t)r), W1(priority))))
ROW(int, -1, mq_getattr, (mqd_t q, struct mq_attr *a), (q, a),
    IF(r == 0, W1(a)))
ROW(int, -1, semop, (int id, struct sembuf *v, size_t n), (id, v, n),
    R(v, n * sizeof(*v)))
#define SPAWN(name) \
	ROW(int, -1, name, \
	    (pid_t * pid, const char *path, \
	     const posix_spawn_file_actions_t *a, const posix_spawnattr_t *b, \
	     char *const argv[], char *const env[]), \
	    (pid, path, a, b, argv, env), \
	    (H(path), H(a), H(b), \
	     IF(r == 0, (W1(pid), texts(argv), texts(env)))))
SPAWN(posix_spawn)
SPAWN(posix_spawnp)
ROW(int, -1, getopt, (int n, char *const v[], const char *s), (n, v, s),
    (IF(n > 0, H_EACH(v, n)), H(s)))
ROW(int, -1, getopt_long,
    (int n, char *const v[], const char *s, const struct option *o, int *i),
    (n, v, s, o, i), (IF(n > 0, H_EACH(v, n)), H(s), H_DEEP(o), H(i)))
#define ENTRY(name, kind, key) \
	ROW(int, EAGAIN, name, \
	    (key k, kind * e, char *p, size_t n, kind **found), \
	    (k, e, p, n, found), (H(e), H(p), IF(r == 0, W1(found))))
ENTRY(getpwnam_r, struct passwd, const char *)
ENTRY(getpwuid_r, struct passwd, uid_t)
ENTRY(getgrnam_r, struct group, const char *)
ENTRY(getgrgid_r, struct group, gid_t)
#undef ADDRESS
#undef ALL
#undef ATTRIBUTE
#undef COND
#undef ENTRY
#undef FDS
#undef LIMIT
#undef LOCK
#undef MUTEX
#undef NAME_OF
#undef SETTING
#undef SPAWN
#undef STAT
#undef STATFS
