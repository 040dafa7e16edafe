#pragma once

#include <QByteArray>
#include <QImage>

#include <memory>
#include <optional>
#include <string>

namespace headlight {

/// Pictures of one size, one after another, as an animated GIF that repeats for ever. Of each picture only
/// the pixels are stored that differ from the one before, in the rectangle that they lie in: with the colours
/// of the first picture where these do, else in at most 255 of its own: those of the cells and of the
/// background as they are, those of the edges of letters nearly.
class GifWriter {
public:
    explicit GifWriter(QSize size);
    ~GifWriter();

    /// Shown for so long; a hundredth of a second is the unit. Throws Error for a picture of another size.
    void add(const QImage& picture, int milliseconds);
    /// The file's bytes, with the session as a comment where there is one. Throws Error when nothing was
    /// added.
    QByteArray finish(const std::string& session = {});

private:
    struct File;
    std::unique_ptr<File> file_;
    QSize size_;
    QImage last_;
};

/// The session in a comment of a GIF; nothing where there is none.
std::optional<std::string> session_in_gif(const QByteArray& bytes);

}  // namespace headlight
