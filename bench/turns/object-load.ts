/** Many requests at once for small objects, and watchers that follow them. */
import type { Side } from '../side.ts';
import { percentile, timed } from '../statistics.ts';

const writersAtOnce = 16;
const objectCount = 1_000;
const watcherCount = 50;
const changeCount = 100;
const loneCreates = 200;
const mergePatch = 'application/merge-patch+json';

let folders = 0;

/**
 * Runs `body` with the path of the config maps of a namespace of its own, which is deleted after it: waited for, so that
 * it does not fall into the next turn.
 */
async function inNamespace<Result>(side: Side, body: (path: string) => Promise<Result>): Promise<Result> {
  const name = `bench-load-${folders++}`;
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  await side.api.request('POST', '/api/v1/namespaces', namespace);
  try {
    return await body(`/api/v1/namespaces/${name}/configmaps`);
  } finally {
    await side.kubectl(['delete', 'namespace', name, '--wait=true']);
  }
}

const configMap = (index: number) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: `object-${index}`, labels: { group: String(index % 10) } },
  data: { padding: 'x'.repeat(900) },
});

/** Steps per second, {@link writersAtOnce} of them at once. */
async function rate(count: number, step: (index: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const work = async () => {
    while (next < count) await step(next++);
  };
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: writersAtOnce }, work));
  return (count / (performance.now() - startedMs)) * 1_000;
}

const fill = (side: Side, path: string, count = objectCount) =>
  rate(count, (index) => side.api.request('POST', path, configMap(index)));

/** Creates per second. */
export const createsPerSecond = (side: Side): Promise<number> =>
  inNamespace(side, (path) => fill(side, path));

/** Reads of single objects per second. */
export const getsPerSecond = (side: Side): Promise<number> =>
  inNamespace(side, async (path) => {
    await fill(side, path, 100);
    return rate(objectCount * 2, (index) => side.api.request('GET', `${path}/object-${index % 100}`));
  });

/** Merge patches per second. */
export const patchesPerSecond = (side: Side): Promise<number> =>
  inNamespace(side, async (path) => {
    await fill(side, path, 100);
    return rate(objectCount, (index) => {
      const patch = { metadata: { annotations: { round: String(index) } } };
      return side.api.request('PATCH', `${path}/object-${index % 100}`, patch, mergePatch);
    });
  });

/** Milliseconds of a list of {@link objectCount} objects, the median. */
export const listMs = (side: Side): Promise<number> =>
  inNamespace(side, async (path) => {
    await fill(side, path);
    return percentile(await timed(7, () => side.api.request('GET', path)), 0.5);
  });

/** The 99th percentile of creates with nothing beside them, in milliseconds. */
export const loneCreateP99Ms = (side: Side): Promise<number> =>
  inNamespace(side, async (path) => {
    const create = (index: number) => side.api.request('POST', path, configMap(index));
    return percentile(await timed(loneCreates, create), 0.99);
  });

/** Events per second that all watchers together are told. */
export const watchedEventsPerSecond = (side: Side): Promise<number> =>
  inNamespace(side, async (path) => {
    const { metadata } = JSON.parse(await side.api.request('GET', path));
    const query = `watch=true&resourceVersion=${metadata.resourceVersion}&timeoutSeconds=60`;
    const opening = Array.from({ length: watcherCount }, () => side.api.lines(`${path}?${query}`));
    const watchers = await Promise.all(opening);
    const startedMs = performance.now();
    const told = watchers.map(async (lines) => {
      let seen = 0;
      for await (const count of lines) {
        seen += count;
        if (seen >= changeCount) return;
      }
      throw new Error(`a watch ended after ${seen} of ${changeCount} events`);
    });
    await Promise.all([fill(side, path, changeCount), ...told]);
    return (watcherCount * changeCount * 1_000) / (performance.now() - startedMs);
  });
