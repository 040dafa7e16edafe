#include "core/attention/component.h"
#include "core/attention/normalizers/stopping.h"

namespace headlight {
namespace {

template <class Real>
void add_chunkwise_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const Index width = plan.normalizer().count("width");
    pipeline.normalize_head = [=, &plan, kernels = &kernels_of(pipeline)](Index head, Real* scores,
                                                                          const Recorder& recorder) {
        const Index keys = plan.keys;
        Stopping<Real> stopping(plan, *kernels);
        double* weights = scratch<double, ScratchRow::shares>(keys);
        for (Index query = 0; query < plan.queries; ++query) {
            Real* row = scores + query * keys;
            const RowRecord<Real> record(recorder, plan, head, query);
            const double* stopped = stopping.next(row, record);
            if (!stopped) {
                std::fill(row, row + keys, Real(0));
                continue;
            }
            record.row("stopping_weights", stopped, keys);
            if (width == 0)
                attend_to_all_before(stopped, row, keys, weights);
            else
                attend_in_chunks(stopped, row, keys, width, weights);
            for (Index key = 0; key < keys; ++key)
                row[key] = static_cast<Real>(weights[key]);
        }
    };
}

Expression define_chunkwise_weights(DefinedRows& rows) {
    Composer& composer = rows.composer;
    const Index given = rows.options().count("width");
    const Index width = given == 0 ? composer.plan.keys : given;
    const Expression stops = rows.let("stopping_weights", define_stopping(rows), "where each query stops");
    const Index m = composer.plan.keys;
    const Expression is_in_chunk = composer.truth_of_places(
        "is_in_chunk", {0, m, m}, "whether a key is in the chunk that ends at another",
        [width](Place at) { return at.column <= at.row && at.column > at.row - width; });
    // Each chunk has a softmax of its own: next to the largest score of the row it may have none.
    const Expression tempered =
        rows.temperature == 1 ? rows.scores
                              : rows.let("scores_over_temperature", rows.open_over_temperature(rows.scores));
    std::vector<Expression> chunked;
    for (Index query = 0; query < composer.plan.queries; ++query) {
        const std::string number_of = numbered("_", query + 1);
        const Expression own = rows.let("chunk_scores" + number_of,
                                        choose(is_in_chunk, some_rows(tempered, {query}), minus_infinity()),
                                        "[last key of the chunk, key]");
        const Expression soft = softmax_of(composer, "in_chunks" + number_of + rows.suffix, own);
        chunked.push_back(rows.let("chunked" + number_of, product(some_rows(stops, {query}), soft)));
    }
    return join_rows(chunked);
}

}  // namespace

NormalizerComponent declare_normalizers_chunkwise() {
    NormalizerComponent component;
    component.phrase = "softmax of a chunk up to each stop";
    component.meaning = "monotonic attention chooses where a chunk of w keys ends; inside it a softmax "
                        "(Chiu and Raffel 2018, MoChA; without a limit Arivazhagan et al. 2019, MILk)";
    component.options = stopping_options();
    component.options.insert(
        component.options.begin(),
        count_option("width", "Chunk width w", 3, {0, 1024},
                     "How many keys, up to the one where the query stops, share its weight.", "all before"));
    component.couples_rows = true;
    component.stages = [](const Plan&, StageList& list) {
        add_stopping_stages(list);
        list.add_map("stopping_weights");
    };
    component.orders_scores = stops_by_sign;
    component.declared_stages = declared_stopping_stages();
    component.declared_stages.push_back(made_stage("stopping_weights", "Stopping weights", {},
                                                   {.is_share = true, .leaves_out_masked = true}));
    component.steps = [](const Plan& plan, auto& pipeline) { add_chunkwise_steps(plan, pipeline); };
    component.define = define_chunkwise_weights;
    return component;
}

}  // namespace headlight
