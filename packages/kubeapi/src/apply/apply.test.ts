import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ManagedFieldsEntry } from '../generated/types.ts';
import type { JsonObject } from '../json/json-value.ts';
import { managedVersions } from '../kinds/managed-versions.ts';
import { conform } from '../schema/conform.ts';
import { messageSchema } from '../schema/schema.ts';
import { StatusError } from '../status/status-error.ts';
import { blankObject } from './blank-object.ts';
import { compare } from './compare.ts';
import { leaf, messageNode, type Node } from './node.ts';
import { formatPath, PathSet } from './path-set.ts';
import { applyConfiguration } from './server-side-apply.ts';
import { trackUpdate } from './track-update.ts';

const node = messageNode(messageSchema('ConfigMap'));
const now = '2024-01-01T00:00:00Z';
const manager = (name: string) => ({ name, apiVersion: 'v1', subresource: '' });
const configMap = (data: JsonObject): JsonObject => ({ metadata: { name: 'a' }, data });

function apply(live: JsonObject | undefined, name: string, data: JsonObject, force = false) {
  return applyConfiguration({ node, live, config: configMap(data), manager: manager(name), force, now });
}

const owners = (object: JsonObject) =>
  Object.fromEntries(
    (
      (object['metadata'] as { managedFields: { manager: string; fieldsV1: JsonObject }[] }).managedFields ??
      []
    ).map((entry) => [entry.manager, Object.keys((entry.fieldsV1['f:data'] as JsonObject) ?? {}).sort()]),
  );

