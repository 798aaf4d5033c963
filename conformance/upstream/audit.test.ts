/**
 * The audit log and the audit's webhook beside Kubernetes' own API server: the same policy, the same certificates and the
 * same requests; then the events of both are compared, field by field.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { eventually } from '../../e2e/node.ts';
import type { Credentials } from '../../packages/apiserver/test/pki.ts';
import { TwoServers } from './two-servers.ts';

const agent = 'judge/1';

const policy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitManagedFields: true
rules:
  - level: None
    resources: [{ group: "", resources: ["secrets"] }]
  - level: RequestResponse
    resources:
      - { group: "", resources: ["configmaps", "pods/*"] }
      - { group: "apps" }
  - level: Request
    users: ["jane"]
  - level: Metadata
    nonResourceURLs: ["/version", "/healthz*"]
    omitStages: ["RequestReceived"]
  - level: None
    nonResourceURLs: ["*"]
  - level: Metadata
`;

type Event = Record<string, unknown> & { stage: string; auditID: string };

/** One of the two. */
interface Side {
  url: string;
  log: string;
  /** Its path of the webhook. */
  sent: string;
}

let two: TwoServers;
let jane: Credentials;
let sides: Side[];
/** By server and step. */
const answers = new Map<string, string>();
/** What the webhook got, by path. */
const sent = new Map<string, Event[]>();
/** How it was asked, and what lists of events say of themselves: by path, each once. */
const manners = new Map<string, Set<string>>();
const webhook = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { url = '', method, headers } = request;
  const [path = '', query] = url.split('?');
  const { items, ...list } = JSON.parse(Buffer.concat(chunks).toString()) as { items: Event[] };
  sent.set(path, [...(sent.get(path) ?? []), ...items]);
  const manner = JSON.stringify([method, query, headers['content-type'], headers.accept, list]);
  manners.set(path, (manners.get(path) ?? new Set()).add(manner));
  response.end();
});
const eventBytesMax = 8_192;

/** A kubeconfig that leads to the webhook. */
function webhookConfig(path: string): string {
  const { port } = webhook.address() as AddressInfo;
  return JSON.stringify({
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'c', users: [{ name: 'u', user: {} }] },
    clusters: [{ name: 'k', cluster: { server: `http://127.0.0.1:${port}${path}` } }],
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
  });
}

before(async () => {
  webhook.listen(0, '127.0.0.1');
  await once(webhook, 'listening');
  two = await TwoServers.start({
    ...{ port: 16_478, etcdPort: 23_880 },
    async prepare({ folder, authority }) {
      const at = (name: string) => join(folder, name);
      writeFileSync(at('policy.yaml'), policy);
      jane = await authority.issue({ name: 'jane', groups: ['devs'] });
      for (const name of ['ours', 'theirs']) writeFileSync(at(`${name}.json`), webhookConfig(`/${name}`));
      return {
        options: {
          ...{ auditPolicyFile: at('policy.yaml'), auditLogPath: at('ours.log') },
          auditWebhook: {
            ...{ configFile: at('ours.json'), maxBatchWaitMs: 1_000 },
            truncation: { maxEventBytes: eventBytesMax, maxBatchBytes: 10 << 20 },
          },
        },
        flags: [
          ...[`--audit-policy-file=${at('policy.yaml')}`, `--audit-log-path=${at('theirs.log')}`],
          ...[`--audit-webhook-config-file=${at('theirs.json')}`, '--audit-webhook-batch-max-wait=1s'],
          ...['--audit-webhook-truncate-enabled', `--audit-webhook-truncate-max-event-size=${eventBytesMax}`],
        ],
      };
    },
  });
  const [url, other] = two.urls;
  sides = [
    { url, log: join(two.own.folder, 'ours.log'), sent: '/ours' },
    { url: other, log: join(two.own.folder, 'theirs.log'), sent: '/theirs' },
  ];
});
after(async () => {
  await two?.close();
  webhook.closeAllConnections();
  webhook.close();
});

