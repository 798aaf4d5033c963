/** Patches made by chance, one after the other to the same two objects of a kind: a seed gives the same story again. */
import { applyMergePatch, type JsonObject, type JsonValue } from '@wherry/kubeapi';
import { patchTypes } from '../chance/story-teller.ts';
import type { Asked } from '../two-servers.ts';
import { blend, oddValues } from './blend.ts';
import { jsonPatch } from './json-patches.ts';
import { KindTeller } from './kind-teller.ts';
import { patchedKinds } from './kinds.ts';
import { withDirectives } from './strategic-patches.ts';

const oddTypes = [
  ...['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf', 'text/plain', 'x'],
  ...[
    'application/apply-patch+cbor',
    'application/merge-patch+yaml',
    'application/json-patch+json; charset=utf-8',
  ],
  ...['application/apply-patch+json', 'APPLICATION/MERGE-PATCH+JSON', 'application/merge-patch+json;x=y'],
];
const broken = [
  '{',
  '[]',
  'null',
  '"x"',
  '',
  '1',
  '{"metadata":{"labels":{"a":"b"}}} x',
  'a: b',
  '- a',
  '\u0000',
  '{}',
];

const metadataWays: readonly [JsonObject, JsonObject] = [
  {
    labels: { l: 'm', 'example.com/k': 'v' },
    annotations: { 'example.com/n': 'o', p: '{"q":1}' },
    finalizers: ['example.com/one', 'example.com/two'],
    ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'o' }],
  },
  {
    labels: { l: 'n', o: '' },
    annotations: { 'example.com/n': 'p' },
    finalizers: ['example.com/two', 'example.com/three'],
    ownerReferences: [
      { apiVersion: 'v1', kind: 'ConfigMap', name: 'p', uid: 'p', controller: true },
      { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'o', blockOwnerDeletion: false },
    ],
  },
];

const entry = (more: JsonObject): JsonObject => ({
  ...{ manager: 'm1', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} },
  ...more,
});
const managedFields: readonly JsonValue[] = [
  ...[
    [],
    null,
    [{}],
    'x',
    {},
    [null],
    [entry({ fieldsV1: { 'f:metadata': { 'f:labels': { 'f:l': {} } } } })],
  ],
  ...[
    [entry({ operation: 'x' })],
    [entry({ fieldsType: 'x' })],
    [entry({ fieldsV1: { x: 1 } })],
    [entry({}), entry({})],
  ],
  ...[[entry({ fieldsV1: null })], [entry({ apiVersion: 'none/v1' })], [entry({ manager: '' })]],
  ...[[entry({ subresource: 'status', operation: 'Update' })], [entry({ time: 'x' })]],
];

/** The requests of one story, about one kind, in a namespace of its own. */
export function story(seed: number, length: number): Asked[] {
  return new Teller(seed).story(length);
}

class Teller extends KindTeller {
  constructor(seed: number) {
    super(seed, 'patches', patchedKinds);
  }

  protected override first(): Asked[] {
    return [this.#create()];
  }

  protected override next(): Asked {
    const make = this.random.pick([
      ...[this.#merge, this.#merge, this.#strategic, this.#strategic, this.#json, this.#json, this.#apply],
      ...[this.#apply, this.#apply, this.#apply, this.#part, this.#part, this.#replace, this.#identity],
      ...[this.#managed, this.#get, this.#create, this.#odd],
    ]);
    const asked = make.call(this);
    if (typeof asked.body !== 'string') asked.body = JSON.stringify(asked.body);
    if (asked.body !== undefined)
      asked.body = (asked.body as string).replaceAll('«namespace»', this.namespace);
    return asked;
  }

  #apiVersion(): string {
    const [first] = this.kind.apiVersions;
    return this.once(4) ? this.random.pick(this.kind.apiVersions) : first;
  }

  #object() {
    const apiVersion = this.#apiVersion();
    const name = this.once(30) ? 'none' : this.random.pick([this.names[0]!, ...this.names]);
    return { apiVersion, name, path: `${this.placeIn(apiVersion)}/${name}` };
  }

  /** What is asked in the query: who writes, how it is read, and whether it is stored. */
  #query(isApply = false): string {
    const parts: string[] = [];
    if (isApply ? !this.once(40) : this.once(3))
      parts.push(
        `fieldManager=${this.random.pick(['m1', 'm2', 'm3', 'm1', 'm2', 'm3', this.once(9) ? 'x'.repeat(129) : 'm4'])}`,
      );
    if (isApply ? this.once(3) : this.once(50))
      parts.push(`force=${this.random.pick(['true', 'true', 'false', 'x'])}`);
    if (this.once(8)) parts.push(`dryRun=${this.random.pick(['All', 'All', 'All', 'x'])}`);
    if (this.once(3)) parts.push(`fieldValidation=${this.random.pick(['Strict', 'Ignore', 'Warn'])}`);
    return parts.length > 0 ? `?${parts.join('&')}` : '';
  }

  /** What the object may be, as a whole, in two ways. */
  #ways(): JsonValue[] {
    const { base, ways } = this.kind;
    return ways.map((way, at) => applyMergePatch({ ...base, metadata: metadataWays[at]! }, way));
  }

