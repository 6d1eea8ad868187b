//===- RoutineSignatures.cpp - What the project's routines read and write -===//
//
// One table of signatures, which compiler, interpreter and runtime check before
// a call: routines rely on it.
//
//===----------------------------------------------------------------------===//

#include "tessera/Support/RoutineSignatures.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <sstream>
#include <vector>

using namespace tessera;
using CallJson = nlohmann::json;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace {

/// A parameter: `ui8` is a letter, `text` a word, both out of `choices`; `i32`
/// is a number, `i64` a list of them.
struct Parameter {
  std::string_view name, type, choices;
};

/// What is known of a call when its arrays have the right shapes.
struct Sizes {
  /// By letters of the table, and by names of parameters.
  std::map<std::string, int64_t, std::less<>> numbers;
  std::vector<int64_t> lengths;
  bool isEmpty = false;

  int64_t operator()(std::string_view name) const {
    auto found = numbers.find(name);
    return found == numbers.end() ? 0 : found->second;
  }
};

/// A signature. An array is a letter of its type (T: that of the routine, R:
/// the real one of its parts, C: the complex one of these, I: i32) and one of
/// each dimension behind the batch's, which all arrays share: l is the lesser
/// of m and n, p is n - 1, * is any size; L are the lengths of a transform, and
/// H these with half of the last one. Other letters are what they first meet.
struct Signature {
  std::string_view family;
  /// `r` is for real matrices, `c` for complex ones, `*` for both.
  char numbers;
  /// The value of the first parameter that it is for, if there are several.
  std::string_view choice;
  std::string_view operands, results;
  std::vector<Parameter> parameters;
  /// What else holds of sizes, in words; empty if it does.
  std::string_view (*requirement)(const Sizes &) = nullptr;
};

} // namespace

static std::string_view columnsOfReflectors(const Sizes &size) {
  return size("k") <= size("n") && size("n") <= size("m")
             ? ""
             : "at most as many reflectors as columns, and columns as rows";
}
static std::string_view rowsToSwap(const Sizes &size) {
  return size("k") <= size("m") ? "" : "at most as many pivots as rows";
}
static std::string_view rowsReduced(const Sizes &size) {
  int64_t n = size("n"), low = size("low"), high = size("high");
  return 1 <= low && low <= std::max<int64_t>(n, 1) &&
                 std::min(low, n) <= high && high <= n
             ? ""
             : "rows from low to high, counted from 1";
}
static std::string_view linesOfElements(const Sizes &size) {
  bool isLine = !size.lengths.empty() &&
                std::all_of(size.lengths.begin(), size.lengths.end(),
                            [](int64_t length) { return length >= 1; });
  return isLine || size.isEmpty ? "" : "lengths of at least 1";
}

