import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type GroupVersionKind, schemaOfKind } from '../index.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { conform } from '../schema/conform.ts';
import { validateEphemeralContainersUpdate } from './core/pod/validation/update.ts';
import { applyDefaults } from './defaults.ts';
import { validateCreate, validateUpdate } from './validate.ts';

const kind = (name: string, group = '', version = 'v1'): GroupVersionKind => ({ group, version, kind: name });

function complete(gvk: GroupVersionKind, object: JsonValue): JsonObject {
  const schema = schemaOfKind(gvk)!;
  const conformed = conform(object, schema).object;
  applyDefaults(conformed, schema);
  return conformed;
}

const sentences = (gvk: GroupVersionKind, object: JsonValue) =>
  validateCreate(gvk, complete(gvk, object)).map(({ field, body }) => `${field}: ${body}`);

const metadata = { name: 'a', namespace: 'default' };
const container = { name: 'c', image: 'x' };
const podWith = (spec: JsonObject, more: JsonObject = {}) => ({
  metadata: { ...metadata, ...more },
  spec: { containers: [container], ...spec },
});
const labelDetail =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

describe('validation of a pod', () => {
  const pod = kind('Pod');
  const cases: [name: string, object: JsonValue, expected: string[]][] = [
    ['accepts a minimal pod', podWith({}), []],
    ['wants containers', podWith({ containers: [] }), ['spec.containers: Required value']],
    [
      'wants names and images',
      podWith({ containers: [{}] }),
      ['spec.containers[0].name: Required value', 'spec.containers[0].image: Required value'],
    ],
    [
      'wants names to be labels',
      podWith({ containers: [{ ...container, name: 'A' }] }),
      [`spec.containers[0].name: Invalid value: "A": ${labelDetail}`],
    ],
    [
      'wants names once',
      podWith({ containers: [container, container] }),
      ['spec.containers[1].name: Duplicate value: "c"'],
    ],
    [
      'wants known volumes',
      podWith({ containers: [{ ...container, volumeMounts: [{ name: 'v', mountPath: '/v' }] }] }),
      ['spec.containers[0].volumeMounts[0].name: Not found: "v"'],
    ],
    [
      'wants the name that stands for all others to be alone and a subdomain',
      podWith({ hostnameOverride: 'h', hostNetwork: true, setHostnameAsFQDN: true }),
      [
        'spec.hostnameOverride: Forbidden: may not be specified when setHostnameAsFQDN is true',
        'spec.hostnameOverride: Forbidden: may not be specified when hostNetwork is true',
      ],
    ],
    [
      'bounds that name',
      podWith({ hostnameOverride: 'x'.repeat(65) }),
      ['spec.hostnameOverride: Too long: may not be more than 64 bytes'],
    ],
    [
      'wants sysctls to be names, once each',
      podWith({
        securityContext: {
          sysctls: [
            { name: '../kernel/core_pattern', value: '1' },
            { name: 'net.a', value: '1' },
            { name: 'net.a', value: '2' },
          ],
        },
      }),
      [
        'spec.securityContext.sysctls[0].name: Invalid value: "../kernel/core_pattern": must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$',
        'spec.securityContext.sysctls[2].name: Duplicate value: "net.a"',
      ],
    ],
    [
      "wants no sysctl of a namespace that is the node's",
      podWith({
        hostNetwork: true,
        hostIPC: true,
        securityContext: {
          sysctls: [
            { name: 'net.core.somaxconn', value: '1' },
            { name: 'kernel/shmmax', value: '1' },
          ],
        },
      }),
      [
        'spec.securityContext.sysctls[0].name: Invalid value: "net.core.somaxconn": may not be specified when \'hostNetwork\' is true',
        'spec.securityContext.sysctls[1].name: Invalid value: "kernel/shmmax": may not be specified when \'hostIPC\' is true',
      ],
    ],
    [
      'wants an AppArmor profile of a known type, and a name where it needs one',
      podWith({
        securityContext: { appArmorProfile: { type: 'Localhost' } },
        containers: [{ ...container, securityContext: { appArmorProfile: { type: 'Strict' } } }],
      }),
      [
        'spec.containers[0].securityContext.appArmorProfile.type: Unsupported value: "Strict": supported values: "Localhost", "RuntimeDefault", "Unconfined"',
        'spec.securityContext.appArmorProfile.localhostProfile: Required value: must be set when AppArmor type is Localhost',
      ],
    ],
    [
      'wants one source per volume',
      podWith({ volumes: [{ name: 'v', emptyDir: {}, hostPath: { path: '/' } }] }),
      ['spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type'],
    ],
    [
      'wants host paths that do not climb',
      podWith({ volumes: [{ name: 'v', hostPath: { path: '/a/../b' } }] }),
      [`spec.volumes[0].hostPath.path: Invalid value: "/a/../b": must not contain '..'`],
    ],
    [
      'wants ports in range',
      podWith({ containers: [{ ...container, ports: [{ containerPort: 70000 }] }] }),
      [
        'spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
      ],
    ],
    [
      'wants known policies',
      podWith({ restartPolicy: 'Sometimes' }),
      [
        'spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
      ],
    ],
    [
      'wants requests within limits',
      podWith({
        containers: [{ ...container, resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } }],
      }),
      [
        'spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
      ],
    ],
    [
      'wants probes to do something',
      podWith({ containers: [{ ...container, livenessProbe: {} }] }),
      ['spec.containers[0].livenessProbe: Required value: must specify a handler type'],
    ],
    [
      'wants no probes on init containers',
      podWith({ initContainers: [{ ...container, name: 'i', livenessProbe: { exec: { command: ['x'] } } }] }),
      [
        'spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
      ],
    ],
    [
      'wants init containers named apart',
      podWith({ initContainers: [container] }),
      ['spec.initContainers[0].name: Duplicate value: "c"'],
    ],
    [
      'wants no ephemeral containers at first',
      podWith({ ephemeralContainers: [{ name: 'e', image: 'x' }] }),
      ['spec.ephemeralContainers: Forbidden: cannot be set on create'],
    ],
    [
      'wants one source per variable',
      podWith({
        containers: [
          {
            ...container,
            env: [{ name: 'A', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
          },
        ],
      }),
      [
        'spec.containers[0].env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
      ],
    ],
    [
      'wants a name server without DNS policy',
      podWith({ dnsPolicy: 'None', dnsConfig: {} }),
      [
        'spec.dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None',
      ],
    ],
    [
      'wants tolerations to make sense',
      podWith({ tolerations: [{ operator: 'Equal' }] }),
      [
        'spec.tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"',
      ],
    ],
    [
      'wants a namespace',
      { metadata: { name: 'a' }, spec: { containers: [container] } },
      ['metadata.namespace: Required value'],
    ],
    [
      'wants a name',
      { metadata: { namespace: 'default' }, spec: { containers: [container] } },
      ['metadata.name: Required value: name or generateName is required'],
    ],
    [
      'wants host ports once',
      podWith({
        hostNetwork: true,
        containers: [
          { ...container, ports: [{ containerPort: 80 }] },
          { name: 'd', image: 'x', ports: [{ containerPort: 80 }] },
        ],
      }),
      ['spec.containers[1].ports[0].hostPort: Duplicate value: "TCP//80"'],
    ],
  ];
  for (const [name, object, expected] of cases)
    it(name, () => assert.deepEqual(sentences(pod, object), expected));

  it('lets images, deadlines and more tolerations change, and nothing else', () => {
    const before = complete(pod, podWith({}, { resourceVersion: '1' }));
    const changed = (spec: JsonObject) => complete(pod, podWith(spec, { resourceVersion: '1' }));
    const messages = (next: JsonObject) =>
      validateUpdate(pod, next, before).map(({ field, body }) => `${field}: ${body}`);
    assert.deepEqual(
      messages(changed({ containers: [{ ...container, image: 'y', imagePullPolicy: 'Always' }] })),
      [],
    );
    assert.deepEqual(messages(changed({ activeDeadlineSeconds: 5 })), []);
    assert.deepEqual(messages(changed({ tolerations: [{ operator: 'Exists' }] })), []);
    assert.match(
      messages(changed({ nodeName: 'n' })).join(),
      /^spec: Forbidden: pod updates may not change fields other than .*nodeName$/s,
    );
    assert.deepEqual(messages(changed({ containers: [container, { name: 'd', image: 'x' }] })), [
      'spec.containers: Forbidden: pod updates may not add or remove containers',
    ]);
  });
});

describe('validation of metadata', () => {
  const namespace = kind('Namespace');

  it('wants labels and annotations in form', () => {
    const found = sentences(namespace, {
      metadata: { name: 'a', labels: { 'a b': 'c d' }, annotations: { '/x': '' } },
    });
    assert.equal(found.length, 3);
    assert.match(found[0]!, /^metadata.labels: Invalid value: "a b": name part must consist of/);
    assert.match(found[1]!, /^metadata.labels: Invalid value: "c d": a valid label must be an empty string/);
    assert.match(found[2]!, /^metadata.annotations: Invalid value: "\/x": prefix part must be non-empty/);
  });

  it('bounds annotations at 256 KiB', () => {
    const found = sentences(namespace, { metadata: { name: 'a', annotations: { x: 'y'.repeat(262_144) } } });
    assert.deepEqual(found, ['metadata.annotations: Too long: may not be more than 262144 bytes']);
  });

  it('wants one controller', () => {
    const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u', controller: true };
    const found = sentences(kind('ConfigMap'), {
      metadata: { ...metadata, ownerReferences: [owner, { ...owner, name: 'q' }] },
    });
    assert.match(
      found.join(),
      /Only one reference can have Controller set to true. Found "true" in references for Pod\/p and Pod\/q/,
    );
  });

  it('keeps what may not change', () => {
    const before = { metadata: { name: 'a', uid: 'u', resourceVersion: '1' } };
    const next = { metadata: { name: 'b', uid: 'v', resourceVersion: '' } };
    assert.deepEqual(
      validateUpdate(namespace, next, before).map(({ field }) => field),
      ['metadata.resourceVersion', 'metadata.name', 'metadata.uid'],
    );
  });

  it('lets dependents be left or taken along, not both', () => {
    const both = { metadata: { name: 'a', finalizers: ['orphan', 'foregroundDeletion'] } };
    assert.deepEqual(sentences(namespace, both), [
      'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
    ]);
  });

  it('takes only known finalizers for most kinds, and any for those that upstream checks by the rules of all objects', () => {
    const object = { metadata: { name: 'a', namespace: 'b', finalizers: ['mine'] } };
    const config = { group: '', version: 'v1', kind: 'ConfigMap' };
    const lease = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease' };
    assert.deepEqual(sentences(config, object), [
      'metadata.finalizers[0]: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
    ]);
    const complaints = validateCreate(lease, { ...object, spec: {} });
    assert.deepEqual(
      complaints.filter(({ field }) => field.startsWith('metadata')),
      [],
    );
  });

  it('lets no finalizer in once the object is going', () => {
    const before = {
      metadata: { name: 'a', resourceVersion: '1', deletionTimestamp: '2024-01-01T00:00:00Z' },
    };
    const next = { metadata: { ...before.metadata, finalizers: ['x.io/y'] } };
    assert.match(
      validateUpdate(namespace, next, before)[0]!.body,
      /^Forbidden: no new finalizers can be added/,
    );
  });

  it('lets roles be called what paths can carry', () => {
    const role = kind('ClusterRole', 'rbac.authorization.k8s.io');
    assert.deepEqual(sentences(role, { metadata: { name: 'system:node' } }), []);
    assert.deepEqual(sentences(role, { metadata: { name: 'a/b' } }), [
      `metadata.name: Invalid value: "a/b": may not contain '/'`,
    ]);
  });

  it('asks no name of a review', () => {
    const review = kind('SelfSubjectAccessReview', 'authorization.k8s.io');
    assert.deepEqual(sentences(review, { spec: { resourceAttributes: { verb: 'get' } } }), []);
  });
});

describe('validation of other kinds', () => {
  const cases: [name: string, gvk: GroupVersionKind, object: JsonValue, expected: string[]][] = [
    ['config maps with good keys', kind('ConfigMap'), { metadata, data: { 'a.b': '1' } }, []],
    [
      'config maps with a key twice',
      kind('ConfigMap'),
      { metadata, data: { a: '1' }, binaryData: { a: 'MQ==' } },
      ['data[a]: Invalid value: "a": duplicate of key present in binaryData'],
    ],
    [
      'secrets of a type without its keys',
      kind('Secret'),
      { metadata, type: 'kubernetes.io/tls' },
      ['data[tls.crt]: Required value', 'data[tls.key]: Required value'],
    ],
    ['services without ports', kind('Service'), { metadata, spec: {} }, ['spec.ports: Required value']],
    [
      'services with unnamed ports',
      kind('Service'),
      { metadata, spec: { ports: [{ port: 1 }, { port: 2, name: 'b' }] } },
      ['spec.ports[0].name: Required value'],
    ],
    [
      'services of an unknown type',
      kind('Service'),
      { metadata, spec: { type: 'X', ports: [{ port: 1 }] } },
      [
        'spec.type: Unsupported value: "X": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
      ],
    ],
    [
      'nodes with a taint without effect',
      kind('Node'),
      { metadata: { name: 'n' }, spec: { taints: [{ key: 'a' }] } },
      ['metadata.taints[0].effect: Required value'],
    ],
    [
      'nodes in a namespace',
      kind('Node'),
      { metadata },
      ['metadata.namespace: Forbidden: not allowed on this type'],
    ],
    [
      'deployments whose selector misses',
      kind('Deployment', 'apps'),
      {
        metadata,
        spec: {
          selector: { matchLabels: { a: '1' } },
          template: { metadata: { labels: { a: '2' } }, spec: { containers: [container] } },
        },
      },
      [
        'spec.template.metadata.labels: Invalid value: {"a":"2"}: `selector` does not match template `labels`',
      ],
    ],
    [
      'jobs that restart for ever',
      kind('Job', 'batch'),
      {
        metadata,
        spec: {
          manualSelector: true,
          selector: { matchLabels: { a: 'b' } },
          template: { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } },
        },
      },
      ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
    ],
    ['bindings to nothing', kind('Binding'), { metadata, target: {} }, ['target.name: Required value']],
  ];
  for (const [name, gvk, object, expected] of cases) {
    it(`covers ${name}`, () => assert.deepEqual(sentences(gvk, object), expected));
  }

  it('keeps the address of a service', () => {
    const service = (clusterIP: string) =>
      complete(kind('Service'), {
        metadata: { ...metadata, resourceVersion: '1' },
        spec: { clusterIP, clusterIPs: clusterIP ? [clusterIP] : [], ports: [{ port: 1 }] },
      });
    const bodies = (clusterIP: string) =>
      validateUpdate(kind('Service'), service(clusterIP), service('10.0.0.1')).map(({ body }) => body);
    assert.deepEqual(bodies('10.0.0.1'), []);
    assert.deepEqual(bodies('10.0.0.2'), ['Invalid value: ["10.0.0.2"]: may not change once set']);
    assert.deepEqual(bodies(''), ['Invalid value: []: primary clusterIP can not be unset']);
  });

  it('freezes immutable config maps and secrets', () => {
    const before = complete(kind('ConfigMap'), {
      metadata: { ...metadata, resourceVersion: '1' },
      data: { a: '1' },
      immutable: true,
    });
    const next = { ...before, data: { a: '2' } };
    assert.deepEqual(validateUpdate(kind('ConfigMap'), next, before), [
      {
        type: 'FieldValueForbidden',
        field: 'data',
        body: 'Forbidden: field is immutable when `immutable` is set',
      },
    ]);
  });
});

