#include "ui/pdf/corrections.h"

#include "ui/render/pdf_library.h"

#define POINTERHOLDER_TRANSITION 4  // std::shared_ptr, as every version after the next has it
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <qpdf/QPDFPageDocumentHelper.hh>
#include <qpdf/QPDFWriter.hh>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <string>

namespace headlight {
namespace {

/// As a zlib stream, looking for repeated bytes only: maps of attention hold few other repetitions, and
/// searching for them takes twenty times as long for a larger result.
std::string deflated(const std::string& bytes) {
    z_stream stream{};
    deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS, MAX_MEM_LEVEL, Z_RLE);
    std::string packed(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

/// With PNG's row filters: a row that repeats the one above is all zeros when stored as the difference from
/// it (2).
std::string filtered_rows(const QImage& image) {
    std::string rows;
    const auto width = static_cast<std::size_t>(image.width());
    rows.reserve((width + 1) * static_cast<std::size_t>(image.height()));
    for (int y = 0; y < image.height(); ++y) {
        const auto* row = reinterpret_cast<const char*>(image.constScanLine(y));
        const bool repeats = y > 0 && std::memcmp(row, image.constScanLine(y - 1), width) == 0;
        rows += repeats ? '\2' : '\0';
        repeats ? rows.append(width, '\0') : rows.append(row, width);
    }
    return rows;
}

/// With the palette of an Indexed8 image: a third of the size of true colour before compression, and far less
/// after it.
void replace_image(QPDFObjectHandle stream, const QImage& image) {
    std::string palette;
    for (const QRgb colour : image.colorTable())
        for (const int channel : {qRed(colour), qGreen(colour), qBlue(colour)})
            palette += static_cast<char>(channel);
    auto colours =
        QPDFObjectHandle::parse("[/Indexed /DeviceRGB " + std::to_string(image.colorCount() - 1) + "]");
    colours.appendItem(QPDFObjectHandle::newString(palette));
    const std::string columns = std::to_string(image.width());
    auto dictionary = QPDFObjectHandle::parse("<< /Type /XObject /Subtype /Image /BitsPerComponent 8 "
                                              "/Interpolate false /Width " +
                                              columns + " /Height " + std::to_string(image.height()) + " >>");
    dictionary.replaceKey("/ColorSpace", colours);
    stream.replaceDict(dictionary);
    stream.replaceStreamData(
        deflated(filtered_rows(image)), QPDFObjectHandle::newName("/FlateDecode"),
        QPDFObjectHandle::parse("<< /Predictor 15 /Colors 1 /BitsPerComponent 8 /Columns " + columns +
                                " >>"));
}

void replace_placeholders(QPDF& pdf, const std::vector<QImage>& maps) {
    for (QPDFObjectHandle object : pdf.getAllObjects()) {
        if (!object.isImage())
            continue;
        QPDFObjectHandle dictionary = object.getDict();
        const QSize first = placeholder_size(0);
        const int number = dictionary.getKey("/Width").getIntValueAsInt() - first.width();
        if (dictionary.getKey("/Height").getIntValueAsInt() == first.height() && number >= 0 &&
            static_cast<std::size_t>(number) < maps.size())
            replace_image(object, maps[static_cast<std::size_t>(number)]);
    }
}

/// QPdfWriter rounds the page to whole points; its content hangs from the upper edge.
void set_page(QPDF& pdf, QSizeF points) {
    const double above = std::round(points.height());
    const QPDFObjectHandle::Rectangle page(0, above - points.height(), points.width(), above);
    for (QPDFPageObjectHelper each : QPDFPageDocumentHelper(pdf).getAllPages())
        each.getObjectHandle().replaceKey("/MediaBox", QPDFObjectHandle::newFromRectangle(page));
}

/// Subsets of fonts are told apart by six letters before their names. QPdfWriter takes them from its own
/// numbers of objects, which change from run to run; here they come from the glyphs.
void name_font_subsets(QPDF& pdf) {
    for (QPDFObjectHandle object : pdf.getAllObjects()) {
        if (!object.isDictionaryOfType("/FontDescriptor") || !object.hasKey("/FontFile2"))
            continue;
        std::string name = object.getKey("/FontName").getName();
        if (name.size() < 8 || name[7] != '+')
            continue;
        const auto glyphs = object.getKey("/FontFile2").getRawStreamData();
        uLong sum = crc32(0, glyphs->getBuffer(), static_cast<uInt>(glyphs->getSize()));
        for (std::size_t letter = 1; letter <= 6; ++letter, sum /= 26)
            name[letter] = static_cast<char>('A' + sum % 26);
        object.replaceKey("/FontName", QPDFObjectHandle::newName(name));
    }
}

}  // namespace

QByteArray corrected_pdf(const QByteArray& written, QSizeF points, const std::vector<QImage>& maps) {
    QPDF pdf;
    pdf.processMemoryFile("figure", written.constData(), static_cast<std::size_t>(written.size()));
    replace_placeholders(pdf, maps);
    set_page(pdf, points);
    name_font_subsets(pdf);
    pdf.getTrailer().getKey("/Info").removeKey("/CreationDate");

    QPDFWriter writer(pdf);
    writer.setOutputMemory();
    writer.setDeterministicID(true);
    // The session stays readable in the metadata, and what is packed is not packed again.
    writer.setStreamDataMode(qpdf_s_preserve);
    writer.setObjectStreamMode(qpdf_o_disable);
    writer.write();
    const auto bytes = writer.getBufferSharedPointer();
    return {reinterpret_cast<const char*>(bytes->getBuffer()), static_cast<qsizetype>(bytes->getSize())};
}

}  // namespace headlight
