#include "core/tensor/error.h"

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

}  // namespace

Error::Error(ErrorDetail detail) : std::runtime_error(one_line(detail)), detail_(std::move(detail)) {}

Error Error::within(const std::string& place) const {
    ErrorDetail outer = detail_;
    outer.where = outer.where.empty() ? place : place + ": " + outer.where;
    return Error(std::move(outer));
}

std::string excerpt(const std::string& text, std::size_t limit) {
    std::string shown;
    std::size_t i = 0;
    for (; i < text.size() && shown.size() < limit; ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        shown += byte < 0x20 || byte == 0x7f ? ' ' : text[i];
    }
    while (i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80 && !shown.empty()) {
        const bool was_continuation = (static_cast<unsigned char>(shown.back()) & 0xC0) == 0x80;
        shown.pop_back();
        --i;
        if (!was_continuation)
            break;
    }
    if (i < text.size())
        shown += "…";
    return shown;
}

}  // namespace headlight
