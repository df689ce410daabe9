/*
 * limit-memory: sets a hard limit on the memory of a program, and becomes it.
 *
 *   limit-memory --data=BYTES PROGRAM [ARGUMENT...]
 *
 * The limit covers everything that a process may write to besides its stack, so that no request for memory can pass it,
 * and an unprivileged program cannot raise it. The arguments are those of prlimit. If the container as a whole runs out
 * of memory, the program is to be ended before the process that started it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int fail(const char *what) {
  if (write(STDERR_FILENO, what, strlen(what)) < 0) return 126;
  return 126;
}

int main(int count, char **arguments) {
  static const char option[] = "--data=";
  if (count < 3 || strncmp(arguments[1], option, strlen(option)) != 0) {
    return fail("usage: limit-memory --data=BYTES PROGRAM [ARGUMENT...]\n");
  }
  char *end;
  errno = 0;
  const unsigned long long bytes = strtoull(arguments[1] + strlen(option), &end, 10);
  if (errno != 0 || *end != '\0' || bytes == 0) return fail("limit-memory: not a number of bytes\n");
  const struct rlimit data = {.rlim_cur = bytes, .rlim_max = bytes};
  const struct rlimit none = {.rlim_cur = 0, .rlim_max = 0};
  if (setrlimit(RLIMIT_DATA, &data) != 0) return fail("limit-memory: cannot set the limit\n");
  setrlimit(RLIMIT_CORE, &none);
  const int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (score >= 0) {
    /* Without it the limit still holds. */
    if (write(score, "1000", 4) < 0) errno = 0;
    close(score);
  }
  execvp(arguments[2], arguments + 2);
  const int reason = errno;
  fail("limit-memory: cannot start the program\n");
  return reason == ENOENT ? 127 : 126;
}
