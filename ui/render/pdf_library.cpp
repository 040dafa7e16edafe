#include "ui/render/pdf_library.h"

#include "core/tensor/error.h"

#include <dlfcn.h>

namespace headlight {
namespace {

/// The module is searched for where the linker wrote into the program that its own libraries are.
const PdfLibrary& loaded_library() {
    void* const module = dlopen("headlight_pdf.so", RTLD_NOW | RTLD_LOCAL);
    void* const offered = module ? dlsym(module, "headlight_pdf_library") : nullptr;
    if (!offered)
        throw Error({"write PDF", "", "the program's module headlight_pdf.so", dlerror()});
    return *reinterpret_cast<decltype(&headlight_pdf_library)>(offered)();
}

}  // namespace

const PdfLibrary& pdf_library() {
    static const PdfLibrary& library = loaded_library();
    return library;
}

}  // namespace headlight
