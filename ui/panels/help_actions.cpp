#include "ui/panels/help_actions.h"

#include "core/figure/catalogue_figures.h"
#include "ui/actions/actions.h"
#include "ui/actions/context_menu.h"
#include "ui/actions/shortcuts.h"
#include "ui/panels/help_page.h"

#include <QAction>
#include <QDesktopServices>
#include <QDialog>
#include <QUrl>

#include <utility>

namespace headlight {

HelpActions::HelpActions(Actions& actions, QWidget* window, std::filesystem::path manual)
    : QObject(window), window_(window), manual_(std::move(manual)) {
    actions.at(QStringLiteral("help_manual")).setEnabled(!manual_.empty());
    actions.bind(QStringLiteral("help_begin"), this, &HelpActions::begin_requested);
    actions.bind(QStringLiteral("help_example"), this, &HelpActions::example_requested);
    actions.bind(QStringLiteral("help_manual"), this, [this] { open_page(QStringLiteral("manual.md")); });
    QList<QAction*> pictures;
    for (const CataloguePicture& picture : catalogue_pictures()) {
        const QString word = QString::fromLatin1(picture.word);
        QAction* open = make_action(QStringLiteral("help"), this, {QString::fromLatin1(picture.title)}, word);
        give_keys(*open);
        connect(open, &QAction::triggered, this, [this, word] { emit picture_requested(word); });
        pictures << open;
    }
    actions.put(QStringLiteral("help"), pictures);
}

void HelpActions::open_page(const QString& page) {
    const auto say = [this](const QString& words) { make_help_page(tr("Manual"), words, window_)->open(); };
    if (manual_.empty())
        return say(tr("<p>The manual is not beside this program.</p>"));
    const QString file = QString::fromStdString((manual_ / page.toStdString()).string());
    if (!QDesktopServices::openUrl(QUrl::fromLocalFile(file)))
        say(tr("<p>No program of this desktop opens the manual. It is here:</p><p>%1</p>")
                .arg(file.toHtmlEscaped()));
}

}  // namespace headlight
