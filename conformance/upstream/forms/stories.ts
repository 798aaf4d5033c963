/** Requests and answers in all forms, by chance: JSON, YAML, protobuf, tables, metadata alone, watches of each. */
import { applyMergePatch, isJsonObject, type JsonObject, type JsonValue } from '@wherry/kubeapi';
import { patchTypes } from '../chance/story-teller.ts';
import type { FormedBody } from '../chance/tell.ts';
import { blend } from '../patches/blend.ts';
import { KindTeller } from '../patches/kind-teller.ts';
import { patchedKinds } from '../patches/kinds.ts';
import type { Asked } from '../two-servers.ts';
import { accept } from './accepted-forms.ts';
import { type Form, formed, objectTypes } from './formed-bodies.ts';
import { type RegisteredKind, registeredKinds } from './registered-kinds.ts';

const forms: readonly Form[] = ['protobuf', 'protobuf', 'protobuf', 'yaml', 'json'];
const deletions: readonly JsonObject[] = [
  ...[{}, { propagationPolicy: 'Foreground' }, { propagationPolicy: 'x' }, { gracePeriodSeconds: 0 }],
  ...[{ preconditions: { uid: 'x' } }, { dryRun: ['All'] }, { orphanDependents: true }, { unknown: 1 }],
];
const watches = [
  'allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
  'allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=0',
  ...['', 'resourceVersion=0', 'sendInitialEvents=true', 'resourceVersion=1', 'sendInitialEvents=x'],
  ...['sendInitialEvents=false&resourceVersion=«listed»', 'resourceVersionMatch=Exact', 'resourceVersion=x'],
  'sendInitialEvents=true&resourceVersionMatch=Exact',
];

/** The requests of one story, about one kind, in a namespace of its own. */
export function story(seed: number, length: number): Asked[] {
  return new Teller(seed).story(length);
}

/** Of which kinds stories are told, by their seeds. */
export const formedKinds = [...patchedKinds, ...registeredKinds];

/** What clients say of how answers may be packed. */
const encodings = ['gzip', 'gzip', 'gzip, deflate', 'br;q=1, gzip', 'identity', 'deflate', ''];
/** Longer than what is sent as it is (upstream: 128 KiB). */
const longText = 'long '.repeat(30_000);

class Teller extends KindTeller {
  /** Of a kind whose objects are only tried. */
  readonly #registered: RegisteredKind | undefined;

  constructor(seed: number) {
    super(seed, 'forms', formedKinds);
    this.#registered = registeredKinds.find((kind) => kind === this.kind);
  }

  protected override first(): Asked[] {
    return this.names.map((word) => {
      const object = this.#whole({ name: this.#nameOf(word) });
      return this.#tried(this.#sent('POST', this.#all(), object, 'protobuf'));
    });
  }

  protected override next(): Asked {
    const make = this.random.pick([
      ...[
        this.#create,
        this.#create,
        this.#get,
        this.#get,
        this.#list,
        this.#list,
        this.#list,
        this.#replace,
        this.#long,
      ],
      ...[this.#replace, this.#patch, this.#patch, this.#part, this.#part, this.#delete, this.#deleteAll],
      ...[this.#watch, this.#question, this.#question, this.#spoilt, this.#spoilt, this.#spoilt, this.#odd],
    ]);
    const asked = this.#tried(make.call(this));
    const headers: Record<string, string> = this.once(4) ? {} : { accept: accept(this.random) };
    if (this.once(2)) headers['accept-encoding'] = this.random.pick(encodings);
    return { ...asked, headers: { ...headers, ...asked.headers } };
  }

  #nameOf(word: string): string {
    return this.#registered?.nameOf(word) ?? word;
  }

  /** The same where its object is stored; of what the server takes note of nothing is. */
  #tried(asked: Asked): Asked {
    const { method, path } = asked;
    if (!this.#registered || method === 'GET' || path.includes('dryRun=')) return asked;
    return { ...asked, path: `${path}${path.includes('?') ? '&' : '?'}dryRun=All` };
  }

  #all(apiVersion: string = this.kind.apiVersions[0]): string {
    return this.placeIn(apiVersion);
  }

