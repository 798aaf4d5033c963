import type { ServerResponse } from 'node:http';
import {
  acceptWebSocket,
  isWebSocketRequest,
  type MessageSocket,
  UpgradeError,
  type UpgradeExchange,
  webSocketProtocols,
} from '@wherry/upgrade';
import { webSocketTokenPrefix } from '../authentication/authenticator.ts';
import { contentTypeOf, type MediaType } from '../http/negotiation.ts';
import type { Wire } from '../registry/handler.ts';

/** Where the frames of a watch go, its answer begun. */
export interface WatchDoor {
  /** Takes whole frames; false means: wait for {@link drained}. Nothing is taken after the end. */
  write(frames: Buffer): boolean;
  /** Resolves when there is room again, or nobody is there any more. */
  drained(): Promise<void>;
  /** Bytes that the client has not taken yet. */
  readonly bufferedBytes: number;
  /** Resolves when nothing is left to do. */
  end(): Promise<void>;
}

/** Begins the answer; undefined when the client's handshake was broken, and was told so. */
export function openWatchDoor({ exchange, response }: Wire, media: MediaType): WatchDoor | undefined {
  if (!isSocketWatch(exchange)) return new ResponseDoor(response(), media);
  const socket = accept(exchange);
  return socket && new SocketDoor(socket, media);
}

/** True when the watch is to come as messages. */
export function isSocketWatch(exchange: UpgradeExchange | undefined): exchange is UpgradeExchange {
  return exchange !== undefined && isWebSocketRequest(exchange.request);
}

/** The body of an HTTP answer. */
class ResponseDoor implements WatchDoor {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse, media: MediaType) {
    this.#response = response;
    response.writeHead(200, {
      'content-type': contentTypeOf(media, true),
      'cache-control': 'no-cache, private',
    });
    response.flushHeaders();
  }

  get bufferedBytes(): number {
    return this.#response.writableLength;
  }

  write(frames: Buffer): boolean {
    return this.#response.writableEnded || this.#response.write(frames);
  }

  async drained(): Promise<void> {
    const response = this.#response;
    if (!response.writableNeedDrain) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    response.once('drain', resolve).once('close', resolve);
    await promise;
    response.off('drain', resolve).off('close', resolve);
  }

  async end(): Promise<void> {
    this.#response.end();
  }
}

/** A WebSocket: a message for each frame, text where that is text; what the client sends is ignored. */
class SocketDoor implements WatchDoor {
  readonly #socket: MessageSocket;
  readonly #isText: boolean;

  constructor(socket: MessageSocket, media: MediaType) {
    this.#socket = socket;
    this.#isText = media.encoding === 'json';
    socket.receive({ message() {}, closed() {} });
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedBytes;
  }

  write(frames: Buffer): boolean {
    let hasRoom = true;
    if (this.#isText) for (const line of linesOf(frames)) hasRoom = this.#socket.sendText(line.toString());
    else for (const message of unprefixed(frames)) hasRoom = this.#socket.sendBinary(message);
    return hasRoom;
  }

  async drained(): Promise<void> {
    await this.#socket.drained().catch(() => {});
  }

  async end(): Promise<void> {
    this.#socket.close();
    await this.#socket.closed;
  }
}

/** With their line ends, as upstream sends them. */
function* linesOf(frames: Buffer): Generator<Buffer> {
  for (let start = 0; start < frames.length; ) {
    const end = frames.indexOf('\n', start) + 1 || frames.length;
    yield frames.subarray(start, end);
    start = end;
  }
}

/** Messages have lengths of their own. */
function* unprefixed(frames: Buffer): Generator<Buffer> {
  for (let start = 0; start < frames.length; ) {
    const end = start + 4 + frames.readUInt32BE(start);
    yield frames.subarray(start + 4, end);
    start = end;
  }
}

/**
 * Whatever sub-protocol is asked for beside a token is agreed to, as upstream: it changes nothing. Upstream's server
 * (x/net/websocket) wants an `Origin`, whichever, and chooses among no protocols: of several it takes none.
 */
function accept(exchange: UpgradeExchange): MessageSocket | undefined {
  const { origin = '' } = exchange.request.headers;
  const asked = webSocketProtocols(exchange.request).filter((name) => !name.startsWith(webSocketTokenPrefix));
  const isPlaced = origin.startsWith('/') || URL.canParse(origin);
  const refusal = isPlaced ? (asked.length > 1 ? 400 : undefined) : 403;
  try {
    return acceptWebSocket({ ...exchange, protocols: [], chosenProtocol: asked[0] ?? '', refusal });
  } catch (error) {
    if (error instanceof UpgradeError) return undefined;
    throw error;
  }
}
