#include "ui/panels/mechanism_details.h"

#include "core/catalog/learned.h"
#include "ui/panels/titled_text.h"
#include "ui/views/role.h"
#include "ui/views/wrapped_label.h"

#include <QVBoxLayout>

namespace headlight {

MechanismDetails::MechanismDetails(QWidget* parent)
    : QWidget(parent), explanation_(new TitledText(QStringLiteral("mechanism_explanation"), {})),
      cost_(new TitledText(QStringLiteral("mechanism_cost"), tr("Cost"))),
      learned_(new TitledText(QStringLiteral("mechanism_learned"), tr("Learned"))),
      paper_(new TitledText(QStringLiteral("mechanism_paper"), {})) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    for (TitledText* part : {explanation_, cost_, learned_, paper_})
        layout->addWidget(part);
    make_note(*paper_->text());
}

void MechanismDetails::show_mechanism(const Mechanism& mechanism) {
    explanation_->show_text(QString::fromStdString(mechanism.explanation));
    cost_->show_text(QString::fromStdString(mechanism.cost));
    const std::span<const LearnedResult> learned = learned_by(mechanism.id);
    learned_->show_text(learned.empty() ? QString()
                                        : tr("Exact match of a small model with these layers, as the "
                                             "catalogue sets them: %1. More is in docs/learned.md.")
                                              .arg(QString::fromStdString(to_string(learned))));
    paper_->show_text(QString::fromStdString(to_string(mechanism.papers)));
}

}  // namespace headlight
