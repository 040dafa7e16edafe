// Works in a window like a person in a hurry until the program is killed: types, saves, exports, trains a
// model, goes through lessons and presents them, writes a lesson, draws a mask, has no room on the disk for a
// while, closes the window and opens it again. What has happened is written to "log.txt" in the folder, a
// line each: the monotonic clock in nanoseconds, a word, and a number or a text. `ui_tests --file=kill_person
// FOLDER SEED`
#include "tests/support/test_file.h"

#include "core/lesson/shipped_lessons.h"
#include "tests/ui/full_disk.h"
#include "ui/lesson/lesson_editor.h"
#include "ui/lesson/lesson_player.h"
#include "ui/models/mask_drawing.h"
#include "ui/models/training_list.h"
#include "ui/panels/export_dialog.h"
#include "ui/panels/file_actions.h"
#include "ui/panels/lesson_menu.h"
#include "ui/panels/main_window.h"
#include "ui/panels/mask_editor.h"
#include "ui/panels/train_action.h"
#include "ui/panels/train_window.h"
#include "ui/panels/training_form.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QElapsedTimer>
#include <QFile>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QQueue>
#include <QSpinBox>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <array>
#include <ctime>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <random>
#include <unistd.h>

namespace headlight::kill_person { namespace {

const QString typed = QStringLiteral("edit ");

class Person : public QObject {
public:
    Person(const QString& folder, unsigned seed)
        : folder_(folder), random_(seed),
          log_(open(QFile::encodeName(folder + QStringLiteral("/log.txt")).constData(),
                    O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) {
        open_window();
        note("restored", number_in(text()));
        note("drafted", number_in(draft_title().text()));
        number_ = last_number_of_log();
        act_soon();
    }

private:
    QString file(const QString& name) const { return folder_ + QChar('/') + name; }
    /// The text of the person's own session, inside a lesson too.
    QString text() const {
        return QString::fromStdString(window_->document().own_snapshot()->sequence.query_text);
    }
    /// 0 for the example.
    static qint64 number_in(const QString& text) {
        return text.startsWith(typed) ? text.mid(typed.size()).toLongLong() : 0;
    }
    qint64 last_number_of_log() const {
        QFile log(file(QStringLiteral("log.txt")));
        if (!log.open(QIODevice::ReadOnly))
            return 0;
        qint64 last = 0;
        while (!log.atEnd())
            if (const QByteArrayList words = log.readLine().trimmed().split(' ');
                words.value(1) == "edit" || words.value(1) == "draft")
                last = std::max(last, words.value(2).toLongLong());
        return last;
    }
    /// One write call, so that a kill leaves no half line.
    void note(const char* what, const auto& value) const {
        timespec now{};
        clock_gettime(CLOCK_MONOTONIC, &now);
        const QByteArray line = QByteArray::number(qint64(now.tv_sec) * 1'000'000'000 + now.tv_nsec) + ' ' +
                                what + ' ' + QStringLiteral("%1").arg(value).toUtf8() + '\n';
        [[maybe_unused]] const ssize_t written =
            write(log_, line.constData(), static_cast<size_t>(line.size()));
    }

    void open_window() {
        window_.reset();
        window_ = std::make_unique<MainWindow>(WindowPlaces{file(QStringLiteral("window.ini")),
                                                            file(QStringLiteral("data/work")).toStdString()});
        window_->resize(1100, 720);
        window_->show();
        connect(&window_->files(), &FileActions::problem, this, [this](const Error& error) {
            const QString words = QString::fromUtf8(error.what());
            if (!words.contains(QLatin1String("nothing was replaced")))  // as it has to be on a full disk
                note("problem", words);
        });
        // One save may be asked for while another is being written: they end in order.
        saving_.clear();
        connect(&window_->files(), &FileActions::notice, this, [this](const QString& words) {
            if (words == QLatin1String("Saved session.json."))
                note("saved", saving_.dequeue());
        });
    }

    /// Each time anew: a timer does not fire while what it called is still in the loop of a dialog.
    void act_soon() { QTimer::singleShot(60, this, &Person::act); }
    void act() {
        act_soon();
        make_room_in_time();
        if (auto* editor = qobject_cast<MaskEditor*>(QApplication::activeModalWidget()))
            return draw(*editor);
        if (QApplication::activeModalWidget())
            return answer();
        if (window_->document().lesson())
            return act_in_lesson();
        switch (std::discrete_distribution<int>({60, 8, 8, 6, 2, 6, 8, 3, 1})(random_)) {
        case 1:
            return save();
        case 2:
            return export_figure();
        case 3:
            return train();
        case 4:
            return close_and_open();
        case 5:
            return begin_lesson();
        case 6:
            return write_lesson();
        case 7:
            return window_->findChild<QAction*>(QStringLiteral("edit_mask_action"))->trigger();
        case 8:
            return fill_disk();
        default:
            return type();
        }
    }
    void act_in_lesson() {
        switch (std::discrete_distribution<int>({50, 10, 6, 10, 6, 6, 1})(random_)) {
        case 1:
            return player().go_back();
        case 2:
            return window_->findChild<QPushButton*>(QStringLiteral("lesson_present"))->click();
        case 3:
            return change_in_lesson();
        case 4:
            return window_->files().save_to(file(QStringLiteral("lesson.json")));
        case 5:
            return player().leave();
        case 6:
            return close_and_open();
        default:
            return player().go_on();
        }
    }

    void type() {
        auto* field = window_->findChild<QPlainTextEdit*>(QStringLiteral("query_text"));
        const QString text = typed + QString::number(++number_);
        if (field->isVisible()) {
            field->setFocus();
            QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
            QTest::keyClicks(field, text);
        } else {
            field->setPlainText(text);  // its column is folded: keys would step through the run
        }
        note("edit", number_);
    }
    void save() {
        if (full_disk_)
            return;  // what a kill brings back then may be older than what was saved
        saving_.enqueue(number_in(text()));
        window_->files().save_to(file(QStringLiteral("session.json")));
    }
    void export_figure() {
        window_->findChild<QAction*>(QStringLiteral("file_export"))->trigger();
        auto* dialog = window_->findChild<ExportDialog*>();
        if (!dialog)
            return;  // nothing is computed yet
        const char* name = std::array{"figure.svg", "figure.pdf", "figure.png"}[random_() % 3];
        dialog->findChild<QLineEdit*>(QStringLiteral("export_path"))->setText(file(QLatin1String(name)));
        dialog->findChild<QPushButton*>(QStringLiteral("export_save"))->click();
    }
    void train() {
        auto* action = window_->findChild<TrainAction*>();
        action->show();
        TrainWindow& training = *action->window();
        TrainingRun* run = training.current();
        if (run && run->state() == TrainingRun::State::running)
            return run->pause();
        if (run && run->can_resume())
            return run->resume();
        auto* tasks = training.findChild<QComboBox*>(QStringLiteral("train_task"));
        tasks->setCurrentIndex(tasks->findData(QStringLiteral("copy")));
        emit tasks->activated(tasks->currentIndex());
        training.findChild<QSpinBox*>(QStringLiteral("train_width"))->setValue(16);
        training.findChild<QSpinBox*>(QStringLiteral("train_steps"))->setValue(400);
        training.findChild<QPushButton*>(QStringLiteral("train_start"))->click();
    }
    void close_and_open() {
        if (full_disk_)
            return;  // the window stays open
        note("closing", number_in(text()));
        if (!window_->terminate())
            note("problem", QStringLiteral("the window did not close"));
        open_window();
        note("reopened", number_in(text()));
        note("redrafted", number_in(draft_title().text()));
    }

    LessonPlayer& player() { return *window_->findChild<LessonPlayer*>(); }
    void begin_lesson() {
        const std::vector<Lesson>& all = shipped_lessons();
        emit window_->findChild<LessonMenu*>()->lesson_asked(all[random_() % 4].id);
    }
    void change_in_lesson() {
        Session next = window_->document().session();
        next.seed = random_();
        window_->document().edit({"Try something", next});
    }
    /// The title of the lesson that is being written, in its window.
    QLineEdit& draft_title() {
        auto* editor = window_->findChild<LessonEditor*>();
        if (!editor) {
            window_->findChild<QAction*>(QStringLiteral("begin_lesson_editor"))->trigger();
            editor = window_->findChild<LessonEditor*>();
        }
        return *editor->findChild<QLineEdit*>(QStringLiteral("editor_title"));
    }
    void write_lesson() {
        QLineEdit& title = draft_title();
        const char* button =
            std::array{"editor_add_step", "editor_add_reveal", "editor_remove_step"}[random_() % 3];
        auto* pressed = title.window()->findChild<QPushButton*>(QLatin1String(button));
        if (pressed->isEnabled())
            pressed->click();
        title.setText(typed + QString::number(++number_));
        note("draft", number_);
    }
    void draw(MaskEditor& editor) {
        MaskDrawing& drawing = editor.drawing();
        switch (random_() % 8) {
        case 0:
            return editor.accept();
        case 1:
            return editor.reject();
        default:
            drawing.begin_stroke();
            drawing.toggle(Index(random_()) % drawing.queries(), Index(random_()) % drawing.keys());
        }
    }
    void fill_disk() {
        // What is being saved gets to the disk, and what a kill brings back may then be older.
        if (full_disk_ || !saving_.isEmpty())
            return;
        note("full", number_in(text()));
        full_disk_.emplace(file(QStringLiteral("data/work")).toStdString());
        full_since_.start();
    }
    void make_room_in_time() {
        if (!full_disk_ || full_since_.elapsed() < 3'000)
            return;
        full_disk_.reset();
        note("room", number_in(text()));
    }
    /// A question is whether to replace a file, or to drop a mask; any other dialog is in the way.
    void answer() {
        auto* dialog = QApplication::activeModalWidget();
        auto* box = qobject_cast<QMessageBox*>(dialog);
        if (box && (box->objectName() == QLatin1String("replace_question") ||
                    box->objectName() == QLatin1String("drawn_mask_question")))
            for (QAbstractButton* button : box->buttons())
                if (box->buttonRole(button) == QMessageBox::DestructiveRole)
                    return button->click();
        // An export that is being written closes its dialog itself.
        if (auto* exporting = qobject_cast<ExportDialog*>(dialog); exporting && ++waited_ < 10)
            return;
        waited_ = 0;
        dialog->close();
    }

    QString folder_;
    std::mt19937 random_;
    int log_;
    int waited_ = 0;
    qint64 number_ = 0;
    QQueue<qint64> saving_;  // the numbers of what is being saved, in order
    std::optional<FullDisk> full_disk_;
    QElapsedTimer full_since_;
    std::unique_ptr<MainWindow> window_;
};

const TestFile file_of_person(__FILE__, [](int argc, char** argv) {
    if (argc != 3)
        return 2;
    const QApplication application(argc, argv);
    const Person person(QString::fromLocal8Bit(argv[1]), QByteArray(argv[2]).toUInt());
    return QApplication::exec();
});

}}  // namespace headlight::kill_person
