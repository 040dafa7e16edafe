#pragma once

#include "core/tensor/error.h"

#include <QString>

#include <functional>
#include <optional>
#include <string>

namespace headlight {

/// A piece of work off the UI thread. No exception escapes it: whatever it throws reaches `refuse` as an
/// Error, and what was shown before stays.
struct Job {
    /// Called on the thread of the worker's owner.
    using Delivery = std::function<void()>;
    /// Called on the worker's thread with copies of everything that it needs. May throw anything.
    using Work = std::function<Delivery()>;
    /// Called on the owner's thread in place of the delivery.
    using Refusal = std::function<void(const Error&)>;

    std::string name;  ///< the operation, as a refusal calls it: "open file"
    Work work;
    Refusal refuse;
};

/// Inside a catch clause: the exception as a refusal of `operation`. Nothing for Interrupted, which is not a
/// fault.
std::optional<Error> current_error(const std::string& operation);

/// Inside a catch clause: what the exception says, for a place where a picture or a number would have been.
/// Empty for Interrupted.
QString current_problem(const std::string& operation);

}  // namespace headlight
