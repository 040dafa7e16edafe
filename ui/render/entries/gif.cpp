#include "ui/render/export.h"
#include "ui/render/exporter_declarations.h"
#include "ui/render/gif_writer.h"

namespace headlight {
namespace {

QByteArray write_moving_gif(const MovingPicture& film) {
    std::unique_ptr<GifWriter> writer;
    for (std::size_t i = 0; i < film.count; ++i) {
        const QImage picture = film.picture(i);
        if (!writer)
            writer = std::make_unique<GifWriter>(picture.size());
        writer->add(picture, film.milliseconds);
    }
    return writer->finish(film.session);
}

}  // namespace

Exporter declare_exporter_gif() {
    Exporter exporter{ExportFormat::gif};
    exporter.order = 9;
    exporter.title = "GIF, for older programs";
    exporter.about = "GIF is pixels of 256 colours, which move with `--frames`";
    exporter.is_of_pixels = true;
    exporter.is_opaque = true;
    exporter.session_in = session_in_gif;
    exporter.write = [](const Figure& figure, QSizeF, const ExportOptions& options) {
        return write_moving_gif(still_picture(figure, options));
    };
    exporter.write_moving = write_moving_gif;
    return exporter;
}

}  // namespace headlight
