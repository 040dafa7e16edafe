#include "core/attention/component.h"
#include "core/attention/grid.h"
#include "core/attention/positions/pair_places.h"
#include "core/attention/positions/t5_buckets.h"
#include "core/tensor/error.h"

#include <algorithm>

namespace headlight {
namespace {

T5Buckets line_buckets(const Plan& plan) {
    const Options& options = plan.position();
    return {options.count("buckets"), options.count("max_distance"), true};
}

T5Buckets page_buckets(const Plan& plan) {
    const Options& options = plan.position();
    return {options.count("page_buckets"), options.count("page_distance"), true};
}

/// Where the box of each token lies on a page: as the lists say, or in the cells of a grid.
struct PageBoxes {
    Grid grid;
    Index cell;
    std::vector<Index> lefts, bottoms;

    explicit PageBoxes(const Options& options)
        : grid{options.count("columns")}, cell(options.count("cell")), lefts(options.list("lefts")),
          bottoms(options.list("bottoms")) {}

    Index left(Index token) const {
        return lefts.empty() ? cell * grid.column(token) : lefts[static_cast<std::size_t>(token)];
    }
    Index bottom(Index token) const {
        return bottoms.empty() ? cell * grid.row(token) : bottoms[static_cast<std::size_t>(token)];
    }
};

/// The bias [h, n, m] of each pair, by the bucket of how far its key lies behind its query.
Expression write_bucket_biases(Composer& composer, const std::string& name, const std::string& note,
                               const std::string& table, const T5Buckets& bucket,
                               std::function<Index(Index token)> place) {
    const Expression by_head =
        composer.let(name + "_of_buckets", split_rows(transposed(composer.parameter(table)), composer.heads),
                     "a number for each bucket");
    return composer.let(name,
                        from_row(by_head, composer.plan.queries, composer.plan.keys,
                                 [bucket, place = std::move(place)](Index query, Index key) {
                                     return bucket(place(key) - place(query));
                                 }),
                        note);
}

/// Each of three biases by places alone (Xu et al. 2021, section 2.2).
Expression define_page(Composer& composer, const Expression&) {
    const Options& options = composer.plan.position();
    const PageBoxes boxes(options);
    const T5Buckets on_page = page_buckets(composer.plan);
    const Expression line =
        write_bucket_biases(composer, "line_biases", "of places in the order of reading", "line_table",
                            line_buckets(composer.plan), [](Index token) { return token; });
    const Expression across =
        write_bucket_biases(composer, "column_biases", "of the left edges of both boxes", "x_table", on_page,
                            [boxes](Index token) { return boxes.left(token); });
    const Expression down =
        write_bucket_biases(composer, "row_biases", "of their lower edges", "y_table", on_page,
                            [boxes](Index token) { return boxes.bottom(token); });
    const Expression sum = line + across + down;
    return options.flag("scaled") ? sum / root_of(static_cast<double>(composer.plan.head_query_width()))
                                  : sum;
}

void check_page(const Plan& plan) {
    require_buckets(line_buckets(plan), "page positions", "buckets", "max_distance");
    require_buckets(page_buckets(plan), "page positions", "page_buckets", "page_distance");
    const Index tokens = std::max(plan.queries, plan.keys);
    for (const char* name : {"lefts", "bottoms"}) {
        const Index given = std::ssize(plan.position().list(name));
        if (given > 0 && given < tokens)
            throw Error({"page positions", std::string("position.") + name,
                         "a number for each of the " + std::to_string(tokens) + " tokens, or none",
                         std::to_string(given)});
    }
}

Option page_edges(const char* name, const char* label, const char* help) {
    return list_option(name, label, {}, {0, 65536}, help);
}

}  // namespace

PositionComponent declare_positions_page() {
    PositionComponent component;
    component.meaning =
        "s + b[bucket(j − i)] + b_x[bucket(x_j − x_i)] + b_y[bucket(y_j − y_i)]: learned numbers for buckets "
        "of distances in the text and on a page, on which each token has a box (LayoutLMv2, Xu et al. 2021); "
        "over √d_k in LayoutLMv3 (Huang et al. 2022)";
    component.options = {
        columns_option(),
        count_option("cell", "Cell", 40, token_counts,
                     "How far it is from one cell of the grid to the next, in units of the page, which is "
                     "1000 wide and 1000 high."),
        page_edges("lefts", "Left edges",
                   "Where the box of each token begins on the page, from the left; an empty list: in the "
                   "columns of the grid."),
        page_edges("bottoms", "Lower edges",
                   "Where the box of each token ends on the page, from above; an empty list: in the rows of "
                   "the grid."),
        count_option("buckets", "Buckets", 32, logarithmic_range(4, 1024),
                     "Rows of the table of distances in the text, half for each direction: of these half "
                     "hold one distance each, the others ever wider ranges."),
        count_option("max_distance", "Largest distance", 128, logarithmic_range(2, 65536),
                     "From here on every distance in the text shares the last bucket."),
        count_option("page_buckets", "Buckets of the page", 64, logarithmic_range(4, 1024),
                     "Rows of the table of distances across the page, and of that of distances down."),
        count_option("page_distance", "Largest distance on the page", 256, logarithmic_range(2, 65536),
                     "From here on every distance on the page shares the last bucket."),
        flag_option("scaled", "Biases scaled", false,
                    "Divides the biases by √d_k like the product, as LayoutLMv3 does.")};
    component.known_parameters = {
        {"line_table", "[buckets, h]", "the bias of each bucket of distances in the text"},
        {"x_table", "[page_buckets, h]", "the bias of each bucket of distances of left edges on the page"},
        {"y_table", "[page_buckets, h]", "the bias of each bucket of distances of lower edges on the page"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("line_table", {line_buckets(plan).all, plan.heads});
        for (const char* table : {"x_table", "y_table"})
            list.add(table, {page_buckets(plan).all, plan.heads});
    };
    component.check = check_page;
    component.has_bias = true;
    component.declared_stages = {
        made_stage("line_biases", "Biases of the order of reading", {},
                   {.lights = "position_bias", .column = "key"}),
        made_stage("column_biases", "Biases across the page", {},
                   {.colours_of = "line_biases", .lights = "position_bias", .column = "key"}),
        made_stage("row_biases", "Biases down the page", {},
                   {.colours_of = "line_biases", .lights = "position_bias", .column = "key"})};
    component.define_bias = define_page;
    return component;
}

}  // namespace headlight
