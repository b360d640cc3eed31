// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A folder of its own for each test, removed at its end.
#ifndef PREC_TEST_UNIT_TENSORIO_TESTFILES_H
#define PREC_TEST_UNIT_TENSORIO_TESTFILES_H

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

class FileTest : public ::testing::Test {
protected:
  void SetUp() override {
    // Thousands of small files: in memory where there is such a folder.
    std::string parent = std::filesystem::is_directory("/dev/shm")
                             ? "/dev/shm/"
                             : ::testing::TempDir();
    std::string pattern = parent + "prec-io-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  std::string path(const std::string &name) const {
    return folder + "/" + name;
  }

  std::string put(const std::string &name, const std::string &bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  static std::string get(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// Number of files in the folder: a failed write must leave none.
  size_t count() const {
    size_t files = 0;
    for (auto &entry : std::filesystem::directory_iterator(folder))
      files += entry.exists();
    return files;
  }

  std::string folder;
};

#endif // PREC_TEST_UNIT_TENSORIO_TESTFILES_H
