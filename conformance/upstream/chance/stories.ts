/** Requests made by chance, one after the other to the same few objects: a seed gives the same story again. */
import { applyMergePatch, type JsonObject, type JsonValue } from '@wherry/kubeapi';
import type { Asked } from '../two-servers.ts';
import { type StoryKind, storyKinds } from './kinds.ts';
import { patchTypes, StoryTeller } from './story-teller.ts';

const metadataParts: readonly JsonObject[] = [
  { labels: { l: 'm' } },
  { labels: { l: null, n: 'o' } },
  { labels: { 'a b': 'c' } },
  { labels: 'x' },
  { annotations: { n: 'o' } },
  { finalizers: ['example.com/one'] },
  { finalizers: ['example.com/one', 'example.com/two'] },
  { finalizers: null },
  { finalizers: ['x'] },
  { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'o' }] },
  { unknown: 1 },
  { name: 'other' },
  { resourceVersion: '1' },
];

const operations: readonly JsonValue[] = [
  [{ op: 'add', path: '/metadata/labels', value: { l: 'm' } }],
  [{ op: 'test', path: '/metadata/name', value: 'none' }],
  [{ op: 'remove', path: '/metadata/labels' }],
  [{ op: 'add', path: '/metadata/finalizers', value: ['example.com/one'] }],
  [{ op: 'remove', path: '/metadata/finalizers/0' }],
  [{ op: 'replace', path: '/metadata/uid', value: 'x' }],
  [{ op: 'put', path: '/a' }],
  [{ op: 'add', path: 'a', value: 1 }],
  [{ path: '/a' }],
  [],
  {},
  null,
  'x',
  [1],
];

const broken = ['{', '[]', 'null', '"x"', '', '1', '{"metadata":{"name":"a"}} x'];
const labelSelectors = ['l=m', 'l', '!l', 'l in (m,n)', 'l notin (m)', 'l=', 'l in (m', ',', 'l==m,n!=o'];
const representations = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'];
const deletions: readonly JsonObject[] = [
  { propagationPolicy: 'Foreground' },
  { propagationPolicy: 'Orphan' },
  { propagationPolicy: 'Background' },
  { propagationPolicy: 'x' },
  { orphanDependents: true },
  { gracePeriodSeconds: 0 },
  { gracePeriodSeconds: 5 },
  { preconditions: { uid: 'x' } },
  { preconditions: { resourceVersion: '1' } },
  { dryRun: ['All'] },
  { unknown: 1 },
  { kind: 'x' },
];

/** The requests of one story, in a namespace of its own. */
export function story(seed: number, length: number): Asked[] {
  return new Teller(seed).story(length);
}

class Teller extends StoryTeller {
  readonly #kinds: readonly StoryKind[];

  constructor(seed: number) {
    super(seed, 'story');
    this.#kinds = [this.random.pick(storyKinds), this.random.pick(storyKinds)];
  }

  protected override first(): Asked[] {
    return this.#kinds.map((kind) => this.#create(kind));
  }

