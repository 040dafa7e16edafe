#include "core/io/session_counterpart.h"

#include "core/io/model_title.h"
#include "core/tensor/error.h"
#include "core/tensor/visible_text.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace headlight {
namespace {

/// The most letters of a text in a title: enough to know which it is.
constexpr std::size_t longest_title = 24;

std::vector<std::string_view> words_in(std::string_view text) {
    std::vector<std::string_view> words;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find(' ', start), text.size());
        if (end > start)
            words.push_back(text.substr(start, end - start));
        start = end + 1;
    }
    return words;
}

/// The words of a text between what both begin and end with; empty where one has none there.
std::string words_that_differ(std::string_view text, std::string_view other) {
    const std::vector<std::string_view> own = words_in(text), theirs = words_in(other);
    const std::size_t shorter = std::min(own.size(), theirs.size());
    std::size_t first = 0, last = 0;
    while (first < shorter && own[first] == theirs[first])
        ++first;
    while (last < shorter - first && own[own.size() - 1 - last] == theirs[theirs.size() - 1 - last])
        ++last;
    std::string words;
    if (first + last < shorter)
        for (std::size_t at = first; at < own.size() - last; ++at)
            (words += words.empty() ? "" : " ") += own[at];
    return words;
}

/// A long text beside another one: the words that differ, where they are few, or what follows where both
/// part.
std::string title_of(const std::string& text, const std::string& other) {
    std::size_t part = 0;
    if (text.size() > longest_title) {
        const std::string words = words_that_differ(text, other);
        if (!words.empty() && words.size() <= longest_title)
            return in_quotes(words);
        const auto [own, theirs] = std::ranges::mismatch(text, other);
        const std::size_t space = text.rfind(' ', static_cast<std::size_t>(own - text.begin()));
        part = space == std::string::npos || own == text.end() ? 0 : space + 1;
    }
    return in_quotes((part > 0 ? "…" : "") + excerpt(text.substr(part), longest_title));
}

const std::string& text_of(const Session& session) {
    return session.model ? session.model->request.source : session.sequence.query_text;
}

}  // namespace

Session counterpart_session(Session session) {
    const Counterpart other = *std::exchange(session.counterpart, std::nullopt);
    session.compared.clear();
    if (other.kind == Counterpart::Kind::model) {
        GenerationRequest request;
        request.source = session.model->request.source;
        request.target = session.model->request.target;
        request.choice = session.model->request.choice;
        session.model = SessionModel{other.value, std::move(request)};
    } else if (session.model) {
        GenerationRequest request;
        request.source = other.value;
        request.choice = session.model->request.choice;
        session.model->request = std::move(request);
    } else {
        session.sequence.query_text = other.value;
    }
    return session;
}

ComparedTraces beside_counterpart(const Session& session, Trace own, Trace other) {
    if (session.counterpart->kind == Counterpart::Kind::text) {
        const std::string &text = text_of(session), &of_other = session.counterpart->value;
        own.compared_as = title_of(text, of_other);
        own.name += ", " + own.compared_as;
        other.name = title_of(of_other, text);
    } else {
        other.name = model_title(session.counterpart->value);
    }
    return compared_traces(std::move(own), std::move(other));
}

}  // namespace headlight
