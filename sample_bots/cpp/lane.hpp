// The conversation with the arena, as proto/README.md tells it.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>

#include <grpc/support/time.h>
#include <grpcpp/grpcpp.h>

#include "arena/v1/arena.grpc.pb.h"
#include "strategy.hpp"

// The launch contract: what the arena, or a person, puts into the environment.
inline std::string variable(const char* name, const std::string& otherwise = "") {
  return std::getenv(name) && *std::getenv(name) ? std::getenv(name) : otherwise;
}

template <class Number> Number number(const char* name, Number otherwise, Number least, Number most) {
  std::istringstream text(variable(name, std::to_string(otherwise)));
  if (Number value; text >> value && text.eof() && value >= least && value <= most) return value;
  throw std::runtime_error(name + (" is a number, at least " + std::to_string(least)) + ": not " + text.str());
}

inline std::atomic<bool> leaving = false, failed = false;  // no match begins any more; nothing can help it

// One seat: a stream, and another one when it breaks. Times are in seconds.
class Lane {
  const std::shared_ptr<grpc::Channel> channel_;
  const std::string token_ = variable("ARENA_TOKEN");
  const std::int64_t seed_ = number<std::int64_t>("ARENA_SEED", std::random_device()(), INT64_MIN, INT64_MAX);
  const double patience_ = number("ARENA_PATIENCE", 300.0, 0.0, 1e9);
  arena::v1::Hello hello_;  // of the next stream, which goes on where this one got
  std::atomic<bool> playing_ = false, finished_ = false;
  std::shared_ptr<grpc::ClientContext> context_;  // of the stream

  static double now() { return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::duration<double>(1); }
  bool done() const { return finished_ || (leaving && !playing_); }
  void say(const std::string& text) const { std::cerr << "lane " + std::to_string(hello_.lane()) + ": " + text + "\n"; }

  void fail(const std::string& why) { if (leaving = true; !failed.exchange(true)) say(why); }  // for all lanes

  // Takes note of an event and returns what to say to it, if anything. What it has no use for, or has never heard of,
  // it passes by; a kind that an event is not of reads as empty.
  arena::v1::PlayRequest hear(const arena::v1::Event& event) {
    arena::v1::PlayRequest answer;
    if (event.has_welcome()) say("playing as " + event.welcome().bot());
    if (event.has_match_ended()) say("the match has ended: " + event.match_ended().text());
    if (event.has_goodbye()) say("goodbye: " + event.goodbye().text());
    if (event.seq() > 0) hello_.mutable_resume()->set_last_seq(event.seq());
    if (event.has_match_ended() || event.has_match_offered()) hello_.clear_resume();
    if (event.has_resumed() || (event.has_match_offered() && !leaving)) {
      const arena::v1::MatchOffered& match = event.has_resumed() ? event.resumed().offer() : event.match_offered();
      hello_.mutable_resume()->set_match_id(match.match_id());
      hello_.mutable_resume()->set_seat(match.seat());
    }
    playing_ = hello_.has_resume();
    if (playing_ && (event.has_match_offered() || event.resumed().awaits_ready())) {
      answer.mutable_ready()->set_match_id(hello_.resume().match_id());
      for (int byte = 0; byte < 16; ++byte) answer.mutable_ready()->mutable_nonce()->push_back(std::random_device()());
    }
    if (event.has_decision()) *answer.mutable_choose() = choose(event.decision(), seed_);
    if (event.has_rejected() && event.rejected().reason() <= arena::v1::REJECTION_REASON_MALFORMED) {  // a strike
      say("refused: " + event.rejected().text());
      answer.mutable_choose()->set_decision_id(event.rejected().decision_id());
      answer.mutable_choose()->set_index(0);
      answer.mutable_choose()->set_note("the first that is allowed");
    }
    const auto why = event.goodbye().reason();
    finished_ = finished_ || why == arena::v1::GOODBYE_REASON_REPLACED || why == arena::v1::GOODBYE_REASON_FINISHED;
    return answer;
  }

 public:
  Lane(const std::shared_ptr<grpc::Channel>& channel, int number) : channel_(channel) {
    hello_.set_protocol_version(1);
    hello_.set_software_name("C++ sample bot");
    hello_.set_name(variable("ARENA_NAME", "cpp_bot"));
    hello_.set_lane(number);
    hello_.set_auto_draw(true);
    if (const std::string game = variable("ARENA_GAME"); !game.empty()) hello_.add_games(game);
  }

  // Plays until there is no more to play.
  void stay() {
    const std::set<int> final = {grpc::UNAUTHENTICATED, grpc::FAILED_PRECONDITION, grpc::INVALID_ARGUMENT};
    for (double pause = 0, patient_until = now() + patience_; !done();) {
      const auto context = std::make_shared<grpc::ClientContext>();
      std::atomic_store(&context_, context);
      if (!token_.empty()) context->AddMetadata("authorization", "Bearer " + token_);
      const auto stream = arena::v1::ArenaService::NewStub(channel_)->Play(context.get());
      arena::v1::PlayRequest request;
      *request.mutable_hello() = hello_;
      stream->Write(request);  // what it returns needs no look: when a stream breaks, Read and Finish say so
      for (arena::v1::PlayResponse response; !done() && stream->Read(&response); pause = 0)  // the first has a Welcome
        for (const arena::v1::Event& event : response.events())
          if (request = hear(event); request.message_case() && !done()) stream->Write(request);
      const grpc::Status status = stream->Finish();
      if (done()) return;
      if (final.count(status.error_code())) return fail(status.error_message());
      if (pause == 0) patient_until = now() + patience_;
      const auto lost = "no arena at " + variable("ARENA_SERVER") + " for " + variable("ARENA_PATIENCE", "300") + " s";
      if (now() >= patient_until) return fail(lost + ", giving up: " + status.error_message());
      pause = std::clamp(2 * pause, 0.1, 10.0);
      say("stream ended (" + status.error_message() + "), once more in " + std::to_string(int(1000 * pause)) + " ms");
      for (const double until = std::min(now() + pause, patient_until); now() < until && !done();)
        channel_->WaitForStateChange(channel_->GetState(true), gpr_time_from_millis(10, GPR_TIMESPAN));  // it connects
    }
  }

  // Ends the stream if no more is to come on it. For another thread to call.
  void end_when_done() { if (auto context = std::atomic_load(&context_); context && done()) context->TryCancel(); }
};
