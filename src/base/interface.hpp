// SPDX-License-Identifier: Apache-2.0
// What all interfaces are: destroyed by their base, never copied.
#pragma once

namespace bough {

class Interface {
 public:
  Interface() = default;
  Interface(const Interface&) = delete;
  Interface& operator=(const Interface&) = delete;
  virtual ~Interface() = default;
};

}  // namespace bough
