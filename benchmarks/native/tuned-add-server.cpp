// An MCP server with one tool, `add`, in C++ on simdjson's DOM: the native yardstick of this repository.
// One read, `memchr`, one parse per line straight out of the read buffer, one pass over each object, one write per read.
// It answers what `peers/linewire-add.mjs` answers. A line that is no JSON is dropped; so is an integer beyond 64 bits, which this DOM cannot hold.
#include <charconv>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <unistd.h>

#include "simdjson.h"

using namespace simdjson;
using std::string_view;

namespace {

constexpr size_t readBytes = 256 * 1024;
constexpr size_t writeBytes = 256 * 1024;
/** Room for any answer of fixed length beside the id and what is echoed. */
constexpr size_t answerBytes = 1024;

/** Answers of the current read. Grows only if a read brings more answers than it has bytes. */
class Output {
public:
  void reserve(size_t byteCount) {
    if (end + byteCount <= capacity) return;
    size_t wanted = capacity * 2 + byteCount;
    std::unique_ptr<char[]> larger(new char[wanted]);
    memcpy(larger.get(), bytes.get(), end);
    bytes.swap(larger);
    capacity = wanted;
  }
  void put(string_view text) {
    memcpy(bytes.get() + end, text.data(), text.size());
    end += text.size();
  }
  template <class Integer> void putInteger(Integer value) { end = std::to_chars(at(), limit(), value).ptr - bytes.get(); }
  void putNumber(double value);

  /** False when the reader went away. */
  bool flush() {
    for (size_t from = 0; from < end;) {
      ssize_t written = write(STDOUT_FILENO, bytes.get() + from, end - from);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return false;
      from += size_t(written);
    }
    end = 0;
    return true;
  }

private:
  char *at() { return bytes.get() + end; }
  char *limit() { return bytes.get() + capacity; }

  size_t capacity = writeBytes;
  size_t end = 0;
  std::unique_ptr<char[]> bytes{new char[writeBytes]};
};

/** As JavaScript writes it. */
void Output::putNumber(double value) {
  constexpr double exactIntegers = 9007199254740992.0;
  double size = std::fabs(value);
  if (size < exactIntegers) {
    auto integer = int64_t(value);
    if (double(integer) == value) return putInteger(integer);
    if (size >= 1e-6) {
      end = std::to_chars(at(), limit(), value, std::chars_format::fixed).ptr - bytes.get();
      return;
    }
  }
  if (!std::isfinite(value)) return put(value > 0 ? "Infinity" : value < 0 ? "-Infinity" : "NaN");
  char text[64];
  char *textEnd = std::to_chars(text, text + sizeof text, size, std::chars_format::scientific).ptr;
  char *exponentAt = static_cast<char *>(memchr(text, 'e', size_t(textEnd - text)));
  int exponent = atoi(std::string(exponentAt + 1, textEnd).c_str());
  std::string digits(1, text[0]);
  if (exponentAt > text + 2) digits.append(text + 2, exponentAt);
  if (value < 0) put("-");
  if (exponent < 21 && exponent >= 0) {
    put(digits);
    put(std::string(size_t(exponent + 1) - digits.size(), '0'));
    return;
  }
  put(digits.substr(0, 1));
  if (digits.size() > 1) {
    put(".");
    put(digits.substr(1));
  }
  put(exponent < 0 ? "e" : "e+");
  putInteger(exponent);
}

/** What a request is about, by one pass over its members; of duplicates the last counts. */
struct Request {
  bool isVersion2 = false;
  bool hasId = false;
  bool hasMethod = false;
  dom::element id;
  string_view method;
  dom::element params;
  bool hasParams = false;
};

/** The source text of the depth-1 member `id`; for what its value alone does not tell: `-0`, `1.0`, escapes in strings. */
string_view sourceOfId(string_view line) {
  auto blank = [&](size_t at) {
    while (at < line.size() && strchr(" \t\r", line[at]) != nullptr) at++;
    return at;
  };
  auto pastString = [&](size_t at) {
    for (at++; line[at] != '"'; at++)
      if (line[at] == '\\') at++;
    return at + 1;
  };
  string_view found;
  int depth = 0;
  for (size_t at = 0; at < line.size();) {
    char byte = line[at];
    if (byte == '"') {
      size_t keyAt = at;
      at = pastString(at);
      size_t colon = blank(at);
      if (depth != 1 || colon >= line.size() || line[colon] != ':') continue;
      size_t from = blank(colon + 1);
      at = from;
      if (line.substr(keyAt, colon - keyAt).substr(0, 4) != "\"id\"") continue;
      size_t end = from;
      if (line[from] == '"') end = pastString(from);
      else
        while (strchr(",} \t\r", line[end]) == nullptr) end++;
      found = line.substr(from, end - from);
      at = end;
      continue;
    }
    if (byte == '{' || byte == '[') depth++;
    if (byte == '}' || byte == ']') depth--;
    at++;
  }
  return found;
}

class Server {
public:
  explicit Server(Output &output) : out(output) {}

