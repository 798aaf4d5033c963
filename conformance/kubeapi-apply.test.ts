/** Server-side apply against the upstream field manager: the same writes must leave the same object and owners. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  applyConfiguration,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  messageNode,
  messageSchema,
  trackUpdate,
} from '@wherry/kubeapi';
import { SeededRandom } from '../packages/kubeapi/test/random-object.ts';
import { buildGoPeer } from './peers/go-peer.ts';
import { Judge } from './peers/kubeapi-judge.ts';

interface Step {
  apply: boolean;
  manager: string;
  force: boolean;
  object: JsonObject;
}

const seed = Number(process.env['SEED'] ?? Date.now() % 1e9);
const sessions = 150;
const stepsPerSession = 6;

/** A part of the items, each with a chance of one half, in a random order. */
function some<T>(random: SeededRandom, items: readonly T[]): T[] {
  const chosen = items.filter(() => random.fraction() < 0.5);
  return random.fraction() < 0.5 ? chosen : chosen.toReversed();
}

const mapOf = (random: SeededRandom, keys: string[]) =>
  Object.fromEntries(some(random, keys).map((key) => [key, random.pick(['1', '2'])]));

function optional(random: SeededRandom, fields: Record<string, () => JsonValue>): JsonObject {
  return Object.fromEntries(some(random, Object.entries(fields)).map(([name, make]) => [name, make()]));
}

function randomContainer(random: SeededRandom, name: string): JsonObject {
  return {
    name,
    ...optional(random, {
      image: () => random.pick(['a', 'b']),
      args: () => some(random, ['x', 'y']),
      env: () => some(random, ['A', 'B', 'C']).map((key) => ({ name: key, value: random.pick(['1', '2']) })),
      ports: () => some(random, [80, 81]).map((containerPort) => ({ containerPort, protocol: 'TCP' })),
      resources: () => ({ limits: mapOf(random, ['cpu', 'memory']) }),
      securityContext: () => optional(random, { runAsUser: () => random.below(2) }),
    }),
  };
}

const makers: Record<string, (random: SeededRandom) => JsonObject> = {
  Pod: (random) => ({
    spec: optional(random, {
      containers: () => some(random, ['a', 'b', 'c']).map((name) => randomContainer(random, name)),
      nodeSelector: () => mapOf(random, ['x', 'y']),
      tolerations: () => some(random, ['k', 'l']).map((key) => ({ key, operator: 'Exists' })),
      volumes: () => some(random, ['v', 'w']).map((name) => ({ name, emptyDir: {} })),
      hostNetwork: () => random.fraction() < 0.5,
    }),
  }),
  ConfigMap: (random) => ({ data: mapOf(random, ['a', 'b', 'c']) }),
  Service: (random) => ({
    spec: optional(random, {
      selector: () => mapOf(random, ['a', 'b']),
      ports: () => some(random, [80, 81]).map((port) => ({ port, protocol: 'TCP', name: `p${port}` })),
    }),
  }),
};

function randomStep(kind: string, random: SeededRandom, isFirst: boolean): Step {
  const metadata = optional(random, {
    labels: () => mapOf(random, ['a', 'b', 'c']),
    finalizers: () => some(random, ['x/y', 'x/z']),
  });
  const object = {
    apiVersion: 'v1',
    kind,
    metadata: { name: 'o', uid: 'u', ...metadata },
    ...makers[kind]!(random),
  };
  return {
    apply: isFirst || random.fraction() < 0.6,
    manager: random.pick(['ann', 'bob', 'cyn']),
    force: random.fraction() < 0.5,
    object,
  };
}

/** Our side of a step: the object afterwards, or the error's message. */
function take(live: JsonObject | undefined, kind: string, step: Step): JsonObject | string {
  const node = messageNode(messageSchema(kind));
  const options = {
    node,
    manager: { name: step.manager, apiVersion: 'v1', subresource: '' },
    now: '2024-01-01T00:00:00Z',
    live,
  };
  try {
    if (step.apply) return applyConfiguration({ ...options, config: step.object, force: step.force }).object;
  } catch (error) {
    return (error as Error).message;
  }
  const managedFields = trackUpdate({ ...options, next: step.object }) ?? [];
  const metadata = step.object['metadata'] as JsonObject;
  return { ...step.object, metadata: { ...metadata, managedFields: managedFields as unknown as JsonValue } };
}

function split(object: JsonObject): { object: JsonObject; managed: JsonValue[] } {
  const { managedFields = [], ...metadata } = object['metadata'] as JsonObject;
  const managed = (managedFields as JsonObject[]).map(({ time: _, ...entry }) => entry);
  return { object: { ...object, metadata }, managed };
}

const sorted = (entries: JsonValue[]) => entries.map((entry) => JSON.stringify(canonical(entry))).sort();

function canonical(value: JsonValue): JsonValue {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, item]) => [key, canonical(item)]),
  );
}

/** Go leaves emptied structs as null where we leave them out. */
function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutNulls(item)]));
}

describe(`server-side apply (SEED=${seed})`, () => {
  let judge: Judge;
  before(async () => {
    judge = new Judge(await buildGoPeer('kubeapijudge'));
  });
  after(() => judge.close());

  it('leaves the object and the owners that upstream leaves, conflicts included', async () => {
    const random = new SeededRandom(seed);
    let conflicts = 0;
    for (let session = 0; session < sessions; session++) {
      const kind = random.pick(Object.keys(makers));
      const steps = Array.from({ length: stepsPerSession }, (_, at) => randomStep(kind, random, at === 0));
      const { states, error } = await judge.ask({ op: 'session', kind, version: 'v1', group: '', steps });
      assert.equal(error, undefined);
      let live: JsonObject | undefined;
      for (const [at, step] of steps.entries()) {
        const context = () =>
          `session ${session}, step ${at}\n${JSON.stringify(steps.slice(0, at + 1), null, 1)}`;
        const expected = states![at]!;
        const result = take(live, kind, step);
        if (typeof result === 'string') {
          conflicts++;
          assert.ok(expected.error, `only we fail: ${result}\n${context()}`);
          assert.deepEqual(result.split('\n').sort(), expected.error.split('\n').sort(), context());
          continue;
        }
        assert.equal(expected.error, undefined, `only Go fails: ${expected.error}\n${context()}`);
        live = result;
        const { object, managed } = split(result);
        assert.ok(
          jsonEqual(withoutNulls(object), withoutNulls(expected.object)),
          `ours ${JSON.stringify(object)}\nGo's ${JSON.stringify(expected.object)}\n${context()}`,
        );
        assert.deepEqual(sorted(managed), sorted(expected.managed ?? []), context());
      }
    }
    assert.ok(conflicts > 0, 'no session led to a conflict');
  });
});
