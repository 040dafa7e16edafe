#pragma once

#include "core/catalog/publications.h"

namespace headlight {

/// Where many papers of the catalogue appeared.
namespace venues {

inline constexpr std::string_view neurips = "Advances in Neural Information Processing Systems";
inline constexpr std::string_view iclr = "International Conference on Learning Representations";
inline constexpr std::string_view icml = "International Conference on Machine Learning";
inline constexpr std::string_view acl = "Annual Meeting of the Association for Computational Linguistics";
inline constexpr std::string_view emnlp = "Conference on Empirical Methods in Natural Language Processing";
inline constexpr std::string_view naacl = "Conference of the North American Chapter of the Association for "
                                          "Computational Linguistics: Human Language Technologies";
inline constexpr std::string_view cvpr = "IEEE/CVF Conference on Computer Vision and Pattern Recognition";
inline constexpr std::string_view iccv = "IEEE/CVF International Conference on Computer Vision";
inline constexpr std::string_view emnlp_findings =
    "Findings of the Association for Computational Linguistics: EMNLP";
inline constexpr std::string_view jmlr = "Journal of Machine Learning Research";

}  // namespace venues

// The papers by the years in which they appeared, each of these by title. Where more wrote one than are known
// for certain, "and others" stands for the rest.

std::span<const Publication> publications_to_2018();
std::span<const Publication> publications_2019_to_2020();
std::span<const Publication> publications_2021();
std::span<const Publication> publications_2022_to_2023();
std::span<const Publication> publications_2024();
std::span<const Publication> publications_from_2025();

}  // namespace headlight
