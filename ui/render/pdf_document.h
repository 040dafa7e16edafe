#pragma once

#include <QByteArray>
#include <QImage>

#include <map>
#include <optional>

namespace headlight {

/// The objects of a PDF that QPdfWriter has just written, to be corrected where its interface does not reach:
/// exact page size, images with a palette, the same bytes for the same figure. Not a reader for files of
/// others.
class PdfDocument {
public:
    explicit PdfDocument(const QByteArray& bytes);

    /// The number of the first object whose dictionary contains `text`.
    std::optional<int> find(const QByteArray& text) const;
    const QByteArray& object(int number) const { return objects_.at(number); }
    /// `body` is what stands between "N 0 obj" and "endobj".
    void set_object(int number, QByteArray body) { objects_[number] = std::move(body); }

    /// Objects numbered in the order in which they are referred to, starting at the trailer: QPdfWriter's own
    /// order depends on hash values that change from run to run.
    QByteArray write() const;

private:
    std::map<int, QByteArray> objects_;  ///< by number
    QByteArray trailer_;                 ///< the dictionary
};

/// An image object with the palette of an Indexed8 image: a third of the size of true colour before
/// compression, and far less after it.
QByteArray indexed_image_object(const QImage& image);

}  // namespace headlight
