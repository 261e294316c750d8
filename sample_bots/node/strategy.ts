import { CallKind } from './gen/arena/v1/CallKind.js';
import type { Call__Output as Call } from './gen/arena/v1/Call.js';
import type { Decision__Output as Decision } from './gen/arena/v1/Decision.js';
import type { View__Output as View } from './gen/arena/v1/View.js';

const suit = (card: number): number => card >> 4;
const rank = (card: number): number => card & 15;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

// The strategy: the index of a legal action, and a note for the replay. It knows nothing but the question, so a broken
// stream costs it nothing.
export function choose({ view, legal }: Decision): { index: number; note: string } {
  const worths = legal.map(({ call, discard, play }) => {
    if (view && call) return worthOfCall(call, view.hand);
    if (view && play) return worthOfCard(play.card, view);
    return discard ? -sum(discard.cards.map(rank)) : 0; // 0: a draw, or of a kind that is new to this bot
  });
  const most = Math.max(...worths);
  return { index: worths.indexOf(most), note: `worth ${most}, best of ${legal.length}` };
}

// 0 for a pass, more for a bid that the hand can make, less for all others. It counts in half tricks: honours, and
// trumps beyond the other cards; for a bid that names no trump the honours alone.
function worthOfCall({ kind, level, strain }: Call, hand: readonly number[]): number {
  if (kind !== CallKind.CALL_KIND_BID) return CallKind.CALL_KIND_PASS - kind;
  const honours = sum(hand.map((card) => Math.max(0, rank(card) - 11)));
  const trumps = hand.filter((card) => suit(card) === strain).length;
  return honours - 2 * level + (strain ? 2 * trumps - hand.length : 0);
}

// Likes to win a trick as cheaply as it can, and to throw the lowest card where it cannot or need not.
function worthOfCard(card: number, { table, trump, phase, seat, shown }: View): number {
  const trick: readonly number[] = table?.cards ?? [];
  const wanted = phase !== 'draw' || rank(shown) > 9; // a trick of the draw phase wins the card that is shown
  if (wanted && trick.length === 0) return rank(card);
  const holder = trick.reduce((best, other, place) => (beats(other, trick[best]!, trump) ? place : best), 0);
  const partners = ((table?.leader ?? 0) + holder - seat) % 2 === 0; // they sit opposite each other
  return wanted && !partners && beats(card, trick[holder]!, trump) ? 100 - rank(card) : -rank(card);
}

function beats(card: number, holder: number, trump: number): boolean {
  return suit(card) === suit(holder) ? card > holder : suit(card) === trump;
}
