// claims: what the notes claim, each decided here by an experiment and a rule that was fixed before it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/check.h"
#include "examples/claims/all_claims.h"
#include "examples/claims/decided.h"
#include "examples/claims/lab.h"
#include "examples/shared/experiment/commit.h"
#include "examples/shared/report/json_text.h"
#include "examples/shared/report/knob.h"
#include "examples/shared/report/page.h"
#include "examples/shared/report/program.h"
#include "examples/shared/report/signals.h"
#include "examples/shared/training/progress.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

struct Options {
  std::vector<std::string> names;
  std::uint64_t seed = 0;
  std::filesystem::path out = "runs/claims";
  std::filesystem::path into = {};
  std::string only = {}, at = {};
  bool full = false, keep = false, list = false;
};

// The claims of a claims.json.
nlohmann::ordered_json read_results(const std::filesystem::path& file) {
  std::ifstream text(file);
  const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  check<IoError>(json.is_object() && json.value("program", "") == "claims" && json.contains("claims"), "--into: {} is no claims.json",
                 file.string());
  return json.at("claims");
}

std::vector<const Claim*> chosen(const Options& options) {
  std::vector<const Claim*> claims;
  for (const std::string& name : options.names) {
    const Claim* claim = &find_claim(name);
    if (std::find(claims.begin(), claims.end(), claim) == claims.end()) claims.push_back(claim);
  }
  if (!claims.empty()) return claims;
  for (const Claim& claim : all_claims()) claims.push_back(&claim);
  return claims;
}

// All of them are claims.json and report.html; of one or some the files have other names, so that none is lost.
std::string stem_of(const Options& options) {
  if (options.names.empty()) return "claims";
  return options.names.size() == 1 ? name_of(find_claim(options.names[0])) : "some";
}

std::vector<Decided> decide(const std::vector<const Claim*>& claims, const Options& options, Journal& journal) {
  Progress progress(0, static_cast<std::int64_t>(claims.size()), false);
  std::string now;
  std::int64_t numbers = 0;
  Lab lab(
      journal,
      {.full = options.full, .usual = options.only != "long", .longer = options.only != "usual", .at = options.at, .seed = options.seed},
      [&] { progress.tell(fmt::format("{}  {} measured", now, ++numbers)); });
  std::vector<Decided> all;
  for (const Claim* claim : claims) {
    now = name_of(*claim);
    progress.tell(now);
    lab.begin(claim->id);
    const Evidence evidence = claim->measure(lab);
    if (evidence.empty()) continue;  // it has no places of four times the steps
    all.push_back({claim, judge(claim->rule, evidence)});
    progress.line(told_text(all.back()));
    progress.advance(now);
  }
  progress.finish();
  check<ValueError>(!all.empty() || options.at.empty(), "--at: no place of these claims has '{}' in its text", options.at);
  return all;
}

// All claims of the file, with what was measured now in the place of what it had; each place keeps its commit.
std::vector<Decided> put_into(const std::filesystem::path& file, const std::vector<Decided>& found) {
  const nlohmann::ordered_json kept = read_results(file);
  std::vector<Decided> all;
  for (const Claim& claim : all_claims()) {
    const auto now = std::find_if(found.begin(), found.end(), [&](const Decided& one) { return one.claim == &claim; });
    const auto before = std::find_if(kept.begin(), kept.end(), [&](const auto& one) { return one.at("id") == claim.id; });
    Evidence evidence, new_places;
    if (before != kept.end() && before->at("rule").at("statistic") == claim.rule.statistic) evidence = evidence_of(*before);
    if (now != found.end()) {
      for (const Told& place : now->finding.places) new_places.push_back(place.condition);
    }
    evidence = merged(evidence, new_places);
    if (evidence.empty()) {
      say(fmt::format("{} has no numbers in {}: its rule is new, measure it\n", name_of(claim), file.string()));
      continue;
    }
    for (const Condition& place : evidence) {
      check<ValueError>(committed(place.commits), "--into: {} at [{}] was measured at {}, which nobody can go back to: commit first",
                        name_of(claim), text_of(place.where), text_of(place.commits));
    }
    all.push_back({&claim, judge(claim.rule, evidence)});
  }
  return all;
}

