#include "ui/views/shortcuts.h"

#include <QAbstractButton>
#include <QAction>
#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace headlight {
namespace {

using Kind = Shortcut::Kind;

constexpr const char* file = QT_TRANSLATE_NOOP("Shortcuts", "File");
constexpr const char* edit = QT_TRANSLATE_NOOP("Shortcuts", "Edit");
constexpr const char* view = QT_TRANSLATE_NOOP("Shortcuts", "View");
constexpr const char* model = QT_TRANSLATE_NOOP("Shortcuts", "Model");
constexpr const char* play = QT_TRANSLATE_NOOP("Shortcuts", "Play");
constexpr const char* lesson = QT_TRANSLATE_NOOP("Shortcuts", "In a lesson");
constexpr const char* picture = QT_TRANSLATE_NOOP("Shortcuts", "In a picture");
constexpr const char* control = QT_TRANSLATE_NOOP("Shortcuts", "In a control");
constexpr const char* mask = QT_TRANSLATE_NOOP("Shortcuts", "In the mask editor");
constexpr const char* curves = QT_TRANSLATE_NOOP("Shortcuts", "In a chart");
constexpr const char* catalogue = QT_TRANSLATE_NOOP("Shortcuts", "In a picture of the catalogue");
constexpr const char* help = QT_TRANSLATE_NOOP("Shortcuts", "Help");

constexpr Shortcut table[] = {
    {"play_forward", "Right", QT_TRANSLATE_NOOP("Shortcuts", "One step forward"), play, Kind::everywhere},
    {"play_back", "Left", QT_TRANSLATE_NOOP("Shortcuts", "One step back"), play, Kind::everywhere},
    {"head_next", "Down", QT_TRANSLATE_NOOP("Shortcuts", "The next head"), play, Kind::everywhere},
    {"head_previous", "Up", QT_TRANSLATE_NOOP("Shortcuts", "The head before"), play, Kind::everywhere},
    {"head_digits", "1 … 9", QT_TRANSLATE_NOOP("Shortcuts", "That head"), play, Kind::everywhere},
    {"play_toggle", "F5", QT_TRANSLATE_NOOP("Shortcuts", "Play or pause"), play},
    {"play_first", "Alt+Home", QT_TRANSLATE_NOOP("Shortcuts", "The first step"), play},
    {"play_last", "Alt+End", QT_TRANSLATE_NOOP("Shortcuts", "The last step"), play},
    {"player_keys", "Space, Home, End, PgUp, PgDown",
     QT_TRANSLATE_NOOP("Shortcuts",
                       "The same: play or pause, first, last, back, forward, where no control uses them"),
     play, Kind::focused},
    {"play_motion", "F7", QT_TRANSLATE_NOOP("Shortcuts", "Show how the stage comes about, as it moves"),
     play},
    {"motion_keys", "Left, Right, Space, Home, End, Esc",
     QT_TRANSLATE_NOOP(
         "Shortcuts", "While it is shown: the number before, the next one, play or pause, the beginning, the "
                      "end; Esc ends it"),
     play, Kind::focused},

    {"lesson_next", "PgDown", QT_TRANSLATE_NOOP("Shortcuts", "The next part of the lesson"), lesson},
    {"lesson_back", "PgUp", QT_TRANSLATE_NOOP("Shortcuts", "The part before it"), lesson},
    {"lesson_options", "1 … 9",
     QT_TRANSLATE_NOOP("Shortcuts", "That answer of the open question; of a weight, so many tenths; of a "
                                    "question whose hands are counted, the field of its hands"),
     lesson, Kind::focused},
    {"lesson_guess_keys", "Arrow keys, Enter",
     QT_TRANSLATE_NOOP("Shortcuts",
                       "While a question is open: set the guess (an answer, a weight, the cell in "
                       "the frame), and give it; Enter goes first into the field of a word, and to the "
                       "hands where they are counted"),
     lesson, Kind::focused},
    {"presenter_black", "B; .",
     QT_TRANSLATE_NOOP("Shortcuts", "A black screen, unless a word is being typed"), lesson},
    {"presenter_ring", "O", QT_TRANSLATE_NOOP("Shortcuts", "A ring around the pointer"), lesson},
    {"presenter_pen", "P", QT_TRANSLATE_NOOP("Shortcuts", "Draw over the picture"), lesson},
    {"presenter_notes", "T", QT_TRANSLATE_NOOP("Shortcuts", "Presenting: show the notes, and hide them"),
     lesson},
    {"presenter_end", "Esc", QT_TRANSLATE_NOOP("Shortcuts", "End black, then the pen, then the ring"), lesson,
     Kind::focused},
    {"presenter_steps", "Right, Space, Left",
     QT_TRANSLATE_NOOP("Shortcuts", "In the notes: the next part of the lesson, and the part before it"),
     lesson, Kind::focused},

    {"file_new", "Ctrl+N", QT_TRANSLATE_NOOP("Shortcuts", "A new session"), file},
    {"file_open", "Ctrl+O", QT_TRANSLATE_NOOP("Shortcuts", "Open a file"), file},
    {"example_picture", "Ctrl+Shift+X", QT_TRANSLATE_NOOP("Shortcuts", "The example picture"), file},
    {"paste_picture", "Ctrl+Shift+I", QT_TRANSLATE_NOOP("Shortcuts", "Paste an image"), file},
    {"file_save", "Ctrl+S", QT_TRANSLATE_NOOP("Shortcuts", "Save the session"), file},
    {"file_save_as", "Ctrl+Shift+S", QT_TRANSLATE_NOOP("Shortcuts", "Save it to another file"), file},
    {"file_export", "Ctrl+E", QT_TRANSLATE_NOOP("Shortcuts", "Export the figure"), file},
    {"file_print", "Ctrl+P", QT_TRANSLATE_NOOP("Shortcuts", "Print the figure"), file},
    {"copy_figure", "Ctrl+Shift+C", QT_TRANSLATE_NOOP("Shortcuts", "Copy the figure"), file},
    {"copy_numbers", "Ctrl+Shift+N", QT_TRANSLATE_NOOP("Shortcuts", "Copy its numbers"), file},
    {"file_quit", "Ctrl+Q", QT_TRANSLATE_NOOP("Shortcuts", "Quit"), file},

    {"edit_undo", "Ctrl+Z", QT_TRANSLATE_NOOP("Shortcuts", "Undo the last edit"), edit},
    {"edit_redo", "Ctrl+Shift+Z; Ctrl+Y", QT_TRANSLATE_NOOP("Shortcuts", "Redo it"), edit},
    {"find_tokens", "Ctrl+F", QT_TRANSLATE_NOOP("Shortcuts", "Find tokens"), edit},
    {"find_next_token", "F3", QT_TRANSLATE_NOOP("Shortcuts", "The next one found"), edit},
    {"find_previous_token", "Shift+F3", QT_TRANSLATE_NOOP("Shortcuts", "The one found before"), edit},

    {"choose_mechanism", "Ctrl+M", QT_TRANSLATE_NOOP("Shortcuts", "Choose the mechanism"), model},
    {"next_mechanism", "Ctrl+PgDown", QT_TRANSLATE_NOOP("Shortcuts", "The next mechanism"), model},
    {"previous_mechanism", "Ctrl+PgUp", QT_TRANSLATE_NOOP("Shortcuts", "The mechanism before"), model},
    {"compare_mechanism", "Ctrl+Shift+M", QT_TRANSLATE_NOOP("Shortcuts", "Compare with another mechanism"),
     model},
    {"compose_mechanism", "Ctrl+B", QT_TRANSLATE_NOOP("Shortcuts", "Build your own mechanism"), model},
    {"edit_mask_action", "Ctrl+K", QT_TRANSLATE_NOOP("Shortcuts", "Edit the mask"), model},
    {"choose_model", "Ctrl+L", QT_TRANSLATE_NOOP("Shortcuts", "Run a trained model"), model},
    {"train_model", "Ctrl+T", QT_TRANSLATE_NOOP("Shortcuts", "Train a model"), model},
    {"cancel_run", "Shift+Esc", QT_TRANSLATE_NOOP("Shortcuts", "Stop a run that takes long"), model},

    {"view_back", "Alt+Left", QT_TRANSLATE_NOOP("Shortcuts", "Back to where you last looked"), view},
    {"view_forward", "Alt+Right", QT_TRANSLATE_NOOP("Shortcuts", "Forward again"), view},
    {"view_1", "Ctrl+1", QT_TRANSLATE_NOOP("Shortcuts", "The first view, and so on to the ninth"), view},
    {"view_2", "Ctrl+2", "", view},
    {"view_3", "Ctrl+3", "", view},
    {"view_4", "Ctrl+4", "", view},
    {"view_5", "Ctrl+5", "", view},
    {"view_6", "Ctrl+6", "", view},
    {"view_7", "Ctrl+7", "", view},
    {"view_8", "Ctrl+8", "", view},
    {"view_9", "Ctrl+9", "", view},
    {"view_10", "Ctrl+Alt+1", QT_TRANSLATE_NOOP("Shortcuts", "The tenth view, and so on"), view},
    {"view_11", "Ctrl+Alt+2", "", view},
    {"view_12", "Ctrl+Alt+3", "", view},
    {"view_13", "Ctrl+Alt+4", "", view},
    {"view_14", "Ctrl+Alt+5", "", view},
    {"view_15", "Ctrl+Alt+6", "", view},
    {"scale_log", "Ctrl+Shift+L", QT_TRANSLATE_NOOP("Shortcuts", "Colours follow the logarithm"), view},
    {"range_fitted", "Ctrl+Shift+F", QT_TRANSLATE_NOOP("Shortcuts", "Colours fitted to the numbers"), view},
    {"values_in_cells", "Ctrl+Shift+V", QT_TRANSLATE_NOOP("Shortcuts", "Numbers in the cells"), view},
    {"own_scales", "Ctrl+Shift+O", QT_TRANSLATE_NOOP("Shortcuts", "Compare: each map on its own scale"),
     view},
    {"differences", "Ctrl+Shift+D", QT_TRANSLATE_NOOP("Shortcuts", "Compare: differences between the maps"),
     view},
    {"theme_projector", "Ctrl+Shift+J", QT_TRANSLATE_NOOP("Shortcuts", "The projector's theme, and back"),
     view},
    {"figure_panel", "Ctrl+Shift+G", QT_TRANSLATE_NOOP("Shortcuts", "Set up the figure"), view},
    {"next_level", "F6",
     QT_TRANSLATE_NOOP("Shortcuts",
                       "The run, one level nearer: black box, parts, tensors, arithmetic, spreadsheet, code"),
     view},
    {"show_cost", "Ctrl+Shift+K", QT_TRANSLATE_NOOP("Shortcuts", "What a run costs"), view},
    {"whole_matrix", "Ctrl+0",
     QT_TRANSLATE_NOOP("Shortcuts", "The whole matrix, where the picture is zoomed"), view},
    {"fold_left", "F9", QT_TRANSLATE_NOOP("Shortcuts", "Fold the left panels, and back"), view},
    {"fold_right", "Shift+F9", QT_TRANSLATE_NOOP("Shortcuts", "Fold the inspector, and back"), view},
    {"fold_map", "Ctrl+F9", QT_TRANSLATE_NOOP("Shortcuts", "Fold the map beside the picture, and back"),
     view},
    {"only_picture", "F11", QT_TRANSLATE_NOOP("Shortcuts", "Only the picture on the full screen, and back"),
     view},
    {"leave_full_screen", "Esc", QT_TRANSLATE_NOOP("Shortcuts", "Leave the full screen"), view},
    {"dismiss_message", "Esc", QT_TRANSLATE_NOOP("Shortcuts", "Before that, close the newest message"), view,
     Kind::focused},

    {"walk_cells", "Shift + arrow keys",
     QT_TRANSLATE_NOOP("Shortcuts", "Select the next cell; with Ctrl, ten further"), picture, Kind::focused},
    {"walk_ends", "Home, End, PgUp, PgDown",
     QT_TRANSLATE_NOOP("Shortcuts",
                       "The ends of the row, and far up and down; Ctrl+Shift with Home or End, the corners"),
     picture, Kind::focused},
    {"extend_block", "Alt+Shift + arrow keys",
     QT_TRANSLATE_NOOP(
         "Shortcuts", "Select a rectangle of cells from the selected one on, whose sums are said; with Ctrl, "
                      "ten further"),
     picture, Kind::focused},
    {"drag_block", "Shift + drag, Ctrl + drag",
     QT_TRANSLATE_NOOP("Shortcuts", "The same with the pointer; where Shift changes a weight, Ctrl"), picture,
     Kind::focused},
    {"release_block", "Esc", QT_TRANSLATE_NOOP("Shortcuts", "Remove the rectangle"), picture, Kind::focused},
    {"zoom_keys", "+, −, 0", QT_TRANSLATE_NOOP("Shortcuts", "Zoom in, out, show all"), picture,
     Kind::focused},
    {"way_in", "+, −, Enter, Esc, Ctrl + wheel",
     QT_TRANSLATE_NOOP("Shortcuts",
                       "Where it zooms no further: from the map to its heads, one head, the arithmetic of a "
                       "cell, and back; Enter goes in from the map, Esc back to where one came in"),
     picture, Kind::focused},
    {"enlarge_key", "Enter", QT_TRANSLATE_NOOP("Shortcuts", "The selected head, large"), picture,
     Kind::focused},
    {"next_site", "N, Shift+N",
     QT_TRANSLATE_NOOP("Shortcuts",
                       "The next mechanism of a comparison, or place of a model; the one before"),
     picture, Kind::focused},
    {"keep_lines", "L",
     QT_TRANSLATE_NOOP("Shortcuts", "In a picture of lines: keep those of the selected word, and all again"),
     picture, Kind::focused},
    {"cell_menu", "Menu, right click",
     QT_TRANSLATE_NOOP("Shortcuts", "What can be copied, compared or changed there"), picture, Kind::focused},
    {"set_weight", "W, Alt+Up, Alt+Down",
     QT_TRANSLATE_NOOP("Shortcuts", "Of a model: set the weight of the cell, raise it, lower it"), picture,
     Kind::focused},

    {"control_arrows", "Shift + arrow keys",
     QT_TRANSLATE_NOOP("Shortcuts",
                       "What the arrow keys would do in a list, table, slider, strip of tokens or beam"),
     control, Kind::focused},
    {"copy_table", "Ctrl+C", QT_TRANSLATE_NOOP("Shortcuts", "Copy the numbers of a table"), control,
     Kind::focused},
    {"open_list", "Alt+Down",
     QT_TRANSLATE_NOOP("Shortcuts", "Open a drop-down list; arrow keys choose in it"), control,
     Kind::focused},

    {"brush_forbid", "Alt+F", QT_TRANSLATE_NOOP("Shortcuts", "Draw what is forbidden"), mask},
    {"brush_allow", "Alt+A", QT_TRANSLATE_NOOP("Shortcuts", "Draw what is allowed"), mask},
    {"mask_undo", "Ctrl+Z", QT_TRANSLATE_NOOP("Shortcuts", "Take back the last stroke"), mask},
    {"mask_redo", "Ctrl+Shift+Z", QT_TRANSLATE_NOOP("Shortcuts", "Draw it again"), mask},
    {"mask_cells", "Space, Shift + arrow keys, R, C",
     QT_TRANSLATE_NOOP("Shortcuts", "Allow or forbid a cell, draw on, take the row, the column"), mask,
     Kind::focused},

    {"chart_points", "Arrow keys, Home, End",
     QT_TRANSLATE_NOOP("Shortcuts", "Along a line, to the next line, to its first and last point"), curves,
     Kind::focused},
    {"chart_step", "Enter", QT_TRANSLATE_NOOP("Shortcuts", "Of a training: the film at that step"), curves,
     Kind::focused},

    {"catalogue_names", "Arrow keys, Home, End",
     QT_TRANSLATE_NOOP("Shortcuts",
                       "Of the timeline, along the family and the year; of the tree, to the parent, "
                       "the first child, and beside it"),
     catalogue, Kind::focused},
    {"catalogue_choose", "Enter", QT_TRANSLATE_NOOP("Shortcuts", "Choose that mechanism"), catalogue,
     Kind::focused},
    {"catalogue_zoom", "+, −, 0", QT_TRANSLATE_NOOP("Shortcuts", "Zoom in, out, show all"), catalogue,
     Kind::focused},

    {"help_begin", "Ctrl+Home",
     QT_TRANSLATE_NOOP("Shortcuts", "The ways into the program; leaves the lesson"), help},
    {"help_timeline", "Ctrl+Shift+T", QT_TRANSLATE_NOOP("Shortcuts", "All mechanisms by family and year"),
     help},
    {"help_tree", "Ctrl+Shift+Y", QT_TRANSLATE_NOOP("Shortcuts", "All mechanisms as a family tree"), help},
    {"find_command", "Ctrl+Shift+P", QT_TRANSLATE_NOOP("Shortcuts", "Find a command by its words"), help},
    {"help_keyboard", "F1; ?", QT_TRANSLATE_NOOP("Shortcuts", "This list"), help},
};

const Shortcut* find_row(const QString& id) {
    const auto found =
        std::ranges::find_if(table, [&](const Shortcut& row) { return id == QLatin1String(row.id); });
    return found == std::end(table) ? nullptr : found;
}

QString translated(const char* text) { return QCoreApplication::translate("Shortcuts", text); }

/// As people read them: "Ctrl+Shift+Z, Ctrl+Y".
QString shown_keys(const Shortcut& row) {
    return QString::fromUtf8(row.keys).replace(QLatin1String("; "), QLatin1String(", "));
}

}  // namespace

