#include "core/model/preset.h"

namespace headlight {

namespace {

struct Row {
    std::string_view task;
    HostType host;
    Preset preset;
};

/// gru: of all recurrent hosts; gpt: of all that read one text; encoder: of all that say a label;
/// transformer: of every host of layers; each unless the host has a row that is nearer. What a host says of
/// layers and places (Architecture) goes before what stands here.
///
/// Where the places matter more than the words, it matters how the model is told of them. Brackets: with
/// sinusoids added to the words, or learned vectors, it hardly gets beyond counting each kind; rotations, by
/// which every score knows the distance, take it all the way. Induction: with sinusoids it is learned as well
/// by looking three letters behind the one that is wanted; ALiBi, to which the nearest letters are the
/// brightest, puts the stripe where the literature has it, and finds the answers to stories much sooner.
constexpr Row preset_rows[] = {
    {"copy", HostType::gru, {.width = 128, .steps = 1000}},
    {"reverse", HostType::gru, {.width = 128, .steps = 1500}},
    {"sort", HostType::gru, {.width = 128, .steps = 1500}},
    {"addition", HostType::gru, {.width = 128, .steps = 4000}},
    {"dates", HostType::gru, {.width = 128, .steps = 1500}},
    {"speech", HostType::gru, {.width = 128, .steps = 1500}},
    {"translate", HostType::gru, {.width = 128, .steps = 4000}},
    {"copy", HostType::transformer, {.width = 64, .steps = 2000}},
    {"reverse", HostType::transformer, {.width = 64, .steps = 2500}},
    {"sort", HostType::transformer, {.width = 64, .steps = 4000}},
    {"addition", HostType::transformer, {.width = 64, .steps = 4000}},
    {"dates", HostType::transformer, {.width = 64, .steps = 2000}},
    {"translate", HostType::transformer, {.width = 96, .steps = 4000}},
    {"induction", HostType::gpt, {.width = 64, .steps = 3000, .places = PositionEncoding::alibi}},
    {"stories", HostType::gpt, {.width = 96, .steps = 3000, .places = PositionEncoding::alibi}},
    {"distinct", HostType::encoder, {.width = 64, .steps = 2000, .peak = 1e-3}},
    {"whereabouts", HostType::encoder, {.width = 64, .steps = 2000, .peak = 1e-3}},
    {"distances", HostType::triangles, {.width = 48, .steps = 4000, .peak = 1e-3}},
    {"race", HostType::encoder, {.width = 48, .steps = 2000, .peak = 1e-3}},
    {"reviews", HostType::encoder, {.width = 64, .steps = 2000, .peak = 1e-3}},
    {"brackets",
     HostType::encoder,
     {.width = 64, .steps = 12000, .peak = 1e-3, .layers = 4, .places = PositionEncoding::rotary}},
};
constexpr Row other_hosts[] = {{"", HostType::gru, {.width = 128, .steps = 1500}},
                               {"", HostType::transformer, {.width = 64, .steps = 2000}}};

HostType first_of_family(HostType host) { return is_recurrent(host) ? HostType::gru : HostType::transformer; }

/// The plainest host that reads and says what this one does.
HostType nearest_relative(HostType host) {
    const ModelSpec spec = architecture(host).spec();
    if (spec.reads_one_text())
        return HostType::gpt;
    return spec.says_label() ? HostType::encoder : first_of_family(host);
}

}  // namespace

const Preset& preset(std::string_view task, HostType host) {
    for (const HostType each : {host, nearest_relative(host), first_of_family(host)})
        for (const Row& row : preset_rows)
            if (row.task == task && row.host == each)
                return row.preset;
    return (is_recurrent(host) ? other_hosts[0] : other_hosts[1]).preset;
}

}  // namespace headlight
