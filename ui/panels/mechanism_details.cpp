#include "ui/panels/mechanism_details.h"

#include "ui/panels/titled_text.h"
#include "ui/views/role.h"
#include "ui/views/wrapped_label.h"

#include <QVBoxLayout>

namespace headlight {

MechanismDetails::MechanismDetails(QWidget* parent)
    : QWidget(parent), explanation_(new TitledText(QStringLiteral("mechanism_explanation"), {})),
      cost_(new TitledText(QStringLiteral("mechanism_cost"), tr("Cost"))),
      paper_(new TitledText(QStringLiteral("mechanism_paper"), {})) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    for (TitledText* part : {explanation_, cost_, paper_})
        layout->addWidget(part);
    make_note(*paper_->text());
}

void MechanismDetails::show_mechanism(const Mechanism& mechanism) {
    explanation_->show_text(QString::fromStdString(mechanism.explanation));
    cost_->show_text(QString::fromStdString(mechanism.cost));
    paper_->show_text(QString::fromStdString(to_string(mechanism.papers)));
}

}  // namespace headlight
