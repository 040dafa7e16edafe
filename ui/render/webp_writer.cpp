#include "ui/render/webp_writer.h"

#include "core/tensor/error.h"
#include "ui/render/export_formats.h"

#include <cstdint>
#include <webp/encode.h>
#include <webp/mux.h>

namespace headlight {
namespace {

constexpr char xmp_chunk[] = "XMP ";

[[noreturn]] void refuse_webp(const std::string& expected, const std::string& got) {
    throw Error({"write WebP", "", expected, got});
}

/// Bytes of the library, given back whatever happens.
struct WebpBytes {
    WebPData data{};

    WebpBytes() = default;
    WebpBytes(const WebpBytes&) = delete;
    WebpBytes& operator=(const WebpBytes&) = delete;
    ~WebpBytes() { WebPDataClear(&data); }

    QByteArray copy() const {
        return {reinterpret_cast<const char*>(data.bytes), static_cast<qsizetype>(data.size)};
    }
};

using WebpParts = std::unique_ptr<WebPMux, void (*)(WebPMux*)>;

/// The chunks of a file; null for what is none. `bytes` outlives it.
WebpParts parts_of(const WebPData& bytes) {
    constexpr int copies = 0;
    return {WebPMuxCreate(&bytes, copies), WebPMuxDelete};
}

WebPData view_of(const QByteArray& bytes) {
    return {reinterpret_cast<const std::uint8_t*>(bytes.constData()), static_cast<std::size_t>(bytes.size())};
}

QByteArray with_metadata(const WebpBytes& picture, const QByteArray& metadata) {
    const WebpParts parts = parts_of(picture.data);
    const WebPData packet = view_of(metadata);
    WebpBytes whole;
    if (!parts || WebPMuxSetChunk(parts.get(), xmp_chunk, &packet, 0) != WEBP_MUX_OK ||
        WebPMuxAssemble(parts.get(), &whole.data) != WEBP_MUX_OK)
        refuse_webp("a library that writes metadata", "an error of it");
    return whole.copy();
}

}  // namespace

struct WebpWriter::File {
    WebPAnimEncoder* encoder = nullptr;
    int time = 0;  ///< milliseconds at which the next picture begins

    explicit File(QSize size) {
        WebPAnimEncoderOptions options;
        WebPAnimEncoderOptionsInit(&options);
        options.anim_params.loop_count = 0;  // for ever
        encoder = WebPAnimEncoderNew(size.width(), size.height(), &options);
        if (!encoder)
            refuse_webp("at most 16383 pixels along each side",
                        std::to_string(size.width()) + " x " + std::to_string(size.height()));
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() { WebPAnimEncoderDelete(encoder); }

    void require(bool is_done) const {
        if (!is_done)
            refuse_webp("a library that writes it", WebPAnimEncoderGetError(encoder));
    }
};

WebpWriter::WebpWriter(QSize size) : size_(size) {}

WebpWriter::~WebpWriter() = default;

void WebpWriter::add(const QImage& picture, int milliseconds) {
    const auto text = [](QSize size) {
        return std::to_string(size.width()) + " x " + std::to_string(size.height()) + " pixels";
    };
    if (picture.size() != size_ || picture.isNull())
        refuse_webp(text(size_), text(picture.size()));
    if (!file_)
        file_ = std::make_unique<File>(size_);
    const QImage now = picture.convertToFormat(QImage::Format_RGBA8888);
    WebPConfig config;
    WebPPicture input;
    constexpr int quick = 3;  // of 0 to 9: larger levels take much longer and save little
    if (!WebPConfigInit(&config) || !WebPConfigLosslessPreset(&config, quick) || !WebPPictureInit(&input))
        refuse_webp("a library of this version", "another one");
    const std::unique_ptr<WebPPicture, void (*)(WebPPicture*)> owned(&input, WebPPictureFree);
    input.use_argb = 1;
    input.width = now.width();
    input.height = now.height();
    if (!WebPPictureImportRGBA(&input, now.constBits(), static_cast<int>(now.bytesPerLine())))
        refuse_webp("a size that fits into memory", text(size_));
    file_->require(WebPAnimEncoderAdd(file_->encoder, &input, file_->time, &config));
    file_->time += milliseconds;
}

QByteArray WebpWriter::finish(const QByteArray& metadata) {
    if (!file_)
        refuse_webp("at least one picture", "none");
    WebpBytes picture;
    file_->require(WebPAnimEncoderAdd(file_->encoder, nullptr, file_->time, nullptr));
    file_->require(WebPAnimEncoderAssemble(file_->encoder, &picture.data));
    file_.reset();
    return metadata.isEmpty() ? picture.copy() : with_metadata(picture, metadata);
}

std::optional<std::string> session_in_webp(const QByteArray& bytes) {
    if (!bytes.startsWith("RIFF") || bytes.mid(8, 4) != "WEBP")
        return std::nullopt;
    const WebPData whole = view_of(bytes);
    const WebpParts parts = parts_of(whole);
    WebPData packet{};
    if (!parts || WebPMuxGetChunk(parts.get(), xmp_chunk, &packet) != WEBP_MUX_OK)
        return std::nullopt;
    return session_in_xml(
        QByteArrayView(reinterpret_cast<const char*>(packet.bytes), static_cast<qsizetype>(packet.size)));
}

}  // namespace headlight
