#pragma once

#include <QObject>

#include <optional>

class QWidget;

namespace headlight {

class Autosave;
class Document;
class Error;
class FileActions;
class KeySettings;
class WindowLessons;
class WindowMessages;
struct LastWork;

/// The work of the last window, which this one goes on with, and what it says of it.
class WindowWork : public QObject {
    Q_OBJECT
public:
    WindowWork(Document& document, Autosave& autosave, FileActions& files, WindowLessons& lessons,
               WindowMessages& messages, QWidget* window);

    /// Goes on with `work`, whose session the document has already.
    void restore(const LastWork& work);
    /// What of other windows, or unreadable, was found beside the work, and among the `keys`.
    void tell_found(const KeySettings& keys);
    /// Keeps the work for the next start. False where it could not, and a person, who is asked unless
    /// `is_terminating`, does not want to lose it.
    bool keep(bool is_terminating);

private:
    /// Goes on with the lesson that the last window was in. False, and told, where there is no such lesson.
    bool restore_lesson(const LastWork& work);
    /// Asks whether to close although the work could not be kept.
    bool may_lose(const Error& error);

    Document& document_;
    Autosave& autosave_;
    FileActions& files_;
    WindowLessons& lessons_;
    WindowMessages& messages_;
    QWidget* window_;
};

}  // namespace headlight
