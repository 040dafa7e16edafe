#pragma once

#include "ui/render/exporter.h"

namespace headlight {

/// What each file of entries/ defines: `Exporter declare_exporter_<file name>()`.
using ExporterDeclaration = Exporter();

/// All of them, in no particular order; written by CMake from the file names.
std::span<ExporterDeclaration* const> exporter_declarations();

}  // namespace headlight
