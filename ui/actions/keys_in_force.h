#pragma once

#include <QHash>
#include <QKeySequence>
#include <QMap>
#include <QObject>
#include <QString>

#include <functional>

namespace headlight {

/// The keys that a person chose for commands in place of the standard ones, by the id of the command; an
/// empty one takes them away.
using ChosenKeys = QMap<QString, QKeySequence>;

/// Which keys a person chose, and what has keys at all: one for the program, in all of whose windows a key
/// means the same. keys_of() asks it before the table.
class KeysInForce : public QObject {
    Q_OBJECT
public:
    static KeysInForce& instance();

    const ChosenKeys& chosen() const { return chosen_; }
    void choose(const ChosenKeys& chosen);

    /// Something with that id, called `text`, has the keys of it.
    void add(const QString& id, const QString& text);
    /// Whether anything has been given the keys of `id` so far.
    bool knows(const QString& id) const { return texts_.contains(id); }
    /// What has the keys of `id`, as its menu or button calls it; empty where nothing has.
    QString text(const QString& id) const { return texts_.value(id); }

signals:
    void changed();

private:
    KeysInForce() = default;

    ChosenKeys chosen_;
    QHash<QString, QString> texts_;
};

/// Calls `show`, which says or sets keys, now and whenever a person changes some, as long as `owner` lives.
void follow_keys(QObject& owner, const std::function<void()>& show);

}  // namespace headlight
