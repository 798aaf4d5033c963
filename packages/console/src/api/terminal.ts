import type { KubeClient } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import { passCommandOn, protocols, RemoteCommandError, serveRemoteCommand } from '@wherry/remotecommand';
import type { UpgradeExchange } from '@wherry/upgrade';
import type { TerminalRoute } from './api-route.ts';

/** A terminal that a page has asked for. */
export interface Terminal extends UpgradeExchange {
  client: KubeClient;
  route: TerminalRoute;
  clock: Clock;
  /** Ends the command's session. */
  signal: AbortSignal;
}

/**
 * Runs a command for a page. The browser's WebSocket ends here, so that none of its headers goes on, a cluster that speaks
 * SPDY alone is served too, and what the cluster refuses reaches the page as a Status: of a WebSocket that was not opened a
 * browser tells no reason. A session that breaks behind here is cut, so that the page can't take it for one that has ended.
 * Resolves when it is over; never rejects.
 */
export async function passTerminal({ client, route, clock, signal, ...exchange }: Terminal): Promise<void> {
  const { path, streams } = route;
  await serveRemoteCommand({
    ...exchange,
    streams,
    webSocketProtocols: [protocols.v5],
    statusAuthor: 'translator',
    clock,
    async handler(session) {
      const until = AbortSignal.any([signal, session.signal]);
      try {
        return await passCommandOn(session, await client.openSession({ path, streams, signal: until }));
      } catch (error) {
        if (error instanceof RemoteCommandError && error.code !== 'failure') exchange.socket.destroy();
        return { kind: 'failed', message: (error as Error).message.replace(wrapping, '') };
      }
    },
  });
}

/** What each translator on the way puts in front of a text, this one too. */
const wrapping = /^(?:Internal error occurred: )+/;
