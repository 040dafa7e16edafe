#include "ui/panels/mechanism_details.h"

#include "ui/panels/describe.h"
#include "ui/views/wrapped_label.h"

#include <QLabel>
#include <QVBoxLayout>

namespace headlight {
namespace {

QString link_to(const Mechanism& mechanism) {
    return QStringLiteral("<a href=\"%1\">%2</a>")
        .arg(QString::fromStdString(mechanism.id), QString::fromStdString(mechanism.name).toHtmlEscaped());
}

QString related_html(const Mechanism& mechanism) {
    QStringList names;
    for (const std::string& id : mechanism.related)
        if (const Mechanism* other = find_mechanism(id))
            names << link_to(*other);
    return names.join(QStringLiteral(" · "));
}

}  // namespace

MechanismDetails::MechanismDetails(QWidget* parent) : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    look_for_ = add_text(QStringLiteral("mechanism_look_for"), tr("What to look for"));
    explanation_ = add_text(QStringLiteral("mechanism_explanation"), {});
    cost_ = add_text(QStringLiteral("mechanism_cost"), tr("Cost"));
    correction_ = add_text(QStringLiteral("mechanism_correction"), tr("Often printed wrongly"));
    related_ = add_text(QStringLiteral("mechanism_related"), tr("Look at next"));
    related_->setTextFormat(Qt::RichText);
    related_->setTextInteractionFlags(Qt::TextBrowserInteraction);
    describe(related_, QStringLiteral("mechanism_related"), tr("Related mechanisms"),
             tr("Goes to a mechanism that is close to this one"));
    paper_ = add_text(QStringLiteral("mechanism_paper"), {}, "note");
    connect(related_, &QLabel::linkActivated, this,
            [this](const QString& id) { emit related_chosen(id.toStdString()); });
}

WrappedLabel* MechanismDetails::add_text(const QString& id, const QString& title, const char* role) {
    auto* text = new WrappedLabel;
    text->setObjectName(id);
    text->setProperty("role", role);
    if (!title.isEmpty()) {
        auto* heading = new QLabel(title);
        heading->setObjectName(id + QStringLiteral("_title"));
        heading->setProperty("role", "title");
        layout()->addWidget(heading);
    }
    layout()->addWidget(text);
    return text;
}

void MechanismDetails::set_text(WrappedLabel* label, const std::string& text) {
    label->show_text(QString::fromStdString(text));
    label->setVisible(!text.empty());
    if (auto* heading = findChild<QLabel*>(label->objectName() + QStringLiteral("_title")))
        heading->setVisible(!text.empty());
}

void MechanismDetails::show_mechanism(const Mechanism& mechanism) {
    set_text(look_for_, mechanism.example.look_for);
    set_text(explanation_, mechanism.explanation);
    set_text(cost_, mechanism.cost);
    set_text(correction_, mechanism.correction);
    set_text(related_, related_html(mechanism).toStdString());
    set_text(paper_, to_string(mechanism.papers));
}

}  // namespace headlight
