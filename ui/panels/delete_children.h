#pragma once

#include <QList>
#include <QObject>

namespace headlight {

/// Deletes the direct children of `parent` that are of that class, before it deletes the others itself.
template <class Child>
void delete_children(const QObject& parent) {
    QList<Child*> found;  // first: when one goes, it may take others with it that are of another class
    for (QObject* each : parent.children())
        if (auto* child = qobject_cast<Child*>(each))
            found.append(child);
    qDeleteAll(found);
}

}  // namespace headlight