void run(const Options& options, int argc, char** argv) {
  const std::vector<const Claim*> claims = chosen(options);
  const std::string stem = stem_of(options), page = options.names.empty() ? "report.html" : stem + ".html";
  open_directory(options.out, {stem + ".json", page}, {{"cells.jsonl"}, {stem + ".json", {"program", "made", "claims"}}});
  Journal journal(options.out / "cells.jsonl", program_fingerprint(), options.keep);
  const std::size_t found = journal.size();
  if (journal.of_another_build() > 0) {
    say(fmt::format("{} numbers of another build of this program are measured again (--keep would keep them).\n",
                    journal.of_another_build()));
  }
  if (found > 0) say(fmt::format("{} numbers were measured before and are kept.\n", found));
  const std::vector<Decided> all = decide(claims, options, journal);
  const Setting setting{options.full, options.seed, made_by("claims", argc, argv, journal, found)};
  journal.check_in_place();
  const nlohmann::ordered_json results = json_of(all, setting);
  write_together({{options.out / (stem + ".json"), json_text(results)}, {options.out / page, page_of(results)}});
  say(fmt::format("report: {}\nclaims: {}\n", (options.out / page).string(), counts_text(all)));
  if (options.into.empty()) return;
  const std::vector<Decided> together = put_into(options.into, all);
  write_together({{options.into, json_of(together, setting).dump() + "\n"}});
  say(fmt::format("{}: {}\n", options.into.string(), counts_text(together)));
}

// False when --help or --list was asked for, and printed.
bool read_options(int argc, char** argv, Options& options) {
  CLI::App app("What the notes claim, decided by measurement: each claim by a rule that was fixed before.", "claims");
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_option("names", options.names, "claims or errata to decide: rms-faster, erratum-13 (default: all)")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_flag("--full", options.full, "ten seeds instead of five, larger models, deeper stacks");
  app.add_option("--seed", options.seed, "of all that is random")->capture_default_str()->check(whole_number_error<std::uint64_t>);
  app.add_option("--out", options.out, "directory for claims.json, report.html and what was measured so far")
      ->capture_default_str()
      ->check(empty_error);
  app.add_option("--into", options.into, "a claims.json to put these results into: all that they do not measure stays as it is")
      ->check(empty_error);
  app.add_option("--only", options.only, "of --full, the usual steps or those of four times as many: usual, long")
      ->check(CLI::IsMember({"usual", "long"}));
  app.add_option("--at", options.at, "where two models are compared, only places whose text has this, such as 'blocks 2'");
  app.add_flag("--keep", options.keep, "keep what another build of this program measured");
  app.add_flag("--list", options.list, "name all claims and errata");
  if (!parse_command_line(app, argc, argv)) return false;
  chosen(options);
  check<ValueError>(options.full || options.only != "long", "--only long: places at four times the steps are those of --full");
  if (!options.into.empty()) {
    check<ValueError>(committed({source_commit()}), "--into: the sources are at {}, which nobody can go back to: commit first",
                      source_commit());
    read_results(options.into);
  }
  if (!options.list) return true;
  for (const Claim& claim : all_claims()) say(fmt::format("{}\n  {}\n", name_of(claim), claim.says));
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  keep_standard_streams();
  when_stopped_say("stopped: what was measured is kept; the same command goes on from there");
  try {
    Options options;
    if (read_options(argc, argv, options)) run(options, argc, argv);
  } catch (const ValueError& error) {
    return complain("claims", error, 2);
  } catch (const std::exception& error) {
    return complain("claims", error, 1);
  }
  return 0;
}
