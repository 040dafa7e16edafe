#pragma once

#include <QWidget>

#include <string>
#include <utility>

class QPushButton;

namespace headlight {

struct OwnFormula;

class Document;
class EquivalenceBox;
class MaskBox;
class MechanismChooser;
class MechanismComposer;
class MechanismDetails;
class MechanismForm;
class MechanismLibrary;
class WrappedLabel;

/// Which attention: its name, formula, knobs, explanation and paper, and what to look for in its pictures.
class MechanismPanel : public QWidget {
    Q_OBJECT
public:
    MechanismPanel(Document& document, MechanismLibrary& library, QWidget* parent = nullptr);

    /// What says that the formula of one's own is wrong, shown while it is.
    QWidget& formula_problem();
    MaskBox& mask() { return *mask_; }

signals:
    /// A mechanism was picked, or the control that had the keyboard went with the old one: what comes next is
    /// looking.
    void picture_wanted();
    /// The tree of mechanisms is gone, with one that was picked or without.
    void chooser_closed(bool was_picked);
    /// Another mechanism than before: what one had scrolled to says nothing of it.
    void another_shown();
    /// Choosing, reading and writing files is the window's business.
    void open_requested();
    void export_requested();
    void notice(const QString& text);
    /// A page of the manual is to be read.
    void page_requested(const QString& page);
    /// Somebody builds a mechanism of their own, in a long form.
    void composing_began();

public slots:
    /// The mechanism of the catalogue with that id.
    void choose(const std::string& id);
    /// The tree of mechanisms, with this text in its search line.
    void search_mechanisms(const QString& text);
    void next_mechanism();
    void previous_mechanism();
    /// The text that shows its point.
    void use_example();
    /// Turns the form into the composer, unless it is one.
    void build_your_own();
    /// A mechanism as a formula that can be changed.
    void make_mine(const headlight::OwnFormula& formula);
    /// Before another mechanism takes the place of one's own.
    void keep_draft();

private:
    void choose_own(const QString& name, bool is_draft);
    void refresh();
    void show_parts();
    void show_notes_of_run();

    Document& document_;
    MechanismLibrary& library_;
    MechanismChooser* chooser_;
    WrappedLabel* model_note_;  ///< while a model runs
    WrappedLabel* badge_;       ///< while nobody has trained the weights
    WrappedLabel* all_kept_;    ///< while the text is no longer than what is kept of it
    WrappedLabel* aliases_;
    EquivalenceBox* equivalences_;
    MechanismDetails* details_;
    QPushButton* example_;
    QPushButton* reset_;
    QPushButton* compose_;
    MechanismForm* form_;
    MechanismComposer* composer_;
    QWidget* catalogue_part_;  ///< what only a mechanism of the catalogue has, above the mask
    MaskBox* mask_;
    std::pair<std::string, bool> shown_;  ///< the mechanism's id, and whether it is one's own
};

}  // namespace headlight
