#include "ui/render/pdf_document.h"

#include <QRegularExpression>

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <vector>

namespace headlight {

namespace {

/// The part of an object before its stream.
QByteArray dictionary(const QByteArray& body) {
    const auto stream = body.indexOf("stream\n");
    return stream < 0 ? body : body.left(stream);
}

/// Calls `visit(number)` for each reference "N 0 R"; puts what it returns in N's place.
template <class Visit>
QByteArray with_references(const QByteArray& text, const Visit& visit) {
    static const QRegularExpression reference(QStringLiteral("\\b(\\d+) 0 R\\b"));
    QByteArray result;
    qsizetype done = 0;
    const QString latin = QString::fromLatin1(text);
    for (auto match = reference.globalMatch(latin); match.hasNext();) {
        const auto found = match.next();
        result += text.mid(done, found.capturedStart(1) - done);
        result += QByteArray::number(visit(found.captured(1).toInt()));
        done = found.capturedEnd(1);
    }
    return result + text.mid(done);
}

/// Subsets of fonts are told apart by six letters before their names. QPdfWriter takes them from its own
/// numbers of objects, so they are made again from ours.
QByteArray with_subset_tag(QByteArray head, int number) {
    constexpr char mark[] = "/FontName /";
    const auto tag = head.indexOf(mark) + static_cast<qsizetype>(sizeof mark) - 1;
    if (tag < static_cast<qsizetype>(sizeof mark) || head.indexOf('+', tag) != tag + 6)
        return head;
    for (qsizetype letter = 5; letter >= 0; --letter, number /= 26)
        head[tag + letter] = static_cast<char>('A' + number % 26);
    return head;
}

}  // namespace

PdfDocument::PdfDocument(const QByteArray& bytes) {
    const auto table = bytes.mid(bytes.lastIndexOf("startxref") + 10).split('\n').front().toLongLong();
    const auto trailer = bytes.indexOf("trailer\n", table);
    trailer_ = bytes.mid(trailer + 8, bytes.indexOf("startxref", trailer) - trailer - 8).trimmed();
    const auto lines = bytes.mid(table, trailer - table).split('\n');
    std::vector<std::pair<qsizetype, int>> places;  // where an object starts, its number
    for (int i = 3; i < lines.size(); ++i)          // "xref", "0 N", the free entry, then object 1
        if (const auto fields = lines[i].split(' '); fields.size() >= 3 && fields[2].startsWith('n'))
            places.emplace_back(fields[0].toLongLong(), i - 2);
    std::ranges::sort(places);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto start = bytes.indexOf("obj", places[i].first) + 4;
        const auto next = i + 1 < places.size() ? places[i + 1].first : table;
        const auto end = bytes.lastIndexOf("endobj", next - 1);
        objects_[places[i].second] = bytes.mid(start, end - start);
    }
}

std::optional<int> PdfDocument::find(const QByteArray& text) const {
    for (const auto& [number, body] : objects_)
        if (dictionary(body).contains(text))
            return number;
    return std::nullopt;
}

QByteArray PdfDocument::write() const {
    std::map<int, int> numbers;  // old to new
    std::vector<int> order;
    const auto collect = [&](int number) {
        if (objects_.contains(number) &&
            numbers.try_emplace(number, static_cast<int>(numbers.size()) + 1).second)
            order.push_back(number);
        return number;
    };
    with_references(trailer_, collect);
    for (std::size_t i = 0; i < order.size(); ++i)
        with_references(dictionary(objects_.at(order[i])), collect);

    const auto renumber = [&](int number) { return numbers.contains(number) ? numbers.at(number) : number; };
    QByteArray file("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n");
    std::vector<qsizetype> offsets;
    for (const int number : order) {
        const QByteArray& body = objects_.at(number);
        const QByteArray head = dictionary(body);
        offsets.push_back(file.size());
        file += QByteArray::number(renumber(number)) + " 0 obj\n" +
                with_subset_tag(with_references(head, renumber), renumber(number)) + body.mid(head.size()) +
                "endobj\n";
    }
    const auto table = file.size();
    file += "xref\n0 " + QByteArray::number(static_cast<int>(order.size()) + 1) + "\n0000000000 65535 f \n";
    for (const qsizetype offset : offsets)
        file += QByteArray::number(offset).rightJustified(10, '0') + " 00000 n \n";
    QByteArray trailer = with_references(trailer_, renumber);
    const auto size = trailer.indexOf("/Size ");
    trailer.replace(size, trailer.indexOf('\n', size) - size,
                    "/Size " + QByteArray::number(static_cast<int>(order.size()) + 1));
    file += "trailer\n" + trailer + "\nstartxref\n" + QByteArray::number(table) + "\n%%EOF\n";
    return file;
}

namespace {

/// As a zlib stream, looking for repeated bytes only: maps of attention hold few other repetitions, and
/// searching for them takes twenty times as long for a larger result.
QByteArray deflated(const QByteArray& bytes) {
    z_stream stream{};
    deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS, MAX_MEM_LEVEL, Z_RLE);
    QByteArray packed(static_cast<qsizetype>(deflateBound(&stream, static_cast<uLong>(bytes.size()))),
                      Qt::Uninitialized);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.constData()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.truncate(static_cast<qsizetype>(stream.total_out));
    deflateEnd(&stream);
    return packed;
}

}  // namespace

QByteArray indexed_image_object(const QImage& image) {
    // PNG's row filters: a row that repeats the one above is all zeros when stored as the difference from it
    // (2).
    QByteArray rows;
    const auto width = static_cast<std::size_t>(image.width());
    rows.reserve(static_cast<qsizetype>((width + 1) * static_cast<std::size_t>(image.height())));
    for (int y = 0; y < image.height(); ++y) {
        const auto* row = reinterpret_cast<const char*>(image.constScanLine(y));
        const bool repeats = y > 0 && std::memcmp(row, image.constScanLine(y - 1), width) == 0;
        rows += repeats ? '\2' : '\0';
        repeats ? rows.append(static_cast<qsizetype>(width), '\0')
                : rows.append(row, static_cast<qsizetype>(width));
    }
    const QByteArray packed = deflated(rows);
    QByteArray palette;
    for (const QRgb colour : image.colorTable())
        for (const int channel : {qRed(colour), qGreen(colour), qBlue(colour)})
            palette += QByteArray::number(channel, 16).rightJustified(2, '0');
    const QByteArray columns = QByteArray::number(image.width());
    return "<<\n/Type /XObject\n/Subtype /Image\n/Width " + columns + "\n/Height " +
           QByteArray::number(image.height()) + "\n/BitsPerComponent 8\n/ColorSpace [/Indexed /DeviceRGB " +
           QByteArray::number(image.colorCount() - 1) + " <" + palette +
           ">]\n/Interpolate false\n/Filter /FlateDecode\n/DecodeParms << /Predictor 15 /Colors 1 " +
           "/BitsPerComponent 8 /Columns " + columns + " >>\n/Length " + QByteArray::number(packed.size()) +
           "\n>>\nstream\n" + packed + "\nendstream\n";
}

}  // namespace headlight
