#include "core/attention/turned_pairs.h"

#include "core/attention/rotary.h"

namespace headlight {

Expression turned_by(Composer& composer, const PairTurns& turns, const std::string& name,
                     const Expression& x) {
    const Extent& extent = x.extent();
    const Index width = extent.columns;
    const Expression places =
        turns.place
            ? composer.constant(name + "_coordinates", {0, extent.rows, width},
                                "the coordinate of a token that turns a feature",
                                [turns](Index, Index row, Index column) {
                                    return turns.is_turned(column) ? turns.place(row, turns.pair(column)) : 0;
                                })
            : composer.constant(name + "_rows", {0, extent.rows, 1}, "places of the tokens, from 0",
                                [](Index, Index row, Index) { return static_cast<double>(row); });
    const Expression speeds = composer.constant(
        turns.constants + "turns", {0, 1, width},
        "radians by which a feature turns from one place to the next", [turns](Index, Index, Index column) {
            return turns.is_turned(column) ? turns.frequencies[static_cast<std::size_t>(turns.pair(column))]
                                           : 0;
        });
    const Expression signs =
        composer.constant(turns.constants + "turn_signs", {0, 1, width},
                          "how the partner of a feature counts", [turns](Index, Index, Index column) {
                              return !turns.is_turned(column) ? 0 : turns.is_first(column) ? -1 : 1;
                          });
    std::vector<Index> partners;
    for (Index column = 0; column < width; ++column)
        partners.push_back(turns.partner(column));
    Expression turn = places * speeds;
    if (turns.turns_head)
        turn = turn * composer.constant(turns.constants + "turned_heads", {composer.heads, 1, 1},
                                        "1 for a head that turns",
                                        [turns](Index head, Index, Index) { return turns.turns_head(head); });
    if (turns.ahead)
        turn = turn + composer.constant(turns.constants + "turns_ahead", {composer.heads, 1, width},
                                        "radians by which a head stands ahead of its place",
                                        [turns](Index head, Index, Index column) {
                                            return turns.is_turned(column) ? turns.ahead(head) : 0;
                                        });
    const Expression angles = composer.let(name + "_angles", turn, "place × turn");
    const Expression partner =
        composer.let(name + "_partners", some_columns(x, partners), "the other feature of each pair");
    const Expression rotated = x * cos_of(angles) + partner * signs * sin_of(angles);
    if (!turns.length)
        return composer.let("rotated_" + name, rotated, "every pair of features turned by its angle");
    const Expression lengths = composer.constant(
        name + "_lengths", {turns.turns_head ? composer.heads : 0, extent.rows, width},
        "what the turned features are multiplied by", [turns](Index head, Index row, Index column) {
            const bool is_turned = turns.is_turned(column) && (!turns.turns_head || turns.turns_head(head));
            return is_turned ? turns.length(row, turns.pair(column)) : 1;
        });
    return composer.let("rotated_" + name, rotated * lengths, "every pair of features turned by its angle");
}

Expression turned_pairs(Composer& composer, const std::string& name, const Expression& x, double base) {
    return turned_by(composer, {rotary_frequencies(x.extent().columns, base), true}, name, x);
}

}  // namespace headlight
