#include "core/io/session_counterpart.h"

#include "core/io/model_title.h"
#include "core/tensor/error.h"
#include "core/tensor/visible_text.h"

#include <algorithm>
#include <utility>

namespace headlight {
namespace {

/// The most letters of a text in a title: enough to know which it is.
constexpr std::size_t longest_title = 24;

/// A text beside another one: where both begin alike, from the word on in which they part.
std::string title_of(const std::string& text, const std::string& other) {
    std::size_t part = 0;
    if (text.size() > longest_title) {
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
        own.name += ", " + title_of(text, of_other);
        other.name = title_of(of_other, text);
    } else {
        other.name = model_title(session.counterpart->value);
    }
    return compared_traces(std::move(own), std::move(other));
}

}  // namespace headlight
