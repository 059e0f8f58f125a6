// Bad values of every option of train: each is refused, by its flag and with what was given.
#include "core/machine/threads.h"
#include "examples/shared/options/train_fields.h"
#include "nn/model/language_model.h"
#include "tests/examples/shared/options/train_command.h"

using namespace gradus;
using namespace gradus::examples;
using namespace gradus::test;

namespace {

BadCall refused(const std::vector<std::string>& words, const std::string& text) {
  return {"train " + joined_by_spaces(words), [words] { train_command(words); }, Raises::value, text};
}

// By the model, whose options these are, as it is made: before there is any file.
BadCall refused_by_model(const std::vector<std::string>& words, const std::string& text) {
  return {"train " + joined_by_spaces(words), [words] { nn::LanguageModel(train_command(words).model); }, Raises::value, text};
}

// What no option of a type takes, and what its error says behind the flag.
template <typename T> std::vector<std::pair<std::string, std::string>> never() {
  if constexpr (IsChoice<T>::value) {
    return {{"nosuch", "unknown "}, {"rms ", "unknown "}, {"7", "unknown "}};
  } else if constexpr (IsPerLayer<T>::value) {
    auto all = never<typename T::value_type>();
    std::erase_if(all, [](const auto& row) { return row.first.find(',') != std::string::npos; });  // a pattern
    const auto not_one = all.back();
    all.insert(all.end(), {{"1," + not_one.first, not_one.second}, {"1:x", "'x' is not a whole number"}, {"1,", "the value is empty"}});
    return all;
  } else if constexpr (IsOptional<T>::value) {
    return never<typename T::value_type>();
  } else if constexpr (std::is_same_v<T, bool>) {
    return {{"maybe", "'maybe' is not true or false"}, {"2", "'2' is not true"}, {" true", "' true' is not true"}};
  } else if constexpr (std::is_integral_v<T>) {
    std::vector<std::pair<std::string, std::string>> all{{"99999999999999999999", "99999999999999999999 is out of range, which is from "}};
    for (const std::string text : {"many", "1.5", "0x10", "1e3", " 7", "7 ", "7,8", "nan"}) {
      all.emplace_back(text, "'" + text + "' is not a whole number");
    }
    return all;
  } else if constexpr (std::is_floating_point_v<T>) {
    std::vector<std::pair<std::string, std::string>> all;
    for (const std::string text : {"much", "nan", "inf", "-inf", "1e999", "0x1p3", "1,5", " 1", "1 ", "1e", "--1"}) {
      all.emplace_back(text, "'" + text + "' is not a finite number");
    }
    return all;
  } else {
    return {};
  }
}

}  // namespace

TEST_CASE("bad input: each option of train refuses what is no value of its type, by its flag and as it was given") {
  BadCalls rows;
  const TrainOptions usual;
  for_each_field(usual, [&](const OptionGroup&, const char* name, const auto& value, const char*) {
    using T = std::decay_t<decltype(value)>;
    const std::string flag = flag_of(name);
    for (const auto& [text, says] : never<T>()) {
      const std::string by_flag = IsChoice<T>::value ? says : flag + ": " + says;
      rows += refused({flag + "=" + text}, by_flag);
    }
    if (!(IsChoice<T>::value && IsOptional<T>::value)) rows.push_back(refused({flag, ""}, flag + ": the value is empty"));
    rows += refused({flag}, flag + ": ");
  });
  MESSAGE(rows.size(), " calls");
  check_bad_calls(rows);
}

