// A child process that tests stop at any of its system calls, or in which any of them fails (Linux on x86-64).
#pragma once

#if defined(__linux__) && defined(__x86_64__)
#define ONNX_LIGHT_CAN_TRACE 1

#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <functional>

#include "onnx_proto/export.h"

namespace ONNX_LIGHT_NAMESPACE::testing_support {

struct TracedCall {
  size_t count;  // from 1
  long number;   // SYS_…
  unsigned long arguments[6];
};
// What is done at a call: it goes on as it is, fails with an errno, or the child is killed before it.
struct Fate {
  enum { kGoesOn, kFails, kIsKilled } kind = kGoesOn;
  int error = 0;
};
struct TracedEnd {
  bool killed = false;
  int exit_code = -1;  // of the act: what it returned; -1 if it did not end by itself
  size_t calls = 0;    // that were made
};

// Calls by which AddressSanitizer's run-time asks for memory and gives it back, at moments of its own. It ends the process when one fails,
// so there they never do.
inline bool IsOfTheRunTime([[maybe_unused]] const TracedCall& call) {
#if defined(__SANITIZE_ADDRESS__)
  return (call.number == SYS_mmap && (call.arguments[3] & MAP_ANONYMOUS)) || call.number == SYS_munmap || call.number == SYS_madvise;
#else
  return false;
#endif
}

// Whether this process may trace its children at all (containers may forbid it, and ThreadSanitizer cannot live with it).
inline bool CanTrace();

// Runs `act` in a child; asks `fate` about each of its system calls.
inline TracedEnd RunTraced(const std::function<int()>& act, const std::function<Fate(const TracedCall&)>& fate) {
  TracedEnd end;
  const pid_t child = fork();
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(99);
    raise(SIGSTOP);
    const int code = act();
    syscall(SYS_getppid);  // the end, before the calls of leaving
    _exit(code);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFSTOPPED(status)) return end;
  ptrace(PTRACE_SETOPTIONS, child, nullptr, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
  bool enters = true;
  int failing = 0;
  for (long signal = 0;;) {
    ptrace(PTRACE_SYSCALL, child, nullptr, signal);
    signal = 0;
    waitpid(child, &status, 0);
    if (!WIFSTOPPED(status)) {
      if (WIFEXITED(status)) end.exit_code = WEXITSTATUS(status);
      return end;
    }
    if (WSTOPSIG(status) != (SIGTRAP | 0x80)) {
      signal = WSTOPSIG(status);
      continue;
    }
    user_regs_struct registers{};
    ptrace(PTRACE_GETREGS, child, nullptr, &registers);
    if (enters) {
      if (static_cast<long>(registers.orig_rax) == SYS_getppid) {
        ptrace(PTRACE_DETACH, child, nullptr, nullptr);
        waitpid(child, &status, 0);
        if (WIFEXITED(status)) end.exit_code = WEXITSTATUS(status);
        return end;
      }
      const TracedCall call{++end.calls,
                            static_cast<long>(registers.orig_rax),
                            {registers.rdi, registers.rsi, registers.rdx, registers.r10, registers.r8, registers.r9}};
      const Fate decided = fate(call);
      if (decided.kind == Fate::kIsKilled) {
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        end.killed = true;
        return end;
      }
      if (decided.kind == Fate::kFails && !IsOfTheRunTime(call)) {
        failing = decided.error;
        registers.orig_rax = static_cast<unsigned long long>(-1);  // no call at all
        ptrace(PTRACE_SETREGS, child, nullptr, &registers);
      }
    } else if (failing) {
      registers.rax = static_cast<unsigned long long>(-static_cast<long long>(failing));
      ptrace(PTRACE_SETREGS, child, nullptr, &registers);
      failing = 0;
    }
    enters = !enters;
  }
}

inline bool CanTrace() {
#if defined(__SANITIZE_THREAD__)
  return false;  // its run-time makes calls of its own, and ends the process when one fails
#endif
  const TracedEnd end = RunTraced([] { return 7; }, [](const TracedCall&) { return Fate(); });
  return end.exit_code == 7;
}

}  // namespace ONNX_LIGHT_NAMESPACE::testing_support

#endif