  #object(): { path: string; name: string } {
    const name = this.#nameOf(this.once(15) ? 'none' : this.random.pick(this.names));
    return { path: `${this.#all()}/${name}`, name };
  }

  #some(): JsonObject {
    const some = blend(this.random, this.kind.ways, { kept: 0.7, odd: 0 });
    return withoutEmpty(this.#inPlace(some)) as JsonObject;
  }

  #inPlace(value: JsonValue): JsonValue {
    const text = JSON.stringify(value).replaceAll('«namespace»', this.namespace);
    return JSON.parse(text.replaceAll('«word»', this.names[0]!)) as JsonValue;
  }

  #whole(metadata: JsonObject): JsonObject {
    const { base, kind, apiVersions } = this.kind;
    const head = { kind, apiVersion: this.once(3) ? this.random.pick(apiVersions) : apiVersions[0] };
    const made = applyMergePatch(this.#inPlace(base), this.#some()) as JsonObject;
    return { ...head, ...made, metadata };
  }

  #metadata(name: string): JsonObject {
    const labels = this.random.pick<JsonObject>([
      ...[{}, { labels: { l: 'm' } }, { labels: { z: '1', a: '2', l: '' } }],
      { annotations: { b: 'é☃', a: '' } },
      { finalizers: ['example.com/one'] },
    ]);
    return { name, ...labels };
  }

  #query(): string {
    const parts = [
      ...(this.once(4) ? [`fieldManager=${this.random.pick(['m1', 'm2'])}`] : []),
      ...(this.once(6) ? ['dryRun=All'] : []),
      ...(this.once(3) ? [`fieldValidation=${this.random.pick(['Strict', 'Ignore', 'Warn'])}`] : []),
    ];
    return parts.length > 0 ? `?${parts.join('&')}` : '';
  }

  #sent(method: string, path: string, json: JsonValue, form = this.random.pick(forms)): Asked {
    return { method, path, type: objectTypes[form], body: formed(json, { form }) };
  }

  #create(): Asked {
    const { name } = this.#object();
    const object = this.#whole(this.#metadata(name));
    return this.#sent('POST', `${this.#all(String(object['apiVersion']))}${this.#query()}`, object);
  }

  #replace(): Asked {
    const { path, name } = this.#object();
    const identity = this.random.pick<JsonObject>([
      ...[{}, {}, { resourceVersion: `«rv:${path}»` }, { resourceVersion: `«old:${path}»` }],
      ...[{ uid: `«uid:${path}»` }, { uid: 'x' }],
    ]);
    const object = this.#whole({ ...this.#metadata(name), ...identity });
    return this.#sent('PUT', `${path}${this.#query()}`, object);
  }

  #get(): Asked {
    const { path } = this.#object();
    return { method: 'GET', path: `${path}${this.random.pick(['', '', '', this.#tableQuery()])}` };
  }

  #tableQuery(): string {
    return `?includeObject=${this.random.pick(['None', 'Metadata', 'Object', 'Object', 'x', ''])}`;
  }

  #listed(): string {
    const { namespaced = true } = this.kind;
    const parts: string[] = [];
    // Of what no namespace has other stories tell, too.
    if (!namespaced)
      parts.push(`fieldSelector=metadata.name%3D${this.#nameOf(this.random.pick(this.names))}`);
    if (this.once(3)) parts.push(`labelSelector=${this.random.pick(['l%3Dm', '!l', 'l%3Dnone', 'l+in+(m'])}`);
    if (this.once(2)) parts.push(this.#tableQuery().slice(1));
    return parts.join('&');
  }

  #list(): Asked {
    const parts = [this.#listed()];
    if (this.once(3)) parts.push(this.random.pick(['limit=1', 'limit=1&continue=«continue»', 'limit=0']));
    if (this.once(4)) parts.push(this.random.pick(['resourceVersion=0', 'pretty=true', 'resourceVersion=x']));
    return { method: 'GET', path: `${this.#all()}?${parts.join('&')}` };
  }

  #watch(): Asked {
    const parts = ['watch=true', 'timeoutSeconds=1', this.random.pick(watches), this.#listed()];
    return { method: 'GET', path: `${this.#all()}?${parts.join('&')}` };
  }

  #patch(): Asked {
    const { path, name } = this.#object();
    const type = this.random.pick([patchTypes.merge, patchTypes.strategic, patchTypes.apply]);
    const { kind, apiVersions } = this.kind;
    const head = type === patchTypes.apply ? { kind, apiVersion: apiVersions[0] } : {};
    const query = type === patchTypes.apply ? '?fieldManager=m3' : this.#query();
    const body = { ...head, metadata: this.#metadata(name), ...(this.once(2) ? this.#some() : {}) };
    return { method: 'PATCH', path: `${path}${query}`, type, body };
  }

  /** An object that is told of in many bytes from then on. */
  #long(): Asked {
    const { path } = this.#object();
    const body = { metadata: { annotations: { long: longText } } };
    return { method: 'PATCH', path, type: patchTypes.merge, body };
  }

  /** A look at a sub-resource, or a write to it. */
  #part(): Asked {
    const { path, name } = this.#object();
    const { parts = {}, kind, apiVersions } = this.kind;
    const names = Object.keys(parts);
    if (names.length === 0) return this.#get();
    const part = this.random.pick(names);
    const place = `${path}/${part}`;
    if (this.once(3)) return { method: 'GET', path: place };
    const written = this.#inPlace(blend(this.random, parts[part]!, { kept: 0.8, odd: 0 })) as JsonObject;
    if (part === 'scale') {
      const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name }, ...written };
      return this.#sent('PUT', `${place}?dryRun=All`, scale);
    }
    const object = { ...this.#whole({ name }), apiVersion: apiVersions[0], kind, ...written };
    return this.#sent('PUT', `${place}${this.#query()}`, object);
  }

  #delete(): Asked {
    const { path } = this.#object();
    if (this.once(4)) return { method: 'DELETE', path };
    const apiVersion = this.random.pick(['v1', 'v1', this.kind.apiVersions[0], 'meta.k8s.io/v1']);
    const options = { kind: 'DeleteOptions', apiVersion, ...this.random.pick(deletions) };
    return this.#sent('DELETE', path, options);
  }

  #deleteAll(): Asked {
    const { namespaced = true } = this.kind;
    const path = `${this.#all()}?labelSelector=l%3D${namespaced ? 'm' : 'none'}`;
    if (this.once(2)) return { method: 'DELETE', path };
    return this.#sent('DELETE', path, { kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['All'] });
  }

  /** What is posted and answered, and stored nowhere or elsewhere. */
  #question(): Asked {
    const { namespace } = this;
    const root = `/api/v1/namespaces/${namespace}`;
    const name = this.names[0]!;
    const authorization = { apiVersion: 'authorization.k8s.io/v1' };
    const review = { namespace, verb: 'get', resource: 'pods' };
    const authentication = { apiVersion: 'authentication.k8s.io/v1' };
    const [path, object] = this.random.pick<readonly [string, JsonObject]>([
      [
        `${root}/serviceaccounts/default/token`,
        {
          ...authentication,
          kind: 'TokenRequest',
          spec: { audiences: ['a'], expirationSeconds: this.random.pick([600, 1]) },
        },
      ],
      [
        '/apis/authentication.k8s.io/v1/tokenreviews',
        { ...authentication, kind: 'TokenReview', spec: { token: 'x' } },
      ],
      ['/apis/authentication.k8s.io/v1/selfsubjectreviews', { ...authentication, kind: 'SelfSubjectReview' }],
      [
        '/apis/authorization.k8s.io/v1/subjectaccessreviews',
        {
          ...{ ...authorization, kind: 'SubjectAccessReview' },
          spec: { user: 'u', groups: ['g'], extra: { k: ['v', 'w'], a: [] }, resourceAttributes: review },
        },
      ],
      [
        '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
        {
          ...authorization,
          kind: 'SelfSubjectAccessReview',
          spec: { nonResourceAttributes: { path: '/', verb: 'get' } },
        },
      ],
      [
        `/apis/authorization.k8s.io/v1/namespaces/${namespace}/localsubjectaccessreviews`,
        {
          ...authorization,
          kind: 'LocalSubjectAccessReview',
          metadata: { namespace },
          spec: { user: 'u', resourceAttributes: review },
        },
      ],
      [
        '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
        { ...authorization, kind: 'SelfSubjectRulesReview', spec: { namespace } },
      ],
      [
        `${root}/pods/${name}/binding`,
        { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target: { kind: 'Node', name: 'n' } },
      ],
      [`${root}/pods/${name}/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } }],
    ]);
    return this.#sent('POST', path, object);
  }

  /** A write whose bytes are not as they should be. */
  #spoilt(): Asked {
    const asked = this.random.pick([this.#create, this.#replace, this.#delete, this.#question]).call(this);
    if (asked.body === undefined) return asked;
    const body = ofNoServer(asked);
    const spoiltBy = this.random.below(2 ** 31);
    return { ...asked, type: objectTypes.protobuf, body: formed(body, { form: 'protobuf', spoiltBy }) };
  }

  /** A body that is not what its header says. */
  #odd(): Asked {
    const asked = this.random.pick([this.#create, this.#replace, this.#delete, this.#question]).call(this);
    if (asked.body === undefined) return asked;
    const json = ofNoServer(asked);
    const form = this.random.pick(forms);
    const said = this.random.pick([
      ...Object.values(objectTypes),
      ...['application/cbor', 'text/plain', 'x', '', 'application/vnd.kubernetes.protobuf;stream=watch'],
      ...['application/json;charset=utf-8', 'APPLICATION/YAML', 'application/vnd.kubernetes.protobuf; a=b'],
      ...['application/json, application/yaml', 'application/x-www-form-urlencoded', '*/*', 'application/*'],
    ]);
    const packed = this.once(3);
    const headers: Record<string, string> = packed ? { 'content-encoding': 'gzip' } : {};
    if (this.once(5)) headers['accept-encoding'] = 'gzip';
    return { ...asked, type: said, body: formed(json, { form, packed }), headers };
  }
}

/** The JSON of a body without what either server has told: of other bytes other things are said. */
function ofNoServer({ body }: Asked): JsonValue {
  const { json } = body as FormedBody;
  return JSON.parse(JSON.stringify(json).replaceAll(/"«\w+:[^»]*»"/g, '""')) as JsonValue;
}

/** The same without lists that are empty: upstream tells them from none in JSON, and protobuf can't. */
function withoutEmpty(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, part]) => !Array.isArray(part) || part.length > 0);
  return Object.fromEntries(entries.map(([name, part]) => [name, withoutEmpty(part)]));
}
