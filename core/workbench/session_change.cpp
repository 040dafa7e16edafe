#include "core/workbench/session_change.h"

#include <algorithm>
#include <utility>

namespace headlight {

TextChange TextChange::between(const std::string& before, const std::string& after) {
    const std::size_t shorter = std::min(before.size(), after.size());
    const auto first = std::mismatch(before.begin(), before.begin() + std::ptrdiff_t(shorter), after.begin());
    const auto from = static_cast<std::size_t>(first.first - before.begin());
    const auto last =
        std::mismatch(before.rbegin(), before.rbegin() + std::ptrdiff_t(shorter - from), after.rbegin());
    const auto same_end = static_cast<std::size_t>(last.first - before.rbegin());
    return {from, before.substr(from, before.size() - same_end - from),
            after.substr(from, after.size() - same_end - from)};
}

SessionChange::SessionChange(Session before, Session after)
    : before_(std::move(before)), after_(std::move(after)) {
    const auto old_texts = taken_texts(before_), new_texts = taken_texts(after_);
    for (std::size_t i = 0; i < texts; ++i)
        changes_[i] = TextChange::between(old_texts[i], new_texts[i]);
}

std::array<std::string*, SessionChange::texts> SessionChange::typed_texts(Session& session) {
    std::string* target =
        session.model && session.model->request.target ? &*session.model->request.target : nullptr;
    return {&session.sequence.query_text, &session.sequence.key_text,
            session.model ? &session.model->request.source : nullptr, target,
            session.counterpart ? &session.counterpart->value : nullptr};
}

std::array<std::string, SessionChange::texts> SessionChange::taken_texts(Session& session) {
    std::array<std::string, texts> taken;
    const auto typed = typed_texts(session);
    for (std::size_t i = 0; i < texts; ++i)
        if (typed[i])
            taken[i] = std::exchange(*typed[i], {});
    return taken;
}

Session SessionChange::with_texts(Session made, Session given,
                                  std::string (TextChange::*change)(std::string) const) const {
    auto texts_given = taken_texts(given);
    const auto wanted = typed_texts(made);
    for (std::size_t i = 0; i < texts; ++i)
        if (wanted[i])
            *wanted[i] = (changes_[i].*change)(std::move(texts_given[i]));
    return made;
}

Session SessionChange::undone(const Session& after) const {
    return with_texts(before_, after, &TextChange::undone);
}

Session SessionChange::done(const Session& before) const {
    return with_texts(after_, before, &TextChange::done);
}

}  // namespace headlight
