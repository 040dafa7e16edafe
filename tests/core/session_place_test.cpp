// Where a session calls its model from.

#include "core/io/session_place.h"
#include "core/io/written_by.h"
#include "core/tensor/error.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace headlight::session_place_test { namespace {

Session with_model_at(const std::string& name) {
    Session session;
    session.model = SessionModel{name, {}};
    return session;
}

struct Place {
    const char* name;
    const char* model;
    const char* stored;
};

class PlacesInASession : public testing::TestWithParam<Place> {};

TEST_P(PlacesInASession, AreStoredFromTheFile) {
    const std::filesystem::path file = "/home/ann/lesson/one/session.json";
    const Session session = with_model_at(GetParam().model);
    const Session stored = stored_in(session, file);
    EXPECT_EQ(stored.model->name, GetParam().stored);
    EXPECT_EQ(found_in(stored, file).model->name, GetParam().model);
}

INSTANTIATE_TEST_SUITE_P(All, PlacesInASession,
                         testing::Values(Place{"beside", "/home/ann/lesson/one/mine", "./mine"},
                                         Place{"below", "/home/ann/lesson/one/models/mine", "./models/mine"},
                                         Place{"above", "/home/ann/lesson/mine", "../mine"},
                                         Place{"two_above", "/home/ann/models/mine", "../../models/mine"},
                                         Place{"far", "/home/bob/mine", "/home/bob/mine"},
                                         Place{"elsewhere", "/srv/mine", "/srv/mine"},
                                         Place{"shipped", "dates-additive-gru", "dates-additive-gru"}),
                         [](const auto& row) { return row.param.name; });

TEST(SessionPlace, IsThatOfTheFolderWhereBothWereMoved) {
    const Session stored = stored_in(with_model_at("/home/ann/lesson/mine"), "/home/ann/lesson/session.json");
    EXPECT_EQ(found_in(stored, "/media/stick/lesson/session.json").model->name, "/media/stick/lesson/mine");
}

TEST_P(PlacesInASession, AreThoseOfLessonsToo) {
    const std::filesystem::path file = "/home/ann/lesson/one/session.json";
    const LessonPlace place{GetParam().model, 3, 1};
    const std::string text = write_session_to(file, Session(), place);
    EXPECT_NE(text.find('"' + std::string(GetParam().stored) + '"'), std::string::npos) << text;
    EXPECT_EQ(read_session_of(file, text).lesson, place);
}

TEST(SessionPlace, IsInNoLessonUnlessItWasSavedInOne) {
    for (const auto& lesson : {std::optional<LessonPlace>(), std::optional(LessonPlace())})
        EXPECT_FALSE(read_session_of("/s.json", write_session_to("/s.json", Session(), lesson)).lesson);
}

TEST(SessionPlace, RefusesAPlaceThatIsNone) {
    const auto read = [](const std::string& place) {
        return read_session_of("/s.json", R"({"format": "headlight-session/1", "lesson": )" + place + "}");
    };
    EXPECT_EQ(read(R"({"name": "softmax"})").lesson, (LessonPlace{"softmax", 0, 0}));
    for (const char* place : {"3", R"({"step": 1})", R"({"name": "softmax", "step": 0})"})
        EXPECT_THROW(read(place), Error) << place;
}

TEST(SessionPlace, AModelIsHashedWhereItLies) {
    const test::TemporaryFolder folder;
    std::filesystem::create_directories(folder / "models/mine");
    folder.write("models/mine/model.safetensors", "weights");
    const Session session = with_model_at((folder / "models/mine").string());
    const std::string text = write_session_to(folder / "session.json", session);
    EXPECT_NE(text.find("\"./models/mine\""), std::string::npos) << text;
    EXPECT_NE(text.find(weights_hash(session.model->name)), std::string::npos) << text;
    const Session found = found_in(parse_session(text), folder / "session.json");
    EXPECT_EQ(changed_data_note(text, found), "");
    folder.write("models/mine/model.safetensors", "other weights");
    EXPECT_NE(changed_data_note(text, found), "");
}

