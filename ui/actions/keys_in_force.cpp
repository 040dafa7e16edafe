#include "ui/actions/keys_in_force.h"

namespace headlight {

KeysInForce& KeysInForce::instance() {
    static KeysInForce one;
    return one;
}

void KeysInForce::choose(const ChosenKeys& chosen) {
    if (chosen_ == chosen)
        return;
    chosen_ = chosen;
    emit changed();
}

void KeysInForce::add(const QString& id, const QString& text) {
    if (!texts_.contains(id))
        texts_.insert(id, text);
}

void follow_keys(QObject& owner, const std::function<void()>& show) {
    QObject::connect(&KeysInForce::instance(), &KeysInForce::changed, &owner, show);
    show();
}

}  // namespace headlight
