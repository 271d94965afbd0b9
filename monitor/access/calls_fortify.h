/* SPDX-License-Identifier: MIT */
/*
 * gcc's option -include puts this file before all others in programs whose
 * accesses are recorded by calls.  With -D_FORTIFY_SOURCE, libc's headers call
 * the checking functions as __builtin___memset_chk() and so on.  gcc turns
 * these into plain instructions after it has placed its calls, in spite of
 * -fno-builtin-memset.  Here they become libc's functions, which check the same
 * and are counted.  Its names collide with no other header.
 */
#if !defined __ASSEMBLER__ && !defined MEMMON_CALLS_FORTIFY
#define MEMMON_CALLS_FORTIFY

#pragma GCC system_header

#ifdef __cplusplus
extern "C" {
#endif

#define MEMMON_CHECKS(result, name, ...) \
	extern result memmon_checked_##name(__VA_ARGS__) __asm__( \
		"__" #name "_chk") __attribute__((__nothrow__, __leaf__));
MEMMON_CHECKS(void *, memcpy, void *, const void *, __SIZE_TYPE__,
	      __SIZE_TYPE__)
MEMMON_CHECKS(void *, memmove, void *, const void *, __SIZE_TYPE__,
	      __SIZE_TYPE__)
MEMMON_CHECKS(void *, mempcpy, void *, const void *, __SIZE_TYPE__,
	      __SIZE_TYPE__)
MEMMON_CHECKS(void *, memset, void *, int, __SIZE_TYPE__, __SIZE_TYPE__)
MEMMON_CHECKS(char *, strcpy, char *, const char *, __SIZE_TYPE__)
MEMMON_CHECKS(char *, stpcpy, char *, const char *, __SIZE_TYPE__)
MEMMON_CHECKS(char *, strcat, char *, const char *, __SIZE_TYPE__)
MEMMON_CHECKS(char *, strncpy, char *, const char *, __SIZE_TYPE__,
	      __SIZE_TYPE__)
MEMMON_CHECKS(char *, stpncpy, char *, const char *, __SIZE_TYPE__,
	      __SIZE_TYPE__)
MEMMON_CHECKS(char *, strncat, char *, const char *, __SIZE_TYPE__,
	      __SIZE_TYPE__)
MEMMON_CHECKS(int, sprintf, char *, int, __SIZE_TYPE__, const char *, ...)
MEMMON_CHECKS(int, snprintf, char *, __SIZE_TYPE__, int, __SIZE_TYPE__,
	      const char *, ...)
MEMMON_CHECKS(int, vsprintf, char *, int, __SIZE_TYPE__, const char *,
	      __builtin_va_list)
MEMMON_CHECKS(int, vsnprintf, char *, __SIZE_TYPE__, int, __SIZE_TYPE__,
	      const char *, __builtin_va_list)
#undef MEMMON_CHECKS

#ifdef __cplusplus
}
#endif

#define __builtin___memcpy_chk memmon_checked_memcpy
#define __builtin___memmove_chk memmon_checked_memmove
#define __builtin___mempcpy_chk memmon_checked_mempcpy
#define __builtin___memset_chk memmon_checked_memset
#define __builtin___strcpy_chk memmon_checked_strcpy
#define __builtin___stpcpy_chk memmon_checked_stpcpy
#define __builtin___strcat_chk memmon_checked_strcat
#define __builtin___strncpy_chk memmon_checked_strncpy
#define __builtin___stpncpy_chk memmon_checked_stpncpy
#define __builtin___strncat_chk memmon_checked_strncat
#define __builtin___sprintf_chk memmon_checked_sprintf
#define __builtin___snprintf_chk memmon_checked_snprintf
#define __builtin___vsprintf_chk memmon_checked_vsprintf
#define __builtin___vsnprintf_chk memmon_checked_vsnprintf

#endif
