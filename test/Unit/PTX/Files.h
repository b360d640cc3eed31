// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The PTX files under test/data/ptx.
#ifndef PREC_TEST_UNIT_PTX_FILES_H
#define PREC_TEST_UNIT_PTX_FILES_H

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

inline std::string readFile(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

inline std::string readPTX(const std::string &name) {
  return readFile(std::filesystem::path(PREC_PTX_DATA) / (name + ".ptx"));
}

inline std::vector<std::filesystem::path> ptxFiles() {
  std::vector<std::filesystem::path> files;
  for (auto &entry : std::filesystem::directory_iterator(PREC_PTX_DATA))
    if (entry.path().extension() == ".ptx")
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

#endif // PREC_TEST_UNIT_PTX_FILES_H
