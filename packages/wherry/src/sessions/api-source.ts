import { type ApiClient, kinds, readBody, resourcePath, splitLines } from '@wherry/client';
import type { SessionEvent, SessionList } from '@wherry/telemetry';
import { decodeSessionEvent, decodeSessionList } from '@wherry/telemetry/session-paths';
import { CommandError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { SessionSource } from './source.ts';

const sessionsPath = '/debug/sessions';

/** The API server's own list of sessions; of a node, its kubelet's, which the API server asks for us. */
export function apiSource(client: ApiClient, node?: string): SessionSource {
  const path =
    node === undefined
      ? sessionsPath
      : resourcePath(kinds.nodes, { name: node, subresource: `proxy${sessionsPath}` });
  const who = node === undefined ? ({ hop: 'apiserver' } as const) : ({ hop: 'kubelet', node } as const);
  return {
    ...who,
    list: (signal) => list(client, { path, signal }),
    watch: (told, signal) => watch(client, { path: `${path}?watch=1`, signal, told }),
  };
}

interface Asking {
  path: string;
  signal: AbortSignal;
}

async function list(client: ApiClient, asking: Asking): Promise<SessionList> {
  const answer = await client.stream({ method: 'GET', headers: { accept: 'application/json' }, ...asking });
  const list = decodeSessionList(parsed(await readBody(answer, limits.sessionListBytesMax)));
  if (!list) throw new CommandError(`what ${asking.path} answers with is no list of sessions`);
  return list;
}

async function watch(
  client: ApiClient,
  { path, signal, told }: Asking & { told: (event: SessionEvent) => void },
): Promise<void> {
  const silence = new AbortController();
  const listen = () =>
    client.clock.after(limits.sessionWatchSilenceMs, () =>
      silence.abort(new CommandError(`nothing has come for ${limits.sessionWatchSilenceMs / 1000} s`)),
    );
  let timer = listen();
  try {
    const bounded = AbortSignal.any([signal, silence.signal]);
    const answer = await client.stream({ method: 'GET', path, signal: bounded });
    for await (const line of splitLines(answer.body, { bytesMax: limits.sessionEventBytesMax })) {
      timer.cancel();
      timer = listen();
      // An empty line says that the server lives.
      if (line.length === 0) continue;
      const event = decodeSessionEvent(parsed(line));
      if (!event) throw new CommandError('what the watch tells is no event of a session');
      told(event);
    }
  } finally {
    timer.cancel();
  }
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
