#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// Tokenizers store tokens in spellings of their own, of which people read none. The text that they mean:
///
/// | tokenizer | stored | means |
/// |---|---|---|
/// | byte-level BPE (GPT-2, Llama 3) | "Ġcaf", "Ã", "©": a letter for each byte of UTF-8 | " caf" and "é" in
/// two parts | | SentencePiece | "▁the"; "<0xE4>" for a byte that no other token has | " the"; the byte | |
/// BPE with ends of words (CLIP) | "the</w>" | "the " |
///
/// "##ing" of WordPiece stays: it says that a word goes on, and spaces say that of the others. Special tokens
/// ("[SEP]", "<|endoftext|>") stay, and so does what is text already: reading a text twice changes nothing.
///
/// Returns the bytes of each token. A character may lie in several tokens, so that a token alone need not be
/// UTF-8. Whether tokens are byte-level is seen from all of them, which must be one text in order.
std::vector<std::string> token_bytes(std::span<const std::string> tokens);

/// The text of each token, as token_bytes() has it, as UTF-8: bytes that are only a part of a character are
/// written as their numbers, "<0xE4BD>".
std::vector<std::string> token_texts(std::span<const std::string> tokens);

/// Bytes as UTF-8, where those that are no part of a whole character are written as their numbers.
std::string readable_bytes(std::string_view bytes);

/// "<0xE4BD>": bytes, written as their numbers.
bool is_byte_numbers(std::string_view token);

}  // namespace headlight
