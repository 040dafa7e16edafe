#include "ui/lesson/class_answers.h"

#include <QDateTime>
#include <QSettings>

#include <memory>

namespace headlight {
namespace {

const QString class_setting = QStringLiteral("lessons/class");

}  // namespace

ClassAnswers::ClassAnswers(std::filesystem::path file, QSettings& settings, QObject* parent)
    : QObject(parent), book_(std::move(file)), settings_(settings) {}

QString ClassAnswers::class_name() const { return settings_.value(class_setting).toString(); }

void ClassAnswers::set_class_name(const QString& name) { settings_.setValue(class_setting, name.trimmed()); }

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

std::vector<GivenAnswer> ClassAnswers::answers() {
    queue_.wait();
    return book_.answers();
}

void ClassAnswers::forget(const QString& class_name) {
    queue_.wait();
    book_.forget(class_name.toStdString());
}

}  // namespace headlight
