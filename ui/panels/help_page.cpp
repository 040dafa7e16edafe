#include "ui/panels/help_page.h"

#include "ui/actions/shortcuts.h"

#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QPushButton>
#include <QTextBrowser>
#include <QTextDocument>
#include <QVBoxLayout>
#include <QtMath>

#include <algorithm>

namespace headlight {
namespace {

struct HelpPageWords {
    Q_DECLARE_TR_FUNCTIONS(HelpPageWords)
};

}  // namespace

QDialog* make_help_page(const QString& title, const QString& html, QWidget* window) {
    auto* dialog = new QDialog(window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    dialog->setObjectName(QStringLiteral("help_page"));
    auto* text = new QTextBrowser;
    text->setHtml(html);
    text->setFrameShape(QFrame::NoFrame);
    text->setAccessibleName(title);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->addWidget(text);
    layout->addWidget(buttons);
    constexpr int width = 480, most = 520;
    const QMargins around = layout->contentsMargins();
    QTextDocument measured;  // the one in the browser goes back to the width that the browser has by now
    measured.setDefaultFont(text->font());
    measured.setHtml(html);
    measured.setTextWidth(width - around.left() - around.right());
    const int needed = around.top() + qCeil(measured.size().height()) + layout->spacing() +
                       buttons->sizeHint().height() + around.bottom();
    dialog->resize(width, std::min(needed, most));
    return dialog;
}

QDialog* make_keys_page(QWidget* window) {
    return make_help_page(HelpPageWords::tr("Keys"), shortcuts_html(), window);
}

QDialog* make_about_page(QWidget* window) {
    return make_help_page(
        HelpPageWords::tr("About Headlight"),
        HelpPageWords::tr(
            "<h3>Headlight %1</h3>"
            "<p>Shows what every attention head looks at: every kind of attention, step by step, with every "
            "number in between.</p>"
            "<p>Everything is computed on this machine, in double precision. Nothing is sent anywhere.</p>"
            "<p>Free software under the Apache License 2.0. Interface font: Inter, SIL Open Font "
            "License.</p>")
            .arg(QApplication::applicationVersion()),
        window);
}

}  // namespace headlight
