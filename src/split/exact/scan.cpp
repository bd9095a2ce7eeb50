// SPDX-License-Identifier: Apache-2.0
// The split scan for the families of criteria that most engines use.
#include "split/exact/scan.hpp"

#include "split/stats/order_family.hpp"

namespace bough {

template class Scan<ClassFamily<ChosenClassCriterion>>;
template class Scan<MomentFamily<SquaredError>>;
template class Scan<MomentFamily<Poisson>>;
template class Scan<OrderFamily>;

}  // namespace bough