TEST_CASE("bad input: the options of a run that are no part of its result are as strict") {
  check_bad_calls({
      refused({"--threads", "1.5"}, "--threads: '1.5' is not a whole number"),
      refused({"--threads", "-1"}, "--threads must not be negative, got -1"),
      refused({"--threads", "100000"}, fmt::format("--threads must be at most {}, got 100000", most_threads())),
      refused({"--threads", "2147483647"}, "--threads must be at most "),
      refused({"--threads", "2147483648"}, "--threads: 2147483648 is out of range, which is from -2147483648 to 2147483647"),
      refused({"--threads", ""}, "--threads: the value is empty"),
      refused({"--seed", "-1"}, "--seed: '-1' is not a whole number of at least 0"),
      refused({"--seed", "18446744073709551616"}, "--seed: 18446744073709551616 is out of range"),
      refused({"--out", ""}, "--out: the value is empty"),
      refused({"--resume", ""}, "--resume: the value is empty"),
      refused({"--steps", "3", "--steps", "abc"}, "--steps: 'abc' is not a whole number"),
      refused({"--step", "3"}, "unknown option '--step'; did you mean '--steps'?"),
      refused({"--LAYERS=3", "--x"}, "unknown option '--LAYERS'; did you mean '--layers'?"),
      refused({"-s", "3"}, "unknown option '-s'"),
      refused({"3"}, "'3' belongs to no option"),
      refused({"--quiet=perhaps"}, "--quiet"),
      refused({"--data", "a\xff"}, "--data: not UTF-8"),
      refused({"--prompt", "\xc3"}, "--prompt: not UTF-8"),
  });
}