interface Step {
  method: string;
  path: string;
  body?: unknown;
  type?: string;
  headers?: Record<string, string>;
  /** Default: the administrator. */
  as?: 'jane' | 'nobody' | 'stranger';
  /** Not asked before it holds: what takes effect later. */
  until?: number;
  /** Only what became of it is compared. */
  isWordedOtherwise?: boolean;
  /** The answer is compared, and what became of it: upstream's log says nothing of why. */
  isShown?: boolean;
}

async function ask({ url }: Side, { as, headers, ...asked }: Step, id?: string): Promise<number> {
  const { code, text } = await two.ask(url, {
    ...asked,
    as: as === 'jane' ? jane : as ? null : two.own.admin,
    headers: {
      'user-agent': id ? agent : 'readiness',
      ...(id ? { 'audit-id': id } : {}),
      ...(as === 'stranger' ? { authorization: 'Bearer wrong' } : {}),
      ...headers,
    },
  });
  if (id) answers.set(`${url} ${id}`, text);
  return code;
}

const core = '/api/v1/namespaces/default';
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const admission = '/apis/admissionregistration.k8s.io/v1';
const configMap = (name: string, data: object = {}) => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data },
});
const merge = 'application/merge-patch+json';
const pod = (name: string) => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name } },
  spec: {
    automountServiceAccountToken: false,
    hostPID: true,
    containers: [{ name: 'a', image: 'b' }],
  },
});
const roleRef = { kind: 'ClusterRole', name: 'reader', apiGroup: 'rbac.authorization.k8s.io' };
const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }];

const roleOf = (name: string, verbs: string[]): Step => ({
  ...{ method: 'POST', path: `${rbac}/clusterroles` },
  body: { metadata: { name }, rules: [{ verbs, apiGroups: [''], resources: ['pods', 'services'] }] },
});

/** Jane may list pods as ann: by verbs of constrained impersonation. */
const acting = {
  metadata: { name: 'acting' },
  rules: [
    {
      ...{ verbs: ['impersonate:user-info'], apiGroups: ['authentication.k8s.io'] },
      ...{ resources: ['users'], resourceNames: ['ann'] },
    },
    { verbs: ['impersonate-on:user-info:list'], apiGroups: [''], resources: ['pods'] },
  ],
};
const bindingOf = (name: string, role: string, user: string): Step => ({
  ...{ method: 'POST', path: `${rbac}/clusterrolebindings` },
  body: {
    metadata: { name },
    roleRef: { ...roleRef, name: role },
    subjects: [{ kind: 'User', name: user, apiGroup: 'rbac.authorization.k8s.io' }],
  },
});
const asAnother = (path: string, headers: Record<string, string>, more: Partial<Step> = {}): Step => ({
  ...{ method: 'GET', path, as: 'jane', headers, ...more },
});
const constrained: Step[] = [
  { method: 'POST', path: `${rbac}/clusterroles`, body: acting },
  bindingOf('acting', 'acting', 'jane'),
  bindingOf('ann', 'reader', 'ann'),
  asAnother('/api/v1/pods?limit=1', { 'impersonate-user': 'ann' }, { until: 200 }),
  asAnother('/api/v1/services', { 'impersonate-user': 'ann' }),
  asAnother('/api/v1/pods', { 'impersonate-user': 'bob' }),
  asAnother('/api/v1/pods', { 'impersonate-user': 'ann', 'impersonate-uid': '7' }),
  asAnother('/api/v1/pods', { 'impersonate-user': 'ann', 'impersonate-group': 'devs' }),
  asAnother('/api/v1/pods', { 'impersonate-user': 'ann', 'impersonate-group': 'system:masters' }),
  asAnother(
    '/api/v1/pods',
    { 'impersonate-user': 'ann', 'impersonate-extra-scopes': 'all' },
    { isWordedOtherwise: true },
  ),
  asAnother('/api/v1/pods', { 'impersonate-user': 'ann', 'impersonate-extra-example.com%2fa': 'b' }),
  asAnother('/api/v1/pods', { 'impersonate-user': 'system:serviceaccount:default:default' }),
  asAnother('/api/v1/pods', { 'impersonate-user': 'system:node:n1' }),
  asAnother('/version', { 'impersonate-user': 'ann' }),
  asAnother('/api/v1/pods', { 'impersonate-group': 'devs' }),
  asAnother('/api/v1/pods', { 'impersonate-uid': '7', 'impersonate-extra-scopes': 'all' }),
];

