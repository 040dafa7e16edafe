#include "ui/panels/catalogue_dialog.h"

#include "core/catalog/search.h"
#include "core/figure/catalogue_figures.h"
#include "ui/models/document.h"
#include "ui/views/bring_to_front.h"
#include "ui/views/catalogue_view.h"
#include "ui/views/describe.h"
#include "ui/views/role.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <optional>
#include <string>

namespace headlight {

CatalogueDialog::CatalogueDialog(Document& document, QWidget* parent)
    : QDialog(parent), document_(document), tabs_(new QTabWidget), search_(new QLineEdit),
      found_(new QLabel) {
    setObjectName(QStringLiteral("catalogue_dialog"));
    setWindowTitle(tr("The catalogue in pictures"));
    tabs_->setObjectName(QStringLiteral("catalogue_tabs"));
    tabs_->setDocumentMode(true);
    for (const CataloguePicture& picture : catalogue_pictures()) {
        auto* view = new CatalogueView(picture);
        const QString title = QString::fromLatin1(picture.title);
        describe(view, QStringLiteral("catalogue_") + QLatin1String(picture.word), title,
                 tr("A click, or Enter, chooses the mechanism. The arrow keys lead from name to name; the "
                    "wheel, +, − and 0 zoom"));
        view->setToolTip({});  // names have their own
        connect(view, &CatalogueView::chosen, this, &CatalogueDialog::chosen);
        tabs_->addTab(view, title);
        views_.push_back(view);
    }
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(tabs_, 1);
    layout->addWidget(build_controls());
    resize(sizeHint());
    connect(tabs_, &QTabWidget::currentChanged, this, [this] { shown()->setFocus(); });
    connect(&document_, &Document::session_changed, this, &CatalogueDialog::follow_session);
    connect(&document_.looking(), &Looking::view_changed, this, &CatalogueDialog::follow_theme);
    follow_theme();
    follow_session();
}

QWidget* CatalogueDialog::build_controls() {
    auto* controls = new QWidget;
    auto* row = new QHBoxLayout(controls);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    const auto add = [&](const char* id, const QString& text, const QString& name, const QString& effect,
                         auto&& act) {
        auto* button = new QPushButton(text);
        describe(button, QString::fromLatin1(id), name, effect);
        button->setAutoDefault(false);  // Enter chooses in the picture
        connect(button, &QPushButton::clicked, this, act);
        row->addWidget(button);
        return button;
    };
    // The arrow keys, + and 0 are those of the picture, also after a click beside it.
    const auto add_for_picture = [&](auto&&... about) {
        connect(add(about...), &QPushButton::clicked, this, [this] { shown()->setFocus(); });
    };
    add_for_picture("catalogue_zoom_out", tr("Smaller"), tr("Zoom out"),
                    tr("More of the picture, smaller (−)"), [this] { shown()->zoom_out(); });
    add_for_picture("catalogue_zoom_in", tr("Larger"), tr("Zoom in"), tr("Less of the picture, larger (+)"),
                    [this] { shown()->zoom_in(); });
    add_for_picture("catalogue_show_all", tr("&Whole picture"), tr("Show all"),
                    tr("All of the picture at once (0)"), [this] { shown()->show_all(); });
    describe(
        search_, QStringLiteral("catalogue_search"), tr("Search the pictures"),
        tr("Finds by name, family, paper, year, property or a model that uses it: the others become faint, "
           "and Enter goes from one to the next"));
    search_->setPlaceholderText(tr("Search"));
    search_->setClearButtonEnabled(true);
    found_->setObjectName(QStringLiteral("catalogue_found"));
    make_note(*found_);
    connect(search_, &QLineEdit::textChanged, this, &CatalogueDialog::search);
    connect(search_, &QLineEdit::returnPressed, this, [this] { shown()->show_next_found(); });
    auto* label = new QLabel(tr("&Search"));
    label->setBuddy(search_);
    row->addSpacing(8);
    row->addWidget(label);
    row->addWidget(search_, 1);
    row->addWidget(found_);
    row->addSpacing(8);
    add("catalogue_export", tr("&Export…"), tr("Export the picture"),
        tr("Saves this picture in any format of figures"), [this] {
            emit export_requested(
                QLatin1String(catalogue_pictures()[static_cast<std::size_t>(tabs_->currentIndex())].word));
        });
    add("catalogue_close", tr("&Close"), tr("Close"), tr("Closes the pictures (Esc)"), [this] { close(); });
    return controls;
}

void CatalogueDialog::search() {
    const std::string text = search_->text().trimmed().toStdString();
    std::optional<std::vector<std::string>> ids;
    if (!text.empty()) {
        ids.emplace();
        for (const FoundMechanism& each : find_mechanisms(text, IsLinear()))
            ids->push_back(each.mechanism->id);
    }
    for (CatalogueView* view : views_)
        view->look_for(ids);
    found_->setText(!ids               ? QString()
                    : ids->empty()     ? tr("Nothing is like this")
                    : ids->size() == 1 ? tr("1 found")
                                       : tr("%1 found, Enter: the next").arg(ids->size()));
}

CatalogueView* CatalogueDialog::shown() const {
    return views_[static_cast<std::size_t>(tabs_->currentIndex())];
}

void CatalogueDialog::show_picture(const QString& word) {
    const auto pictures = catalogue_pictures();
    const auto wanted = std::ranges::find_if(
        pictures, [&](const CataloguePicture& picture) { return word == QLatin1String(picture.word); });
    tabs_->setCurrentIndex(static_cast<int>(wanted - pictures.begin()));
    bring_to_front(*this);
    shown()->setFocus();
}

void CatalogueDialog::follow_session() {
    const Session& session = document_.session();
    if (session.runs_mechanism() && !session.custom)
        for (CatalogueView* view : views_)
            view->show_mechanism(session.mechanism);
}

void CatalogueDialog::follow_theme() {
    for (CatalogueView* view : views_)
        view->set_theme(document_.view().theme);
}

}  // namespace headlight
