// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Launch/Description.h"
#include "prec/Numerics/Rounding.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

using namespace prec::launch;
using Json = nlohmann::ordered_json;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Parameter Parameter::makeTensor(std::string name, std::string aliases) {
  Parameter p;
  p.tensor = std::move(name);
  p.aliases = std::move(aliases);
  return p;
}
Parameter Parameter::makeScalar(std::string type, std::string value) {
  Parameter p;
  p.kind = Kind::Scalar;
  p.type = std::move(type);
  p.value = std::move(value);
  return p;
}
Parameter Parameter::makeNull() {
  Parameter p;
  p.kind = Kind::NullPointer;
  return p;
}
Parameter Parameter::makeStruct(unsigned bytes, std::vector<Parameter> fields) {
  Parameter p;
  p.kind = Kind::Struct;
  p.bytes = bytes;
  p.fields = std::move(fields);
  return p;
}
Parameter Parameter::at(unsigned offset) const {
  Parameter p = *this;
  p.offset = offset;
  return p;
}

std::vector<const Parameter *> Parameter::parts() const {
  if (kind != Kind::Struct)
    return {this};
  std::vector<const Parameter *> parts;
  for (const Parameter &field : fields)
    parts.push_back(&field);
  return parts;
}

bool Parameter::operator==(const Parameter &o) const {
  return kind == o.kind && tensor == o.tensor && aliases == o.aliases &&
         type == o.type && value == o.value && bytes == o.bytes &&
         fields == o.fields && offset == o.offset;
}
bool Condition::operator==(const Condition &o) const {
  return alignment == o.alignment && left == o.left && right == o.right &&
         is == o.is;
}
bool Kernel::operator==(const Kernel &o) const {
  return entry == o.entry && grid == o.grid && block == o.block &&
         dynamicShared == o.dynamicShared && params == o.params &&
         alternatives == o.alternatives && extra == o.extra;
}
bool Alternative::operator==(const Alternative &o) const {
  return unless == o.unless && conditions == o.conditions && kernel == o.kernel;
}
bool Buffer::operator==(const Buffer &o) const {
  return name == o.name && type == o.type && shape == o.shape;
}
bool Description::operator==(const Description &o) const {
  return function == o.function && target == o.target && dims == o.dims &&
         kernels == o.kernels && temporaries == o.temporaries &&
         results == o.results && extra == o.extra;
}

/// PTX limits the parameters of a kernel to fewer.
static constexpr unsigned maxStructBytes = 32768;

/// Bytes of a parameter.
static unsigned parameterSize(const Parameter &p) {
  switch (p.kind) {
  case Parameter::Kind::Scalar:
    return elementBytes(p.type);
  case Parameter::Kind::Struct:
    return p.bytes;
  case Parameter::Kind::Tensor:
  case Parameter::Kind::NullPointer:
    break;
  }
  return 8;
}

std::vector<const Parameter *> Kernel::allParts() const {
  std::vector<const Parameter *> all;
  auto add = [&](const Kernel &kernel) {
    for (const Parameter &parameter : kernel.params)
      for (const Parameter *part : parameter.parts())
        all.push_back(part);
  };
  add(*this);
  for (const Alternative &alternative : alternatives)
    add(alternative.kernel);
  return all;
}

bool prec::launch::isComparison(std::string_view text) {
  return text == "==" || text == "!=" || text == "<" || text == "<=" ||
         text == ">" || text == ">=";
}

