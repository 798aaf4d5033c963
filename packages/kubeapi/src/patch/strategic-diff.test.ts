import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { messageSchema } from '../schema/schema.ts';
import { createThreeWayMergePatch } from './merge-patch.ts';
import { createStrategicPatch, createThreeWayStrategicPatch } from './strategic-diff.ts';
import { applyStrategicPatch } from './strategic-patch.ts';

const pod = messageSchema('Pod');
const deployment = messageSchema('Deployment');

const withContainers = (...containers: JsonObject[]): JsonObject => ({ spec: { containers } });

describe('a strategic patch of two states', () => {
  const cases: [says: string, before: JsonObject, after: JsonObject, patch: JsonObject][] = [
    ['is empty when nothing differs', { spec: { nodeName: 'a' } }, { spec: { nodeName: 'a' } }, {}],
    [
      'sets, changes and deletes fields',
      { metadata: { labels: { a: '1', b: '1' } } },
      { metadata: { labels: { a: '2', c: '1' } } },
      { metadata: { labels: { a: '2', b: null, c: '1' } } },
    ],
    [
      'names the items of a list that change by their keys, and the order of all',
      withContainers({ name: 'a', image: '1' }, { name: 'b', image: '1' }),
      withContainers({ name: 'a', image: '1' }, { name: 'b', image: '2' }),
      {
        spec: {
          containers: [{ image: '2', name: 'b' }],
          '$setElementOrder/containers': [{ name: 'a' }, { name: 'b' }],
        },
      },
    ],
    [
      'adds and deletes items of a list',
      withContainers({ name: 'a', image: '1' }, { name: 'b', image: '1' }),
      withContainers({ name: 'c', image: '3' }, { name: 'a', image: '1' }),
      {
        spec: {
          containers: [
            { name: 'c', image: '3' },
            { name: 'b', $patch: 'delete' },
          ],
          '$setElementOrder/containers': [{ name: 'c' }, { name: 'a' }],
        },
      },
    ],
    [
      'tells an order alone',
      withContainers({ name: 'a' }, { name: 'b' }),
      withContainers({ name: 'b' }, { name: 'a' }),
      { spec: { '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }] } },
    ],
    [
      'merges lists of texts as sets',
      { metadata: { finalizers: ['a/a', 'b/b'] } },
      { metadata: { finalizers: ['c/c', 'b/b'] } },
      {
        metadata: {
          finalizers: ['c/c'],
          '$deleteFromPrimitiveList/finalizers': ['a/a'],
          '$setElementOrder/finalizers': ['c/c', 'b/b'],
        },
      },
    ],
    [
      'replaces lists that are none of these',
      withContainers({ name: 'a', args: ['x', 'y'] }),
      withContainers({ name: 'a', args: ['y'] }),
      {
        spec: {
          containers: [{ name: 'a', args: ['y'] }],
          '$setElementOrder/containers': [{ name: 'a' }],
        },
      },
    ],
    [
      'says of alternatives which one stays',
      { spec: { volumes: [{ name: 'v', emptyDir: {} }] } },
      { spec: { volumes: [{ name: 'v', configMap: { name: 'c' } }] } },
      {
        spec: {
          volumes: [
            { name: 'v', configMap: { name: 'c' }, emptyDir: null, $retainKeys: ['configMap', 'name'] },
          ],
          '$setElementOrder/volumes': [{ name: 'v' }],
        },
      },
    ],
  ];
  for (const [says, before, after, patch] of cases) {
    it(says, () => {
      assert.deepEqual(createStrategicPatch(before, after, pod), patch);
      assert.deepEqual(applyStrategicPatch(before, patch, pod), after);
    });
  }

  it('refuses items without the key of their list', () => {
    assert.throws(
      () => createStrategicPatch(withContainers({ name: 'a' }), withContainers({ image: 'x' }), pod),
      { name: 'PatchError', message: 'map: map[image:x] does not contain declared merge key: name' },
    );
  });

  it('tells ports of one number apart by the order that they stand in', () => {
    const ports = (...list: JsonObject[]) => withContainers({ name: 'c', ports: list });
    const [tcp, udp] = [
      { containerPort: 53, protocol: 'TCP' },
      { containerPort: 53, protocol: 'UDP' },
    ];
    assert.deepEqual(createStrategicPatch(ports(tcp, udp), ports(tcp, udp), pod), {});
  });

  it('makes one state of the other, whatever differs', () => {
    const random = randomFrom(1);
    for (let round = 0; round < 500; round += 1) {
      const [before, after] = [podOf(random), podOf(random)];
      const patch = createStrategicPatch(before, after, pod);
      assert.deepEqual(applyStrategicPatch(before, patch, pod), after, JSON.stringify({ before, after }));
    }
  });
});

describe('a strategic patch of three states', () => {
  const template = (...containers: JsonObject[]): JsonObject => ({
    spec: { template: { spec: { containers } } },
  });
  const added = { name: 'added-by-others', image: 'x' };

  it('keeps what others have added, and deletes what is wanted no longer', () => {
    const original = {
      ...template({ name: 'a', image: '1' }, { name: 'b', image: '1' }),
      metadata: { labels: { x: '1' } },
    };
    const modified = { ...template({ name: 'a', image: '2' }), metadata: { labels: {} } };
    const current = {
      ...template({ name: 'a', image: '1', imagePullPolicy: 'Always' }, { name: 'b', image: '1' }, added),
      metadata: { labels: { x: '1', theirs: '1' } },
    };
    const patch = createThreeWayStrategicPatch({ original, modified, current }, deployment);
    const spec = {
      containers: [
        { image: '2', name: 'a' },
        { name: 'b', $patch: 'delete' },
      ],
      '$setElementOrder/containers': [{ name: 'a' }],
    };
    assert.deepEqual(patch, { metadata: { labels: { x: null } }, spec: { template: { spec } } });
    assert.deepEqual(applyStrategicPatch(current, patch, deployment), {
      ...template({ name: 'a', image: '2', imagePullPolicy: 'Always' }, added),
      metadata: { labels: { theirs: '1' } },
    });
  });

  it('adds nothing of a state that says by a directive what is to be done with it', () => {
    const modified = template({ name: 'a', image: '1' }, { name: 'b', $patch: 'delete' });
    const states = { original: {}, modified, current: {} };
    assert.deepEqual(createThreeWayStrategicPatch(states, deployment), template({ name: 'a', image: '1' }));
  });

  it('is empty when there is what is wanted', () => {
    const modified = template({ name: 'a', image: '1' });
    const current = template({ name: 'a', image: '1', imagePullPolicy: 'Always' });
    const states = { original: modified, modified, current };
    assert.deepEqual(createThreeWayStrategicPatch(states, deployment), {});
  });

  it('changes nothing a second time, and leaves nothing of what was deleted', () => {
    const random = randomFrom(2);
    for (let round = 0; round < 500; round += 1) {
      const [original, modified] = [podOf(random), podOf(random)];
      const current = applyStrategicPatch(original, podOf(random), pod);
      const patch = createThreeWayStrategicPatch({ original, modified, current }, pod);
      const result = applyStrategicPatch(current, patch, pod);
      const again = createThreeWayStrategicPatch({ original: modified, modified, current: result }, pod);
      assert.deepEqual(
        applyStrategicPatch(result, again, pod),
        result,
        JSON.stringify({ original, modified, current }),
      );
      for (const key of Object.keys(labelsOf(original))) {
        const isWanted = Object.hasOwn(labelsOf(modified), key);
        assert.equal(Object.hasOwn(labelsOf(result), key), isWanted, key);
      }
    }
  });

  it('merges whole lists where there is no schema', () => {
    const states = {
      original: { spec: { list: [1], gone: 1, map: { a: 1, b: 1 } } },
      modified: { spec: { list: [2], map: { a: 2 } } },
      current: { spec: { list: [1], gone: 1, theirs: 1, map: { a: 1, b: 1, c: 1 } } },
    };
    assert.deepEqual(createThreeWayMergePatch(states), {
      spec: { list: [2], gone: null, map: { a: 2, b: null } },
    });
  });
});

const labelsOf = ({ metadata }: JsonObject): JsonObject =>
  isJsonObject(metadata) && isJsonObject(metadata['labels']) ? metadata['labels'] : {};

/** Numbers from 0 to below `bound`, the same for the same seed. */
function randomFrom(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % bound;
  };
}

function podOf(random: (bound: number) => number): JsonObject {
  const some = <T extends JsonValue>(all: readonly T[]): T[] => {
    const left = all.filter(() => random(2) === 0);
    return left.sort(() => random(3) - 1);
  };
  const containers = some(['a', 'b', 'c', 'd']).map(
    (name): JsonObject => ({
      ...{ name, image: `${random(3)}` },
      ports: some([1, 2, 3]).map((containerPort) => ({ containerPort, protocol: some(['TCP'])[0] ?? 'UDP' })),
      ...(random(2) === 0 ? { args: some(['x', 'y']) } : {}),
    }),
  );
  const volumes = some(['u', 'v']).map(
    (name): JsonObject =>
      random(2) === 0 ? { name, emptyDir: {} } : { name, configMap: { name: `${random(2)}` } },
  );
  const labels = Object.fromEntries(some(['k', 'l', 'm']).map((key) => [key, `${random(2)}`]));
  return { metadata: { labels, finalizers: some(['f/1', 'f/2', 'f/3']) }, spec: { containers, volumes } };
}
