#include "ui/publish/lesson_page.h"

#include "core/io/session_run.h"
#include "ui/render/export.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>
#include <QTextDocument>
#include <QUrl>

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

constexpr int handout_resolution = 600;
constexpr double margin_mm = 15, largest_type = 11, smallest_type = 6;  // points
constexpr double widest_picture = 0.9, narrowest_picture = 0.1;         // of the width of the sheet
constexpr double dots_of_html = 96;  // to the inch: pixels in HTML, whatever it is painted on
constexpr char picture_width_mark[] = "PICTURE-WIDTH";

/// A text with pictures that fills at most one side of the sheet: as large as has room, and where the least
/// type is too large for all of it, with smaller pictures.
void paint_side(QPainter& painter, const QSizeF& side, const QString& html,
                const std::vector<QImage>& pictures) {
    QTextDocument document;
    document.setDocumentMargin(0);
    document.documentLayout()->setPaintDevice(painter.device());
    for (std::size_t i = 0; i < pictures.size(); ++i)
        document.addResource(QTextDocument::ImageResource, QUrl(QStringLiteral("picture:%1").arg(i)),
                             pictures[i]);
    const auto fits = [&](double size, double picture) {
        QFont font(QStringLiteral("Inter"));
        font.setPointSizeF(size);
        document.setDefaultFont(font);
        document.setHtml(QString(html).replace(
            QLatin1String(picture_width_mark),
            QString::number(side.width() * picture * dots_of_html / handout_resolution)));
        document.setTextWidth(side.width());
        return document.size().height() <= side.height();
    };
    double size = largest_type, picture = widest_picture;
    while (!fits(size, picture) && picture > narrowest_picture) {
        size = std::max(smallest_type, size - 0.5);
        picture = size > smallest_type ? widest_picture * std::pow(size / largest_type, 2) : 0.9 * picture;
    }
    document.drawContents(&painter, QRectF(QPointF(), side));
}

QString line_to_write_on(const Question& question) {
    if (question.options.empty())
        return QStringLiteral("<p>Answer: ______________________</p>");
    QString html;
    for (const std::string& option : question.options)
        html += QStringLiteral("<p style=\"margin:0\">☐ %1</p>")
                    .arg(QString::fromStdString(option).toHtmlEscaped());
    return html;
}

}  // namespace

QByteArray lesson_handout(LessonRuns& runs) {
    const Lesson& lesson = runs.lesson();
    const QString title = QString::fromStdString(lesson.title).toHtmlEscaped();
    QString front = QStringLiteral("<h2>%1</h2><p>Name: ______________________</p>").arg(title),
            back = QStringLiteral("<h2>%1: answers</h2>").arg(title);
    std::vector<QImage> pictures;
    int number = 0;
    const auto ask = [&](const Question& question, const std::string& answer, const std::string& because) {
        const QString words = QString::fromStdString(question.ask).toHtmlEscaped();
        front +=
            QStringLiteral("<p><b>%1. %2</b></p>%3").arg(++number).arg(words, line_to_write_on(question));
        back += QStringLiteral("<p><b>%1. %2</b><br/><b>%3</b>. %4</p>")
                    .arg(QString::number(number), words, QString::fromStdString(answer).toHtmlEscaped(),
                         QString::fromStdString(because).toHtmlEscaped());
    };
    for (std::size_t step = 0; step < lesson.steps.size(); ++step) {
        const LessonStep& asking = lesson.steps[step];
        if (!asking.question)
            continue;
        Session shown = asking.states.front();
        shown.view.theme = FigureTheme::paper;
        pictures.push_back(
            render_image(session_figure(shown), {.width_mm = {}, .width_px = 1600, .dpi = 200}));
        front += QStringLiteral("<p><img src=\"picture:%1\" width=\"%2\"/></p>")
                     .arg(pictures.size() - 1)
                     .arg(QLatin1String(picture_width_mark));
        ask(*asking.question, runs.answer(step).words, runs.because(step));
    }
    for (const Question& question : lesson.quiz)
        ask(question, question.options.at(question.answer), question.because);

    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setResolution(handout_resolution);
        writer.setPageSize(QPageSize(QPageSize::A4));
        writer.setPageMargins(QMarginsF(margin_mm, margin_mm, margin_mm, margin_mm), QPageLayout::Millimeter);
        writer.setTitle(QString::fromStdString(lesson.title));
        writer.setCreator(QStringLiteral("Headlight"));
        QPainter painter(&writer);
        const QSizeF side(writer.width(), writer.height());
        paint_side(painter, side, front, pictures);
        writer.newPage();
        paint_side(painter, side, back, {});
    }
    return buffer.data();
}

}  // namespace headlight
