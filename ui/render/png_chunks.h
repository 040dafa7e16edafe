#pragma once

#include <QByteArrayView>

#include <optional>

namespace headlight {

/// A part of a PNG file (PNG specification, 5.3).
struct PngChunk {
    QByteArrayView type;  ///< four letters
    QByteArrayView data;
    quint32 checksum;  ///< as it stands in the file
};

/// Goes through the chunks of a PNG that is in memory.
class PngChunks {
public:
    /// Without a chunk where `bytes` do not begin as a PNG does. `bytes` outlives this.
    explicit PngChunks(QByteArrayView bytes);

    /// Nothing after the last chunk, and where the next one is cut off.
    std::optional<PngChunk> next();

private:
    QByteArrayView rest_;
};

/// Whether every chunk that a picture cannot do without has the checksum of its content, up to the end that a
/// PNG has. Of one that is not whole, libpng writes on the standard error by itself.
bool is_whole_png(QByteArrayView bytes);

}  // namespace headlight
