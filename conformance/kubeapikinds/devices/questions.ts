/** What the judge of kinds is asked about devices. */
import { type JsonObject, schemaFor } from '@wherry/kubeapi';
import type { SeededRandom } from '../../../packages/kubeapi/test/random-object.ts';
import { mutate } from '../mutations.ts';
import { finish, type Question, stamped } from '../questions.ts';
import { deviceBounds } from './bounds.ts';
import { deviceExamples } from './examples.ts';

/** Beside what is tried of all kinds. */
const words = [
  ...[
    'gpu',
    'gpu-0',
    'any/big',
    'any/big/x',
    'gpu.example.com',
    'GPU.example.com',
    'example.com/numa',
    'pool/a',
  ],
  ...['1.0.0', '1.0', '01.0.0', '1.0.0-01', 'FromClaim', 'FromClass', 'NoSchedule', 'NoExecute', 'All'],
  ...[
    'ExactCount',
    'true',
    'device.driver == 1',
    'nonsense(',
    '10.0.0.1/24',
    '2001:db8::1/64',
    '02:00:00:00:00:01',
  ],
  ...[
    '6b8f2f0e-0c1b-4d9e-9d6c-2a3f0f1b2c3d',
    'a'.repeat(32),
    'a'.repeat(33),
    'a'.repeat(65),
    'a'.repeat(129),
  ],
];

/** Every example as it is, and every bound. */
export function settledDevices(): Question[] {
  return [
    ...Object.entries(deviceExamples).flatMap(([kind, sound]) =>
      sound.map((object) => question(kind, object)),
    ),
    ...deviceBounds.map(({ kind, object, previous, subresource }) =>
      question(kind, object, previous, subresource),
    ),
  ];
}

/** Of each kind `rounds` that chance has changed. */
export function changedDevices(random: SeededRandom, rounds: number): Question[] {
  return Object.entries(deviceExamples).flatMap(([kind, sound]) => {
    const { schema } = partsOf(kind);
    const changed = (count: number) => {
      const object = structuredClone(random.pick(sound));
      for (let at = 0; at < count; at += 1) mutate(object, schema, { random, words });
      return object;
    };
    return Array.from({ length: rounds }, (_, round) => {
      if (round % 3 === 0) return question(kind, changed(1 + random.below(3)));
      const previous: JsonObject = {
        ...changed(random.below(4) === 0 ? 1 : 0),
        metadata: structuredClone(sound[0]!['metadata']!),
      };
      // Now and then another one: devices are given or taken back.
      const object = random.below(3) === 0 ? changed(0) : structuredClone(previous);
      for (let at = 0; at <= random.below(3); at += 1) mutate(object, schema, { random, words });
      const subresource = kind.endsWith('/ResourceClaim') && round % 2 === 0 ? 'status' : '';
      return question(kind, object, previous, subresource);
    });
  });
}

function partsOf(kind: string) {
  const [, apiVersion = '', name = ''] = /^(.*)\/(\w+)$/.exec(kind) ?? [];
  return { apiVersion, name, schema: schemaFor(apiVersion, name)! };
}

function question(kind: string, object: JsonObject, previous?: JsonObject, subresource = ''): Question {
  const { apiVersion, name, schema } = partsOf(kind);
  const next = finish(object, apiVersion, name, schema);
  if (!previous) return { kind, schema, object: next, subresource };
  const before = finish(previous, apiVersion, name, schema);
  return { kind, schema, object: stamped(next, before), previous: stamped(before, before), subresource };
}
