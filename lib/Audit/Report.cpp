// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Audit/Report.h"

#include <nlohmann/json.hpp>

using namespace prec::audit;
using Json = nlohmann::ordered_json;

const char *prec::audit::name(Verdict verdict) {
  static const char *names[] = {"proven", "tested", "refuted"};
  return names[unsigned(verdict)];
}

const char *prec::audit::name(Kind kind) {
  static const char *names[] = {"rounding-lost",   "rounding-added",
                                "rounding-moved",  "wrong-rounding-mode",
                                "double-rounding", "contraction",
                                "reassociation",   "wrong-function",
                                "subnormal-flush", "nan",
                                "signed-zero",     "other"};
  return names[unsigned(kind)];
}

Verdict Report::verdict() const {
  Verdict worst = Verdict::Proven;
  for (const OutputReport &output : outputs)
    worst = std::max(worst, output.verdict);
  return worst;
}

std::string prec::audit::hexOf(uint64_t bits, unsigned width) {
  static const char *digits = "0123456789abcdef";
  std::string text = "0x";
  for (unsigned k = (width + 3) / 4; k-- > 0;)
    text += digits[bits >> (4 * k) & 15];
  return text;
}

std::string prec::audit::textOf(const std::vector<int64_t> &index) {
  std::string text = "[";
  for (size_t i = 0; i < index.size(); ++i)
    text += (i ? ", " : "") + std::to_string(index[i]);
  return text + "]";
}

static std::string element(const std::string &name,
                           const std::vector<int64_t> &index) {
  return name + textOf(index);
}

/// What is wrong in one line, for text and SARIF.
static std::string summary(const OutputReport &o) {
  std::string text = std::string(name(o.kind));
  if (!o.explanation.empty())
    text += ": " + o.explanation;
  if (!o.point.empty())
    text += " at the point '" + o.point + "'";
  return text;
}

std::string prec::audit::toText(const Report &report) {
  std::string out;
  for (const OutputReport &o : report.outputs) {
    out += o.name + ": " + name(o.verdict) + " (" + std::to_string(o.elements) +
           " elements";
    // Without expressions there are no forms.
    if (o.reason.empty())
      out +=
          ", " + std::to_string(o.forms) + (o.forms == 1 ? " form" : " forms");
    out += ")\n";
    if (!o.reason.empty())
      out += "  run on values only: " + o.reason + "\n";
    if (o.verdict == Verdict::Tested) {
      out += "  " + std::to_string(o.proven) + " elements are proven";
      if (o.inputsTried)
        out += ", seed " + std::to_string(o.seed);
      out += "\n  " + o.coverage + "\n";
      if (o.undecided) {
        out += "  " + std::to_string(o.undecided) +
               " left open by approximate instructions: ";
        for (size_t k = 0; k < o.undecidedInputs.size(); ++k)
          out += (k ? "; " : "") + o.undecidedInputs[k];
        out += o.undecidedInputs.size() < o.undecided ? "; ...\n" : "\n";
      }
    }
    const std::string kernel =
        o.kernelLocation.empty()
            ? ""
            : "  the kernel's instruction: " + o.kernelLocation +
                  (o.kernelSource.empty() ? "" : " (" + o.kernelSource + ")") +
                  "\n";
    if (o.verdict != Verdict::Refuted) {
      out += kernel;
      continue;
    }
    out += "  " + summary(o) + "\n";
    if (!o.location.empty())
      out += "  the contract's operation: " + o.location + "\n";
    out += kernel;
    out += "  " + element(o.name, o.index) + ": expected " +
           hexOf(o.expected, o.width) + " but got " + hexOf(o.actual, o.width) +
           " (" + o.confirmation + ")\n";
    for (const Assignment &input : o.inputs)
      out += "    " + element(input.tensor, input.index) + " = " +
             hexOf(input.bits, input.width) + "\n";
    if (o.inputCount > o.inputs.size())
      out += "    and " + std::to_string(o.inputCount - o.inputs.size()) +
             " more\n";
    if (!o.expectedText.empty())
      out += "  expected: " + o.expectedText + "\n  actual:   " + o.actualText +
             "\n";
  }
  for (const std::string &line : report.approximations)
    out += "approximate: " + line + "\n";
  for (const std::string &line : report.assumptions)
    out += "assumed: " + line + "\n";
  return out;
}

