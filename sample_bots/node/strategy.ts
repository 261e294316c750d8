import { createHash } from 'node:crypto';
import type { Call__Output as Call } from './gen/arena/v1/Call.js';
import { CallKind } from './gen/arena/v1/CallKind.js';
import type { Decision__Output as Decision } from './gen/arena/v1/Decision.js';
import type { MatchOffered__Output as MatchOffered } from './gen/arena/v1/MatchOffered.js';
import type { View__Output as View } from './gen/arena/v1/View.js';

const suit = (card: number): number => card >> 4;
const rank = (card: number): number => card & 15;

// The strategy: the index of a legal action, and a note for the replay. It needs nothing but its arguments,
// so a broken stream costs it nothing. With the same seed it chooses the same way again.
export function choose({ decisionId, view, legal }: Decision, offer: MatchOffered, seed: number): { index: number; note: string } {
  let index = 0;
  let most = -Infinity;
  for (const [place, action] of legal.entries()) {
    let worth = dice(seed, decisionId, place) / 10; // who knows nothing better rolls dice
    if (view && action.call) worth += worthOfCall(action.call, view);
    if (view && action.discard) worth -= action.discard.cards.reduce<number>((sum, card) => sum + keeping(card, view.hand), 0);
    if (view && action.play) worth += worthOfCard(action.play.card, view, offer);
    if (worth > most) [index, most] = [place, worth];
  }
  return { index, note: `${view?.phase}: worth ${most.toFixed(1)}, best of ${legal.length}` };
}

// A number from 0 to 1 that is the same again for the same arguments.
function dice(...of: number[]): number {
  return createHash('sha256').update(of.join()).digest().readUInt32BE() / 2 ** 32;
}

// Likes the lowest bid that the hand can make, a pass (0) more than one that it cannot.
function worthOfCall({ kind, level, strain }: Call, { hand }: View): number {
  if (kind === CallKind.CALL_KIND_PASS) return 0;
  if (kind !== CallKind.CALL_KIND_BID) return -1; // it never doubles
  const need = strain ? level + 6 : 1.5 * level + 2; // tricks of 13; where bids name no strain, points of four
  const shown = Math.max(...(strain ? [strain] : [1, 2, 3, 4]).map((trump) => tricks(hand, trump)));
  return shown < need ? shown - need : 10 - level + shown / 100;
}

// What a hand may win: high cards, and every trump when there are four or more.
function tricks(hand: readonly number[], trump: number): number {
  const high = hand.reduce((sum, card) => sum + Math.max(0, rank(card) - 11) / 2, 0);
  const trumps = hand.filter((card) => suit(card) === trump).length;
  return trumps < 4 ? high : high + trumps;
}

// Likes to win a trick as cheaply as it can, and to throw its lowest card where it cannot or need not. Tricks that only
// bring cards it wants when the card to be won lies there, and is a good one.
function worthOfCard(card: number, { table, trump, phase, hand, seat, shown }: View, { sides }: MatchOffered): number {
  const wanted = phase !== 'draw' || rank(shown) >= 10 || (shown !== 0 && suit(shown) === trump);
  const cost = keeping(card, hand) + (suit(card) === trump ? 10 : 0);
  const trick: readonly number[] = table?.cards ?? [];
  const [led, ...others] = trick;
  if (led === undefined) {
    // The first lead of a deal that counts may name trump.
    if (phase === 'play' && !trump) return tricks(hand, suit(card)) + cost / 100;
    return wanted ? rank(card) - cost / 100 : -cost;
  }
  const holder = others.reduce((best, other) => (beats(other, best, trump) ? other : best), led);
  const winner = ((table?.leader ?? 0) + trick.indexOf(holder)) % sides.length;
  return wanted && sides[winner] !== sides[seat] && beats(card, holder, trump) ? 100 - cost : -cost;
}

// What it is worth to have a card in a hand: high ones, and those of a long suit.
function keeping(card: number, hand: readonly number[]): number {
  return rank(card) + hand.filter((other) => suit(other) === suit(card)).length / 2;
}

// Whether a card takes the trick from the one that holds it.
function beats(card: number, holder: number, trump: number): boolean {
  return suit(card) === suit(holder) ? rank(card) > rank(holder) : suit(card) === trump;
}
