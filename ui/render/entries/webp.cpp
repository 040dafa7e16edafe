#include "ui/render/export.h"
#include "ui/render/exporter_declarations.h"
#include "ui/render/webp_writer.h"
#include "ui/render/xmp_packet.h"

namespace headlight {
namespace {

QByteArray write_moving_webp(const MovingPicture& film) {
    std::unique_ptr<WebpWriter> writer;
    for (std::size_t i = 0; i < film.count; ++i) {
        const QImage picture = film.picture(i);
        if (!writer)
            writer = std::make_unique<WebpWriter>(picture.size());
        writer->add(picture, film.milliseconds);
    }
    return writer->finish(xmp_packet(film.title, film.description, film.session));
}

}  // namespace

Exporter declare_exporter_webp() {
    Exporter exporter{ExportFormat::webp};
    exporter.order = 10;
    exporter.title = "WebP, for small files";
    exporter.about = "WebP is pixels as they are, which move with `--frames`";
    exporter.is_of_pixels = true;
    exporter.session_in = session_in_webp;
    exporter.write = [](const Figure& figure, QSizeF, const ExportOptions& options) {
        return write_moving_webp(still_picture(figure, options));
    };
    exporter.write_moving = write_moving_webp;
    return exporter;
}

}  // namespace headlight
