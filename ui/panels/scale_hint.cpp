#include "ui/panels/scale_hint.h"

#include "ui/models/document.h"
#include "ui/views/describe.h"
#include "ui/views/role.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <algorithm>

namespace headlight {
namespace {

/// The lowest part of a colour map, which can hardly be told from nothing.
constexpr double faint = 0.15;

bool is_of_unit(const ColourScale& scale) {
    return scale.kind == ScaleKind::linear && scale.low == 0 && scale.high == 1;
}

}  // namespace

std::optional<double> faint_maximum(const Figure& figure) {
    const auto focus = std::ranges::find_if(
        figure.panels, [](const Panel& panel) { return panel.in_focus && !panel.thumbnail; });
    double largest = 0;
    for (const Panel& panel : figure.panels) {
        // Beside the stage in focus stands what it is computed from.
        const bool matters = focus == figure.panels.end() || panel.stage == focus->stage;
        if (panel.thumbnail || !matters || !is_of_unit(panel.scale))
            continue;
        for (const double value : panel.values) {
            if (value >= faint)
                return std::nullopt;
            largest = std::max(largest, value);
        }
    }
    return largest > 0 ? std::optional(largest) : std::nullopt;
}

ScaleHint::ScaleHint(Document& document, QWidget* parent)
    : QFrame(parent), document_(document), message_(new QLabel) {
    describe(this, QStringLiteral("scale_hint"), tr("About the colours"), {});
    give_role(*this, Role::notice_message);
    make_note(*message_);
    message_->setWordWrap(true);  // rather two lines than a wider window
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 2, 12, 2);
    layout->setSpacing(4);
    layout->addWidget(message_, 1);
    layout->addWidget(add_scale(QStringLiteral("hint_fitted"), tr("Fitted"),
                                tr("Colours from the smallest to the largest number shown"),
                                [](FigureSettings& figure) { figure.range = RangeKind::fitted; }));
    layout->addWidget(add_scale(QStringLiteral("hint_log"), tr("Log"),
                                tr("Colour follows the logarithm: small weights become visible"),
                                [](FigureSettings& figure) { figure.scale = ScaleKind::logarithmic; }));
    auto* dismiss = new QToolButton;
    describe(dismiss, QStringLiteral("scale_hint_dismiss"), tr("Dismiss the hint"), tr("Hides this hint"));
    dismiss->setText(QStringLiteral("×"));
    dismiss->setAutoRaise(true);
    layout->addWidget(dismiss);
    connect(dismiss, &QToolButton::clicked, this, [this] {
        is_dismissed_ = true;
        refresh();
    });
    connect(&document_, &Document::run_changed, this, &ScaleHint::refresh);
    connect(&document_, &Document::session_changed, this, [this](const Session& before) {
        if (before.mechanism != document_.session().mechanism)
            is_dismissed_ = false;
        refresh();
    });
    connect(&document_, &Document::view_changed, this, &ScaleHint::refresh);
    refresh();
}

QToolButton* ScaleHint::add_scale(const QString& id, const QString& text, const QString& effect,
                                  void (*choose)(FigureSettings&)) {
    auto* button = new QToolButton;
    describe(button, id, tr("Scale: %1").arg(text), effect);
    button->setText(text);
    connect(button, &QToolButton::clicked, this, [this, text, choose] {
        FigureSettings figure = document_.session().figure;
        choose(figure);
        document_.change_figure(tr("Scale: %1").arg(text), figure);
    });
    return button;
}

void ScaleHint::refresh() {
    const auto figure = document_.figure();
    const auto largest = figure ? faint_maximum(*figure) : std::nullopt;
    if (largest)
        message_->setText(tr("Weights are small here, at most %1 on a scale to 1. These scales show them:")
                              .arg(*largest, 0, 'g', 2));
    setVisible(largest && !is_dismissed_);
}

}  // namespace headlight
