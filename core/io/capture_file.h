#pragma once

#include "core/io/capture_notes.h"
#include "core/io/capture_parts.h"
#include "core/io/stored_bytes.h"
#include "core/map/map_source.h"

#include <filesystem>
#include <vector>

namespace headlight {

/// Attention that was computed elsewhere: weights [layer, head, query, key], [head, query, key] or [query,
/// key], or with other axes that named_axes() names.
///
/// - .npz: every array by its name. Those whose names differ by the number of a layer alone, as
///   `np.savez(path, *attentions)` and others write them (capture_names.h), are the layers of one kind, with
///   their numbers, or its heads where they differ by that of a head too; where layers lack some of these,
///   each is a site of its own name. A None is a layer that lacks. Stored ones are read where they are looked
///   at, compressed ones are unpacked. An array of texts named tokens, query_tokens or key_tokens has labels.
///   .npy: the one array.
/// - .safetensors: every tensor in the same way.
/// - .json: lists in lists, or an object with these as "attentions", "attention" or "weights" beside its
/// tokens.
/// - .csv: a table of weights with names around it (map_table.h), or a line for each number
/// (maps_in_lines.h).
///
/// `X.json` beside `X.npz` has the tokens: "tokens", or "query_tokens" and "key_tokens", or for each array by
/// its name, as notebooks of bertviz have them, "views": {NAME: {"left_text", "right_text"}}. What else it
/// has is passed over. Where several arrays share "query_tokens" and "key_tokens", "encoder" looks from key
/// tokens at key tokens and "decoder" from query tokens at query tokens. Beside `X.json` they stand in
/// `X.tokens.json`, or where dodrio has them. Without names tokens are numbered.
///
/// Two arrays named q and k, [layer, head, token, d] as a model has projected and rotated them, are maps that
/// are recomputed where they are looked at (QueryKeyMaps); "terms" of the JSON say how. With "weights":
/// "implied" they are those of a linear layer (ImpliedMaps), and an array named decay says what fades.
///
/// An array v beside maps of one kind, or "cross.v" beside an array "cross", are the values of their keys,
/// [layer, head, token, d], whose heads may be groups. Their numbers are read when somebody asks for norms.
///
/// `X.2-of-4.npz` is a part, as each process of a run writes one: any of them opens all, joined along "parts"
/// of the JSON.
///
/// A HeadVis tree (headvis_tree.h), by its folder or its config.json, has the sequences of its first head,
/// and `heads/L5H8.json` those of that head: sparse rows.
///
/// Throws Error naming the file, the place in it, what was expected and found.
Capture open_capture(const std::filesystem::path& path);

/// The maps alone.
std::vector<LabelledMaps> read_capture(const std::filesystem::path& path);

/// The same of bytes, as a file of that extension (".npz") has them.
std::vector<LabelledMaps> parse_capture(const std::shared_ptr<const StoredBytes>& file,
                                        std::string_view extension, const CaptureNotes& notes = {});

/// The file that read_capture() reads of a path: of a HeadVis tree that of its first head, else the path
/// itself. Throws Error when the tree cannot be read.
std::filesystem::path captured_file(const std::filesystem::path& path);

/// All files that a capture or a trace is read from: its parts, and the notes beside each, which need not be
/// there. Throws Error as captured_file() does, and for a part that cannot be one.
std::vector<std::filesystem::path> captured_files(const std::filesystem::path& path);

/// Whether some map of a capture has more numbers than are kept (LazyMaps::most_kept), as far as the file
/// says so without being unpacked or parsed. Throws nothing.
bool has_large_maps(const std::filesystem::path& path);

/// Whether a path is to be read as a capture: by its name (.npz, .npy), and of the others by what is in it: a
/// .json that is a list or an object of weights, a .csv with names around weights, a .safetensors with a
/// tensor of 3 or 4 axes that is no trace, a HeadVis tree or a head of one. Throws nothing.
bool is_capture(const std::filesystem::path& path);

}  // namespace headlight
