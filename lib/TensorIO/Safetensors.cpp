// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The .safetensors format: header length (u64), a JSON object, the elements.
#include "prec/TensorIO/Files.h"

#include "Bytes.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

using namespace prec::io;
using nlohmann::json;

namespace {

/// The limit that the format itself states.
constexpr uint64_t kMaxHeader = 100'000'000;
constexpr uint64_t kLengthSize = 8;
/// Above the depth of any value of a well-formed header.
constexpr int kMaxDepth = 4;
constexpr const char *kMetadata = "__metadata__";

/// One entry of the header.
struct Entry {
  std::string name;
  DType dtype;
  std::vector<int64_t> shape;
  uint64_t begin, end;
};

} // namespace

static std::optional<DType> parseDType(const std::string &text) {
  for (int i = 0; i <= static_cast<int>(DType::F64); ++i)
    if (text == name(static_cast<DType>(i)))
      return static_cast<DType>(i);
  return std::nullopt;
}

/// A JSON array of integers from 0 to 2^63-1.
static bool parseIntegers(const json &value, std::vector<int64_t> &out) {
  if (!value.is_array())
    return false;
  for (const json &element : value) {
    if (!element.is_number_unsigned() || element.get<uint64_t>() > INT64_MAX)
      return false;
    out.push_back(element.get<int64_t>());
  }
  return true;
}

/// Empty, or what is wrong with the entry.
static std::string parseEntry(const json &value, Entry &entry) {
  const std::string tensor = "tensor '" + entry.name + "' ";
  if (!value.is_object() || !value.contains("dtype") ||
      !value["dtype"].is_string())
    return tensor + "has no dtype";
  std::string dtype = value["dtype"].get<std::string>();
  std::optional<DType> known = parseDType(dtype);
  if (!known)
    return tensor + "has the unsupported dtype '" + dtype + "'";
  entry.dtype = *known;
  if (!value.contains("shape") || !parseIntegers(value["shape"], entry.shape))
    return tensor + "has no valid shape";
  std::vector<int64_t> offsets;
  if (!value.contains("data_offsets") ||
      !parseIntegers(value["data_offsets"], offsets) || offsets.size() != 2 ||
      offsets[0] > offsets[1])
    return tensor + "has no valid data_offsets";
  entry.begin = static_cast<uint64_t>(offsets[0]);
  entry.end = static_cast<uint64_t>(offsets[1]);
  uint64_t size;
  if (!byteSize(entry.dtype, entry.shape, size))
    return tensor + "has a shape that is too large";
  if (size != entry.end - entry.begin)
    return tensor + "has a shape of " + std::to_string(size) +
           " bytes but data_offsets of " +
           std::to_string(entry.end - entry.begin);
  return {};
}

/// Parses the header's text into entries in the order of their bytes; empty, or
/// what is wrong with it. `dataSize` is how many bytes follow the header.
static std::string parseHeader(const std::string &text, uint64_t dataSize,
                               std::vector<Entry> &entries) {
  std::set<std::string> names;
  std::string repeated;
  auto onEvent = [&](int depth, json::parse_event_t event, json &value) {
    if (event == json::parse_event_t::key && depth == 1 &&
        !names.insert(value.get<std::string>()).second)
      repeated = value.get<std::string>();
    // Nothing that we read lies deeper; deep nesting must not cost memory.
    return depth < kMaxDepth;
  };
  json header = json::parse(text, onEvent, /*allow_exceptions=*/false);
  if (!header.is_object())
    return "malformed safetensors header";
  if (!repeated.empty())
    return "tensor '" + repeated + "' is named twice";
  for (auto &[key, value] : header.items()) {
    if (key == kMetadata)
      continue;
    Entry entry;
    entry.name = key;
    if (std::string error = parseEntry(value, entry); !error.empty())
      return error;
    entries.push_back(std::move(entry));
  }
  std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  // The tensors must cover the data without holes and without sharing bytes.
  uint64_t position = 0;
  for (const Entry &entry : entries) {
    if (entry.begin < position)
      return "tensor '" + entry.name + "' overlaps the one before it";
    if (entry.begin > position)
      return "unused bytes before tensor '" + entry.name + "'";
    position = entry.end;
  }
  if (position != dataSize)
    return "expected " + std::to_string(position) +
           " bytes of elements but got " + std::to_string(dataSize);
  return {};
}

std::string prec::io::readSafetensors(const std::string &path,
                                      std::vector<NamedTensor> &tensors) {
  InputFile file;
  if (std::string error = file.open(path); !error.empty())
    return error;
  if (file.size() < kLengthSize)
    return fileError(path, "truncated safetensors header");
  uint8_t lengthBytes[kLengthSize];
  if (std::string error = file.read(0, kLengthSize, lengthBytes);
      !error.empty())
    return error;
  uint64_t length = 0;
  for (size_t i = 0; i < kLengthSize; ++i)
    length |= static_cast<uint64_t>(lengthBytes[i]) << (8 * i);
  if (length > kMaxHeader)
    return fileError(path, "safetensors header of " + std::to_string(length) +
                               " bytes is too large");
  if (length > file.size() - kLengthSize)
    return fileError(path, "truncated safetensors header");
  std::string text(length, '\0');
  if (std::string error = file.read(kLengthSize, length, text.data());
      !error.empty())
    return error;

  uint64_t dataStart = kLengthSize + length;
  std::vector<Entry> entries;
  if (std::string error = parseHeader(text, file.size() - dataStart, entries);
      !error.empty())
    return fileError(path, error);
  tensors.clear();
  for (Entry &entry : entries) {
    NamedTensor &named = tensors.emplace_back();
    named.name = std::move(entry.name);
    named.tensor.dtype = entry.dtype;
    named.tensor.shape = std::move(entry.shape);
    named.tensor.bytes.resize(entry.end - entry.begin);
    if (std::string error =
            file.read(dataStart + entry.begin, entry.end - entry.begin,
                      named.tensor.bytes.data());
        !error.empty())
      return error;
  }
  return {};
}

std::string
prec::io::writeSafetensors(const std::string &path,
                           const std::vector<NamedTensor> &tensors) {
  // Readers like to find the tensors in the order of their bytes.
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  uint64_t position = 0;
  std::vector<std::string_view> pieces(2);
  for (const NamedTensor &named : tensors) {
    if (header.contains(named.name))
      return fileError(path, "cannot write: tensor '" + named.name +
                                 "' is named twice");
    uint64_t end = position + named.tensor.bytes.size();
    header[named.name] = {{"dtype", name(named.tensor.dtype)},
                          {"shape", named.tensor.shape},
                          {"data_offsets", {position, end}}};
    position = end;
    pieces.push_back(asText(named.tensor.bytes));
  }
  std::string text = header.dump(
      -1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  // The elements start at a multiple of 8.
  text.resize((text.size() + 7) / 8 * 8, ' ');
  std::string length;
  for (size_t i = 0; i < kLengthSize; ++i)
    length += static_cast<char>(text.size() >> (8 * i) & 0xff);
  pieces[0] = length;
  pieces[1] = text;
  return writeAtomically(path, pieces);
}
