import assert from 'node:assert/strict';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { FakeClock } from '@wherry/clock';
import { createLogger, silentLogger } from '@wherry/telemetry';
import { fullableDisk } from '../../test/small-disk.ts';
import { TestServer } from '../../test/test-server.ts';
import { WatchClient } from '../../test/watch-client.ts';
import type { RequestInfo } from '../http/request-info.ts';
import { readRequestInfo } from '../http/request-info.ts';
import type { AuditEvent } from './audit-event.ts';
import { AuditLog } from './audit-log.ts';
import { AuditPolicy } from './audit-policy.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-audit-'));
after(() => rmSync(folder, { recursive: true }));
const logger = createLogger('audit', { level: 'error' });
const head = { apiVersion: 'audit.k8s.io/v1', kind: 'Policy' };

describe('an audit policy', () => {
  const rule = (more: object) =>
    AuditPolicy.parse({ ...head, rules: [{ level: 'Metadata', ...more }] } as never, 'p');
  const ann = { name: 'ann', uid: '', groups: ['devs'], extra: {} };
  const info = (method: string, url: string): RequestInfo => {
    const [path = '', query] = url.split('?');
    return readRequestInfo(method, path, new URLSearchParams(query));
  };
  const levelOf = (more: object, url: string, method = 'GET') =>
    rule(more).rulingFor(info(method, url), ann).level;
  const pods = '/api/v1/namespaces/default/pods';
  const pod = `${pods}/a`;

  const about: [object, string, boolean][] = [
    [{}, pod, true],
    [{ users: ['ann'] }, pod, true],
    [{ users: ['bob'] }, pod, false],
    [{ userGroups: ['devs', 'ops'] }, pod, true],
    [{ userGroups: ['ops'] }, pod, false],
    [{ verbs: ['get'] }, pod, true],
    [{ verbs: ['list'] }, pod, false],
    [{ namespaces: ['default'] }, pod, true],
    [{ namespaces: ['other'] }, pod, false],
    [{ namespaces: [''] }, '/api/v1/nodes', true],
    [{ resources: [{ group: '' }] }, pod, true],
    [{ resources: [{ group: 'apps' }] }, pod, false],
    [{ resources: [{ group: '*', resources: ['pods'] }] }, pod, true],
    [{ resources: [{ resources: ['pods'] }] }, `${pod}/status`, false],
    [{ resources: [{ resources: ['pods/*'] }] }, `${pod}/status`, true],
    [{ resources: [{ resources: ['pods/*'] }] }, pod, true],
    [{ resources: [{ resources: ['*/status'] }] }, `${pod}/status`, true],
    [{ resources: [{ resources: ['*/status'] }] }, pod, false],
    [{ resources: [{ resources: ['pods'], resourceNames: ['a'] }] }, pod, true],
    [{ resources: [{ resources: ['pods'], resourceNames: ['b'] }] }, pod, false],
    [
      { resources: [{ resources: ['pods'], resourceNames: ['a'] }] },
      `${pods}?fieldSelector=metadata.name%3Da`,
      true,
    ],
    [
      { resources: [{ resources: ['pods'], resourceNames: ['a'] }] },
      `${pods}?fieldSelector=metadata.name%3Db`,
      false,
    ],
    [{ resources: [{ resources: ['*'] }] }, '/version', false],
    [{ nonResourceURLs: ['/version'] }, '/version', true],
    [{ nonResourceURLs: ['/health*'] }, '/healthz', true],
    [{ nonResourceURLs: ['*'] }, pod, false],
  ];
  for (const [more, url, isAbout] of about)
    it(`${JSON.stringify(more)} is ${isAbout ? '' : 'not '}about ${url}`, () => {
      assert.equal(levelOf(more, url), isAbout ? 'Metadata' : 'None');
    });

  it('the first rule counts, and what is said for all holds where a rule says nothing', () => {
    const rules = [
      { level: 'None', verbs: ['get'] },
      { level: 'Request', omitStages: ['Panic'], omitManagedFields: false },
      { level: 'RequestResponse' },
    ];
    const policy = AuditPolicy.parse(
      { ...head, rules, omitStages: ['RequestReceived'], omitManagedFields: true } as never,
      'p',
    );
    assert.equal(policy.rulingFor(info('GET', pod), ann).level, 'None');
    const ruling = policy.rulingFor(info('DELETE', pod), ann);
    assert.deepEqual(
      [ruling.level, [...ruling.omitStages].sort(), ruling.omitsManagedFields],
      ['Request', ['Panic', 'RequestReceived'], false],
    );
  });

  const wrong: [object, RegExp][] = [
    [{ ...head, rules: [] }, /rules: \[\]: must have one rule/],
    [{ ...head, apiVersion: 'audit.k8s.io/v1beta1', rules: [{}] }, /apiVersion: "audit\.k8s\.io\/v1beta1"/],
    [{ ...head, rules: [{ level: 'All' }] }, /rules\[0\]\.level: "All": must be one of None, Metadata/],
    [{ ...head, rules: [{ level: 'None', user: ['a'] }] }, /rules\[0\]\.user: \["a"\]: is not known here/],
    [
      { ...head, rules: [{ level: 'None', nonResourceURLs: ['x'] }] },
      /nonResourceURLs\[0\]: "x": must begin/,
    ],
    [{ ...head, rules: [{ level: 'None', nonResourceURLs: ['/*/x'] }] }, /as its last character only/],
    [{ ...head, rules: [{ level: 'None', nonResourceURLs: ['/x'], namespaces: ['a'] }] }, /no rule is about/],
    [{ ...head, rules: [{ level: 'None', resources: [{ resourceNames: ['a'] }] }] }, /needs a resource/],
    [{ ...head, rules: [{ level: 'None', resources: [{ group: 'A b' }] }] }, /resources\[0\]\.group/],
    [{ ...head, rules: [{ level: 'None', omitStages: ['Start'] }] }, /omitStages\[0\]: "Start"/],
  ];
  for (const [policy, message] of wrong)
    it(`${JSON.stringify(policy)} is refused`, () => {
      assert.throws(() => AuditPolicy.parse(policy as never, 'p'), message);
    });
});

