#pragma once

#include "core/tensor/counted.h"

#include <QLocale>
#include <QString>

namespace headlight {

/// counted(), for the window: "1 query", "2 queries".
inline QString counted_text(qsizetype number, const char* one, const char* many = "") {
    return QString::fromStdString(counted(number, one, many));
}

/// A count with its thousands apart, "12,000": as English has it in every locale, beside numbers that have a
/// decimal point in every locale.
inline QString grouped_text(qlonglong number) { return QLocale(QLocale::English).toString(number); }

}  // namespace headlight
