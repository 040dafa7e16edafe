#pragma once

#include "core/model/attention_choices.h"
#include "ui/jobs/latest_job.h"
#include "ui/panels/search_combo.h"

#include <map>
#include <string>

namespace headlight {

/// What a host that learns a task can attend with: scores, normalisers and mechanisms, under headings,
/// searched by what is typed. All are listed at once; which are possible is tried on a worker, once for each
/// task and host, and the others go: it does not change while the program runs, so that the next window knows
/// it at once.
class AttentionCombo : public SearchCombo {
    Q_OBJECT
public:
    explicit AttentionCombo(int letters, QWidget* parent = nullptr);

    /// Lists those of the task and the host. What a person has chosen stays chosen where it is possible.
    void list_for(const Task& task, HostType host);
    /// To be chosen by the next list_for(), in place of what is chosen now.
    void want(const std::string& attention);
    /// By the name that a Recipe takes; nothing before list_for().
    std::optional<std::string> chosen() const;
    /// Whether some of those that are listed may turn out to be impossible.
    bool is_trying() const { return trying_.is_running(); }

signals:
    void listed();

protected:
    ChoicePopup* make_popup() override;

private:
    using Key = std::pair<std::string, HostType>;
    void add_heading(const QString& text);
    /// A note stands above them.
    void show_choices(const std::vector<AttentionChoice>& choices, const QString& note = {});
    /// Takes the note away, and what has turned out to be impossible.
    void leave(const std::vector<AttentionChoice>& possible);

    Key shown_{"", HostType::gru};
    std::string wanted_;
    static std::map<Key, std::vector<AttentionChoice>> known_;
    LatestJob trying_;
};

}  // namespace headlight
