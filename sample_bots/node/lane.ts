import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { status, type ClientDuplexStream, type Metadata, type StatusObject } from '@grpc/grpc-js';
import type { ArenaServiceClient } from './gen/arena/v1/ArenaService.js';
import type { Event__Output as Event } from './gen/arena/v1/Event.js';
import { GoodbyeReason } from './gen/arena/v1/GoodbyeReason.js';
import type { Hello } from './gen/arena/v1/Hello.js';
import type { MatchOffered__Output as MatchOffered } from './gen/arena/v1/MatchOffered.js';
import type { PlayRequest } from './gen/arena/v1/PlayRequest.js';
import type { PlayResponse__Output as PlayResponse } from './gen/arena/v1/PlayResponse.js';
import { RejectionReason } from './gen/arena/v1/RejectionReason.js';
import { Evidence } from './deck.js';
import { choose } from './strategy.js';

const [FIRST_PAUSE, LAST_PAUSE] = [100, 10_000]; // milliseconds
const REFUSALS = [status.UNAUTHENTICATED, status.FAILED_PRECONDITION, status.INVALID_ARGUMENT];
const STRIKES: readonly number[] = [RejectionReason.REJECTION_REASON_NOT_LEGAL, RejectionReason.REJECTION_REASON_MALFORMED];
const ENDS: readonly number[] = [GoodbyeReason.GOODBYE_REASON_REPLACED, GoodbyeReason.GOODBYE_REASON_FINISHED];

// A lane is one seat: a stream, and another one when it breaks.
export class Lane {
  private readonly gone = new AbortController(); // there is nothing to come back for
  private stream?: ClientDuplexStream<PlayRequest, PlayResponse>;
  private evidence?: Evidence; // of the match in hand
  private welcomed = false; // on the stream in hand
  private leaving = false;

  // `hello` has the place in the match from which a new stream goes on.
  constructor(
    private readonly client: ArenaServiceClient,
    private readonly metadata: Metadata,
    private readonly hello: Hello,
  ) {}

  // Plays until nothing is left to play, or the bot is told to leave and its match has ended.
  async stay(patience: number): Promise<void> {
    for (let pause = FIRST_PAUSE, seen = performance.now(); !this.gone.signal.aborted; pause = Math.min(2 * pause, LAST_PAUSE)) {
      const { code, details } = await this.talk();
      if (this.gone.signal.aborted) return;
      if (this.welcomed) [pause, seen] = [FIRST_PAUSE, performance.now()];
      const away = performance.now() - seen;
      if (away >= patience || REFUSALS.includes(code)) throw new Error(`after ${(away / 1000).toFixed(1)} s: ${details}`);
      this.log(`the stream has ended (${status[code]} ${details}), once more in ${pause} ms`);
      await sleep(Math.min(pause, patience - away), undefined, { signal: this.gone.signal }).catch(() => {});
    }
  }

  // Ends the stream, and lets no other follow; not before the match in hand has ended, if not `atOnce`.
  leave(atOnce = false): void {
    this.leaving = true;
    if (this.evidence && !atOnce) return;
    this.gone.abort();
    this.stream?.cancel();
  }

  // One stream, from Hello to its end.
  private talk(): Promise<StatusObject> {
    this.welcomed = false;
    const stream = (this.stream = this.client.play(this.metadata));
    stream.write({ hello: this.hello });
    stream.on('data', ({ events }: PlayResponse) => events.forEach((event) => this.hear(event)));
    stream.on('error', () => {}); // the status says the same
    return new Promise((resolve) => stream.on('status', resolve));
  }

  // Takes note of an event, and answers it. Of a kind that this bot has never heard of the seq counts, and no more.
  private hear(event: Event): void {
    if (this.gone.signal.aborted) return; // the end of a match and the offer of the next one may come together
    if (event.seq && this.hello.resume) this.hello.resume.lastSeq = event.seq;
    this.evidence?.keep(event);
    if (event.welcome) {
      this.welcomed = true;
      this.log(`playing as ${event.welcome.bot}`);
    } else if (event.matchOffered) {
      this.begin(event.matchOffered, true);
    } else if (event.resumed?.offer) {
      this.begin(event.resumed.offer, event.resumed.awaitsReady);
    } else if (event.decision) {
      this.stream?.write({ choose: { decisionId: event.decision.decisionId, ...choose(event.decision) } });
    } else if (event.rejected) {
      const { reason, text, decisionId } = event.rejected;
      this.log(`refused: ${text}`);
      if (STRIKES.includes(reason)) this.stream?.write({ choose: { decisionId, index: 0, note: 'the first that is allowed' } });
    } else if (event.matchEnded && this.evidence) {
      this.log(`${event.matchEnded.text} decks: ${this.evidence.verdict(event.matchEnded.reveal)}`);
      this.evidence = this.hello.resume = undefined;
      if (this.leaving) this.leave();
    } else if (event.goodbye) {
      this.log(`goodbye: ${event.goodbye.text}`);
      if (ENDS.includes(event.goodbye.reason)) this.leave(true);
    }
  }

  // Takes up a match, and says Ready if that is still to be said.
  private begin(offer: MatchOffered, ready: boolean): void {
    const { matchId, seat } = offer;
    if (this.evidence?.offer.matchId !== matchId) {
      this.evidence = new Evidence(offer);
      this.hello.resume = { matchId, seat };
    }
    if (ready) this.stream?.write({ ready: { matchId, nonce: (this.evidence.nonce ??= randomBytes(16)) } });
  }

  private log(text: string): void {
    console.error(`lane ${this.hello.lane}: ${text}`);
  }
}
