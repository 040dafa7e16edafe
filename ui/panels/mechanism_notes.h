#pragma once

#include "core/tensor/index.h"

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
/// compared while its maps are shown, and where to go next. Of a model, what to look for in what it said. As
/// many lines of each as the column has room for beside the longest arithmetic, whatever cell is explained:
/// nothing jumps while one points at cells. A button shows the rest. They can be put away; the settings
/// remember it.
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
    /// The column in which they stand has another height.
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// What the notes are made of: laying them out again would take as long as painting a picture.
    struct Content {
        QString look_for, correction;
        std::vector<const Mechanism*> compared;  ///< that have something to say, the one in view first
        const Mechanism* mechanism = nullptr;
        QFont font;
        int width = 0;
        Index lines = 0;  ///< that there is room for
        bool is_whole = false;
        bool operator==(const Content&) const = default;
    };

    void refresh();
    void lay_out(const Content& content);
    /// A little smaller than the column's type; as large for a class.
    void size_type();
    Index lines_with_room() const;
    int width_of_text() const;
    int width_of_links() const;
    /// A name that is long and first is shown in any case.
    Index lines_of_first_link(const Mechanism* mechanism) const;
    /// How many lines each of these may have; a few in any case.
    Index lines_of_each(const Content& content) const;
    /// The part of `text` that the lines have room for, or all of it where a person has asked for more.
    void show_note(WrappedLabel& label, const QString& title, const QString& text, Index lines);
    void show_compared(const std::vector<const Mechanism*>& compared, Index lines);
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
