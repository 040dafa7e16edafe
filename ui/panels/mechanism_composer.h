#pragma once

#include "core/io/mechanism_file.h"
#include "core/workbench/word_trials.h"
#include "ui/jobs/latest_job.h"

#include <QWidget>

#include <optional>
#include <vector>

class QLineEdit;
class QPushButton;
class QToolButton;

namespace headlight {

class ComposerMask;
class ComposerRow;
class FormulaBox;
class Document;
class MechanismLibrary;
class WrappedLabel;
struct OwnFormula;

/// "Build your own": the session's own mechanism, one row for each part of its spec. What cannot run is said
/// beside the row that it is about; words that could not are greyed, which is tried in the background.
class MechanismComposer : public QWidget {
    Q_OBJECT
public:
    MechanismComposer(Document& document, MechanismLibrary& library, QWidget* parent = nullptr);

    /// The mechanism that the session has, as one's own.
    void begin();
    /// A formula of one's own, with the name of the mechanism that it was.
    void begin_with(const OwnFormula& formula);
    /// Before another mechanism takes the place of one's own: what is not saved stays in the list.
    void keep_draft();
    /// What says that the formula is wrong, shown while it is.
    QWidget& formula_problem();

signals:
    /// The "Open…" button: choosing and reading files is the window's business.
    void open_requested();
    void export_requested();
    void notice(const QString& text);
    /// Somebody composes from now on, which takes room.
    void begun();

private:
    /// The parts, when somebody first composes: a start pays for none of their words.
    void build_rows();
    QWidget* build_name();
    QWidget* build_buttons();
    void refresh();
    void show_formula(const AttentionSpec& spec);
    void show_error();
    void try_words();
    void show_impossible(const WordReasons& reasons);
    /// Another word of an axis.
    void choose(const ComposerRow& row, const std::function<void(AttentionSpec&)>& apply);
    void rename(const QString& name);
    /// The name of one's own that the session's mechanism becomes.
    QString own_name() const;
    /// Chooses the name, to be changed.
    void choose_name();
    /// Scrolls to the name, once the form is laid out.
    void look_at_name();
    /// What is composed, as a formula. Nothing is scrolled: the button stays under the pointer.
    void write_formula();
    void type_formula(const QString& text);
    void save();
    void copy();
    void leave();

    Document& document_;
    MechanismLibrary& library_;
    QLineEdit* name_ = nullptr;
    QPushButton *save_ = nullptr, *as_formula_ = nullptr;
    FormulaBox* own_formula_ = nullptr;
    WrappedLabel* formula_ = nullptr;
    WrappedLabel* problem_ = nullptr;  ///< of a refusal that is about no row
    std::vector<ComposerRow*> rows_;   ///< none, and no mask, before somebody composes
    ComposerMask* mask_ = nullptr;
    std::optional<AttentionSpec> shown_;
    bool shown_on_image_ = false;
    std::optional<std::pair<AttentionSpec, Shape>> tried_;  ///< with the tokens that it was tried on
    LatestJob trials_;
};

}  // namespace headlight