const metadataOf = (path: string, as: string): Step => ({
  ...{
    method: 'GET',
    path,
    isShown: true,
    headers: { accept: `application/json;as=${as};v=v1;g=meta.k8s.io` },
  },
});
/** Metadata of the one shape asked for where there is the other. */
const shapes: Step[] = [
  metadataOf('/api/v1/namespaces', 'PartialObjectMetadata'),
  metadataOf('/api/v1/namespaces/default', 'PartialObjectMetadataList'),
  metadataOf('/apis/events.k8s.io/v1/events', 'PartialObjectMetadata'),
  metadataOf(`${rbac}/clusterroles/reader`, 'PartialObjectMetadataList'),
  metadataOf(`${rbac}/clusterroles`, 'PartialObjectMetadata'),
  metadataOf('/apis/apps/v1/deployments', 'PartialObjectMetadata'),
  metadataOf('/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas', 'PartialObjectMetadata'),
  metadataOf('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', 'PartialObjectMetadata'),
  metadataOf('/api/v1/namespaces/default', 'PartialObjectMetadata'),
  metadataOf('/api/v1/namespaces', 'TableList'),
];

const steps: Step[] = [
  { method: 'POST', path: `${core}/serviceaccounts`, body: { metadata: { name: 'default' } } },
  { method: 'GET', path: '/version' },
  { method: 'GET', path: '/healthz', as: 'nobody' },
  { method: 'GET', path: '/apis' },
  { method: 'GET', path: `${core}/secrets` },
  { method: 'POST', path: `${core}/configmaps`, body: configMap('a', { x: '1' }) },
  { method: 'POST', path: `${core}/configmaps`, body: configMap('a') },
  { method: 'GET', path: `${core}/configmaps/a` },
  { method: 'GET', path: `${core}/configmaps/none` },
  { method: 'POST', path: `${core}/configmaps`, body: configMap('large', { x: 'x'.repeat(eventBytesMax) }) },
  { method: 'PATCH', path: `${core}/configmaps/a`, body: { data: { x: '2' } }, type: merge },
  {
    method: 'PATCH',
    path: `${core}/configmaps/b?fieldManager=m`,
    body: configMap('b', { y: '1' }),
    type: 'application/apply-patch+yaml',
  },
  { method: 'PUT', path: `${core}/configmaps/b`, body: configMap('b', { y: '2' }) },
  {
    method: 'POST',
    path: `${core}/configmaps?fieldValidation=Strict`,
    body: { ...configMap('c'), wrong: 1 },
  },
  { method: 'POST', path: `${core}/configmaps?dryRun=All`, body: configMap('Bad Name') },
  { method: 'GET', path: `${core}/configmaps?limit=1&labelSelector=none%3Dsuch` },
  { method: 'GET', path: `${core}/configmaps?watch=true&timeoutSeconds=1&labelSelector=none%3Dsuch` },
  {
    method: 'DELETE',
    path: `${core}/configmaps/b`,
    body: { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' },
  },
  { method: 'DELETE', path: `${core}/configmaps/a` },
  { method: 'GET', path: `${core}/configmaps?timeout=x` },
  { method: 'GET', path: `${core}/configmaps?timeout=x`, as: 'jane' },
  { method: 'GET', path: '/version?timeout=x', as: 'nobody' },
  { method: 'HEAD', path: `${core}/configmaps` },
  { method: 'GET', path: `${core}/nothings` },
  { method: 'GET', path: '/apis/none.example.com/v1/things', isWordedOtherwise: true },
  { method: 'GET', path: '/api/v1/nodes', as: 'jane' },
  roleOf('reader', ['get', 'list', 'watch']),
  roleOf('writer', ['*']),
  {
    method: 'POST',
    path: `${rbac}/clusterrolebindings`,
    body: {
      metadata: { name: 'jane' },
      roleRef,
      subjects: [{ kind: 'User', name: 'jane', apiGroup: 'rbac.authorization.k8s.io' }],
    },
  },
  {
    method: 'POST',
    path: `${rbac}/namespaces/default/rolebindings`,
    body: {
      metadata: { name: 'devs' },
      roleRef: { ...roleRef, name: 'writer' },
      subjects: [{ kind: 'Group', name: 'devs', apiGroup: 'rbac.authorization.k8s.io' }],
    },
  },
  { method: 'GET', path: '/api/v1/pods?limit=1', as: 'jane', until: 200 },
  {
    method: 'POST',
    path: `${core}/services`,
    as: 'jane',
    body: { metadata: { name: 's' }, spec: { ports: [{ port: 80 }], clusterIP: 'None' } },
  },
  { method: 'GET', path: '/api/v1/nodes', as: 'nobody' },
  { method: 'GET', path: '/api/v1/nodes', as: 'stranger' },
  {
    method: 'GET',
    path: '/api/v1/pods',
    headers: { 'impersonate-user': 'jane', 'impersonate-group': 'devs' },
  },
  {
    ...{ method: 'GET', path: '/api/v1/pods', as: 'jane' },
    headers: { 'impersonate-user': 'ann' },
  },
  ...constrained,
  ...shapes,
  {
    method: 'POST',
    path: '/api/v1/namespaces',
    body: {
      metadata: {
        name: 'noted',
        labels: {
          'pod-security.kubernetes.io/audit': 'restricted',
          'pod-security.kubernetes.io/warn': 'baseline',
        },
      },
    },
  },
  {
    method: 'POST',
    path: '/api/v1/namespaces/noted/serviceaccounts',
    body: { metadata: { name: 'default' } },
  },
  { method: 'POST', path: '/api/v1/namespaces/noted/pods', body: pod('p') },
  { method: 'DELETE', path: '/api/v1/namespaces/noted/pods/p?gracePeriodSeconds=0' },
  {
    method: 'POST',
    path: `${admission}/validatingadmissionpolicies`,
    body: {
      metadata: { name: 'note' },
      spec: {
        matchConstraints: { resourceRules: rules },
        validations: [{ expression: '!object.metadata.name.startsWith("odd")', message: 'odd' }],
        auditAnnotations: [{ key: 'seen', valueExpression: 'string(object.metadata.name)' }],
      },
    },
  },
  {
    method: 'POST',
    path: `${admission}/validatingadmissionpolicybindings`,
    body: { metadata: { name: 'bound' }, spec: { policyName: 'note', validationActions: ['Audit', 'Deny'] } },
  },
  { method: 'POST', path: `${core}/configmaps?dryRun=All`, body: configMap('odd-1'), until: 422 },
  { method: 'POST', path: `${core}/configmaps?dryRun=All`, body: configMap('even') },
  {
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    body: { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } },
  },
  { method: 'GET', path: `${core}/pods/none/log` },
];

