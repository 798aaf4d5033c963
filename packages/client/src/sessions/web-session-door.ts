import type { Clock } from '@wherry/clock';
import { joinWebSocket, protocols, type RemoteCommandConnection } from '@wherry/remotecommand';
import type { SessionRequest } from './session.ts';
import type { SessionDoor } from './session-door.ts';
import { openWebSocketMessages } from './web-socket-messages.ts';

/** What a {@link WebSessionDoor} is made of. */
export interface WebSessionDoorOptions {
  server: URL;
  /** A bearer token: WebSockets of browsers take no headers, so it travels as a sub-protocol (k8s.io/apiserver). */
  token: () => Promise<string | undefined> | string | undefined;
  clock: Clock;
}

const tokenPrefix = 'base64url.bearer.authorization.k8s.io.';

/** Sessions over the global `WebSocket`, in the one sub-protocol that can end its input (v5). */
export class WebSessionDoor implements SessionDoor {
  readonly #options: WebSessionDoorOptions;

  constructor(options: WebSessionDoorOptions) {
    this.#options = options;
  }

  async openSession({ path, streams, signal }: SessionRequest): Promise<RemoteCommandConnection> {
    const { server, clock } = this.#options;
    const token = await this.#options.token();
    const url = new URL(server.pathname.replace(/\/$/, '') + path, server);
    url.protocol = server.protocol === 'https:' ? 'wss:' : 'ws:';
    const offered = [protocols.v5, ...(token ? [tokenPrefix + base64url(token)] : [])];
    const socket = await openWebSocketMessages(url, offered, { clock, signal });
    return joinWebSocket(socket, { streams, signal });
  }
}

function base64url(text: string): string {
  const characters = String.fromCharCode(...new TextEncoder().encode(text));
  return btoa(characters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
