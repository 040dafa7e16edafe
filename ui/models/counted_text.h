#pragma once

#include "core/tensor/counted.h"

#include <QString>

namespace headlight {

/// counted(), for the window: "1 query", "2 queries".
inline QString counted_text(qsizetype number, const char* one, const char* many = "") {
    return QString::fromStdString(counted(number, one, many));
}

}  // namespace headlight
