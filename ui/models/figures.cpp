#include "ui/models/figures.h"

#include "core/figure/stage_chain.h"
#include "core/figure/unanswered_figure.h"
#include "core/figure/view.h"
#include "ui/jobs/job.h"
#include "ui/models/run_figure.h"

#include <utility>

namespace headlight {

std::shared_ptr<const Figure> Figures::at(const Run& run, const ViewSettings& settings,
                                          std::optional<ViewKind> asked) {
    if (view(settings.view).reads_every_head)
        return nullptr;
    Pictured& known = known_[settings.view];
    if (!known.figure && known.problem.isEmpty()) {
        try {
            Figure figure = build_run_figure(run, settings);
            // What is asked over a map is what its arrows say.
            if (asked && (*asked != settings.view || settings.view == ViewKind::map)) {
                const std::string site = find_site(*run.trace, settings.selection.site);
                figure = unanswered_figure(std::move(figure), run.trace->tokens_at(site).query,
                                           settings.decoding_step);
            }
            known.figure = std::make_shared<const Figure>(std::move(figure));
        } catch (...) {  // too large for the memory, too: nothing that is thrown ends the program
            known.problem = current_problem("draw " + view(settings.view).title);
        }
    }
    return known.figure;
}

QString Figures::problem(ViewKind view) const {
    const auto known = known_.find(view);
    return known == known_.end() ? QString() : known->second.problem;
}

}  // namespace headlight
