//! A bot for Drawbridge Arena that plays every game. This file gets it in, lane.rs holds the conversation,
//! and strategy.rs, the one to change, decides.

use std::{env, fs, net::IpAddr, num::NonZeroU32, process::ExitCode, str::FromStr, time::Duration};

use anyhow::{Context, Result, ensure};
use tokio::signal::unix::{SignalKind, signal};
use tokio::{sync::watch, task::JoinSet, time::Instant};
use tonic::transport::{Certificate, ClientTlsConfig, Endpoint};

use lane::{FIRST_PAUSE, Lane};

mod lane;
mod strategy;
/// The messages and the client of the protocol, made by build.rs.
mod proto {
    tonic::include_proto!("arena.v1");
}

const STREAMS_ON_A_CONNECTION: usize = 64;

#[tokio::main]
async fn main() -> ExitCode {
    let Err(problem) = run().await else { return ExitCode::SUCCESS };
    lane::say(&format!("{problem:#}"));
    ExitCode::FAILURE
}

async fn run() -> Result<()> {
    let token: String = setting("ARENA_TOKEN", "", "a text")?;
    let server: String = setting("ARENA_SERVER", "", "a text")?;
    let endpoint = endpoint(&server, !token.is_empty())?;
    let lanes = setting::<NonZeroU32>("ARENA_LANES", "1", "a number from 1")?.get();
    let game: String = setting("ARENA_GAME", "", "a text")?;
    let hello = proto::Hello {
        protocol_version: 1,
        software_name: env!("CARGO_PKG_NAME").into(),
        software_version: env!("CARGO_PKG_VERSION").into(),
        games: game.split_whitespace().map(String::from).collect(),
        auto_draw: true,
        name: setting("ARENA_NAME", env!("CARGO_PKG_NAME"), "a text")?,
        ..Default::default()
    };
    let bearer = format!("Bearer {token}").parse().ok().context("ARENA_TOKEN is no token")?;
    let bearer = Some(bearer).filter(|_| !token.is_empty());
    let seconds = setting("ARENA_PATIENCE", "300", "a number of seconds")?;
    let patience = Duration::try_from_secs_f64(seconds).context("ARENA_PATIENCE is no number of seconds")?;

    // SIGTERM means: finish the match in hand, then leave. Each lane looks at this between matches.
    let (leaving, mut terminate) = (watch::Sender::new(false), signal(SignalKind::terminate())?);
    let leave = leaving.clone();
    tokio::spawn(async move { terminate.recv().await.map(|()| leave.send_replace(true)) });
    let mut lane = Lane { server, hello, bearer, patience, leaving, pause: FIRST_PAUSE, alone: Some(Instant::now()) };
    let channels = Vec::from_iter((0..lanes).step_by(STREAMS_ON_A_CONNECTION).map(|_| endpoint.connect_lazy()));
    let mut playing = JoinSet::new();
    for number in 0..lanes {
        lane.hello.lane = number;
        playing.spawn(lane.clone().play(channels[number as usize / STREAMS_ON_A_CONNECTION].clone()));
    }
    playing.join_all().await.into_iter().collect()
}

/// A variable of the environment. One that is empty is not set.
fn setting<T: FromStr>(name: &str, default: &str, what: &str) -> Result<T> {
    let text = env::var_os(name).filter(|text| !text.is_empty()).unwrap_or(default.into());
    text.to_str().and_then(|text| text.parse().ok()).with_context(|| format!("{name} is {what}: not {text:?}"))
}

/// How to reach the arena. A token goes over TLS or stays on this machine.
fn endpoint(server: &str, has_token: bool) -> Result<Endpoint> {
    let ca: String = setting("ARENA_CA", "", "a text")?;
    let (host, port) = server.rsplit_once(':').context("ARENA_SERVER is not HOST:PORT, such as 127.0.0.1:7878")?;
    ensure!(port.parse::<u16>().is_ok(), "ARENA_SERVER is not HOST:PORT: {server:?}");
    let host = host.trim_matches(['[', ']']);
    let is_here = host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    ensure!(is_here || !has_token || !ca.is_empty(), "the token would go to {server} in plain text: set ARENA_CA");
    let url = format!("{}://{server}", if ca.is_empty() { "http" } else { "https" });
    let endpoint = Endpoint::from_shared(url).context("ARENA_SERVER is not HOST:PORT")?;
    let beat = Duration::from_secs(10);
    let endpoint = endpoint.connect_timeout(beat).http2_keep_alive_interval(beat).keep_alive_timeout(beat);
    let tls = ClientTlsConfig::new().domain_name(host);
    let tls = match ca.as_str() {
        "" => return Ok(endpoint),
        "public" => tls.with_native_roots(),
        _ => {
            let pem = fs::read_to_string(&ca).with_context(|| format!("ARENA_CA: {ca}"))?;
            ensure!(pem.contains("-----BEGIN CERTIFICATE-----"), "ARENA_CA: {ca} holds no certificate in PEM form");
            tls.ca_certificate(Certificate::from_pem(pem))
        }
    };
    endpoint.tls_config(tls).with_context(|| format!("ARENA_CA: {ca}"))
}
