#pragma once

#include "core/io/session.h"

namespace headlight {

/// A mechanism on its own example, looked at as its picture in the catalogue shows it.
Session mechanism_example(const Mechanism& mechanism);

}  // namespace headlight