/** What no two servers, or moments, have in common. */
const volatile = new Set([
  ...[
    'requestReceivedTimestamp',
    'stageTimestamp',
    'resourceVersion',
    'uid',
    'creationTimestamp',
    'selfLink',
  ],
  ...['remainingItemCount', 'continue', 'sourceIPs', 'deletionTimestamp'],
]);

/** Upstream leaves out details that say nothing; options have the version that it has for itself. */
const isOwn = (name: string, part: unknown) => name === 'details' && Object.keys(part as object).length === 0;

function settled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(settled);
  if (typeof value !== 'object' || value === null) return value;
  const isOptions = 'kind' in value && value.kind === 'DeleteOptions';
  const entries = Object.entries(value).filter(
    ([name, part]) => !volatile.has(name) && !isOwn(name, part) && !(isOptions && name === 'apiVersion'),
  );
  return Object.fromEntries(entries.map(([name, part]) => [name, settled(part)]));
}

function outcome({ level, stage, verb, objectRef, responseStatus }: Event): unknown {
  return [level, stage, verb, objectRef, (responseStatus as { code?: number } | undefined)?.code];
}

const byRequest = (events: readonly Event[]) =>
  Map.groupBy(
    events.filter((event) => event['userAgent'] === agent),
    ({ auditID }) => auditID,
  );

