import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Metadata, status, type ClientDuplexStream, type StatusObject } from '@grpc/grpc-js';
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

export interface Contract {
  server: string;
  token: string;
  ca: string;
  name: string;
  games: string[];
  lanes: number;
  patience: number; // milliseconds
  seed: number;
}

const FIRST_PAUSE = 100; // milliseconds, as the others
const LAST_PAUSE = 10_000;
const HOPELESS = [status.UNAUTHENTICATED, status.FAILED_PRECONDITION, status.INVALID_ARGUMENT];

// A lane is one seat: a stream, and another one when it breaks.
export class Lane {
  private stream?: ClientDuplexStream<PlayRequest, PlayResponse>;
  private evidence?: Evidence; // of the match in hand
  private seq = 0; // the last event of it that was told
  private pause = FIRST_PAUSE;
  private leaving = false;
  private there = false; // this stream has had a Welcome
  private done = false; // there is nothing to come back for

  constructor(
    private readonly contract: Contract,
    private readonly number: number,
    private readonly client: ArenaServiceClient,
  ) {}

  // Plays until it is time to leave. Its error would only come again.
  async stay(): Promise<void> {
    const { server, patience } = this.contract;
    let seen = performance.now();
    for (; ; this.pause = Math.min(2 * this.pause, LAST_PAUSE)) {
      const { code, details } = await this.talk();
      if (this.there) seen = performance.now();
      this.there = false;
      if (HOPELESS.includes(code)) throw new Error(`the arena lets this bot in no more: ${details}`);
      if (this.done || (this.leaving && !this.evidence)) return;
      const left = seen + patience - performance.now();
      if (left <= 0) throw new Error(`no arena at ${server} for ${patience / 1000} s, giving up: ${details}`);
      this.log(`the stream has ended (${status[code]} ${details}), once more in ${this.pause} ms`);
      await sleep(Math.min(this.pause, left));
    }
  }

  // Leaves at once between matches, otherwise when the match has ended.
  leave(): void {
    this.leaving = true;
    if (this.evidence) return;
    this.done = true;
    this.stream?.end();
  }

  // One stream, from Hello to its end.
  private talk(): Promise<StatusObject> {
    const metadata = new Metadata();
    if (this.contract.token) metadata.set('authorization', `Bearer ${this.contract.token}`);
    const stream = (this.stream = this.client.play(metadata));
    stream.write({ hello: this.hello() });
    stream.on('data', ({ events }: PlayResponse) => {
      for (const event of events) {
        if (this.done) return; // the end of a match and the offer of the next one may come together
        const answer = this.hear(event);
        if (answer && stream.writable) stream.write(answer);
      }
    });
    stream.on('error', () => {}); // the status says the same
    return new Promise((resolve) => stream.on('status', resolve));
  }

  private hello(): Hello {
    const { games, name } = this.contract;
    const offer = this.evidence?.offer;
    const resume = offer && { matchId: offer.matchId, seat: offer.seat, lastSeq: this.seq };
    const software = { softwareName: 'node sample bot', softwareVersion: '1' };
    return { protocolVersion: 1, ...software, games, lane: this.number, autoDraw: true, name, resume };
  }

  // Takes note of an event and returns what to say to it, if anything.
  private hear(event: Event): PlayRequest | undefined {
    if (event.seq) this.seq = event.seq;
    if (event.welcome) {
      this.pause = FIRST_PAUSE;
      this.there = true;
      this.log(`playing as ${event.welcome.bot}`);
    } else if (event.matchOffered) {
      return this.accept(event.matchOffered);
    } else if (event.resumed?.offer) {
      const { offer, awaitsReady } = event.resumed;
      if (awaitsReady) return this.accept(offer);
      if (this.evidence?.offer.matchId !== offer.matchId) this.begin(offer);
    } else if (event.decision && this.evidence) {
      const { decisionId } = event.decision;
      return { choose: { decisionId, ...choose(event.decision, this.evidence.offer, this.contract.seed) } };
    } else if (event.rejected) {
      const { reason, text, decisionId } = event.rejected;
      if (reason === RejectionReason.REJECTION_REASON_NOT_LEGAL || reason === RejectionReason.REJECTION_REASON_MALFORMED) {
        this.log(`refused: ${text}`);
        return { choose: { decisionId, index: 0, note: 'the first that is allowed' } };
      }
    } else if (event.dealStarted || event.handDealt) {
      this.evidence?.keep(event);
    } else if (event.matchEnded) {
      this.log(event.matchEnded.text);
      if (this.evidence) this.log(`decks: ${this.evidence.verdict(event.matchEnded.reveal)}`);
      this.evidence = undefined;
      if (this.leaving) this.leave();
    } else if (event.goodbye) {
      const { reason, text } = event.goodbye;
      this.log(`goodbye: ${text}`);
      this.done = reason === GoodbyeReason.GOODBYE_REASON_REPLACED || reason === GoodbyeReason.GOODBYE_REASON_FINISHED;
    }
    return undefined; // a kind of event that this bot has no use for, or has never heard of
  }

  private accept(offer: MatchOffered): PlayRequest {
    const nonce = randomBytes(16);
    this.begin(offer, nonce);
    return { ready: { matchId: offer.matchId, nonce } };
  }

  private begin(offer: MatchOffered, nonce?: Buffer): void {
    this.evidence = new Evidence(offer, nonce);
    this.seq = 0;
  }

  private log(text: string): void {
    console.error(`lane ${this.number}: ${text}`);
  }
}