describe('server-side apply', () => {
  it('stores what is applied and who applied it', () => {
    const { object, isChanged } = apply(undefined, 'ann', { x: '1' });
    assert.equal(isChanged, true);
    assert.deepEqual(object, {
      metadata: {
        name: 'a',
        managedFields: [
          {
            ...{ manager: 'ann', operation: 'Apply', apiVersion: 'v1', time: now, fieldsType: 'FieldsV1' },
            fieldsV1: { 'f:data': { 'f:x': {} } },
          },
        ],
      },
      data: { x: '1' },
    });
  });

  it('changes nothing when nothing is new', () => {
    const { object } = apply(undefined, 'ann', { x: '1' });
    assert.equal(apply(object, 'ann', { x: '1' }).isChanged, false);
  });

  it('gives who joins what is there without changing it no time, and who leaves a field to others no newer one', () => {
    const first = apply(undefined, 'ann', { x: '1', y: '1' }).object;
    const joined = apply(first, 'bob', { x: '1' });
    const left = apply(joined.object, 'ann', { y: '1' });
    const timesOf = ({ object }: typeof left) =>
      (object['metadata'] as { managedFields: { manager: string; time?: string }[] }).managedFields.map(
        ({ manager, time }) => [manager, time],
      );
    assert.deepEqual([joined.isChanged, left.isChanged], [true, true]);
    assert.deepEqual(timesOf(joined), [
      ['bob', undefined],
      ['ann', now],
    ]);
    assert.deepEqual(timesOf(left), timesOf(joined));
  });

  it('removes what its manager no longer applies, and only that', () => {
    const first = apply(undefined, 'ann', { x: '1', y: '1' }).object;
    const second = apply(first, 'bob', { y: '1', z: '1' }).object;
    const third = apply(second, 'ann', {}).object;
    assert.deepEqual(third['data'], { y: '1', z: '1' });
    assert.deepEqual(owners(third), { ann: [], bob: ['f:y', 'f:z'] });
  });

  it('fails with the owner of a field that would change', () => {
    const { object } = apply(undefined, 'ann', { x: '1' });
    assert.throws(
      () => apply(object, 'bob', { x: '2' }),
      (error) => {
        assert.ok(error instanceof StatusError);
        assert.equal(error.code, 409);
        assert.equal(error.message, 'Apply failed with 1 conflict: conflict with "ann": .data.x');
        assert.deepEqual(error.status.details?.causes, [
          { reason: 'FieldManagerConflict', message: 'conflict with "ann"', field: '.data.x' },
        ]);
        return true;
      },
    );
  });

  it('takes fields over by force', () => {
    const { object } = apply(undefined, 'ann', { x: '1', y: '1' });
    const forced = apply(object, 'bob', { x: '2' }, true).object;
    assert.deepEqual(forced['data'], { x: '2', y: '1' });
    assert.deepEqual(owners(forced), { ann: ['f:y'], bob: ['f:x'] });
  });

  it('takes what was there before for somebody’s', () => {
    const live = { metadata: { name: 'a', uid: 'u' }, data: { x: '1', y: '1' } };
    assert.throws(
      () => apply(live, 'ann', { x: '2' }),
      /conflict with "before-first-apply" using v1: .data.x/,
    );
    assert.deepEqual(owners(apply(live, 'ann', { x: '1' }).object), {
      ann: ['f:x'],
      'before-first-apply': ['.', 'f:x', 'f:y'],
    });
  });

  it('takes items of one key that the object has several times for one, and replaces them by what it is told', () => {
    const pod = messageNode(messageSchema('Pod'));
    const withEnv = (...env: JsonObject[]): JsonObject => ({
      metadata: { name: 'a' },
      spec: { containers: [{ name: 'x', env }] },
    });
    const twice = withEnv({ name: 'A', value: '1' }, { name: 'B' }, { name: 'A', value: '2' });
    const options = { node: pod, manager: manager('bob'), now };
    const managedFields = trackUpdate({ ...options, live: undefined, next: twice }) ?? [];
    const fields = JSON.stringify(managedFields[0]?.fieldsV1);
    assert.ok(
      fields.includes(String.raw`"k:{\"name\":\"A\"}":{},"k:{\"name\":\"B\"}":{".":{},"f:name":{}}`),
      fields,
    );
    const live = { ...twice, metadata: { name: 'a', managedFields } } as unknown as JsonObject;
    const config = withEnv({ name: 'A', valueFrom: {} });
    const applying = { ...options, manager: manager('ann'), live, config };
    assert.throws(() => applyConfiguration({ ...applying, force: false }), {
      message:
        'Apply failed with 1 conflict: conflict with "bob" using v1: .spec.containers[name="x"].env[name="A"]',
    });
    const { object } = applyConfiguration({ ...applying, force: true });
    assert.deepEqual(object['spec'], {
      containers: [{ name: 'x', env: [{ name: 'A', valueFrom: {} }, { name: 'B' }] }],
    });
  });

  it('leaves nothing of what it empties', () => {
    const struct = (fields: Record<string, Node>): Node => ({
      kind: 'struct',
      fieldOf: (name) => fields[name],
    });
    const free = struct({ free: { kind: 'any' }, set: { kind: 'set' } });
    const apply = (live: JsonObject | undefined, config: JsonObject) =>
      applyConfiguration({ node: free, live, config, manager: manager('ann'), force: false, now }).object;
    const first = apply(undefined, { free: { a: { b: { c: '1' } } }, set: ['x'] });
    const others = apply({ ...first, kind: 'X' }, { free: { a: {} } });
    assert.deepEqual([others['free'], others['set']], [{ a: null }, undefined]);
  });

  it('knows who has had parts of what can only be owned as a whole now', () => {
    const { object } = apply(undefined, 'ann', { x: '1' });
    const whole: Node = { kind: 'struct', fieldOf: () => leaf };
    const options = { live: object, config: configMap({ y: '1' }), manager: manager('bob'), now };
    assert.throws(() => applyConfiguration({ ...options, node: whole, force: false }), {
      message: 'Apply failed with 1 conflict: conflict with "ann": .data',
    });
    const forced = applyConfiguration({ ...options, node: whole, force: true }).object;
    const { managedFields } = forced['metadata'] as { managedFields: JsonObject[] };
    assert.deepEqual(
      managedFields.map((entry) => [entry['manager'], entry['fieldsV1']]),
      [['bob', { 'f:data': {} }]],
    );
  });

  it('refuses managed fields in a configuration', () => {
    const config = { metadata: { name: 'a', managedFields: [] } };
    const options = { node, live: undefined, config, manager: manager('ann'), force: false, now };
    assert.throws(() => applyConfiguration(options), /metadata.managedFields must be nil/);
  });

  it('merges containers by name and leaves the status alone', () => {
    const pod = messageNode(messageSchema('Pod'));
    const live = {
      metadata: { name: 'a' },
      spec: { containers: [{ name: 'x', image: '1' }] },
      status: { phase: 'Running' },
    };
    const config = {
      metadata: { name: 'a' },
      spec: { containers: [{ name: 'y', image: '2' }] },
      status: { phase: 'Failed' },
    };
    const { object } = applyConfiguration({
      ...{ node: pod, live, config, manager: manager('ann'), force: true, now },
      ignoredFields: [['status']],
    });
    assert.deepEqual((object['spec'] as JsonObject)['containers'], [
      { name: 'x', image: '1' },
      { name: 'y', image: '2' },
    ]);
    assert.ok(!JSON.stringify(owners(object)).includes('status'));
  });
});

