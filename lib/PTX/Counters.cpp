// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/PTX/Counters.h"

#include <nlohmann/json.hpp>

#include <cstdio>

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

Counters &Counters::operator+=(const Counters &other) {
  for (unsigned k = 0; k < classes; ++k)
    instructions[k] += other.instructions[k];
  for (auto &[bytes, count] : other.loadsByWidth)
    loadsByWidth[bytes] += count;
  for (auto &[bytes, count] : other.storesByWidth)
    storesByWidth[bytes] += count;
  for (uint64_t Counters::*member :
       {&Counters::warpInstructions, &Counters::globalBytesLoaded,
        &Counters::globalBytesStored, &Counters::loadSectors,
        &Counters::loadSectorsMinimum, &Counters::storeSectors,
        &Counters::storeSectorsMinimum, &Counters::sharedBytes,
        &Counters::bankConflicts, &Counters::branches,
        &Counters::divergentBranches, &Counters::barriers, &Counters::threads,
        &Counters::blocks})
    this->*member += other.*member;
  return *this;
}

/// Numbers for each element, with their names.
static std::vector<std::pair<std::string, double>>
perElement(const FunctionCounters &c) {
  std::vector<std::pair<std::string, double>> list;
  auto add = [&](const std::string &name, uint64_t value) {
    list.emplace_back(name, c.elements ? double(value) / c.elements : 0);
  };
  add("thread_instructions", c.total.threadInstructions());
  for (unsigned k = 0; k < Counters::classes; ++k)
    add("instructions." + std::string(Counters::name(Counters::Class(k))),
        c.total.instructions[k]);
  add("bytes", c.total.globalBytesLoaded + c.total.globalBytesStored);
  add("bytes_minimum", c.tensorBytes);
  uint64_t distinct = 0;
  for (const TensorCounters &tensor : c.tensors)
    distinct += tensor.distinctLoaded + tensor.distinctStored;
  add("bytes_distinct", distinct);
  return list;
}

static std::string decimal(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", value);
  return text;
}

/// What belongs to no single element.
static std::vector<std::pair<std::string, uint64_t>>
sectors(const Counters &total) {
  return {
      {"sectors", total.loadSectors + total.storeSectors},
      {"sectors_minimum", total.loadSectorsMinimum + total.storeSectorsMinimum},
  };
}

/// A tensor's numbers with their names.
static std::vector<std::pair<std::string, std::string>>
entries(const TensorCounters &c) {
  auto times = [](uint64_t total, uint64_t distinct) {
    return decimal(distinct ? double(total) / distinct : 0);
  };
  return {
      {"bytes", std::to_string(c.bytes)},
      {"bytes_read", std::to_string(c.distinctLoaded)},
      {"reads_per_byte", times(c.loaded, c.distinctLoaded)},
      {"bytes_written", std::to_string(c.distinctStored)},
      {"writes_per_byte", times(c.stored, c.distinctStored)},
  };
}

std::string FunctionCounters::text() const {
  std::string out = "elements " + std::to_string(elements) + "\n";
  for (auto &[name, value] : perElement(*this))
    out += "per_element." + name + " " + decimal(value) + "\n";
  for (auto &[name, value] : sectors(total))
    out += name + " " + std::to_string(value) + "\n";
  for (const TensorCounters &tensor : tensors)
    for (auto &[name, value] : entries(tensor))
      out += "tensors." + tensor.name + "." + name + " " + value + "\n";
  return out;
}

std::string FunctionCounters::json() const {
  std::string out =
      "\"elements\": " + std::to_string(elements) + ", \"per_element\": {";
  const char *separator = "";
  for (auto &[name, value] : perElement(*this)) {
    out += separator + ("\"" + name + "\": " + decimal(value));
    separator = ", ";
  }
  out += "}";
  for (auto &[name, value] : sectors(total))
    out += ", \"" + name + "\": " + std::to_string(value);
  out += ", \"tensors\": {";
  for (const TensorCounters &tensor : tensors) {
    out += (&tensor == tensors.data() ? "" : ", ") +
           nlohmann::json(tensor.name)
               .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) +
           ": {";
    separator = "";
    for (auto &[name, value] : entries(tensor)) {
      out += separator + ("\"" + name + "\": " + value);
      separator = ", ";
    }
    out += "}";
  }
  return out + "}";
}