describe('an audit log', () => {
  const event = (id: string): AuditEvent => ({
    ...{
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: 'Metadata',
      auditID: id,
      stage: 'RequestReceived',
    },
    ...{ requestURI: `/${'x'.repeat(300_000)}`, verb: 'get', user: { username: 'ann', groups: ['devs'] } },
    ...{ requestReceivedTimestamp: '2026-01-02T03:04:05.000000Z', stageTimestamp: '' },
  });
  const open = (name: string, more: object, clock = new FakeClock()) =>
    new AuditLog({ path: join(folder, name, 'audit.log'), ...more }, { clock, logger });

  it('is read by its owner alone, and goes on where it was', async () => {
    for (const id of ['1', '2']) {
      const log = open('plain', {});
      assert.equal(log.write(event(id)), undefined);
      await log.close();
    }
    const path = join(folder, 'plain', 'audit.log');
    assert.equal(statSync(path).mode & 0o777, 0o600);
    const ids = readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).auditID);
    assert.deepEqual(ids, ['1', '2']);
  });

  it('begins a new file when one is full, and keeps so many old ones as it is told, others untouched', async () => {
    const clock = new FakeClock();
    const log = open('rotated', { maxSizeMebibytes: 1, maxBackups: 2 }, clock);
    writeFileSync(join(folder, 'rotated', 'audit-mine.log'), 'mine');
    for (let index = 0; index < 16; index += 1) {
      assert.equal(log.write(event(String(index))), undefined);
      clock.advance(1_000);
    }
    await log.close();
    const files = readdirSync(join(folder, 'rotated')).sort();
    assert.equal(files.length, 4);
    assert.match(files[0]!, /^audit-2023-11-14T22-13-\d\d\.000\.log$/);
    assert.deepEqual(files.slice(2), ['audit-mine.log', 'audit.log']);
    for (const name of files) assert.ok(statSync(join(folder, 'rotated', name)).size <= 1024 * 1024);
  });

  it('goes on in its file where no new one can be begun, and touches no file of others', async () => {
    const clock = new FakeClock();
    const at = (name: string) => join(folder, 'stuck', name);
    const options = { path: at('audit.log'), maxSizeMebibytes: 1 };
    const log = new AuditLog(options, { clock, logger: silentLogger });
    const time = new Date(clock.nowMs()).toISOString().replaceAll(':', '-').replace('Z', '');
    mkdirSync(at(`audit-${time}.log`));
    const kept: string[] = [];
    const write = (id: string) => log.write(event(id)) === undefined && kept.push(id);
    for (const id of ['0', '1', '2', '3']) write(id);
    assert.deepEqual(kept, ['0', '1', '2']);
    // Would have the number of a descriptor that was closed.
    const other = openSync(join(folder, 'other'), 'w');
    write('4');
    clock.advance(1_000);
    write('5');
    await log.close();
    writeSync(other, 'mine');
    closeSync(other);
    assert.equal(readFileSync(join(folder, 'other'), 'utf8'), 'mine');
    const files = readdirSync(at(''), { withFileTypes: true }).filter((entry) => entry.isFile());
    const texts = files.map(({ name }) => readFileSync(at(name), 'utf8').trimEnd());
    const ids = texts.flatMap((text) => text.split('\n').map((line) => JSON.parse(line).auditID));
    assert.deepEqual(
      [kept, ids.sort()],
      [
        ['0', '1', '2', '5'],
        ['0', '1', '2', '5'],
      ],
    );
  });

  it('packs the old files where it is told to, counts them as those that are not, and loses no event', async () => {
    const clock = new FakeClock();
    const log = open('packed', { maxSizeMebibytes: 1, maxBackups: 2, compresses: true }, clock);
    for (let index = 0; index < 16; index += 1) {
      log.write(event(String(index)));
      clock.advance(1_000);
    }
    await log.close();
    const at = (name: string) => join(folder, 'packed', name);
    const files = readdirSync(at('')).sort();
    assert.equal(files.length, 3);
    for (const name of files.slice(0, 2)) {
      assert.match(name, /^audit-2023-11-14T22-13-\d\d\.000\.log\.gz$/);
      assert.equal(statSync(at(name)).mode & 0o777, 0o600);
    }
    const texts = files.map((name) => {
      const bytes = readFileSync(at(name));
      return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
    });
    const ids = texts.flatMap((text) => text.trimEnd().split('\n')).map((line) => JSON.parse(line).auditID);
    assert.deepEqual(ids, ['9', '10', '11', '12', '13', '14', '15'].slice(-ids.length));
    assert.equal(texts.length, 3);
  });

  it('has an event that is too long without the objects it holds, and none that is too long even so', async () => {
    const log = open('short', { maxEventBytes: 1_000 });
    const small = { ...event('a'), requestURI: '/', level: 'Request' as const };
    assert.equal(log.write({ ...small, requestObject: { text: 'x'.repeat(1_000) } }), undefined);
    assert.equal(log.write({ ...small, requestURI: `/${'x'.repeat(1_000)}` }), 'truncate');
    assert.equal(log.write({ ...small, level: 'Metadata', requestURI: `/${'x'.repeat(1_000)}` }), 'truncate');
    await log.close();
    const [line, ...more] = readFileSync(join(folder, 'short', 'audit.log'), 'utf8')
      .trimEnd()
      .split('\n');
    assert.deepEqual(more, []);
    const written = JSON.parse(line!);
    assert.deepEqual(
      [written.requestObject, written.annotations],
      [undefined, { 'audit.k8s.io/truncated': 'true' }],
    );
  });

  it('has whole lines alone, also of a disk that was full meanwhile', async (context) => {
    const disk = fullableDisk(context, 1);
    const path = join(disk.folder, 'audit.log');
    const log = new AuditLog({ path }, { clock: new FakeClock(), logger });
    const parts = ['1', '2', '3', '4', '5'].map((id) => log.write(event(id)));
    assert.deepEqual(parts, [undefined, undefined, undefined, 'log', 'log']);
    const small = { ...event('6'), requestURI: '/' };
    assert.equal(log.write(small), undefined);
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).auditID),
      ['1', '2', '3', '6'],
    );
    await log.close();
  });

  it('in batch writes a little later, and drops what is too much', async () => {
    const clock = new FakeClock();
    const log = open('batch', { mode: 'batch' }, clock);
    const small = { ...event('a'), requestURI: '/' };
    for (let index = 0; index < 10_000; index += 1) assert.equal(log.write(small), undefined);
    assert.equal(log.write(small), 'buffered');
    const path = join(folder, 'batch', 'audit.log');
    assert.equal(statSync(path).size, 0);
    clock.advance(1);
    assert.equal(readFileSync(path, 'utf8').trimEnd().split('\n').length, 10_000);
    await log.close();
  });

  it('in the legacy format says part of it in words', async () => {
    const log = open('legacy', { format: 'legacy' });
    log.write({ ...event('7'), requestURI: '/a?b=c' });
    await log.close();
    assert.equal(
      readFileSync(join(folder, 'legacy', 'audit.log'), 'utf8'),
      '2026-01-02T03:04:05.000000Z AUDIT: id="7" stage="RequestReceived" ip="<unknown>" method="get" user="ann" groups="\\"devs\\"" as="<self>" asgroups="<lookup>" user-agent="" namespace="<none>" uri="/a?b=c" response="<deferred>"\n',
    );
  });
});

