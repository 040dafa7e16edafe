#pragma once

#include "core/model/architecture.h"

#include <vector>

namespace headlight {

/// The hosts that can learn this task, in the order of their list: what they read and say is what it has.
std::vector<HostType> possible_hosts(const Task& task);

/// The host of a task of labels: the first one that is made for sources like its own, else the encoder.
HostType host_for_labels(const Task& task);

/// Throws Error that lists the hosts of this task where this one is not among them, and says what the task
/// lacks.
void require_possible_host(const Task& task, HostType host);

}  // namespace headlight
