#pragma once

#include <string>

namespace headlight {

/// The first page of a PDF, `width` by `height` points large, as encapsulated PostScript (level 3, DSC 3.0): text
/// with its fonts, the same bytes each time. Throws Error when the library cannot read it.
std::string postscript_of(const std::string& pdf, double width, double height);

}  // namespace headlight
