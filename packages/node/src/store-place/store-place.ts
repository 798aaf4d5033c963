import { lstatSync } from 'node:fs';
import { get } from 'node:http';
import { isAbsolute } from 'node:path';
import { isLoopbackHost } from '@wherry/bytes';
import { deadline, systemClock } from '@wherry/clock';
import { NodeError } from '../errors.ts';
import { limits } from '../limits.ts';

/** Where an API server has its store that is sent by `--etcd-servers` to who keeps a place for one. */
export interface StorePlace {
  /** Folder, absolute. */
  dataDir: string;
  /** What an acknowledged write survives: a loss of power, or the end of the process alone. */
  durability: 'machine' | 'process';
}

/** The path by which a keeper tells of its place. etcd knows none of this name. */
export const placePath = '/wherry/store-place';

/**
 * The place that is kept at one of these addresses; undefined where somebody else answers, such as etcd, or nobody does. Only
 * this machine is asked. Throws `NodeError` `bad-settings` on a place that is no folder of this user.
 */
export async function askStorePlace(servers: readonly string[]): Promise<StorePlace | undefined> {
  const [server, ...others] = servers;
  if (server === undefined || others.length > 0 || !URL.canParse(server)) return undefined;
  const { protocol, hostname } = new URL(server);
  if (protocol !== 'http:' || !isLoopbackHost(hostname)) return undefined;
  const text = await read(new URL(placePath, server));
  const place = text === undefined ? undefined : placeIn(text);
  if (place) checkFolder(place.dataDir, server);
  return place;
}

/** What stands there; undefined where that is nothing. */
async function read(url: URL): Promise<string | undefined> {
  using limit = deadline({ clock: systemClock, timeoutMs: limits.probeTimeoutMs });
  return new Promise((resolve) => {
    const request = get(url, { agent: false, signal: limit.signal }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => {
        text += chunk;
        if (text.length <= limits.storePlaceLength) return;
        resolve(undefined);
        request.destroy();
      });
      answer.on('end', () => resolve(answer.statusCode === 200 ? text : undefined));
      answer.on('error', () => resolve(undefined));
      answer.on('close', () => resolve(undefined));
    });
    request.on('error', () => resolve(undefined));
  });
}

function placeIn(text: string): StorePlace | undefined {
  try {
    const { dataDir, durability } = JSON.parse(text) as Partial<StorePlace>;
    if (typeof dataDir !== 'string' || !isAbsolute(dataDir)) return undefined;
    return { dataDir, durability: durability === 'process' ? 'process' : 'machine' };
  } catch {
    return undefined;
  }
}

/** Whoever holds a port may not lead a server to folders of others. */
function checkFolder(folder: string, server: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() && found.uid === process.geteuid!()) return;
  throw new NodeError(
    'bad-settings',
    `--etcd-servers ${server}: the store's place, "${folder}", is no folder of this user; start both as one user`,
  );
}
