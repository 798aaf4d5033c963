import { once } from 'node:events';
import { connect } from 'node:net';
import { seededRandom } from '../../spdy/fuzz/mutate.ts';
import { acceptWebSocket } from '../src/websocket/accept.ts';
import { ChannelSocket } from '../src/websocket/channel-socket.ts';
import { type UpgradeServer, upgradeServer } from '../test/upgrade-server.ts';
import { damagedFrames } from './frames.ts';

const protocol = 'v5.channel.k8s.io';
const request = [
  'GET / HTTP/1.1',
  'Host: fuzz',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  `Sec-WebSocket-Protocol: ${protocol}`,
  '',
  '',
].join('\r\n');

/** What became of one connection. */
export interface Outcome {
  /** The server ended it for what it was sent. */
  isRefused: boolean;
  /** Bytes that came out of the channels. */
  receivedBytes: number;
}

/** A server with a v5 channel socket that takes what comes. `await using` ends it. */
export class FuzzedServer implements AsyncDisposable {
  readonly #server: UpgradeServer;
  readonly #outcomes: ((outcome: Outcome) => void)[] = [];

  private constructor(server: UpgradeServer) {
    this.#server = server;
  }

  static async start(): Promise<FuzzedServer> {
    const started: { self?: FuzzedServer } = {};
    const server = await upgradeServer((incoming, socket, head) => {
      let receivedBytes = 0;
      const channels = new ChannelSocket({
        socket: acceptWebSocket({
          request: incoming,
          socket,
          head,
          protocols: [protocol],
          closeTimeoutMs: 100,
        }),
        encoding: 'binary',
        sources: [0, 4],
        sinks: [1, 2, 3],
        closeSignal: 'receive',
      });
      for (const channel of [0, 4]) {
        channels.source(channel).receive({
          data(chunk) {
            receivedBytes += chunk.length;
          },
          end() {},
          closed() {},
        });
      }
      channels.closed.then((error) => {
        // Clients here leave without a close frame; anything else is the server's judgement.
        const isRefused = error !== null && !/without a close frame/.test(error.message);
        started.self?.settle({ isRefused, receivedBytes });
      });
    });
    started.self = new FuzzedServer(server);
    return started.self;
  }

  /** Sends one damaged conversation, cut into pieces anywhere, and leaves. */
  async converse(seed: number, frames: number): Promise<Outcome> {
    const random = seededRandom(seed);
    const outcome = new Promise<Outcome>((resolve) => this.#outcomes.push(resolve));
    const { hostname, port } = new URL(this.#server.url);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    socket.on('error', () => {});
    socket.resume();
    const bytes = damagedFrames(random, frames);
    const cut = random(bytes.length);
    socket.write(request);
    socket.write(bytes.subarray(0, cut));
    await new Promise(setImmediate);
    if (!socket.destroyed) socket.end(bytes.subarray(cut));
    if (!socket.closed) await once(socket, 'close');
    return outcome;
  }

  /** Tells whoever waits for the connection that is over. */
  settle(outcome: Outcome): void {
    this.#outcomes.shift()?.(outcome);
  }

  /** Connections that are still open. */
  openSockets(): number {
    return this.#server.openSockets();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }
}