function logged({ log }: Side): Map<string, Event[]> {
  const lines = readFileSync(log, 'utf8').split('\n').filter(Boolean);
  return byRequest(lines.map((line) => JSON.parse(line) as Event));
}

/** What the webhook got, in the order of the log: batches overtake each other. */
function posted(side: Side): Map<string, Event[]> {
  const inOrder = (sent.get(side.sent) ?? []).toSorted((left, right) =>
    String(left['stageTimestamp']) < String(right['stageTimestamp']) ? -1 : 1,
  );
  return byRequest(inOrder);
}

const codes = new Map<string, number[]>();

/** Compares what both left behind, and answers how many events that were. */
function compareEvents(read: (side: Side) => Map<string, Event[]>): number {
  const [ours, theirs] = sides.map(read) as [Map<string, Event[]>, Map<string, Event[]>];
  const differences: string[] = [];
  let compared = 0;
  for (const [index, { method, path, isWordedOtherwise, isShown }] of steps.entries()) {
    const id = `step-${index}`;
    const [left, right] = [ours.get(id) ?? [], theirs.get(id) ?? []];
    compared += right.length;
    const [own, other] = codes.get(id)!;
    try {
      assert.equal(own, other);
      const form = isWordedOtherwise || isShown ? outcome : settled;
      assert.deepEqual(left.map(form), right.map(form));
      if (isShown && own === 406) {
        const [ourAnswer, theirAnswer] = sides.map(({ url }) =>
          JSON.parse(answers.get(`${url} ${id}`) ?? ''),
        );
        assert.deepEqual(settled(ourAnswer), settled(theirAnswer));
      }
    } catch (error) {
      differences.push(`${method} ${path}: ${(error as Error).message}`);
    }
  }
  assert.equal(differences.length, 0, differences.join('\n\n'));
  return compared;
}

test('the same requests leave the same events in the log', async () => {
  for (const side of sides)
    for (const [index, step] of steps.entries()) {
      if (step.until !== undefined)
        await eventually(
          `${step.path} answers ${step.until}`,
          async () => (await ask(side, step)) === step.until,
        );
      const id = `step-${index}`;
      codes.set(id, [...(codes.get(id) ?? []), await ask(side, step, id)]);
    }
  const compared = compareEvents(logged);
  assert.ok(compared > 2 * steps.length - 12, `${compared} events`);
});

test('the webhook gets the events of the log, cut where they are long', async () => {
  const count = (events: Map<string, Event[]>) => [...events.values()].flat().length;
  for (const side of sides)
    await eventually(`the events of ${side.sent}`, () => count(posted(side)) >= count(logged(side)));
  assert.ok(compareEvents(posted) > 2 * steps.length - 12);
  const cut = ({ annotations }: Event) =>
    (annotations as Record<string, string> | undefined)?.['audit.k8s.io/truncated'] === 'true';
  assert.ok([...posted(sides[0]!).values()].flat().some(cut));
  const [ours, theirs] = sides.map((side) => [...manners.get(side.sent)!]);
  assert.deepEqual(ours, theirs);
});
