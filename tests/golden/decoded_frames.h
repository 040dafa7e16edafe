#pragma once

#include <QBuffer>
#include <QImage>
#include <QImageReader>

#include <cstdint>
#include <memory>
#include <vector>
#include <webp/demux.h>

namespace headlight {

struct DecodedFrame {
    QImage picture;
    int milliseconds;
};

inline std::vector<DecodedFrame> frames_in_gif(QByteArray bytes) {
    QBuffer buffer(&bytes);
    QImageReader reader(&buffer, "gif");
    std::vector<DecodedFrame> frames;
    while (reader.canRead()) {
        const QImage picture = reader.read();
        if (picture.isNull())
            break;
        frames.push_back({picture.convertToFormat(QImage::Format_RGB32), reader.nextImageDelay()});
    }
    return frames;
}

inline std::vector<DecodedFrame> frames_in_webp(const QByteArray& bytes) {
    const WebPData data{reinterpret_cast<const std::uint8_t*>(bytes.constData()),
                        static_cast<std::size_t>(bytes.size())};
    WebPAnimDecoderOptions options;
    WebPAnimDecoderOptionsInit(&options);
    options.color_mode = MODE_RGBA;
    const std::unique_ptr<WebPAnimDecoder, void (*)(WebPAnimDecoder*)> decoder(
        WebPAnimDecoderNew(&data, &options), WebPAnimDecoderDelete);
    WebPAnimInfo info{};
    if (!decoder || !WebPAnimDecoderGetInfo(decoder.get(), &info))
        return {};
    std::vector<DecodedFrame> frames;
    int before = 0;
    while (WebPAnimDecoderHasMoreFrames(decoder.get())) {
        std::uint8_t* pixels = nullptr;
        int end = 0;
        if (!WebPAnimDecoderGetNext(decoder.get(), &pixels, &end))
            break;
        const QImage picture(pixels, static_cast<int>(info.canvas_width),
                             static_cast<int>(info.canvas_height), QImage::Format_RGBA8888);
        frames.push_back({picture.convertToFormat(QImage::Format_RGB32), end - before});
        before = end;
    }
    return frames;
}

}  // namespace headlight
