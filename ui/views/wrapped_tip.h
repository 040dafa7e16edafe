#pragma once

class QString;

namespace headlight {

/// A tooltip in lines that can be read at a glance: Qt leaves plain text in one, however long, which would
/// lie across the window and over what it is about. Its own lines stay apart; only blanks become line breaks.
QString wrapped_tip(const QString& tip);

}  // namespace headlight