std::string prec::audit::toJSON(const Report &report) {
  Json root;
  root["kernel"] = report.kernel;
  root["against"] = report.against;
  root["outputs"] = Json::array();
  for (const OutputReport &o : report.outputs) {
    Json j;
    j["name"] = o.name;
    j["verdict"] = name(o.verdict);
    j["elements"] = o.elements;
    j["forms"] = o.forms;
    if (!o.reason.empty())
      j["reason"] = o.reason;
    if (o.verdict != Verdict::Refuted)
      j["proven"] = o.proven;
    if (o.verdict != Verdict::Proven) {
      auto orNull = [](const std::string &text) {
        return text.empty() ? Json() : Json(text);
      };
      j["kernelLocation"] = orNull(o.kernelLocation);
      j["kernelSource"] = orNull(o.kernelSource);
    }
    if (o.verdict == Verdict::Tested) {
      j["tried"] = o.inputsTried;
      j["seed"] = o.seed;
      j["coverage"] = o.coverage;
      j["undecided"] = o.undecided;
      j["undecidedInputs"] = o.undecidedInputs;
    }
    if (o.verdict == Verdict::Refuted) {
      j["kind"] = name(o.kind);
      j["explanation"] = o.explanation;
      j["point"] = o.point.empty() ? Json() : Json(o.point);
      j["location"] = o.location.empty() ? Json() : Json(o.location);
      j["index"] = o.index;
      Json inputs = Json::object();
      for (const Assignment &input : o.inputs)
        inputs[element(input.tensor, input.index)] =
            hexOf(input.bits, input.width);
      j["inputs"] = inputs;
      j["inputCount"] = o.inputCount;
      j["expected"] = hexOf(o.expected, o.width);
      j["actual"] = hexOf(o.actual, o.width);
      if (!o.expectedText.empty()) {
        j["expectedExpression"] = o.expectedText;
        j["actualExpression"] = o.actualText;
      }
      j["confirmation"] = o.confirmation;
    }
    root["outputs"].push_back(j);
  }
  root["assumptions"] = report.assumptions;
  root["approximations"] = report.approximations;
  Json used = Json::object();
  for (const auto &[identity, count] : report.identities)
    used[identity] = count;
  root["identities"] = used;
  return root.dump(2) + "\n";
}

/// "FILE:LINE:COLUMN" or "FILE:LINE" as SARIF has it.
static Json place(const std::string &location, const std::string &fallback) {
  std::string file = location;
  unsigned numbers[2] = {0, 0};
  for (unsigned k = 2; k-- > 0;) {
    size_t colon = file.rfind(':');
    if (colon == std::string::npos ||
        file.find_first_not_of("0123456789", colon + 1) != std::string::npos)
      break;
    numbers[k] = unsigned(std::strtoul(file.c_str() + colon + 1, nullptr, 10));
    file.resize(colon);
  }
  if (numbers[0] == 0)
    std::swap(numbers[0], numbers[1]);
  Json j;
  j["physicalLocation"]["artifactLocation"]["uri"] =
      file.empty() ? fallback : file;
  if (numbers[0]) {
    j["physicalLocation"]["region"]["startLine"] = numbers[0];
    if (numbers[1])
      j["physicalLocation"]["region"]["startColumn"] = numbers[1];
  }
  return j;
}

std::string prec::audit::toSARIF(const Report &report) {
  // Values of their own: a new key moves what an object has.
  Json rules = Json::array(), results = Json::array();
  for (const OutputReport &o : report.outputs) {
    if (o.verdict == Verdict::Proven)
      continue;
    bool refuted = o.verdict == Verdict::Refuted;
    std::string rule = refuted ? name(o.kind) : "not-proven";
    bool known = false;
    for (const Json &r : rules)
      known |= r["id"] == rule;
    if (!known)
      rules.push_back(Json{{"id", rule}});
    Json j;
    j["ruleId"] = rule;
    j["level"] = refuted ? "error" : "note";
    j["message"]["text"] =
        refuted ? o.name + ": " + summary(o) + "; " + element(o.name, o.index) +
                      " must be " + hexOf(o.expected, o.width) + " but is " +
                      hexOf(o.actual, o.width)
                : o.name + ": tested, not proven; " +
                      (o.reason.empty() ? "" : o.reason + "; ") + o.coverage;
    // The result stands at the kernel's instruction; the contract's operation
    // and the source line of the kernel are related.
    j["locations"] = Json::array({place(o.kernelLocation, report.kernel)});
    Json related = Json::array();
    for (const auto &[location, text] :
         {std::pair(o.location, "the contract's operation"),
          std::pair(o.kernelSource, "the kernel's source")}) {
      if (location.empty())
        continue;
      Json at = place(location, location);
      at["message"]["text"] = text;
      related.push_back(at);
    }
    if (!related.empty())
      j["relatedLocations"] = related;
    results.push_back(j);
  }
  Json driver;
  driver["name"] = "prec-audit";
  driver["rules"] = std::move(rules);
  Json run;
  run["tool"]["driver"] = std::move(driver);
  run["results"] = std::move(results);
  Json root;
  root["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
  root["version"] = "2.1.0";
  root["runs"] = Json::array({run});
  return root.dump(2) + "\n";
}
