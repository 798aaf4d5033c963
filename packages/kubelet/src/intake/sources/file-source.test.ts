import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { FileSource } from './file-source.ts';

let folder: string;
let told: string[];
let latest: AssignedPod | undefined;
let source: FileSource;
let clock: FakeClock;
let heard: () => void = () => {};
const tell = (what: string) => (pod?: AssignedPod) => {
  latest = pod;
  told.push(pod ? `${what} ${pod.metadata.name}` : what);
  heard();
};

const path = (name: string) => join(folder, name);
const write = (name: string, image: string) =>
  writeFileSync(
    path(name),
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web', uid: 'kept' },
      spec: { containers: [{ name: 'a', image }] },
    }),
  );

/** Waits until so much has been told in all. */
async function toldOf(count: number): Promise<string[]> {
  while (told.length < count) {
    const next = Promise.withResolvers<void>();
    heard = next.resolve;
    await next.promise;
  }
  return told;
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wherry-manifests-'));
  told = [];
  write('web.json', 'one');
  await begin(folder);
});

async function begin(place: string) {
  clock = new FakeClock();
  source = new FileSource({
    folder: place,
    nodeName: 'node',
    hostname: 'node',
    checkMs: 20_000,
    clock,
    logger: silentLogger,
    recorder: {
      record({ reason, message }) {
        told.push(`${reason}: ${message}`);
        heard();
      },
    },
    handlers: {
      added: tell('added'),
      updated: tell('updated'),
      reconciled: tell('reconciled'),
      removed: tell('removed'),
      ready: () => tell('ready')(),
    },
  });
  source.start();
  assert.deepEqual(await toldOf(2), ['added web-node', 'ready']);
  // The folder is watched from the turn on in which the source is ready.
  await new Promise(setImmediate);
}
afterEach(async () => {
  await source.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a manifest that is removed and written again at once is a pod anew', async () => {
  rmSync(path('web.json'));
  write('web.json', 'one');
  assert.deepEqual((await toldOf(4)).slice(2), ['removed web-node', 'added web-node']);
});

test('a manifest that another file replaces is a change of its pod', async () => {
  write('.new', 'two');
  renameSync(path('.new'), path('web.json'));
  assert.deepEqual((await toldOf(3)).slice(2), ['updated web-node']);
});

test('of two manifests with one name the second one is told of, and left out', async () => {
  write('zweb.json', 'two');
  const told = (await toldOf(3)).slice(2);
  const name = 'web-node';
  assert.match(
    told[0] ?? '',
    new RegExp(
      `^FailedValidation: Error validating pod ${name}_default\\(.+\\) from file due to duplicate pod name "${name}", ignoring$`,
    ),
  );
});

test('a manifest that changes is seen since it was there first', async () => {
  const seenAt = () => latest?.metadata.annotations?.['kubernetes.io/config.seen'];
  await source.close();
  told = [];
  latest = undefined;
  await begin(folder);
  const since = new Date(clock.nowMs()).toISOString();
  clock.advance(1_000);
  write('.new', 'two');
  renameSync(path('.new'), path('web.json'));
  assert.deepEqual((await toldOf(3)).slice(2), ['updated web-node']);
  assert.equal(seenAt(), since);
});

test('the place of manifests may be one file; when it is gone so is the pod', async () => {
  await source.close();
  told = [];
  await begin(path('web.json'));
  rmSync(path('web.json'));
  assert.deepEqual((await toldOf(3)).slice(2), ['removed web-node']);
});

test('a folder that is gone holds no manifests', async () => {
  rmSync(folder, { recursive: true });
  assert.deepEqual((await toldOf(3)).slice(2), ['removed web-node']);
});
