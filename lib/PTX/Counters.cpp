// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/PTX/Counters.h"

#include <vector>

using namespace prec::ptx;

const char *Counters::name(Class c) {
  static const char *names[] = {
      "global_load", "global_store", "global_atomic", "shared",
      "local",       "param",        "f32",           "f64",
      "packed16",    "matrix",       "conversion",    "special_function",
      "integer",     "move",         "control",       "synchronization"};
  static_assert(sizeof(names) / sizeof(*names) == classes);
  return names[unsigned(c)];
}

uint64_t Counters::threadInstructions() const {
  uint64_t sum = 0;
  for (uint64_t count : instructions)
    sum += count;
  return sum;
}

/// Every counter with its name, in the order in which they are shown.
static std::vector<std::pair<std::string, uint64_t>>
entries(const Counters &c) {
  std::vector<std::pair<std::string, uint64_t>> list{
      {"blocks", c.blocks},
      {"threads", c.threads},
      {"thread_instructions", c.threadInstructions()},
      {"warp_instructions", c.warpInstructions}};
  for (unsigned k = 0; k < Counters::classes; ++k)
    list.emplace_back("instructions." +
                          std::string(Counters::name(Counters::Class(k))),
                      c.instructions[k]);
  for (auto &[bytes, count] : c.loadsByWidth)
    list.emplace_back("loads." + std::to_string(bytes), count);
  for (auto &[bytes, count] : c.storesByWidth)
    list.emplace_back("stores." + std::to_string(bytes), count);
  list.insert(list.end(), {{"global_bytes_loaded", c.globalBytesLoaded},
                           {"global_bytes_stored", c.globalBytesStored},
                           {"load_sectors", c.loadSectors},
                           {"load_sectors_minimum", c.loadSectorsMinimum},
                           {"store_sectors", c.storeSectors},
                           {"store_sectors_minimum", c.storeSectorsMinimum},
                           {"shared_bytes", c.sharedBytes},
                           {"bank_conflicts", c.bankConflicts},
                           {"branches", c.branches},
                           {"divergent_branches", c.divergentBranches},
                           {"barriers", c.barriers}});
  return list;
}

std::string Counters::text() const {
  std::string out;
  for (auto &[name, value] : entries(*this))
    out += name + " " + std::to_string(value) + "\n";
  return out;
}

std::string Counters::json() const {
  std::string out;
  for (auto &[name, value] : entries(*this))
    out +=
        (out.empty() ? "{\"" : ", \"") + name + "\": " + std::to_string(value);
  return out + "}";
}
