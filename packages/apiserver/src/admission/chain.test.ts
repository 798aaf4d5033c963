import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { badRequest, type Pod } from '@wherry/kubeapi';
import { TestCollection } from '../../test/test-collection.ts';
import { type ApiObject, as, copyOf } from '../objects/api-object.ts';
import { createObject, patchObject } from '../registry/writes.ts';
import type { AdmissionPlugin, AdmissionRequest } from './admission.ts';

const writes = ['CREATE', 'UPDATE'] as const;
const handles = (...resources: string[]) => [{ operations: writes, resources }];
const pod = { metadata: { name: 'a' }, spec: { containers: [{ name: 'main', image: 'x' }] } };

describe('the chain of admission plug-ins', () => {
  let collection: TestCollection | undefined;
  let seen: [step: string, object: ApiObject][];
  beforeEach(() => {
    seen = [];
  });
  afterEach(() => collection?.close());

  /** A plug-in that notes what it sees, and does what a test asks for. */
  const watcher = (name: string, act: Partial<Pick<AdmissionPlugin, 'admit' | 'validate'>> = {}) => {
    const note = (phase: 'admit' | 'validate') => async (request: AdmissionRequest) => {
      seen.push([`${name} ${phase}`, copyOf(request.object!)]);
      await act[phase]?.(request);
    };
    return { name, handles: handles('*'), admit: note('admit'), validate: note('validate') };
  };
  const open = (plural: string, admission: AdmissionPlugin[]) => {
    collection = new TestCollection(plural, { admission });
    return collection;
  };
  const create = (object: object) =>
    createObject(collection!.collection, collection!.request('POST', '', object));
  const merge = (name: string, value: object) =>
    patchObject(
      collection!.collection,
      collection!.request('PATCH', `/${name}`, undefined, { 'content-type': 'application/merge-patch+json' }),
      { type: 'merge', value: value as never, duplicates: [] },
    );
  const steps = () => seen.map(([step]) => step);

  it('lets all plug-ins change an object before any of them judges it', async () => {
    open('pods', [watcher('first'), watcher('second')]);
    await create(pod);
    assert.deepEqual(steps(), ['first admit', 'second admit', 'first validate', 'second validate']);
  });

  it('shows plug-ins that change an object its defaults, and gives theirs to what they add', async () => {
    const add = ({ object }: AdmissionRequest) => {
      as<Pod>(object!).spec!.containers.push({ name: 'added', image: 'y' });
    };
    open('pods', [watcher('adds', { admit: add })]);
    const { snapshot } = await create(pod);
    assert.equal(as<Pod>(seen[0]![1]).spec?.restartPolicy, 'Always');
    const [, added] = as<Pod>(snapshot.object).spec!.containers;
    assert.equal(added?.terminationMessagePath, '/dev/termination-log');
    assert.equal(as<Pod>(seen[1]![1]).spec!.containers[1]?.terminationMessagePath, '/dev/termination-log');
  });

  it('shows plug-ins that judge an object what will be stored', async () => {
    open('pods', [watcher('judges')]);
    const { snapshot } = await create({ ...pod, status: { phase: 'Running' } });
    const [before, judged] = seen.map(([, object]) => object);
    assert.equal(before?.status?.['phase'], 'Running');
    assert.equal(judged?.status?.['phase'], 'Pending');
    const stored = snapshot.read();
    delete stored.metadata.resourceVersion;
    const { kind: _kind, apiVersion: _apiVersion, ...rest } = judged!;
    const { kind: _storedKind, apiVersion: _storedVersion, ...storedRest } = stored;
    assert.deepEqual(JSON.parse(JSON.stringify(rest)), storedRest);
    const changed = await merge('a', { metadata: { labels: { a: 'b' } }, status: { phase: 'Failed' } });
    assert.equal(seen.at(-1)?.[1].status?.['phase'], 'Pending', 'an update leaves the status alone');
    assert.deepEqual(seen.at(-1)?.[1].metadata.labels, changed.snapshot.object.metadata.labels);
  });

  it('asks nobody to judge what the kind’s own rules refuse', async () => {
    open('pods', [watcher('judges')]);
    await assert.rejects(create({ metadata: { name: 'a' }, spec: { containers: [] } }), { code: 422 });
    assert.deepEqual(steps(), ['judges admit']);
  });

  it('stores nothing that a plug-in refuses', async () => {
    const refuse = () => {
      throw badRequest('no');
    };
    open('configmaps', [watcher('refuses', { validate: refuse })]);
    await assert.rejects(create({ metadata: { name: 'a' } }), { code: 400, message: 'no' });
    assert.equal(await collection!.collection.storage.find({ namespace: 'default', name: 'a' }), null);
  });

  it('asks again about what is there by then, when somebody else wrote in between', async () => {
    let interfere: (() => Promise<unknown>) | undefined;
    const act = async () => {
      const act = interfere;
      interfere = undefined;
      await act?.();
    };
    const judged: unknown[] = [];
    const validate = async ({ object, previous }: AdmissionRequest) => {
      judged.push([previous?.['data'], object?.['data']]);
      await act();
    };
    open('configmaps', [{ name: 'judges', handles: handles('/configmaps'), validate }]);
    await create({ metadata: { name: 'a' }, data: { n: '1' } });
    judged.length = 0;
    interfere = () => merge('a', { data: { other: '1' } });
    await merge('a', { data: { n: '2' } });
    assert.deepEqual(judged, [
      [{ n: '1' }, { n: '2' }],
      [{ n: '1' }, { n: '1', other: '1' }],
      [
        { n: '1', other: '1' },
        { n: '2', other: '1' },
      ],
    ]);
  });

  it('asks again about the next generated name, when somebody has taken the first', async () => {
    const names: string[] = [];
    const validate = async ({ name, object }: AdmissionRequest) => {
      names.push(name);
      assert.deepEqual(object?.metadata.labels, { 'kubernetes.io/metadata.name': name });
      if (names.length === 1) await create({ metadata: { name } });
    };
    open('namespaces', [{ name: 'judges', handles: handles('/namespaces'), validate }]);
    const { snapshot } = await create({ metadata: { generateName: 'g-' } });
    const [first, again, second] = names;
    assert.equal(first, again);
    assert.notEqual(second, first);
    const { name, labels } = snapshot.object.metadata;
    assert.deepEqual([name, labels], [second, { 'kubernetes.io/metadata.name': second }]);
  });

  it('asks plug-ins about nothing that they do not handle', async () => {
    const asked: string[] = [];
    const plugin = (name: string, resource: string): AdmissionPlugin => ({
      name,
      handles: [{ operations: ['UPDATE'], resources: [resource] }],
      validate: () => void asked.push(name),
    });
    open('pods', [
      plugin('pods', '/pods'),
      plugin('status', '/pods/status'),
      plugin('below', '/pods/*'),
      plugin('all', '*'),
      plugin('secrets', '/secrets'),
    ]);
    await create(pod);
    assert.deepEqual(asked, []);
    await merge('a', { metadata: { labels: { a: 'b' } } });
    assert.deepEqual(asked.splice(0), ['pods', 'all']);
    await patchObject(
      collection!.collection,
      collection!.request('PATCH', '/a/status', undefined, {
        'content-type': 'application/merge-patch+json',
      }),
      { type: 'merge', value: { status: { phase: 'Running' } }, duplicates: [] },
    );
    assert.deepEqual(asked, ['status', 'below', 'all']);
  });
});
