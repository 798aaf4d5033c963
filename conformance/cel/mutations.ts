/** Expressions that patch objects, and what our server makes of them. */
import {
  builtInType,
  celObjectCostMax,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  PolicyBudgetError,
  PolicyExpressions,
  PolicyFailure,
  patchedObject,
} from '@wherry/kubeapi';

export interface Mutation {
  patchType: 'ApplyConfiguration' | 'JSONPatch';
  resource: string;
  object: JsonObject;
}

/** What it comes to: another object, or why not. */
export interface Outcome {
  wrong?: string | undefined;
  error?: string | undefined;
  object?: JsonObject | undefined;
}

const deployment: JsonObject = {
  ...{ apiVersion: 'apps/v1', kind: 'Deployment' },
  metadata: { name: 'web', namespace: 'default', labels: { app: 'web', 'a/b~c': 'x' } },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        containers: [
          {
            name: 'main',
            image: 'a:1',
            ports: [{ containerPort: 80, protocol: 'TCP' }],
            env: [{ name: 'A', value: '1' }],
          },
          { name: 'side', image: 'b:1' },
        ],
        tolerations: [{ key: 'k', operator: 'Exists' }],
        nodeSelector: { disk: 'ssd' },
        volumes: [{ name: 'v', emptyDir: {} }],
      },
    },
  },
};
const configMap: JsonObject = {
  ...{ apiVersion: 'v1', kind: 'ConfigMap' },
  metadata: { name: 'm', namespace: 'default' },
  data: { a: '1', b: '2' },
};
const service: JsonObject = {
  ...{ apiVersion: 'v1', kind: 'Service' },
  metadata: { name: 's', namespace: 'default', finalizers: ['example.com/x'] },
  spec: {
    ports: [{ port: 80, targetPort: 'web', protocol: 'TCP' }],
    selector: { a: 'b' },
    externalIPs: ['1.2.3.4'],
  },
};
const known = { deployments: deployment, configmaps: configMap, services: service };

const podSpec = 'Object.spec.template.spec';
const inPod = (fields: string) =>
  `Object{spec: Object.spec{template: Object.spec.template{spec: ${podSpec}{${fields}}}}}`;

