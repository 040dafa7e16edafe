#include "ui/panels/help_menu.h"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QMainWindow>
#include <QMenuBar>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace headlight {
namespace {

QString rows_of(const QMenu& menu) {
    QString rows;
    for (const QAction* action : menu.actions()) {
        if (action->menu())
            rows += rows_of(*action->menu());
        else if (!action->shortcut().isEmpty())
            rows += QStringLiteral("<tr><td>%1</td><td><b>%2</b></td></tr>")
                        .arg(QString(action->text()).remove(QChar('&')).toHtmlEscaped(),
                             action->shortcut().toString(QKeySequence::NativeText).toHtmlEscaped());
    }
    return rows;
}

QString row(const QString& what, const QString& keys) {
    return QStringLiteral("<tr><td>%1</td><td><b>%2</b></td></tr>").arg(what, keys);
}

}  // namespace

HelpMenu::HelpMenu(QWidget* window) : QMenu(tr("&Help"), window), window_(window) {
    QAction* example = addAction(tr("&Worked example"));
    example->setObjectName(QStringLiteral("help_example"));
    example->setToolTip(tr("Shows the example of the first start again"));
    QAction* keyboard = addAction(tr("&Keyboard"));
    keyboard->setObjectName(QStringLiteral("help_keyboard"));
    keyboard->setShortcut(QKeySequence(QStringLiteral("F1")));
    keyboard->setToolTip(tr("Lists every key"));
    QAction* about = addAction(tr("&About Headlight"));
    about->setObjectName(QStringLiteral("help_about"));
    about->setToolTip(tr("What this program is"));
    connect(example, &QAction::triggered, this, &HelpMenu::example_requested);
    connect(keyboard, &QAction::triggered, this, [this] { show_page(tr("Keyboard"), keyboard_text()); });
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

QString HelpMenu::keyboard_text() const {
    QString html = QStringLiteral("<table cellpadding=\"4\">");
    html += row(tr("Step forward and back"), tr("→ ←"));
    html += row(tr("Play, pause"), tr("Space"));
    html += row(tr("First and last step"), tr("Home, End"));
    html += row(tr("Choose a head"), tr("1 … 9"));
    html += row(tr("Move the selected cell (in a view)"), tr("arrow keys"));
    html += row(tr("Of a model: the next place that attends; what can be changed in a cell"),
                tr("N, Menu or right click"));
    html += row(tr("In the mask editor: turn a cell over, draw on, take the row, the column"),
                tr("Space, Shift + arrow keys, R, C"));
    if (const auto* window = qobject_cast<QMainWindow*>(window_))
        for (const QAction* action : window->menuBar()->actions())
            if (action->menu())
                html += QStringLiteral("<tr><td colspan=\"2\"><h4>%1</h4></td></tr>")
                            .arg(QString(action->text()).remove(QChar('&')).toHtmlEscaped()) +
                        rows_of(*action->menu());
    return html + QStringLiteral("</table>");
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
    buttons->button(QDialogButtonBox::Close)->setIcon({});
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->addWidget(text);
    layout->addWidget(buttons);
    dialog->resize(480, 520);
    dialog->open();
}

}  // namespace headlight
