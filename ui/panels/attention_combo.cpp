#include "ui/panels/attention_combo.h"

#include "core/tensor/error.h"
#include "core/tensor/interruption.h"
#include "ui/models/choice_filter.h"
#include "ui/models/mechanism_library.h"
#include "ui/panels/setting_control.h"

#include <QStandardItemModel>

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

/// What the name of a mechanism of one's own is behind: no id has a stroke.
const QString own_prefix = QStringLiteral("mine/");

QString own_data(const CustomMechanism& own) { return own_prefix + QString::fromStdString(own.name); }

/// Null where the row with that data is none of one's own.
const CustomMechanism* own_of(const MechanismLibrary& library, const QString& data) {
    return data.startsWith(own_prefix) ? library.find(data.mid(own_prefix.size())) : nullptr;
}

}  // namespace

std::map<AttentionCombo::Key, std::vector<AttentionChoice>> AttentionCombo::known_;

AttentionCombo::AttentionCombo(const MechanismLibrary& library, int letters, QWidget* parent)
    : SearchCombo(letters, parent), library_(library) {
    connect(&library_, &MechanismLibrary::changed, this, [this] {
        if (shown_.first.empty())  // not listed yet
            return;
        if (is_awaited_)
            check_wanted(task(shown_.first), shown_.second);
        else
            wanted_ = currentData().toString().toStdString();
        list_own();
        choose_wanted();
        emit own_changed();
    });
    connect(this, &QComboBox::activated, this, [this] { is_awaited_ = false; });
}

std::optional<std::string> AttentionCombo::chosen() const {
    if (!currentData().isValid())
        return std::nullopt;
    const std::string name = currentData().toString().toStdString();
    // A Transformer's own needs no name.
    return name == "scaled_dot" && name == standard_attention(shown_.second) ? std::string() : name;
}

std::optional<CustomMechanism> AttentionCombo::chosen_own() const {
    const CustomMechanism* own = own_of(library_, currentData().toString());
    return own ? std::optional(*own) : std::nullopt;
}

bool AttentionCombo::is_possible(const Task& task, HostType host, const std::string& name) const {
    if (const CustomMechanism* own = own_of(library_, QString::fromStdString(name)))
        return !why_impossible(task, host, own->spec);
    return is_possible_attention(task, host, name);
}

void AttentionCombo::check_wanted(const Task& task, HostType host) {
    const QString wanted = QString::fromStdString(wanted_);
    is_awaited_ = wanted.startsWith(own_prefix) && !own_of(library_, wanted);
    if (!wanted_.empty() && !is_awaited_ && !is_possible(task, host, wanted_))
        wanted_.clear();
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
    // Everything is there at once, and what is impossible goes when it has been tried; only what would be
    // chosen has to be known now.
    check_wanted(task, host);
    if (const auto found = known_.find(shown_); found != known_.end())
        return show_choices(found->second);
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
                .rows_effect = tr("Scores, normalisers and mechanisms that this model can learn with, "
                                  "yours first"),
                .nothing = tr("This model can learn with nothing like this. Search for less."),
                .letters = 56});  // a name with its word, and what the search line says of itself
    connect(this, &AttentionCombo::listed, popup, &ChoicePopup::filter);
    return popup;
}

void AttentionCombo::show_choices(const std::vector<AttentionChoice>& choices, const QString& note) {
    using Kind = AttentionChoice::Kind;
    clear();
    has_note_ = !note.isEmpty();
    if (has_note_)
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
    list_own();
    choose_wanted();
    emit listed();
}

void AttentionCombo::choose_wanted() {
    int row = findData(QString::fromStdString(wanted_));
    if (row < 0)
        row = findData(QLatin1String(standard_attention(shown_.second)));
    // Those of the catalogue leave the list where they are impossible.
    for (int other = 0; row < 0 && other < count(); ++other)
        if (itemData(other).isValid() && !is_own(other))
            row = other;
    setCurrentIndex(row);
}

bool AttentionCombo::is_own(int row) const { return itemData(row).toString().startsWith(own_prefix); }

void AttentionCombo::list_own() {
    const int first = has_note_ ? 1 : 0;
    if (is_own(first + 1))
        removeItem(first);  // their heading
    while (is_own(first))
        removeItem(first);
    int row = first;
    for (const CustomMechanism& own : library_.list()) {
        if (row == first)
            insert_heading(row++, tr("Mine"));
        insertItem(row, QString::fromStdString(own.name), own_data(own));
        setItemData(row++, QString::fromStdString(own.name), ChoiceFilter::SearchRole);
    }
    try_own();
}

void AttentionCombo::try_own() {
    trying_own_.cancel();
    if (library_.list().empty())
        return;
    trying_own_.start(
        "try one's own mechanisms",
        [this, &task = task(shown_.first), host = shown_.second,
         all = library_.list()](const Cancellation&) -> Job::Delivery {
            std::vector<std::pair<QString, QString>> reasons;  // by what the row has as its data
            for (const CustomMechanism& own : all) {
                Interruption::check();
                if (const auto why = why_impossible(task, host, own.spec))
                    reasons.emplace_back(own_data(own), QString::fromStdString(why->what()));
            }
            return [this, reasons] {
                for (const auto& [name, why] : reasons)
                    if (const int row = findData(name); row >= 0) {
                        qobject_cast<QStandardItemModel*>(model())->item(row)->setEnabled(false);
                        setItemData(row, why, Qt::ToolTipRole);
                    }
            };
        },
        [](const Error&) {});  // each can still be tried by choosing it
}

void AttentionCombo::leave(const std::vector<AttentionChoice>& possible) {
    std::set<QString> names;
    for (const AttentionChoice& each : possible)
        names.insert(QString::fromStdString(each.name));
    for (int row = count() - 1; row >= 0; --row) {
        const QVariant name = itemData(row);
        if (is_own(row))
            continue;
        const bool goes = name.isValid() ? !names.contains(name.toString()) : row == 0 && has_note_;
        // What was chosen meanwhile stays: the form says why it cannot be trained.
        if (goes && row != currentIndex())
            removeItem(row);
    }
    has_note_ = false;
}

}  // namespace headlight
