import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Side } from './side.ts';
import { type Acting, isOver, type Seen, type Story, type Told } from './story.ts';
import { eventLines, statusLines } from './told-lines.ts';
import { withoutVolatile } from './volatile.ts';

const settleMs = 90_000;
/** Nothing new is told for so long once it has settled. */
const quietMs = 2_000;
const goneMs = 20_000;
const namespace = '/api/v1/namespaces/default';
const pods = `${namespace}/pods`;

/** Plays a story at one side and answers what is told there, line by line. */
export async function play(side: Side, story: Story): Promise<string[]> {
  const { spec, annotations, labels, objects = [], isStatic = false } = story;
  const name = nameOf(story);
  for (const [plural, object] of objects) await side.api.request('POST', `${namespace}/${plural}`, object);
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: story.name, annotations, labels },
    spec: withDefaults(spec),
  };
  const lines: string[] = [];
  try {
    if (isStatic) await putIntoFolder(side, story.name, pod);
    else await side.api.request('POST', pods, pod);
    const settled = await until(side, name, story.until ?? isOver);
    if (!settled) lines.push('did not settle');
    await quiet(side, name);
    lines.push(...(await lookAt(side, story)));
    if (story.next) await story.next(actingOn(side, story, lines));
  } catch (error) {
    lines.push(withoutVolatile(`failed: ${error instanceof Error ? error.message : error}`));
  } finally {
    if (isStatic) await rm(manifestOf(side, story.name), { force: true });
    await side.api.request('DELETE', `${pods}/${name}?gracePeriodSeconds=1`).catch(() => '');
    await until(side, name, () => false, goneMs).catch(() => false);
    for (const [plural, object] of objects)
      await side.api.request('DELETE', `${namespace}/${plural}/${(object as Told).metadata.name}`);
  }
  return lines;
}

const nameOf = ({ name, isStatic = false }: Story) => (isStatic ? `${name}-suite` : name);
const manifestOf = (side: Side, name: string) => join(side.manifests, `${name}.json`);

/** Gives a pod to the kubelet, and waits for what stands for it at the API server. */
async function putIntoFolder(side: Side, name: string, pod: object): Promise<void> {
  await writeFile(manifestOf(side, name), JSON.stringify(pod));
  const path = `${pods}/${name}-suite`;
  const isThere = () =>
    side.api.request('GET', path).then(
      () => true,
      () => false,
    );
  for (let tries = 0; tries < 60 && !(await isThere()); tries++) await delay(500);
}

const withDefaults = (spec: object) => ({ terminationGracePeriodSeconds: 1, ...spec });

async function seenOf(side: Side, name: string): Promise<Seen> {
  const pod = JSON.parse(await side.api.request('GET', `${pods}/${name}`));
  const selector = encodeURIComponent(`involvedObject.name=${name},involvedObject.uid=${pod.metadata.uid}`);
  const events = JSON.parse(await side.api.request('GET', `${namespace}/events?fieldSelector=${selector}`));
  return { pod, events: events.items };
}

async function until(
  side: Side,
  name: string,
  isSo: (seen: Seen) => boolean,
  limitMs = settleMs,
): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (performance.now() < deadline) {
    if (isSo(await seenOf(side, name))) return true;
    await delay(300);
  }
  return false;
}

async function quiet(side: Side, name: string): Promise<void> {
  let before = '';
  let since = performance.now();
  const deadline = since + 5 * quietMs;
  while (performance.now() < deadline) {
    const { pod, events } = await seenOf(side, name);
    const now = `${pod.metadata.resourceVersion} ${events.length}`;
    if (now !== before) since = performance.now();
    else if (performance.now() - since > quietMs) return;
    before = now;
    await delay(300);
  }
}

async function lookAt(side: Side, story: Story): Promise<string[]> {
  const { pod, events } = await seenOf(side, nameOf(story));
  const { initContainers = [], containers, ephemeralContainers = [] } = pod.spec;
  const logs: string[] = [];
  for (const { name } of [...initContainers, ...containers, ...ephemeralContainers])
    logs.push(...(await logLines(side, pod, name)));
  return [...statusLines(pod), ...eventLines(events, pod), ...logs];
}

async function logLines(side: Side, pod: Told, container: string): Promise<string[]> {
  const text = await answer(side, `${pods}/${pod.metadata.name}/log?container=${container}`);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => withoutVolatile(`log ${container}: ${line}`, pod));
}

const answer = (side: Side, path: string) =>
  side.api
    .request('GET', path)
    .catch((error: unknown) => `${error instanceof Error ? error.message : error}`);

function actingOn(side: Side, story: Story, lines: string[]): Acting {
  const name = nameOf(story);
  const seen = () =>
    seenOf(side, name)
      .then(({ pod }) => pod)
      .catch(() => undefined);
  return {
    name,
    async ask(...words) {
      const { code, stdout, stderr } = await side.kubectl(words);
      const pod = await seen();
      const said = `${stdout}${stderr}`.split('\n').filter((line) => line !== '');
      const asked = `$ kubectl ${words.join(' ')}`;
      lines.push(...[...said, `exit code ${code}`].map((line) => withoutVolatile(`${asked}: ${line}`, pod)));
    },
    async change(...words) {
      await side.kubectl(words);
    },
    async get(path) {
      const text = await answer(side, `${pods}/${name}/${path}`);
      const pod = await seen();
      lines.push(...text.split('\n').map((line) => withoutVolatile(`GET ${path}: ${line}`, pod)));
    },
    async look(word) {
      await quiet(side, name);
      lines.push(...(await lookAt(side, story)).map((line) => `${word}: ${line}`));
    },
    async until(isSo) {
      if (!(await until(side, name, isSo))) lines.push('did not come');
    },
  };
}
