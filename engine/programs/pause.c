/*
 * pause: the program that holds a pod's namespaces open and does nothing else.
 *
 * It waits for signals instead of handling them. The kernel drops signals to a process 1 that has no handler for them,
 * but never those that are blocked, so a stop signal takes effect immediately. As process 1 of a pod that shares its
 * process namespace it also inherits orphans and reaps them.
 */
#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>

int main(void) {
  sigset_t awaited;
  sigemptyset(&awaited);
  sigaddset(&awaited, SIGINT);
  sigaddset(&awaited, SIGTERM);
  sigaddset(&awaited, SIGCHLD);
  if (sigprocmask(SIG_BLOCK, &awaited, NULL) != 0) return 1;
  for (;;) {
    int received;
    if (sigwait(&awaited, &received) != 0) return 1;
    if (received != SIGCHLD) return 0;
    while (waitpid(-1, NULL, WNOHANG) > 0);
  }
}
