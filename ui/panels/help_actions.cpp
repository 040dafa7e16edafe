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
    actions.bind(QStringLiteral("help_manual"), this, &HelpActions::open_manual);
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

void HelpActions::open_manual() {
    const QString page = QString::fromStdString((manual_ / "manual.md").string());
    if (!QDesktopServices::openUrl(QUrl::fromLocalFile(page)))
        make_help_page(tr("Manual"),
                       tr("<p>No program of this desktop opens the manual. It is here:</p><p>%1</p>")
                           .arg(page.toHtmlEscaped()),
                       window_)
            ->open();
}

}  // namespace headlight
