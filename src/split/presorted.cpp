// SPDX-License-Identifier: Apache-2.0
// The presorted engine for every family of criteria made of sums.
#include "split/presorted.hpp"

namespace bough {

template class Presorted<ClassFamily<Gini>>;
template class Presorted<ClassFamily<Entropy>>;
template class Presorted<ClassFamily<ChosenClassCriterion>>;
template class Presorted<MomentFamily<SquaredError>>;
template class Presorted<MomentFamily<Poisson>>;

}  // namespace bough
