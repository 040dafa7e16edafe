#include "core/io/session_counterpart.h"

#include "core/io/model_title.h"
#include "core/tensor/error.h"
#include "core/tensor/visible_text.h"

#include <utility>

namespace headlight {
namespace {

/// Of a text in a title: enough to know which it is.
constexpr std::size_t longest_title = 24;

std::string title_of(const std::string& text) { return in_quotes(excerpt(text, longest_title)); }

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
        own.name += ", " + title_of(text_of(session));
        other.name = title_of(session.counterpart->value);
    } else {
        other.name = model_title(session.counterpart->value);
    }
    return compared_traces(std::move(own), std::move(other));
}

}  // namespace headlight
