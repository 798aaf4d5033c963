import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EndpointSlice, Service, ServiceSpec } from '@wherry/kubeapi';
import { frontendsOf } from './frontends.ts';

const place = {
  family: 'ip' as const,
  nodeName: 'here',
  zone: 'west',
  nodeAddress: '192.0.2.1',
  isOwn: (address: string) => address.startsWith('10.'),
};
const service = (spec: Partial<ServiceSpec>, ingress: string[] = []): Service => ({
  metadata: {},
  spec: { clusterIP: '10.96.0.7', ports: [{ port: 80 }], ...spec },
  status: { loadBalancer: { ingress: ingress.map((ip) => ({ ip })) } },
});
type Told = NonNullable<EndpointSlice['endpoints']>[number];
const slice = (...endpoints: Partial<Told>[]): EndpointSlice => ({
  metadata: {},
  addressType: 'IPv4',
  ports: [{ port: 8080 }],
  endpoints: endpoints.map((told, at) => ({ addresses: [`10.88.0.${at + 1}`], nodeName: 'here', ...told })),
});
const shown = (spec: Partial<ServiceSpec>, slices: EndpointSlice[], ingress?: string[]) =>
  frontendsOf(service(spec, ingress), slices, place).map(
    ({ address = '*', port, endpoints, whenNone }) =>
      `${address}:${port} ${endpoints.map(({ ip }) => ip.split('.')[3]).join('') || whenNone}`,
  );
const ending = { conditions: { ready: false, serving: true, terminating: true } };

describe('what a service is reached by', () => {
  it('is its address, its external ones, its node port', () => {
    const spec = { externalIPs: ['192.0.2.9'], ports: [{ port: 80, nodePort: 30_080 }] };
    assert.deepEqual(shown(spec, [slice({}, {})], ['192.0.2.10']), [
      ...['10.96.0.7:80 12', '192.0.2.9:80 12', '192.0.2.10:80 12', '*:30080 12'],
    ]);
  });

  it('is nothing for a headless or an external one, and no address that is a pod’s or another service’s', () => {
    const unreached: Partial<ServiceSpec>[] = [
      { clusterIP: 'None' },
      { type: 'ExternalName' },
      { clusterIP: '' },
    ];
    for (const spec of unreached) assert.deepEqual(shown(spec, [slice({})]), []);
    assert.deepEqual(shown({ externalIPs: ['10.88.0.4', '10.96.0.10'] }, [slice({})], ['10.88.0.5']), [
      '10.96.0.7:80 1',
    ]);
  });

  it('is for balancers’ addresses open to whom the service allows alone, by families', () => {
    const sourcesOf = (ranges: string[], at: Partial<typeof place> = {}) => {
      const limited = service({ loadBalancerSourceRanges: ranges, externalIPs: ['192.0.2.9'] }, [
        '192.0.2.10',
      ]);
      const [own, external, balanced] = frontendsOf(limited, [slice({})], { ...place, ...at });
      assert.deepEqual([own?.sources, external?.sources], [undefined, undefined]);
      const octets = (address: bigint) =>
        [24n, 16n, 8n, 0n].map((bits) => (address >> bits) & 0xffn).join('.');
      return balanced?.sources?.map(({ first, last }) => `${octets(first)}-${octets(last)}`);
    };
    assert.deepEqual(sourcesOf([' 198.51.100.7/24 ', '203.0.113.9/32', 'fd00::/64']), [
      ...['198.51.100.0-198.51.100.255', '203.0.113.9-203.0.113.9'],
    ]);
    for (const open of [[], ['fd00::/64'], ['198.51.100.0/24', '0.0.0.0/0']])
      assert.deepEqual(sourcesOf(open), undefined);
    const withNode = ['192.0.2.0-192.0.2.7', '192.0.2.10-192.0.2.10'];
    assert.deepEqual(sourcesOf(['192.0.2.0/29']), withNode);
    assert.deepEqual(sourcesOf(['192.0.2.0/29'], { nodeAddress: undefined }), withNode.slice(0, 1));
  });
});

describe('where it leads', () => {
  it('is to ready endpoints, else to those that serve while they end', () => {
    const unready = { conditions: { ready: false } };
    assert.deepEqual(shown({}, [slice({}, ending, unready)]), ['10.96.0.7:80 1']);
    assert.deepEqual(shown({}, [slice(unready, ending)]), ['10.96.0.7:80 2']);
    assert.deepEqual(shown({}, [slice(unready)]), ['10.96.0.7:80 refuse']);
    assert.deepEqual(shown({}, [{ ...slice({}), addressType: 'IPv6' }]), ['10.96.0.7:80 refuse']);
  });

  it('is to this node alone where a policy says so; what only others could answer is dropped', () => {
    const there = { nodeName: 'there' };
    const spec: Partial<ServiceSpec> = {
      externalTrafficPolicy: 'Local',
      ports: [{ port: 80, nodePort: 30_080 }],
    };
    assert.deepEqual(shown(spec, [slice({}, there)]), ['10.96.0.7:80 12', '*:30080 1']);
    assert.deepEqual(shown(spec, [slice(there)]), ['10.96.0.7:80 1', '*:30080 drop']);
    assert.deepEqual(shown({ internalTrafficPolicy: 'Local' }, [slice(there)]), ['10.96.0.7:80 drop']);
  });

  it('is to the zone of the node where every endpoint has a hint and one has this', () => {
    const zone = (name: string) => ({ hints: { forZones: [{ name }] } });
    assert.deepEqual(shown({}, [slice(zone('east'), zone('west'))]), ['10.96.0.7:80 2']);
    assert.deepEqual(shown({}, [slice(zone('east'), {})]), ['10.96.0.7:80 12']);
    assert.deepEqual(shown({}, [slice(zone('east'), zone('south'))]), ['10.96.0.7:80 12']);
  });
});
