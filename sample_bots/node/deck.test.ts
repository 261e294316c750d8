import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { commit, deckSeed, Evidence, firstDealer, shuffled } from './deck.js';
import type { MatchOffered__Output as MatchOffered } from './gen/arena/v1/MatchOffered.js';

const path = process.env.DECK_VECTORS ?? new URL('../../../tests/vectors/deck.json', import.meta.url);
const vectors = JSON.parse(readFileSync(path, 'utf8'));
const secret = Buffer.from(vectors.server_seed, 'hex');
const nonces: Buffer[] = vectors.nonces.map((nonce: string) => Buffer.from(nonce, 'hex'));
const seed = deckSeed(secret, vectors.id, nonces);
const text = (card: number): string => '23456789TJQKA'.charAt((card & 15) - 2) + '-CDHS'.charAt(card >> 4);

test('the vectors of arena-deck-1 are dealt again', () => {
  assert.equal(commit(vectors.id, secret).toString('hex'), vectors.commit);
  assert.equal(seed.toString('hex'), vectors.seed);
  assert.equal(firstDealer(seed, 2), 1);
  for (const { label, deal, deck } of vectors.decks) assert.deepEqual(shuffled(seed, label, deal).map(text), deck);
});

test('a card, a share or a secret that was changed is found out', () => {
  const offer = { matchId: vectors.id, game: 'draw-bridge', seat: 0, sides: [0, 1], commitment: commit(vectors.id, secret) };
  const reveal = { setId: vectors.id as string, serverSeed: secret, ratings: [], nonces };
  const hand = shuffled(seed, 'draw-bridge', 0).filter((_, place) => place < 26 && place % 2 === 0);
  const evidence = new Evidence(offer as unknown as MatchOffered, nonces[0]);
  evidence.deals.push({ number: 0, dealer: 1, hand });
  assert.equal(evidence.lie(reveal), undefined);
  assert.match(evidence.lie({ ...reveal, serverSeed: nonces[0]! }) ?? '', /secret/);
  assert.match(evidence.lie({ ...reveal, nonces: [nonces[1]!, nonces[1]!] }) ?? '', /share/);
  evidence.deals[0]!.hand = [...hand.slice(1), shuffled(seed, 'draw-bridge', 0)[1]!];
  assert.match(evidence.lie(reveal) ?? '', /deal 0: card/);
});
