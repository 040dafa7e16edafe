#pragma once

#include "core/model/intervention.h"

#include <QObject>

#include <string>

namespace headlight {

class Document;

/// One movement of the hand that changes one weight of a model: one undoable step, however often the weight
/// changes on the way. The model decodes on along the way while that takes a moment; else once the hand
/// rests.
class WeightMovement : public QObject {
    Q_OBJECT
public:
    /// `at`: what weight_at() gives of the place.
    WeightMovement(Document& document, Intervention at, QObject* parent = nullptr);

    double weight() const { return at_.weight; }
    /// Into [0, 1].
    void move_to(double weight);
    /// The hand rests: the model goes on with the weight that it is at.
    void rest();

    /// Another moment for the whole program, in milliseconds: how long a run may take that follows the hand.
    /// For tests on machines that take longer for it.
    static void set_longest_followed(double milliseconds) { longest_followed_ = milliseconds; }

private:
    bool can_follow() const;
    void carry_out();

    Document& document_;
    Intervention at_;
    std::string merge_;
    static inline double longest_followed_ = 100;
    bool is_waiting_ = false;  ///< the weight has moved since it was last carried out
};

}  // namespace headlight