  protected override next(): Asked {
    const kind = this.random.pick(this.#kinds);
    const make = this.random.pick([
      ...[this.#create, this.#get, this.#list, this.#list, this.#replace, this.#replace, this.#patch],
      ...[this.#patch, this.#patch, this.#apply, this.#apply, this.#apply, this.#part, this.#part],
      ...[this.#delete, this.#deleteAll],
    ]);
    return make.call(this, kind);
  }

  #object(kind: StoryKind): { path: string; name: string } {
    const name = this.random.pick(this.names);
    return { path: `${this.place(kind.apiVersion, kind)}/${name}`, name };
  }

  #query(...more: string[]): string {
    const parts = [
      ...(this.once(4) ? [`fieldManager=${this.random.pick(['m1', 'm2'])}`] : []),
      ...(this.once(6) ? [`dryRun=${this.random.pick(['All', 'All', 'x', ''])}`] : []),
      ...(this.once(3) ? [`fieldValidation=${this.random.pick(['Strict', 'Ignore', 'Warn', 'x'])}`] : []),
      ...more,
    ];
    return parts.length > 0 ? `?${parts.join('&')}` : '';
  }

  /** A few of its parts, as they are merged into what is written. */
  #changes(kind: StoryKind): JsonObject {
    const part = this.random.pick(kind.parts);
    return this.once(3) ? { ...part, metadata: this.random.pick(metadataParts) } : part;
  }

  #whole(kind: StoryKind, metadata: JsonObject): JsonObject {
    const { apiVersion, kind: said, whole } = kind;
    const object = { apiVersion, kind: said, ...whole };
    const changed = this.once(2) ? applyMergePatch(object, this.#changes(kind)) : object;
    return applyMergePatch(changed, { metadata }) as JsonObject;
  }

  /** Now and then as YAML, or with a key that stands twice. */
  #body(value: JsonObject): Pick<Asked, 'body' | 'type'> {
    if (this.once(25)) return { body: this.random.pick(broken) };
    const text = JSON.stringify(value);
    if (this.once(12)) return { body: text.replace('"metadata":{', '"metadata":{"name":"x",') };
    return this.once(12) ? { body: text, type: 'application/yaml' } : { body: text };
  }

