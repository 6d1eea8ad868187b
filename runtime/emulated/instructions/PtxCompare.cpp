//===- PtxCompare.cpp - Comparisons and selections ------------------------===//

#include "instructions/PtxFloatLanes.h"

using namespace tessera;
using namespace tessera::emulated;

namespace {

constexpr auto eq = [](auto a, auto b) { return a == b; };
constexpr auto ne = [](auto a, auto b) { return a < b || a > b; };
constexpr auto lt = [](auto a, auto b) { return a < b; };
constexpr auto le = [](auto a, auto b) { return a <= b; };
constexpr auto gt = [](auto a, auto b) { return a > b; };
constexpr auto ge = [](auto a, auto b) { return a >= b; };
// True also if an operand is a NaN.
constexpr auto equ = [](auto a, auto b) { return !(a < b || a > b); };
constexpr auto neu = [](auto a, auto b) { return !(a == b); };
constexpr auto ltu = [](auto a, auto b) { return !(a >= b); };
constexpr auto leu = [](auto a, auto b) { return !(a > b); };
constexpr auto gtu = [](auto a, auto b) { return !(a <= b); };
constexpr auto geu = [](auto a, auto b) { return !(a < b); };
constexpr auto num = [](auto a, auto b) { return a == a && b == b; };
constexpr auto nan = [](auto a, auto b) { return a != a || b != b; };

/// What `Instruction::data` says about a comparison.
enum Data : unsigned {
  /// 1 + index in `.and`, `.or`, `.xor`; 0: there is no third operand.
  Combination,
  /// How many predicates `setp` sets, 1 or 2.
  Results,
  /// What `set` writes for true.
  TrueValue,
  /// Whether `.ftz` is there.
  Flushes,
};

LaneMask combine(unsigned combination, LaneMask value, LaneMask other) {
  switch (combination) {
  case 1:
    return value & other;
  case 2:
    return value | other;
  case 3:
    return value ^ other;
  default:
    return value;
  }
}

/// The lanes in which `op` holds for the two sources from `first` on.
template <auto op, typename T>
LaneMask compare(Warp &warp, const Instruction &in, unsigned first) {
  return lanewiseMask<[](T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return op(a, b);
    else
      return op(widen(a), widen(b));
  },
                      T, T>(warp, in, first);
}

template <auto op, typename T>
Outcome setp(Warp &warp, const Instruction &in, LaneMask mask) {
  unsigned results = in.data[Results], combination = in.data[Combination];
  LaneMask other = combination ? warp.predicate(in[results + 2]) : 0;
  LaneMask value = compare<op, T>(warp, in, results);
  warp.setPredicate(in[0], combine(combination, value, other), mask);
  if (results == 2)
    warp.setPredicate(in[1], combine(combination, ~value, other), mask);
  return Outcome::Continue;
}

/// Of pairs: one predicate for each half.
template <auto op, typename T>
Outcome setpPair(Warp &warp, const Instruction &in, LaneMask mask) {
  unsigned combination = in.data[Combination];
  LaneMask other = combination ? warp.predicate(in[4]) : 0;
  LaneMask low = lanewiseMask<[](Pair<T> a, Pair<T> b) {
    return op(widen(a.low), widen(b.low));
  },
                              Pair<T>, Pair<T>>(warp, in, 2);
  LaneMask high = lanewiseMask<[](Pair<T> a, Pair<T> b) {
    return op(widen(a.high), widen(b.high));
  },
                               Pair<T>, Pair<T>>(warp, in, 2);
  warp.setPredicate(in[0], combine(combination, low, other), mask);
  warp.setPredicate(in[1], combine(combination, high, other), mask);
  return Outcome::Continue;
}

template <auto op, typename T>
Outcome set(Warp &warp, const Instruction &in, LaneMask mask) {
  unsigned combination = in.data[Combination];
  LaneMask other = combination ? warp.predicate(in[3]) : 0;
  LaneMask value = combine(combination, compare<op, T>(warp, in, 1), other);
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    unsigned lane = __builtin_ctz(rest);
    uint32_t result = value >> lane & 1 ? in.data[TrueValue] : 0;
    if (in[0].bytes == 2)
      warp.lanes<uint16_t>(in[0])[lane] = result;
    else
      warp.lanes<uint32_t>(in[0])[lane] = result;
  }
  return Outcome::Continue;
}

