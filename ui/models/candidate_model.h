#pragma once

#include "core/model/generator.h"

#include <QAbstractListModel>

#include <memory>

namespace headlight {

class Document;
struct Run;

/// The likeliest words of the decoding step that the view is at, best first.
class CandidateModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role {
        word_role = Qt::UserRole,  ///< as the model has it
        probability_role,          ///< in [0, 1]
        said_role,                 ///< this one is what was said
        copied_role,               ///< of the probability, what comes from copying the source
    };

    explicit CandidateModel(Document& document, QObject* parent = nullptr);

    /// The step whose candidates these are; counted from 0.
    Index step() const { return step_; }
    /// The probability that the step generates its word and does not copy it, of a model that copies.
    std::optional<double> generates() const;
    /// What such a model generates is the end alone: a pointer network.
    bool points() const;
    /// Someone may choose: the word was not given to the model with its source.
    bool can_choose() const;
    /// One undoable step: the model decodes on from that word.
    void choose(const QModelIndex& index);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

signals:
    /// Another step, or other candidates of it.
    void changed();

private:
    const TranscriptStep* shown_step() const;
    void refresh();

    Document& document_;
    std::shared_ptr<const Run> run_;  ///< keeps the candidates alive
    Index step_ = 0;
};

inline constexpr double smallest_percent = 0.001;
/// "12.3 %"; "< 0.1 %" of what is not quite nothing.
QString percent_text(double probability);

}  // namespace headlight