unsigned prec::launch::elementBytes(std::string_view type) {
  static const std::pair<std::string_view, unsigned> known[] = {
      {"i1", 1},  {"i8", 1},  {"u8", 1},  {"i16", 2},      {"u16", 2},
      {"i32", 4}, {"u32", 4}, {"i64", 8}, {"u64", 8},      {"bf16", 2},
      {"f16", 2}, {"f32", 4}, {"f64", 8}, {"f8E4M3FN", 1}, {"f8E5M2", 1}};
  for (auto &[name, bytes] : known)
    if (name == type)
      return bytes;
  return 0;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// Walks the JSON; `where` is the path of the value at hand. The first error
/// ends the walk (every function then returns false).
class Reader {
public:
  Reader(std::string_view file, std::string &error)
      : file(file), error(error) {}

  bool description(const Json &json, Description &out) {
    if (!object(json, "the launch description"))
      return false;
    // The version decides what every other key means: it is checked first.
    auto version = json.find("version");
    if (version == json.end())
      return fail("expected key 'version'");
    if (!version->is_number_integer() || version->get<int64_t>() != 1)
      return fail("version: expected 1 but got " + version->dump());
    for (auto &[key, value] : json.items()) {
      where = key;
      bool ok = true;
      if (key == "version")
        continue;
      if (key == "function")
        ok = string(value, out.function);
      else if (key == "target")
        ok = string(value, out.target);
      else if (key == "dims")
        ok = dims(value, out.dims);
      else if (key == "kernels")
        ok = list(value, out.kernels, &Reader::kernel);
      else if (key == "temporaries")
        ok = list(value, out.temporaries, &Reader::buffer);
      else if (key == "results")
        ok = list(value, out.results, &Reader::buffer);
      else
        out.extra[key] = value.dump();
      if (!ok)
        return false;
    }
    where.clear();
    if (out.kernels.empty())
      return fail("expected at least one kernel in 'kernels'");
    return checkNames(out);
  }

private:
  bool fail(const std::string &message) {
    error = std::string(file) + ": " + (where.empty() ? "" : where + ": ") +
            message;
    return false;
  }
  bool object(const Json &json, const char *what) {
    return json.is_object() || fail(std::string("expected an object for ") +
                                    what + " but got " + json.type_name());
  }
  bool string(const Json &json, std::string &out) {
    if (!json.is_string())
      return fail(std::string("expected a string but got ") + json.type_name());
    out = json.get<std::string>();
    return true;
  }

  /// Runs `element` on every item of a list.
  template <typename T>
  bool list(const Json &json, std::vector<T> &out,
            bool (Reader::*element)(const Json &, T &)) {
    if (!json.is_array())
      return fail(std::string("expected a list but got ") + json.type_name());
    std::string outer = where;
    for (size_t i = 0; i < json.size(); ++i) {
      where = outer + "[" + std::to_string(i) + "]";
      if (!(this->*element)(json[i], out.emplace_back()))
        return false;
    }
    where = outer;
    return true;
  }

  /// An integer or an expression in a string.
  bool expression(const Json &json, Expression &out) {
    if (json.is_number_integer()) {
      if (json.is_number_unsigned() && json.get<uint64_t>() > INT64_MAX)
        return fail("integer out of range");
      out = Expression(json.get<int64_t>());
      return true;
    }
    if (!json.is_string())
      return fail(std::string("expected an integer or an expression but got ") +
                  json.type_name());
    std::string message;
    auto parsed = Expression::parse(json.get<std::string>(), message);
    if (!parsed)
      return fail(message);
    out = *parsed;
    return true;
  }

  bool triple(const Json &json, std::array<Expression, 3> &out) {
    if (!json.is_array() || json.empty() || json.size() > 3)
      return fail("expected a list of one to three sizes");
    std::string outer = where;
    for (size_t i = 0; i < json.size(); ++i) {
      where = outer + "[" + std::to_string(i) + "]";
      if (!expression(json[i], out[i]))
        return false;
    }
    where = outer;
    return true;
  }

  bool dims(const Json &json, std::map<std::string, Dim> &out) {
    if (!object(json, "dims"))
      return false;
    for (auto &[name, value] : json.items()) {
      where = "dims." + name;
      std::string text;
      if (!string(value, text))
        return false;
      size_t dot = text.rfind('.');
      bool good =
          dot != std::string::npos && dot != 0 && dot + 1 < text.size() &&
          text.size() - dot <= 4 &&
          text.find_first_not_of("0123456789", dot + 1) == std::string::npos;
      if (!good)
        return fail("expected 'TENSOR.INDEX' but got '" + text + "'");
      out[name] = {text.substr(0, dot),
                   unsigned(std::stoul(text.substr(dot + 1)))};
    }
    return true;
  }

  bool condition(const Json &json, Condition &out) {
    if (!object(json, "a condition"))
      return false;
    if (json.contains("aligned")) {
      const Json &value = json["aligned"];
      bool good = value.is_number_unsigned() && value.get<uint64_t>() <= 4096;
      out.alignment = good ? value.get<unsigned>() : 0;
      good = out.alignment && (out.alignment & (out.alignment - 1)) == 0;
      return good || fail("expected a power of two up to 4096 for 'aligned' "
                          "but got " +
                          value.dump());
    }
    for (const char *key : {"left", "is", "right"})
      if (!json.contains(key))
        return fail(std::string("expected key 'aligned', or 'left', 'is' and "
                                "'right'"));
    if (!expression(json["left"], out.left) ||
        !expression(json["right"], out.right) || !string(json["is"], out.is))
      return false;
    return isComparison(out.is) || fail("unknown comparison '" + out.is +
                                        "', expected ==, !=, <, <=, > or >=");
  }

  bool alternative(const Json &json, Alternative &out) {
    if (!kernel(json, out.kernel))
      return false;
    out.unless = json.contains("unless");
    if (json.contains("when") == out.unless)
      return fail("expected one of the keys 'when' and 'unless'");
    if (!out.kernel.alternatives.empty())
      return fail("an alternative has no alternatives of its own");
    const char *key = out.unless ? "unless" : "when";
    out.kernel.extra.erase(key);
    std::string outer = where;
    where += std::string(".") + key;
    if (!list(json[key], out.conditions, &Reader::condition))
      return false;
    where = outer;
    return true;
  }

  bool kernel(const Json &json, Kernel &out) {
    if (!object(json, "a kernel"))
      return false;
    std::string outer = where;
    for (auto &[key, value] : json.items()) {
      where = outer + "." + key;
      bool ok = true;
      if (key == "entry")
        ok = string(value, out.entry);
      else if (key == "grid")
        ok = triple(value, out.grid);
      else if (key == "block")
        ok = triple(value, out.block);
      else if (key == "dynamic_shared")
        ok = expression(value, out.dynamicShared);
      else if (key == "params")
        ok = list(value, out.params, &Reader::parameter);
      else if (key == "alternatives")
        ok = list(value, out.alternatives, &Reader::alternative);
      else
        out.extra[key] = value.dump();
      if (!ok)
        return false;
    }
    where = outer;
    for (const char *key : {"entry", "grid", "block", "params"})
      if (!json.contains(key))
        return fail(std::string("expected key '") + key + "'");
    return true;
  }

  bool parameter(const Json &json, Parameter &out) {
    if (!object(json, "a parameter"))
      return false;
    if (json.contains("tensor")) {
      out.kind = Parameter::Kind::Tensor;
      return string(json["tensor"], out.tensor) &&
             (!json.contains("aliases") ||
              string(json["aliases"], out.aliases));
    }
    if (json.contains("scalar")) {
      out.kind = Parameter::Kind::Scalar;
      if (!string(json["scalar"], out.type))
        return false;
      static const char *types[] = {"i8",   "i16", "i32", "i64",
                                    "bf16", "f16", "f32", "f64"};
      bool known = false;
      for (const char *type : types)
        known |= out.type == type;
      if (!known)
        return fail("unknown scalar type '" + out.type +
                    "', expected i8, i16, i32, i64, bf16, f16, f32 or f64");
      if (!json.contains("value"))
        return fail("expected key 'value'");
      const Json &value = json["value"];
      if (value.is_string())
        out.value = value.get<std::string>();
      else if (value.is_number())
        out.value = value.dump();
      else
        return fail(std::string("expected a number or a string for 'value' "
                                "but got ") +
                    value.type_name());
      return true;
    }
    if (json.contains("pointer")) {
      out.kind = Parameter::Kind::NullPointer;
      std::string text;
      if (!string(json["pointer"], text))
        return false;
      return text == "null" ||
             fail("expected \"null\" for 'pointer' but got \"" + text + "\"");
    }
    if (json.contains("struct"))
      return structure(json, out);
    return fail("expected key 'tensor', 'scalar', 'pointer' or 'struct'");
  }

  /// A number of bytes that a struct can have.
  bool byteCount(const Json &json, const char *key, unsigned &out) {
    if (!json.contains(key))
      return fail(std::string("expected key '") + key + "'");
    const Json &value = json[key];
    if (!value.is_number_unsigned() || value.get<uint64_t>() > maxStructBytes)
      return fail(std::string("expected 0 to ") +
                  std::to_string(maxStructBytes) + " for '" + key +
                  "' but got " + value.dump());
    out = value.get<unsigned>();
    return true;
  }

  bool field(const Json &json, Parameter &out) {
    return parameter(json, out) && byteCount(json, "at", out.offset);
  }

  /// Fields in any order that lie in the struct and apart from each other.
  bool structure(const Json &json, Parameter &out) {
    out.kind = Parameter::Kind::Struct;
    if (!byteCount(json, "bytes", out.bytes))
      return false;
    std::string outer = where;
    where += ".struct";
    if (!list(json["struct"], out.fields, &Reader::field))
      return false;
    std::vector<bool> used(out.bytes);
    for (size_t i = 0; i < out.fields.size(); ++i) {
      const Parameter &field = out.fields[i];
      where = outer + ".struct[" + std::to_string(i) + "]";
      if (field.kind == Parameter::Kind::Struct)
        return fail("a struct in a struct: list its fields in the outer one");
      unsigned size = parameterSize(field);
      if (field.offset + size > out.bytes)
        return fail("bytes " + std::to_string(field.offset) + " to " +
                    std::to_string(field.offset + size - 1) +
                    " are not in a struct of " + std::to_string(out.bytes) +
                    " bytes");
      for (unsigned b = field.offset; b < field.offset + size; ++b) {
        if (used[b])
          return fail("byte " + std::to_string(b) + " is in two fields");
        used[b] = true;
      }
    }
    where = outer;
    return true;
  }

  bool buffer(const Json &json, Buffer &out) {
    if (!object(json, "a tensor"))
      return false;
    for (const char *key : {"name", "type", "shape"})
      if (!json.contains(key))
        return fail(std::string("expected key '") + key + "'");
    if (!string(json["name"], out.name) || !string(json["type"], out.type))
      return false;
    if (elementBytes(out.type) == 0)
      return fail("unknown element type '" + out.type + "'");
    where += ".shape";
    return list(json["shape"], out.shape, &Reader::expression);
  }

  /// Every name in an expression is a dim; tensors that the runner allocates
  /// have different names.
  bool checkNames(const Description &d) {
    auto check = [&](const Expression &e, std::string path) {
      std::set<std::string> names;
      e.collectNames(names);
      for (const std::string &name : names)
        if (!d.dims.count(name)) {
          where = std::move(path);
          return fail("unknown name '" + name + "', expected one of 'dims'");
        }
      return true;
    };
    auto checkKernel = [&](const Kernel &kernel, const std::string &path) {
      for (int i = 0; i < 3; ++i) {
        std::string index = "[" + std::to_string(i) + "]";
        if (!check(kernel.grid[i], path + ".grid" + index) ||
            !check(kernel.block[i], path + ".block" + index))
          return false;
      }
      return check(kernel.dynamicShared, path + ".dynamic_shared");
    };
    for (size_t k = 0; k < d.kernels.size(); ++k) {
      std::string path = "kernels[" + std::to_string(k) + "]";
      if (!checkKernel(d.kernels[k], path))
        return false;
      for (size_t a = 0; a < d.kernels[k].alternatives.size(); ++a) {
        const Alternative &other = d.kernels[k].alternatives[a];
        std::string at = path + ".alternatives[" + std::to_string(a) + "]";
        if (!checkKernel(other.kernel, at))
          return false;
        for (const Condition &condition : other.conditions)
          if (!check(condition.left, at) || !check(condition.right, at))
            return false;
      }
    }
    std::set<std::string> allocated;
    auto checkBuffers = [&](const std::vector<Buffer> &buffers,
                            const char *key) {
      for (size_t b = 0; b < buffers.size(); ++b) {
        std::string path = std::string(key) + "[" + std::to_string(b) + "]";
        if (!allocated.insert(buffers[b].name).second) {
          where = path;
          return fail("tensor '" + buffers[b].name + "' is declared twice");
        }
        for (const Expression &size : buffers[b].shape)
          if (!check(size, path + ".shape"))
            return false;
      }
      return true;
    };
    return checkBuffers(d.temporaries, "temporaries") &&
           checkBuffers(d.results, "results");
  }

  std::string_view file;
  std::string &error;
  std::string where;
};

/// nlohmann-json's message carries an id and "parse error at line L, column C:
/// reason"; turn it into FILE:L:C: reason.
std::string syntaxError(std::string_view file, std::string_view message) {
  size_t line = message.find("line "), column = message.find(", column ");
  size_t colon =
      message.find(": ", column == std::string_view::npos ? 0 : column);
  if (line == std::string_view::npos || column == std::string_view::npos ||
      colon == std::string_view::npos)
    return std::string(file) + ": " + std::string(message);
  return std::string(file) + ":" +
         std::string(message.substr(line + 5, column - line - 5)) + ":" +
         std::string(message.substr(column + 9, colon - column - 9)) + ": " +
         std::string(message.substr(colon + 2));
}
} // namespace

