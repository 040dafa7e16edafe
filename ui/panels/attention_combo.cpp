#include "ui/panels/attention_combo.h"

#include "ui/panels/number_control.h"
#include "ui/panels/setting_control.h"

#include <QStandardItemModel>

#include <algorithm>
#include <array>
#include <memory>

namespace headlight {
namespace {

/// What attends when nobody says otherwise.
const char* standard_attention(HostType host) { return is_recurrent(host) ? "additive" : "scaled_dot"; }

}  // namespace

AttentionCombo::AttentionCombo(int letters, QWidget* parent) : LazyCombo(letters, parent) {
    constexpr int most_rows = 24;
    setMaxVisibleItems(most_rows);
    ignore_passing_wheel(this);
}

std::optional<std::string> AttentionCombo::chosen() const {
    if (!currentData().isValid())
        return std::nullopt;
    const std::string name = currentData().toString().toStdString();
    // A Transformer's own needs no name.
    return name == "scaled_dot" && name == standard_attention(shown_.second) ? std::string() : name;
}

void AttentionCombo::want(const std::string& attention) {
    wanted_ = attention;
    setCurrentIndex(-1);
}

void AttentionCombo::list_for(const Task& task, HostType host) {
    if (currentData().isValid()) {
        const std::string before = currentData().toString().toStdString();
        // What suits the one need not suit the other; what a person chose stays.
        wanted_ = before == standard_attention(shown_.second) ? std::string() : before;
    }
    shown_ = {task.id, host};
    if (const auto found = known_.find(shown_); found != known_.end())
        return show_choices(found->second);
    clear();
    add_heading(tr("Trying which it can learn with…"));
    trying_.start(
        "try the attentions",
        [this, &task, host, key = shown_](const Cancellation&) -> Job::Delivery {
            const auto choices =
                std::make_shared<const std::vector<AttentionChoice>>(possible_attentions(task, host));
            return [this, key, choices] {
                known_[key] = *choices;
                show_choices(*choices);
            };
        },
        [this](const Error& error) {
            clear();
            add_heading(QString::fromStdString(error.what()));
        });
}

void AttentionCombo::add_heading(const QString& text) {
    addItem(text);
    auto* item = qobject_cast<QStandardItemModel*>(model())->item(count() - 1);
    item->setEnabled(false);
    QFont bold = font();
    bold.setBold(true);
    item->setFont(bold);
}

void AttentionCombo::show_choices(const std::vector<AttentionChoice>& choices) {
    using Kind = AttentionChoice::Kind;
    clear();
    for (const auto& [kind, heading] :
         std::array{std::pair(Kind::score, tr("Scores")), std::pair(Kind::normalizer, tr("Normalisers")),
                    std::pair(Kind::mechanism, tr("Mechanisms"))}) {
        add_heading(heading);
        for (const AttentionChoice& each : choices)
            if (each.kind == kind) {
                addItem(in_words(each.name), QString::fromStdString(each.name));
                setItemData(count() - 1, QString::fromStdString(each.meaning), Qt::ToolTipRole);
            }
    }
    int row = findData(QString::fromStdString(wanted_));
    if (row < 0)
        row = findData(QLatin1String(standard_attention(shown_.second)));
    setCurrentIndex(std::max(row, 1));
    emit listed();
}

}  // namespace headlight
