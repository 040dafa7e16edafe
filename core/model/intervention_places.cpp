#include "core/model/intervention_places.h"

#include "core/tensor/error.h"

#include <string>
#include <vector>

namespace headlight {
namespace {

Error refusal(const char* where, std::string expected, std::string got) {
    return Error({"change what a model attends with", where, std::move(expected), std::move(got)});
}

/// Throws Error unless the number, which counts from 0, is one of `count`.
void require_one_of(const char* where, const std::string& of, Index count, Index number) {
    if (number < 0 || number >= count)
        throw refusal(where, "a number from 0 to " + std::to_string(count - 1) + ", " + of,
                      std::to_string(number));
}

const SiteDescription& decoder_site(std::span<const SiteDescription> sites, const std::string& name) {
    std::string open;
    const SiteDescription* encoders = nullptr;
    for (const SiteDescription& each : sites) {
        if (each.name == name && !each.in_encoder)
            return each;
        if (each.name == name)
            encoders = &each;
        if (!each.in_encoder)
            open += (open.empty() ? "" : ", ") + each.name;
    }
    throw refusal("site", open.empty() ? "a model with a decoder" : "a site of the decoder: " + open,
                  excerpt(name) + (encoders ? ", of the encoder" : ""));
}

void require_place(const Intervention& each, std::span<const SiteDescription> sites, Index source,
                   Index steps) {
    const SiteDescription& site = decoder_site(sites, each.site);
    if (site.is_program)
        throw refusal("site", "one whose weights are a step of the model",
                      site.name + ", which a mechanism's program computes as a whole");
    const Index heads = site.spec.heads.count();
    if (each.head)
        require_one_of("head", "for the heads of " + site.name, heads, *each.head);
    if (each.kind == Intervention::Kind::copy_head)
        require_one_of("from_head", "for the heads of " + site.name, heads, each.from_head);
    if (each.step)
        require_one_of("step", "for the steps that the model can go", steps, *each.step);
    if (!is_about_key(each.kind))
        return;
    if (site.looks_at_source)
        require_one_of("key", "for the tokens of the source", source - site.question, each.key);
    else if (each.step)
        require_one_of("key", "for what the step has read", *each.step + 1, each.key);
    else
        require_one_of("key", "for what the model can read", steps, each.key);
}

}  // namespace

void require_possible_interventions(const TaskModel& model, const Prompt& prompt,
                                    std::span<const Intervention> interventions) {
    const std::vector<SiteDescription> sites = model.host->sites();
    const Index steps = std::ssize(prompt.given) - 1 + most_generated(model, prompt);
    for (std::size_t i = 0; i < interventions.size(); ++i)
        try {
            require_place(interventions[i], sites, std::ssize(prompt.source), steps);
        } catch (const Error& error) {
            throw error.within("intervention " + std::to_string(i + 1));
        }
}

}  // namespace headlight
