// train: trains a Transformer language model on a text, byte by byte; prints a sample of what it learned, leaves a report.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <vector>

#include "examples/shared/data/median.h"
#include "examples/shared/options/command_line.h"
#include "examples/shared/options/shape_guide.h"
#include "examples/shared/options/train_config.h"
#include "examples/shared/report/page.h"
#include "examples/shared/report/printable.h"
#include "examples/shared/report/program.h"
#include "examples/shared/report/signals.h"
#include "examples/shared/report/words.h"
#include "examples/shared/training/progress.h"
#include "examples/shared/training/run_files.h"
#include "examples/shared/training/trainer.h"
#include "examples/train/families.h"
#include "examples/train/process.h"
#include "examples/train/run_report.h"
#include "examples/train/suspicion.h"
#include "nn/nn.h"
#include "optim/distributed/mpi.h"
#include "optim/distributed/slow_link.h"
#include "optim/optim.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

constexpr int kBadInput = 2;

RunFiles open_files(const TrainOptions& options, const Corpus& corpus) {
  if (!options.resume.empty()) return RunFiles::open(options.resume);
  if (!options.out.empty()) return RunFiles::create(options.out, to_json(options));
  return RunFiles::create_numbered(fmt::format("{}-d{}-l{}", corpus.name(), options.model.d_model, options.model.layers), to_json(options));
}

// A text that has changed is a surprise, unless it is named anew.
void tell_new_text(const TrainOptions& options, const Corpus& corpus) {
  check<ValueError>(options.own_text,
                    "--data: {} has changed since the run was saved; to go on with it as it is now, name it again by --data",
                    options.data.empty() ? corpus.name() : options.data);
  note("note: the text is not the one that the run has learned so far; it goes on with that of now");
}

class Run {
 public:
  Run(const TrainOptions& options, const Corpus& corpus, distributed::Link& link)
      : options_(options),
        corpus_(corpus),
        trainer_(options, corpus, &link),
        files_(open_files(options, corpus)),
        total_(options.schedule.total) {
    if (!options.resume.empty()) {
      trainer_.load(files_.checkpoint());
      check<ValueError>(trainer_.steps_done() <= total_, "--steps: the run has done {} steps already, {} were asked for",
                        trainer_.steps_done(), total_);
      if (!trainer_.same_text()) tell_new_text(options, corpus);
      if (!std::filesystem::exists(files_.metrics())) tell_metrics_gone();
      recall();
    } else {
      save();  // from now on there is a run to resume
    }
    resumed_at_ = trainer_.steps_done();
    say(fmt::format("{}: {} bytes to learn, {} to validate", printable(corpus.name()), corpus.train_bytes(), corpus.validation_bytes()));
    const nn::LanguageModelOptions& shape = options.model;
    if (options.own_shape) {
      for (const std::string& warning : shape_warnings(shape.d_model, shape.layers, shape.heads, shape.head_dim)) say("note: " + warning);
    }
    const std::string workers =
        options.start.ranks == 1 ? fmt::format("{} threads", num_threads()) : distributed::how_started(options.start);
    const std::string precision =
        options.dtype != "bf16" ? ""
                                : fmt::format(", products in bf16{}", Bf16Products::are_fast() ? "" : " (not faster on this processor)");
    say(fmt::format("{} parameters, {}{}, files in {}", trainer_.parameter_count(), workers, precision, files_.directory().string()));
    if (options.accumulate > 1) {
      say(fmt::format("a step is {} micro-batches of {} windows: --accumulate {} gives the same bits at 1, 2, 4 … ranks",
                      options.accumulate, options.batch / options.accumulate, options.accumulate));
    }
  }

  // What the program ends with.
  int operator()() {
    catch_interrupts("stopping after this step, and saving everything; Ctrl-C once more ends it at once");
    Progress progress(trainer_.steps_done(), total_, options_.quiet);
    if (trainer_.steps_done() == 0) begin(progress);
    while (trainer_.steps_done() < total_ && !interrupted()) step(progress);
    if (interrupted() || !finish(progress)) stop();
    trainer_.dismiss();
    return interrupted() ? interrupted_status() : 0;
  }

 private:
  void say(const std::string& text) const {
    if (!options_.quiet) examples::say(text + "\n");
  }

  void tell_metrics_gone() const {
    note(fmt::format("note: {} is gone; the report will tell the steps from {} on", files_.metrics().string(), trainer_.steps_done() + 1));
  }

  // What a run that is resumed knows of its steps before.
  void recall() {
    for (const nlohmann::json& line : files_.read_metrics(trainer_.steps_done(), trainer_.steps_done() < total_)) {
      if (line.contains("loss")) losses_.push_back(line["loss"]);
      suspected_ = suspected_ || (line.contains("suspicion") && line.value("step", 0) > 0);
    }
  }

