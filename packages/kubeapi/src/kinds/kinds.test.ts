import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { GroupVersionKind } from '../generated/types.ts';
import { messageNames, messageSchema } from '../schema/schema.ts';
import { joinFieldErrors } from '../status/field-error.ts';
import { addressClass } from '../values/address-class.ts';
import { kindDefinitions } from './index.ts';
import { validateCreate, validateUpdate } from './validate.ts';

const metadata = (name: string, namespace?: string) => ({
  name,
  uid: 'u',
  resourceVersion: '1',
  ...(namespace ? { namespace } : {}),
});
const kindOf = (group: string, kind: string): GroupVersionKind => ({ group, version: 'v1', kind });
const complaintsOf = (gvk: GroupVersionKind, object: object) => joinFieldErrors(validateCreate(gvk, object));
const changeComplaints = (gvk: GroupVersionKind, next: object, previous: object) =>
  joinFieldErrors(validateUpdate(gvk, next, previous));

describe('definitions of kinds', () => {
  it('knows what an address is in every spelling', () => {
    const expected = {
      loopback: ['127.0.0.1', '127.255.0.9', '::1', '::ffff:127.0.0.1', '0:0:0:0:0:ffff:7f00:1'],
      'link-local': ['169.254.169.254', '::ffff:169.254.169.254', 'fe80::1', 'fe80::1%eth0'],
      unspecified: ['0.0.0.0', '::', '::ffff:0.0.0.0', '0.0.0.1'],
      multicast: ['224.0.0.1', '239.1.1.1', 'ff02::1', '::ffff:224.0.0.1'],
      broadcast: ['255.255.255.255'],
      global: ['10.0.0.1', '192.168.1.1', '2001:db8::1', '::ffff:10.0.0.1'],
    };
    for (const [kind, addresses] of Object.entries(expected)) {
      for (const address of addresses) assert.equal(addressClass(address), kind, address);
    }
    for (const text of ['localhost', '', '127.1', '0x7f000001', '1.2.3.4.5']) {
      assert.equal(addressClass(text), undefined, text);
    }
  });

  it('lets no endpoint lead to the machine itself or to its link', () => {
    const endpoints = kindOf('', 'Endpoints');
    const slices = kindOf('discovery.k8s.io', 'EndpointSlice');
    const places = {
      '127.0.0.1': /loopback range/,
      '::1': /loopback range/,
      '::ffff:127.0.0.1': /IPv4-mapped/,
      '169.254.169.254': /link-local range/,
      'fe80::1': /link-local range/,
      '0.0.0.0': /may not be unspecified/,
      '224.0.0.1': /link-local multicast range/,
      'not-an-address': /must be a valid IP address/,
    };
    for (const [ip, expected] of Object.entries(places)) {
      const subsets = [{ addresses: [{ ip }] }];
      assert.match(complaintsOf(endpoints, { metadata: metadata('e', 'default'), subsets }), expected, ip);
      const notReady = [{ notReadyAddresses: [{ ip }] }];
      assert.match(
        complaintsOf(endpoints, { metadata: metadata('e', 'default'), subsets: notReady }),
        expected,
      );
      const slice = {
        metadata: metadata('s', 'default'),
        addressType: ip.includes(':') ? 'IPv6' : 'IPv4',
        endpoints: [{ addresses: [ip] }],
      };
      assert.match(complaintsOf(slices, slice), expected, ip);
    }
    const service = {
      metadata: metadata('s', 'default'),
      spec: {
        ...{ type: 'ClusterIP', sessionAffinity: 'None', externalIPs: ['127.0.0.1'] },
        ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
      },
    };
    assert.match(complaintsOf(kindOf('', 'Service'), service), /externalIPs\[0\].*loopback range/);
    const good = { metadata: metadata('e', 'default'), subsets: [{ addresses: [{ ip: '10.1.2.3' }] }] };
    assert.deepEqual(validateCreate(endpoints, good), []);
  });

  it('keeps what decides over others as it was made', () => {
    const priority = kindOf('scheduling.k8s.io', 'PriorityClass');
    const high = { metadata: metadata('high'), value: 2_000_000_000 };
    assert.match(complaintsOf(priority, high), /maximum allowed value of a user defined priority/);
    const fake = { metadata: metadata('system-fake'), value: 1 };
    assert.match(complaintsOf(priority, fake), /reserved for system use only/);
    const low = { metadata: metadata('low'), value: 1 };
    assert.match(changeComplaints(priority, { ...low, value: 2 }, low), /may not be changed in an update/);
    const runtime = kindOf('node.k8s.io', 'RuntimeClass');
    const before = { metadata: metadata('r'), handler: 'runc' };
    assert.match(changeComplaints(runtime, { ...before, handler: 'kata' }, before), /field is immutable/);
    assert.match(complaintsOf(runtime, { ...before, handler: '../runc' }), /handler: Invalid value/);
    const csi = kindOf('storage.k8s.io', 'CSINode');
    const node = (nodeID: string) => ({
      metadata: metadata('n'),
      spec: { drivers: [{ name: 'd.example', nodeID }] },
    });
    assert.match(changeComplaints(csi, node('other'), node('one')), /spec\.drivers.*field is immutable/);
  });

  it('refuses leases of no length and events about another namespace', () => {
    const lease = { metadata: metadata('l', 'default'), spec: { leaseDurationSeconds: 0 } };
    assert.match(complaintsOf(kindOf('coordination.k8s.io', 'Lease'), lease), /must be greater than 0/);
    const event = {
      metadata: metadata('e', 'default'),
      involvedObject: { kind: 'Pod', name: 'p', namespace: 'kube-system' },
    };
    assert.match(complaintsOf(kindOf('', 'Event'), event), /does not match event\.namespace/);
    const own = { ...event, involvedObject: { ...event.involvedObject, namespace: 'default' } };
    assert.deepEqual(validateCreate(kindOf('', 'Event'), own), []);
  });

  it('are each defined once, and speak of their messages alone', () => {
    const names = kindDefinitions.map(({ group, kind }) => `${group}/${kind}`);
    assert.deepEqual([...new Set(names)], names);
    for (const facet of ['defaults', 'computedDefaults', 'descriptions'] as const) {
      const messages = kindDefinitions.flatMap((definition) => Object.keys(definition[facet] ?? {}));
      assert.deepEqual([...new Set(messages)], messages, facet);
    }
  });

  it('belong to kinds of the schema', () => {
    const known = new Set(
      [...messageNames].map(messageSchema).map(({ group, upstreamName }) => `${group}/${upstreamName}`),
    );
    for (const { group, kind } of kindDefinitions)
      assert.ok(known.has(`${group}/${kind}`), `${group}/${kind}`);
  });
});
