#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_global_filter() {
    Mechanism mechanism;
    mechanism.name = "Global filter";
    mechanism.also_known_as = {"GFNet"};
    mechanism.family = "Images";
    mechanism.order = 3982;
    mechanism.formula = R"(@context{o_c = F^{-1}(K_c \odot F(@query{x_c}))},\quad )"
                        R"(F(x_c) = @cosine_spectrum{@wave_cosines{C}\,x_c} - i\,@sine_spectrum{)"
                        R"(@wave_sines{S}\,x_c},\quad )"
                        R"(@weights{A_{ij} = \frac{1}{d} \sum_c (F^{-1} K_c)_{i - j}})";
    mechanism.papers = {{"Rao et al., Global Filter Networks for Image Classification", 2021}};
    mechanism.explanation =
        "A Fourier transform says of an image how much of each wave is in it: long waves are the large "
        "forms, short ones the detail. Here each channel is transformed over rows and columns, each wave is "
        "multiplied by a learned complex number, which makes it stronger or weaker and shifts it, and the "
        "waves are added up to an image again. FNet learns nothing and mixes once; this learns a filter, and "
        "goes there and back. A product of spectra is a convolution, so that every place takes from every "
        "other by a kernel as large as the whole image, the same kernel everywhere: the map shown is that "
        "kernel, moved to each place. Beyond the edge the image begins again at the other side. What is "
        "there does not change the weights, and no query asks; but with the fast Fourier transform all of it "
        "costs little more than one pass over the image. Here words stand for the patches, four in a row.";
    mechanism.cost = "about n d log n by fast transforms, and d numbers for each of about n / 2 waves to "
                     "learn, each of two parts; as here, by matrices, 2 n² d.";
    mechanism.correction =
        "The image is one of real numbers, and half of the waves along the columns are the mirror of the "
        "other half. Only one half has a filter, ⌊columns / 2⌋ + 1 of them; with a free filter for all, the "
        "image would come back with an imaginary part. So the first and, of an even number, the middle wave "
        "count once and all others twice. The filter is made for one size of the image: for another it is "
        "interpolated in the paper, and is another parameter here. A convolution by Fourier transforms goes "
        "around the edges; with zeros around the image it would be a plain one.";
    mechanism.related = {"fourier", "contextual", "lambda_layer", "outlook"};

    AttentionSpec spec;
    spec.algorithm = {AlgorithmType::global_filter, {{"columns", Index(4)}}};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "red blue cat dog green black horse cow music sheep pig goat";
    mechanism.example.look_for =
        "Each row is the row above, moved by one place around its line of the grid: blue takes from red what "
        "cat takes from blue, and red from dog, at the other end. Another text of twelve words has the same "
        "map.";
    mechanism.properties = {.row_stochastic = false, .is_signed = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
