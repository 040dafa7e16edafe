#include "core/model/architecture.h"

#include "core/model/declared_architectures.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace headlight {

std::span<const Architecture> architectures() {
    static const std::vector<Architecture> all = [] {
        std::vector<Architecture> declared = declared_architectures();
        std::ranges::sort(declared, {},
                          [](const Architecture& each) { return std::pair(each.order, each.word); });
        return declared;
    }();
    return all;
}

template <>
std::span<const Word<HostType>> words() {
    static const std::vector<Word<HostType>> list = [] {
        std::vector<Word<HostType>> made;
        for (const Architecture& each : architectures())
            made.push_back({each.type, each.word, each.meaning});
        return made;
    }();
    return list;
}

const Architecture& architecture(HostType host) {
    return *std::ranges::find(architectures(), host, &Architecture::type);
}

ModelSpec Architecture::spec() const {
    return std::visit(
        []<class Configuration>(Apply<Configuration> configures) -> ModelSpec {
            Configuration made;
            configures(made);
            return made;
        },
        apply);
}

bool is_recurrent(HostType host) { return architecture(host).spec().is_recurrent(); }

bool is_transformer(HostType host) { return !is_recurrent(host); }

bool can_copy(HostType host) { return is_recurrent(host) && !architecture(host).spec().points(); }

bool lists_layers(HostType host) {
    const ModelSpec spec = architecture(host).spec();
    return spec.attends_to_itself() && !spec.reads_in_any_order();
}

bool can_have_segments(HostType host) {
    return lists_layers(host) && !architecture(host).spec().says_label();
}

std::string hosts_in_words(bool (*are_so)(HostType)) {
    std::vector<std::string> hosts;
    for (const Word<HostType>& word : words<HostType>())
        if (are_so(word.value))
            hosts.emplace_back(word.word);
    return list_in_words(hosts, "or");
}

}  // namespace headlight
