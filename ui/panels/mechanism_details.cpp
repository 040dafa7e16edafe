#include "ui/panels/mechanism_details.h"

#include "core/catalog/learned.h"
#include "core/catalog/used_by.h"
#include "ui/panels/titled_text.h"
#include "ui/views/role.h"
#include "ui/views/wrapped_label.h"

#include <QVBoxLayout>

namespace headlight {
namespace {

/// What leads there says so itself: the target is the text.
QString linked_name(std::string_view name) {
    const QString text = QString::fromUtf8(name.data(), qsizetype(name.size())).toHtmlEscaped();
    return QStringLiteral("<a href=\"%1\">%1</a>").arg(text);
}

/// Who has it, and of those that are named how their layers follow one another where they differ.
QString models_html(const Mechanism& mechanism) {
    constexpr std::size_t most = 8;
    const std::vector<const KnownModel*> models = used_by(mechanism.id);
    if (models.empty())
        return {};
    const std::string names =
        list_of_models(models, most, [](std::string_view name) { return linked_name(name).toStdString(); });
    QStringList lines{QString::fromStdString(names)};
    for (const KnownModel* each : named_of(models, most))
        if (!each->layers.empty())
            lines << QString::fromStdString(layers_text(*each)).toHtmlEscaped();
    return lines.join(QStringLiteral("<br>"));
}

/// A line for each task: in one sentence the numbers could not be held against each other.
QString learned_html(std::span<const LearnedResult> learned) {
    if (learned.empty())
        return {};
    QStringList lines{MechanismDetails::tr("Exact match of a small model with these layers, as the catalogue "
                                           "sets them:")};
    for (const LearnedResult& each : learned)
        lines << QString::fromStdString(to_string(std::span(&each, 1))).toHtmlEscaped();
    lines << MechanismDetails::tr("More is in <a href=\"%1\">What was learned</a>.")
                 .arg(QStringLiteral("learned.md"));
    return lines.join(QStringLiteral("<br>"));
}

}  // namespace

MechanismDetails::MechanismDetails(QWidget* parent)
    : QWidget(parent), explanation_(new TitledText(QStringLiteral("mechanism_explanation"), {})),
      cost_(new TitledText(QStringLiteral("mechanism_cost"), tr("Cost"))),
      models_(new TitledText(QStringLiteral("mechanism_models"), tr("Used in"))),
      learned_(new TitledText(QStringLiteral("mechanism_learned"), tr("Learned"))),
      paper_(new TitledText(QStringLiteral("mechanism_paper"), {})) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    for (TitledText* part : {explanation_, cost_, models_, learned_, paper_})
        layout->addWidget(part);
    make_note(*paper_->text());
    for (WrappedLabel* linked : {models_->text(), learned_->text()}) {
        linked->setTextFormat(Qt::RichText);
        linked->setTextInteractionFlags(Qt::TextBrowserInteraction);
    }
    connect(models_->text(), &QLabel::linkActivated, this, &MechanismDetails::model_chosen);
    connect(learned_->text(), &QLabel::linkActivated, this, &MechanismDetails::page_requested);
}

void MechanismDetails::show_mechanism(const Mechanism& mechanism) {
    explanation_->show_words(QString::fromStdString(mechanism.explanation));
    cost_->show_words(QString::fromStdString(mechanism.cost));
    models_->show_text(models_html(mechanism));
    learned_->show_text(learned_html(learned_by(mechanism.id)));
    paper_->show_text(QString::fromStdString(to_string(mechanism.papers)));
}

}  // namespace headlight
