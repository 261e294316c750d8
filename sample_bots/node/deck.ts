import { createHash, createHmac } from 'node:crypto';
import type { Event__Output as Event } from './gen/arena/v1/Event.js';
import type { MatchOffered__Output as MatchOffered } from './gen/arena/v1/MatchOffered.js';
import type { Reveal__Output as Reveal } from './gen/arena/v1/Reveal.js';

// What a seat saw of a match's cards: with the arena's secret it proves the decks (arena-deck-1).
export class Evidence {
  readonly deals: { number: number; dealer: number; hand: readonly number[] }[] = [];

  // The nonce is unknown to a bot that was started in the middle of the match.
  constructor(readonly offer: MatchOffered, public nonce?: Buffer) {}

  keep({ dealStarted, handDealt }: Event): void {
    if (dealStarted) this.deals.push({ number: dealStarted.dealNo, dealer: dealStarted.dealer, hand: [] });
    const deal = this.deals.at(-1);
    if (deal && handDealt?.seat === this.offer.seat) deal.hand = handDealt.cards;
  }

  // A line for people about all decks of the match.
  verdict(reveal: Reveal | null): string {
    if (!reveal?.nonces.length) return 'nothing to prove them with';
    const lie = this.lie(reveal);
    return lie ? `NOT FAIR: ${lie}` : `fair, ${this.deals.length} deals dealt again`;
  }

  // What was not as promised, if anything. Cards go round from the seat after the dealer, one at a time.
  lie({ setId, serverSeed, nonces }: Reveal): string | undefined {
    const { matchId, game, seat, sides } = this.offer;
    const seats = sides.length;
    if (!commit(matchId, serverSeed).equals(this.offer.commitment)) return 'the secret is not the one that was promised';
    if (setId === matchId && this.nonce && !nonces[seat]?.equals(this.nonce)) return "this seat's share was changed";
    const seed = deckSeed(serverSeed, setId, nonces);
    for (const { number, dealer, hand } of this.deals) {
      if (number === 0 && dealer !== firstDealer(seed, seats)) return 'deal 0 has another dealer';
      const deck = shuffled(seed, game, number);
      const first = (seat - dealer - 1 + seats) % seats;
      const missing = hand.map((_, round) => deck[first + round * seats]!).find((card) => !hand.includes(card));
      if (missing !== undefined) return `deal ${number}: card ${missing} should have been in the hand`;
    }
    return undefined;
  }
}

const sha256 = (...parts: (string | Buffer)[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();

function u32be(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function u64be(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

function lp(part: string | Buffer): Buffer {
  const bytes = Buffer.from(part as string);
  return Buffer.concat([u32be(bytes.length), bytes]);
}

export function commit(matchId: string, serverSeed: Buffer): Buffer {
  return sha256('arena-commit-1', lp(matchId), lp(serverSeed));
}

export function deckSeed(serverSeed: Buffer, setId: string, nonces: readonly Buffer[]): Buffer {
  return nonces
    .reduce((mac, nonce) => mac.update(lp(nonce)), createHmac('sha256', serverSeed).update('arena-seed-1').update(lp(setId)))
    .digest();
}

export function firstDealer(seed: Buffer, seats: number): number {
  return sha256('arena-dealer-1', lp(seed))[0]! % seats;
}

// The deck of a deal, its top first.
export function shuffled(seed: Buffer, game: string, dealNo: number): number[] {
  const [size, ranks] = game === 'smear' ? [32, 8] : [52, 13];
  const deck = Array.from({ length: size }, (_, k) => 16 * (1 + Math.floor(k / ranks)) + 15 - ranks + (k % ranks));
  const bytes = stream(seed, game, dealNo);
  for (let i = size - 1; i > 0; ) {
    const b = bytes.next().value;
    if (b >= 256 - (256 % (i + 1))) continue; // it would favour some cards
    const j = b % (i + 1);
    [deck[i], deck[j]] = [deck[j]!, deck[i]!];
    i -= 1;
  }
  return deck;
}

function* stream(seed: Buffer, game: string, dealNo: number): Generator<number, never> {
  for (let i = 0; ; i += 1) yield* sha256('arena-deck-1', lp(seed), lp(game), u64be(dealNo), u32be(i));
}
