/** Texts and lists of others take time by their length alone, however they are made: what takes the square of it would hold everybody up. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { compare } from '../apply/compare.ts';
import { messageNode } from '../apply/node.ts';
import { keyedPath } from '../apply/typed-config.ts';
import { mergeValues } from '../apply/walk.ts';
import { checkEmbedded } from '../custom/embedded.ts';
import { compileSchema } from '../custom/structural-schema.ts';
import { hasFormat } from '../formats/schema-formats.ts';
import type { CSINode, Pod } from '../generated/types.ts';
import { mergeList } from '../patch/strategic-list.ts';
import { diffLists } from '../patch/strategic-list-diff.ts';
import { messageSchema } from '../schema/schema.ts';
import { required } from '../status/field-error.ts';
import { invalid } from '../status/status-errors.ts';
import { validateSelector } from '../validation/metadata.ts';
import { clientConfigErrors } from '../validation/webhook-client.ts';
import { readPlainScalar } from '../yaml/plain-scalar.ts';
import { validateFailurePolicy } from './batch/job-policies.ts';
import { certificateProblem } from './certificates/issued-certificate.ts';
import { endpoints } from './core/endpoints.ts';
import { validateSysctls } from './core/pod/validation/sysctls.ts';
import { validatePodUpdate } from './core/pod/validation/update.ts';
import { validateFiles } from './core/pod/validation/volumes/files.ts';
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

  it('are items of one list, turned round or there twice, of which owners and differences are told', () => {
    const list = many((index) => `v${index}`);
    const set = { kind: 'set' } as const;
    assert.equal((mergeValues([...list], list.toReversed(), set) as string[])[0], list.at(-1));
    assert.equal(compare(undefined, [...list, ...list], set).added.members.size, list.length);
    const parts = { additions: true, deletions: true };
    const options = { mergeKey: '', parts, diffItem: () => ({}) };
    assert.deepEqual(diffLists(list, list.slice(1), options).deleted, [list[0]]);
  });

  it('are fields of a configuration that no schema knows', () => {
    const config = Object.fromEntries(many((index) => [`f${index}`, 1]));
    const node = messageNode(messageSchema('ConfigMap'));
    for (let count = 0; count < 100; count++) assert.equal(keyedPath('f99999', config, node), '.f99999');
  });

  it('are gates of a pod that changes', () => {
    const schedulingGates = many((index) => ({ name: `g${index}` }));
    const spec = { containers: [{ name: 'a', image: 'b' }], schedulingGates };
    const pod = { metadata: { name: 'a' }, spec };
    const said = validatePodUpdate(pod as Pod, structuredClone(pod) as Pod);
    assert.deepEqual(
      said.filter(({ field }) => field.includes('schedulingGates')),
      [],
    );
  });

  it('are addresses behind a service with as many ports, in a table', () => {
    const addresses = many(() => ({ ip: '10.0.0.1' }));
    const subsets = [{ addresses, ports: many((index) => ({ name: `p${index}`, port: 80 })) }];
    const [, cell] = endpoints.printer!.cells({ metadata: { name: 'a' }, subsets }, 0) as string[];
    assert.equal(cell, '10.0.0.1:80,10.0.0.1:80,10.0.0.1:80 + 9999999997 more...');
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

describe('three hundred thousand mistakes in one object', () => {
  const many = <T>(make: (index: number) => T) => Array.from({ length: 300_000 }, (_, index) => make(index));

  it('are labels of an object in a custom resource', () => {
    const labels = Object.fromEntries(many((index) => [`!${index}`, '']));
    const object = { apiVersion: 'v1', kind: 'A', metadata: { labels } };
    const schema = compileSchema({
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    });
    assert.equal(checkEmbedded(object, schema).length, 300_000);
  });

  it('are values of a selector, keys of a volume, and gates that a pod gets late', () => {
    const values = many((index) => `!${index}`);
    const selector = { matchExpressions: [{ key: 'a', operator: 'In', values }] };
    assert.equal(validateSelector(selector, 'spec.selector' as never).length, values.length);
    const secret = { secretName: 'a', items: many(() => ({ key: '', path: 'a' })) };
    assert.ok(validateFiles({ secret }, 'spec.volumes[0]' as never).length >= secret.items.length);
    const pod = { metadata: { name: 'a' }, spec: { containers: [{ name: 'a', image: 'b' }] } };
    const schedulingGates = many((index) => ({ name: `g${index}` }));
    const gated = { ...pod, spec: { ...pod.spec, schedulingGates } };
    assert.ok(validatePodUpdate(gated as Pod, pod as Pod).length >= schedulingGates.length);
  });
});