describe('tracking of other writes', () => {
  it('begins with the object, or with the first apply to one that is older than its tracking', () => {
    const next = configMap({ x: '1' });
    const track = (live: JsonObject | undefined) =>
      trackUpdate({ node, live, next, manager: manager('bob'), now });
    const managedFields = track(undefined) as unknown as JsonObject[];
    assert.deepEqual(owners({ metadata: { managedFields } }), { bob: ['.', 'f:x'] });
    assert.equal(track(configMap({ x: '2' })), undefined);
  });

  it('gives nobody the texts that every object of a kind has, said or not', () => {
    const blank = blankObject(messageSchema('StatefulSet'));
    const spec = { serviceName: '', replicas: 1 };
    const next = { metadata: { name: 'a' }, spec };
    const options = { node: messageNode(messageSchema('StatefulSet')), manager: manager('bob'), now, blank };
    const [entry] = trackUpdate({ ...options, live: undefined, next }) ?? [];
    assert.deepEqual(entry?.fieldsV1, { 'f:spec': { 'f:replicas': {} } });
  });

  it('gives nobody a list that every object of a kind has, and that is empty', () => {
    const schema = messageSchema('Role');
    const next = conform({ metadata: { name: 'a', labels: { l: 'm' } } }, schema).object;
    const tracked = { node: messageNode(schema), manager: manager('bob'), now, blank: blankObject(schema) };
    const [entry] = trackUpdate({ ...tracked, live: undefined, next }) ?? [];
    assert.deepEqual(next['rules'], []);
    assert.deepEqual(Object.keys(entry?.fieldsV1 ?? {}), ['f:metadata']);
  });

  it('forgets everybody when a client says no entry or an empty one, and takes what a client says of others', () => {
    const { object } = apply(undefined, 'ann', { x: '1' });
    const track = (managedFields: JsonObject[]) => {
      const next = { ...configMap({ x: '1' }), metadata: { name: 'a', managedFields } };
      return trackUpdate({ node, live: object, next, manager: manager('bob'), now });
    };
    assert.equal(track([{}]), undefined);
    assert.equal(track([]), undefined);
    const [entry] = (object['metadata'] as { managedFields: JsonObject[] }).managedFields;
    assert.equal(track([{ ...entry, manager: 'cid' }])?.[0]?.manager, 'cid');
  });

  it('takes nothing of what a client says of managers where one of them is none', () => {
    const { object } = apply(undefined, 'ann', { x: '1' });
    const [entry] = (object['metadata'] as { managedFields: JsonObject[] }).managedFields;
    const odds: JsonObject[] = [{ fieldsType: 'FieldsV2' }, { operation: 'Look' }, { apiVersion: '' }];
    for (const odd of odds) {
      const managedFields: JsonObject[] = [
        { ...entry, manager: 'cid' },
        { ...entry, ...odd },
      ];
      const next = { ...configMap({ x: '1' }), metadata: { name: 'a', managedFields } };
      const told = trackUpdate({ node, live: object, next, manager: manager('bob'), now });
      assert.deepEqual(
        told?.map(({ manager }) => manager),
        ['ann'],
      );
    }
  });

  it('forgets managers in versions that the kind has not, and those that a client says own nothing', () => {
    const { object } = apply(undefined, 'ann', { x: '1' });
    const versions = managedVersions({ group: '', version: 'v1', kind: 'ConfigMap' });
    const told = (entry: JsonObject): JsonObject => ({
      ...object,
      metadata: { name: 'a', managedFields: [{ ...entry, operation: 'Apply', fieldsType: 'FieldsV1' }] },
    });
    const track = (next: JsonObject) =>
      trackUpdate({ node, live: object, next, manager: manager('bob'), now, versions });
    const fieldsV1 = { 'f:data': { 'f:x': {} } };
    assert.deepEqual(track(told({ manager: 'eve', apiVersion: 'apps/v1', fieldsV1 })), []);
    assert.deepEqual(track(told({ manager: 'eve', apiVersion: 'v1', fieldsV1: null })), []);
    const [kept] = track(told({ manager: 'eve', apiVersion: 'v1', fieldsV1: { x: 1 } })) ?? [];
    assert.equal(kept?.manager, 'ann', 'what is no tree of fields counts for nothing');
  });

  it('gives changed fields to who changed them', () => {
    const { object } = apply(undefined, 'ann', { x: '1', y: '1' });
    const managedFields = trackUpdate({
      node,
      live: object,
      next: configMap({ x: '2', y: '1' }),
      manager: manager('bob'),
      now,
    });
    assert.deepEqual(owners({ metadata: { managedFields } as unknown as JsonObject }), {
      ann: ['f:y'],
      bob: ['f:x'],
    });
  });

  it('says the same of managers as they were stored and of those that a client tells anew', () => {
    const pod = messageNode(messageSchema('Pod'));
    let state = 7;
    const draw = (count: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return Math.floor((state / 2 ** 31) * count);
    };
    const text = () => String(draw(3));
    const some = <T>(list: T[]) => list.filter(() => draw(2) === 0);
    const spec = () => ({
      containers: some(['x', 'y', 'z']).map((name) => ({ name, image: text(), args: [text()] })),
      ...(draw(2) ? { nodeSelector: Object.fromEntries(some(['a', 'b']).map((key) => [key, text()])) } : {}),
      ...(draw(3) ? { hostname: text() } : {}),
    });
    const labels = () => Object.fromEntries(some(['l', 'm', 'n']).map((key) => [key, text()]));
    const finalizers = () => some(['f/1', 'f/2']);
    let live: JsonObject | undefined;
    let entriesMax = 0;
    for (let round = 0; round < 300; round += 1) {
      const next = { metadata: { name: 'a', labels: labels(), finalizers: finalizers() }, spec: spec() };
      const subresource = draw(3) ? '' : 'status';
      const who = { name: `m${draw(5)}`, apiVersion: 'v1', subresource };
      const options = { node: pod, manager: who, now: `2024-01-01T00:00:00.${1_000 + round}Z` };
      const kept = trackUpdate({ ...options, live, next });
      const { managedFields } = (live?.['metadata'] ?? {}) as { managedFields?: JsonObject[] };
      const told = { ...next.metadata, ...(managedFields && { managedFields: managedFields.toReversed() }) };
      if (subresource === '')
        assert.deepEqual(trackUpdate({ ...options, live, next: { ...next, metadata: told } }), kept);
      entriesMax = Math.max(entriesMax, kept?.length ?? 0);
      if (kept)
        live = { ...next, metadata: { ...next.metadata, managedFields: kept as unknown as JsonObject[] } };
    }
    assert.ok(entriesMax > 3, String(entriesMax));
  });

  it('tells of a value without a schema that became an object, or was one, and of its fields', () => {
    const free: Node = { kind: 'any' };
    const fieldsOf = (before: JsonObject, after: JsonObject) => {
      const { removed, modified, added } = compare(before, after, free);
      return [removed.toFields(), modified.toFields(), added.toFields()];
    };
    const [plain, object] = [{ a: ['x'] }, { a: { b: { c: 1 } } }];
    const inner = { 'f:a': { 'f:b': { '.': {}, 'f:c': {} } } };
    assert.deepEqual(fieldsOf(plain, object), [{}, { 'f:a': {} }, inner]);
    assert.deepEqual(fieldsOf(object, plain), [inner, { 'f:a': {} }, {}]);
    assert.deepEqual(fieldsOf({ a: null }, object), [{}, {}, inner]);
    assert.deepEqual(fieldsOf({ a: null }, { a: {} }), [{}, { 'f:a': {} }, {}]);
  });

  it('keeps at most ten updaters', () => {
    let live = apply(undefined, 'ann', { x: '0' }).object;
    for (let round = 0; round < 30; round++) {
      const next = configMap({ ...(live['data'] as JsonObject), [`k${round}`]: '1' });
      const time = `2024-01-01T00:00:${String(round).padStart(2, '0')}Z`;
      const managedFields = trackUpdate({ node, live, next, manager: manager(`m${round}`), now: time });
      live = { ...next, metadata: { name: 'a', managedFields } as unknown as JsonObject };
    }
    const names = Object.keys(owners(live));
    assert.equal(names.length, 11);
    assert.ok(names.includes('ancient-changes'));
  });
});

