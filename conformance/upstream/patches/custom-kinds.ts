/** The custom kinds that are patched, and their definitions. */
import type { JsonObject } from '@wherry/kubeapi';
import type { PatchedKind } from './kinds.ts';

const group = 'patches.example.com';
const text = { type: 'string' };
const whole = { type: 'integer' };
const open = { 'x-kubernetes-preserve-unknown-fields': true };

const listMap = (keys: string[], properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  ...{ type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys, ...more },
  items: { type: 'object', properties, required: keys.filter((key) => key !== 'protocol') },
});

const gadgetSpec: JsonObject = {
  type: 'object',
  properties: {
    size: { ...whole, minimum: 0, maximum: 10 },
    ratio: { type: 'number', multipleOf: 0.5 },
    mode: { ...text, enum: ['a', 'b'], default: 'a' },
    note: { ...text, nullable: true, maxLength: 3 },
    nullDefault: { ...text, nullable: true, default: null },
    port: { 'x-kubernetes-int-or-string': true },
    tags: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    list: { type: 'array', items: { ...whole, nullable: true } },
    atomics: { type: 'array', items: text, 'x-kubernetes-list-type': 'atomic', maxItems: 3 },
    parts: listMap(['name'], {
      name: text,
      n: { ...whole, default: 1 },
      inner: listMap(['k'], { k: text, v: text }),
    }),
    ports: listMap(['port', 'protocol'], { port: whole, protocol: { ...text, default: 'TCP' }, name: text }),
    labels: { type: 'object', additionalProperties: text },
    numbers: { type: 'object', additionalProperties: { ...whole, nullable: true } },
    fixed: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: text, b: text } },
    nested: {
      ...{ type: 'object', default: { depth: 1 } },
      properties: { depth: { ...whole, default: 2 }, other: text },
    },
    free: { type: 'object', ...open, properties: { known: whole } },
    any: open,
    once: { ...text, 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'stays' }] },
  },
  'x-kubernetes-validations': [
    { rule: "!has(self.size) || self.mode == 'a' || self.size > 1", message: 'b needs more' },
    { rule: '!has(self.parts) || self.parts.size() < 4', message: 'too many parts' },
  ],
};
const gadgetStatus: JsonObject = {
  type: 'object',
  properties: {
    ...{ replicas: whole, selector: text, phase: text },
    conditions: listMap(['type'], { type: text, status: text, reason: text }),
  },
};

const gadgetWays: readonly [JsonObject, JsonObject] = [
  {
    spec: {
      ...{ size: 1, ratio: 1.5, mode: 'a', note: null, port: 80, tags: ['a', 'b'], list: [1, null, 2] },
      ...{ atomics: ['x', 'y'], labels: { l: 'm', 'x/y': 'z', 'u~v': 'w' }, numbers: { one: 1, none: null } },
      parts: [{ name: 'p', n: 1, inner: [{ k: 'i', v: '1' }] }, { name: 'q' }],
      ports: [{ port: 80 }, { port: 80, protocol: 'UDP' }],
      ...{ fixed: { a: '1', b: '2' }, nested: { other: 'o' }, free: { x: [1, null, { y: null }], known: 1 } },
      ...{ any: { deep: [{ a: 1 }] }, once: 'f' },
    },
  },
  {
    spec: {
      ...{ size: 5, ratio: 2, mode: 'b', note: 'n', port: 'web', tags: ['b', 'c'], list: [2, 3] },
      ...{ atomics: ['y'], labels: { l: 'n', 'x/y': 'w' }, numbers: { one: 2, two: 2 } },
      parts: [
        { name: 'q', n: 2, inner: [{ k: 'j' }, { k: 'i', v: '2' }] },
        { name: 'r', n: 3 },
      ],
      ports: [{ port: 80, protocol: 'TCP', name: 'h' }, { port: 81 }],
      ...{ fixed: { b: '3' }, nested: { depth: 4 }, free: { x: 'z', '': 1 }, nullDefault: 's' },
      ...{ any: [1, 'x'], once: 'f', unknown: { a: 1 } },
    },
  },
];

