/** Whatever comes in, the answer is an object or an error of the kind that was promised. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import {
  applyConfiguration,
  applyDefaults,
  applyJsonPatch,
  applyMergePatch,
  applyStrategicPatch,
  type BodyFormat,
  conform,
  decodeBody,
  encodeProtobuf,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  loadPatternEngine,
  messageNames,
  messageNode,
  messageSchema,
  PatchError,
  parseFieldSelector,
  parseLabelSelector,
  parseQuantity,
  QuantityError,
  StatusError,
  tableFor,
  validateCreate,
  validateUpdate,
} from '@wherry/kubeapi';
import { randomObject, SeededRandom } from './random-object.ts';

const seed = Number(process.env['SEED'] ?? Date.now() % 1e9);
const pod = messageSchema('Pod');
const expected = { group: '', version: 'v1', kind: 'Pod' };

/** Runs the action; errors other than the promised ones fail the test. */
function expectOnly(action: () => unknown, isPromised: (error: unknown) => boolean, input: unknown): void {
  try {
    action();
  } catch (error) {
    const shown = typeof input === 'string' ? input : JSON.stringify(input);
    assert.ok(isPromised(error), `seed ${seed}: ${(error as Error).stack}\n${shown?.slice(0, 2000)}`);
  }
}

const isStatus = (error: unknown) => error instanceof StatusError && error.code === 400;

/** Replaces, cuts and doubles bytes here and there. */
function mutilate(text: string, random: SeededRandom): string {
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    '"',
    ':',
    ',',
    '\\',
    '\u0000',
    'null',
    '1e999',
    '-',
    '&a ',
    '*a',
    '!!x ',
    '\n',
    '  ',
    '#',
    '|',
    '%',
  ];
  let result = text;
  for (let hit = 0; hit < 4; hit++) {
    const at = random.below(result.length + 1);
    result = result.slice(0, at) + random.pick(pieces) + result.slice(at + random.below(3));
  }
  return result;
}

const keys = [
  'metadata',
  'spec',
  'containers',
  'name',
  'labels',
  '$patch',
  '$retainKeys',
  '$setElementOrder/containers',
  '$deleteFromPrimitiveList/finalizers',
  'finalizers',
  '__proto__',
  'constructor',
  'managedFields',
  'ports',
  'f:spec',
];

/** Any JSON, with the words that patches take special notice of. */
function randomJson(random: SeededRandom, depth = 0): JsonValue {
  const choice = random.below(depth > 5 ? 5 : 8);
  if (choice === 0) return null;
  if (choice === 1)
    return random.pick(['replace', 'delete', 'merge', 'a', '', '/spec/containers/-', '/metadata']);
  if (choice === 2) return random.below(100) - 50;
  if (choice < 5) return random.fraction() < 0.5;
  if (choice === 5) return Array.from({ length: random.below(3) }, () => randomJson(random, depth + 1));
  return Object.fromEntries(
    Array.from({ length: random.below(4) }, () => [random.pick(keys), randomJson(random, depth + 1)]),
  );
}

