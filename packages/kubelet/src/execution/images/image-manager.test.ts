import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { type CriClient, CriError, type CriErrorCode } from '@wherry/cri';
import { container, pod } from '../../../test/builders.ts';
import { ImageManager } from './image-manager.ts';

const target = { kind: 'regular', container: container('a') } as const;
const of = pod({ containers: [target.container] });

/** A manager over a runtime that answers nothing until the caller gives up. */
function manager(pullImage?: () => Promise<never>, images: object = {}, clock: FakeClock = new FakeClock()) {
  const told: string[] = [];
  const said: string[] = [];
  const never = (_request: object, { signal }: { signal: AbortSignal }) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const made = new ImageManager({
    images: {
      imageStatus: never,
      pullImage: pullImage ?? never,
      ...images,
    } as unknown as CriClient['images'],
    recorder: {
      record({ reason, type, message }) {
        told.push(`${type} ${reason}`);
        said.push(message);
      },
    },
    clock,
    serialize: false,
    maxParallelPulls: 0,
    records: { begin: () => {}, pulled: () => {}, failed: () => {}, mustPull: async () => false },
    plugIns: undefined,
    figures: { pulled: () => {}, asked: () => {} },
    onPull: () => () => {},
    rate: { perSecond: 0, burst: 0 },
  });
  return { made, told, said };
}

for (const [pullPolicy, events] of [
  ['IfNotPresent', []],
  ['Always', ['Normal Pulling']],
] as const) {
  test(`that a pod went while its image was asked for is no failure, and no event says so (${pullPolicy})`, async () => {
    const { made, told } = manager();
    const controller = new AbortController();
    const asked = made.ensure({
      ...{ pod: of, image: 'demo:1', pullPolicy, target, sandbox: {} },
      credentials: { entries: [] },
      signal: controller.signal,
    });
    await new Promise(setImmediate);
    const gone = new Error('the pod is to stop');
    controller.abort(gone);
    await assert.rejects(asked, gone);
    assert.deepEqual(told, events);
  });
}

const failures: [code: CriErrorCode, says: string, event: string, reason: string, status: string][] = [
  [
    ...(['UNKNOWN', 'RegistryUnavailable: r.example refused'] as const),
    'RegistryUnavailable: r.example refused',
    'RegistryUnavailable',
    'image pull failed for demo:1 because the registry is unavailable: r.example refused',
  ],
  ['UNKNOWN', 'no such manifest', 'no such manifest', 'ErrImagePull', 'no such manifest'],
  [
    ...(['NOT_FOUND', 'no such manifest'] as const),
    'rpc error: code = NotFound desc = no such manifest',
    'ErrImagePull',
    'rpc error: code = NotFound desc = no such manifest',
  ],
];
for (const [code, says, event, reason, message] of failures)
  test(`a pull that fails by ${code} "${says}" is told as upstream tells of it, also while it is held back`, async () => {
    const { made, said } = manager(() => Promise.reject(new CriError(code, says)));
    const ensure = () =>
      made.ensure({
        ...{ pod: of, image: 'demo:1', pullPolicy: 'Always', target, sandbox: {} },
        credentials: { entries: [] },
        signal: new AbortController().signal,
      });
    await assert.rejects(ensure(), { code: reason, message });
    assert.deepEqual(said, ['Pulling image "demo:1"', `Failed to pull image "demo:1": ${event}`]);
    const heldBack = `Back-off pulling image "demo:1": ${reason}: ${message}`;
    await assert.rejects(ensure(), { code: 'ImagePullBackOff', message: heldBack });
  });

for (const [image, repository] of [
  ['registry.test/Team/App:v1', 'Team/App'],
  ['App:v1', 'library/App'],
  ['team/App', 'team/App'],
  ['localhost/App', 'App'],
] as const) {
  test(`the name ${image} is told to have upper case, as its author can put it right then`, async () => {
    const { made, said } = manager();
    const asked = made.ensure({
      ...{ pod: of, image, pullPolicy: 'IfNotPresent', target, sandbox: {} },
      ...{ credentials: { entries: [] }, signal: new AbortController().signal },
    });
    await assert.rejects(asked, { code: 'InvalidImageName' });
    assert.match(
      said.join(),
      new RegExp(`invalid reference format: repository name \\(${repository}\\) must be lowercase$`),
    );
  });
}

test('a pull that takes more than a minute is told in minutes, and a runtime is told the annotations of its pod', async () => {
  const clock = new FakeClock();
  const calls: object[] = [];
  const { made, said } = manager(
    undefined,
    {
      imageStatus: async ({ image }: { image: object }) => {
        calls.push(image);
        return { image: { id: 'sha256:1', username: '', size: 5 } };
      },
      pullImage: async ({ image }: { image: object }) => {
        calls.push(image);
        await clock.advanceAsync(75_300);
        return { imageRef: 'sha256:1' };
      },
    },
    clock,
  );
  const annotations = { 'example.org/how': 'lazily' };
  await made.ensure({
    ...{ pod: pod({ containers: [target.container] }, { annotations }), image: 'demo:1', target },
    ...{ pullPolicy: 'Always', sandbox: {}, credentials: { entries: [] } },
    signal: new AbortController().signal,
  });
  assert.equal(
    said.at(-1),
    'Successfully pulled image "demo:1" in 1m15.3s (1m15.3s including waiting). Image size: 5 bytes.',
  );
  assert.deepEqual(calls, [
    { image: 'demo:1', annotations },
    { image: 'sha256:1', annotations },
  ]);
});
