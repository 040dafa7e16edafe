#include "ui/panels/help_menu.h"

#include "core/figure/catalogue_figures.h"
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

HelpMenu::HelpMenu(QWidget* window, std::filesystem::path manual)
    : QMenu(tr("&Help"), window), window_(window), manual_(std::move(manual)) {
    QAction* begin = addAction(tr("&Begin"));
    begin->setObjectName(QStringLiteral("help_begin"));
    give_keys(*begin);
    begin->setToolTip(tr("The ways into the program, as on the first start"));
    connect(begin, &QAction::triggered, this, &HelpMenu::begin_requested);
    QAction* example = addAction(tr("&Worked example"));
    example->setObjectName(QStringLiteral("help_example"));
    example->setToolTip(tr("Shows a sentence of fifteen words through scaled dot-product attention"));
    QAction* manual_page = addAction(tr("&Manual"));
    manual_page->setObjectName(QStringLiteral("help_manual"));
    manual_page->setToolTip(manual_.empty() ? tr("The manual's pages are not beside this program")
                                            : tr("Opens the pages of the manual"));
    manual_page->setEnabled(!manual_.empty());
    connect(manual_page, &QAction::triggered, this, &HelpMenu::open_manual);
    for (const CataloguePicture& picture : catalogue_pictures()) {
        const QString word = QString::fromLatin1(picture.word);
        QAction* open = addAction(tr("&%1 of attention…").arg(QLatin1String(picture.title)));
        open->setObjectName(QStringLiteral("help_") + word);
        give_keys(*open);
        open->setToolTip(tr("All mechanisms in a picture; a click chooses one"));
        connect(open, &QAction::triggered, this, [this, word] { emit picture_requested(word); });
    }
    QAction* command = addAction(tr("Find a &command…"));
    command->setObjectName(QStringLiteral("find_command"));
    give_keys(*command);
    command->setToolTip(tr("Finds everything that the menus do by its words, and does it"));
    connect(command, &QAction::triggered, this, &HelpMenu::commands_requested);
    QAction* keyboard = addAction(tr("&Keys"));
    keyboard->setObjectName(QStringLiteral("help_keyboard"));
    give_keys(*keyboard);
    keyboard->setToolTip(tr("Lists every key"));
    QAction* about = addAction(tr("&About Headlight"));
    about->setObjectName(QStringLiteral("help_about"));
    about->setToolTip(tr("What this program is"));
    connect(example, &QAction::triggered, this, &HelpMenu::example_requested);
    connect(keyboard, &QAction::triggered, this, [this] { show_page(tr("Keys"), shortcuts_html()); });
    connect(about, &QAction::triggered, this, [this] {
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

void HelpMenu::open_manual() {
    const QString page = QString::fromStdString((manual_ / "manual.md").string());
    if (!QDesktopServices::openUrl(QUrl::fromLocalFile(page)))
        show_page(tr("Manual"), tr("<p>No program of this desktop opens the manual. It is here:</p><p>%1</p>")
                                    .arg(page.toHtmlEscaped()));
}

void HelpMenu::show_page(const QString& title, const QString& html) {
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
