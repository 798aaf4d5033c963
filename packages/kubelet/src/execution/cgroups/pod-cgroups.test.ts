/** Against the machine's own control groups, below a group that is this test's alone. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { detectCgroups, foldersAt, groupsIn, removeGroup } from '@wherry/linux';
import { MetricsRegistry, silentLogger } from '@wherry/telemetry';
import { container, pod } from '../../../test/builders.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { PodCgroups } from './pod-cgroups.ts';

const layout = detectCgroups();
const isUnified = layout.version === 'v2';
const mebibyte = 1 << 20;

let root = '';
let pods: AssignedPod[] = [];
let cgroups: PodCgroups;
let events: string[] = [];

beforeEach(() => {
  root = `/wherry-test-${randomBytes(4).toString('hex')}`;
  pods = [];
  events = [];
  cgroups = newCgroups();
});
afterEach(() => removeGroup(foldersAt(layout, root)));

function newCgroups(): PodCgroups {
  const facts = {
    cpuQuotaEnabled: true,
    cpuPeriodMs: 100,
    hasOwnCpus: () => false,
    podPidsLimit: 64,
    hugePageSizes: [],
    forAllPods: { milliCpu: 1_500, memoryBytes: 2 ** 30, processes: 3_000 },
    swap: { cgroupVersion: undefined, isLimited: false },
  } as const;
  const duration = new MetricsRegistry().histogram('took_seconds', 'Took.');
  return new PodCgroups({
    ...facts,
    clock: new FakeClock(),
    duration,
    place: { cgroupDriver: 'cgroupfs', cgroupRoot: root },
    logger: silentLogger,
    recorder: { record: ({ reason }) => void events.push(reason) },
    nodeName: 'n1',
    activePods: () => pods,
  });
}

function read(path: string, controller: string, file: string): string {
  const folders = foldersAt(layout, path);
  const folder = folders.controllers.get(controller) ?? folders.unified ?? '';
  return readFileSync(join(folder, file), 'utf8').trim();
}

/** The memory limit of a pod in bytes; undefined without one. */
async function memoryLimitOf(of: AssignedPod): Promise<number | undefined> {
  await cgroups.ensure(of);
  const file = isUnified ? 'memory.max' : 'memory.limit_in_bytes';
  const text = read(cgroups.pathOf(of), 'memory', file);
  return text === 'max' || Number(text) > 2 ** 60 ? undefined : Number(text);
}

const weightOf = (path: string) => Number(read(path, 'cpu', isUnified ? 'cpu.weight' : 'cpu.shares'));
/** What so many shares are called on this machine. */
const weight = (shares: number) => (isUnified ? 1 + Math.floor(((shares - 2) * 9_999) / 262_142) : shares);

const limited = (name: string, memory: string | undefined, more: object = {}) =>
  container(name, { ...(memory ? { resources: { limits: { memory } } } : {}), ...more });
const sidecar = { restartPolicy: 'Always' };

test('a pod may have so many processes and no more', async () => {
  const limited = pod({ containers: [container('a')] });
  await cgroups.ensure(limited);
  assert.equal(read(cgroups.pathOf(limited), 'pids', 'pids.max'), '64');
});

test('all pods together may have what is not reserved', async () => {
  await cgroups.ensure(pod({ containers: [container('a')] }));
  const file = isUnified ? 'memory.max' : 'memory.limit_in_bytes';
  assert.equal(read(`${root}/kubepods`, 'memory', file), String(2 ** 30));
  assert.equal(weightOf(`${root}/kubepods`), weight(1_536));
  assert.equal(read(`${root}/kubepods`, 'pids', 'pids.max'), '3000');
  assert.deepEqual(events, ['NodeAllocatableEnforced']);
});

const sums: [what: string, spec: Parameters<typeof pod>[0], mebibytes: number | undefined][] = [
  [
    'an init container that needs more than the rest raises it',
    { initContainers: [limited('i', '256Mi')], containers: [limited('a', '64Mi')] },
    256,
  ],
  [
    'sidecars count beside the regular containers',
    { initContainers: [limited('s', '32Mi', sidecar)], containers: [limited('a', '64Mi')] },
    96,
  ],
  [
    'an init container runs beside the sidecars before it',
    {
      initContainers: [limited('s', '32Mi', sidecar), limited('i', '128Mi')],
      containers: [limited('a', '64Mi')],
    },
    160,
  ],
  [
    'an init container without a limit leaves the pod without',
    { initContainers: [limited('i', undefined)], containers: [limited('a', '64Mi')] },
    undefined,
  ],
  [
    'a sidecar without a limit leaves the pod without',
    {
      initContainers: [limited('s', '32Mi', sidecar), limited('t', undefined, sidecar)],
      containers: [limited('a', '64Mi')],
    },
    undefined,
  ],
  [
    'what the pod declares counts instead of the sum',
    {
      containers: [limited('a', '64Mi'), limited('b', undefined)],
      resources: { limits: { memory: '100Mi' } },
    },
    100,
  ],
  [
    "the runtime class's overhead is added",
    { containers: [limited('a', '64Mi')], overhead: { memory: '16Mi' } },
    80,
  ],
];
for (const [what, spec, mebibytes] of sums) {
  test(`the memory limit of a pod: ${what}`, async () => {
    const expected = mebibytes === undefined ? undefined : mebibytes * mebibyte;
    assert.equal(await memoryLimitOf(pod(spec)), expected);
  });
}

test('the Burstable class weighs as much as its pods ask for together', async () => {
  const asking = (uid: string, cpu: string) =>
    pod({ containers: [container('a', { resources: { requests: { cpu } } })] }, { uid });
  const burstable = `${root}/kubepods/burstable`;
  pods = [asking('one', '1500m'), asking('two', '500m'), pod({ containers: [container('b')] })];
  await cgroups.ensure(pods[0] as AssignedPod);
  assert.equal(weightOf(burstable), weight(2_048));
  assert.equal(weightOf(`${root}/kubepods/besteffort`), weight(2));
  pods = [asking('two', '500m')];
  await cgroups.weighClasses();
  assert.equal(weightOf(burstable), weight(512));
  pods = [];
  await newCgroups().weighClasses();
  assert.equal(weightOf(burstable), weight(2));
});

test('fractions of a processor are added exactly', async () => {
  const of = pod({
    containers: [
      container('a', { resources: { requests: { cpu: '0.1' }, limits: { cpu: '0.1' } } }),
      container('b', { resources: { requests: { cpu: '1' }, limits: { cpu: '1' } } }),
    ],
  });
  await cgroups.ensure(of);
  const text = isUnified
    ? read(cgroups.pathOf(of), 'cpu', 'cpu.max').split(' ')[0]
    : read(cgroups.pathOf(of), 'cpu', 'cpu.cfs_quota_us');
  assert.equal(Number(text), 110_000);
  assert.equal(weightOf(cgroups.pathOf(of)), weight(1_126));
});

test('control groups of pods that are gone are removed, whatever class they were of', async () => {
  const kept = pod({ containers: [container('a')] }, { uid: 'kept' });
  const gone = pod(
    { containers: [container('a', { resources: { requests: { cpu: '1' } } })] },
    { uid: 'gone' },
  );
  for (const each of [kept, gone]) await cgroups.ensure(each);
  const names = () =>
    ['besteffort', 'burstable'].flatMap((name) => groupsIn(foldersAt(layout, `${root}/kubepods/${name}`)));
  assert.deepEqual(names(), ['podkept', 'podgone']);
  await newCgroups().removeStrays((uid) => uid === 'gone');
  assert.deepEqual(names(), ['podkept']);
});
