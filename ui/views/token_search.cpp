#include "ui/views/token_search.h"

#include "ui/models/document.h"

namespace headlight {
namespace {

/// What the queries or keys of the weights are called: tokens that nobody named have numbers, as in pictures.
std::vector<std::string> names_along(const Trace& trace, const std::string& site, Axis axis) {
    const TokenLabels& tokens = trace.tokens_at(site);
    const std::vector<std::string>& named =
        axis == Axis::key && !tokens.key.empty() ? tokens.key : tokens.query;
    const Stage* weights = trace.find("weights", site);
    if (!named.empty() || !weights)
        return named;
    std::vector<std::string> numbers;
    for (Index number = 1; number <= weights->extent(axis); ++number)
        numbers.push_back(std::to_string(number));
    return numbers;
}

}  // namespace

TokenSearch& TokenSearch::of(Document& document) {
    return document.companions().of<TokenSearch>([&document] { return new TokenSearch(document); });
}

TokenSearch::TokenSearch(Document& document) : QObject(&document), document_(document) {
    connect(&document_, &Document::run_changed, this, &TokenSearch::search);
    connect(&document_.looking(), &Looking::view_changed, this, [this](const ViewState& before) {
        if (before.selection.site != document_.view().selection.site)
            search();
    });
}

void TokenSearch::set(const QString& text, bool is_expression) {
    if (text == text_ && is_expression == is_expression_)
        return;
    text_ = text;
    is_expression_ = is_expression;
    search();
}

void TokenSearch::search() {
    const auto run = document_.run();
    const bool was_empty = text_.isEmpty() && count() == 0;
    queries_ = keys_ = {};
    current_.reset();
    if (run && !text_.isEmpty()) {
        const std::string& site = document_.view().selection.site;
        const std::vector<std::string> queries = names_along(*run->trace, site, Axis::query),
                                       keys = names_along(*run->trace, site, Axis::key);
        are_one_text_ = keys == queries;
        queries_ = find_tokens(queries, text_, is_expression_);
        if (!are_one_text_)
            keys_ = find_tokens(keys, text_, is_expression_);
    }
    if (!was_empty)
        emit changed();
}

void TokenSearch::step(Index by) {
    if (count() == 0)
        return;
    current_ = current_ ? (*current_ + by + count()) % count() : by > 0 ? 0 : count() - 1;
    Selection selection = document_.view().selection;
    if (*current_ < std::ssize(queries()))
        selection.query = queries()[static_cast<std::size_t>(*current_)].first;
    else
        selection.key = keys()[static_cast<std::size_t>(*current_ - std::ssize(queries()))].first;
    document_.looking().select(selection);
    emit changed();
}

}  // namespace headlight
