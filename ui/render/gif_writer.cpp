#include "ui/render/gif_writer.h"

#include "core/tensor/error.h"
#include "ui/render/few_colours.h"

#include <gif_lib.h>

#include <algorithm>
#include <string_view>

namespace headlight {
namespace {

[[noreturn]] void refuse(const std::string& expected, const std::string& got) {
    throw Error({"write GIF", "", expected, got});
}

void require(int status, int error) {
    if (status == GIF_OK)
        return;
    const char* text = GifErrorString(error);
    refuse("a library that writes it", text ? text : "an unknown error");
}

int append(GifFileType* gif, const GifByteType* bytes, int count) {
    static_cast<QByteArray*>(gif->UserData)->append(reinterpret_cast<const char*>(bytes), count);
    return count;
}

constexpr std::string_view gif_session_key = "headlight-session ";

/// What is still to be read.
struct GifRest {
    QByteArrayView bytes;
};

int take_bytes(GifFileType* gif, GifByteType* to, int count) {
    auto* rest = static_cast<GifRest*>(gif->UserData);
    const auto taken = std::min<qsizetype>(count, rest->bytes.size());
    std::copy_n(rest->bytes.data(), taken, reinterpret_cast<char*>(to));
    rest->bytes = rest->bytes.sliced(taken);
    return static_cast<int>(taken);
}

void close_read(GifFileType* gif) {
    if (gif)
        DGifCloseFile(gif, nullptr);
}

/// Past its bytes, which nobody unpacks.
bool skip_picture(GifFileType* gif) {
    int size = 0;
    GifByteType* block = nullptr;
    if (DGifGetImageDesc(gif) != GIF_OK || DGifGetCode(gif, &size, &block) != GIF_OK)
        return false;
    while (block)
        if (DGifGetCodeNext(gif, &block) != GIF_OK)
            return false;
    return true;
}

/// The text of a comment, nothing of another extension; nothing at all where it is cut off.
std::optional<std::string> extension_text(GifFileType* gif) {
    int code = 0;
    GifByteType* block = nullptr;
    if (DGifGetExtension(gif, &code, &block) != GIF_OK)
        return std::nullopt;
    std::string text;
    while (block) {
        if (code == COMMENT_EXT_FUNC_CODE)
            text.append(reinterpret_cast<const char*>(block + 1), block[0]);
        if (DGifGetExtensionNext(gif, &block) != GIF_OK)
            return std::nullopt;
    }
    return text;
}

/// The part of `now` that is not as it was; a pixel where all is.
QRect changed_part(const QImage& before, const QImage& now) {
    int left = now.width(), right = -1, top = now.height(), bottom = -1;
    for (int y = 0; y < now.height(); ++y) {
        const auto* one = reinterpret_cast<const QRgb*>(before.constScanLine(y));
        const auto* other = reinterpret_cast<const QRgb*>(now.constScanLine(y));
        const auto first = std::mismatch(one, one + now.width(), other);
        if (first.first == one + now.width())
            continue;
        int last = now.width() - 1;
        while (one[last] == other[last])
            --last;
        left = std::min(left, static_cast<int>(first.first - one));
        right = std::max(right, last);
        top = std::min(top, y);
        bottom = y;
    }
    return bottom < 0 ? QRect(0, 0, 1, 1) : QRect(QPoint(left, top), QPoint(right, bottom));
}

using GifTable = std::unique_ptr<ColorMapObject, void (*)(ColorMapObject*)>;

/// A table of so many colours, and of one more for what is seen through, as GIF has them: 2, 4, 8, ...
GifTable made_map(const std::vector<QRgb>& colours, bool is_seen_through) {
    std::size_t size = 2;
    while (size < colours.size() + (is_seen_through ? 1 : 0))
        size *= 2;
    std::vector<GifColorType> table(size);
    std::ranges::transform(colours, table.begin(), [](QRgb colour) {
        return GifColorType{static_cast<GifByteType>(qRed(colour)), static_cast<GifByteType>(qGreen(colour)),
                            static_cast<GifByteType>(qBlue(colour))};
    });
    return {GifMakeMapObject(static_cast<int>(size), table.data()), GifFreeMapObject};
}

}  // namespace

struct GifWriter::File {
    QByteArray bytes;
    GifFileType* gif = nullptr;
    std::vector<QRgb> shared;  ///< colours of every picture that has none of its own

    ~File() {
        if (gif)
            EGifCloseFile(gif, nullptr);
    }
    void require_ok(int status) const { require(status, gif->Error); }

