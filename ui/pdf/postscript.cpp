// Includes no Qt: GLib has members that are called `signals`.
#include "ui/pdf/postscript.h"

#include "core/tensor/error.h"
#include "core/tensor/number_text.h"

#include <cairo-ps.h>
#include <poppler.h>

#include <cmath>
#include <memory>
#include <string_view>

namespace headlight {
namespace {

[[noreturn]] void refuse_page(const std::string& got) {
    throw Error({"write EPS", "", "a page that the library can draw", got});
}

cairo_status_t append_postscript(void* to, const unsigned char* bytes, unsigned int count) {
    static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(bytes), count);
    return CAIRO_STATUS_SUCCESS;
}

template <class Type>
using GLibObject = std::unique_ptr<Type, void (*)(gpointer)>;

/// Puts a line, or none, in the place of each that begins so.
void replace_lines(std::string& postscript, std::string_view beginning, const std::string& line) {
    for (std::size_t start = postscript.find(beginning); start != std::string::npos;
         start = postscript.find(beginning, start + line.size()))
        postscript.replace(start, postscript.find('\n', start) + 1 - start, line);
}

/// Cairo's box is that of the ink, of a figure it is the page.
void set_box(std::string& postscript, double width, double height) {
    const auto box = [](double right, double top) {
        return "0 0 " + number_text(right) + ' ' + number_text(top) + '\n';
    };
    const auto exactly = [](double length) { return std::round(1000 * length) / 1000; };
    const std::string whole = box(std::ceil(width), std::ceil(height));
    replace_lines(postscript, "%%BoundingBox: ",
                  "%%BoundingBox: " + whole + "%%HiResBoundingBox: " + box(exactly(width), exactly(height)));
    replace_lines(postscript, "%%PageBoundingBox: ", "%%PageBoundingBox: " + whole);
}

void draw_page(PopplerPage* page, cairo_surface_t* surface) {
    cairo_ps_surface_restrict_to_level(surface, CAIRO_PS_LEVEL_3);
    cairo_ps_surface_set_eps(surface, true);
    const std::unique_ptr<cairo_t, void (*)(cairo_t*)> context(cairo_create(surface), cairo_destroy);
    poppler_page_render_for_printing(page, context.get());
    cairo_show_page(context.get());
    cairo_surface_finish(surface);
    if (const cairo_status_t status = cairo_surface_status(surface); status != CAIRO_STATUS_SUCCESS)
        refuse_page(cairo_status_to_string(status));
}

}  // namespace

std::string postscript_of(const std::string& pdf, double width, double height) {
    GError* problem = nullptr;
    const std::unique_ptr<GBytes, void (*)(GBytes*)> bytes(g_bytes_new_static(pdf.data(), pdf.size()),
                                                           g_bytes_unref);
    const GLibObject<PopplerDocument> document(
        poppler_document_new_from_bytes(bytes.get(), nullptr, &problem), g_object_unref);
    if (!document) {
        const std::string message = problem->message;
        g_error_free(problem);
        refuse_page(message);
    }
    const GLibObject<PopplerPage> page(poppler_document_get_page(document.get(), 0), g_object_unref);
    if (!page)
        refuse_page("none");
    std::string postscript;
    const std::unique_ptr<cairo_surface_t, void (*)(cairo_surface_t*)> surface(
        cairo_ps_surface_create_for_stream(append_postscript, &postscript, width, height),
        cairo_surface_destroy);
    draw_page(page.get(), surface.get());
    replace_lines(postscript, "%%CreationDate: ", "");
    set_box(postscript, width, height);
    return postscript;
}

}  // namespace headlight
