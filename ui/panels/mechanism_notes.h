#pragma once

#include <QFont>
#include <QString>
#include <QWidget>

#include <string>
#include <vector>

class QAction;
class QToolButton;

namespace headlight {

class Document;
class WindowSettings;
class WrappedLabel;
struct Mechanism;

/// What to know while looking at the picture: what to look for, common mistakes, also those about what is
/// compared while its maps are shown, and where to go next. Of a model, what to look for in what it said. A
/// few lines of each, so that the arithmetic above them is seen whole; a button shows the rest. They can be
/// put away; the settings remember it.
class MechanismNotes : public QWidget {
    Q_OBJECT
public:
    MechanismNotes(Document& document, WindowSettings& settings, QWidget* parent = nullptr);

    /// Puts them away, and brings them back.
    QAction* action() const { return action_; }
    /// Away for as long as they might give away what a class is asked.
    void withhold(bool withheld);

signals:
    void related_chosen(const std::string& id);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// What the notes are made of: laying them out again would take as long as painting a picture.
    struct Content {
        QString look_for, correction;
        std::vector<const Mechanism*> compared;  ///< that have something to say, the one in view first
        const Mechanism* mechanism = nullptr;
        QFont font;
        int width = 0;
        bool is_whole = false;
        bool operator==(const Content&) const = default;
    };

    void refresh();
    void lay_out(const Content& content);
    /// The part of `text` that the lines have room for, or all of it where a person has asked for more.
    void show_note(WrappedLabel& label, const QString& title, const QString& text, int lines);
    void show_compared(const std::vector<const Mechanism*>& compared);
    void show_related(const Mechanism* mechanism);

    Document& document_;
    QAction* action_;
    WrappedLabel *look_for_, *correction_, *compared_, *related_;
    QToolButton* more_;
    Content shown_;
    bool is_withheld_ = false;
    bool is_cut_ = false;  ///< a note has more to say than a few lines
};

}  // namespace headlight