/// All signatures; those of a family have the same parameters.
static const std::vector<Signature> &signatures() {
  static const Parameter uplo = {"uplo", "ui8", "L U"},
                         mode = {"mode", "ui8", "N V"},
                         vectors = {"mode", "ui8", "A S N"},
                         side = {"side", "ui8", "L R"},
                         transposed = {"trans_x", "ui8", "N T C"},
                         diagonal = {"diag", "ui8", "N U"},
                         sort = {"sort", "ui8", "N"},
                         left = {"compute_left", "ui8", "N V"},
                         right = {"compute_right", "ui8", "N V"},
                         low = {"low", "i32", ""}, high = {"high", "i32", ""},
                         kind = {"kind", "text", "FFT IFFT RFFT IRFFT"},
                         length = {"length", "i64", ""};
  static const std::vector<Signature> table = {
      {"fft", 'r', "FFT", "TL TL", "TL TL", {kind, length}, linesOfElements},
      {"fft", 'r', "IFFT", "TL TL", "TL TL", {kind, length}, linesOfElements},
      {"fft", 'r', "RFFT", "TL", "TH TH", {kind, length}, linesOfElements},
      {"fft", 'r', "IRFFT", "TH TH", "TL", {kind, length}, linesOfElements},
      {"gees", 'r', "", "Tnn", "Tnn Tnn Tn Tn I I", {mode, sort}},
      {"gees", 'c', "", "Tnn", "Tnn Tnn Tn I I", {mode, sort}},
      {"geev", 'r', "", "Tnn", "Tn Tn Cnn Cnn I", {left, right}},
      {"geev", 'c', "", "Tnn", "Tn Cnn Cnn I", {left, right}},
      {"gehrd", '*', "", "Tnn", "Tnn Tp I", {low, high}, rowsReduced},
      {"geqp3", '*', "", "Tmn In", "Tmn In Tl", {}},
      {"geqrf", '*', "", "Tmn", "Tmn Tl", {}},
      {"gesdd", '*', "A", "Tmn", "Tmn Rl Tmm Tnn I", {vectors}},
      {"gesdd", '*', "S", "Tmn", "Tmn Rl Tml Tln I", {vectors}},
      {"gesdd", '*', "N", "Tmn", "Tmn Rl T** T** I", {vectors}},
      {"getrf", '*', "", "Tmn", "Tmn Il I", {}},
      {"gtsv", '*', "", "Tn Tn Tn Tnk", "Tn Tn Tn Tnk I", {}},
      {"laswp", '*', "", "Tmn Ik", "Tmn", {}, rowsToSwap},
      {"orgqr", '*', "", "Tmn Tk", "Tmn", {}, columnsOfReflectors},
      {"potrf", '*', "", "Tnn", "Tnn I", {uplo}},
      {"syevd", '*', "", "Tnn", "Tnn Rn I", {mode, uplo}},
      {"sytrd", '*', "", "Tnn", "Tnn Rn Rp Tp I", {uplo}},
      {"trsm", '*', "L", "Tmm Tmn", "Tmn", {side, uplo, transposed, diagonal}},
      {"trsm", '*', "R", "Tnn Tmn", "Tmn", {side, uplo, transposed, diagonal}},
  };
  return table;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::optional<OwnRoutine> tessera::findOwnRoutine(std::string_view routine) {
  if (routine == "tessera_fft_f32" || routine == "tessera_fft_f64")
    return OwnRoutine{"fft", routine.ends_with("32") ? 's' : 'd'};
  if (!routine.starts_with("lapack_") || !routine.ends_with("_ffi") ||
      routine.size() < std::string_view("lapack_s_ffi").size())
    return std::nullopt;
  char letter = routine[7];
  std::string family(routine.substr(8, routine.size() - 12));
  if (std::string_view("sdcz").find(letter) == std::string_view::npos)
    return std::nullopt;
  // Families that have one name for real matrices and one for complex ones.
  if (letter == 'c' || letter == 'z') {
    if (family.starts_with("sy") || family.starts_with("or"))
      return std::nullopt;
    if (family.starts_with("he"))
      family.replace(0, 2, "sy");
    else if (family.starts_with("un"))
      family.replace(0, 2, "or");
  }
  for (const Signature &signature : signatures())
    if (signature.family == family && family != "fft")
      return OwnRoutine{signature.family, letter};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static std::vector<std::string> wordsOf(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;)
    words.push_back(word);
  return words;
}

static std::string textOf(const std::vector<std::string> &dims,
                          const std::string &type) {
  std::string text = "tensor<";
  for (const std::string &dim : dims)
    text += dim + "x";
  return text + type + ">";
}

namespace {

/// A call of one of the project's routines.
class Call {
public:
  Call(OwnRoutine routine, const CallJson &description)
      : routine(routine), description(description),
        name(description.at("routine").get<std::string>()) {}

  Fallible<void> check();

private:
  bool isComplex() const {
    return routine.letter == 'c' || routine.letter == 'z';
  }
  std::string typeOf(char letter) const;
  /// Reads `parameter` into `sizes`, or into `chosen` if it is the first.
  Fallible<void> read(const Parameter &parameter, bool isFirst);
  Fallible<void> checkArrays(const Signature &signature);
  /// The sizes of an array's dimensions, or their letters where they are not
  /// known; what letters first meet are the last of `dims`.
  std::vector<std::string> expect(const std::string &letters,
                                  const std::vector<int64_t> &dims);
  std::optional<int64_t> sizeOf(char letter) const;

  OwnRoutine routine;
  const CallJson &description;
  std::string name, chosen;
  Sizes sizes;
  std::optional<std::vector<int64_t>> batch;
};

} // namespace

std::string Call::typeOf(char letter) const {
  if (letter == 'I')
    return "i32";
  bool isShort = routine.letter == 's' || routine.letter == 'c';
  std::string real = isShort ? "f32" : "f64";
  return letter == 'C' || (letter == 'T' && isComplex())
             ? "complex<" + real + ">"
             : real;
}

Fallible<void> Call::read(const Parameter &parameter, bool isFirst) {
  bool isList = parameter.type == "i64", isText = parameter.type == "text";
  std::string key(parameter.name),
      got = "none",
      form =
          std::string(isList ? "a list of " : "") + std::string(parameter.type);
  const CallJson &all = description.at("parameters");
  if (auto found = all.find(key); found != all.end()) {
    bool isForm = isText ? found->contains("text")
                         : found->value("type", "") == parameter.type &&
                               found->contains(isList ? "values" : "value");
    got = found->dump();
    if (isForm && isList) {
      for (const CallJson &value : found->at("values"))
        sizes.lengths.push_back(int64_t(value.get<uint64_t>()));
      return {};
    }
    if (isForm && parameter.choices.empty()) {
      sizes.numbers[key] = int32_t(found->at("value").get<uint64_t>());
      return {};
    }
    if (isForm) {
      got = isText ? found->at("text").get<std::string>()
                   : std::string(1, char(found->at("value").get<uint64_t>()));
      std::vector<std::string> choices = wordsOf(parameter.choices);
      if (isFirst)
        chosen = got;
      if (std::find(choices.begin(), choices.end(), got) != choices.end())
        return {};
    }
  }
  if (!parameter.choices.empty())
    form += " out of " + std::string(parameter.choices);
  return Failure{"expected parameter '" + key + "' of routine '" + name +
                 "' to be " + form + ", got " + got};
}

std::optional<int64_t> Call::sizeOf(char letter) const {
  if (letter == 'l')
    return std::min(sizes("m"), sizes("n"));
  if (letter == 'p')
    return std::max<int64_t>(sizes("n") - 1, 0);
  auto found = sizes.numbers.find(std::string(1, letter));
  if (found == sizes.numbers.end())
    return std::nullopt;
  return found->second;
}

std::vector<std::string> Call::expect(const std::string &letters,
                                      const std::vector<int64_t> &dims) {
  std::vector<std::string> expected;
  bool isTransform = letters == "L" || letters == "H";
  size_t own = isTransform ? sizes.lengths.size() : letters.size();
  if (!batch && dims.size() >= own)
    batch.emplace(dims.begin(), dims.end() - own);
  if (!batch)
    expected.push_back("...");
  for (int64_t size : batch ? *batch : std::vector<int64_t>())
    expected.push_back(std::to_string(size));
  for (size_t i = 0; i < own; ++i) {
    bool isLast = i + 1 == own, isThere = dims.size() >= own;
    std::optional<int64_t> size;
    if (isTransform)
      size = isLast && letters == "H" ? sizes.lengths[i] / 2 + 1
                                      : sizes.lengths[i];
    else if (letters[i] == '*' && isThere)
      size = dims[dims.size() - own + i];
    else if (size = sizeOf(letters[i]); !size && isThere)
      sizes.numbers[std::string(1, letters[i])] =
          *(size = dims[dims.size() - own + i]);
    expected.push_back(size ? std::to_string(*size)
                            : std::string(1, letters[i]));
  }
  return expected;
}

/// Compares all arrays in their order, and learns the sizes of letters from
/// them.
Fallible<void> Call::checkArrays(const Signature &signature) {
  const CallJson &arrays = description.at("arrays");
  size_t inputs = description.at("inputs").get<size_t>();
  std::vector<std::string> forms = wordsOf(signature.operands);
  size_t operands = forms.size();
  for (std::string &result : wordsOf(signature.results))
    forms.push_back(std::move(result));
  if (inputs != operands || arrays.size() != forms.size())
    return Failure{"expected " + std::to_string(operands) + " operands and " +
                   std::to_string(forms.size() - operands) +
                   " results of routine '" + name + "', got " +
                   std::to_string(inputs) + " and " +
                   std::to_string(int64_t(arrays.size()) - int64_t(inputs))};
  sizes.isEmpty = true;
  for (size_t i = 0; i < forms.size(); ++i) {
    auto dims = arrays[i].at("dims").get<std::vector<int64_t>>();
    auto type = arrays[i].at("type").get<std::string>();
    std::vector<std::string> expected = expect(forms[i].substr(1), dims), got;
    for (int64_t size : dims)
      got.push_back(std::to_string(size));
    if (type != typeOf(forms[i].front()) || got != expected)
      return Failure{
          "expected " + std::string(i < operands ? "operand " : "result ") +
          std::to_string(i < operands ? i : i - operands) + " of routine '" +
          name + "' to be " + textOf(expected, typeOf(forms[i].front())) +
          ", got " + textOf(got, type)};
    if (i >= operands)
      sizes.isEmpty &= std::find(dims.begin(), dims.end(), 0) != dims.end();
  }
  return {};
}

Fallible<void> Call::check() {
  const Signature *found = nullptr;
  for (const Signature &signature : signatures()) {
    if (signature.family != routine.family ||
        (signature.numbers != '*' && (signature.numbers == 'c') != isComplex()))
      continue;
    if (!found)
      for (const Parameter &parameter : signature.parameters)
        if (Fallible<void> done =
                read(parameter, &parameter == &signature.parameters.front());
            !done)
          return done;
    if (!found || signature.choice == chosen)
      found = &signature;
  }
  if (Fallible<void> done = checkArrays(*found); !done)
    return done;
  std::string_view missing =
      found->requirement ? found->requirement(sizes) : "";
  if (missing.empty())
    return {};
  return Failure{"expected of a call of routine '" + name + "' " +
                 std::string(missing) + ", got " +
                 description.at("parameters").dump() + " for " +
                 description.at("arrays").dump()};
}

Fallible<void> tessera::checkRoutineCall(const std::string &description) {
  try {
    CallJson json = CallJson::parse(description);
    std::optional<OwnRoutine> routine =
        findOwnRoutine(json.at("routine").get<std::string>());
    return routine ? Call(*routine, json).check() : Fallible<void>();
  } catch (const CallJson::exception &error) {
    return Failure{error.what()};
  }
}
