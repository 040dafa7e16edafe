#pragma once

#include "core/tensor/declaration.h"
#include "ui/render/exporter.h"

#include <span>

namespace headlight {

/// What the files of entries/ define, each `Exporter declare_exporter_<file name>()`, by their names.
std::span<const Declaration<Exporter>> exporter_declarations();

}  // namespace headlight
