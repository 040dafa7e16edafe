#pragma once

#include "core/tensor/error.h"
#include "ui/jobs/job_queue.h"
#include "ui/jobs/latest_job.h"
#include "ui/models/document.h"
#include "ui/models/recent_files.h"
#include "ui/panels/export_dialog.h"
#include "ui/views/save_path.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

class QAction;
class QWidget;

namespace headlight {

class Actions;
class Autosave;
class ContextMenu;
class WindowSettings;
struct CustomMechanism;
struct FoundWork;
struct OpenedFile;
struct OpenedLesson;
struct UnsavedWork;

/// Everything between the document and the disk: new, open, save, recent files, figures. Reading and writing
/// happen off the UI thread; what goes wrong is told through problem(), and the document keeps what it had.
class FileActions : public QObject {
    Q_OBJECT
public:
    FileActions(Document& document, Autosave& autosave, WindowSettings& settings, Actions& actions,
                QWidget* window);

    /// Where what is shown belongs: the person's session, or inside a lesson that of the lesson. Empty until
    /// it is saved or opened.
    const QString& file() const { return where().file; }
    /// What the window is called by: the name of file(), or of what was opened that is never saved over.
    /// Empty where there is neither.
    QString name() const;
    /// Where the person's session and what was saved inside the lesson belong, as the last window had it.
    void restore_files(const QString& own, const QString& in_lesson);
    /// Where a person exports what is shown, over `over`; it is gone once it is closed.
    ExportDialog* make_export_dialog(QWidget& over);
    /// While a session is on its way to the disk.
    bool is_saving() const { return saving_ > 0; }
    /// Puts work that was found where it can be opened, and returns what to say of it.
    QString offer(const FoundWork& found);
    /// Puts unsaved work that cannot be shown where it can be opened.
    void offer(const UnsavedWork& work);

public slots:
    void open_path(const QString& path);
    /// Only the parameters of an inputs file.
    void open_parameters_of(const QString& path);
    void save_to(const QString& path);
    /// A path that ends in .formula gets the lines of the formula that the mechanism is.
    void save_mechanism_to(const QString& path, const headlight::CustomMechanism& mechanism);
    /// Where the session's own mechanism goes, as a file to share.
    void ask_save_mechanism();
    void ask_open();
    void ask_parameters();
    /// Draws the figure from which to which number the colours go in that of a session, of an exported figure
    /// or of a trace.
    void take_range_of(const QString& path);
    void ask_range_file();
    /// What the open capture is compared with.
    void open_other_capture(const QString& path);
    void ask_other_capture();
    void open_other_model(const QString& folder);
    void ask_other_model();
    /// The folder of a trained model.
    void ask_model();
    void show_example();
    /// The image that the program paints itself, for who has none at hand.
    void show_example_picture();
    /// The image on the clipboard.
    void paste_picture();
    /// Asks how a picture of the catalogue is saved, by its word, in a dialog over `over`.
    void export_catalogue(const QString& picture, QWidget& over);
    /// Lays the figure out, and shows its page then.
    void print();
    /// Asks where the session goes.
    void ask_save();
    /// Puts aside what was changed in the lesson, and opens again what was open before it.
    void leave_lesson();

signals:
    /// A session that was saved inside a lesson was opened: the lesson goes on there.
    void lesson_opened(const headlight::OpenedLesson& lesson, const headlight::Session& session);
    void problem(const headlight::Error& error);
    void notice(const QString& text);
    void file_changed();
    /// Before one's own mechanism takes the place of what attends, and after that.
    void mechanism_opening();
    void mechanism_opened();
    /// Something else is shown now: what was said about a file before is over.
    void opened();

private:
    void bind(Actions& actions);
    /// Without a run there is nothing to export or copy.
    void follow_run();
    /// Shows the worked example, as a step that can be undone; the file that was open is left alone.
    void start_over(const QString& what);
    /// Tells whether others have written a file since.
    using FileVersion = std::pair<std::filesystem::file_time_type, std::uintmax_t>;
    static FileVersion version_of(const QString& file);
    /// Where a session belongs.
    struct Place {
        QString file;
        FileVersion version{};  ///< when it was opened or saved here
        QString from{};         ///< the figure or trace that it is a view of, while it is in no file
    };
    const Place& where() const { return document_.lesson() ? in_lesson_ : own_; }
    /// Sets the place of what is shown.
    void set_place(const Place& place);
    void tell_files();
    /// It is on the disk. What is shown may be another one by now.
    void take_saved(const std::shared_ptr<const Session>& session, const std::optional<LessonPlace>& lesson,
                    const Place& place);
    /// Another lesson, or none, is shown now.
    void follow_lesson();
    using Reader = OpenedFile (*)(const std::filesystem::path&, const Session&);
    void read(const QString& named, Reader reader);
    void take(const QString& path, const FileVersion& version, const OpenedFile& opened);
    void replace_with(const QString& path, const FileVersion& version, const OpenedFile& opened);
    /// Figures for print are made in a theme that no window has: it keeps its own.
    Session in_window_theme(Session session) const;
    /// Which part of what is open is about to be replaced.
    enum class Replaced { everything, lesson };
    /// Calls `go_on`, which replaces it, once everything unsaved in it is on the disk. Where the disk
    /// refuses, that is told and what is open stays; of several that wait the last one goes on.
    void make_way(Replaced replaced, std::function<void()> go_on);
    std::vector<UnsavedWork> unsaved_work(Replaced replaced) const;
    void put_aside();
    void add_recent(const std::vector<std::filesystem::path>& files);
    /// To its file, unless others have written it since and the person keeps that.
    void save();
    void add_writing(const std::string& name, Job::Work work);
    /// What the names of exported figures begin with.
    QString figures_beginning() const;
    void copy_figure();
    void copy_numbers();
    /// The picture as text, and where a motion is shown what it shows step by step.
    void copy_words();
    /// The session's mechanism, and Headlight; of a model or a capture, whose paper nobody has said,
    /// Headlight.
    void copy_citation();
    void fill_recent();

    Document& document_;
    Autosave& autosave_;
    WorkingFolder folder_;
    QWidget* window_;
    RecentFiles recent_;
    Place own_, in_lesson_;              ///< of the person's session, and of what was saved in the lesson
    std::optional<std::string> lesson_;  ///< whose file in_lesson_ is
    /// What goes on when what is unsaved has been put aside.
    struct Waiting {
        Replaced replaced;
        std::function<void()> go_on;
    };
    std::optional<Waiting> waiting_;
    int saving_ = 0;               ///< sessions on their way to the disk
    ExportDialog::Names figures_;  ///< of what was opened or exported last: they are offered again
    std::optional<ExportDialog::Choices> exported_as_;  ///< since the session was opened
    ContextMenu* recent_menu_;
    std::vector<QAction*> of_run_;  ///< what exports or copies one
    JobQueue writing_;
    LatestJob reading_;  ///< after writing_, for which it waits
    LatestJob copying_, printing_;
};

}  // namespace headlight
