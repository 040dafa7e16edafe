#pragma once

#include "core/attention/trace.h"
#include "ui/models/found_tokens.h"

#include <QObject>

#include <optional>

namespace headlight {

class Document;

/// What is searched for among the tokens of the place that is shown, shared by every view of one document:
/// each marks what was found. No part of the session, as looking is not an edit.
class TokenSearch : public QObject {
    Q_OBJECT
public:
    /// The search of the document; made on first use and owned by it.
    static TokenSearch& of(Document& document);

    void set(const QString& text, bool is_expression);

    const std::vector<TokenRange>& queries() const { return queries_.ranges; }
    /// Empty where the keys are the queries' tokens.
    const std::vector<TokenRange>& keys() const { return keys_.ranges; }
    /// Whether what was found among the queries is among the keys too.
    bool are_one_text() const { return are_one_text_; }
    const QString& problem() const { return queries_.problem; }

    /// Returns how many both have together; the queries' come first.
    Index count() const { return std::ssize(queries()) + std::ssize(keys()); }
    /// That which step() has led to; nothing before the first step.
    const std::optional<Index>& current() const { return current_; }
    /// Selects the next one, or for -1 the one before, round the end.
    void step(Index by);

signals:
    void changed();

private:
    explicit TokenSearch(Document& document);
    void search();

    Document& document_;
    QString text_;
    bool is_expression_ = false;
    bool are_one_text_ = true;
    FoundTokens queries_, keys_;
    std::optional<Index> current_;
};

}  // namespace headlight
