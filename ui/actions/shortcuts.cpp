#include "ui/actions/shortcuts.h"

#include "ui/actions/action_table.h"
#include "ui/models/menu_text.h"

#include <QAbstractButton>
#include <QAction>
#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <iterator>
#include <vector>

namespace headlight {
namespace {

using Kind = Shortcut::Kind;

constexpr const char* file = QT_TRANSLATE_NOOP("Actions", "File");
constexpr const char* edit = QT_TRANSLATE_NOOP("Actions", "Edit");
constexpr const char* view = QT_TRANSLATE_NOOP("Actions", "View");
constexpr const char* model = QT_TRANSLATE_NOOP("Actions", "Model");
constexpr const char* play = QT_TRANSLATE_NOOP("Actions", "Play");
constexpr const char* lesson = QT_TRANSLATE_NOOP("Actions", "In a lesson");
constexpr const char* picture = QT_TRANSLATE_NOOP("Actions", "In a picture");
constexpr const char* control = QT_TRANSLATE_NOOP("Actions", "In a control");
constexpr const char* mask = QT_TRANSLATE_NOOP("Actions", "In the mask editor");
constexpr const char* curves = QT_TRANSLATE_NOOP("Actions", "In a chart");
constexpr const char* catalogue = QT_TRANSLATE_NOOP("Actions", "In a picture of the catalogue");
constexpr const char* help = QT_TRANSLATE_NOOP("Actions", "Help");

constexpr const char* figure = QT_TRANSLATE_NOOP("Actions", "Figure");

/// As Help > Keys has them.
constexpr const char* groups[] = {play,    lesson,  file, edit,   model,     view, figure,
                                  picture, control, mask, curves, catalogue, help};

/// The keys that belong to no row of the table of actions, and those of the player.
constexpr Shortcut table[] = {
    {"play_forward", "Right", QT_TRANSLATE_NOOP("Actions", "One step forward"), play, Kind::everywhere},
    {"play_back", "Left", QT_TRANSLATE_NOOP("Actions", "One step back"), play, Kind::everywhere},
    {"head_next", "Down", QT_TRANSLATE_NOOP("Actions", "The next head"), play, Kind::everywhere},
    {"head_previous", "Up", QT_TRANSLATE_NOOP("Actions", "The head before"), play, Kind::everywhere},
    {"head_digits", "1 … 9", QT_TRANSLATE_NOOP("Actions", "That head"), play, Kind::everywhere},
    {"player_keys", "Space, Home, End, PgUp, PgDown",
     QT_TRANSLATE_NOOP("Actions",
                       "The same: play or pause, first, last, back, forward, where no control uses them"),
     play, Kind::focused},
    {"motion_keys", "Left, Right, Space, Home, End, Esc",
     QT_TRANSLATE_NOOP(
         "Actions", "While it is shown: the number before, the next one, play or pause, the beginning, the "
                    "end; Esc ends it"),
     play, Kind::focused},

    {"lesson_next", "PgDown", QT_TRANSLATE_NOOP("Actions", "The next part of the lesson"), lesson},
    {"lesson_back", "PgUp", QT_TRANSLATE_NOOP("Actions", "The part before it"), lesson},
    {"lesson_options", "1 … 9",
     QT_TRANSLATE_NOOP("Actions", "That answer of the open question; of a weight, so many tenths; of a "
                                  "question whose hands are counted, the field of its hands"),
     lesson, Kind::focused},
    {"lesson_guess_keys", "Arrow keys, Enter",
     QT_TRANSLATE_NOOP("Actions",
                       "While a question is open: set the guess (an answer, a weight, the cell in "
                       "the frame), and give it; Enter goes first into the field of a word, and to the "
                       "hands where they are counted"),
     lesson, Kind::focused},
    {"presenter_black", "B; .", QT_TRANSLATE_NOOP("Actions", "A black screen, unless a word is being typed"),
     lesson},
    {"presenter_ring", "O", QT_TRANSLATE_NOOP("Actions", "A ring around the pointer"), lesson},
    {"presenter_pen", "P", QT_TRANSLATE_NOOP("Actions", "Draw over the picture"), lesson},
    {"presenter_notes", "T", QT_TRANSLATE_NOOP("Actions", "Presenting: show the notes, and hide them"),
     lesson},
    {"presenter_end", "Esc", QT_TRANSLATE_NOOP("Actions", "End black, then the pen, then the ring"), lesson,
     Kind::focused},
    {"presenter_steps", "Right, Space, Left",
     QT_TRANSLATE_NOOP("Actions", "In the notes: the next part of the lesson, and the part before it"),
     lesson, Kind::focused},

    {"cancel_run", "Shift+Esc", QT_TRANSLATE_NOOP("Actions", "Stop a run that takes long"), model},

    {"view_1", "Ctrl+1", QT_TRANSLATE_NOOP("Actions", "The first view, and so on to the ninth"), view},
    {"view_2", "Ctrl+2", "", view},
    {"view_3", "Ctrl+3", "", view},
    {"view_4", "Ctrl+4", "", view},
    {"view_5", "Ctrl+5", "", view},
    {"view_6", "Ctrl+6", "", view},
    {"view_7", "Ctrl+7", "", view},
    {"view_8", "Ctrl+8", "", view},
    {"view_9", "Ctrl+9", "", view},
    {"view_10", "Ctrl+Alt+1", QT_TRANSLATE_NOOP("Actions", "The tenth view, and so on"), view},
    {"view_11", "Ctrl+Alt+2", "", view},
    {"view_12", "Ctrl+Alt+3", "", view},
    {"view_13", "Ctrl+Alt+4", "", view},
    {"view_14", "Ctrl+Alt+5", "", view},
    {"view_15", "Ctrl+Alt+6", "", view},
    {"own_scales", "Ctrl+Shift+O", QT_TRANSLATE_NOOP("Actions", "Compare: each map on its own scale"), view},
    {"differences", "Ctrl+Shift+D", QT_TRANSLATE_NOOP("Actions", "Compare: differences between the maps"),
     view},
    {"fold_left", "F9", QT_TRANSLATE_NOOP("Actions", "Fold the left panels, and back"), view},
    {"fold_right", "Shift+F9", QT_TRANSLATE_NOOP("Actions", "Fold the inspector, and back"), view},
    {"fold_map", "Ctrl+F9", QT_TRANSLATE_NOOP("Actions", "Show the map beside the picture, or fold it"),
     view},
    {"dismiss_message", "Esc", QT_TRANSLATE_NOOP("Actions", "Before that, close the newest message"), view,
     Kind::focused},

    {"walk_cells", "Shift + arrow keys",
     QT_TRANSLATE_NOOP("Actions", "Select the next cell; with Ctrl, ten further"), picture, Kind::focused},
    {"walk_ends", "Home, End, PgUp, PgDown",
     QT_TRANSLATE_NOOP("Actions",
                       "The ends of the row, and far up and down; Ctrl+Shift with Home or End, the corners"),
     picture, Kind::focused},
    {"extend_block", "Alt+Shift + arrow keys",
     QT_TRANSLATE_NOOP(
         "Actions", "Select a rectangle of cells from the selected one on, whose sums are said; with Ctrl, "
                    "ten further"),
     picture, Kind::focused},
    {"drag_block", "Shift + drag, Ctrl + drag",
     QT_TRANSLATE_NOOP("Actions", "The same with the pointer; where Shift changes a weight, Ctrl"), picture,
     Kind::focused},
    {"release_block", "Esc", QT_TRANSLATE_NOOP("Actions", "Remove the rectangle"), picture, Kind::focused},
    {"zoom_keys", "+, −, 0", QT_TRANSLATE_NOOP("Actions", "Zoom in, out, show all"), picture, Kind::focused},
    {"way_in", "+, −, Enter, Esc, Ctrl + wheel",
     QT_TRANSLATE_NOOP("Actions",
                       "Where it zooms no further: from the map to a layer, a head, its matrix, a cell, the "
                       "arithmetic and the formula, and back; Enter goes in, Esc back out, the wheel through "
                       "all that is between"),
     picture, Kind::focused},
    {"enlarge_key", "Enter", QT_TRANSLATE_NOOP("Actions", "The selected head, large"), picture,
     Kind::focused},
    {"next_site", "N, Shift+N",
     QT_TRANSLATE_NOOP("Actions", "The next mechanism of a comparison, or place of a model; the one before"),
     picture, Kind::focused},
    {"keep_lines", "L",
     QT_TRANSLATE_NOOP("Actions", "In a picture of lines: keep those of the selected word, and all again"),
     picture, Kind::focused},
    {"cell_menu", "Menu, right click",
     QT_TRANSLATE_NOOP("Actions", "What can be copied, compared or changed there"), picture, Kind::focused},
    {"set_weight", "W, Alt+Up, Alt+Down",
     QT_TRANSLATE_NOOP("Actions", "Of a model: set the weight of the cell, raise it, lower it"), picture,
     Kind::focused},

    {"control_arrows", "Shift + arrow keys",
     QT_TRANSLATE_NOOP("Actions",
                       "What the arrow keys would do in a list, table, slider, strip of tokens or beam"),
     control, Kind::focused},
    {"depth_keys", "Shift + arrow keys, Home, End",
     QT_TRANSLATE_NOOP(
         "Actions", "In the line of depths beside the player: the next nearer one, the one before, the map, "
                    "the nearest"),
     control, Kind::focused},
    {"copy_table", "Ctrl+C", QT_TRANSLATE_NOOP("Actions", "Copy the numbers of a table"), control,
     Kind::focused},
    {"open_list", "Alt+Down", QT_TRANSLATE_NOOP("Actions", "Open a drop-down list; arrow keys choose in it"),
     control, Kind::focused},

    {"brush_forbid", "Alt+F", QT_TRANSLATE_NOOP("Actions", "Draw what is forbidden"), mask},
    {"brush_allow", "Alt+A", QT_TRANSLATE_NOOP("Actions", "Draw what is allowed"), mask},
    {"mask_undo", "Ctrl+Z", QT_TRANSLATE_NOOP("Actions", "Take back the last stroke"), mask},
    {"mask_redo", "Ctrl+Shift+Z", QT_TRANSLATE_NOOP("Actions", "Draw it again"), mask},
    {"mask_cells", "Space, Shift + arrow keys, R, C",
     QT_TRANSLATE_NOOP("Actions", "Allow or forbid a cell, draw on, take the row, the column"), mask,
     Kind::focused},

    {"chart_points", "Arrow keys, Home, End",
     QT_TRANSLATE_NOOP("Actions", "Along a line, to the next line, to its first and last point"), curves,
     Kind::focused},
    {"chart_step", "Enter", QT_TRANSLATE_NOOP("Actions", "Of a training: the film at that step"), curves,
     Kind::focused},

    {"catalogue_names", "Arrow keys, Home, End",
     QT_TRANSLATE_NOOP("Actions",
                       "Of the timeline, along the family and the year; of the tree, to the parent, "
                       "the first child, and beside it"),
     catalogue, Kind::focused},
    {"catalogue_choose", "Enter", QT_TRANSLATE_NOOP("Actions", "Choose that mechanism"), catalogue,
     Kind::focused},
    {"catalogue_zoom", "+, −, 0", QT_TRANSLATE_NOOP("Actions", "Zoom in, out, show all"), catalogue,
     Kind::focused},

    {"help_timeline", "Ctrl+Shift+T", QT_TRANSLATE_NOOP("Actions", "All mechanisms by family and year"),
     help},
    {"help_tree", "Ctrl+Shift+Y", QT_TRANSLATE_NOOP("Actions", "All mechanisms as a family tree"), help},
};

std::vector<Shortcut> group_by_group() {
    std::vector<Shortcut> rows;
    for (const char* group : groups) {
        for (const ActionRow& row : action_rows())
            if (*row.keys != '\0' && menu_of(row) == QLatin1String(group))
                rows.push_back({row.id, row.keys, row.tip, group});
        std::ranges::copy_if(table, std::back_inserter(rows),
                             [&](const Shortcut& row) { return row.group == group; });
    }
    return rows;
}

/// The standard ones, as people read them: "Ctrl+Shift+Z, Ctrl+Y".
QString standard_keys(const Shortcut& row) {
    return QString::fromUtf8(row.keys).replace(QLatin1String("; "), QLatin1String(", "));
}

QString keys_in_force(const Shortcut& row) {
    const ChosenKeys& chosen = KeysInForce::instance().chosen();
    const auto own = chosen.find(QLatin1String(row.id));
    if (row.kind != Kind::action || own == chosen.end())
        return standard_keys(row);
    return own->isEmpty() ? action_words(QT_TRANSLATE_NOOP("Actions", "no key"))
                          : own->toString(QKeySequence::NativeText);
}

QString html_heading(const QString& words) {
    return QStringLiteral("<tr><td colspan=\"2\"><h4>%1</h4></td></tr>").arg(words.toHtmlEscaped());
}

QString html_row(const QString& words, const QString& keys) {
    return QStringLiteral("<tr><td>%1</td><td><b>%2</b></td></tr>")
        .arg(words.toHtmlEscaped(), keys.toHtmlEscaped());
}

/// Keys that a person gave to what no line of the table speaks of.
QString html_of_other_choices() {
    const KeysInForce& keys = KeysInForce::instance();
    QString html;
    for (auto each = keys.chosen().begin(); each != keys.chosen().end(); ++each) {
        const Shortcut* row = shortcut(each.key());
        if (each.value().isEmpty() || (row && *row->words != '\0') || !keys.knows(each.key()))
            continue;
        if (html.isEmpty())
            html = html_heading(action_words(QT_TRANSLATE_NOOP("Actions", "Chosen by you")));
        html += html_row(keys.text(each.key()), each.value().toString(QKeySequence::NativeText));
    }
    return html;
}

}  // namespace

std::span<const Shortcut> shortcuts() {
    static std::vector<Shortcut> rows;
    static std::size_t known = 0;
    if (known != action_rows().size())
        rows = group_by_group();
    known = action_rows().size();
    return rows;
}

const Shortcut* shortcut(const QString& id) {
    const auto rows = shortcuts();
    const auto found =
        std::ranges::find_if(rows, [&](const Shortcut& row) { return id == QLatin1String(row.id); });
    return found == rows.end() ? nullptr : &*found;
}

QString shortcut_words(const Shortcut& row) { return action_words(row.words); }

QList<QKeySequence> keys_of(const QString& id) { return keys_of(id, KeysInForce::instance().chosen()); }

QList<QKeySequence> keys_of(const QString& id, const ChosenKeys& chosen) {
    if (const auto own = chosen.find(id); own != chosen.end())
        return own->isEmpty() ? QList<QKeySequence>() : QList<QKeySequence>{*own};
    const Shortcut* row = shortcut(id);
    return row && row->kind == Kind::action
               ? QKeySequence::listFromString(QString::fromUtf8(row->keys), QKeySequence::PortableText)
               : QList<QKeySequence>();
}

QString key_text(const QString& id) {
    if (const auto keys = keys_of(id); !keys.isEmpty())
        return keys.front().toString(QKeySequence::NativeText);
    const Shortcut* row = shortcut(id);
    return row && row->kind != Kind::action ? QString::fromUtf8(row->keys) : QString();
}

QString with_key(const QString& effect, const QString& id) {
    const QString key = key_text(id);
    return key.isEmpty() ? effect : QCoreApplication::translate("Actions", "%1 (%2)").arg(effect, key);
}

void give_keys(QAction& action, const QString& id) {
    const Shortcut* row = shortcut(id);
    if (row && row->kind == Kind::everywhere)
        return action.setText(action.text() + QLatin1Char('\t') + key_text(id));
    KeysInForce::instance().add(id, shown_words(action.text()));
    follow_keys(action, [&action, id] { action.setShortcuts(keys_of(id)); });
}

void give_keys(QAction& action) { give_keys(action, action.objectName()); }

void give_keys(QAbstractButton& button) {
    const QString id = button.objectName();
    KeysInForce::instance().add(id, button.accessibleName());
    follow_keys(button, [&button, id] { button.setShortcut(keys_of(id).value(0)); });
}

QString shortcuts_html() {
    QString html = QStringLiteral("<table cellpadding=\"4\">");
    const char* group = nullptr;
    for (const Shortcut& row : shortcuts()) {
        if (*row.words == '\0')
            continue;
        if (row.group != group)
            html += html_heading(action_words(row.group));
        group = row.group;
        html += html_row(action_words(row.words), keys_in_force(row));
    }
    return html + html_of_other_choices() + QStringLiteral("</table>");
}

QString shortcuts_markdown() {
    QString text =
        QStringLiteral("# Keys\n\nWritten by `scripts/build_docs.sh` from the program's own table.\n");
    const char* group = nullptr;
    for (const Shortcut& row : shortcuts()) {
        if (*row.words == '\0')
            continue;
        if (row.group != group)
            text += QStringLiteral("\n## %1\n\n| | |\n|---|---|\n").arg(QLatin1String(row.group));
        group = row.group;
        text += QStringLiteral("| `%1` | %2 |\n").arg(standard_keys(row), QString::fromUtf8(row.words));
    }
    return text;
}

}  // namespace headlight
