#include "ui/panels/equivalence_box.h"

#include "core/workbench/comparison_edits.h"
#include "ui/models/document.h"
#include "ui/views/describe.h"
#include "ui/views/wrapped_label.h"

#include <QPushButton>
#include <QVBoxLayout>

namespace headlight {

EquivalenceBox::EquivalenceBox(Document& document, QWidget* parent) : QWidget(parent), document_(document) {
    setObjectName(QStringLiteral("equivalences"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    hide();
}

void EquivalenceBox::show_mechanism(const Mechanism* mechanism) {
    if (is_same(mechanism, mechanism_))
        return;
    mechanism_ = mechanism;
    for (QWidget* row : rows_) {
        row->hide();
        row->deleteLater();
    }
    rows_.clear();
    setVisible(mechanism && !mechanism->equivalences.empty());
    if (!mechanism)
        return;
    for (const Equivalence& equivalence : mechanism->equivalences) {
        const Mechanism* other = find_mechanism(equivalence.id);
        if (!other)
            continue;
        const QString name = QString::fromStdString(other->name);
        const QString when = QString::fromStdString(equivalence.when);
        auto* sentence = new WrappedLabel;
        sentence->show_words(tr("Same as %1: %2").arg(name, when));
        auto* button = new QPushButton(tr("Show both"));
        describe(button, QStringLiteral("equivalence_") + QString::fromStdString(equivalence.id),
                 tr("Show both: the same as %1").arg(name),
                 tr("Sets the knobs of both so that they are the same, and shows them side by side"));
        connect(button, &QPushButton::clicked, this, [this, &equivalence] {
            document_.edit(compare_equivalent(document_.session(), equivalence));
        });
        layout()->addWidget(sentence);
        layout()->addWidget(button);
        layout()->setAlignment(button, Qt::AlignLeft);
        rows_.push_back(sentence);
        rows_.push_back(button);
    }
}

}  // namespace headlight
