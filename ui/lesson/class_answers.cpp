#include "ui/lesson/class_answers.h"

#include "core/io/files.h"
#include "ui/models/window_settings.h"

#include <QDateTime>
#include <QPointer>

#include <memory>

namespace headlight {
namespace {

const QString class_setting = QStringLiteral("lessons/class");

}  // namespace

ClassAnswers::ClassAnswers(std::filesystem::path file, WindowSettings& settings, QObject* parent)
    : QObject(parent), book_(std::move(file)), settings_(settings) {}

QString ClassAnswers::class_name() const { return settings_.value(class_setting).toString(); }

void ClassAnswers::set_class_name(const QString& name) { settings_.set_value(class_setting, name.trimmed()); }

void ClassAnswers::add(std::vector<GivenAnswer> answers) {
    const std::string time = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
    const std::string name = class_name().toStdString();
    for (GivenAnswer& answer : answers) {
        answer.time = time;
        answer.class_name = name;
    }
    queue_.add({"write answers",
                [this, answers = std::move(answers)]() -> Job::Delivery {
                    book_.add(answers);
                    return {};
                },
                [this](const Error& error) { emit problem(error); }});
}

void ClassAnswers::read(const QObject* who, std::function<void(std::vector<GivenAnswer>)> taken,
                        Job::Refusal refused) {
    queue_.add({"read answers",
                [this, who = QPointer(who), taken = std::move(taken)]() -> Job::Delivery {
                    return [who, taken, answers = book_.answers()] {
                        if (who)
                            taken(answers);
                    };
                },
                [who = QPointer(who), refused = std::move(refused)](const Error& error) {
                    if (who)
                        refused(error);
                }});
}

void ClassAnswers::forget(const QString& class_name, const QObject* who, Job::Refusal refused) {
    queue_.add({"forget answers",
                [this, name = class_name.toStdString()]() -> Job::Delivery {
                    book_.forget(name);
                    return {};
                },
                told_to(who, std::move(refused))});
}

void ClassAnswers::write_table(std::vector<GivenAnswer> answers, const QString& path, const QObject* who,
                               Job::Refusal refused) {
    queue_.add({"save answers",
                [answers = std::move(answers), path]() -> Job::Delivery {
                    write_file_atomically(path.toStdString(), answers_csv(answers));
                    return {};
                },
                told_to(who, std::move(refused))});
}

Job::Refusal ClassAnswers::told_to(const QObject* who, Job::Refusal refused) {
    return [this, who = QPointer(who), refused = std::move(refused)](const Error& error) {
        if (who)
            refused(error);
        else
            emit problem(error);
    };
}

}  // namespace headlight
