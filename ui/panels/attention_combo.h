#pragma once

#include "core/io/mechanism_file.h"
#include "core/model/attention_choices.h"
#include "ui/jobs/latest_job.h"
#include "ui/panels/search_combo.h"

#include <map>
#include <string>

namespace headlight {

class MechanismLibrary;

/// What a host that learns a task can attend with: mechanisms of one's own, scores, normalisers and
/// mechanisms, under headings, searched by what is typed. All are listed at once; which are possible is tried
/// on a worker, once for each task and host, and the others go: it does not change while the program runs, so
/// that the next window knows it at once. One's own stay, greyed with the reason where they are impossible,
/// and are tried again with each list.
class AttentionCombo : public SearchCombo {
    Q_OBJECT
public:
    AttentionCombo(const MechanismLibrary& library, int letters, QWidget* parent = nullptr);

    /// Lists those of the task and the host. What a person has chosen stays chosen where it is possible.
    void list_for(const Task& task, HostType host);
    /// To be chosen by the next list_for(), in place of what is chosen now.
    void want(const std::string& attention);
    /// By the name that a Recipe takes, or of one's own as it is remembered; nothing before list_for().
    std::optional<std::string> chosen() const;
    /// The mechanism of one's own that is chosen; nothing where it is none.
    std::optional<CustomMechanism> chosen_own() const;
    /// Whether some of those that are listed may turn out to be impossible.
    bool is_trying() const { return trying_.is_running() || trying_own_.is_running(); }

signals:
    void listed();
    /// What is in the library is another than it was, perhaps what is chosen too.
    void own_changed();

protected:
    ChoicePopup* make_popup() override;

private:
    using Key = std::pair<std::string, HostType>;
    void add_heading(const QString& text) { insert_heading(count(), text); }
    /// A note stands above them.
    void show_choices(const std::vector<AttentionChoice>& choices, const QString& note = {});
    /// Takes the note away, and what has turned out to be impossible.
    void leave(const std::vector<AttentionChoice>& possible);
    /// One's own as the library has them now, above all others; tries them.
    void list_own();
    void try_own();
    bool is_own(int row) const;
    /// Whether the host can attend with what has that name.
    bool is_possible(const Task& task, HostType host, const std::string& name) const;
    /// Forgets what is wanted where the host cannot have it, unless it is one's own that is not read yet.
    void check_wanted(const Task& task, HostType host);
    /// Chooses what is wanted, or else what is usual.
    void choose_wanted();

    const MechanismLibrary& library_;

    Key shown_{"", HostType::gru};
    std::string wanted_;
    bool is_awaited_ = false;  ///< what is wanted is one's own, and the library has none of that name yet
    bool has_note_ = false;    ///< above the choices
    static std::map<Key, std::vector<AttentionChoice>> known_;
    LatestJob trying_, trying_own_;
};

}  // namespace headlight
