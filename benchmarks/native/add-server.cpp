// An MCP server with one tool, `add`, in C++ on simdjson's DOM, written as the library's documentation shows: a parser that is used again, members
// looked up by name, strings of the standard library, one write per read. `tuned-add-server.cpp` is what care for every byte makes of it.
// A line that is no JSON is dropped; so is an integer beyond 64 bits, which this DOM cannot hold.
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <unistd.h>

#include "simdjson.h"

using namespace simdjson;
using std::string;
using std::string_view;

namespace {

constexpr size_t readBytes = 64 * 1024;

template <class Number> string digits(Number value) {
  char text[400];
  return string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

/** As JavaScript writes it, for the sums of this benchmark: below 1e21 and not tiny. */
string numberText(double value) {
  if (std::fabs(value) < 9007199254740992.0 && double(int64_t(value)) == value) return digits(int64_t(value));
  char text[400];
  return string(text, std::to_chars(text, text + sizeof text, value, std::chars_format::fixed).ptr);
}

class Server {
public:
  string out;

  void handle(const string &line) {
    dom::element request;
    string_view version, method;
    dom::element id;
    if (parser.parse(line).get(request) != SUCCESS) return;
    if (request["jsonrpc"].get(version) != SUCCESS || version != "2.0") return;
    if (request["method"].get(method) != SUCCESS || request["id"].get(id) != SUCCESS) return;
    if (method == "tools/call") call(id, request["params"]);
    else if (method == "initialize")
      result(id, R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"linewire-server","version":"0.1.0"}})");
    else if (method == "ping") result(id, "{}");
    else error(id, -32601, "Method not found");
  }

private:
  void call(dom::element id, simdjson_result<dom::element> params) {
    string_view name;
    dom::object arguments;
    if (params["name"].get(name) != SUCCESS) return error(id, -32602, "Invalid params: name must be a string");
    if (name != "add") return error(id, -32602, "Unknown tool: " + string(name));
    if (params["arguments"].get(arguments) != SUCCESS) return fail(id, "a is required");
    double a, b;
    for (auto [key, number] : {std::pair("a", &a), std::pair("b", &b)}) {
      auto found = arguments[key].get(*number);
      if (found == NO_SUCH_FIELD) return fail(id, string(key) + " is required");
      if (found != SUCCESS) return fail(id, string(key) + " must be a number");
    }
    result(id, R"({"content":[{"type":"text","text":")" + numberText(a + b) + "\"}]}");
  }

  void fail(dom::element id, const string &why) {
    result(id, R"({"content":[{"type":"text","text":"Invalid arguments for tool add: )" + why + R"("}],"isError":true})");
  }

  void result(dom::element id, const string &json) { out += head(id) + "\"result\":" + json + "}\n"; }

  void error(dom::element id, int code, const string &message) {
    out += head(id) + "\"error\":{\"code\":" + digits(code) + ",\"message\":\"" + message + "\"}}\n";
  }

  static string head(dom::element id) { return "{\"jsonrpc\":\"2.0\",\"id\":" + string(minify(id)) + ","; }

  dom::parser parser;
};

} // namespace

int main() {
  Server server;
  string buffer, line;
  for (char bytes[readBytes];;) {
    ssize_t count = read(STDIN_FILENO, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    buffer.append(bytes, size_t(count));
    size_t from = 0;
    for (size_t end; (end = buffer.find('\n', from)) != string::npos; from = end + 1) {
      line.assign(buffer, from, end - from);
      server.handle(line);
    }
    buffer.erase(0, from);
    for (size_t at = 0; at < server.out.size();) {
      ssize_t written = write(STDOUT_FILENO, server.out.data() + at, server.out.size() - at);
      if (written < 0 && errno != EINTR) return 0;
      if (written > 0) at += size_t(written);
    }
    server.out.clear();
  }
  return 0;
}
