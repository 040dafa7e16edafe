#include "ui/panels/attention_combo.h"

#include "ui/models/choice_filter.h"
#include "ui/panels/setting_control.h"

#include <QStandardItemModel>

#include <algorithm>
#include <array>
#include <memory>
#include <set>

namespace headlight {
namespace {

/// What attends when nobody says otherwise.
const char* standard_attention(HostType host) { return is_recurrent(host) ? "additive" : "scaled_dot"; }

/// "sparsemax", "Kimi Delta Attention (kda)": as the catalogue calls it, and as files and commands do.
QString title_of(const AttentionChoice& choice) {
    return choice.kind == AttentionChoice::Kind::mechanism
               ? AttentionCombo::tr("%1 (%2)").arg(QString::fromStdString(choice.meaning),
                                                   QString::fromStdString(choice.name))
               : in_words(choice.name);
}

}  // namespace

std::map<AttentionCombo::Key, std::vector<AttentionChoice>> AttentionCombo::known_;

AttentionCombo::AttentionCombo(int letters, QWidget* parent) : SearchCombo(letters, parent) {}

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
    trying_.cancel();  // it would leave those of another host
    if (const auto found = known_.find(shown_); found != known_.end())
        return show_choices(found->second);
    // Everything is there at once, and what is impossible goes when it has been tried; only what would be
    // chosen has to be known now.
    if (!wanted_.empty() && !is_possible_attention(task, host, wanted_))
        wanted_.clear();
    const auto all = std::make_shared<const std::vector<AttentionChoice>>(all_attentions());
    show_choices(*all, tr("Trying which it can learn with…"));
    trying_.start(
        "try the attentions",
        [this, &task, host, key = shown_](const Cancellation&) -> Job::Delivery {
            const auto choices =
                std::make_shared<const std::vector<AttentionChoice>>(possible_attentions(task, host));
            return [this, key, choices] {
                known_[key] = *choices;
                leave(*choices);
            };
        },
        [this, all](const Error&) { leave(*all); });  // each can still be tried by choosing it
}

ChoicePopup* AttentionCombo::make_popup() {
    auto* popup = new ChoicePopup(
        *this, {.search = tr("Search the attentions"),
                .effect = tr("Finds scores and normalisers by their names, mechanisms by name, family, "
                             "paper, year or a model that uses them: \"used in Qwen3-Next\""),
                .placeholder = tr("Search by name, family, paper, year, model"),
                .rows = tr("What can attend"),
                .rows_effect = tr("Scores, normalisers and mechanisms that this model can learn with"),
                .nothing = tr("This model can learn with nothing like this. Search for less."),
                .letters = 56});  // a name with its word, and what the search line says of itself
    connect(this, &AttentionCombo::listed, popup, &ChoicePopup::filter);
    return popup;
}

void AttentionCombo::add_heading(const QString& text) {
    addItem(text);
    auto* item = qobject_cast<QStandardItemModel*>(model())->item(count() - 1);
    item->setFlags(Qt::NoItemFlags);
    QFont bold = font();
    bold.setBold(true);
    item->setFont(bold);
}

void AttentionCombo::show_choices(const std::vector<AttentionChoice>& choices, const QString& note) {
    using Kind = AttentionChoice::Kind;
    clear();
    if (!note.isEmpty())
        add_heading(note);
    for (const auto& [kind, heading] :
         std::array{std::pair(Kind::score, tr("Scores")), std::pair(Kind::normalizer, tr("Normalisers")),
                    std::pair(Kind::mechanism, tr("Mechanisms"))}) {
        add_heading(heading);
        for (const AttentionChoice& each : choices)
            if (each.kind == kind) {
                addItem(title_of(each), QString::fromStdString(each.name));
                setItemData(count() - 1, QString::fromStdString(each.meaning), Qt::ToolTipRole);
                setItemData(count() - 1, QString(title_of(each) + QChar(' ') + in_words(each.name)),
                            ChoiceFilter::SearchRole);
            }
    }
    int row = findData(QString::fromStdString(wanted_));
    if (row < 0)
        row = findData(QLatin1String(standard_attention(shown_.second)));
    setCurrentIndex(std::max(row, 1));
    emit listed();
}

void AttentionCombo::leave(const std::vector<AttentionChoice>& possible) {
    std::set<QString> names;
    for (const AttentionChoice& each : possible)
        names.insert(QString::fromStdString(each.name));
    for (int row = count() - 1; row >= 0; --row) {
        const QVariant name = itemData(row);
        const bool goes = name.isValid() ? !names.contains(name.toString()) : row == 0;  // the note
        // What was chosen meanwhile stays: the form says why it cannot be trained.
        if (goes && row != currentIndex())
            removeItem(row);
    }
}

}  // namespace headlight
