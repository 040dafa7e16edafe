#include "core/model/fitting_hosts.h"

#include "core/model/tasks/task.h"
#include "core/tensor/error.h"

#include <string>

namespace headlight {

namespace {

/// A host of this family reads what the task's sources are, and says what its answers are.
bool fits_kind(const Task& task, const ModelSpec& spec) {
    switch (task.kind) {
    case TaskKind::translation:
        return !spec.says_label() &&
               (!task.sound.of || !spec.reads_one_text());  // a decoder alone reads words, no frames
    case TaskKind::language_model:
        return spec.reads_one_text();
    case TaskKind::classification:
        return spec.says_label();
    }
    return false;
}

bool lacks_nothing(const Task& task, const Architecture& host) {
    return !host.need || host.need->is_met(task);
}

bool fits(const Task& task, const Architecture& host) {
    return fits_kind(task, host.spec()) && lacks_nothing(task, host);
}

}  // namespace

std::vector<HostType> possible_hosts(const Task& task) {
    std::vector<HostType> hosts;
    for (const Word<HostType>& word : words<HostType>())
        if (fits(task, architecture(word.value)))
            hosts.push_back(word.value);
    return hosts;
}

HostType host_for_labels(const Task& task) {
    for (const HostType host : possible_hosts(task))
        if (architecture(host).need)
            return host;
    return HostType::encoder;
}

void require_possible_host(const Task& task, HostType host) {
    const Architecture& its = architecture(host);
    if (fits(task, its))
        return;
    std::vector<std::string> hosts;
    for (const HostType possible : possible_hosts(task))
        hosts.push_back(to_word(possible));
    std::string expected = list_of(hosts);
    if (fits_kind(task, its.spec()) && !lacks_nothing(task, its))
        expected.append(", as ").append(its.need->lack);
    throw Error({"host for task " + task.id, "", expected, '"' + to_word(host) + '"'});
}

}  // namespace headlight
