#include "ui/views/kept_picture.h"

#include "tests/ui/views_support.h"
#include "ui/render/painter.h"
#include "ui/views/figure_canvas.h"

#include <QPainter>

namespace headlight::kept_picture_test {

namespace {

using Keep = KeptPicture::Keep;

/// A picture of the figure of a canvas, drawn where a person chooses.
struct Stand {
    Document document;
    std::unique_ptr<FigureCanvas> canvas;
    Figure figure;
    FittedLayout fitted;
    KeptPicture picture;

    explicit Stand(Keep keep) : picture(keep) {
        open_session(document, small_session());
        canvas = std::make_unique<FigureCanvas>(document, ViewKind::heatmap);
        canvas->resize(900, 700);
        canvas->show();
        figure = *canvas->figure();
        fitted = fit_layout(figure, QRectF(canvas->rect()), 96.0 / 72);
    }
    QImage drawn(double left = 0) {
        QImage image(canvas->size() + QSize(8, 0), QImage::Format_RGB32);
        image.fill(Qt::magenta);
        QPainter painter(&image);
        painter.translate(left, 0);
        picture.draw(painter, *canvas, figure, fitted);
        painter.end();
        return image;
    }
};

}  // namespace

class KeptPictureTest : public QObject {
    Q_OBJECT
private slots:
    void looks_the_same_painted_and_kept_data() {
        QTest::addColumn<Keep>("keep");
        QTest::addColumn<double>("left");
        for (const double left : {0.0, 3.0, 2.5}) {  // 2.5: between two pixels
            QTest::addRow("at the second look, %g", left) << Keep::at_the_second_look << left;
            QTest::addRow("at the first look, %g", left) << Keep::at_the_first_look << left;
        }
    }
    void looks_the_same_painted_and_kept() {
        QFETCH(Keep, keep);
        QFETCH(double, left);
        Stand stand(keep);
        const QImage first = stand.drawn(left);
        QCOMPARE(stand.drawn(left), first);
        QCOMPARE(stand.drawn(left), first);
        stand.picture.forget(*stand.canvas);
        QCOMPARE(stand.drawn(left), first);
    }

    /// Nothing of what was there before shines through, also where pixels lie between those of the widget.
    void covers_what_was_there_data() {
        QTest::addColumn<double>("scale");
        for (const double scale : {1.0, 1.25, 1.5, 1.75, 2.0})
            QTest::addRow("%g", scale) << scale;
    }
    void covers_what_was_there() {
        QFETCH(double, scale);
        const Stand stand(Keep::at_the_second_look);
        const auto painted = [&](QColor before) {
            QImage image((QSizeF(stand.canvas->size()) * scale).toSize(), QImage::Format_RGB32);
            image.fill(before);
            QPainter painter(&image);
            painter.scale(scale, scale);
            paint_figure(painter, stand.figure, stand.fitted.layout, stand.fitted.unit);
            painter.end();
            return image;
        };
        QCOMPARE(painted(Qt::magenta), painted(Qt::green));
    }

    void is_kept_from_the_look_on_that_is_asked_for() {
        for (const Keep keep : {Keep::at_the_first_look, Keep::at_the_second_look}) {
            Stand stand(keep);
            const QImage first = stand.drawn();
            stand.figure.title = "Another";
            const QImage second = stand.drawn();
            QCOMPARE(second == first, keep == Keep::at_the_first_look);
            stand.figure.title = "Yet another";
            QCOMPARE(stand.drawn(), second);
            stand.picture.forget(*stand.canvas);
            QVERIFY(stand.drawn() != second);
        }
    }
};

QTEST_MAIN(KeptPictureTest)

}  // namespace headlight::kept_picture_test

#include "kept_picture_test.moc"
