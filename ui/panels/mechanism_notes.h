#pragma once

#include <QWidget>

#include <string>

class QAction;
class QSettings;

namespace headlight {

class Document;
class WrappedLabel;

/// What to know while looking at the picture: what to look for, what is often printed otherwise, and where to
/// go next. Of a model, what to look for in its task. They can be put away, for the arithmetic above them;
/// the settings remember it.
class MechanismNotes : public QWidget {
    Q_OBJECT
public:
    MechanismNotes(Document& document, QSettings& settings, QWidget* parent = nullptr);

    /// Puts them away, and brings them back.
    QAction* action() const { return action_; }

signals:
    void related_chosen(const std::string& id);

private:
    void refresh();

    Document& document_;
    QAction* action_;
    WrappedLabel *look_for_, *correction_, *related_;
};

}  // namespace headlight
