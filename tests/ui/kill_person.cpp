#include "tests/ui/kill_person.h"

#include "ui/models/training_list.h"
#include "ui/panels/banner.h"
#include "ui/panels/export_dialog.h"
#include "ui/panels/file_actions.h"
#include "ui/panels/main_window.h"
#include "ui/panels/train_action.h"
#include "ui/panels/train_window.h"
#include "ui/panels/training_form.h"

#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QQueue>
#include <QSpinBox>
#include <QTest>
#include <QTimer>

#include <array>
#include <ctime>
#include <fcntl.h>
#include <memory>
#include <random>
#include <unistd.h>

namespace headlight {
namespace {

const QString typed = QStringLiteral("edit ");

class Person : public QObject {
public:
    Person(const QString& folder, unsigned seed)
        : folder_(folder), random_(seed),
          log_(open(QFile::encodeName(folder + QStringLiteral("/log.txt")).constData(),
                    O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) {
        open_window();
        note("restored", number_in(text()));
        number_ = last_number_of_log();
        act_soon();
    }

private:
    QString file(const QString& name) const { return folder_ + QChar('/') + name; }
    QString text() const { return QString::fromStdString(window_->document().session().sequence.query_text); }
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
            if (const QByteArrayList words = log.readLine().trimmed().split(' '); words.value(1) == "edit")
                last = words.value(2).toLongLong();
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
        connect(&window_->files(), &FileActions::problem, this,
                [this](const Error& error) { note("problem", QString::fromUtf8(error.what())); });
        // One save may be asked for while another is being written: they end in order.
        saving_.clear();
        connect(&window_->files(), &FileActions::file_changed, this, [this] {
            if (!saving_.isEmpty())
                note("saved", saving_.dequeue());
        });
    }

    /// Each time anew: a timer does not fire while what it called is still in the loop of a dialog.
    void act_soon() { QTimer::singleShot(60, this, &Person::act); }
    void act() {
        act_soon();
        if (QApplication::activeModalWidget())
            return answer();
        switch (std::discrete_distribution<int>({60, 8, 8, 6, 2})(random_)) {
        case 1:
            return save();
        case 2:
            return export_figure();
        case 3:
            return train();
        case 4:
            return close_and_open();
        default:
            return type();
        }
    }

    void type() {
        auto* field = window_->findChild<QWidget*>(QStringLiteral("query_text"));
        field->setFocus();
        QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(field, typed + QString::number(++number_));
        note("edit", number_);
    }
    void save() {
        saving_.enqueue(number_in(text()));
        window_->files().save_to(file(QStringLiteral("session.json")));
    }
    void export_figure() {
        window_->files().export_figure();
        auto* dialog = window_->findChild<ExportDialog*>();
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
        note("closing", number_in(text()));
        if (!window_->terminate())
            note("problem", QStringLiteral("the window did not close"));
        open_window();
        note("reopened", number_in(text()));
    }
    /// A question is whether to replace a file; any other dialog is in the way.
    void answer() {
        auto* dialog = QApplication::activeModalWidget();
        auto* box = qobject_cast<QMessageBox*>(dialog);
        if (box && box->objectName() == QLatin1String("replace_question"))
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
    std::unique_ptr<MainWindow> window_;
};

}  // namespace

int work_until_killed(int argc, char** argv, const QString& folder, unsigned seed) {
    const QApplication application(argc, argv);
    const Person person(folder, seed);
    return QApplication::exec();
}

}  // namespace headlight
