// An image as the sequence, as a person meets it: opened, cut, looked at, left again.

#include "core/io/image_session.h"
#include "tests/support/sample_pictures.h"
#include "tests/ui/windowed_test.h"
#include "ui/panels/number_control.h"
#include "ui/panels/view_tabs.h"
#include "ui/render/picture_image.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/map_view.h"

#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QImageWriter>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <QTemporaryFile>

#include <unistd.h>

namespace headlight::image_test {

namespace {

QByteArray written(const QImage& image, const char* format,
                   QImageIOHandler::Transformation transformation = QImageIOHandler::TransformationNone) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QImageWriter writer(&buffer, format);
    writer.setTransformation(transformation);
    writer.setQuality(95);
    writer.write(image);
    return buffer.data();
}

/// What is written on the standard error meanwhile, by whom ever.
class HeardOnStandardError {
public:
    HeardOnStandardError() : before_(dup(STDERR_FILENO)) {
        if (file_.open())
            dup2(file_.handle(), STDERR_FILENO);
    }
    ~HeardOnStandardError() {
        dup2(before_, STDERR_FILENO);
        ::close(before_);
    }
    QByteArray so_far() const {
        QFile file(file_.fileName());
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("not heard");
    }

private:
    QTemporaryFile file_;
    int before_;
};

}  // namespace

class ImageTest : public WindowedTest {
    Q_OBJECT
private slots:
    void a_damaged_image_is_refused_without_a_word_of_its_decoder() {
        QImage image(40, 30, QImage::Format_RGB32);
        for (int i = 0; i < 1200; ++i)
            image.setPixel(i % 40, i / 40, qRgb(i % 256, 255 - i % 200, i / 5));
        const HeardOnStandardError heard;
        for (const char* format : {"png", "jpg"}) {
            const QByteArray whole = written(image, format);
            int refused = 0;
            for (qsizetype i = 20; i < whole.size(); i += 7) {
                for (QByteArray damaged : {whole.left(i), QByteArray(whole)}) {
                    if (damaged.size() > i)
                        damaged[i] = static_cast<char>(~damaged[i]);
                    try {
                        parse_picture(damaged);
                    } catch (const Error&) {
                        ++refused;
                    }
                }
            }
            QVERIFY2(refused > 10, format);
        }
        QCOMPARE(heard.so_far(), QByteArray());
    }

    void the_example_picture_becomes_the_sequence_and_undo_brings_the_text_back() {
        QVERIFY(!test_->find<QAction>("view_7")->isEnabled());
        test_->trigger("example_picture");
        QTRY_COMPARE(test_->document().run()->trace->tokens.query.front(), std::string("1,1"));
        QVERIFY(!test_->document().error());
        QCOMPARE(test_->session().view.view, ViewKind::image);
        QVERIFY(test_->find<QAction>("view_7")->isEnabled());
        QVERIFY(test_->find("image_thumbnail")->isVisible());
        QVERIFY(!test_->find("query_text")->isVisible());
        QVERIFY(canvas().figure());
        QVERIFY(canvas().figure()->panels.front().overlay);
        // The trees are alike, and nothing else is like them.
        const auto weights = canvas().figure()->panels.front().values;
        const std::size_t left_tree = 6 * 14 + 2, right_tree = 6 * 14 + 11, sky = 4;
        QCOMPARE(selection().query, Index(left_tree));
        QVERIFY(weights[right_tree] > 20 * weights[sky]);
        test_->trigger("edit_undo");
        QVERIFY(test_->session() == example_session());
        QVERIFY(test_->find("query_text")->isVisible());
        QVERIFY(!test_->find("image_thumbnail")->isVisible());
        QVERIFY(!test_->find<QAction>("view_7")->isEnabled());
    }

