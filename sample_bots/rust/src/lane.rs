//! One seat: a stream, and another one when it breaks.

use std::{io, io::Write, time::Duration};

use anyhow::{Result, bail, ensure};
use tokio::{sync::mpsc, sync::watch, task::spawn_blocking, time::Instant, time::sleep};
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::{Code, Request, Status, transport::Channel};

use crate::proto::GoodbyeReason::{Finished, Replaced};
use crate::proto::RejectionReason::{Malformed, NotLegal};
use crate::proto::{Choose, Hello, MatchOffered, PlayRequest, Ready, Resume, Resumed};
use crate::proto::{arena_service_client::ArenaServiceClient, choose::Choice, event::Kind, play_request::Message};
use crate::strategy::choose;

pub const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LAST_PAUSE: Duration = Duration::from_secs(10);
const LARGEST_MESSAGE: usize = 16 << 20;

#[derive(Clone)]
pub struct Lane {
    pub server: String,
    pub hello: Hello, // its `resume` is where the match in hand stands
    pub bearer: Option<MetadataValue<Ascii>>,
    pub patience: Duration,
    pub leaving: watch::Sender<bool>,
    pub pause: Duration,        // before the stream is opened again
    pub alone: Option<Instant>, // since when there is no arena
}

impl Lane {
    /// Plays until it is time to leave. An error would only come again.
    pub async fn play(mut self, channel: Channel) -> Result<()> {
        let mut client = ArenaServiceClient::new(channel).max_decoding_message_size(LARGEST_MESSAGE);
        while let Err(status) = self.talk(&mut client).await {
            let (code, why) = (status.code(), status.message());
            let refused = matches!(code, Code::Unauthenticated | Code::FailedPrecondition | Code::InvalidArgument);
            let left = self.patience.saturating_sub(self.alone.get_or_insert_with(Instant::now).elapsed());
            if refused || left.is_zero() {
                self.leaving.send_replace(true); // all lanes, each when its match is over
                ensure!(!refused, "{} refuses this bot: {why}", self.server);
                bail!("no arena at {} for {} s, giving up: {why}", self.server, self.patience.as_secs_f64());
            }
            self.say(&format!("the stream has ended ({why}), once more in {:?}", self.pause));
            let Some(()) = self.unless_leaving(sleep(self.pause.min(left))).await else { break };
            self.pause = LAST_PAUSE.min(2 * self.pause);
        }
        Ok(())
    }

    /// Holds one stream from Hello to its end. That is an error, unless it is time to leave.
    async fn talk(&mut self, client: &mut ArenaServiceClient<Channel>) -> Result<(), Status> {
        let (answers, outgoing) = mpsc::unbounded_channel();
        let send = |message| drop(answers.send(PlayRequest { message: Some(message) })); // receiving says why it fails
        send(Message::Hello(self.hello.clone()));
        let mut call = Request::new(UnboundedReceiverStream::new(outgoing));
        if let Some(bearer) = self.bearer.clone() {
            call.metadata_mut().insert("authorization", bearer);
        }
        let Some(stream) = self.unless_leaving(client.play(call)).await else { return Ok(()) };
        let mut stream = stream?.into_inner();
        while let Some(response) = self.unless_leaving(stream.message()).await {
            for event in response?.ok_or_else(|| Status::ok("closed by the arena"))?.events {
                if let Some(resume) = &mut self.hello.resume {
                    resume.last_seq = resume.last_seq.max(event.seq);
                }
                let Some(kind) = event.kind else { continue };
                match kind {
                    Kind::Welcome(welcome) => {
                        (self.pause, self.alone) = (FIRST_PAUSE, None);
                        self.say(&format!("playing as {}", welcome.bot));
                    }
                    Kind::MatchOffered(offer)
                    | Kind::Resumed(Resumed { offer: Some(offer), awaits_ready: true, .. }) => send(self.accept(offer)),
                    Kind::Resumed(Resumed { offer: Some(offer), .. }) => drop(self.accept(offer)),
                    Kind::Decision(decision) => {
                        let id = decision.decision_id;
                        // On a thread of its own, so that pings are answered however long it thinks.
                        let thought = spawn_blocking(move || choose(&decision)).await;
                        let (index, note) = thought.unwrap_or_else(|panic| (0, panic.to_string()));
                        send(answer(id, index, note));
                    }
                    Kind::Rejected(no) if matches!(no.reason(), Malformed | NotLegal) => {
                        self.say(&format!("refused: {}", no.text));
                        send(answer(no.decision_id, 0, "the first that is allowed".into()));
                    }
                    Kind::MatchEnded(end) => {
                        self.say(&format!("match {} has ended: {}", end.match_id, end.text));
                        self.hello.resume = None;
                    }
                    Kind::Goodbye(bye) if matches!(bye.reason(), Finished | Replaced) => return Ok(()),
                    Kind::Goodbye(bye) => return Err(Status::ok(bye.text)),
                    _ => {} // this bot has no use for it
                }
                // The end of a match and the offer of the next one may come together.
                if self.hello.resume.is_none() && *self.leaving.borrow() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Waits, but between matches not longer than until the bot is told to leave.
    async fn unless_leaving<T>(&self, what: impl Future<Output = T>) -> Option<T> {
        let mut leaving = self.leaving.subscribe();
        tokio::select! {
            result = what => Some(result),
            _ = leaving.wait_for(|told| *told), if self.hello.resume.is_none() => None,
        }
    }

    /// Takes a match in hand. The Ready for it brings this seat's share in the shuffle.
    fn accept(&mut self, offer: MatchOffered) -> Message {
        let (match_id, nonce) = (offer.match_id, rand::random::<[u8; 16]>().into());
        self.hello.resume.take_if(|known| known.match_id != match_id);
        self.hello.resume.get_or_insert(Resume { match_id: match_id.clone(), seat: offer.seat, last_seq: 0 });
        Message::Ready(Ready { match_id, nonce })
    }

    fn say(&self, text: &str) {
        say(&format!("lane {}: {text}", self.hello.lane));
    }
}

/// Writes a line to stderr; nobody need read it.
pub fn say(line: &str) {
    let _ = io::stderr().write_all(format!("{line}\n").as_bytes());
}

fn answer(decision_id: u64, index: u32, note: String) -> Message {
    Message::Choose(Choose { decision_id, choice: Some(Choice::Index(index)), note })
}