const applied: readonly (readonly [keyof typeof known, readonly string[]])[] = [
  [
    'deployments',
    [
      'Object{}',
      'Object{spec: Object.spec{replicas: object.spec.replicas + 1}}',
      'Object{spec: Object.spec{replicas: object.spec.replicas % 2 == 0 ? 3 : 4}}',
      'Object{spec: Object.spec{replicas: null}}',
      'Object{spec: Object.spec{replicas: "three"}}',
      'Object{spec: Object.spec{replicas: 1.5}}',
      'Object{spec: Object.spec{replicas: 7u}}',
      'Object{spec: Object.spec{?replicas: optional.none()}}',
      'Object{spec: Object.spec{?replicas: optional.of(9)}}',
      'Object{spec: Object.spec{nothing: 1}}',
      'Object{nothing: "x"}',
      'Object{kind: "Other", apiVersion: "v9"}',
      'Object{metadata: Object.metadata{labels: {"x": "y"}}}',
      'Object{metadata: Object.metadata{labels: Object.metadata.labels{x: "y"}}}',
      'Object{metadata: Object.metadata{labels: {}}}',
      'Object{metadata: Object.metadata{labels: {"app": object.metadata.name + "-" + string(size(object.spec.template.spec.containers))}}}',
      'Object{metadata: Object.metadata{labels: {1: "y"}}}',
      'Object{metadata: Object.metadata{annotations: {"t": 1}}}',
      'Object{metadata: Object.metadata{name: "other"}}',
      'Object{metadata: Object.metadata{finalizers: ["a", "b"]}}',
      'Object{metadata: Object.metadata{ownerReferences: [Object.metadata.ownerReferences{uid: "u", name: "n"}]}}',
      'Object{metadata: {"labels": {"x": "y"}}}',
      'Object{spec: {"replicas": 5}}',
      'Object{spec: object.spec}',
      'Object{spec: Object.metadata{replicas: 5}}',
      'Object{spec: Object{}}',
      'Object{spec: JSONPatch{op: "add"}}',
      'Object{spec: Object.spec{selector: Object.spec.selector{matchLabels: {"a": "b"}}}}',
      'Object{spec: Object.spec{strategy: Object.spec.strategy{type: "Recreate"}}}',
      inPod(`containers: [${podSpec}.containers{name: "main", image: "c:2"}]`),
      inPod(`containers: [${podSpec}.containers{name: "new", image: "c:2"}]`),
      inPod(`containers: [${podSpec}.containers{image: "c:2"}]`),
      inPod('containers: [{"name": "main", "image": "c:2"}]'),
      inPod(
        `containers: object.spec.template.spec.containers.map(c, ${podSpec}.containers{name: c.name, imagePullPolicy: "Always"})`,
      ),
      inPod(`containers: [${podSpec}.containers{name: "main", command: ["x"]}]`),
      inPod(
        `containers: [${podSpec}.containers{name: "main", env: [${podSpec}.containers.env{name: "A", value: "2"}, ${podSpec}.containers.env{name: "B", value: "3"}]}]`,
      ),
      inPod(
        `containers: [${podSpec}.containers{name: "main", ports: [${podSpec}.containers.ports{containerPort: 80, protocol: "TCP", name: "http"}]}]`,
      ),
      inPod(
        `containers: [${podSpec}.containers{name: "main", ports: [${podSpec}.containers.ports{containerPort: 81}]}]`,
      ),
      inPod(
        `containers: [${podSpec}.containers{name: "main", resources: ${podSpec}.containers.resources{limits: {"cpu": "1", "memory": 5}}}]`,
      ),
      inPod(`containers: [${podSpec}.containers{name: "main"}, ${podSpec}.containers{name: "main"}]`),
      inPod('containers: []'),
      inPod(`tolerations: [${podSpec}.tolerations{key: "x"}]`),
      inPod('nodeSelector: {"disk": "hdd"}'),
      inPod(`volumes: [${podSpec}.volumes{name: "v", hostPath: ${podSpec}.volumes.hostPath{path: "/x"}}]`),
      inPod(`volumes: [${podSpec}.volumes{name: "w", emptyDir: ${podSpec}.volumes.emptyDir{}}]`),
      inPod(`securityContext: ${podSpec}.securityContext{runAsUser: 1, sysctls: []}`),
      inPod(`affinity: ${podSpec}.affinity{nodeAffinity: ${podSpec}.affinity.nodeAffinity{}}`),
      inPod(`volumes: [${podSpec}.volume{name: "v"}]`),
      inPod(`volumes: ${podSpec}.volumes{name: "v"}`),
      inPod('hostNetwork: true, terminationGracePeriodSeconds: 30'),
      inPod('hostNetwork: "true"'),
      'Object{spec: Object.spec{replicas: object.spec.none}}',
      'Object{spec: Object.spec{replicas: 1 / 0}}',
      'request.name == "web" ? Object{} : Object{spec: Object.spec{replicas: 1}}',
      'object',
      'null',
      '[Object{}]',
      'Object{spec: Object.spec{replicas: 1}, spec: Object.spec{replicas: 2}}',
    ],
  ],
  [
    'configmaps',
    [
      'Object{data: {"a": "x", "c": "y"}}',
      'Object{data: Object.data{a: "x"}}',
      'Object{data: object.data}',
      'Object{data: {"a": null}}',
      'Object{data: null}',
      'Object{data: []}',
      'Object{data: {"a": ["x"]}}',
      'Object{data: {"a": 1}}',
      'Object{data: {"a": timestamp("2020-01-01T00:00:00Z")}}',
      'Object{data: {"a": duration("90s")}}',
      'Object{data: {"a": quantity("1")}}',
      'Object{data: {"a": b"xy"}}',
      'Object{data: {"a": type(1)}}',
      'Object{data: {"a": optional.of("x")}}',
      'Object{binaryData: {"a": b"xy"}}',
      'Object{binaryData: {"a": "eHk="}}',
      'Object{immutable: true}',
      'Object{data: {"a": authorizer.path("/").check("get").allowed() ? "1" : "2"}}',
      'Object{data: variables.x}',
    ],
  ],
  [
    'services',
    [
      'Object{spec: Object.spec{selector: {"c": "d"}}}',
      'Object{spec: Object.spec{externalIPs: ["5.6.7.8"]}}',
      'Object{spec: Object.spec{ports: [Object.spec.ports{port: 80, protocol: "TCP", name: "x"}]}}',
      'Object{spec: Object.spec{ports: [Object.spec.ports{port: 80, name: "x"}]}}',
      'Object{spec: Object.spec{ports: [Object.spec.ports{port: 80, targetPort: 8080, protocol: "TCP"}]}}',
      'Object{spec: Object.spec{ports: [Object.spec.ports{port: 80, targetPort: true, protocol: "TCP"}]}}',
      'Object{metadata: Object.metadata{finalizers: ["example.com/x", "example.com/y"]}}',
      'Object{status: Object.status{conditions: [Object.status.conditions{type: "a", status: "True", lastTransitionTime: "2020-01-01T00:00:00Z"}]}}',
      'Object{spec: Object.spec{sessionAffinityConfig: Object.spec.sessionAffinityConfig{clientIP: Object.spec.sessionAffinityConfig.clientIP{timeoutSeconds: 5}}}}',
    ],
  ],
];