    void back_to_text_keeps_what_was_typed() {
        type_over(test_->find<QPlainTextEdit>("query_text"), QStringLiteral("what I typed"));
        test_->trigger("example_picture");
        QTest::mouseClick(test_->find("close_image"), Qt::LeftButton);
        QVERIFY(!test_->session().sequence.image);
        QCOMPARE(test_->find<QPlainTextEdit>("query_text")->toPlainText(), QStringLiteral("what I typed"));
        QVERIFY(test_->session().view.view != ViewKind::image);
        test_->trigger("edit_undo");
        QVERIFY(bool(test_->session().sequence.image));
    }

    void an_image_file_is_dropped_data() {
        QTest::addColumn<QString>("name");
        for (const QString& extension : picture_extensions())
            QTest::newRow(qPrintable(extension)) << QStringLiteral("photo") + extension;
    }
    void an_image_file_is_dropped() {
        QFETCH(QString, name);
        if (!QImageWriter::supportedImageFormats().contains(name.section(QLatin1Char('.'), 1).toLatin1()))
            QSKIP("Qt writes no file of this format");
        write(name, written(to_image(samples::landscape()), qPrintable(name.section(QLatin1Char('.'), 1))));
        drop(test_->window(), test_->file(name));
        QTRY_COMPARE(test_->session().sequence.image_name, name.toStdString());
        QCOMPARE(test_->session().sequence.image.picture->width, Index(48));
        QCOMPARE(test_->session().view.view, ViewKind::image);
        test_->trigger("edit_undo");
        QVERIFY(test_->session() == example_session());
    }

    void a_bad_image_changes_nothing() {
        write("photo.jpg", "not at all");
        test_->window().files().open_path(test_->file(QStringLiteral("photo.jpg")));
        QTRY_VERIFY(test_->message("file_message").contains(QLatin1String("photo.jpg")));
        QVERIFY(test_->message("file_message").contains(QLatin1String("plain text")));
        QVERIFY(test_->session() == example_session());
    }

    void a_photograph_stands_upright_small_and_on_white() {
        QImage tall(400, 800, QImage::Format_ARGB32);
        tall.fill(Qt::transparent);
        for (int y = 0; y < 100; ++y)
            for (int x = 0; x < 400; ++x)
                tall.setPixelColor(x, y, Qt::red);
        const Picture plain = parse_picture(written(tall, "png"));
        QCOMPARE(plain.height, most_pixels_across);
        QCOMPARE(plain.width, Index(128));
        QVERIFY(plain.rgb[0] == 255 && plain.rgb[1] == 0);
        QCOMPARE(plain.rgb.back(), std::uint8_t(255));  // white, not black
        // The camera was held on its side: stored lying, with the note to turn it.
        const QImage opaque = tall.convertToFormat(QImage::Format_RGB32);
        const Picture turned = parse_picture(written(opaque, "jpg", QImageIOHandler::TransformationRotate90));
        QCOMPARE(turned.width, most_pixels_across);
        QCOMPARE(turned.height, Index(128));
    }

    void an_image_that_would_fill_the_memory_is_refused_unread() {
        QByteArray bytes = written(to_image(samples::landscape()), "jpg");
        const qsizetype frame = bytes.indexOf(QByteArray("\xFF\xC0"));  // ITU-T T.81, B.2.2
        QVERIFY(frame > 0);
        bytes.replace(frame + 5, 4, QByteArray("\x4E\x20\x4E\x20"));  // 20,000 × 20,000
        try {
            parse_picture(bytes);
            QFAIL("was accepted");
        } catch (const Error& error) {
            QVERIFY2(QString::fromUtf8(error.what()).contains(QLatin1String("at most 100 million pixels")),
                     error.what());
        }
    }

    void an_image_is_pasted() {
        QApplication::clipboard()->setImage(to_image(samples::landscape()));
        test_->trigger("paste_picture");
        QCOMPARE(test_->session().sequence.image.picture->height, Index(32));
        QApplication::clipboard()->setText(QStringLiteral("no image"));
        test_->trigger("paste_picture");
        QVERIFY(test_->message("file_message").contains(QLatin1String("clipboard")));
        QCOMPARE(test_->session().sequence.image.picture->height, Index(32));
    }

