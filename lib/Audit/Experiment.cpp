// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Experiment.h"

#include <algorithm>

using namespace prec;
using namespace prec::audit;
using num::Format;
using sym::Node;

Experiment::Experiment(sym::Graph &graph, Inputs &inputs,
                       const Inputs::Hints &hints, Node expected, Node actual,
                       const Format &format, size_t n)
    : graph(graph), format(format) {
  Batch batch(graph, {expected, actual});
  leaves = batch.leaves();
  values = inputs.make(leaves, n, hints);
  batch.run(values);
  expectedLanes = batch[expected];
  actualLanes = batch[actual];
  actualLanes.format = &format;
  for (size_t i = 0; i < actualLanes.size(); ++i)
    if (!actualLanes.mayBe(i, expectedLanes.value[i]))
      differing.push_back(i);
}

Lanes Experiment::evaluate(Node n) const {
  Batch batch(graph, {n});
  std::vector<std::vector<uint64_t>> chosen;
  for (Node leaf : batch.leaves())
    chosen.push_back(values[size_t(
        std::find(leaves.begin(), leaves.end(), leaf) - leaves.begin())]);
  if (chosen.empty())
    return {};
  batch.run(chosen);
  return batch[n];
}

Experiment::Score Experiment::score(Node n) const {
  Lanes lanes = evaluate(n);
  if (lanes.size() != actualLanes.size())
    return {};
  size_t same = 0, sameThere = 0;
  for (size_t i = 0; i < lanes.size(); ++i)
    same += actualLanes.mayBe(i, lanes.value[i]);
  for (size_t i : differing)
    sameThere += actualLanes.mayBe(i, lanes.value[i]);
  return {double(same) / double(lanes.size()),
          double(sameThere) / double(std::max<size_t>(differing.size(), 1))};
}

Experiment::Score Experiment::scoreActual(Node n) const {
  Lanes lanes = evaluate(n);
  if (lanes.size() != expectedLanes.size())
    return {};
  lanes.format = &format;
  size_t same = 0, sameThere = 0;
  for (size_t i = 0; i < lanes.size(); ++i)
    same += lanes.mayBe(i, expectedLanes.value[i]);
  for (size_t i : differing)
    sameThere += lanes.mayBe(i, expectedLanes.value[i]);
  return {double(same) / double(lanes.size()),
          double(sameThere) / double(std::max<size_t>(differing.size(), 1))};
}
