#include "ui/render/xmp_packet.h"

#include "ui/render/export_formats.h"

#include <QString>

namespace headlight {

QByteArray xmp_packet(const std::string& title, const std::string& description, const std::string& session) {
    const auto text = [](const std::string& words) {
        return QString::fromStdString(words).toHtmlEscaped().toUtf8();
    };
    const auto alternatives = [&](const char* tag, const std::string& words) {
        return "<dc:" + QByteArray(tag) + "><rdf:Alt><rdf:li xml:lang=\"x-default\">" + text(words) +
               "</rdf:li></rdf:Alt></dc:" + tag + ">\n";
    };
    QByteArray carried;
    if (!session.empty())
        carried = "<" + QByteArray(xml_session_tag) + ">" + text(session) + "</" + xml_session_tag + ">\n";
    return "<?xpacket begin=\"\xef\xbb\xbf\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
           "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF "
           "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n"
           "<rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" "
           "xmlns:headlight=\"" +
           QByteArray(xml_session_namespace) + "\">\n" + alternatives("title", title) +
           alternatives("description", description) + carried +
           "</rdf:Description></rdf:RDF></x:xmpmeta>\n<?xpacket end=\"r\"?>\n";
}

}  // namespace headlight