const operation = (op: string, path: string, value?: string, from?: string) =>
  `JSONPatch{op: "${op}", path: "${path}"${value === undefined ? '' : `, value: ${value}`}${from === undefined ? '' : `, from: "${from}"`}}`;
const patched: readonly (readonly [keyof typeof known, readonly string[]])[] = [
  [
    'deployments',
    [
      '[]',
      `[${operation('replace', '/spec/replicas', '5')}]`,
      `[${operation('replace', '/spec/replicas', 'null')}]`,
      `[${operation('replace', '/spec/none', '5')}]`,
      `[${operation('add', '/spec/none', '5')}]`,
      `[${operation('add', '/spec/none/deeper', '5')}]`,
      `[${operation('remove', '/spec/replicas')}]`,
      `[${operation('remove', '/spec/none')}]`,
      `[${operation('test', '/spec/replicas', '2')}, ${operation('replace', '/spec/replicas', '3')}]`,
      `[${operation('test', '/spec/replicas', '9')}, ${operation('replace', '/spec/replicas', '3')}]`,
      `[${operation('test', '/spec/none', 'null')}, ${operation('replace', '/spec/replicas', '3')}]`,
      `[${operation('test', '/spec/none', '1')}]`,
      `[${operation('copy', '/spec/paused', undefined, '/spec/replicas')}]`,
      `[${operation('copy', '/spec/paused', undefined, '/spec/none')}]`,
      `[${operation('move', '/spec/minReadySeconds', undefined, '/spec/replicas')}]`,
      `[${operation('move', '/spec/replicas/x', undefined, '/spec')}]`,
      `[${operation('add', '/spec/template/spec/containers/-', `${podSpec}.containers{name: "x", image: "y"}`)}]`,
      `[${operation('add', '/spec/template/spec/containers/0', `${podSpec}.containers{name: "x", image: "y"}`)}]`,
      `[${operation('add', '/spec/template/spec/containers/2', '{"name": "x"}')}]`,
      `[${operation('add', '/spec/template/spec/containers/3', '{"name": "x"}')}]`,
      `[${operation('replace', '/spec/template/spec/containers/1/image', '"z"')}]`,
      `[${operation('remove', '/spec/template/spec/containers/1')}]`,
      `[${operation('remove', '/spec/template/spec/containers/-1')}]`,
      `[${operation('remove', '/spec/template/spec/containers/9')}]`,
      `[${operation('remove', '/spec/template/spec/containers/01')}]`,
      '[JSONPatch{op: "remove", path: "/metadata/labels/" + jsonpatch.escapeKey("a/b~c")}]',
      '[JSONPatch{op: "replace", path: "/metadata/labels/a~1b~0c", value: "z"}]',
      '[JSONPatch{op: "add", path: "/metadata/annotations", value: {"x": "y"}}]',
      '[JSONPatch{op: "add", path: "/metadata/annotations/x", value: "y"}]',
      '[JSONPatch{op: "add", path: "/metadata/labels/é", value: "ü"}]',
      '[JSONPatch{op: "add", path: "metadata", value: "x"}]',
      '[JSONPatch{op: "add", path: "", value: object}]',
      '[JSONPatch{op: "replace", path: "/spec/selector", value: Object.spec.selector{matchLabels: {"a": "b"}}}]',
      '[JSONPatch{op: "replace", path: "/spec/selector", value: Object.spec.selector{matchLabels: Object.spec.wrong{a: "b"}}}]',
      '[JSONPatch{op: "add", path: "/spec/selector/matchLabels/x", value: object.metadata.name}]',
      '[JSONPatch{op: "none", path: "/spec/replicas"}]',
      '[JSONPatch{op: "", path: "/spec/replicas"}]',
      '[JSONPatch{path: "/spec/replicas"}]',
      '[JSONPatch{op: "add", path: "/spec/replicas"}]',
      '[JSONPatch{op: "add", value: 1}]',
      '[JSONPatch{op: "copy", path: "/spec/paused"}]',
      '[JSONPatch{op: 1, path: "/a"}]',
      '[JSONPatch{none: "a"}]',
      '[JSONPatch{op: dyn(1), path: "/a"}]',
      '[JSONPatch{}]',
      'JSONPatch{op: "add"}',
      '[1]',
      '[Object{}]',
      'dyn([1])',
      'object.spec.template.spec.containers.map(c, JSONPatch{op: "test", path: "/metadata/name", value: "web"})',
      'object.spec.replicas > 1 ? [JSONPatch{op: "replace", path: "/spec/replicas", value: 1}] : []',
      '[JSONPatch{op: "replace", path: "/spec/replicas", value: object.spec.none}]',
      '[JSONPatch{op: "replace", path: "/spec/replicas", ?value: optional.none()}]',
      '[JSONPatch{op: "replace", path: "/spec/replicas", ?value: optional.of(4)}]',
      '[?optional.of(JSONPatch{op: "replace", path: "/spec/replicas", value: 1})]',
    ],
  ],
  [
    'configmaps',
    [
      ...['1', '1u', '1.5', 'true', '"x"', 'null', 'b"xy"', '[1, 2]', '[]', '{}', '{"a": 1}', '{1: "a"}'],
      ...[
        'timestamp("2020-01-01T00:00:00Z")',
        'duration("90s")',
        'quantity("1")',
        'type(1)',
        'optional.of("x")',
      ],
      ...[
        'Object{}',
        'Object.data{}',
        'Object.x{y: Object.x.y{}}',
        'Object.x{y: Object.y{}}',
        'JSONPatch{op: "x"}',
      ],
      ...[
        '9223372036854775807',
        '-9223372036854775808',
        '9007199254740993',
        '1e300',
        '0.1',
        '-0.0',
        '1e21',
        '"\\u2028<&"',
      ],
      ...[
        '[object.data]',
        '{"a": object.data, "b": [null, Object.q{}]}',
        'double("NaN")',
        'double("Infinity")',
      ],
    ].map((value) => `[JSONPatch{op: "add", path: "/data/a", value: ${value}}]`),
  ],
];