template <auto op, typename T> Handler scalarHandler(bool predicates) {
  return predicates ? setp<op, T> : set<op, T>;
}

/// Handlers of `op` on integers or on floating-point numbers, null for others.
template <auto op> Handler integerHandler(Type type, bool predicates) {
  Handler handler = nullptr;
  dispatchArithmetic(type, [&]<typename T>(TypeTag<T>) {
    handler = scalarHandler<op, T>(predicates);
  });
  return handler;
}
template <auto op> Handler floatHandler(Type type, bool predicates) {
  switch (type) {
  case Type::F16:
    return scalarHandler<op, Float16>(predicates);
  case Type::BF16:
    return scalarHandler<op, BFloat16>(predicates);
  case Type::F32:
    return scalarHandler<op, float>(predicates);
  case Type::F64:
    return scalarHandler<op, double>(predicates);
  case Type::F16x2:
    return predicates ? setpPair<op, Float16> : Handler();
  case Type::BF16x2:
    return predicates ? setpPair<op, BFloat16> : Handler();
  default:
    return nullptr;
  }
}

/// As if unsigned: `.lo`, `.ls`, `.hi`, `.hs`.
template <auto op> Handler unsignedHandler(Type type, bool predicates) {
  if (isFloatType(type))
    return nullptr;
  Type unsignedType = typeBytes(type) == 2   ? Type::U16
                      : typeBytes(type) == 4 ? Type::U32
                                             : Type::U64;
  return integerHandler<op>(unsignedType, predicates);
}
template <auto op> Handler anyHandler(Type type, bool predicates) {
  return isFloatType(type) ? floatHandler<op>(type, predicates)
                           : integerHandler<op>(type, predicates);
}

/// Relations and their handlers by type.
constexpr std::pair<std::string_view, Handler (*)(Type, bool predicates)>
    relations[] = {
        {"eq", anyHandler<eq>},      {"ne", anyHandler<ne>},
        {"lt", anyHandler<lt>},      {"le", anyHandler<le>},
        {"gt", anyHandler<gt>},      {"ge", anyHandler<ge>},
        {"lo", unsignedHandler<lt>}, {"ls", unsignedHandler<le>},
        {"hi", unsignedHandler<gt>}, {"hs", unsignedHandler<ge>},
        {"equ", floatHandler<equ>},  {"neu", floatHandler<neu>},
        {"ltu", floatHandler<ltu>},  {"leu", floatHandler<leu>},
        {"gtu", floatHandler<gtu>},  {"geu", floatHandler<geu>},
        {"num", floatHandler<num>},  {"nan", floatHandler<nan>},
};

Handler takeRelation(Decoding &d, Type type, bool predicates) {
  for (auto [name, choose] : relations)
    if (d.take(name))
      return choose(type, predicates);
  return nullptr;
}

/// Takes what `setp` and `set` have in common, up to the sources' type.
void takeCombination(Decoding &d) {
  d.instruction.data[Combination] = 1 + d.takeOneOf({"and", "or", "xor"});
  // Subnormal numbers are compared as they are, which differs from zeros only
  // between themselves.
  d.instruction.data[Flushes] = d.take("ftz");
}

void takeSources(Decoding &d, Type type) {
  if (d.instruction.data[Flushes] && type != Type::F32 && type != Type::F16 &&
      type != Type::F16x2)
    return d.fail("expected '.ftz' with '.f32' and '.f16' only");
  d.input(type);
  d.input(type);
  if (d.instruction.data[Combination])
    d.input(Type::Pred);
}

void decodeSetp(Decoding &d) {
  takeCombination(d);
  Type type = d.expectType();
  Handler handler = takeRelation(d, type, /*predicates=*/true);
  bool pair = type == Type::F16x2 || type == Type::BF16x2;
  unsigned results = d.paired() ? 2 : 1;
  if (pair && results == 1)
    return d.fail("expected two predicates");
  d.instruction.data[Results] = results;
  for (unsigned i = 0; i < results; ++i)
    d.output(0);
  takeSources(d, type);
  d.handle(handler);
}

