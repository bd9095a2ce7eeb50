// SPDX-License-Identifier: Apache-2.0
// bough::Error as Python's exceptions: bad_* as BoughError (a ValueError), the rest as what Python has for
// it.
#include "bindings.hpp"

namespace bough::python {
namespace {

nb::object make_exception(const Error& error) {
  const char* what = error.what();
  // Messages quote names and cells as they are; where those are cut, or no UTF-8, Python still gets its exception.
  const nb::object spelt = nb::module_::import_("bough._errors").attr("spelt");
  const auto readable = [&](const std::string& bytes) -> nb::object {
    return spelt(
        nb::steal(PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "replace")));
  };
  const nb::object text =
      readable(error.hint().empty() ? what : std::string(what) + " (" + error.hint() + ")");
  const nb::object hint = readable(error.hint());
  const nb::object builtins = nb::module_::import_("builtins");
  const auto hinted = [&](const char* kind) {
    nb::object made = builtins.attr(kind)(text);
    made.attr("hint") = hint;
    return made;
  };
  switch (error.code()) {
    case ErrorCode::io:
      return hinted("OSError");
    case ErrorCode::not_supported:
      return hinted("NotImplementedError");
    case ErrorCode::cancelled:
      return builtins.attr("KeyboardInterrupt")(text);
    case ErrorCode::out_of_memory:
      return hinted("MemoryError");
    case ErrorCode::internal:
      return builtins.attr("RuntimeError")(text);
    case ErrorCode::bad_params:
    case ErrorCode::bad_data:
    case ErrorCode::bad_model:
      break;
  }
  nb::object made = nb::module_::import_("bough._errors").attr("BoughError")(text);
  made.attr("code") = nb::str(std::string(error_name(error.code())).c_str());
  made.attr("hint") = hint;
  return made;
}

}  // namespace

void add_errors(nb::module_&) {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      const nb::object made = make_exception(error);
      PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
    }
  });
}

}  // namespace bough::python