  #create(kind: StoryKind): Asked {
    const { name } = this.#object(kind);
    const metadata: JsonObject = this.once(8) ? { generateName: 'chance-' } : { name };
    const odd = this.once(10) ? this.random.pick(metadataParts) : {};
    const body = this.#body(this.#whole(kind, { ...odd, ...metadata }));
    return { method: 'POST', path: `${this.place(kind.apiVersion, kind)}${this.#query()}`, ...body };
  }

  #get(kind: StoryKind): Asked {
    const versions = ['', '', '?resourceVersion=0', '?resourceVersion=1'];
    return this.#shaped({
      method: 'GET',
      path: `${this.#object(kind).path}${this.random.pick(versions)}`,
    });
  }

  #shaped(asked: Asked): Asked {
    if (!this.once(4)) return asked;
    const as = this.random.pick(representations);
    const version = this.random.pick(['v1', 'v1', 'v1beta1', 'v2']);
    return { ...asked, headers: { accept: `application/json;as=${as};g=meta.k8s.io;v=${version}` } };
  }

  #selection(kind: StoryKind): string[] {
    const encoded = (list: readonly string[]) => encodeURIComponent(this.random.pick(list));
    return [
      ...(this.once(3) ? [`labelSelector=${encoded(labelSelectors)}`] : []),
      ...(this.once(4) && kind.selectors.length > 0 ? [`fieldSelector=${encoded(kind.selectors)}`] : []),
    ];
  }

  #list(kind: StoryKind): Asked {
    const parts = this.#selection(kind);
    // Of what no namespace has other stories tell, too.
    if (!kind.namespaced) parts.push(`fieldSelector=metadata.name%3D${this.random.pick(this.names)}`);
    const pick = (list: readonly string[]) => parts.push(this.random.pick(list));
    if (this.once(3)) pick(['limit=1', 'limit=2', 'limit=0', 'limit=x', 'limit=', 'limit=-1']);
    if (this.once(4)) pick(['continue=«continue»', 'continue=x']);
    if (this.once(4)) pick(['resourceVersion=0', 'resourceVersion=«listed»', 'resourceVersion=x']);
    if (this.once(6)) pick(['resourceVersionMatch=Exact', 'resourceVersionMatch=NotOlderThan']);
    if (this.once(12)) parts.push('watch=true', 'timeoutSeconds=1', 'resourceVersion=«listed»');
    return this.#shaped({ method: 'GET', path: `${this.place(kind.apiVersion, kind)}?${parts.join('&')}` });
  }

  #replace(kind: StoryKind): Asked {
    const { path, name } = this.#object(kind);
    const identity = this.random.pick<JsonObject>([
      ...[{}, {}, { resourceVersion: `«rv:${path}»` }, { resourceVersion: `«rv:${path}»` }],
      ...[
        { resourceVersion: `«old:${path}»` },
        { resourceVersion: '0' },
        { uid: `«uid:${path}»` },
        { uid: 'x' },
      ],
    ]);
    const odd = this.once(4) ? this.random.pick(metadataParts) : {};
    const body = this.#body(this.#whole(kind, { ...odd, name, ...identity }));
    return { method: 'PUT', path: `${path}${this.#query()}`, ...body };
  }

  #patch(kind: StoryKind): Asked {
    const { path } = this.#object(kind);
    const type = this.random.pick([patchTypes.merge, patchTypes.strategic, patchTypes.json]);
    const value = type === patchTypes.json ? this.random.pick(operations) : this.#changes(kind);
    const body = this.once(20) ? this.random.pick(broken) : JSON.stringify(value);
    return { method: 'PATCH', path: `${path}${this.#query()}`, type, body };
  }

  #apply(kind: StoryKind): Asked {
    const { path, name } = this.#object(kind);
    const query = [`fieldManager=${this.random.pick(['m1', 'm2', 'm3'])}`];
    if (this.once(4)) query.push('force=true');
    const { apiVersion, kind: said } = kind;
    const part = this.once(3)
      ? this.#whole(kind, { name })
      : { ...this.#changes(kind), apiVersion, kind: said };
    return {
      method: 'PATCH',
      path: `${path}?${query.join('&')}`,
      type: patchTypes.apply,
      body: JSON.stringify(part),
    };
  }

  /** A write or a look at a sub-resource. */
  #part(kind: StoryKind): Asked {
    const { path, name } = this.#object(kind);
    const { apiVersion, kind: said, whole } = kind;
    if (kind.hasScale && this.once(2)) {
      const spec = { replicas: this.random.pick([1, 2, 4, 'x']) };
      if (this.once(3)) return { method: 'GET', path: `${path}/scale` };
      if (this.once(2))
        return { method: 'PATCH', path: `${path}/scale`, type: patchTypes.merge, body: { spec } };
      const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name }, spec };
      return { method: 'PUT', path: `${path}/scale${this.#query()}`, body: scale };
    }
    if (!kind.hasStatus)
      return { method: 'GET', path: `${path}/${this.random.pick(['status', 'scale', 'none'])}` };
    const status = this.random.pick(kind.statuses);
    const metadata = this.once(3) ? { labels: { s: 't' } } : {};
    const more = this.once(4) ? this.random.pick(kind.parts) : {};
    const type = this.random.pick([patchTypes.merge, patchTypes.strategic, 'put', patchTypes.apply]);
    if (type === 'put') {
      const body = { apiVersion, kind: said, ...whole, metadata: { name, ...metadata }, status };
      return { method: 'PUT', path: `${path}/status${this.#query()}`, body };
    }
    const isApply = type === patchTypes.apply;
    const body = { ...(isApply ? { apiVersion, kind: said } : {}), ...more, metadata, status };
    const query = isApply ? `?fieldManager=${this.random.pick(['m1', 'm3'])}` : this.#query();
    return { method: 'PATCH', path: `${path}/status${query}`, type, body };
  }

  #delete(kind: StoryKind): Asked {
    const { path } = this.#object(kind);
    if (this.once(3)) return { method: 'DELETE', path };
    const options = this.random.pick([...deletions, { preconditions: { uid: `«uid:${path}»` } }]);
    return { method: 'DELETE', path, body: { kind: 'DeleteOptions', apiVersion: 'v1', ...options } };
  }

  #deleteAll(kind: StoryKind): Asked {
    const place = this.place(kind.apiVersion, kind);
    if (!kind.namespaced) return { method: 'DELETE', path: `${place}?labelSelector=l%3Dnone` };
    return { method: 'DELETE', path: `${place}?${this.#selection(kind).join('&')}` };
  }
}
