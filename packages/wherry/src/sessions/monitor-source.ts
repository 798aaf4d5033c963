import { MonitorClient } from '@wherry/monitor-api';
import { decodeSessionEvent, decodeSessionList } from '@wherry/telemetry/session-paths';
import { CommandError } from '../errors.ts';
import type { SessionSource } from './source.ts';

/** A streaming server of this machine, and the node that it serves. */
export interface LocalStreamingServer {
  node: string;
  /** Of the monitor, which the streaming server is a part of. */
  socketPath: string;
}

/** The list of a streaming server, which the monitor's socket alone tells of. */
export function monitorSource({ node, socketPath }: LocalStreamingServer): SessionSource {
  return {
    hop: 'streaming-server',
    node,
    async list(signal) {
      const answer = await withMonitor(socketPath, (client) => client.call('session.list', {}, { signal }));
      const list = decodeSessionList(answer);
      if (!list) throw new CommandError(`what "${socketPath}" answers with is no list of sessions`);
      return { ...list, node };
    },
    watch: (told, signal) =>
      withMonitor(socketPath, async (client) => {
        const notice = (payload: unknown) => {
          const event = decodeSessionEvent(payload);
          if (event) told(event);
        };
        await client.call('session.watch', {}, { signal, notice });
      }),
  };
}

async function withMonitor<T>(socketPath: string, work: (client: MonitorClient) => Promise<T>): Promise<T> {
  const client = new MonitorClient({ socketPath, connectTimeoutMs: 0 });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}