  /** @param line followed by at least SIMDJSON_PADDING readable bytes */
  void handle(const char *line, size_t length) {
    dom::element document;
    // False: the padding is there, nothing is copied.
    if (parser.parse(line, length, false).get(document) != SUCCESS) return;
    dom::object members;
    if (document.get(members) != SUCCESS) return;
    Request request;
    for (auto [key, value] : members) {
      // By length first: the four names have four.
      switch (key.size()) {
      case 2:
        if (key == "id") request.id = value, request.hasId = true;
        break;
      case 6:
        if (key == "method") request.hasMethod = value.get(request.method) == SUCCESS;
        else if (key == "params") request.params = value, request.hasParams = !value.is_null();
        break;
      case 7:
        if (key == "jsonrpc") {
          string_view version;
          request.isVersion2 = value.get(version) == SUCCESS && version == "2.0";
        }
        break;
      }
    }
    if (!request.isVersion2 || !request.hasMethod || !request.hasId) return;
    out.reserve(2 * length + answerBytes);
    answer(request, string_view(line, length));
  }

private:
  void answer(const Request &request, string_view line) {
    if (request.method == "tools/call") return call(request, line);
    if (request.method == "initialize") {
      begin(request, line);
      return out.put(R"("result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},)"
                     R"("serverInfo":{"name":"linewire-server","version":"0.1.0"}}})"
                     "\n");
    }
    if (request.method == "tools/list") {
      begin(request, line);
      return out.put(R"("result":{"tools":[{"name":"add","inputSchema":{"type":"object","properties":)"
                     R"({"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]}}]}})"
                     "\n");
    }
    if (request.method == "ping") {
      begin(request, line);
      return out.put("\"result\":{}}\n");
    }
    refuse(request, line, -32601, "Method not found: ", request.method);
  }

  void call(const Request &request, string_view line) {
    dom::object params;
    if (!request.hasParams || request.params.get(params) != SUCCESS)
      return refuse(request, line, -32602, "Invalid params: name must be a string");
    string_view name;
    bool hasName = false;
    dom::element givenArguments;
    bool hasArguments = false;
    for (auto [key, value] : params) {
      if (key == "name") hasName = value.get(name) == SUCCESS;
      else if (key == "arguments") givenArguments = value, hasArguments = true;
    }
    if (!hasName) return refuse(request, line, -32602, "Invalid params: name must be a string");
    dom::object arguments;
    if (hasArguments && givenArguments.get(arguments) != SUCCESS)
      return refuse(request, line, -32602, "Invalid params: arguments must be an object");
    if (name != "add") return refuse(request, line, -32602, "Unknown tool: ", name);
    if (!hasArguments) return fail(request, line, "a is required");
    add(request, line, arguments);
  }

  void add(const Request &request, string_view line, dom::object arguments) {
    double numbers[2];
    // 0: absent, 1: no number, 2: a number.
    int states[2] = {0, 0};
    for (auto [key, value] : arguments) {
      if (key.size() != 1) continue;
      int which = key[0] - 'a';
      if (which == 0 || which == 1) states[which] = value.get(numbers[which]) == SUCCESS ? 2 : 1;
    }
    if (states[0] != 2) return fail(request, line, states[0] == 0 ? "a is required" : "a must be a number");
    if (states[1] != 2) return fail(request, line, states[1] == 0 ? "b is required" : "b must be a number");
    begin(request, line);
    out.put(R"("result":{"content":[{"type":"text","text":")");
    out.putNumber(numbers[0] + numbers[1]);
    out.put("\"}]}}\n");
  }

  void begin(const Request &request, string_view line) {
    out.put(R"({"jsonrpc":"2.0","id":)");
    int64_t integer;
    // The digits of an integer follow from its value, but for the sign of zero.
    if (request.id.get(integer) == SUCCESS && integer != 0) out.putInteger(integer);
    else out.put(sourceOfId(line));
    out.put(",");
  }

  void fail(const Request &request, string_view line, string_view why) {
    begin(request, line);
    out.put(R"("result":{"content":[{"type":"text","text":"Invalid arguments for tool add: )");
    out.put(why);
    out.put("\"}],\"isError\":true}}\n");
  }

  void refuse(const Request &request, string_view line, int code, string_view message, string_view named = {}) {
    begin(request, line);
    out.put("\"error\":{\"code\":");
    out.putInteger(code);
    out.put(",\"message\":\"");
    out.put(message);
    for (char byte : named) {
      out.reserve(answerBytes);
      if (byte == '"' || byte == '\\') out.put("\\");
      if (static_cast<unsigned char>(byte) >= 0x20) out.put(string_view(&byte, 1));
      else out.put("?");
    }
    out.put("\"}}\n");
  }

  Output &out;
  dom::parser parser;
};

} // namespace

int main() {
  Output out;
  Server server(out);
  size_t capacity = readBytes;
  std::unique_ptr<char[]> buffer(new char[capacity + SIMDJSON_PADDING]());
  size_t have = 0; // bytes of a line that has not ended yet
  for (;;) {
    if (capacity - have < readBytes / 2) {
      std::unique_ptr<char[]> larger(new char[capacity * 2 + SIMDJSON_PADDING]());
      memcpy(larger.get(), buffer.get(), have);
      buffer.swap(larger);
      capacity *= 2;
    }
    ssize_t count = read(STDIN_FILENO, buffer.get() + have, capacity - have);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return 1;
    if (count == 0) break;
    const char *from = buffer.get();
    const char *end = from + have + count;
    const char *lookAt = from + have;
    while (auto *newline = static_cast<const char *>(memchr(lookAt, '\n', size_t(end - lookAt)))) {
      if (newline > from) server.handle(from, size_t(newline - from));
      from = lookAt = newline + 1;
    }
    have = size_t(end - from);
    memmove(buffer.get(), from, have);
    if (!out.flush()) return 0;
  }
  if (have > 0) server.handle(buffer.get(), have);
  out.flush();
  return 0;
}
