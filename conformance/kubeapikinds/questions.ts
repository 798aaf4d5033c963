/** What the judge of kinds is asked: examples, and examples changed by chance; creations and updates. */
import { conform, type JsonObject, type MessageSchema, resources, schemaFor } from '@wherry/kubeapi';
import type { SeededRandom } from '../../packages/kubeapi/test/random-object.ts';
import { examples } from './examples.ts';
import { mutate } from './mutations.ts';

/** One question. */
export interface Question {
  /** `apps/v1/Deployment`. */
  kind: string;
  schema: MessageSchema;
  object: JsonObject;
  previous?: JsonObject;
  /** '' is the object itself. */
  subresource: string;
}

const stamps = { uid: 'a-b-c', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' };
const otherSubresources: Readonly<Record<string, readonly string[]>> = {
  'v1/Pod': ['ephemeralcontainers'],
  'certificates.k8s.io/v1/CertificateSigningRequest': ['approval'],
};

/** Every example as it is, and `rounds` changed ones of each kind. */
export function makeQuestions(random: SeededRandom, rounds: number): Question[] {
  return Object.entries(examples).flatMap(([kind, sound]) => {
    const [, apiVersion = '', name = ''] = /^(.*)\/(\w+)$/.exec(kind) ?? [];
    const schema = schemaFor(apiVersion, name)!;
    const make = (count: number): JsonObject => {
      const object = structuredClone(random.pick(sound));
      for (let at = 0; at < count; at += 1) mutate(object, schema, { random });
      return finish(object, apiVersion, name, schema);
    };
    const facts = resources.find((entry) => entry.kind === name && entry.group === schema.group)!;
    // The status of claims on devices asks an authorizer.
    const hasStatus =
      name !== 'ResourceClaim' && facts.subresources?.some((entry) => entry.name === 'status') === true;
    const subresources = ['', '', ...(hasStatus ? ['status'] : []), ...(otherSubresources[kind] ?? [])];
    return [
      ...sound.map((object) => ({
        ...{ kind, schema, subresource: '' },
        object: finish(structuredClone(object), apiVersion, name, schema),
      })),
      ...Array.from({ length: rounds }, (_, round): Question => {
        if (round % 2 === 0) return { kind, schema, object: make(1 + random.below(4)), subresource: '' };
        const example = make(0);
        const previous: JsonObject = {
          ...make(random.below(3) === 0 ? 1 : 0),
          metadata: example['metadata']!,
        };
        const object = structuredClone(previous);
        for (let at = 0; at <= random.below(3); at += 1) mutate(object, schema, { random });
        return {
          ...{ kind, schema, subresource: random.pick(subresources) },
          previous: stamped(previous, previous),
          object: stamped(finish(object, apiVersion, name, schema), previous),
        };
      }),
    ];
  });
}

/** As it is decoded: without nulls and what the schema does not know. */
export function finish(
  object: JsonObject,
  apiVersion: string,
  kind: string,
  schema: MessageSchema,
): JsonObject {
  const known = conform(JSON.parse(JSON.stringify({ ...object, apiVersion, kind })), schema).object;
  return known as JsonObject;
}

/** An update comes under the name that the object has. */
export function stamped(object: JsonObject, previous: JsonObject): JsonObject {
  const { name, namespace } = previous['metadata'] as JsonObject;
  const { generateName: _generateName, ...metadata } = (object['metadata'] ?? {}) as JsonObject;
  const identity = {
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
  };
  return { ...object, metadata: { ...metadata, ...identity, ...stamps } };
}

/** Go prints nil lists and unset times as null, and structs that are empty. */
export function withoutEmpty(value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value))
    return value.length === 0 ? undefined : value.map((item) => withoutEmpty(item) ?? null);
  if (typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([key, item]) => [key, withoutEmpty(item)] as const);
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}