const holderSchema: JsonObject = {
  type: 'object',
  properties: {
    template: { type: 'object', 'x-kubernetes-embedded-resource': true, ...open },
    others: {
      type: 'array',
      items: {
        ...{ type: 'object', 'x-kubernetes-embedded-resource': true },
        properties: { spec: { type: 'object', properties: { a: whole } } },
      },
    },
    status: { type: 'object', properties: { phase: text } },
  },
};

function definition(
  kind: string,
  scope: string,
  schemas: Record<string, JsonObject>,
  subresources: JsonObject,
): JsonObject {
  const plural = `${kind.toLowerCase()}s`;
  return {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: { name: `${plural}.${group}` },
    spec: {
      ...{ group, scope, names: { plural, singular: kind.toLowerCase(), kind } },
      versions: Object.entries(schemas).map(([name, openAPIV3Schema], at) => ({
        ...{ name, served: true, storage: at === 0, schema: { openAPIV3Schema }, subresources },
      })),
    },
  };
}

const gadget = { type: 'object', properties: { spec: gadgetSpec, status: gadgetStatus } };
const { once: _, ...gadgetProperties } = gadgetSpec['properties'] as JsonObject;
/** The other version of the same: a list that was a set is atomic, and nothing stays. */
const otherGadget = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: { ...gadgetProperties, once: text, tags: { type: 'array', items: text } },
    },
    status: gadgetStatus,
  },
};

/** What has to be defined before the first patch. */
export const definitions: readonly JsonObject[] = [
  definition(
    'Gadget',
    'Namespaced',
    { v1: gadget, v2: otherGadget },
    {
      status: {},
      scale: {
        ...{ specReplicasPath: '.spec.size', statusReplicasPath: '.status.replicas' },
        labelSelectorPath: '.status.selector',
      },
    },
  ),
  definition('Holder', 'Namespaced', { v1: holderSchema }, {}),
  definition('Sack', 'Cluster', { v1: { type: 'object', ...open } }, {}),
];

export const customKinds: readonly PatchedKind[] = [
  {
    ...{ apiVersions: [`${group}/v1`, `${group}/v2`], kind: 'Gadget', plural: 'gadgets' },
    base: { spec: {} },
    ways: gadgetWays,
    parts: {
      status: [
        { status: { replicas: 1, phase: 'p', conditions: [{ type: 'A', status: 'True' }] } },
        {
          status: {
            ...{ replicas: 2, selector: 's=t', unknown: 1 },
            conditions: [
              { type: 'B', status: 'False', reason: 'R' },
              { type: 'A', status: 'False' },
            ],
          },
        },
      ],
      scale: [{ spec: { replicas: 1 } }, { spec: { replicas: 3 } }],
    },
  },
  {
    ...{ apiVersions: [`${group}/v1`], kind: 'Holder', plural: 'holders', base: {} },
    ways: [
      {
        template: {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'n', labels: { a: 'b' } },
          spec: { x: 1 },
        },
        others: [{ apiVersion: 'x/v1', kind: 'Y', spec: { a: 1, b: 2 } }],
        status: { phase: 'p' },
      },
      {
        template: { apiVersion: 'v1', kind: 'Pod', metadata: { finalizers: ['f'], unknown: 1 }, y: null },
        others: [
          { apiVersion: 'x/v1', kind: 'Z', metadata: { name: 'm' } },
          { apiVersion: 'x/v1', kind: 'Y', metadata: { creationTimestamp: null } },
        ],
      },
    ],
  },
  {
    ...{ apiVersions: [`${group}/v1`], kind: 'Sack', plural: 'sacks', namespaced: false, base: {} },
    ways: [
      { a: { b: 1, c: [1, 'x', null, 1.5] }, status: { phase: 'p' }, n: null },
      { a: { b: '1', d: { e: {} } }, spec: { replicas: 1 }, l: [], 'k/l~m': true, big: 9007199254740991 },
    ],
  },
];