describe('more than ten updaters', () => {
  const entry = (
    name: string,
    apiVersion: string,
    hour: number,
    ...fields: string[]
  ): ManagedFieldsEntry => ({
    ...{ manager: name, operation: 'Update', apiVersion, fieldsType: 'FieldsV1' },
    time: `2024-01-01T${String(hour).padStart(2, '0')}:00:00Z`,
    fieldsV1: Object.fromEntries(fields.map((field) => [`f:${field}`, {}])),
  });
  const others = [11, 12, 13, 14, 15, 16, 17].map((hour) => entry(`m${hour}`, 'v9', hour, `g${hour}`));
  const kept = (...entries: ManagedFieldsEntry[]) => {
    const live = { metadata: { name: 'a', managedFields: entries as unknown as JsonObject[] } };
    const versions = { convert: (object: JsonObject) => object, nodeOf: () => node };
    const left = trackUpdate({ node, live, next: live, manager: manager('x'), now, versions }) ?? [];
    return left.filter((each) => !others.some((other) => other.manager === each.manager));
  };

  it('become fewer: the oldest of each version are one', () => {
    assert.deepEqual(
      kept(
        ...[entry('m1', 'v1', 1, 'a'), entry('m2', 'v2', 2, 'b'), entry('m3', 'v1', 3, 'c')],
        ...[entry('m4', 'v1', 4, 'd'), entry('m5', 'v1', 5, 'e')],
        ...others,
      ),
      [
        ...[entry('m2', 'v2', 2, 'b'), entry('ancient-changes', 'v1', 4, 'a', 'c', 'd')],
        entry('m5', 'v1', 5, 'e'),
      ],
    );
    assert.deepEqual(
      kept(
        ...[entry('m2', 'v2', 2, 'b'), entry('ancient-changes', 'v1', 4, 'a', 'c')],
        ...[entry('m5', 'v1', 5, 'e'), entry('m6', 'v3', 6, 'f'), entry('m7', 'v2', 7, 'g')],
        ...others,
      ),
      [
        ...[entry('ancient-changes', 'v1', 5, 'a', 'c', 'e'), entry('m6', 'v3', 6, 'f')],
        entry('ancient-changes', 'v2', 7, 'b', 'g'),
      ],
    );
  });

  it('stay where no two have one version', () => {
    const entries = [1, 2, 3, 4].map((hour) => entry(`m${hour}`, `v${hour}`, hour, `h${hour}`));
    assert.deepEqual(kept(...entries, ...others.slice(0, 6)), entries);
  });
});

describe('sets of paths', () => {
  it('survive being written as fieldsV1', () => {
    const fields = {
      'f:a': { '.': {}, 'f:b': {} },
      'f:l': { 'k:{"name":"x"}': { '.': {}, 'f:y': {} }, 'v:"z"': {} },
    };
    assert.deepEqual(PathSet.fromFields(fields).toFields(), fields);
  });

  it('show paths as messages do', () => {
    assert.equal(
      formatPath(['f:spec', 'f:containers', 'k:{"name":"a"}', 'f:image']),
      '.spec.containers[name="a"].image',
    );
    assert.equal(formatPath(['f:metadata', 'f:finalizers', 'v:"x"']), '.metadata.finalizers[="x"]');
  });
});
