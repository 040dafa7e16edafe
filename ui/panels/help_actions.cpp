#include "ui/panels/help_actions.h"

#include "core/figure/catalogue_figures.h"
#include "ui/actions/actions.h"
#include "ui/actions/context_menu.h"
#include "ui/actions/shortcuts.h"

#include <QAction>
#include <QApplication>
#include <QDesktopServices>
#include <QDialog>
#include <QDialogButtonBox>
#include <QPushButton>
#include <QTextBrowser>
#include <QTextDocument>
#include <QUrl>
#include <QVBoxLayout>
#include <QtMath>

#include <algorithm>
#include <utility>

namespace headlight {

HelpActions::HelpActions(Actions& actions, QWidget* window, std::filesystem::path manual)
    : QObject(window), window_(window), manual_(std::move(manual)) {
    actions.at(QStringLiteral("help_manual")).setEnabled(!manual_.empty());
    actions.bind(QStringLiteral("help_begin"), this, &HelpActions::begin_requested);
    actions.bind(QStringLiteral("help_example"), this, &HelpActions::example_requested);
    actions.bind(QStringLiteral("help_manual"), this, &HelpActions::open_manual);
    actions.bind(QStringLiteral("help_keyboard"), this, [this] { show_page(tr("Keys"), shortcuts_html()); });
    QList<QAction*> pictures;
    for (const CataloguePicture& picture : catalogue_pictures()) {
        const QString word = QString::fromLatin1(picture.word);
        QAction* open = make_action(QStringLiteral("help"), this, {QString::fromLatin1(picture.title)}, word);
        give_keys(*open);
        connect(open, &QAction::triggered, this, [this, word] { emit picture_requested(word); });
        pictures << open;
    }
    actions.put(QStringLiteral("help"), pictures);
    actions.bind(QStringLiteral("help_about"), this, [this] {
        show_page(
            tr("About Headlight"),
            tr("<h3>Headlight %1</h3>"
               "<p>Shows what every attention head looks at: every kind of attention, step by step, with "
               "every "
               "number in between.</p>"
               "<p>Everything is computed on this machine, in double precision. Nothing is sent anywhere.</p>"
               "<p>Free software under the Apache License 2.0. Interface font: Inter, SIL Open Font "
               "License.</p>")
                .arg(QApplication::applicationVersion()));
    });
}

void HelpActions::open_manual() {
    const QString page = QString::fromStdString((manual_ / "manual.md").string());
    if (!QDesktopServices::openUrl(QUrl::fromLocalFile(page)))
        show_page(tr("Manual"), tr("<p>No program of this desktop opens the manual. It is here:</p><p>%1</p>")
                                    .arg(page.toHtmlEscaped()));
}

void HelpActions::show_page(const QString& title, const QString& html) {
    auto* dialog = new QDialog(window_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    dialog->setObjectName(QStringLiteral("help_page"));
    auto* text = new QTextBrowser;
    text->setHtml(html);
    text->setFrameShape(QFrame::NoFrame);
    text->setAccessibleName(title);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
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
    dialog->open();
}

}  // namespace headlight
