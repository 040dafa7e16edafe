#include "ui/render/export.h"
#include "ui/render/export_formats.h"
#include "ui/render/png_chunks.h"

#include <QXmlStreamReader>

#include <zlib.h>

namespace headlight {

namespace {

constexpr qsizetype longest_session = 64 << 20;  // what a hostile file may make us hold

/// The zlib stream's content; nothing when it is broken or longer than a session may be.
std::optional<QByteArray> inflated(QByteArrayView packed) {
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK)
        return std::nullopt;
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    QByteArray content, piece(1 << 16, Qt::Uninitialized);
    int state = Z_OK;
    while (state == Z_OK && content.size() <= longest_session) {
        stream.next_out = reinterpret_cast<Bytef*>(piece.data());
        stream.avail_out = static_cast<uInt>(piece.size());
        state = inflate(&stream, Z_NO_FLUSH);
        content.append(piece.constData(), piece.size() - static_cast<qsizetype>(stream.avail_out));
    }
    inflateEnd(&stream);
    if (state != Z_STREAM_END || content.size() > longest_session)
        return std::nullopt;
    return content;
}

/// Takes the text up to the next NUL off the front of `rest`; nothing when there is none.
std::optional<QByteArrayView> take_field(QByteArrayView& rest) {
    const auto end = rest.indexOf('\0');
    if (end < 0)
        return std::nullopt;
    const QByteArrayView field = rest.first(end);
    rest = rest.sliced(end + 1);
    return field;
}

/// The text of a tEXt, zTXt or iTXt chunk (PNG specification, 11.3.4) whose keyword is ours.
std::optional<std::string> chunk_text(QByteArrayView type, QByteArrayView data) {
    const auto keyword = take_field(data);
    if (!keyword || *keyword != QByteArrayView(png_session_key))
        return std::nullopt;
    bool packed = type == QByteArrayView("zTXt");
    if (type == QByteArrayView("iTXt")) {
        if (data.size() < 2)
            return std::nullopt;
        packed = data[0] != 0;
        data = data.sliced(2);
        if (!take_field(data) || !take_field(data))  // language, translated keyword
            return std::nullopt;
    } else if (packed) {
        if (data.isEmpty())
            return std::nullopt;
        data = data.sliced(1);
    }
    const auto text = packed ? inflated(data) : std::optional(data.toByteArray());
    if (!text || type == QByteArrayView("iTXt"))
        return text ? std::optional(text->toStdString()) : std::nullopt;
    return QString::fromLatin1(*text).toStdString();  // the other two chunks are Latin-1
}

}  // namespace

/// QXmlStreamReader refuses entities that explode by itself.
std::optional<std::string> session_in_xml(QByteArrayView bytes) {
    QXmlStreamReader reader(bytes.toByteArray());
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement ||
            reader.name() != QLatin1String("session") ||
            reader.namespaceUri() != QLatin1String(xml_session_namespace))
            continue;
        const QString text = reader.readElementText();
        if (reader.hasError())
            return std::nullopt;
        return text.toStdString();
    }
    return std::nullopt;
}

std::optional<std::string> session_in_png(const QByteArray& bytes) {
    PngChunks chunks(bytes);
    while (const auto chunk = chunks.next())
        if (chunk->type == QByteArrayView("tEXt") || chunk->type == QByteArrayView("zTXt") ||
            chunk->type == QByteArrayView("iTXt"))
            if (auto text = chunk_text(chunk->type, chunk->data))
                return text;
    return std::nullopt;
}

std::optional<std::string> session_in_svg(const QByteArray& bytes) {
    const auto first =
        std::ranges::find_if_not(bytes, [](char c) { return std::isspace(static_cast<unsigned char>(c)); });
    const bool is_xml = first != bytes.end() && *first == '<' && !bytes.startsWith("<!DOCTYPE html>");
    return is_xml ? session_in_xml(bytes) : std::nullopt;
}

/// XMP packets stand in a PDF as they are, so that programs which do not know PDF can read them (ISO
/// 16684-1, 7.3).
std::optional<std::string> session_in_pdf(const QByteArray& bytes) {
    if (!bytes.startsWith("%PDF-"))
        return std::nullopt;
    const auto start = bytes.indexOf("<x:xmpmeta"),
               end = bytes.indexOf("</x:xmpmeta>", std::max<qsizetype>(0, start));
    if (start < 0 || end < 0)
        return std::nullopt;
    return session_in_xml(QByteArrayView(bytes).sliced(start, end - start + 12));
}

/// The session of the first picture of a page.
std::optional<std::string> session_in_html(const QByteArray& bytes) {
    const auto start = bytes.indexOf("<svg");
    const auto end = bytes.indexOf("</svg>", std::max<qsizetype>(0, start));
    if (!bytes.startsWith("<!DOCTYPE html>") || start < 0 || end < 0)
        return std::nullopt;
    return session_in_xml(QByteArrayView(bytes).sliced(start, end - start + 6));
}

std::optional<std::string> embedded_session(const QByteArray& bytes) {
    for (const Exporter& each : exporters())
        if (each.session_in)
            if (auto session = each.session_in(bytes))
                return session;
    return std::nullopt;
}

}  // namespace headlight
