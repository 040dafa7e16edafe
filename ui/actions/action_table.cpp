#include "ui/actions/action_table.h"

#include "ui/actions/context_rows.h"
#include "ui/actions/theme_rows.h"
#include "ui/models/menu_text.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

namespace headlight {
namespace {

using Row = ActionRow;

constexpr const char *file_menu = "file_menu", *edit_menu = "edit_menu", *view_menu = "view_menu",
                     *figure_menu = "figure_menu", *play_menu = "play_menu", *model_menu = "model_menu",
                     *lesson_menu = "lesson_menu", *help_menu = "help_menu", *range_menu = "range_menu",
                     *weights_menu = "weights_menu", *pooled_menu = "pooled_menu",
                     *tokens_menu = "tokens_menu", *colour_map_menu = "colour_map_menu",
                     *theme_menu = "theme_menu", *this_lesson_menu = "this_lesson_menu",
                     *hand_out_menu = "hand_out_menu", *recent_files = "recent_files",
                     *panels_menu = "panels_menu";

constexpr const char* nothing_computed = QT_TRANSLATE_NOOP("Actions", "Nothing is computed yet");
constexpr const char* fold_tip =
    QT_TRANSLATE_NOOP("Actions", "Folds the panels to a strip, so that the picture gets their room");
constexpr const char* no_question = QT_TRANSLATE_NOOP("Actions", "No question is open");
constexpr const char* no_quiz = QT_TRANSLATE_NOOP("Actions", "This lesson has no such questions");

constexpr Row action_table[] = {
    menu_row(file_menu, "", QT_TRANSLATE_NOOP("Actions", "&File")),
    {"file_new", file_menu, QT_TRANSLATE_NOOP("Actions", "&New"),
     QT_TRANSLATE_NOOP("Actions", "Starts again from the worked example"), "Ctrl+N"},
    {"file_open", file_menu, QT_TRANSLATE_NOOP("Actions", "&Open…"),
     QT_TRANSLATE_NOOP("Actions", "Opens a session, a figure that carries one, a mechanism, a formula, a "
                                  "text, an image, or a matrix of token vectors"),
     "Ctrl+O"},
    {.id = recent_files,
     .menu = file_menu,
     .text = QT_TRANSLATE_NOOP("Actions", "Open &recent"),
     .kind = Row::Kind::context_menu},
    each_in(recent_files, "open_recent", "%1", "%2"),
    line_in(recent_files),
    {"clear_recent", recent_files, QT_TRANSLATE_NOOP("Actions", "&Clear this list"),
     QT_TRANSLATE_NOOP("Actions", "Forgets which files were opened; the files stay")},
    {"example_picture", file_menu, QT_TRANSLATE_NOOP("Actions", "E&xample picture"),
     QT_TRANSLATE_NOOP(
         "Actions",
         "A small painting as the sequence: its patches are the tokens, and the heat lies over it"),
     "Ctrl+Shift+X"},
    {"paste_picture", file_menu, QT_TRANSLATE_NOOP("Actions", "&Paste image"),
     QT_TRANSLATE_NOOP("Actions", "Takes the image on the clipboard as the sequence"), "Ctrl+Shift+I"},
    line_in(file_menu),
    {"file_save", file_menu, QT_TRANSLATE_NOOP("Actions", "&Save"),
     QT_TRANSLATE_NOOP("Actions", "Saves the session: text, mechanism, knobs and view"), "Ctrl+S"},
    {"file_save_as", file_menu, QT_TRANSLATE_NOOP("Actions", "Save &as…"),
     QT_TRANSLATE_NOOP("Actions", "Saves the session to another file"), "Ctrl+Shift+S"},
    line_in(file_menu),
    {"file_export", file_menu, QT_TRANSLATE_NOOP("Actions", "&Export…"),
     QT_TRANSLATE_NOOP("Actions", "Saves the picture or its numbers"), "Ctrl+E", nothing_computed},
    {"copy_figure", file_menu, QT_TRANSLATE_NOOP("Actions", "&Copy figure"),
     QT_TRANSLATE_NOOP("Actions", "Copies the picture to the clipboard"), "Ctrl+Shift+C", nothing_computed},
    {"copy_numbers", file_menu, QT_TRANSLATE_NOOP("Actions", "Copy n&umbers"),
     QT_TRANSLATE_NOOP("Actions",
                       "Copies the numbers of the view to the clipboard, as a table for a spreadsheet"),
     "Ctrl+Shift+N", nothing_computed},
    {"copy_words", file_menu, QT_TRANSLATE_NOOP("Actions", "Copy in &words"),
     QT_TRANSLATE_NOOP(
         "Actions",
         "Copies what the picture shows as text: its parts, arrows and rows, and of a motion every step"),
     "Ctrl+Shift+W", nothing_computed},
    {"copy_citation", file_menu, QT_TRANSLATE_NOOP("Actions", "Copy the c&itation (BibTeX)"),
     QT_TRANSLATE_NOOP("Actions", "Copies how to cite the mechanism's paper, and Headlight")},
    {"file_print", file_menu, QT_TRANSLATE_NOOP("Actions", "&Print…"),
     QT_TRANSLATE_NOOP("Actions", "Shows the picture on its page, and prints it"), "Ctrl+P",
     nothing_computed},
    line_in(file_menu),
    {"file_quit", file_menu, QT_TRANSLATE_NOOP("Actions", "&Quit"),
     QT_TRANSLATE_NOOP("Actions", "Closes the window; what is open comes back at the next start"), "Ctrl+Q"},

    menu_row(edit_menu, "", QT_TRANSLATE_NOOP("Actions", "&Edit")),
    {"edit_undo", edit_menu, QT_TRANSLATE_NOOP("Actions", "&Undo"),
     QT_TRANSLATE_NOOP("Actions", "Takes back the last edit"), "Ctrl+Z",
     QT_TRANSLATE_NOOP("Actions", "There is no edit to take back")},
    {"edit_redo", edit_menu, QT_TRANSLATE_NOOP("Actions", "&Redo"),
     QT_TRANSLATE_NOOP("Actions", "Makes the edit again that was taken back"), "Ctrl+Shift+Z; Ctrl+Y",
     QT_TRANSLATE_NOOP("Actions", "There is no edit that was taken back")},
    line_in(edit_menu),
    {"find_tokens", edit_menu, QT_TRANSLATE_NOOP("Actions", "&Find tokens…"),
     QT_TRANSLATE_NOOP("Actions", "Marks tokens with a text in every picture"), "Ctrl+F"},
    {"find_next_token", edit_menu, QT_TRANSLATE_NOOP("Actions", "Find ne&xt"),
     QT_TRANSLATE_NOOP("Actions", "Selects the next token found"), "F3"},
    {"find_previous_token", edit_menu, QT_TRANSLATE_NOOP("Actions", "Find pre&vious"),
     QT_TRANSLATE_NOOP("Actions", "Selects the token found before"), "Shift+F3"},
    line_in(edit_menu),
    {"change_keys", edit_menu, QT_TRANSLATE_NOOP("Actions", "Change the &keys…"),
     QT_TRANSLATE_NOOP("Actions", "Gives a command another key, or none"), "", "", Row::Kind::action,
     QT_TRANSLATE_NOOP("Actions", "settings preferences options shortcuts")},

    menu_row(view_menu, "", QT_TRANSLATE_NOOP("Actions", "&View")),
    {"view_back", view_menu, QT_TRANSLATE_NOOP("Actions", "&Back"),
     QT_TRANSLATE_NOOP("Actions", "Back to what you last looked at for a while. Edits stay as they are"),
     "Alt+Left", QT_TRANSLATE_NOOP("Actions", "Nothing was looked at before this")},
    {"view_forward", view_menu, QT_TRANSLATE_NOOP("Actions", "&Forward"),
     QT_TRANSLATE_NOOP("Actions", "Forward again to where Back came from"), "Alt+Right",
     QT_TRANSLATE_NOOP("Actions", "Back was not chosen")},
    line_in(view_menu),
    each_in(view_menu, "view", "%1", "%2"),
    line_in(view_menu),
    {"next_level", view_menu, QT_TRANSLATE_NOOP("Actions", "Next le&vel…"),
     QT_TRANSLATE_NOOP(
         "Actions",
         "The run, one level nearer: black box, parts, tensors, arithmetic, formula, spreadsheet, code"),
     "F6"},
    {"whole_matrix", view_menu, QT_TRANSLATE_NOOP("Actions", "The whole &matrix"),
     QT_TRANSLATE_NOOP("Actions", "Shows the whole matrix, where the picture is zoomed"), "Ctrl+0"},
    line_in(view_menu),
    menu_row(panels_menu, view_menu, QT_TRANSLATE_NOOP("Actions", "&Panels")),
    place_in(panels_menu, "shown_panels"),
    own_in(panels_menu, "show_notes", QT_TRANSLATE_NOOP("Actions", "&Notes"),
           QT_TRANSLATE_NOOP("Actions", "What to look for, common mistakes, and where to go next; without "
                                        "them the arithmetic has the whole column")),
    line_in(panels_menu),
    own_in(panels_menu, "fold_left", QT_TRANSLATE_NOOP("Actions", "Fold the le&ft panels"), fold_tip),
    own_in(panels_menu, "fold_right", QT_TRANSLATE_NOOP("Actions", "Fold the in&spector"), fold_tip),
    own_in(panels_menu, "fold_map", QT_TRANSLATE_NOOP("Actions", "Show the ma&p"),
           QT_TRANSLATE_NOOP(
               "Actions", "A little map beside the picture: where in the model or mechanism the picture is")),
    menu_row(theme_menu, view_menu, QT_TRANSLATE_NOOP("Actions", "&Theme")),
    {"only_picture", view_menu, QT_TRANSLATE_NOOP("Actions", "&Full screen"),
     QT_TRANSLATE_NOOP("Actions", "The picture and the player alone, on the whole screen; Esc comes back"),
     "F11"},
    {"leave_full_screen", view_menu, QT_TRANSLATE_NOOP("Actions", "Leave the full screen"),
     QT_TRANSLATE_NOOP("Actions", "Brings the panels back from the full screen"), "Esc",
     QT_TRANSLATE_NOOP("Actions", "The window does not fill the screen"), Row::Kind::key_only},

    // Without a letter: those of its name are letters of controls.
    menu_row(figure_menu, "", QT_TRANSLATE_NOOP("Actions", "Figure")),
    menu_row(colour_map_menu, figure_menu, QT_TRANSLATE_NOOP("Actions", "&Colour map")),
    each_in(colour_map_menu, "colour_map", "%1", "%2"),
    menu_row(range_menu, figure_menu, QT_TRANSLATE_NOOP("Actions", "&Range of the colours")),
    {"range_unit", range_menu, QT_TRANSLATE_NOOP("Actions", "&0 to 1"),
     QT_TRANSLATE_NOOP("Actions",
                       "Colours from 0 to 1: the same colour is the same weight in every picture")},
    {"range_fitted", range_menu, QT_TRANSLATE_NOOP("Actions", "&Fitted"),
     QT_TRANSLATE_NOOP("Actions", "Colours from the smallest to the largest number shown"), "Ctrl+Shift+F"},
    {"range_percentiles", range_menu, QT_TRANSLATE_NOOP("Actions", "1st to 99th &percentile"),
     QT_TRANSLATE_NOOP(
         "Actions",
         "Colours for most of the numbers shown: a few that are far larger do not leave the others "
         "dark. What lies outside has the colour of the end")},
    {"range_other", range_menu, QT_TRANSLATE_NOOP("Actions", "&Other range…"),
     QT_TRANSLATE_NOOP("Actions", "Other percentiles, or from one number to another")},
    line_in(range_menu),
    {"scale_linear", range_menu, QT_TRANSLATE_NOOP("Actions", "&Linear"),
     QT_TRANSLATE_NOOP("Actions", "Colour follows the weight itself")},
    {"scale_log", range_menu, QT_TRANSLATE_NOOP("Actions", "Lo&g"),
     QT_TRANSLATE_NOOP(
         "Actions", "Colour follows the logarithm: small weights beside one that drowns them become visible"),
     "Ctrl+Shift+L"},
    menu_row(weights_menu, figure_menu, QT_TRANSLATE_NOOP("Actions", "&Weights or norms")),
    {"weights_raw", weights_menu, QT_TRANSLATE_NOOP("Actions", "&Weights"),
     QT_TRANSLATE_NOOP("Actions", "Draws the weights as they are")},
    {"weights_value_norms", weights_menu, QT_TRANSLATE_NOOP("Actions", "Value-weighted &norms"),
     QT_TRANSLATE_NOOP("Actions",
                       "Draws, in place of each weight, the norm of the weight times its value times W_o: "
                       "a large weight of a small value gives little")},
    menu_row(pooled_menu, figure_menu, QT_TRANSLATE_NOOP("Actions", "&Heads and layers, or one map of them")),
    {"heads_apart", pooled_menu, QT_TRANSLATE_NOOP("Actions", "Each &head"),
     QT_TRANSLATE_NOOP("Actions", "Draws the weights of each head by themselves")},
    {"heads_mean", pooled_menu, QT_TRANSLATE_NOOP("Actions", "M&ean of heads"),
     QT_TRANSLATE_NOOP("Actions", "Draws the mean of the weights of all heads in place of one head’s")},
    {"heads_maximum", pooled_menu, QT_TRANSLATE_NOOP("Actions", "Largest of hea&ds"),
     QT_TRANSLATE_NOOP("Actions", "Draws the largest weight of all heads in place of one head’s")},
    {"heads_rollout", pooled_menu, QT_TRANSLATE_NOOP("Actions", "R&ollout of layers"),
     QT_TRANSLATE_NOOP(
         "Actions",
         "Draws how much of each token at the start is in each token behind this layer: the means of the "
         "heads, half with the token itself, multiplied from the first layer on")},
    line_in(pooled_menu),
    {"layers_apart", pooled_menu, QT_TRANSLATE_NOOP("Actions", "Each la&yer"),
     QT_TRANSLATE_NOOP("Actions", "Draws the weights of the layer that is looked at")},
    {"layers_mean", pooled_menu, QT_TRANSLATE_NOOP("Actions", "&Mean of layers"),
     QT_TRANSLATE_NOOP("Actions",
                       "Draws the mean of the weights of all layers of this kind in place of one layer’s")},
    {"layers_maximum", pooled_menu, QT_TRANSLATE_NOOP("Actions", "La&rgest of layers"),
     QT_TRANSLATE_NOOP("Actions",
                       "Draws the largest weight of all layers of this kind in place of one layer’s")},
    menu_row(tokens_menu, figure_menu, QT_TRANSLATE_NOOP("Actions", "To&kens of a capture")),
    {"tokens_text", tokens_menu, QT_TRANSLATE_NOOP("Actions", "As &text"),
     QT_TRANSLATE_NOOP(
         "Actions",
         "Writes what a token means: “␣the” of a stored “Ġthe” or “▁the”, “é” of the two letters that "
         "stand for its bytes")},
    {"tokens_plain", tokens_menu, QT_TRANSLATE_NOOP("Actions", "As text &without spaces"),
     QT_TRANSLATE_NOOP("Actions",
                       "Writes what a token means, without the spaces around it and without “##”")},
    {"tokens_stored", tokens_menu, QT_TRANSLATE_NOOP("Actions", "As &stored"),
     QT_TRANSLATE_NOOP(
         "Actions",
         "Writes the tokens as the model’s vocabulary has them, such as “Ġthe”, “▁the” or “<0xE4>”")},
    line_in(figure_menu),
    {"values_in_cells", figure_menu, QT_TRANSLATE_NOOP("Actions", "&Values in cells"),
     QT_TRANSLATE_NOOP("Actions", "Writes the numbers into the cells where they fit"), "Ctrl+Shift+V"},
    {"figure_panel", figure_menu, QT_TRANSLATE_NOOP("Actions", "Set &up the figure…"),
     QT_TRANSLATE_NOOP("Actions", "Titles, axes, rows and columns, and what else stands in the figure"),
     "Ctrl+Shift+G", "", Row::Kind::action, QT_TRANSLATE_NOOP("Actions", "settings options captions labels")},
    line_in(figure_menu),
    again_in(figure_menu, "file_export"),  // whoever has set up a figure looks for it here

    // The keys of steps and heads, which work whatever has the focus, stand in shortcuts.cpp.
    menu_row(play_menu, "", QT_TRANSLATE_NOOP("Actions", "&Play")),
    {"play_toggle", play_menu, QT_TRANSLATE_NOOP("Actions", "&Play or pause"),
     QT_TRANSLATE_NOOP("Actions", "Steps on by itself, and pauses"), "F5"},
    {"play_forward", play_menu, QT_TRANSLATE_NOOP("Actions", "Step &forward"),
     QT_TRANSLATE_NOOP("Actions", "Goes one step on")},
    {"play_back", play_menu, QT_TRANSLATE_NOOP("Actions", "Step &back"),
     QT_TRANSLATE_NOOP("Actions", "Goes one step back")},
    {"play_first", play_menu, QT_TRANSLATE_NOOP("Actions", "F&irst"),
     QT_TRANSLATE_NOOP("Actions", "Goes to the first step"), "Alt+Home"},
    {"play_last", play_menu, QT_TRANSLATE_NOOP("Actions", "&Last"),
     QT_TRANSLATE_NOOP("Actions", "Goes to the last step"), "Alt+End"},
    {"head_next", play_menu, QT_TRANSLATE_NOOP("Actions", "&Next head"),
     QT_TRANSLATE_NOOP("Actions", "Selects the next head")},
    {"head_previous", play_menu, QT_TRANSLATE_NOOP("Actions", "P&revious head"),
     QT_TRANSLATE_NOOP("Actions", "Selects the head before")},
    line_in(play_menu),
    {"play_stages", play_menu, QT_TRANSLATE_NOOP("Actions", "By &stage"),
     QT_TRANSLATE_NOOP("Actions", "A step leads to the next stage of the formula")},
    {"play_steps", play_menu, QT_TRANSLATE_NOOP("Actions", "By &decoding step or row"),
     QT_TRANSLATE_NOOP("Actions", "A step leads to the next word that is said, or the next row")},
    {"play_heads", play_menu, QT_TRANSLATE_NOOP("Actions", "By &head"),
     QT_TRANSLATE_NOOP("Actions", "A step leads to the next head")},
    line_in(play_menu),
    {"play_motion", play_menu, QT_TRANSLATE_NOOP("Actions", "Sho&w how it comes about"),
     QT_TRANSLATE_NOOP("Actions",
                       "Rows meet columns, a row is divided by its sum, values are weighted and added: how "
                       "the stage in view comes about; in the map of a model, what flows into the part in "
                       "view, step by step"),
     "F7"},
    {"export_motion", play_menu, QT_TRANSLATE_NOOP("Actions", "&Export the film…"),
     QT_TRANSLATE_NOOP("Actions", "Saves how it comes about as a film: an animated GIF or WebP, or numbered "
                                  "PNG pictures")},
    {"reduce_motion", play_menu, QT_TRANSLATE_NOOP("Actions", "&Jump from number to number"),
     QT_TRANSLATE_NOOP(
         "Actions", "Shows each number when it is done and nothing on its way: for whom motion is too much")},

    menu_row(lesson_menu, "", QT_TRANSLATE_NOOP("Actions", "&Lessons")),
    each_in(lesson_menu, "open_lesson", QT_TRANSLATE_NOOP("Actions", "&%1  %2 (%3 minutes)"), "%4"),
    line_in(lesson_menu),
    {"begin_lesson_folder", lesson_menu, QT_TRANSLATE_NOOP("Actions", "&Open a lesson's folder…"),
     QT_TRANSLATE_NOOP("Actions", "Opens a lesson that somebody made")},
    {"begin_lesson_editor", lesson_menu, QT_TRANSLATE_NOOP("Actions", "&Make a lesson…"),
     QT_TRANSLATE_NOOP("Actions", "Opens the window in which a lesson is made of what is shown")},
    line_in(lesson_menu),
    {"begin_quiz_before", lesson_menu, QT_TRANSLATE_NOOP("Actions", "Questions &before the course…"),
     QT_TRANSLATE_NOOP("Actions", "Asks what a class knows before its first lesson")},
    {"begin_quiz_after", lesson_menu, QT_TRANSLATE_NOOP("Actions", "Questions &after the course…"),
     QT_TRANSLATE_NOOP("Actions", "Asks the same questions once the lessons are over")},
    {"begin_progress", lesson_menu, QT_TRANSLATE_NOOP("Actions", "&Progress…"),
     QT_TRANSLATE_NOOP("Actions", "Shows what classes answered before, during and after the course")},
    line_in(lesson_menu),
    // Keys of those that have some stand in shortcuts.cpp, where people look for them: in a lesson.
    menu_row(this_lesson_menu, lesson_menu, QT_TRANSLATE_NOOP("Actions", "&This lesson")),
    {"lesson_next", this_lesson_menu, QT_TRANSLATE_NOOP("Actions", "&Next"),
     QT_TRANSLATE_NOOP("Actions", "Goes on in the lesson; of an open question it shows the answer")},
    {"lesson_back", this_lesson_menu, QT_TRANSLATE_NOOP("Actions", "Bac&k"),
     QT_TRANSLATE_NOOP("Actions", "Goes back to what the lesson showed before")},
    {"lesson_show_answer", this_lesson_menu, QT_TRANSLATE_NOOP("Actions", "&Show the answer"),
     QT_TRANSLATE_NOOP("Actions", "Shows what is computed, and judges no guess"), "", no_question},
    {"lesson_counting", this_lesson_menu, QT_TRANSLATE_NOOP("Actions", "C&ount hands"),
     QT_TRANSLATE_NOOP("Actions", "Takes how many of a class are for each answer, in place of one guess"), "",
     no_question},
    line_in(this_lesson_menu),
    {"lesson_present", this_lesson_menu, QT_TRANSLATE_NOOP("Actions", "Presen&t"),
     QT_TRANSLATE_NOOP("Actions", "A second window with notes, answers and a clock, for the teacher")},
    own_in(this_lesson_menu, "presenter_black", QT_TRANSLATE_NOOP("Actions", "Black"),
           QT_TRANSLATE_NOOP("Actions", "The class sees a black screen, until the same key or a click")),
    own_in(this_lesson_menu, "presenter_ring", QT_TRANSLATE_NOOP("Actions", "Ring"),
           QT_TRANSLATE_NOOP("Actions", "A ring around the pointer")),
    own_in(this_lesson_menu, "presenter_pen", QT_TRANSLATE_NOOP("Actions", "Pen"),
           QT_TRANSLATE_NOOP("Actions", "Draws over the picture; it vanishes with the next step")),
    own_in(this_lesson_menu, "presenter_notes", QT_TRANSLATE_NOOP("Actions", "Notes"),
           QT_TRANSLATE_NOOP("Actions", "Shows the window of the notes, and hides it from the class")),
    line_in(this_lesson_menu),
    menu_row(hand_out_menu, this_lesson_menu, QT_TRANSLATE_NOOP("Actions", "&Hand out")),
    {"lesson_quiz_before", hand_out_menu, QT_TRANSLATE_NOOP("Actions", "Questions &before the lesson…"),
     QT_TRANSLATE_NOOP("Actions", "Asks what a class knows before this lesson"), "", no_quiz},
    {"lesson_quiz_after", hand_out_menu, QT_TRANSLATE_NOOP("Actions", "Questions &after the lesson…"),
     QT_TRANSLATE_NOOP("Actions", "Asks the same questions after this lesson"), "", no_quiz},
    line_in(hand_out_menu),
    {"lesson_handout", hand_out_menu, QT_TRANSLATE_NOOP("Actions", "A &sheet for the class…"),
     QT_TRANSLATE_NOOP("Actions", "Exports the lesson on paper, with room for guesses")},
    {"lesson_as_page", hand_out_menu, QT_TRANSLATE_NOOP("Actions", "The lesson as a &page…"),
     QT_TRANSLATE_NOOP("Actions", "Exports the lesson as a page that a browser shows")},
    {"lesson_pictures", hand_out_menu, QT_TRANSLATE_NOOP("Actions", "Its p&ictures…"),
     QT_TRANSLATE_NOOP("Actions", "Exports the picture of every step of the lesson")},
    {"lesson_again", this_lesson_menu, QT_TRANSLATE_NOOP("Actions", "Sho&w again"),
     QT_TRANSLATE_NOOP("Actions", "Puts the lesson's own picture, and its panel beside it, back, whatever "
                                  "was changed")},
    {"lesson_panel", this_lesson_menu, QT_TRANSLATE_NOOP("Actions", "Show its &panel"),
     QT_TRANSLATE_NOOP("Actions", "Brings back the column with what the lesson says, where other panels "
                                  "stand there or it is folded; the picture stays")},
    {"lesson_change", this_lesson_menu, QT_TRANSLATE_NOOP("Actions", "&Change this lesson…"),
     QT_TRANSLATE_NOOP("Actions",
                       "Opens the window in which a lesson is made, with a copy of this one at the "
                       "step in view, for a sentence or words of yours")},
    {"lesson_leave", this_lesson_menu, QT_TRANSLATE_NOOP("Actions", "Le&ave the lesson"),
     QT_TRANSLATE_NOOP("Actions", "Back to what was open before the lesson")},

    menu_row(model_menu, "", QT_TRANSLATE_NOOP("Actions", "&Model")),
    {"choose_mechanism", model_menu, QT_TRANSLATE_NOOP("Actions", "Choose the &mechanism…"),
     QT_TRANSLATE_NOOP("Actions", "Lists the mechanisms of the catalogue, found by their words"), "Ctrl+M"},
    {"next_mechanism", model_menu, QT_TRANSLATE_NOOP("Actions", "&Next mechanism"),
     QT_TRANSLATE_NOOP("Actions", "The next mechanism of the list attends"), "Ctrl+PgDown"},
    {"previous_mechanism", model_menu, QT_TRANSLATE_NOOP("Actions", "&Previous mechanism"),
     QT_TRANSLATE_NOOP("Actions", "The mechanism before it in the list attends"), "Ctrl+PgUp"},
    {"compare_mechanism", model_menu, QT_TRANSLATE_NOOP("Actions", "Compare with another mec&hanism…"),
     QT_TRANSLATE_NOOP("Actions", "Computes one more mechanism on the same tokens, up to five beside yours"),
     "Ctrl+Shift+M"},
    {"compose_mechanism", model_menu, QT_TRANSLATE_NOOP("Actions", "&Build your own mechanism"),
     QT_TRANSLATE_NOOP("Actions", "Composes score, position, mask and heads, or types a formula"), "Ctrl+B",
     "", Row::Kind::action, QT_TRANSLATE_NOOP("Actions", "formula equation custom new")},
    {"mechanism_example", model_menu, QT_TRANSLATE_NOOP("Actions", "Show its e&xample"),
     QT_TRANSLATE_NOOP("Actions", "Puts in the text that shows the point of the mechanism"), "",
     QT_TRANSLATE_NOOP("Actions", "Only a mechanism of the catalogue has an example")},
    {"edit_mask_action", model_menu, QT_TRANSLATE_NOOP("Actions", "Edit the mas&k…"),
     QT_TRANSLATE_NOOP("Actions", "Draws which keys each query may look at"), "Ctrl+K"},
    line_in(model_menu),
    {"choose_model", model_menu, QT_TRANSLATE_NOOP("Actions", "Run a trained mode&l…"),
     QT_TRANSLATE_NOOP("Actions", "Lists the trained models"), "Ctrl+L"},
    {"train_model", model_menu, QT_TRANSLATE_NOOP("Actions", "&Train a model…"),
     QT_TRANSLATE_NOOP("Actions", "Opens the window in which small models learn"), "Ctrl+T", "",
     Row::Kind::action, QT_TRANSLATE_NOOP("Actions", "gradient descent training loss learning")},
    line_in(model_menu),
    {"show_cost", model_menu, QT_TRANSLATE_NOOP("Actions", "C&ost…"),
     QT_TRANSLATE_NOOP("Actions", "What a run costs as the text grows"), "Ctrl+Shift+K", "",
     Row::Kind::action, QT_TRANSLATE_NOOP("Actions", "complexity time memory speed")},

    menu_row(help_menu, "", QT_TRANSLATE_NOOP("Actions", "&Help")),
    {"help_begin", help_menu, QT_TRANSLATE_NOOP("Actions", "&Begin"),
     QT_TRANSLATE_NOOP("Actions", "The ways in, as on the first start; leaves the lesson"), "Ctrl+Home"},
    {"help_example", help_menu, QT_TRANSLATE_NOOP("Actions", "&Worked example"),
     QT_TRANSLATE_NOOP("Actions", "Shows a sentence of fifteen words through scaled dot-product attention")},
    {"help_manual", help_menu, QT_TRANSLATE_NOOP("Actions", "&Manual"),
     QT_TRANSLATE_NOOP("Actions", "Opens the pages of the manual"), "",
     QT_TRANSLATE_NOOP("Actions", "The manual's pages are not beside this program")},
    each_in(help_menu, "help", QT_TRANSLATE_NOOP("Actions", "&%1 of attention…"),
            QT_TRANSLATE_NOOP("Actions", "All mechanisms in a picture; a click chooses one")),
    {"find_command", help_menu, QT_TRANSLATE_NOOP("Actions", "Find a &command…"),
     QT_TRANSLATE_NOOP("Actions", "Finds what the menus do by its words, and does it"), "Ctrl+Shift+P"},
    {"help_keyboard", help_menu, QT_TRANSLATE_NOOP("Actions", "&Keys"),
     QT_TRANSLATE_NOOP("Actions", "Lists every key"), "F1; ?"},
    {"help_about", help_menu, QT_TRANSLATE_NOOP("Actions", "&About Headlight"),
     QT_TRANSLATE_NOOP("Actions", "What this program is")},
};

std::vector<Row>& rows_of_menus() {
    static std::vector<Row> rows = [] {
        std::vector<Row> all;
        for (const Row& row : action_table) {
            all.push_back(row);
            if (row.id == std::string_view(theme_menu))
                std::ranges::copy(theme_rows_in(theme_menu), std::back_inserter(all));
        }
        all.insert(all.end(), context_rows().begin(), context_rows().end());
        return all;
    }();
    return rows;
}

}  // namespace

std::span<const ActionRow> action_rows() { return rows_of_menus(); }

const ActionRow* action_row(const QString& id) {
    const auto rows = action_rows();
    const auto found = std::ranges::find_if(
        rows, [&](const ActionRow& row) { return *row.id != '\0' && id == QLatin1String(row.id); });
    return found == rows.end() ? nullptr : &*found;
}

QString menu_of(const ActionRow& row) {
    const ActionRow* top = &row;
    while (*top->menu != '\0')
        top = action_row(QLatin1String(top->menu));
    return shown_words(QString::fromUtf8(top->text));
}

bool is_made_elsewhere(const ActionRow& row) {
    const ActionRow* in = action_row(QLatin1String(row.menu));
    return in && (in->kind == ActionRow::Kind::context_menu || in->kind == ActionRow::Kind::window ||
                  is_made_elsewhere(*in));
}

void add_action_row(const ActionRow& row) { rows_of_menus().push_back(row); }

}  // namespace headlight
