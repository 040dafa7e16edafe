#pragma once

#include <QObject>

#include <typeindex>
#include <unordered_map>

namespace headlight {

/// What all views of one document share beside its session, such as where the pointer is: one object of each
/// type, made when it is first asked for.
class Companions {
public:
    /// `make` returns it new, as a child of who has these companions, who lives no longer than it.
    template <class T, class Make>
    T& of(const Make& make) {
        if (const auto known = all_.find(typeid(T)); known != all_.end())
            return static_cast<T&>(*known->second);
        T* made = make();
        all_.emplace(typeid(T), made);
        return *made;
    }

private:
    std::unordered_map<std::type_index, QObject*> all_;
};

}  // namespace headlight