    void a_click_chooses_the_patch_that_looks_and_control_the_one_looked_at() {
        open_landscape("scaled_dot_product");
        click(1 * 6 + 4);
        QCOMPARE(selection().query, Index(10));
        QCOMPARE(canvas().figure()->panels.front().overlay->outlined, Index(10));
        QCOMPARE(canvas().figure()->panels.front().subtitle, std::string("patch 2,5 looks"));
        click(2, Qt::ControlModifier);
        QCOMPARE(selection().query, Index(10));
        QCOMPARE(selection().key, Index(2));
        QCOMPARE(test_->document().history()->count(), 0);  // looking is no edit
        test_->trigger("view_back");
        QVERIFY(selection().query != 10);
    }

    void a_patch_under_the_pointer_says_both_tokens_and_the_weight() {
        open_landscape("scaled_dot_product");
        click(7);
        const auto place = canvas().place_at(patch(10).center());
        QVERIFY(place);
        QCOMPARE(*place->row, Index(7));
        QCOMPARE(*place->column, Index(10));
        QVERIFY2(canvas().sentence(*place).startsWith(QStringLiteral("“2,2” looks at “2,5”: weight 0.")),
                 qPrintable(canvas().sentence(*place)));
    }

    void the_arrow_keys_walk_over_the_image() {
        open_landscape("scaled_dot_product");
        click(7);
        QTest::keyClick(&canvas(), Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(selection().query, Index(13));
        QTest::keyClick(&canvas(), Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(selection().query, Index(14));
        QTest::keyClick(&canvas(), Qt::Key_Home, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(selection().query, Index(0));
        QTest::keyClick(&canvas(), Qt::Key_Up, Qt::ShiftModifier);
        QCOMPARE(selection().query, Index(0));
        QTest::keyClick(&canvas(), Qt::Key_End, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(selection().query, Index(23));
    }

    void the_player_walks_the_patches() {
        open_landscape("scaled_dot_product");
        click(7);
        test_->trigger("play_forward");
        QCOMPARE(selection().query, Index(8));
        QCOMPARE(test_->session().view.view, ViewKind::image);
        test_->trigger("play_first");
        QCOMPARE(selection().query, Index(0));
    }

    void a_click_on_a_head_chooses_it_too() {
        open_landscape("multi_head");
        QVERIFY(canvas().figure()->panels.size() > 1);
        const QRectF there = canvas().cell_rect(1, selection().query, 9);
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, there.center().toPoint());
        QCOMPARE(selection().head, Index(1));
        QCOMPARE(selection().query, Index(9));
    }

    void patches_across_cuts_it_anew() {
        open_landscape("scaled_dot_product");
        auto* columns = test_->find<QDoubleSpinBox>("patch_columns");
        QCOMPARE(columns->value(), 6.0);
        type_over(columns, QStringLiteral("12"));
        QTest::keyClick(columns, Qt::Key_Return);
        QCOMPARE(test_->session().sequence.image.columns, Index(12));
        QTRY_COMPARE(test_->document().run()->plan->queries, Index(96));
        type_over(columns, QStringLiteral("60"));
        QTest::keyClick(columns, Qt::Key_Return);
        const Index most = most_patch_columns(samples::landscape());
        QCOMPARE(test_->session().sequence.image.columns, most);
        QCOMPARE(columns->value(), double(most));
        test_->trigger("edit_undo");
        QVERIFY(test_->session().sequence.image.columns < most);
    }

    void the_columns_of_a_grid_follow_the_image() {
        open_landscape("swin");
        auto* columns = test_->find<QDoubleSpinBox>("parameter_columns");
        QVERIFY(!columns->isEnabled());
        QCOMPARE(columns->value(), 6.0);
        QVERIFY2(columns->toolTip().contains(QLatin1String("image")), qPrintable(columns->toolTip()));
        QTest::mouseClick(test_->find("close_image"), Qt::LeftButton);
        QVERIFY(columns->isEnabled());
        QCOMPARE(columns->value(), 4.0);
        QVERIFY(!columns->toolTip().contains(QLatin1String("image")));
    }

    void in_a_composition_they_do_too() {
        open_landscape("swin");
        test_->trigger("compose_mechanism");
        auto* columns = test_->find<QDoubleSpinBox>("compose_mask_0_columns");
        QVERIFY(columns);
        QVERIFY(!columns->isEnabled());
        QCOMPARE(columns->value(), 6.0);
        QTest::mouseClick(test_->find("close_image"), Qt::LeftButton);
        QVERIFY(test_->find<QDoubleSpinBox>("compose_mask_0_columns")->isEnabled());
    }

    void in_cross_attention_words_look_and_a_click_chooses_what_is_looked_at() {
        Session session = landscape("cross");
        session.sequence.query_text = "a red square";
        open_session(test_->document(), session);
        QVERIFY(test_->find("query_text")->isVisible());
        QVERIFY(!test_->find("key_text")->isVisible());
        const Index word = selection().query;
        const QRectF there = canvas().cell_rect(0, word, 9);
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, there.center().toPoint());
        QCOMPARE(selection().query, word);
        QCOMPARE(selection().key, Index(9));
    }

    void a_text_file_takes_the_place_of_the_image() {
        open_landscape("scaled_dot_product");
        write("story.txt", "once upon a time");
        test_->window().files().open_path(test_->file(QStringLiteral("story.txt")));
        QTRY_COMPARE(test_->session().sequence.query_text, std::string("once upon a time"));
        QVERIFY(!test_->session().sequence.image);
        QVERIFY(test_->session().view.view != ViewKind::image);
    }

    void a_view_without_its_image_is_off_everywhere_and_says_what_to_do() {
        Session session = small_session();
        session.view.view = ViewKind::image;
        open_session(test_->document(), session);
        QCOMPARE(test_->session().view.view, ViewKind::heatmap);
        ViewTabs& tabs = test_->window().views();
        const int tab = tabs.tab_of(ViewKind::image);
        QCOMPARE(views()[6].kind, ViewKind::image);
        const auto* action = test_->find<QAction>("view_7");
        QVERIFY(!tabs.isTabEnabled(tab) && !action->isEnabled());
        QVERIFY2(action->toolTip().startsWith(QLatin1String("Open an image")), qPrintable(action->toolTip()));
        QCOMPARE(tabs.tabToolTip(tab), action->toolTip());
        QTest::keyClick(&test_->window(), Qt::Key_7, Qt::ControlModifier);
        QCOMPARE(test_->session().view.view, ViewKind::heatmap);
        QVERIFY(!canvas().figure());
        QVERIFY(canvas().notice().startsWith(QLatin1String("Open an image")));
        open_landscape("scaled_dot_product");
        QVERIFY(tabs.isTabEnabled(tab) && action->isEnabled());
        QVERIFY(action->toolTip().endsWith(QLatin1String("(Ctrl+7)")));
    }

private:
    FigureCanvas& canvas() {
        return *static_cast<MapView*>(test_->window().views().view(ViewKind::image))->canvas();
    }
    const Selection& selection() { return test_->session().view.selection; }

    static Session landscape(const std::string& mechanism) {
        PatchedPicture image = cut(samples::landscape());
        image.columns = 6;
        Session session = with_image(small_session(mechanism), image, "landscape.png");
        session.view.selection.key = 0;
        return session;
    }
    void open_landscape(const std::string& mechanism) {
        open_session(test_->document(), landscape(mechanism));
        QTest::qWait(1);
    }
    QRectF patch(Index patch) { return canvas().cell_rect(0, selection().query, patch); }
    void click(Index index, Qt::KeyboardModifiers modifiers = {}) {
        QTest::mouseClick(&canvas(), Qt::LeftButton, modifiers, patch(index).center().toPoint());
    }
    void write(const QString& name, const QByteArray& bytes) {
        QFile file(test_->file(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }
};

QTEST_MAIN(ImageTest)

}  // namespace headlight::image_test

#include "image_test.moc"
