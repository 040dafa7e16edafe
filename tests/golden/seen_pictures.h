#pragma once

#include <QColor>
#include <QFile>
#include <QImage>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>

namespace headlight {

/// What the program makes of the file; null where it is not installed.
inline QImage drawn_by(const char* program, const QStringList& arguments, const QByteArray& bytes,
                       const char* name) {
    const QString tool = QStandardPaths::findExecutable(QLatin1String(program));
    if (tool.isEmpty())
        return {};
    const QTemporaryDir folder;
    QFile file(folder.filePath(QLatin1String(name)));
    if (!file.open(QFile::WriteOnly) || file.write(bytes) != bytes.size())
        return {};
    file.close();
    QProcess process;
    process.setWorkingDirectory(folder.path());
    process.start(tool, arguments);
    process.waitForFinished();
    return QImage(folder.filePath(QStringLiteral("x.png")));
}

inline QImage from_pdf(const QByteArray& bytes, int width_px) {
    return drawn_by("pdftoppm",
                    {QStringLiteral("-scale-to-x"), QString::number(width_px), QStringLiteral("-scale-to-y"),
                     QStringLiteral("-1"), QStringLiteral("-png"), QStringLiteral("-singlefile"),
                     QStringLiteral("x.pdf"), QStringLiteral("x")},
                    bytes, "x.pdf");
}

inline QImage from_svg(const QByteArray& bytes, int width_px) {
    return drawn_by("rsvg-convert",
                    {QStringLiteral("-w"), QString::number(width_px), QStringLiteral("-o"),
                     QStringLiteral("x.png"), QStringLiteral("x.svg")},
                    bytes, "x.svg");
}

struct Distance {
    double mean = 0, most = 0;  ///< of 255, of the channels of what is seen as one
};

/// The pictures have about the same size.
inline Distance distance(const QImage& one, const QImage& other) {
    constexpr int step_away = 8;  // pixels in a row that are seen as one
    const QSize seen = one.size() / step_away;
    const auto from_away = [&](const QImage& image) {
        QImage paper(image.size(), QImage::Format_RGB32);
        paper.fill(Qt::white);
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (const QColor colour = image.pixelColor(x, y); colour.alpha() == 255)
                    paper.setPixelColor(x, y, colour);
        return paper.scaled(seen, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    };
    const QImage a = from_away(one), b = from_away(other);
    Distance distance;
    for (int y = 0; y < seen.height(); ++y)
        for (int x = 0; x < seen.width(); ++x) {
            const QColor p = a.pixelColor(x, y), q = b.pixelColor(x, y);
            for (const int channel : {p.red() - q.red(), p.green() - q.green(), p.blue() - q.blue()}) {
                distance.mean += std::abs(channel);
                distance.most = std::max(distance.most, std::abs(double(channel)));
            }
        }
    distance.mean /= 3.0 * seen.width() * seen.height();
    return distance;
}

}  // namespace headlight
