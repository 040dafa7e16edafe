#pragma once

#include <QKeySequenceEdit>

namespace headlight {

/// A field that takes one press of a key, with what is held, and shows it at once. Tab leaves it, and Escape
/// is left to its dialog.
class KeyField : public QKeySequenceEdit {
    Q_OBJECT
public:
    using QKeySequenceEdit::QKeySequenceEdit;

signals:
    /// That key was pressed; the field shows it, until it is told otherwise.
    void pressed(const QKeySequence& keys);

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
};

}  // namespace headlight
