#pragma once

#include <string>

namespace headlight {

/// PdfLibrary::postscript
std::string postscript_of(const std::string& pdf, double width, double height);

}  // namespace headlight
