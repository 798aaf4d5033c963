/** Texts and lists of others take time by their length alone, however they are made: what takes the square of it would hold everybody up. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { hasFormat } from '../formats/schema-formats.ts';
import type { CSINode, Pod } from '../generated/types.ts';
import { mergeList } from '../patch/strategic-list.ts';
import { required } from '../status/field-error.ts';
import { invalid } from '../status/status-errors.ts';
import { clientConfigErrors } from '../validation/webhook-client.ts';
import { readPlainScalar } from '../yaml/plain-scalar.ts';
import { validateFailurePolicy } from './batch/job-policies.ts';
import { certificateProblem } from './certificates/issued-certificate.ts';
import { validateSysctls } from './core/pod/validation/sysctls.ts';
import { validatePodUpdate } from './core/pod/validation/update.ts';
import { podWarnings } from './core/pod/warnings/pod-warnings.ts';
import { validateServiceAddresses } from './core/service/addresses.ts';
import { uncoveredRules } from './rbac/rule-cover.ts';
import { csiDriver } from './storage/csi-driver.ts';
import { csiNode } from './storage/csi-node.ts';

const length = 1_000_000;
/** Of the processor, for one test. */
const busyMsMax = 10_000;
let before: NodeJS.CpuUsage;
beforeEach(() => {
  before = process.cpuUsage();
});
afterEach(() => {
  const { user } = process.cpuUsage(before);
  assert.ok(user / 1000 < busyMsMax, `${user / 1000} ms of the processor`);
});

describe('a text of a million characters', () => {
  it('is a path of a volume', () => {
    const path = `a${'/'.repeat(length)}b`;
    const items = [path, `${path}c`].map((each) => ({ key: 'a', path: each }));
    const volumes = [{ name: 'v', configMap: { items } }];
    assert.deepEqual(podWarnings({ spec: { containers: [{ name: 'a', image: 'b' }], volumes } }), []);
  });

  it('is the name of a sysctl', () => {
    const securityContext = { sysctls: [{ name: `${'*'.repeat(length)}\n`, value: '1' }] };
    const [error] = validateSysctls({ containers: [], securityContext }, 'spec' as never);
    assert.match(error?.body ?? '', /must have at most 253 characters/);
  });

  it('is a URL of a role', () => {
    const [verbs, held] = [['get'], `/${'*'.repeat(length)}a*`];
    const wanted = { verbs, nonResourceURLs: ['/healthz'] };
    assert.equal(uncoveredRules([{ verbs, nonResourceURLs: [held] }], [wanted]).length, 1);
  });

  it('is a duration of a custom resource, and a moment of YAML', () => {
    assert.equal(hasFormat('1'.repeat(length), 'duration'), false);
    const moment = `2026-01-01T00:00:00.${'0'.repeat(length)}1Z`;
    assert.equal(readPlainScalar(moment).tag, '!!timestamp');
  });

  it('stands in a certificate', () => {
    const pem = `-----BEGIN CERTIFICATE-----\nA${' '.repeat(length)}!\n-----END CERTIFICATE-----\n`;
    assert.match(certificateProblem(Buffer.from(pem).toString('base64')) ?? '', /at least one CERTIFICATE/);
  });
});

describe('a hundred thousand items', () => {
  const many = <T>(make: (index: number) => T) => Array.from({ length: 100_000 }, (_, index) => make(index));

  it('are tolerations of a pod that changes, and constraints of its spread', () => {
    const tolerations = many((index) => ({ key: `a${index}`, operator: 'Exists' as const }));
    const topologySpreadConstraints = many((index) => ({
      ...{ maxSkew: 1, topologyKey: `a${index}`, whenUnsatisfiable: 'DoNotSchedule' as const },
    }));
    const containers = [{ name: 'a', image: 'b', terminationMessagePolicy: 'File' as const }];
    const pod = { metadata: { name: 'a' }, spec: { containers, tolerations, topologySpreadConstraints } };
    const said = validatePodUpdate(pod as Pod, structuredClone(pod) as Pod).map(({ field }) => field);
    assert.deepEqual(
      said.filter((field) => /tolerations|topologySpread/.test(field)),
      [],
    );
  });

  it('are drivers of a node that change, and devices', () => {
    const drivers = many((index) => ({ name: `d${index}`, nodeID: 'n', topologyKeys: [] }));
    const node = { metadata: { name: 'a' }, spec: { drivers } };
    assert.deepEqual(csiNode.validateUpdate?.(node as CSINode, structuredClone(node) as CSINode), []);
  });

  it('are families of a service, exit codes of a job and audiences of a driver', () => {
    const families = many((index) => `f${index}`);
    assert.ok(validateServiceAddresses({ ipFamilies: families as never }).length >= families.length);
    const values = many((index) => index + 1);
    const onExitCodes = { operator: 'In' as const, values };
    const rules = [{ action: 'Ignore' as const, onExitCodes }];
    const template = { spec: { containers: [], restartPolicy: 'Never' as const } };
    const [tooMany] = validateFailurePolicy(
      { podFailurePolicy: { rules }, template },
      'spec.podFailurePolicy',
    );
    assert.match(tooMany?.body ?? '', /must have at most 255 items/);
    const tokenRequests = many((index) => ({ audience: `a${index}` }));
    assert.deepEqual(csiDriver.validate?.({ metadata: { name: 'a' }, spec: { tokenRequests } }), []);
  });

  it('are merged by key, and taken out', () => {
    const items = many((index) => ({ uid: `u${index}` }));
    const list = {
      name: 'l',
      mergeKey: 'uid',
      isMerging: true,
      mergeItem: (_: object, after: object) => after,
    };
    const merging = { ...list, patch: items } as never;
    assert.equal(mergeList([], merging).length, items.length);
    assert.equal(mergeList([...items], merging).length, items.length);
    const patch = items.map((item) => ({ ...item, $patch: 'delete' }));
    assert.deepEqual(mergeList([...items], { ...list, patch } as never), []);
  });

  it('are reasons to refuse an object, of which the first thousand are told', () => {
    const errors = many((index) => required(`spec.a[${index}]`));
    const { status } = invalid({ group: '', kind: 'Pod' }, 'a', errors);
    assert.equal(status.details?.causes?.length, 1_000);
    assert.match(status.message ?? '', /spec\.a\[999\]: Required value\] and 99000 more$/);
  });

  it('are parts of a webhook’s path, of which the first few are told', () => {
    const service = { namespace: 'a', name: 'b', path: `/a${'/'.repeat(length)}b` };
    const errors = clientConfigErrors({ service }, 'webhooks[0].clientConfig');
    assert.equal(errors.length, 16);
  });
});
