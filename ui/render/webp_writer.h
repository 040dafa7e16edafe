#pragma once

#include <QByteArray>
#include <QImage>

#include <memory>
#include <optional>
#include <string>

namespace headlight {

/// Pictures of one size, one after another, as an animated WebP that repeats for ever; every pixel as it is.
class WebpWriter {
public:
    explicit WebpWriter(QSize size);
    ~WebpWriter();

    /// Throws Error for a picture of another size, and when the library refuses it.
    void add(const QImage& picture, int milliseconds);
    /// The file's bytes, with metadata (XMP) where there is any. Throws Error when nothing was added.
    QByteArray finish(const QByteArray& metadata = {});

private:
    struct File;
    std::unique_ptr<File> file_;
    QSize size_;
};

/// The session in the metadata of a WebP; nothing where there is none.
std::optional<std::string> session_in_webp(const QByteArray& bytes);

}  // namespace headlight