    /// With the colours of the first picture as those of all.
    void begin(QSize size, const std::vector<QRgb>& colours) {
        int error = 0;
        gif = EGifOpen(&bytes, append, &error);
        if (!gif)
            require(GIF_ERROR, error);
        EGifSetGifVersion(gif, true);
        constexpr int bits = 8;
        shared = colours;
        const GifTable table = made_map(colours, colours.size() < (std::size_t{1} << bits));
        require_ok(EGifPutScreenDesc(gif, size.width(), size.height(), bits, 0, table.get()));
        constexpr GifByteType for_ever[] = {1, 0, 0};
        require_ok(EGifPutExtensionLeader(gif, APPLICATION_EXT_FUNC_CODE));
        require_ok(EGifPutExtensionBlock(gif, 11, "NETSCAPE2.0"));
        require_ok(EGifPutExtensionBlock(gif, sizeof for_ever, for_ever));
        require_ok(EGifPutExtensionTrailer(gif));
    }

    void put_delay(int milliseconds, std::optional<std::uint8_t> unchanged) {
        GraphicsControlBlock control{};
        control.DisposalMode = DISPOSE_DO_NOT;
        control.DelayTime = std::max(milliseconds / 10, 2);
        control.TransparentColor = unchanged ? int(*unchanged) : NO_TRANSPARENT_COLOR;
        GifByteType extension[4];
        EGifGCBToExtension(&control, extension);
        require_ok(EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, sizeof extension, extension));
    }

    void put_comment(const std::string& text) {
        constexpr std::size_t block = 255;
        require_ok(EGifPutExtensionLeader(gif, COMMENT_EXT_FUNC_CODE));
        for (std::size_t at = 0; at < text.size(); at += block)
            require_ok(EGifPutExtensionBlock(gif, static_cast<int>(std::min(block, text.size() - at)),
                                             text.data() + at));
        require_ok(EGifPutExtensionTrailer(gif));
    }

    /// `picture` from `at` on, over `before`, which is null under the first one.
    void put_picture(const QImage& picture, const QImage& before, QPoint at, int milliseconds) {
        std::optional<FewColours> few;
        if (!before.isNull())
            few = with_colours_of(shared, picture, before);
        const bool shares = few || before.isNull();
        if (!few)
            few = few_colours(picture, before);
        if (!gif)
            begin(picture.size(), few->colours);
        put_delay(milliseconds, few->unchanged);
        const GifTable map =
            shares ? GifTable(nullptr, GifFreeMapObject) : made_map(few->colours, few->unchanged.has_value());
        if (shares)  // the library forgets its copy of the last picture's colours where the next has none
            GifFreeMapObject(std::exchange(gif->Image.ColorMap, nullptr));
        require_ok(
            EGifPutImageDesc(gif, at.x(), at.y(), picture.width(), picture.height(), false, map.get()));
        for (int y = 0; y < picture.height(); ++y)
            require_ok(EGifPutLine(gif,
                                   few->numbers.data() + static_cast<std::ptrdiff_t>(y) * picture.width(),
                                   picture.width()));
    }
};

GifWriter::GifWriter(QSize size) : file_(std::make_unique<File>()), size_(size) {}

GifWriter::~GifWriter() = default;

void GifWriter::add(const QImage& picture, int milliseconds) {
    const auto text = [](QSize size) {
        return std::to_string(size.width()) + " x " + std::to_string(size.height()) + " pixels";
    };
    if (picture.size() != size_ || picture.isNull())
        refuse(text(size_), text(picture.size()));
    const QImage now = picture.convertToFormat(QImage::Format_RGB32);
    const QRect part = last_.isNull() ? now.rect() : changed_part(last_, now);
    file_->put_picture(now.copy(part), last_.isNull() ? QImage() : last_.copy(part), part.topLeft(),
                       milliseconds);
    last_ = now;
}

QByteArray GifWriter::finish(const std::string& session) {
    if (!file_->gif)
        refuse("at least one picture", "none");
    if (!session.empty())
        file_->put_comment(std::string(gif_session_key) + session);
    int error = 0;
    const int status = EGifCloseFile(std::exchange(file_->gif, nullptr), &error);
    require(status, error);
    return std::move(file_->bytes);
}

std::optional<std::string> session_in_gif(const QByteArray& bytes) {
    GifRest rest{bytes};
    int error = 0;
    const std::unique_ptr<GifFileType, void (*)(GifFileType*)> gif(
        bytes.startsWith("GIF8") ? DGifOpen(&rest, take_bytes, &error) : nullptr, close_read);
    if (!gif)
        return std::nullopt;
    GifRecordType record = UNDEFINED_RECORD_TYPE;
    while (DGifGetRecordType(gif.get(), &record) == GIF_OK && record != TERMINATE_RECORD_TYPE) {
        if (record == IMAGE_DESC_RECORD_TYPE) {
            if (!skip_picture(gif.get()))
                return std::nullopt;
            continue;
        }
        const auto text = record == EXTENSION_RECORD_TYPE ? extension_text(gif.get()) : std::nullopt;
        if (!text)
            return std::nullopt;
        if (text->starts_with(gif_session_key))
            return text->substr(gif_session_key.size());
    }
    return std::nullopt;
}

}  // namespace headlight
