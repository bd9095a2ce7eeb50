/* SPDX-License-Identifier: Apache-2.0 */
/* What a C library of 2018 (glibc 2.27) does not have under the names that today's headers use (tools/old_runtime.py). */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/stat.h>
#include <time.h>

#define HIDDEN __attribute__((visibility("hidden")))

/* Says that there may be other threads, which is always right: counts of references are then atomic. */
HIDDEN char __libc_single_threaded = 0;

#ifdef __x86_64__
enum { kStatVersion = 1 };
#else
enum { kStatVersion = 0 };
#endif
int __xstat(int version, const char* path, struct stat* found);
int __lxstat(int version, const char* path, struct stat* found);
int __fxstat(int version, int file, struct stat* found);
int __fxstatat(int version, int folder, const char* path, struct stat* found, int flags);

HIDDEN int stat(const char* path, struct stat* found) {
  return __xstat(kStatVersion, path, found);
}
HIDDEN int lstat(const char* path, struct stat* found) {
  return __lxstat(kStatVersion, path, found);
}
HIDDEN int fstat(int file, struct stat* found) {
  return __fxstat(kStatVersion, file, found);
}
HIDDEN int fstatat(int folder, const char* path, struct stat* found, int flags) {
  return __fxstatat(kStatVersion, folder, path, found, flags);
}

/* Waits until a moment of another clock: that moment of the wall clock which is as far away now. */
HIDDEN int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                  const struct timespec* until) {
  enum { kSecond = 1000000000 };
  struct timespec now, wall;
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &wall);
  wall.tv_sec += until->tv_sec - now.tv_sec;
  wall.tv_nsec += until->tv_nsec - now.tv_nsec;
  if (wall.tv_nsec < 0) {
    wall.tv_nsec += kSecond;
    --wall.tv_sec;
  } else if (wall.tv_nsec >= kSecond) {
    wall.tv_nsec -= kSecond;
    ++wall.tv_sec;
  }
  return pthread_cond_timedwait(condition, mutex, &wall);
}
