// A bot for Drawbridge Arena that plays every game. This file gets it in, lane.ts holds the conversation,
// and strategy.ts, the one to change, decides.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as grpc from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import type { ProtoGrpcType } from './gen/arena.js';
import { Lane } from './lane.js';

const LANES_PER_CONNECTION = 64; // an arena allows so many streams on one

// The launch contract: what the arena, or a person, puts into the environment.
const { ARENA_SERVER: server, ARENA_TOKEN: token, ARENA_CA: ca, ARENA_GAME: game, ARENA_NAME: name } = process.env;
const loopback = /^(localhost|127(\.\d+){3}|\[::1\]):\d+$/.test(server ?? '');

function number(setting: string, fallback: string, form: RegExp): number {
  const text = process.env[setting] || fallback;
  if (!form.test(text) || !Number(text)) throw new Error(`${setting} is a number, such as ${fallback}: not "${text}"`);
  return Number(text);
}

// A token goes over TLS or stays on this machine.
function credentials(): grpc.ChannelCredentials {
  if (ca === 'public') return grpc.credentials.createSsl();
  const trusted = ca && existsSync(ca) ? readFileSync(ca) : Buffer.alloc(0);
  if (ca && !trusted.includes('BEGIN CERTIFICATE')) throw new Error(`ARENA_CA: there is no certificate in ${ca}`);
  if (ca) return grpc.credentials.createSsl(trusted);
  if (token && !loopback) throw new Error(`the token would go to ${server} in plain text: set ARENA_CA`);
  return grpc.credentials.createInsecure();
}

async function main(): Promise<void> {
  if (!server) throw new Error('ARENA_SERVER is not set: it says where the arena is, such as 127.0.0.1:7878');
  const patience = 1000 * number('ARENA_PATIENCE', '300', /^\d*\.?\d+$/);
  const count = number('ARENA_LANES', '1', /^\d+$/);
  const metadata = new grpc.Metadata();
  if (token) metadata.set('authorization', `Bearer ${token}`);
  const definition = loadSync('arena/v1/arena.proto', {
    includeDirs: [fileURLToPath(new URL('../../../proto', import.meta.url))],
    longs: Number, defaults: true, arrays: true, oneofs: true,
  });
  const { ArenaService } = (grpc.loadPackageDefinition(definition) as unknown as ProtoGrpcType).arena.v1;
  const connect = () => new ArenaService(server, credentials(), {
    'grpc.use_local_subchannel_pool': 1, // or all clients would share a connection
    'grpc.enable_http_proxy': loopback ? 0 : 1,
    'grpc.max_receive_message_length': 16 * 2 ** 20,
    'grpc.keepalive_time_ms': 10_000, 'grpc.keepalive_timeout_ms': 10_000,
    'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 1000,
  });
  const clients = Array.from({ length: Math.ceil(count / LANES_PER_CONNECTION) }, connect);
  const lanes = Array.from({ length: count }, (_, lane) => new Lane(clients[Math.floor(lane / LANES_PER_CONNECTION)]!, metadata, {
    protocolVersion: 1, softwareName: 'node sample bot', softwareVersion: '1',
    games: game ? [game] : [], lane, autoDraw: true, name: name || 'node_bot',
  }));
  // SIGTERM means: finish the match in hand, then leave. A lane that fails tells the others the same.
  const leave = (): void => lanes.forEach((lane) => lane.leave());
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, leave);
  setInterval(() => {}, 60_000); // gRPC's own timers keep no program alive while the arena is away
  const endings = await Promise.allSettled(lanes.map((lane) => lane.stay(patience).catch((error: Error) => {
    leave();
    throw new Error(`giving up ${server} ${error.message}`);
  })));
  for (const ending of endings) if (ending.status === 'rejected') throw ending.reason;
}

main().then(() => process.exit(0), (error: Error) => {
  console.error(error.message);
  process.exit(1);
});