describe('validation of ephemeral containers', () => {
  const pod = (ephemeralContainers: JsonObject[]) =>
    complete(kind('Pod'), podWith({ ephemeralContainers })) as unknown as Parameters<
      typeof validateEphemeralContainersUpdate
    >[0];
  const before = pod([{ name: 'e', image: 'x' }]);
  const complaints = (next: typeof before) =>
    validateEphemeralContainersUpdate(next, before).map(({ body }) => body);

  it('lets them be added, not changed or removed', () => {
    assert.deepEqual(
      complaints(
        pod([
          { name: 'e', image: 'x' },
          { name: 'f', image: 'y' },
        ]),
      ),
      [],
    );
    assert.deepEqual(complaints(pod([{ name: 'e', image: 'y' }])), [
      'Forbidden: existing ephemeral containers "e" may not be changed',
    ]);
    assert.deepEqual(complaints(pod([])), [
      'Forbidden: existing ephemeral containers "e" may not be removed\n',
    ]);
  });

  it('wants known targets and no probes', () => {
    const found = validateEphemeralContainersUpdate(
      pod([
        { name: 'f', image: 'x', targetContainerName: 'none', livenessProbe: { exec: { command: ['x'] } } },
      ]),
      pod([]),
    );
    assert.deepEqual(
      found.map(({ field, body }) => `${field}: ${body}`),
      [
        'spec.ephemeralContainers[0].targetContainerName: Not found: "none"',
        'spec.ephemeralContainers[0].livenessProbe: Forbidden: cannot be set for an Ephemeral Container',
      ],
    );
  });
});

describe('validation of an autoscaler', () => {
  it('takes no policies for too few, and what is not said of them for the usual ones', () => {
    const policies = (scaleDown: JsonObject) =>
      sentences(kind('HorizontalPodAutoscaler', 'autoscaling', 'v2'), {
        metadata,
        spec: {
          maxReplicas: 2,
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
          behavior: { scaleDown },
        },
      });
    const expected = ['spec.behavior.scaleDown.policies: Required value: must specify at least one Policy'];
    assert.deepEqual(policies({ policies: [] }), expected);
    assert.deepEqual(policies({}), []);
  });
});