TEST(SessionPlace, ACaptureIsHashedWithItsTokensAndParts) {
    const test::TemporaryFolder folder;
    const auto note_after = [&](const std::string& changed, const std::string& bytes) {
        for (const char* part : {"x.1-of-2.json", "x.2-of-2.json"})
            folder.write(part, "[[0.5, 0.5]]");
        folder.write("x.1-of-2.tokens.json", R"({"tokens": ["a"]})");
        Session session;
        session.capture = SessionCapture{.file = folder / "x.1-of-2.json"};
        const std::string text = write_session(session);
        EXPECT_NE(text.find(capture_hash(session.capture->file)), std::string::npos) << text;
        EXPECT_EQ(changed_data_note(text, session), "");
        folder.write(changed, bytes);
        return changed_data_note(text, session);
    };
    for (const char* changed :
         {"x.1-of-2.json", "x.2-of-2.json", "x.1-of-2.tokens.json", "x.2-of-2.tokens.json"})
        EXPECT_NE(note_after(changed, R"({"tokens": ["another"]})").find("held something else"),
                  std::string::npos)
            << changed;
    EXPECT_EQ(note_after("x.json", "[]"), "");
}

TEST(SessionPlace, WhatACaptureIsComparedWithIsHashedToo) {
    const test::TemporaryFolder folder;
    for (const char* file : {"x.json", "y.json"})
        folder.write(file, "[[0.5, 0.5]]");
    Session session;
    session.capture = SessionCapture{.file = folder / "x.json"};
    session.counterpart = Counterpart{Counterpart::Kind::capture, folder / "y.json"};
    const std::string text = write_session(session);
    EXPECT_NE(text.find("\"other_capture\""), std::string::npos) << text;
    EXPECT_EQ(changed_data_note(text, session), "");
    folder.write("y.json", "[[0.25, 0.75]]");
    const std::string note = changed_data_note(text, session);
    EXPECT_NE(note.find("held something else"), std::string::npos) << note;
    EXPECT_EQ(note.find("It was drawn"), note.rfind("It was drawn")) << "once: x.json is as it was. " << note;
    session.counterpart.reset();
    EXPECT_EQ(changed_data_note(text, session), "") << "nothing is compared any more";
    EXPECT_EQ(write_session(session).find("other_capture"), std::string::npos);
}

TEST(SessionPlace, OfALargeFilePartsAreHashed) {
    const test::TemporaryFolder folder;
    std::string bytes(hashed_bytes + 1000, 'x');
    const std::string file = folder.write("x.npy", bytes), before = capture_hash(file);
    bytes.back() = 'y';
    folder.write("x.npy", bytes);
    EXPECT_NE(capture_hash(file), before) << "the last byte";
    EXPECT_EQ(capture_hash(folder / "none.npy"), "");
}

TEST(SessionPlace, OfACaptureIsFoundFromTheSessionToo) {
    Session session;
    session.capture = SessionCapture{.file = "/home/ann/lesson/weights.npz"};
    session.counterpart = Counterpart{Counterpart::Kind::capture, "/home/ann/lesson/other.npz"};
    const Session stored = stored_in(session, "/home/ann/lesson/session.json");
    EXPECT_EQ(stored.capture->file, "./weights.npz");
    EXPECT_EQ(stored.counterpart->value, "./other.npz");
    const Session found = found_in(stored, "/media/stick/session.json");
    EXPECT_EQ(found.capture->file, "/media/stick/weights.npz");
    EXPECT_EQ(found.counterpart->value, "/media/stick/other.npz");
}

TEST(SessionPlace, IsNoMatterOfAnotherText) {
    Session session;
    session.counterpart = Counterpart{Counterpart::Kind::text, "/home/ann/lesson/one of these is not a path"};
    EXPECT_EQ(stored_in(session, "/home/ann/lesson/session.json"), session);
}

TEST(SessionPlace, IsNoMatterOfMechanisms) {
    EXPECT_EQ(stored_in(Session(), "/home/ann/session.json"), Session());
    EXPECT_EQ(found_in(Session(), "/home/ann/session.json"), Session());
}

}}  // namespace headlight::session_place_test
