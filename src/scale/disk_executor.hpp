// SPDX-License-Identifier: Apache-2.0
// Blocks in the scratch file: asked one after the other, each in memory only while it answers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bough/scale.hpp"
#include "scale/scratch.hpp"

namespace bough {

class DiskExecutor final : public BlockExecutor {
 public:
  /// `on_rows` is told how many rows have answered; what it throws ends the request.
  using OnRows = std::function<void(std::int64_t rows)>;
  DiskExecutor(const ScalePlan& plan, bool keep_notes, OnRows on_rows)
      : plan_(plan), keep_notes_(keep_notes), on_rows_(std::move(on_rows)) {}

  void add(std::shared_ptr<const StoredImage> image);
  std::string ask(const std::string& request) override;
  std::vector<std::string> regroup(const std::string& request) override;

 private:
  struct Stored {
    std::shared_ptr<const StoredImage> image;
    RowBlock rows;
  };
  /// Calls body(block) for every block, which is in memory only meanwhile.
  template <class F>
  void each(F&& body);

  ScalePlan plan_;
  std::vector<Stored> blocks_;
  bool keep_notes_;
  OnRows on_rows_;
};

}  // namespace bough
