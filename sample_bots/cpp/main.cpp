// A bot for Drawbridge Arena that plays every game. This file gets it in, lane.hpp holds the conversation, and
// strategy.cpp, the one to change, decides.
#include <csignal>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <iostream>
#include <regex>
#include <stdexcept>
#include <thread>

#include "lane.hpp"

// A connection to the arena. A token goes over TLS or stays on this machine.
static std::shared_ptr<grpc::Channel> connection(const std::string& server, const std::string& ca) {
  const std::regex loopback(R"((localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?)"), word("[!-~]*");
  if (server.empty()) throw std::runtime_error("ARENA_SERVER is not set: it says where the arena is, as HOST:PORT");
  if (!std::regex_match(variable("ARENA_TOKEN"), word)) throw std::runtime_error("ARENA_TOKEN is not one word");
  if (ca.empty() && !variable("ARENA_TOKEN").empty() && !std::regex_match(server, loopback))
    throw std::runtime_error("the token would go to " + server + " in plain text: set ARENA_CA");
  std::string trusted;  // nothing: what browsers trust
  if (ca != "public") std::getline(std::ifstream(ca), trusted, '\0');
  if (!ca.empty() && ca != "public" && trusted.find("-----BEGIN CERTIFICATE-----") == std::string::npos)
    throw std::runtime_error("ARENA_CA: there are no certificates in " + ca);
  grpc::ChannelArguments settings;
  settings.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 10000);
  settings.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);  // as many as it takes
  settings.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1000);   // the pauses of a lane are longer
  settings.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);     // a connection of its own
  settings.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, !ca.empty());   // plain text is for this machine, not for a proxy
  settings.SetMaxReceiveMessageSize(16 << 20);
  const auto tls = grpc::SslCredentials({trusted, "", ""});
  return grpc::CreateCustomChannel(server, ca.empty() ? grpc::InsecureChannelCredentials() : tls, settings);
}

int main() try {
  setenv("GRPC_VERBOSITY", "NONE", 0);  // what is wrong with a stream its status says
  std::signal(SIGPIPE, SIG_IGN);
  for (int each : {SIGTERM, SIGINT}) std::signal(each, [](int) { leaving = true; });
  std::deque<Lane> lanes;
  std::shared_ptr<grpc::Channel> channel;
  std::atomic<int> running = number("ARENA_LANES", 1, 1, 4096);
  for (int lane = 0, all = running; lane < all; ++lane) {
    if (lane % 64 == 0) channel = connection(variable("ARENA_SERVER"), variable("ARENA_CA"));  // none has more streams
    std::thread([&running, &seat = lanes.emplace_back(channel, lane)] { seat.stay(), --running; }).detach();
  }
  for (; running > 0; std::this_thread::sleep_for(std::chrono::milliseconds(50)))
    for (Lane& lane : lanes) lane.end_when_done();
  return failed;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return EXIT_FAILURE;
}