  /** Some of what it may have. */
  #some(kept: number, odd: number): JsonObject {
    const { ways } = this.kind;
    const metadata: JsonObject = this.once(3)
      ? { metadata: blend(this.random, metadataWays, { kept, odd }) }
      : {};
    const some = blend(this.random, ways, { kept, odd: 0 }) as JsonObject;
    const spoilt = this.once(3) ? (blend(this.random, [some], { kept: 1, odd }) as JsonObject) : some;
    return { ...spoilt, ...metadata };
  }

  #whole(metadata: JsonObject): JsonObject {
    const { base, kind } = this.kind;
    const made = applyMergePatch(base, this.#some(0.7, 0.02)) as JsonObject;
    return applyMergePatch({ apiVersion: this.#apiVersion(), kind, ...made }, { metadata }) as JsonObject;
  }

  #create(): Asked {
    const { name, apiVersion } = this.#object();
    const metadata: JsonObject = this.once(12) ? { generateName: 'chance-' } : { name };
    const body = { ...this.#whole(metadata), apiVersion };
    return { method: 'POST', path: `${this.placeIn(apiVersion)}${this.#query()}`, body };
  }

  #get(): Asked {
    return { method: 'GET', path: this.#object().path };
  }

  #patch(type: string, body: unknown): Asked {
    return { method: 'PATCH', path: `${this.#object().path}${this.#query()}`, type, body };
  }

  #merge(): Asked {
    const odd = this.random.pick([0.02, 0.1, 0.3]);
    return this.#patch(patchTypes.merge, this.#some(0.5, odd));
  }

  #strategic(): Asked {
    return this.#patch(
      patchTypes.strategic,
      withDirectives(this.random, this.#some(0.5, this.random.pick([0, 0, 0.05, 0.2]))),
    );
  }

  #json(): Asked {
    return this.#patch(patchTypes.json, jsonPatch(this.random, this.#ways()));
  }

  #apply(): Asked {
    const { path, apiVersion, name } = this.#object();
    const { kind, base } = this.kind;
    const some = this.#some(this.random.pick([0.4, 0.8]), this.random.pick([0, 0, 0.02, 0.1]));
    const config = this.once(2) ? (applyMergePatch(base, some) as JsonObject) : some;
    const identity = this.random.pick<JsonObject>([
      ...[{}, {}, {}, { name }, { name }, { name, namespace: this.namespace }],
      ...[
        { uid: `«uid:${path}»` },
        { resourceVersion: `«rv:${path}»` },
        this.once(3) ? { name: 'other' } : {},
      ],
    ]);
    const body: JsonObject = { apiVersion, kind, ...config };
    if (Object.keys(identity).length > 0) body['metadata'] = applyMergePatch(body['metadata'], identity);
    return { method: 'PATCH', path: `${path}${this.#query(true)}`, type: patchTypes.apply, body };
  }

  #replace(): Asked {
    const { path, name, apiVersion } = this.#object();
    const identity = this.random.pick<JsonObject>([
      ...[
        {},
        {},
        { resourceVersion: `«rv:${path}»` },
        { uid: `«uid:${path}»` },
        { resourceVersion: `«old:${path}»` },
      ],
    ]);
    const body = { ...this.#whole({ name, ...identity }), apiVersion };
    return { method: 'PUT', path: `${path}${this.#query()}`, body };
  }

  /** A patch of what says which object it is, or was. */
  #identity(): Asked {
    const { path, apiVersion, name } = this.#object();
    const part = this.random.pick<JsonObject>([
      ...[
        { metadata: { name: 'other' } },
        { metadata: { namespace: 'other' } },
        { kind: 'Other' },
        { apiVersion: 'v9' },
      ],
      ...[
        { metadata: { resourceVersion: `«rv:${path}»` } },
        { metadata: { resourceVersion: `«old:${path}»` } },
      ],
      ...[{ metadata: { resourceVersion: this.random.pick<JsonValue>(['x', '', '0', null, 5, '-1']) } }],
      ...[{ metadata: { uid: this.random.pick<JsonValue>([`«uid:${path}»`, 'x', '', null]) } }],
      ...[
        { metadata: { generateName: 'g-' } },
        { metadata: { creationTimestamp: this.random.pick([null, '2024-01-01T00:00:00Z']) } },
      ],
      ...[
        { metadata: { generation: 9 } },
        { metadata: { selfLink: '/x' } },
        { metadata: { deletionTimestamp: '2024-01-01T00:00:00Z' } },
      ],
      ...[
        { metadata: { deletionGracePeriodSeconds: 5 } },
        { metadata: this.random.pick<JsonValue>([null, 'x', [], {}]) },
      ],
      ...[
        { apiVersion: null },
        { kind: null },
        { kind: '' },
        { metadata: { labels: null, annotations: null, finalizers: null } },
      ],
      ...[{ metadata: { name: null } }, { metadata: { name } }, { metadata: { namespace: this.namespace } }],
    ]);
    const more = this.once(2) ? this.#some(0.3, 0) : {};
    const body = applyMergePatch({ ...more, ...part }, {}) as JsonObject;
    const merged = { ...more, ...part, metadata: part['metadata'] ?? body['metadata'] ?? {} };
    if (this.once(4)) {
      const config = { apiVersion, kind: this.kind.kind, ...merged };
      return { method: 'PATCH', path: `${path}${this.#query(true)}`, type: patchTypes.apply, body: config };
    }
    const type = this.random.pick([patchTypes.merge, patchTypes.strategic]);
    return { method: 'PATCH', path: `${path}${this.#query()}`, type, body: merged };
  }

  /** Who owns which field, said by a client. */
  #managed(): Asked {
    const fields = this.random.pick(managedFields);
    const { path, apiVersion, name } = this.#object();
    const type = this.random.pick([
      patchTypes.merge,
      patchTypes.strategic,
      patchTypes.json,
      patchTypes.apply,
      'put',
    ]);
    if (type === patchTypes.json) {
      const body = [
        {
          op: this.random.pick(['add', 'replace', 'remove']),
          path: '/metadata/managedFields',
          value: fields,
        },
      ];
      return { method: 'PATCH', path: `${path}${this.#query()}`, type, body };
    }
    const more = this.once(2) ? this.#some(0.3, 0) : {};
    const body = { ...more, metadata: { managedFields: fields } };
    if (type === 'put') {
      const object = applyMergePatch(this.#whole({ name }), { apiVersion }) as JsonObject;
      const metadata = { ...(object['metadata'] as JsonObject), managedFields: fields };
      return { method: 'PUT', path: `${path}${this.#query()}`, body: { ...object, metadata } };
    }
    const said = type === patchTypes.apply ? { apiVersion, kind: this.kind.kind } : {};
    return {
      method: 'PATCH',
      path: `${path}${this.#query(type === patchTypes.apply)}`,
      type,
      body: { ...said, ...body },
    };
  }

  /** A write to a sub-resource. */
  #part(): Asked {
    const { path, apiVersion, name } = this.#object();
    const { parts = {}, kind } = this.kind;
    const names = Object.keys(parts);
    if (names.length === 0) return this.#apply();
    const part = this.random.pick(names);
    const ways = parts[part]!;
    const isScale = part === 'scale';
    const written = blend(this.random, ways, { kept: 0.8, odd: this.random.pick([0, 0, 0, 0.1]) });
    const said = isScale ? { apiVersion: 'autoscaling/v1', kind: 'Scale' } : { apiVersion, kind };
    const more: JsonObject = this.once(4)
      ? { metadata: blend(this.random, metadataWays, { kept: 0.5, odd: 0 }) }
      : {};
    const besides = this.once(6) && !isScale ? this.#some(0.3, 0) : {};
    const body = applyMergePatch(written, { ...besides, ...more });
    const type = this.random.pick([
      patchTypes.merge,
      patchTypes.strategic,
      patchTypes.json,
      patchTypes.apply,
      patchTypes.apply,
      'put',
    ]);
    let query = this.#query(type === patchTypes.apply);
    const place = `${path}/${part}`;
    // Whose the replicas are upstream forgets, in part or as a whole, when a scale is written: that is only tried.
    if (isScale) query += `${query === '' ? '?' : '&'}dryRun=All`;
    if (type === 'put') {
      const object = isScale ? { metadata: { name } } : this.#whole({ name });
      return {
        method: 'PUT',
        path: `${place}${query}`,
        body: applyMergePatch({ ...object, ...said }, body),
      };
    }
    if (type === patchTypes.json)
      return { method: 'PATCH', path: `${place}${query}`, type, body: jsonPatch(this.random, ways) };
    if (type === patchTypes.apply)
      return {
        ...{ method: 'PATCH', path: `${place}${query}`, type },
        body: { ...said, ...(body as JsonObject) },
      };
    return {
      ...{ method: 'PATCH', path: `${place}${query}`, type },
      body: type === patchTypes.strategic ? withDirectives(this.random, body) : body,
    };
  }

  /** A body or a media type that is none, a key that stands twice, or a patch of nothing but something odd. */
  #odd(): Asked {
    const asked = this.random.pick([this.#merge, this.#strategic, this.#json, this.#apply]).call(this);
    const text = JSON.stringify(asked.body);
    return this.random.pick<() => Asked>([
      () => ({ ...asked, body: this.random.pick(broken) }),
      () => ({ ...asked, type: this.random.pick(oddTypes) }),
      () => ({ ...asked, body: text.replace(/"(\w+)":/, '"$1":null,"$1":') }),
      () => ({ ...asked, body: text.replace(/"(metadata|labels|spec|data)":\{/, '"$1":{"odd":1,"odd":2,') }),
      () => ({ ...asked, body: JSON.stringify(this.random.pick(oddValues)) }),
      () => ({ ...asked, body: text.replace(/\d/, '12345678901234567890') }),
    ])();
  }
}
