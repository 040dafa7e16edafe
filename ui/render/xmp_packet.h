#pragma once

#include <QByteArray>

#include <string>

namespace headlight {

/// Metadata in RDF, as ISO 16684 (XMP) has it: what a figure is called, what it shows, and its session.
QByteArray xmp_packet(const std::string& title, const std::string& description, const std::string& session);

}  // namespace headlight