std::optional<Description> prec::launch::read(std::string_view text,
                                              std::string_view file,
                                              std::string &error) {
  // A parser callback bounds the depth: nothing we read nests deeply, and a
  // deep value would exhaust the stack when it is destroyed.
  bool tooDeep = false;
  auto bound = [&](int depth, Json::parse_event_t, Json &) {
    tooDeep |= depth > 64;
    return depth <= 64;
  };
  Json json;
  try {
    json = Json::parse(text.begin(), text.end(), bound);
  } catch (const Json::exception &e) {
    error = syntaxError(file, e.what());
    return std::nullopt;
  }
  if (tooDeep) {
    error = std::string(file) + ": nested too deeply";
    return std::nullopt;
  }
  Description result;
  if (!Reader(file, error).description(json, result))
    return std::nullopt;
  return result;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static Json toJson(const Expression &expression) {
  if (auto value = expression.constantValue())
    return *value;
  return expression.str();
}

static Json toJson(const std::array<Expression, 3> &triple) {
  return Json::array({toJson(triple[0]), toJson(triple[1]), toJson(triple[2])});
}

static Json toJson(const Parameter &p) {
  switch (p.kind) {
  case Parameter::Kind::Tensor:
    if (p.aliases.empty())
      return {{"tensor", p.tensor}};
    return {{"tensor", p.tensor}, {"aliases", p.aliases}};
  case Parameter::Kind::Scalar:
    return {{"scalar", p.type}, {"value", p.value}};
  case Parameter::Kind::Struct: {
    Json fields = Json::array();
    for (const Parameter &field : p.fields) {
      fields.push_back(toJson(field));
      fields.back()["at"] = field.offset;
    }
    return {{"struct", fields}, {"bytes", p.bytes}};
  }
  case Parameter::Kind::NullPointer:
    break;
  }
  return {{"pointer", "null"}};
}

static Json toJson(const std::vector<Buffer> &buffers) {
  Json list = Json::array();
  for (const Buffer &b : buffers) {
    Json shape = Json::array();
    for (const Expression &size : b.shape)
      shape.push_back(toJson(size));
    list.push_back({{"name", b.name}, {"type", b.type}, {"shape", shape}});
  }
  return list;
}

static void addExtra(Json &json, const Extra &extra) {
  for (auto &[key, text] : extra)
    json[key] = Json::parse(text);
}

static Json toJson(const Condition &c) {
  if (c.alignment)
    return {{"aligned", c.alignment}};
  return {{"left", toJson(c.left)}, {"is", c.is}, {"right", toJson(c.right)}};
}

static Json toJson(const Kernel &k) {
  Json kernel = {{"entry", k.entry},
                 {"grid", toJson(k.grid)},
                 {"block", toJson(k.block)},
                 {"dynamic_shared", toJson(k.dynamicShared)}};
  kernel["params"] = Json::array();
  for (const Parameter &p : k.params)
    kernel["params"].push_back(toJson(p));
  for (const Alternative &a : k.alternatives) {
    Json alternative;
    Json &conditions = alternative[a.unless ? "unless" : "when"];
    conditions = Json::array();
    for (const Condition &c : a.conditions)
      conditions.push_back(toJson(c));
    alternative.update(toJson(a.kernel));
    kernel["alternatives"].push_back(alternative);
  }
  addExtra(kernel, k.extra);
  return kernel;
}

/// What holds no object or list stands on one line, so a parameter is a line
/// and a grid is a line: descriptions are read by people, and diffed.
static void print(const Json &json, std::string &out, unsigned indent) {
  bool nested = false;
  for (const Json &child : json)
    nested |= json.is_structured() && child.is_structured();
  if (!nested) {
    out += json.dump();
    return;
  }
  std::string pad(indent + 2, ' ');
  out += json.is_object() ? "{\n" : "[\n";
  bool first = true;
  auto item = [&](const std::string &key, const Json &value) {
    out += (first ? "" : ",\n") + pad;
    first = false;
    if (json.is_object())
      out += Json(key).dump() + ": ";
    print(value, out, indent + 2);
  };
  if (json.is_object())
    for (auto &[key, value] : json.items())
      item(key, value);
  else
    for (const Json &value : json)
      item("", value);
  out += "\n" + std::string(indent, ' ') + (json.is_object() ? "}" : "]");
}

std::string prec::launch::write(const Description &d) {
  Json json = {{"version", 1}};
  if (!d.function.empty())
    json["function"] = d.function;
  if (!d.target.empty())
    json["target"] = d.target;
  json["dims"] = Json::object();
  for (auto &[name, dim] : d.dims)
    json["dims"][name] = dim.tensor + "." + std::to_string(dim.index);
  json["kernels"] = Json::array();
  for (const Kernel &k : d.kernels)
    json["kernels"].push_back(toJson(k));
  json["temporaries"] = toJson(d.temporaries);
  json["results"] = toJson(d.results);
  addExtra(json, d.extra);
  std::string out;
  print(json, out, 0);
  return out + "\n";
}

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

std::optional<Sizes> prec::launch::bindDims(const Description &description,
                                            const Shapes &shapes,
                                            std::string &error) {
  Sizes sizes;
  for (auto &[name, dim] : description.dims) {
    auto it = shapes.find(dim.tensor);
    if (it == shapes.end()) {
      error = "dim '" + name + "': no tensor '" + dim.tensor + "' is given";
      return std::nullopt;
    }
    if (dim.index >= it->second.size()) {
      error = "dim '" + name + "': tensor '" + dim.tensor + "' has " +
              std::to_string(it->second.size()) +
              " dimensions, expected more than " + std::to_string(dim.index);
      return std::nullopt;
    }
    sizes[name] = it->second[dim.index];
  }
  return sizes;
}

std::optional<uint64_t> prec::launch::scalarBits(const Parameter &parameter,
                                                 const Sizes &sizes,
                                                 const Scalars &scalars,
                                                 std::string &error) {
  auto named = scalars.find(parameter.value);
  if (named != scalars.end())
    return named->second;
  unsigned bytes = elementBytes(parameter.type);
  uint64_t mask = bytes == 8 ? ~uint64_t(0) : (uint64_t(1) << bytes * 8) - 1;
  if (parameter.type[0] == 'i') {
    auto expression = Expression::parse(parameter.value, error);
    if (!expression)
      return std::nullopt;
    auto value = expression->evaluate(sizes, error);
    if (!value)
      return std::nullopt;
    int64_t low = bytes == 8 ? INT64_MIN : -(int64_t(1) << (bytes * 8 - 1));
    if (*value < low || (bytes < 8 && *value > int64_t(mask))) {
      error =
          "value " + std::to_string(*value) + " does not fit " + parameter.type;
      return std::nullopt;
    }
    return uint64_t(*value) & mask;
  }
  // f32 is read with one rounding; the 16-bit formats through f64.
  const char *begin = parameter.value.c_str();
  char *end = nullptr;
  uint64_t bits = 0;
  if (parameter.type == "f32") {
    float value = std::strtof(begin, &end);
    uint32_t word;
    std::memcpy(&word, &value, 4);
    bits = word;
  } else {
    double value = std::strtod(begin, &end);
    std::memcpy(&bits, &value, 8);
    if (parameter.type != "f64")
      bits = num::round(num::kF64, bits, *num::findFormat(parameter.type));
  }
  if (end == begin || *end != 0) {
    error = "expected a number or the name of a scalar argument but got '" +
            parameter.value + "'";
    return std::nullopt;
  }
  return bits;
}

std::optional<std::vector<uint8_t>> prec::launch::parameterBytes(
    const Parameter &parameter, const Sizes &sizes, const Scalars &scalars,
    const std::function<std::optional<uint64_t>(const Parameter &)> &address,
    std::string &error) {
  std::vector<uint8_t> bytes(parameterSize(parameter));
  for (const Parameter *part : parameter.parts()) {
    std::optional<uint64_t> value = 0;
    if (part->kind == Parameter::Kind::Tensor) {
      value = address(*part);
      if (!value)
        error = "no tensor '" + part->tensor + "' is given";
    } else if (part->kind == Parameter::Kind::Scalar) {
      value = scalarBits(*part, sizes, scalars, error);
    }
    if (!value)
      return std::nullopt;
    std::memcpy(bytes.data() + part->offset, &*value, parameterSize(*part));
  }
  return bytes;
}

std::optional<bool> prec::launch::compareSizes(const Condition &condition,
                                               const Sizes &sizes,
                                               std::string &error) {
  auto left = condition.left.evaluate(sizes, error);
  auto right = condition.right.evaluate(sizes, error);
  if (!left || !right)
    return std::nullopt;
  bool isEqual = *left == *right, isLess = *left < *right;
  const std::string &is = condition.is;
  if (is == "==" || is == "!=")
    return isEqual == (is == "==");
  bool isLow = is[0] == '<';
  return (isEqual && is.size() == 2) || (!isEqual && isLess == isLow);
}

const Kernel *prec::launch::chooseKernel(
    const Kernel &kernel, const Sizes &sizes,
    const std::function<std::optional<uint64_t>(const Parameter &)> &address,
    std::string &error) {
  auto isAligned = [&](unsigned alignment) {
    for (const Parameter *part : kernel.allParts())
      if (part->kind == Parameter::Kind::Tensor)
        if (auto value = address(*part); value && *value % alignment != 0)
          return false;
    return true;
  };
  for (const Alternative &alternative : kernel.alternatives) {
    bool all = true;
    for (const Condition &condition : alternative.conditions) {
      std::optional<bool> holds = condition.alignment
                                      ? isAligned(condition.alignment)
                                      : compareSizes(condition, sizes, error);
      if (!holds)
        return nullptr;
      all &= *holds;
    }
    if (all != alternative.unless)
      return &alternative.kernel;
  }
  return &kernel;
}

std::optional<std::vector<int64_t>>
prec::launch::bufferShape(const Buffer &buffer, const Sizes &sizes,
                          std::string &error) {
  std::vector<int64_t> shape;
  int64_t bytes = elementBytes(buffer.type);
  for (const Expression &size : buffer.shape) {
    auto value = size.evaluate(sizes, error);
    if (!value) {
      error = "tensor '" + buffer.name + "': " + error;
      return std::nullopt;
    }
    if (*value < 0) {
      error = "tensor '" + buffer.name + "': negative size " +
              std::to_string(*value);
      return std::nullopt;
    }
    shape.push_back(*value);
    if (__builtin_mul_overflow(bytes, *value, &bytes) || bytes > int64_t(1)
                                                                     << 40) {
      error = "tensor '" + buffer.name + "' is larger than 2^40 bytes";
      return std::nullopt;
    }
  }
  return shape;
}
