#pragma once

#include <QByteArray>
#include <QImage>

#include <memory>

namespace headlight {

/// Pictures of one size, one after another, as an animated GIF that repeats for ever. Of each picture only
/// the rectangle that differs from the one before is stored, in 256 colours of its own: those of the cells
/// and of the background as they are, those of the edges of letters nearly.
class GifWriter {
public:
    explicit GifWriter(QSize size);
    ~GifWriter();

    /// Shown for so long; a hundredth of a second is the unit. Throws Error for a picture of another size.
    void add(const QImage& picture, int milliseconds);
    /// The file's bytes. Throws Error when nothing was added.
    QByteArray finish();

private:
    struct File;
    std::unique_ptr<File> file_;
    QSize size_;
    QImage last_;
};

}  // namespace headlight
