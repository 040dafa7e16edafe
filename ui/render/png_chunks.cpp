#include "ui/render/png_chunks.h"

#include <QtEndian>

#include <zlib.h>

#include <algorithm>

namespace headlight {
namespace {

constexpr QByteArrayView signature("\x89PNG\r\n\x1a\n");

bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

bool is_sound(const PngChunk& chunk) {
    if (!std::ranges::all_of(chunk.type, is_letter))
        return false;
    const bool is_critical = chunk.type.front() <= 'Z';
    // Type and data stand side by side, and the checksum is of both.
    return !is_critical || crc32(0, reinterpret_cast<const Bytef*>(chunk.type.data()),
                                 static_cast<uInt>(chunk.type.size() + chunk.data.size())) == chunk.checksum;
}

}  // namespace

PngChunks::PngChunks(QByteArrayView bytes)
    : rest_(bytes.startsWith(signature) ? bytes.sliced(signature.size()) : QByteArrayView()) {}

std::optional<PngChunk> PngChunks::next() {
    constexpr qsizetype around = 12;  // the data's length, the type and the checksum
    if (rest_.size() < around)
        return std::nullopt;
    const auto length = static_cast<qsizetype>(qFromBigEndian<quint32>(rest_.data()));
    if (length > rest_.size() - around)
        return std::nullopt;
    const PngChunk chunk{rest_.sliced(4, 4), rest_.sliced(8, length),
                         qFromBigEndian<quint32>(rest_.data() + 8 + length)};
    rest_ = rest_.sliced(around + length);
    return chunk;
}

bool is_whole_png(QByteArrayView bytes) {
    PngChunks chunks(bytes);
    while (const auto chunk = chunks.next()) {
        if (!is_sound(*chunk))
            return false;
        if (chunk->type == QByteArrayView("IEND"))
            return true;
    }
    return false;
}

}  // namespace headlight
