// SPDX-License-Identifier: Apache-2.0
// The split scan for the families of criteria that most engines use.
#include "split/exact/scan.hpp"

#include "split/stats/order_family.hpp"

namespace bough {

template class Scan<ClassFamily>;
template class Scan<MomentFamily>;
template class Scan<OrderFamily>;

}  // namespace bough
