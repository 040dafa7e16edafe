#include "ui/pdf/corrections.h"
#include "ui/pdf/postscript.h"
#include "ui/render/pdf_library.h"

extern "C" const headlight::PdfLibrary* headlight_pdf_library() {
    static constexpr headlight::PdfLibrary library{headlight::corrected_pdf, headlight::postscript_of};
    return &library;
}
