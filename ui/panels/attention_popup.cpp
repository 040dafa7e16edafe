#include "ui/panels/attention_popup.h"

#include "ui/views/describe.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTreeView>

namespace headlight {

AttentionPopup::AttentionPopup(QComboBox& list) : SearchPopup(&list), list_(list) {
    found_.setSourceModel(list.model());
    // A press on the list closes this, and is not to open it again.
    setAttribute(Qt::WA_NoMouseReplay);
    describe(
        &search(), QStringLiteral("train_attention_search"), tr("Search the attentions"),
        tr("Finds scores and normalisers by their names, mechanisms by name, family, paper, year or a model "
           "that uses them: \"used in Qwen3-Next\""));
    search().setPlaceholderText(tr("Search by name, family, paper, year, model"));
    describe(&rows(), QStringLiteral("train_attention_rows"), tr("What can attend"),
             tr("Scores, normalisers and mechanisms that this model can learn with"));
    rows().setModel(&found_);
    nothing().setObjectName(QStringLiteral("train_attention_nothing"));
    nothing().setText(tr("This model can learn with nothing like this. Search for less."));
}

void AttentionPopup::open(const QString& typed) {
    constexpr int letters = 56;  // a name with its word, and what the search line says of itself
    search().setText(typed);
    filter();
    ensurePolished();
    show_below(list_, letters * fontMetrics().averageCharWidth());
}

void AttentionPopup::filter() {
    const QString text = search().text();
    found_.set_text(text);
    // Opening means where one is.
    rows().setCurrentIndex(text.trimmed().isEmpty()
                               ? found_.mapFromSource(list_.model()->index(list_.currentIndex(), 0))
                               : found_.best());
    if (!rows().currentIndex().isValid())
        move_current(1);
    show_whether_found(found_.rowCount() > 0);
}

void AttentionPopup::accept(const QModelIndex& index) { emit picked(found_.mapToSource(index).row()); }

}  // namespace headlight