  // The configuration comes last: a resumed run that fails before it can save keeps the one of its checkpoint.
  void save() {
    files_.in_place([this] { trainer_.save(files_.checkpoint()); });
    files_.write_config(to_json(options_));
  }

  void save_at_once() {
    validate(1);
    save();
  }

  // ValueError unless finite. Every save comes after one of these, so that a run that has diverged spares its last file.
  double validate(int64_t batches = 0) {
    const auto stop = [batches] { return batches == 0 && interrupted(); };
    const double loss = trainer_.validate(batches, stop);
    check<ValueError>(std::isfinite(loss), "the validation loss after step {} is not finite; try a lower --lr or a smaller --clip",
                      trainer_.steps_done());
    return loss;
  }

  void begin(Progress& progress) {
    const double loss = validate(20);
    nlohmann::ordered_json line{{"step", 0}, {"validation_loss", loss}};
    tell(said_of_future(trainer_.future_seen()), line);
    progress.line(
        fmt::format("step 0  validation loss {:.4f}; in nats a byte, guessing reaches {:.2f}, counting bytes {:.2f}, pairs {:.2f}, "
                    "triples {:.2f}",
                    loss, lines().guess, lines().unigram, lines().bigram, lines().trigram));
    add_metrics(line);
  }

  // A resumed run that fails before it has a line to add leaves the metrics as they were.
  void add_metrics(const nlohmann::ordered_json& line, const std::function<void()>& if_gone = [] {}) {
    if (!options_.resume.empty() && !adds_metrics_) files_.keep_metrics_until(resumed_at_, trainer_.steps_done() > resumed_at_);
    adds_metrics_ = true;
    files_.add_metrics(line, if_gone);
  }

  // A suspicion is said at once, and stays with the metrics.
  static void tell(const std::string& suspicion, nlohmann::ordered_json& line) {
    if (suspicion.empty()) return;
    note(suspicion);
    line["suspicion"] = suspicion;
  }

  // Is a loss that low so early too good to be true? Once a run, and the model itself is asked, too.
  void suspect(double validation_loss, nlohmann::ordered_json& line) {
    const int64_t at = trainer_.steps_done();
    if (at > kEarlySteps || suspected_ || !too_good(at, validation_loss, lines().lowest())) return;
    suspected_ = true;
    tell(said_of_loss(at, validation_loss, lines().lowest(), trainer_.future_seen()), line);
  }

  const NgramLines& lines() {
    if (!lines_) lines_ = ngram_lines(corpus_);
    return *lines_;
  }

  std::vector<nlohmann::json> timelines() {
    std::vector<nlohmann::json> all;
    if (options_.start.ranks == 1) return all;
    for (const std::string& events : trainer_.timelines()) all.push_back(nlohmann::json::parse(events));
    return all;
  }

  // A run is worth more than its page: one that cannot be written is said, and no error.
  void write_report(const std::string& sample) {
    try {
      const RunStory story{files_.read_metrics(),
                           to_json(options_),
                           fmt::format("The text: {}, {} bytes to learn and {} to validate", printable(corpus_.name()),
                                       with_commas(corpus_.train_bytes()), with_commas(corpus_.validation_bytes())),
                           lines(),
                           trainer_.parameter_count(),
                           sample,
                           timelines()};
      files_.write_report(page_of(data_of(story)));
      const nlohmann::json& last = story.metrics.back();
      if (last.contains("validation_loss")) {
        const double loss = last.at("validation_loss");
        say(fmt::format("validation loss {:.2f} nats a byte. {}", loss, reached(loss, lines())));
      }
      say(fmt::format("report: {}\nnext: ./examples/run --list, a program for each chapter; ./docs/run, the book",
                      (files_.directory() / "report.html").string()));
    } catch (const Error& error) {
      note(fmt::format("note: there is no report: {}", error.what()));
    }
  }

  void step(Progress& progress) {
    const auto begun = std::chrono::steady_clock::now();
    const StepResult result = trainer_.step();
    const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count();
    losses_.push_back(result.loss);
    times_.push_back(ms);
    const int64_t at = trainer_.steps_done();
    nlohmann::ordered_json line{
        {"step", at}, {"loss", result.loss}, {"lr", result.lr}, {"gradient_norm", result.gradient_norm}, {"ms", ms}};
    progress.advance(fmt::format("loss {:.3f}  lr {:.1e}  {:.0f} tokens/s", recent_loss(), result.lr, tokens_per_second(ms)));
    const bool pause = at % options_.eval_every == 0 && at < total_, last_early = at == kEarlySteps && at < total_;
    const double loss = pause || last_early ? validate(20) : 0;
    if (pause || last_early) {
      line["validation_loss"] = loss;
      progress.finish();  // no bar where a suspicion may be said
      suspect(loss, line);
    }
    if (pause) {
      progress.line(fmt::format("step {}  loss {:.4f}  validation loss {:.4f}  lr {:.2e}  {:.1f} ms a step", at, recent_loss(), loss,
                                result.lr, median(times_)));
    }
    // Before the checkpoint: a resumed run drops lines it makes again, but cannot make up one.
    add_metrics(line, [this] { save_at_once(); });
    if (pause) save();
  }

