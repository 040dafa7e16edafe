#include "ui/panels/mechanism_popup.h"

#include "core/catalog/search_terms.h"
#include "core/catalog/used_by.h"
#include "ui/panels/mechanism_filter_bar.h"
#include "ui/panels/mechanism_row.h"
#include "ui/views/describe.h"
#include "ui/views/role.h"
#include "ui/views/wrapped_label.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QHideEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QTimer>
#include <QTreeView>

#include <algorithm>
#include <utility>

namespace headlight {
namespace {

/// "Gemma 2: Layers that … take turns.": a line for each model that the text names.
QString layers_of_models(const QString& text) {
    QStringList lines;
    for (const KnownModel* each : models_named_in(text.toStdString()))
        if (!each->layers.empty())
            lines << QString::fromStdString(layers_text(*each));
    return lines.join(QChar(u'\n'));
}

}  // namespace

MechanismPopup::MechanismPopup(MechanismModel& model, QWidget* parent)
    : SearchPopup(parent), model_(model), found_(model), filters_(new MechanismFilterBar),
      layers_(new WrappedLabel) {
    describe(&search(), QStringLiteral("mechanism_search"), tr("Search the mechanisms"),
             tr("Finds by name, family, paper, year, property or a model that uses it: \"linear 2020\", "
                "\"causal before 2018\", \"used in Qwen3\""));
    search().setPlaceholderText(tr("Search by name, family, paper, year, property, model"));
    describe(&rows(), QStringLiteral("mechanism_tree"), tr("Mechanisms by family"),
             tr("Every mechanism, by what it changes in the formula, in teaching order"));
    rows().setItemDelegate(new MechanismRow(&rows()));
    rows().setModel(&found_);
    nothing().setObjectName(QStringLiteral("nothing_found"));
    layers_->setObjectName(QStringLiteral("layers_of_model"));
    layers_->setAccessibleName(tr("How the layers of the model follow one another"));
    make_note(*layers_);
    layers_->hide();
    put_below_search(layers_);
    put_below_search(filters_);  // above them
    for (const QComboBox* list : filters_->lists())
        list->view()->window()->installEventFilter(this);
    connect(filters_, &MechanismFilterBar::changed, this, &MechanismPopup::filter);
    connect(&found_, &MechanismFilter::counted, this, [this] {
        if (!rows().currentIndex().isValid())  // nothing had been found
            rows().setCurrentIndex(found_.best());
        show_found();
    });
}

void MechanismPopup::open_below(const QWidget& anchor, const QModelIndex& current, const QString& text) {
    constexpr int letters = 92;  // a name, some words about it, a year
    current_ = current;
    search().setText(text);
    filter();
    ensurePolished();
    show_below(anchor,
               std::max(filters_->sizeHint().width() + 2 * 9, letters * fontMetrics().averageCharWidth()));
}

void MechanismPopup::filter() {
    MechanismCriteria criteria = filters_->criteria();
    criteria.text = search().text();
    found_.set_criteria(criteria);
    // Opening means where one is; filters that leave it out stay about there.
    rows().setCurrentIndex(criteria.text.trimmed().isEmpty() ? found_.nearest(current_) : found_.best());
    show_found();
    // No farther than needed would leave the family's name above the list's edge.
    rows().scrollTo(rows().currentIndex(), QAbstractItemView::PositionAtCenter);
}

void MechanismPopup::show_found() {
    rows().expandAll();
    int all = 0;
    for (int family = 0; family < model_.rowCount(); ++family)
        all += model_.rowCount(model_.index(family, 0));
    const QString layers = layers_of_models(search().text());
    layers_->setVisible(!layers.isEmpty());
    layers_->show_text(layers);
    const int count = found_.count();
    filters_->show_count(count, all);
    nothing().setText(found_.is_counting()
                          ? tr("Counting how costs grow…")
                          : tr("No mechanism is like this. Clear the filters, or search for less."));
    show_whether_found(count > 0);
}

void MechanismPopup::accept(const QModelIndex& index) {
    is_picked_ = true;
    emit picked(found_.mapToSource(index));
}

void MechanismPopup::hideEvent(QHideEvent* event) {
    SearchPopup::hideEvent(event);
    if (event->spontaneous())
        return;
    // Whoever picks has it hidden first.
    QTimer::singleShot(0, this, [this] { emit closed(std::exchange(is_picked_, false)); });
}

void MechanismPopup::keyPressEvent(QKeyEvent* event) {
    if (!drop_down_left_ || !event->matches(QKeySequence::Cancel))
        SearchPopup::keyPressEvent(event);
}

bool MechanismPopup::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &search())
        return SearchPopup::eventFilter(watched, event);
    // The Escape that closes a drop-down arrives here too, and is not meant for the picker around it.
    if (event->type() == QEvent::Hide) {
        drop_down_left_ = true;
        QTimer::singleShot(0, this, [this] { drop_down_left_ = false; });
    }
    return false;
}

}  // namespace headlight