std::span<const Shortcut> shortcuts() { return table; }

QList<QKeySequence> keys_of(const QString& id) {
    const Shortcut* row = find_row(id);
    return row && row->kind == Kind::action
               ? QKeySequence::listFromString(QString::fromUtf8(row->keys), QKeySequence::PortableText)
               : QList<QKeySequence>();
}

QString key_text(const QString& id) {
    const Shortcut* row = find_row(id);
    return row ? QString::fromUtf8(row->keys).section(QLatin1String("; "), 0, 0) : QString();
}

QString with_key(const QString& effect, const QString& id) {
    const QString key = key_text(id);
    return key.isEmpty() ? effect : QCoreApplication::translate("Shortcuts", "%1 (%2)").arg(effect, key);
}

void give_keys(QAction& action) {
    const Shortcut* row = find_row(action.objectName());
    if (row && row->kind == Kind::everywhere)
        action.setText(action.text() + QLatin1Char('\t') + key_text(action.objectName()));
    else
        action.setShortcuts(keys_of(action.objectName()));
}

void give_keys(QAbstractButton& button) {
    const QList<QKeySequence> keys = keys_of(button.objectName());
    if (!keys.isEmpty())
        button.setShortcut(keys.front());
}

QString shortcuts_html() {
    QString html = QStringLiteral("<table cellpadding=\"4\">");
    const char* group = nullptr;
    for (const Shortcut& row : table) {
        if (*row.words == '\0')
            continue;
        if (row.group != group)
            html += QStringLiteral("<tr><td colspan=\"2\"><h4>%1</h4></td></tr>")
                        .arg(translated(row.group).toHtmlEscaped());
        group = row.group;
        html += QStringLiteral("<tr><td>%1</td><td><b>%2</b></td></tr>")
                    .arg(translated(row.words).toHtmlEscaped(), shown_keys(row).toHtmlEscaped());
    }
    return html + QStringLiteral("</table>");
}

QString shortcuts_markdown() {
    QString text =
        QStringLiteral("# Keys\n\nWritten by `scripts/build_docs.sh` from the program's own table.\n");
    const char* group = nullptr;
    for (const Shortcut& row : table) {
        if (*row.words == '\0')
            continue;
        if (row.group != group)
            text += QStringLiteral("\n## %1\n\n| | |\n|---|---|\n").arg(QLatin1String(row.group));
        group = row.group;
        text += QStringLiteral("| `%1` | %2 |\n").arg(shown_keys(row), QString::fromUtf8(row.words));
    }
    return text;
}

}  // namespace headlight
