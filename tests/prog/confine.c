/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Executes a program under a seccomp filter.  Calls that Docker's default
 * profile forbids a container without further capabilities fail with an error.
 *
 *	confine PROGRAM [ARGUMENT...]
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __x86_64__
#define ARCH AUDIT_ARCH_X86_64
#else
#define ARCH AUDIT_ARCH_AARCH64
#endif

#define NAMESPACES                                                             \
	(CLONE_NEWCGROUP | CLONE_NEWIPC | CLONE_NEWNET | CLONE_NEWNS |         \
	 CLONE_NEWPID | CLONE_NEWUSER | CLONE_NEWUTS)

#define LOAD(field)                                                            \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)
#define FORBID(call)                                                           \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 1),                \
		RETURN(SECCOMP_RET_ERRNO | EPERM)

static struct sock_filter filter[] = {
	LOAD(arch),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0),
	RETURN(SECCOMP_RET_ERRNO | EPERM),
	LOAD(nr),
	FORBID(acct),
	FORBID(add_key),
	FORBID(bpf),
	FORBID(clock_adjtime),
	FORBID(clock_settime),
	FORBID(delete_module),
	FORBID(fanotify_init),
	FORBID(finit_module),
	FORBID(fsconfig),
	FORBID(fsmount),
	FORBID(fsopen),
	FORBID(fspick),
	FORBID(get_mempolicy),
	FORBID(init_module),
	FORBID(kcmp),
	FORBID(kexec_file_load),
	FORBID(kexec_load),
	FORBID(keyctl),
	FORBID(lookup_dcookie),
	FORBID(mbind),
	FORBID(mount),
	FORBID(move_mount),
	FORBID(move_pages),
	FORBID(open_by_handle_at),
	FORBID(open_tree),
	FORBID(perf_event_open),
	FORBID(pivot_root),
	FORBID(quotactl),
	FORBID(reboot),
	FORBID(request_key),
	FORBID(set_mempolicy),
	FORBID(setns),
	FORBID(settimeofday),
	FORBID(swapoff),
	FORBID(swapon),
	FORBID(syslog),
	FORBID(umount2),
	FORBID(unshare),
	FORBID(userfaultfd),
	FORBID(vhangup),
#ifdef __x86_64__
	FORBID(ioperm),
	FORBID(iopl),
	FORBID(modify_ldt),
	FORBID(sysfs),
	FORBID(uselib),
	FORBID(ustat),
#endif
	/* After this error the C library tries clone(). */
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone3, 0, 1),
	RETURN(SECCOMP_RET_ERRNO | ENOSYS),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 3),
	LOAD(args[0]),
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NAMESPACES, 0, 1),
	RETURN(SECCOMP_RET_ERRNO | EPERM),
	RETURN(SECCOMP_RET_ALLOW),
};

int
main(int argc, char **argv)
{
	const struct sock_fprog prog = { sizeof(filter) / sizeof(*filter),
					 filter };

	if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog) != 0) {
		perror("confine");
		return 125;
	}
	execv(argv[1], argv + 1);
	perror(argv[1]);
	return 127;
}