  // Saved first: the terminal may be the one that has gone.
  void stop() {
    save_at_once();
    note(fmt::format("stopped after step {}; all is saved. To go on: ./examples/run train --resume {}", trainer_.steps_done(),
                     quoted_for_shell(files_.directory().string())));
    write_report("");
  }

  // False where a signal came before the whole text was validated: a run that is resumed does that again.
  bool finish(Progress& progress) {
    progress.finish();
    const double validation_loss = validate();
    if (interrupted()) return false;
    save();
    nlohmann::ordered_json line{{"step", total_}, {"validation_loss", validation_loss}};
    suspect(validation_loss, line);
    add_metrics(line);
    std::string text;
    if (options_.sample_chars > 0 && !interrupted()) {
      text = trainer_.sample(options_.sample_chars, interrupted);
      files_.write_sample(text);
      say(fmt::format("--- sample ---\n{}\n--------------", printable(text)));
    }
    write_report(text);
    if (interrupted()) note("the sample was stopped; the run itself is complete, and all is saved");
    const double ms = median(times_);
    examples::say(fmt::format(  // a run that was finished already has no speed
        "result steps={} parameters={}{} val_loss={:.4f}{} peak_rss_mb={:.1f}\n", total_, trainer_.parameter_count(),
        losses_.empty() ? "" : fmt::format(" train_loss={:.4f}", recent_loss()), validation_loss,
        times_.empty() ? "" : fmt::format(" median_ms_per_step={:.2f} tokens_per_s={:.0f}", ms, tokens_per_second(ms)), peak_rss_mb()));
    return true;
  }

  // The mean over the last hundred steps: one batch alone is noisy.
  double recent_loss() const {
    const std::size_t count = std::min<std::size_t>(losses_.size(), 100);
    return std::accumulate(losses_.end() - static_cast<std::ptrdiff_t>(count), losses_.end(), 0.0) / static_cast<double>(count);
  }

  double tokens_per_second(double ms) const {
    return ms > 0 ? static_cast<double>(options_.batch * options_.model.context) / ms * 1000 : 0;
  }

  TrainOptions options_;
  const Corpus& corpus_;
  Trainer trainer_;
  RunFiles files_;  // after the trainer: a model that cannot be built leaves no files
  int64_t total_, resumed_at_ = 0;
  std::optional<NgramLines> lines_;
  bool suspected_ = false, adds_metrics_ = false;
  std::vector<double> losses_, times_;
};

// What the ranks above 0 do: what rank 0 says, which alone speaks, writes files and hears signals.
void serve(const TrainOptions& options, const Corpus& corpus, distributed::Link& link) {
  if (distributed::under_mpi()) ignore_interrupts();
  Trainer trainer(options, corpus, &link);
  if (!options.resume.empty()) trainer.load(RunFiles::look_at(options.resume).checkpoint());
  trainer.serve();
}

int run(int argc, char** argv) {
  TrainOptions options;
  if (!read_command_line(argc, argv, "train",
                         "Trains a byte-level Transformer language model and prints a sample of what it learned. The run's "
                         "folder then holds report.html, with the loss beside what counting reaches.",
                         options)) {
    return 0;
  }
  if (options.list) {
    print_families();
    return 0;
  }
  if (options.threads > 0) set_num_threads(options.threads);
  const Bf16Products products(options.dtype == "bf16");
  const Corpus corpus = load_corpus(options);
  if (!options.data.empty()) options.data = std::filesystem::absolute(options.data).string();  // found again on resume
  int status = 0;
  distributed::start(options.start, argv, [&](distributed::Link& fast) {
    distributed::SlowLink slow(fast, link_cost(options));
    distributed::Link& link = options.link.empty() ? fast : slow;
    link.set_patience(std::chrono::duration<double>(options.patience));
    if (link.rank() == 0) {
      status = Run(options, corpus, link)();
    } else {
      serve(options, corpus, link);
    }
  });
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    keep_standard_streams();
    when_stopped_say("stopped before the first step; nothing is lost");
    pool::keep_freed_pages();  // every step asks for the same large blocks
    const int status = run(argc, argv);
    obey_interrupts();  // of what is said now, and of the libraries' ends
    say("");            // what --help printed is written, too
    return status;
  } catch (const std::bad_alloc&) {
    return complain("train", "out of memory; a smaller --batch, --context, --d-model or --vocabulary needs less", kBadInput);
  } catch (const std::exception& error) {
    return complain("train", error, kBadInput);
  }
}