TEST_CASE("bad input: a number that an option cannot have is refused by the option, with its range") {
  const std::string most = "9223372036854775807";
  check_bad_calls({
      refused_each(refused, "{0} must be positive, got {1}",
                   {{"--steps", "0"},
                    {"--steps", "-3"},
                    {"--batch", "0"},
                    {"--d-model", "0"},
                    {"--layers", "-1"},
                    {"--heads", "0"},
                    {"--eval-every", "0"},
                    {"--cycles", "0"}}),
      refused_each(refused, "{0} must not be negative, got {1}",
                   {{"--kv-heads", "-1"},
                    {"--d-ff", "-1"},
                    {"--sample-chars", "-1"},
                    {"--weight-decay", "-0.1"},
                    {"--clip", "-1"},
                    {"--clip-value", "-1"},
                    {"--lr", "-1"}}),
      refused_each(refused, "{0} must be at most 10000, got {1}", {{"--layers", "4294967296"}, {"--cycles", most}}),
      refused_each(refused, "{0} must be at most 1000000, got {1}",
                   {{"--batch", most}, {"--context", most}, {"--d-model", most}, {"--heads", most}}),
      refused_each(refused, "{0} must be at most 10000000, got {1}", {{"--d-ff", "9000000000000000000"}, {"--vocabulary", most}}),
      refused_each(refused, "{0} must be at most 1000000000, got {1}", {{"--sample-chars", "99999999999"}}),
      refused_each(refused, "{0} must be at most 1000000000000, got {1}", {{"--steps", most}}),
      refused_each(refused, "{0}: a batch of 12 cannot be cut into {1} parts",
                   {{"--accumulate", "0"}, {"--accumulate", "-1"}, {"--accumulate", "5"}}),
      refused({"--ranks", "0"}, "--ranks must be from 1 to 1024, got 0"),
      refused({"--ranks", "5", "--reduce", "tree"}, "--accumulate: a batch of 12 cannot be cut into 5 parts"),
      refused({"--accumulate", "4", "--reduce", "tree", "--ranks", "3"},
              "--ranks: 4 micro-batches (--accumulate) cannot be shared equally by 3 ranks"),
      refused({"--accumulate", "3", "--ranks", "3"}, "--ranks: doubling needs 1, 2, 4, 8 … ranks, got 3; take --reduce tree"),
      refused({"--reduce", "mpi", "--link", "1ms,1MB/s"}, "--link: MPI's own sum cannot be slowed"),
      refused({"--hosts", "no such file"}, "--hosts: there is no file no such file"),
      refused({"--reduce", "rings"}, "ring"),
      refused({"--reduce", "mpi", "--ranks", "2", "--rank-threads"}, "--reduce mpi: needs ranks that are processes"),
      refused_each(refused, "{0} must be from 0 to 10⁶ seconds, got {1}", {{"--patience", "0"}, {"--patience", "-1"}}),
      refused_each(refused, "{0}: expected a latency up to 10 s and a bandwidth, such as 1ms,100MB/s",
                   {{"--link", "fast"},
                    {"--link", "1e9s,1MB/s"},
                    {"--link", "1ms"},
                    {"--link", "1m,100MB/s"},
                    {"--link", "-1ms,1MB/s"},
                    {"--link", "1ms,0MB/s"}}),
      refused_each(refused, "decay", {{"--decay-share", "2"}, {"--decay-every", "0"}}),
      refused_each(refused, "temperature", {{"--temperature", "-1"}, {"--temperature", "1e-320"}}),
      refused_each(refused, "top_p", {{"--top-p", "1.5"}, {"--top-p", "0"}}),
      refused_each(refused_by_model, "dropout", {{"--dropout", "1.5"}, {"--dropout", "-0.5"}, {"--attention-dropout", "2"}}),
      refused_by_model({"--embedding-dropout", "2"}, "Dropout: p must be in [0, 1), got 2"),
      refused_by_model({"--window", "-1"}, "window"),
      refused_by_model({"--norm-eps", "-1"}, "eps"),
      refused_by_model({"--softcap", "-1"}, "softcap"),
      refused_by_model({"--rope-theta", "0"}, "theta"),
      refused({"--heads", "0", "--kv-heads", "2"}, "--heads must be positive, got 0"),
      refused({"--heads", "3"}, "--heads: 3 heads do not divide --d-model 128"),
      refused({"--kv-heads", "3"}, "--kv-heads: 3 heads of keys and values do not divide --heads 4"),
      refused({"--heads", "1", "--kv-heads", "900000"}, "--kv-heads: 900000 heads of keys and values do not divide --heads 1"),
      refused({"--vocabulary", "255"}, "--vocabulary: bytes need at least 256 ids, got 255"),
      refused({"--z-loss", "-1e-4"}, "--z-loss must not be negative, got -0.0001"),
      refused({"--label-smoothing", "1.01"}, "--label-smoothing must be in [0, 1], got 1.01"),
      refused({"--ema", "1"}, "--ema must be in [0, 1), got 1"),
      refused({"--stochastic-depth", "1"}, "stochastic_depth must be in [0, 1), got 1"),
      refused_by_model({"--rope-factor", "0", "--position", "yarn"}, "factor"),
      refused({"--dtype", "f16"}, "--dtype: trains in f32, f64 or bf16, got 'f16'"),
      refused({"--optimizer", "adma"}, "unknown optimizer 'adma'; did you mean 'adam'?"),
      refused({"--optimizer", "sgd", "--beta1", "0.9"}, "--optimizer sgd: the optimizer has no beta1"),
      refused({"--beta1", "1"}, "--optimizer adamw: "),
      refused({"--eps", "-1"}, "--optimizer adamw: "),
      refused({"--schedule", "cosin"}, "unknown schedule 'cosin'; did you mean 'cosine'?"),
      refused({"--clip", "1e-400"}, "--clip: 1e-400 is nearer to 0 than any number here"),
      refused({"--min-lr", "1"}, "--min-lr: must be at most --lr, 0.002, got 1"),
      refused({"--warmup", "-1"}, "warmup must not be negative, got -1"),
      refused({"--warmup", "2001"}, "--warmup: must not be longer than the run of 2000 steps, got 2001"),
      refused({"--cycle-growth", "1e300", "--schedule", "cosine-restarts", "--cycles", "3"}, "cycle"),
      refused({"--rise-share", "-1"}, "rise"),
      refused({"--start-divisor", "0"}, "divisor"),
      refused({"--power", "-1"}, "power"),
      refused({"--top-k", "-1"}, "top_k"),
  });
}

TEST_CASE("bad input: a size that takes more memory than there is, is refused before anything is built") {
  const std::vector<std::vector<std::string>> sizes{{"--d-model", "1000000"},
                                                    {"--d-ff", "10000000", "--d-model", "4096"},
                                                    {"--vocabulary", "10000000", "--d-model", "4096"},
                                                    {"--layers", "10000", "--d-model", "4096"},
                                                    {"--batch", "1000000"},
                                                    {"--context", "1000000"}};
  for (const auto& words : sizes) check_bad_calls({refused(words, "training takes at least ")});
}
