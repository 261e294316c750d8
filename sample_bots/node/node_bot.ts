// A bot for Drawbridge Arena that plays every game. This file gets it in, lane.ts holds the conversation,
// and strategy.ts, the one to change, decides.
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { fileURLToPath } from 'node:url';
import * as grpc from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import type { ProtoGrpcType } from './gen/arena.js';
import { Lane, type Contract } from './lane.js';

// The launch contract: what the arena, or a person, puts into the environment.
function fromEnvironment(env: NodeJS.ProcessEnv): Contract {
  if (!env.ARENA_SERVER) throw new Error('ARENA_SERVER is not set: it says where the arena is, such as 127.0.0.1:7878');
  return {
    server: env.ARENA_SERVER,
    token: env.ARENA_TOKEN ?? '',
    ca: env.ARENA_CA ?? '',
    name: env.ARENA_NAME || 'node_bot',
    games: env.ARENA_GAME ? [env.ARENA_GAME] : [],
    lanes: integer('ARENA_LANES', env.ARENA_LANES || '1', 1),
    patience: seconds('ARENA_PATIENCE', env.ARENA_PATIENCE || '300') * 1000,
    seed: env.ARENA_SEED ? integer('ARENA_SEED', env.ARENA_SEED) : randomInt(2 ** 47),
  };
}

function integer(name: string, text: string, least = Number.MIN_SAFE_INTEGER): number {
  const value = Number(text);
  if (!/^[+-]?\d+$/.test(text) || value < least) throw new Error(`${name} is an integer, ${least} at least: not "${text}"`);
  return value;
}

function seconds(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0 && value < 1e9)) throw new Error(`${name} is a number of seconds above 0: not "${text}"`);
  return value;
}

// A token goes over TLS or stays on this machine.
function credentials({ server, token, ca }: Contract): grpc.ChannelCredentials {
  if (ca === 'public') return grpc.credentials.createSsl();
  if (ca) return grpc.credentials.createSsl(readFileSync(ca));
  if (token && !isLoopback(server)) throw new Error(`the token would go to ${server} in plain text: set ARENA_CA`);
  return grpc.credentials.createInsecure();
}

function isLoopback(server: string): boolean {
  const host = /^\[(.*)\](:\d+)?$/.exec(server)?.[1] ?? server.replace(/:\d+$/, '');
  const home = new BlockList();
  home.addSubnet('127.0.0.0', 8);
  home.addAddress('::1', 'ipv6');
  return host === 'localhost' || (isIP(host) !== 0 && home.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4'));
}

async function main(): Promise<void> {
  const contract = fromEnvironment(process.env);
  const proto = fileURLToPath(new URL('../../../proto', import.meta.url));
  const definition = loadSync('arena/v1/arena.proto', {
    includeDirs: [proto], longs: Number, defaults: true, arrays: true, oneofs: true,
  });
  const { arena } = grpc.loadPackageDefinition(definition) as unknown as ProtoGrpcType;
  const client = new arena.v1.ArenaService(contract.server, credentials(contract), {
    'grpc.keepalive_time_ms': 10_000,
    'grpc.keepalive_timeout_ms': 10_000,
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 1000,
    ...(isLoopback(contract.server) && { 'grpc.enable_http_proxy': 0 }),
  });
  const lanes = Array.from({ length: contract.lanes }, (_, number) => new Lane(contract, number, client));
  // SIGTERM means: finish the match in hand, then leave.
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => lanes.forEach((lane) => lane.leave()));
  // gRPC's own timers keep no program alive: without this one the bot would end while the arena is away.
  const alive = setInterval(() => {}, 60_000);
  try {
    await Promise.all(lanes.map((lane) => lane.stay()));
  } finally {
    clearInterval(alive);
    client.close();
  }
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
