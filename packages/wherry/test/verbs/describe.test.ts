/** `describe`: which objects it means, and how it ends, beside the real kubectl. What it says of each is in test/describe. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { after, before, test } from 'node:test';
import type { KubeObject } from '@wherry/client';
import { BesideKubectl } from './beside-kubectl.ts';

let both: BesideKubectl;
let folder: string;

const configMap = (name: string, labels: Record<string, string> = {}): KubeObject => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels } },
});
const event = (name: string, of: string): KubeObject => ({
  ...{ apiVersion: 'v1', kind: 'Event', metadata: { name, namespace: 'default' } },
  ...{ reason: 'Happened', message: `of ${of}`, involvedObject: { kind: 'ConfigMap', name: of } },
});

before(async () => {
  const maps = [configMap('web-a', { app: 'web' }), configMap('web-b', { app: 'other' }), configMap('z')];
  const shop = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
  both = await BesideKubectl.start([...maps, shop]);
  const list = { apiVersion: 'v1', kind: 'List', items: maps.slice(0, 2) };
  folder = dirname(both.file('a.json', list));
  mkdirSync(`${folder}/manifests/sub`, { recursive: true });
  both.file('manifests/a.json', list);
  both.file('manifests/sub/gone.json', configMap('gone', { app: 'web' }));
});
after(() => both?.close());

const namesIn = (text: string) => [...text.matchAll(/^Name: +(\S+)$/gm)].map(([, name]) => name);

async function meansTheSame(line: string): Promise<void> {
  const theirs = await both.kubectl.server.kubectl(line.split(' '));
  const ours = await both.wherry.run(line);
  const told = ({ code, stdout, stderr }: typeof ours) => ({
    ...{ code, names: namesIn(stdout) },
    stderr: stderr.replaceAll('kubectl', 'wherry').trimEnd(),
  });
  assert.deepEqual(told(ours), told(theirs), line);
}

test('describe takes types, names, beginnings of one name, and selectors', async () => {
  for (const line of [
    'describe',
    'describe cm',
    'describe cm web',
    'describe cm web-a',
    'describe cm web web-b',
    'describe cm/web',
    'describe cm/z cm/web-a',
    'describe cm nope nada',
    'describe cm,secrets nope',
    'describe cm web -A',
    'describe cm web-a -l app',
    'describe cm -A -l app',
    'describe cm -l app=web',
    'describe cm -n none',
    'describe nodes -l a=b',
    'describe cm --chunk-size=1',
    'describe cm we --chunk-size=1',
    'describe ns sho',
  ])
    await meansTheSame(line);
});

test('describe takes the objects of files, folders in folders with -R, and those that a selector finds', async () => {
  for (const line of [
    `describe -f ${folder}/a.json`,
    `describe -f ${folder}/manifests`,
    `describe -f ${folder}/manifests -R`,
    `describe -f ${folder}/manifests -R -l app=web`,
    `describe -f ${folder}/manifests/sub`,
    `describe -f ${folder}/manifests cm`,
    `describe -f ${folder}/nope.json`,
    `describe -f ${folder}/a.json -n none`,
  ])
    await meansTheSame(line);
});

test('describe tells events of an object that is described alone, or as --show-events says', async () => {
  const one = await both.wherry.client.get<KubeObject>('ConfigMap/web-a');
  const happened = event('happened', 'web-a');
  const involvedObject = { kind: 'ConfigMap', name: 'web-a', namespace: 'default', uid: one.metadata?.uid };
  await both.wherry.client.create({ ...happened, involvedObject } as KubeObject);
  const eventsOf = async (line: string) => (await both.wherry.run(line)).stdout.match(/^Events.*/gm) ?? [];
  assert.deepEqual(await eventsOf('describe cm web-a'), ['Events:']);
  assert.deepEqual(await eventsOf(`describe -f ${folder}/manifests/a.json -l app=web`), ['Events:']);
  assert.deepEqual(await eventsOf('describe cm web-a --show-events=false'), []);
  assert.deepEqual(await eventsOf('describe cm web-a web-b'), []);
  assert.deepEqual(await eventsOf('describe cm web-'), []);
  assert.deepEqual(await eventsOf('describe cm web-a nope'), []);
  assert.deepEqual(await eventsOf('describe cm web- --show-events'), ['Events:', 'Events:  <none>']);
  assert.deepEqual(await eventsOf('describe cm web-a web-b --show-events=true --chunk-size=1'), [
    'Events:',
    'Events:  <none>',
  ]);
});
