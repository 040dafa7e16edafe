#include "core/tensor/error.h"

#include "core/tensor/visible_text.h"

#include <utility>

namespace headlight {
namespace {

std::string one_line(const ErrorDetail& detail) {
    std::string line;
    if (!detail.where.empty())
        line += detail.where + ": ";
    line += detail.what;
    if (!detail.expected.empty())
        line += ": expected " + detail.expected;
    if (!detail.got.empty())
        line += (detail.expected.empty() ? ": got " : ", got ") + detail.got;
    return line;
}

ErrorDetail visible_parts(const ErrorDetail& detail) {
    return {visible(detail.what), visible(detail.where), visible(detail.expected), visible(detail.got)};
}

}  // namespace

Error::Error(const ErrorDetail& detail)
    : std::runtime_error(one_line(visible_parts(detail))), detail_(visible_parts(detail)) {}

Error Error::within(const std::string& place) const {
    ErrorDetail outer = detail_;
    outer.where = outer.where.empty() ? place : place + ": " + outer.where;
    return Error(outer);
}

std::string excerpt(const std::string& text, std::size_t limit) {
    std::string shown;
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::string next = next_visible(rest);
        if (shown.size() + next.size() > limit)
            return shown + "…";
        shown += next;
    }
    return shown;
}

}  // namespace headlight