describe('a server that audits', () => {
  const path = join(folder, 'served', 'audit.log');
  const policyFile = join(folder, 'policy.yaml');
  let server: TestServer;
  let read = 0;
  before(async () => {
    writeFileSync(
      policyFile,
      `apiVersion: audit.k8s.io/v1
kind: Policy
omitManagedFields: true
rules:
  - level: None
    resources: [{ group: "", resources: ["secrets"] }]
  - level: RequestResponse
    resources: [{ group: "", resources: ["configmaps"] }]
  - level: Request
    verbs: [patch]
  - level: Metadata
    omitStages: [RequestReceived]
`,
    );
    server = await TestServer.start({
      auditPolicyFile: policyFile,
      auditLogPath: path,
      auditLogMode: 'blocking-strict',
    });
  });
  after(() => server.close());
  const events = (): AuditEvent[] =>
    readFileSync(path, 'utf8')
      .slice(read)
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  beforeEach(() => {
    read = readFileSync(path, 'utf8').length;
  });
  const configMaps = '/api/v1/namespaces/default/configmaps';

  it('writes down who did what, with what they sent and got, at each stage', async () => {
    const body = { metadata: { generateName: 'a-' }, data: { a: '1' } };
    const made = await server.request('POST', configMaps, {
      body,
      headers: { 'user-agent': 'me/1', 'audit-id': 'one' },
    });
    assert.equal(made.headers['audit-id'], 'one');
    const [first, second, ...others] = events();
    assert.equal(others.length, 0);
    assert.deepEqual(
      [first?.stage, first?.auditID, first?.level, first?.responseStatus, first?.requestObject],
      ['RequestReceived', 'one', 'RequestResponse', undefined, undefined],
    );
    assert.deepEqual(
      [second?.stage, second?.verb, second?.requestURI, second?.userAgent, second?.sourceIPs],
      ['ResponseComplete', 'create', configMaps, 'me/1', ['127.0.0.1']],
    );
    assert.deepEqual(second?.user.username, 'admin');
    assert.deepEqual(second?.objectRef, { resource: 'configmaps', namespace: 'default', apiVersion: 'v1' });
    assert.deepEqual(second?.responseStatus, { metadata: {}, code: 201 });
    assert.deepEqual((second!.requestObject as typeof body).data, { a: '1' });
    const { metadata } = second!.responseObject as { metadata: { name: string; managedFields?: object } };
    assert.equal(metadata.name, made.body.metadata.name);
    assert.equal(metadata.managedFields, undefined);
    assert.deepEqual(second?.annotations, {
      'authorization.k8s.io/decision': 'allow',
      'authorization.k8s.io/reason': '',
    });
  });

  it('writes nothing of what the policy leaves out', async () => {
    await server.request('GET', '/api/v1/namespaces/default/secrets');
    assert.deepEqual(events(), []);
    const answer = await server.request('GET', '/version');
    assert.match(String(answer.headers['audit-id']), /^[0-9a-f-]{36}$/);
    assert.deepEqual(
      events().map(({ stage, requestObject }) => [stage, requestObject]),
      [['ResponseComplete', undefined]],
    );
  });

  it('names refusals with their status, those of unknown senders too', async () => {
    await server.request('GET', '/api/v1/nodes/none');
    await server.request('GET', '/api/v1/nodes', { as: null });
    await server.request('GET', '/api/v1/nodes', { token: 'wrong' });
    const [missing, forbidden, unknown] = events();
    assert.deepEqual([missing?.responseStatus?.code, missing?.responseStatus?.reason], [404, 'NotFound']);
    assert.deepEqual(forbidden?.annotations?.['authorization.k8s.io/decision'], 'forbid');
    assert.equal(forbidden?.user.username, 'system:anonymous');
    assert.deepEqual(
      [unknown?.stage, unknown?.user, unknown?.responseStatus?.code, unknown?.responseStatus?.message],
      ['ResponseStarted', {}, 401, 'Unauthorized'],
    );
  });

  it('tells of a watch when it begins and when it ends', async () => {
    const watch = await WatchClient.open(server, `${configMaps}?watch=true&resourceVersion=0`);
    assert.deepEqual(
      events().map(({ stage }) => stage),
      ['RequestReceived', 'ResponseStarted'],
    );
    watch.close();
    while (events().length < 3) await new Promise((resolve) => setTimeout(resolve, 2));
    assert.deepEqual(
      events()
        .map(({ stage }) => stage)
        .at(-1),
      'ResponseComplete',
    );
  });

  it('says for whom somebody acts, and by which binding they may', async () => {
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    const subjects = [{ kind: 'User', name: 'jane', apiGroup: 'rbac.authorization.k8s.io' }];
    const roleRef = { kind: 'ClusterRole', name: 'view', apiGroup: 'rbac.authorization.k8s.io' };
    await server.request('POST', `${rbac}/clusterrolebindings`, {
      body: { metadata: { name: 'jane' }, subjects, roleRef },
    });
    read = readFileSync(path, 'utf8').length;
    await server.request('GET', '/api/v1/pods', { headers: { 'impersonate-user': 'jane' } });
    const [event] = events();
    assert.equal(event?.user.username, 'admin');
    assert.deepEqual(event?.impersonatedUser, { username: 'jane', groups: ['system:authenticated'] });
    assert.deepEqual(event?.authenticationMetadata, { impersonationConstraint: 'impersonate:user-info' });
    assert.equal(
      event?.annotations?.['authorization.k8s.io/reason'],
      'RBAC: allowed by ClusterRoleBinding "jane" of ClusterRole "view" to User "jane"',
    );
  });

  it('has what pod security and policies note', async () => {
    const level = { 'pod-security.kubernetes.io/audit': 'restricted' };
    await server.request('POST', '/api/v1/namespaces', {
      body: { metadata: { name: 'noted', labels: level } },
    });
    await server.request('POST', '/api/v1/namespaces/noted/serviceaccounts', {
      body: { metadata: { name: 'default' } },
    });
    const group = '/apis/admissionregistration.k8s.io/v1';
    const spec = {
      matchConstraints: {
        resourceRules: [
          { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] },
        ],
      },
      validations: [{ expression: 'false', message: 'never' }],
      auditAnnotations: [{ key: 'seen', valueExpression: 'string(object.metadata.name)' }],
    };
    const policy = await server.request('POST', `${group}/validatingadmissionpolicies`, {
      body: { metadata: { name: 'note' }, spec },
    });
    assert.equal(policy.status, 201, policy.text);
    await server.request('POST', `${group}/validatingadmissionpolicybindings`, {
      body: { metadata: { name: 'bound' }, spec: { policyName: 'note', validationActions: ['Audit'] } },
    });
    read = readFileSync(path, 'utf8').length;
    const body = {
      metadata: { name: 'p' },
      spec: { automountServiceAccountToken: false, containers: [{ name: 'a', image: 'b' }] },
    };
    const made = await server.request('POST', '/api/v1/namespaces/noted/pods', { body });
    assert.equal(made.status, 201, made.text);
    const { annotations = {} } = events()[0]!;
    assert.equal(annotations['pod-security.kubernetes.io/enforce-policy'], 'privileged:latest');
    assert.match(
      annotations['pod-security.kubernetes.io/audit-violations']!,
      /^would violate PodSecurity "restricted:latest": /,
    );
    assert.equal(annotations['note/seen'], 'p');
    assert.deepEqual(JSON.parse(annotations['validation.policy.admission.k8s.io/validation_failure']!), [
      {
        message: 'never',
        policy: 'note',
        binding: 'bound',
        expressionIndex: 0,
        validationActions: ['Audit'],
      },
    ]);
  });
});
