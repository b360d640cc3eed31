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

Experiment::Score Experiment::agreement(const Lanes &outcomes,
                                        const Lanes &values) const {
  if (outcomes.size() != values.size())
    return {};
  size_t same = 0, sameThere = 0;
  for (size_t i = 0; i < values.size(); ++i)
    same += outcomes.mayBe(i, values.value[i]);
  for (size_t i : differing)
    sameThere += outcomes.mayBe(i, values.value[i]);
  return {double(same) / double(values.size()),
          double(sameThere) / double(std::max<size_t>(differing.size(), 1))};
}

Experiment::Score Experiment::score(Node n) const {
  return agreement(actualLanes, evaluate(n));
}

Experiment::Score Experiment::scoreActual(Node n) const {
  Lanes lanes = evaluate(n);
  lanes.format = &format;
  return agreement(lanes, expectedLanes);
}
