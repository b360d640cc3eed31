// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// usage: prec-sweep [--list] [--shard=I/N] [NAME...]
//
// Checks claims about bits on every input; all of them, or those named. With
// --shard, part I (from 0) of N of each. Exit code 0: no difference; 1: some;
// 2: bad usage.
#include "Sweep.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <unistd.h>

using namespace prec::sweep;

std::string prec::sweep::spell(float x) {
  uint32_t bits = __builtin_bit_cast(uint32_t, x);
  char text[64];
  std::snprintf(text, sizeof text, "%a (0x%08x)", double(x), bits);
  return text;
}

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Runs one part of a sweep with a line of progress; whether it holds.
bool runSweep(const Sweep &sweep, unsigned shard, unsigned shards) {
  uint64_t begin = sweep.size / shards * shard;
  uint64_t end =
      shard + 1 == shards ? sweep.size : sweep.size / shards * (shard + 1);
  Differences differences;
  Clock::time_point start = Clock::now(), shown = start;
  constexpr uint64_t step = 1 << 22;
  // On a terminal one line that changes, in a log a line now and then.
  bool terminal = isatty(STDERR_FILENO);
  for (uint64_t at = begin; at < end;) {
    uint64_t next = std::min(at + step, end);
    sweep.check(at, next, differences);
    at = next;
    if (secondsSince(shown) < (terminal ? 0.5 : 30) || at == end)
      continue;
    shown = Clock::now();
    double done = double(at - begin) / double(end - begin);
    std::fprintf(stderr, "%s%s: %.1f%%, %.0f s left%s", terminal ? "\r" : "",
                 sweep.name.c_str(), 100 * done,
                 secondsSince(start) / done * (1 - done),
                 terminal ? "   " : "\n");
  }
  std::fprintf(stderr, "%s", terminal ? "\r\33[K" : "");
  for (const std::string &text : differences.first())
    std::printf("  %s: %s\n", sweep.name.c_str(), text.c_str());
  std::printf("%s: %llu inputs, %llu differences, %.0f s\n", sweep.name.c_str(),
              static_cast<unsigned long long>(end - begin),
              static_cast<unsigned long long>(differences.count()),
              secondsSince(start));
  std::fflush(stdout);
  return differences.count() == 0;
}

int usage(const char *problem, const char *argument) {
  std::fprintf(stderr,
               "error: %s '%s'\n"
               "usage: prec-sweep [--list] [--shard=I/N] [NAME...]\n",
               problem, argument);
  return 2;
}

} // namespace

int main(int argc, char **argv) {
  std::vector<Sweep> sweeps;
  for (auto make : {roundingSweeps, arithmeticSweeps, expansionSweeps})
    for (Sweep &sweep : make())
      sweeps.push_back(std::move(sweep));

  unsigned shard = 0, shards = 1;
  std::vector<const Sweep *> chosen;
  for (int i = 1; i < argc; ++i) {
    char rest;
    if (std::strcmp(argv[i], "--list") == 0) {
      for (const Sweep &sweep : sweeps)
        std::printf("%-12s %s\n", sweep.name.c_str(), sweep.claim.c_str());
      return 0;
    }
    if (std::strncmp(argv[i], "--", 2) == 0) {
      if (std::sscanf(argv[i], "--shard=%u/%u%c", &shard, &shards, &rest) !=
              2 ||
          shard >= shards)
        return usage("expected --list or --shard=I/N with I < N but got",
                     argv[i]);
      continue;
    }
    size_t before = chosen.size();
    for (const Sweep &sweep : sweeps)
      if (sweep.name == argv[i])
        chosen.push_back(&sweep);
    if (chosen.size() == before)
      return usage("no sweep is named", argv[i]);
  }
  if (chosen.empty())
    for (const Sweep &sweep : sweeps)
      chosen.push_back(&sweep);

  bool good = true;
  for (const Sweep *sweep : chosen)
    good &= runSweep(*sweep, shard, shards);
  return good ? 0 : 1;
}