void decodeSet(Decoding &d) {
  takeCombination(d);
  Type to = d.expectType(), type = d.expectType();
  Handler handler = takeRelation(d, type, /*predicates=*/false);
  switch (to) {
  case Type::U32:
  case Type::S32:
    d.instruction.data[TrueValue] = ~0u;
    break;
  case Type::F32:
    d.instruction.data[TrueValue] = 0x3f800000;
    break;
  case Type::F16:
    d.instruction.data[TrueValue] = 0x3c00;
    break;
  case Type::BF16:
    d.instruction.data[TrueValue] = 0x3f80;
    break;
  default:
    return d.fail("expected a result of type u32, s32, f32, f16 or bf16");
  }
  d.output(typeBytes(to));
  takeSources(d, type);
  d.handle(handler);
}

//===----------------------------------------------------------------------===//
// Selections
//===----------------------------------------------------------------------===//

template <typename T>
Outcome selp(Warp &warp, const Instruction &in, LaneMask mask) {
  T *result = warp.lanes<T>(in[0]);
  const T *a = warp.lanes<T>(in[1]), *b = warp.lanes<T>(in[2]);
  LaneMask chosen = warp.predicate(in[3]);
#pragma clang loop vectorize(assume_safety)
  for (unsigned lane = 0; lane < warpLanes; ++lane) {
    T value = chosen >> lane & 1 ? a[lane] : b[lane];
    result[lane] = mask >> lane & 1 ? value : result[lane];
  }
  return Outcome::Continue;
}

void decodeSelp(Decoding &d) {
  Type type = d.expectType();
  d.output(typeBytes(type));
  d.input(type);
  d.input(type);
  d.input(Type::Pred);
  if (typeBytes(type) < 2 || typeBytes(type) > 8)
    return d.fail("expected 16 to 64 bits");
  d.handle(typeBytes(type) == 2   ? selp<uint16_t>
           : typeBytes(type) == 4 ? selp<uint32_t>
                                  : selp<uint64_t>);
}

/// `slct.type.s32 d, a, b, c`: a where c >= 0, otherwise b.
void decodeSlct(Decoding &d) {
  d.take("ftz");
  Type type = d.expectType(), by = d.expectType();
  d.output(typeBytes(type));
  d.input(type);
  d.input(type);
  d.input(by);
  if (by != Type::S32 && by != Type::F32)
    return d.fail("expected '.s32' or '.f32'");
  dispatchArithmetic(
      typeBytes(type) == 2   ? Type::U16
      : typeBytes(type) == 4 ? Type::U32
                             : Type::U64,
      [&]<typename T>(TypeTag<T>) {
        if (by == Type::S32)
          d.handle(lanewise<[](T a, T b, int32_t c) { return c >= 0 ? a : b; },
                            T, T, T, int32_t>);
        else
          d.handle(lanewise<[](T a, T b, float c) { return c >= 0 ? a : b; }, T,
                            T, T, float>);
      });
}

template <typename T>
Outcome testp(Warp &warp, const Instruction &in, LaneMask mask) {
  LaneMask value = 0;
  for (unsigned lane = 0; lane < warpLanes; ++lane) {
    T number = warp.lanes<T>(in[1])[lane];
    int kind = std::fpclassify(number);
    bool holds[] = {std::isfinite(number), kind == FP_INFINITE,
                    kind != FP_NAN,        kind == FP_NAN,
                    kind == FP_NORMAL,     kind == FP_SUBNORMAL};
    value |= holds[in.data[0]] ? 1u << lane : 0;
  }
  warp.setPredicate(in[0], value, mask);
  return Outcome::Continue;
}

void decodeTestp(Decoding &d) {
  int kind = d.takeOneOf(
      {"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
  Type type = d.expectType();
  d.output(0);
  d.input(type);
  if (kind < 0 || (type != Type::F32 && type != Type::F64))
    return d.fail("expected a kind of number, and '.f32' or '.f64'");
  d.instruction.data[0] = kind;
  d.handle(type == Type::F32 ? testp<float> : testp<double>);
}

} // namespace

std::span<const Opcode> emulated::compareOpcodes() {
  static constexpr Opcode opcodes[] = {{"setp", decodeSetp},
                                       {"set", decodeSet},
                                       {"selp", decodeSelp},
                                       {"slct", decodeSlct},
                                       {"testp", decodeTestp}};
  return opcodes;
}
