#include "gpu/abort_guard.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#ifndef _WIN32
#include <semaphore.h>
#include <unistd.h>
#endif

namespace imago::gpu {
namespace {

thread_local bool this_thread_guarded = false;
std::atomic<const char*> current_call{""};

#ifndef _WIN32

sem_t aborted;
struct sigaction previous_action;

void on_abort(int signal, siginfo_t* info, void* context) {
  // Only an abort() of the guarded thread itself: one sent by another process may land on any thread.
  if (this_thread_guarded && info->si_code == SI_TKILL && info->si_pid == getpid()) {
    sem_post(&aborted);
    for (;;) pause();
  }
  if ((previous_action.sa_flags & SA_SIGINFO) != 0 && previous_action.sa_sigaction != nullptr) {
    previous_action.sa_sigaction(signal, info, context);
    return;
  }
  if (previous_action.sa_handler != SIG_DFL && previous_action.sa_handler != SIG_IGN) {
    previous_action.sa_handler(signal);
    return;
  }
  std::signal(signal, SIG_DFL);
  raise(signal);
}

#endif

}  // namespace

#ifndef _WIN32

void guard_this_thread() {
  sem_init(&aborted, 0, 0);
  struct sigaction action = {};
  action.sa_sigaction = on_abort;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  this_thread_guarded = true;
  sigaction(SIGABRT, &action, &previous_action);
}

void wait_for_abort() {
  while (sem_wait(&aborted) != 0 && errno == EINTR) {
  }
}

#else

namespace {
std::atomic<bool> aborted{false};

void on_abort(int signal) {
  if (this_thread_guarded) {
    aborted = true;
    aborted.notify_all();
    for (;;) std::atomic<bool>(true).wait(true);
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}
}  // namespace

void guard_this_thread() {
  this_thread_guarded = true;
  std::signal(SIGABRT, on_abort);
}

void wait_for_abort() { aborted.wait(false); }

#endif

void entering(const char* what) { current_call.store(what, std::memory_order_relaxed); }

std::string aborted_in() { return current_call.load(std::memory_order_relaxed); }

}  // namespace imago::gpu
