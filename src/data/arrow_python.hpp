// SPDX-License-Identifier: Apache-2.0
// Parquet and Arrow files where there is no Arrow component: read by the pyarrow of a Python that is installed here.
#pragma once

#include <string>

#include "data/arrow_component.h"

namespace bough {

/// The interpreter that is asked: the variable BOUGH_PYTHON, else python3 on the path.
std::string arrow_python();
/// The functions of the component, carried out by a process of that interpreter per open file, which sends batches through a
/// socket. Where there is no Python, or none with pyarrow, open_path and open_memory say so and return BOUGH_ARROW_ABSENT.
const BoughArrowFunctions& arrow_by_python();
/// Of open_path and open_memory, beside the component's own.
inline constexpr int BOUGH_ARROW_ABSENT = 4;

}  // namespace bough
