/* SPDX-License-Identifier: Apache-2.0 */
/* The first steps of a program (tools/old_runtime.py). Since glibc 2.34 the C library runs the constructors of a program; before that
 * every program brought the function that does it. Linked with --wrap=__libc_start_main. */
#include <stddef.h>

typedef void Function(int, char**, char**);
extern Function* __init_array_start[] __attribute__((visibility("hidden")));
extern Function* __init_array_end[] __attribute__((visibility("hidden")));
void _init(void);

static void construct(int argc, char** argv, char** environment) {
  _init();
  for (Function** next = __init_array_start; next != __init_array_end; ++next)
    (*next)(argc, argv, environment);
}

int __real___libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, Function* init,
                             void (*fini)(void), void (*loader_fini)(void), void* stack_end);
int __wrap___libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, Function* init,
                             void (*fini)(void), void (*loader_fini)(void), void* stack_end) {
  (void)init;
  (void)fini;
  return __real___libc_start_main(main, argc, argv, construct, NULL, loader_fini, stack_end);
}