/** All questions: what patches, and what. */
export const mutationQuestions: readonly { expression: string; mutation: Mutation }[] = [
  ...(
    [
      ['ApplyConfiguration', applied],
      ['JSONPatch', patched],
    ] as const
  ).flatMap(([patchType, groups]) =>
    groups.flatMap(([resource, expressions]) =>
      expressions.map((expression) => ({
        expression,
        mutation: { patchType, resource, object: known[resource] },
      })),
    ),
  ),
];

/** As our server's plug-in does it, before the object is read by its schema again. */
export function mutationOutcome(expression: string, { patchType, resource, object }: Mutation): Outcome {
  const expressions = new PolicyExpressions({ hasParams: false, hasVariables: true });
  const compiled = expressions.compile(expression, patchType === 'JSONPatch' ? 'list(JSONPatch)' : 'Object');
  if (!compiled.program) return { wrong: compiled.error };
  const [group = '', version = ''] = String(object.apiVersion).includes('/')
    ? String(object.apiVersion).split('/')
    : ['', String(object.apiVersion)];
  const { name, namespace } = object.metadata as JsonObject;
  const request = {
    name: name ?? '',
    namespace: namespace ?? '',
    requestResource: { group, version, resource },
  };
  const inputs = { object, oldObject: null, request, namespaceObject: null };
  const askAccess = () => ({ isAllowed: false, reason: '' });
  try {
    const value = expressions.evaluation({ ...inputs, askAccess }, celObjectCostMax).run(compiled);
    const type = builtInType({ group, version, kind: String(object.kind) });
    return { object: type.read(patchedObject(value, patchType, structuredClone(object), type)).object };
  } catch (error) {
    if (!(error instanceof PolicyFailure || error instanceof PolicyBudgetError)) throw error;
    return { error: error.message };
  }
}

/** What both tell in the same words. */
const sameWords = /atomic arrays|unexpected type name|resulted in error: (?!unexpected type)|nexpected kind/;

/** As one text; most that is refused is refused in other words. */
export function mutationWords({ wrong, error, object }: Outcome): string {
  if (wrong) return `wrong: ${wrong}`;
  if (!error) return JSON.stringify(sorted(object ?? null));
  return sameWords.test(error) ? error.replace(/ (\.[^ ]*, )+\.[^ ]*$/, '') : 'refused';
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key]!)]),
  );
}

/** Where we do other than upstream. */
export const better: ReadonlySet<string> = new Set([
  // Maps stand for objects, and bytes for their text, where upstream stumbles over its own wrappers; types stand for nothing.
  ...['Object{metadata: {"labels": {"x": "y"}}}', inPod('containers: [{"name": "main", "image": "c:2"}]')],
  ...['Object{data: {"a": b"xy"}}', 'Object{binaryData: {"a": b"xy"}}', 'Object{data: {"a": type(1)}}'],
  'Object{spec: JSONPatch{op: "add"}}',
  // As in patches of requests: what is not there is null to a test.
  `[${operation('test', '/spec/none', 'null')}, ${operation('replace', '/spec/replicas', '3')}]`,
  // An unknown field is told by what it is.
  '[JSONPatch{none: "a"}]',
]);