describe(`bad input (SEED=${seed})`, () => {
  before(loadPatternEngine);

  it('in bodies leads to 400 and nothing else', () => {
    const random = new SeededRandom(seed);
    for (let round = 0; round < 400; round++) {
      const text = mutilate(JSON.stringify(randomObject(pod, random)), random);
      for (const format of ['json', 'yaml'] satisfies BodyFormat[]) {
        if (format === 'yaml' && round % 8 > 0) continue;
        expectOnly(() => decodeBody(Buffer.from(text), { format, expected }), isStatus, text);
      }
    }
  });

  it('of the wrong types leads to 400, and what passes can be defaulted, validated, printed and encoded', () => {
    const random = new SeededRandom(seed + 1);
    for (const name of messageNames) {
      const schema = messageSchema(name);
      if (!schema.isKind) continue;
      const gvk = { group: schema.group, version: schema.version, kind: schema.upstreamName };
      const made = randomObject(schema, random);
      const object = conform(made, schema).object;
      applyDefaults(object, schema);
      validateCreate(gvk, object);
      validateUpdate(gvk, object, object);
      tableFor({ gvk, objects: [object], nowMs: 0 });
      encodeProtobuf({ ...object, kind: made['kind'], apiVersion: made['apiVersion'] });
      const body = JSON.stringify({ ...(randomJson(random) as object), spec: randomJson(random) });
      expectOnly(() => decodeBody(Buffer.from(body), { format: 'json', expected: gvk }), isStatus, body);
    }
  });

  it('in patches leads to a PatchError and nothing else', () => {
    const random = new SeededRandom(seed + 2);
    const isPatch = (error: unknown) => error instanceof PatchError;
    for (let round = 0; round < 3000; round++) {
      const { object } = conform(randomObject(pod, random), pod);
      const patch = randomJson(random);
      expectOnly(() => applyMergePatch(object, patch), isPatch, patch);
      const operation = {
        op: random.pick(['add', 'copy', 'move', 'test']),
        path: '/spec',
        from: '/metadata',
        value: patch,
      };
      expectOnly(() => applyJsonPatch(object, [operation, patch]), isPatch, patch);
      if (isJsonObject(patch)) expectOnly(() => applyStrategicPatch(object, patch, pod), isPatch, patch);
      assert.equal(Object.getPrototypeOf({}), Object.prototype);
      assert.equal(({} as JsonObject)['replace'], undefined);
    }
  });

  it('in applied configurations leads to a PatchError or a conflict', () => {
    const random = new SeededRandom(seed + 3);
    const isFair = (error: unknown) => error instanceof PatchError || error instanceof StatusError;
    const manager = { name: 'm', apiVersion: 'v1', subresource: '' };
    for (let round = 0; round < 2000; round++) {
      const { object: live } = conform(randomObject(pod, random), pod);
      const config = { metadata: randomJson(random), spec: randomJson(random) };
      const options = {
        node: messageNode(pod),
        live,
        config,
        manager,
        force: random.fraction() < 0.5,
        now: '2024-01-01T00:00:00Z',
      };
      expectOnly(() => applyConfiguration(options), isFair, config);
    }
  });

  it('in selectors and quantities leads to the error that was promised', () => {
    const random = new SeededRandom(seed + 4);
    const pieces = [
      'a',
      '=',
      '!',
      ',',
      '(',
      ')',
      'in',
      ' ',
      '\\',
      '1',
      'Ki',
      '.',
      '-',
      'e',
      '\u0000',
      'ü',
      '"',
      '{',
    ];
    for (let round = 0; round < 5000; round++) {
      const text = Array.from({ length: random.below(9) }, () => random.pick(pieces)).join('');
      expectOnly(() => parseLabelSelector(text).matches({ a: '1' }), isStatus, text);
      expectOnly(() => parseFieldSelector(text).matches(() => 'a'), isStatus, text);
      expectOnly(
        () => parseQuantity(text).toString(),
        (error) => error instanceof QuantityError,
        text,
      );
    }
  });

  it('of great length is refused in little time', () => {
    const startedMs = performance.now();
    const long = 'a'.repeat(2_000_000);
    expectOnly(() => parseLabelSelector(long), isStatus, '');
    expectOnly(() => parseLabelSelector(`${'a,'.repeat(100_000)}!`), isStatus, '');
    expectOnly(() => parseFieldSelector(`${long}!`), isStatus, '');
    expectOnly(() => parseFieldSelector('a\\'.repeat(100_000)), isStatus, '');
    expectOnly(
      () => parseQuantity(long),
      (error) => error instanceof QuantityError,
      '',
    );
    const labels = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, at) => [`${'a.'.repeat(40)}${at}/x`, '-'.repeat(80)]),
    );
    validateCreate(
      { group: '', version: 'v1', kind: 'Namespace' },
      { metadata: { name: `${long}!`, labels } },
    );
    expectOnly(
      () => decodeBody(Buffer.from(`"${'\\u0041'.repeat(400_000)}`), { format: 'json', expected }),
      isStatus,
      '',
    );
    assert.ok(performance.now() - startedMs < 10_000, `took ${performance.now() - startedMs} ms`);
  });
});
