import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApiserver } from '@wherry/apiserver';
import { TestServer } from '../../../test/test-server.ts';

const core = '/api/v1';
const services = `${core}/namespaces/default/services`;
const merge = 'application/merge-patch+json';
const ports = [{ port: 80 }];

describe('addresses and ports of services', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ serviceClusterIpRange: '10.50.0.0/28' });
  });
  after(() => server.close());

  const post = (name: string, spec: object, query = '') =>
    server.request('POST', `${services}${query}`, { body: { metadata: { name }, spec: { ports, ...spec } } });
  const patch = (name: string, spec: object) =>
    server.request('PATCH', `${services}/${name}`, { body: { spec }, type: merge });
  const remove = (name: string) => server.request('DELETE', `${services}/${name}`);

  it('are one service’s own: what another has is refused, and free again when it is gone', async () => {
    assert.equal((await post('first', { clusterIP: '10.50.0.5' })).status, 201);
    const taken = await post('second', { clusterIP: '10.50.0.5' });
    assert.equal(taken.status, 422);
    assert.match(
      taken.body.message,
      /spec\.clusterIPs: .*failed to allocate IP 10\.50\.0\.5: provided IP is already allocated/,
    );
    const kubernetes = await post('second', { clusterIP: '10.50.0.1' });
    assert.match(kubernetes.body.message, /already allocated/);
    const nodePorts = (nodePort: number, protocol = 'TCP') => [{ port: 80, nodePort, protocol }];
    assert.equal((await post('ported', { type: 'NodePort', ports: nodePorts(30_080) })).status, 201);
    const busy = await post('other', { type: 'NodePort', ports: nodePorts(30_080) });
    assert.equal(busy.status, 422);
    assert.match(
      busy.body.message,
      /spec\.ports\[0\]\.nodePort: Invalid value: 30080: provided port is already allocated/,
    );
    await remove('first');
    assert.equal((await post('second', { clusterIP: '10.50.0.5' })).status, 201);
    for (const name of ['second', 'ported']) await remove(name);
  });

  it('lie in their ranges', async () => {
    const outside = /the provided network does not match the current range/;
    for (const clusterIP of ['10.51.0.5', '10.50.0.0', '10.50.0.15', '127.0.0.1', '192.168.0.1']) {
      const { status, body } = await post('far', { clusterIP });
      assert.equal(status, 422, clusterIP);
      assert.match(body.message, outside);
    }
    const low = await post('low', { type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] });
    assert.equal(low.status, 422);
    assert.match(low.body.message, /The range of valid ports is 30000-32767/);
  });

  it('are of IPv4: other families are refused by name, and preferred ones left out', async () => {
    const refusals: [object, RegExp][] = [
      [
        { ipFamilyPolicy: 'RequireDualStack' },
        /spec\.ipFamilyPolicy: .*not configured for dual-stack services/,
      ],
      [
        { ipFamilies: ['IPv6'] },
        /spec\.ipFamilies\[0\]: Invalid value: "IPv6": not configured on this cluster/,
      ],
      [{ ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv4', 'IPv6'] }, /spec\.ipFamilies\[1\]/],
      [{ clusterIP: 'None', selector: { app: 'a' }, ipFamilies: ['IPv6'] }, /spec\.ipFamilies\[0\]/],
    ];
    for (const [spec, words] of refusals) {
      const { status, body } = await post('six', spec);
      assert.equal(status, 422);
      assert.match(body.message, words);
    }
    const preferred = await post('preferred', { ipFamilyPolicy: 'PreferDualStack' });
    assert.deepEqual(preferred.body.spec.ipFamilies, ['IPv4']);
    const elsewhere = { clusterIP: 'None', ipFamilies: ['IPv6'], ipFamilyPolicy: 'SingleStack' };
    assert.equal((await post('elsewhere', elsewhere)).status, 201);
    for (const name of ['preferred', 'elsewhere']) await remove(name);
  });

  it('are never given twice, however many ask at once, until there are no more', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `many-${index}`);
    const answers = await Promise.all(names.map((name) => post(name, {})));
    const made = answers.filter(({ status }) => status === 201).map(({ body }) => body.spec.clusterIP);
    assert.equal(made.length, 13, 'a /28 without network, broadcast and the kubernetes service');
    assert.equal(new Set(made).size, made.length);
    const refused = answers.filter(({ status }) => status === 500);
    assert.equal(refused.length, 7);
    assert.match(
      refused[0]!.body.message,
      /failed to allocate a serviceIP for Service "many-\d+": range is full/,
    );
    for (const name of names) await remove(name);
    const same = await Promise.all(
      [1, 2, 3, 4].map((index) => post(`same-${index}`, { clusterIP: '10.50.0.9' })),
    );
    assert.deepEqual(same.map(({ status }) => status).sort(), [201, 422, 422, 422]);
    for (const index of [1, 2, 3, 4]) await remove(`same-${index}`);
  });

  it('are not kept by a write that fails or only tries', async () => {
    const invalid = { clusterIP: '10.50.0.7', sessionAffinity: 'Nonsense' };
    assert.equal((await post('broken', invalid)).status, 422);
    assert.equal((await post('tried', { clusterIP: '10.50.0.7' }, '?dryRun=All')).status, 201);
    assert.equal((await post('real', { clusterIP: '10.50.0.7' })).status, 201);
    await remove('real');
  });

  it('go and come with the type of the service', async () => {
    const { body: made } = await post('changing', { type: 'NodePort' });
    const [{ nodePort }] = made.spec.ports;
    assert.ok(nodePort >= 30_000);
    const inner = await patch('changing', { type: 'ClusterIP' });
    assert.equal(inner.status, 200, inner.text);
    assert.equal(inner.body.spec.ports[0].nodePort, undefined);
    assert.equal(inner.body.spec.externalTrafficPolicy, undefined);
    assert.equal(inner.body.spec.clusterIP, made.spec.clusterIP);
    const named = await patch('changing', { type: 'ExternalName', externalName: 'example.com' });
    assert.equal(named.status, 200, named.text);
    for (const field of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy']) {
      assert.equal(named.body.spec[field], undefined, field);
    }
    const back = await patch('changing', {
      type: 'LoadBalancer',
      externalName: null,
      externalTrafficPolicy: 'Local',
    });
    assert.equal(back.status, 200, back.text);
    assert.match(back.body.spec.clusterIP, /^10\.50\.0\./);
    assert.ok(back.body.spec.ports[0].nodePort >= 30_000 && back.body.spec.healthCheckNodePort >= 30_000);
    assert.notEqual(back.body.spec.ports[0].nodePort, back.body.spec.healthCheckNodePort);
    const other = back.body.spec.clusterIP === '10.50.0.3' ? '10.50.0.4' : '10.50.0.3';
    const moved = await patch('changing', { clusterIP: other, clusterIPs: [other] });
    assert.equal(moved.status, 422, 'an address stays while the type does');
    await remove('changing');
  });

  it('stay with a service that is written without them', async () => {
    const { body: made } = await post('kept', {
      type: 'NodePort',
      ports: [
        { name: 'a', port: 1 },
        { name: 'b', port: 2 },
      ],
    });
    const spec = {
      type: 'NodePort',
      ports: [
        { name: 'b', port: 2 },
        { name: 'a', port: 1 },
      ],
    };
    const path = `${services}/kept`;
    const { body } = await server.request('PUT', path, { body: { metadata: { name: 'kept' }, spec } });
    assert.equal(body.spec.clusterIP, made.spec.clusterIP);
    assert.deepEqual(
      body.spec.ports.map(({ nodePort }: { nodePort: number }) => nodePort),
      made.spec.ports.map(({ nodePort }: { nodePort: number }) => nodePort).reverse(),
    );
    await remove('kept');
  });
});

describe('node ports of services', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ serviceClusterIpRange: '10.50.0.0/16' });
  });
  after(() => server.close());

  const tcp = { name: 'tcp', port: 53, protocol: 'TCP' };
  const udp = { name: 'udp', port: 53, protocol: 'UDP' };
  const post = (name: string, spec: object) =>
    server.request('POST', services, { body: { metadata: { name }, spec: { ports, ...spec } } });
  const patch = (name: string, spec: object) =>
    server.request('PATCH', `${services}/${name}`, { body: { spec }, type: merge });
  const remove = (name: string) => server.request('DELETE', `${services}/${name}`);
  const numbersOf = ({ body }: { body: { spec: { ports: { nodePort?: number }[] } } }) =>
    body.spec.ports.map(({ nodePort }) => nodePort);

  it('are one for both protocols of a port of a new service, also when it is named for one of them', async () => {
    const [one, other] = numbersOf(await post('dns', { type: 'NodePort', ports: [tcp, udp] }));
    assert.ok(one && one === other, `${one} ${other}`);
    await remove('dns');
    const named = await post('dns', { type: 'NodePort', ports: [tcp, { ...udp, nodePort: 30_053 }] });
    assert.deepEqual(numbersOf(named), [30_053, 30_053]);
    const balanced = { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false };
    const single = await post('single', { ...balanced, ports: [{ ...tcp, nodePort: 30_054 }, udp] });
    assert.deepEqual(numbersOf(single), [30_054, undefined], 'none is given where none is wanted');
    const twice = [
      { ...tcp, nodePort: 30_055 },
      { ...udp, port: 54, nodePort: 30_055 },
    ];
    const refused = await post('twice', { type: 'NodePort', ports: twice });
    assert.equal(refused.status, 422);
    assert.match(refused.body.message, /spec\.ports\[1\]\.nodePort: .*already allocated/);
    for (const name of ['dns', 'single']) await remove(name);
  });

  it('stay with the name of a port, and do not come back for another one', async () => {
    const named = [
      { ...tcp, nodePort: 30_060 },
      { ...udp, nodePort: 30_061 },
    ];
    await post('moved', { type: 'NodePort', ports: named });
    const renumbered = await patch('moved', { ports: [{ ...tcp, port: 99 }, udp] });
    assert.deepEqual(numbersOf(renumbered), [30_060, 30_061]);
    const given = await patch('moved', { ports: [tcp, { ...udp, nodePort: 30_060 }] });
    const [fresh, taken] = numbersOf(given);
    assert.equal(taken, 30_060);
    assert.notEqual(fresh, 30_060);
    await remove('moved');
  });

  it('and addresses that somebody may name are given to others last', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `late-${index}`);
    const made = await Promise.all(names.map((name) => post(name, { type: 'NodePort' })));
    for (const { body } of made) {
      assert.ok(body.spec.ports[0].nodePort >= 30_086, String(body.spec.ports[0].nodePort));
      const [, , third, fourth] = body.spec.clusterIP.split('.').map(Number);
      assert.ok(third * 256 + fourth > 256, body.spec.clusterIP);
    }
    for (const name of names) await remove(name);
  });

  it('of health checks are a service’s own, cannot be moved, and are refused as a fault of the server', async () => {
    const local = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 30_070 };
    const both = await post('both', { ...local, ports: [{ port: 80, nodePort: 30_070 }] });
    assert.equal(both.status, 500);
    const why = 'failed to allocate requested HealthCheck NodePort 30070: provided port is already allocated';
    assert.equal(both.body.message, `Internal error occurred: ${why}`);
    assert.equal((await post('checked', local)).status, 201);
    const moved = await patch('checked', { healthCheckNodePort: 30_071 });
    assert.equal(moved.status, 422);
    assert.match(moved.body.message, /spec\.healthCheckNodePort: Forbidden: field is immutable/);
    await remove('checked');
  });

  it('and traffic policies are refused where nothing comes from outside', async () => {
    const refuses = async (spec: object, expected: RegExp) => {
      const { status, body } = await post('inner', spec);
      assert.equal(status, 422, JSON.stringify(body));
      assert.match(body.message, expected);
    };
    await refuses({ externalTrafficPolicy: 'Local' }, /externalTrafficPolicy: .*only be set for externally/);
    await refuses({ healthCheckNodePort: 31_000 }, /healthCheckNodePort: .*only be set when `type` is/);
    await refuses(
      { type: 'NodePort', externalTrafficPolicy: 'Some' },
      /externalTrafficPolicy: Unsupported value: "Some": supported values: "Cluster", "Local"/,
    );
    await refuses({ trafficDistribution: 'Far' }, /trafficDistribution: Unsupported value: "Far"/);
  });

  it('leave with the load balancer’s addresses when the service becomes another', async () => {
    await post('balanced', { type: 'LoadBalancer' });
    const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } };
    const path = `${services}/balanced/status`;
    const told = await server.request('PATCH', path, { body: { status }, type: merge });
    assert.equal(told.body.status.loadBalancer.ingress[0].ip, '192.0.2.1');
    const { body } = await patch('balanced', { type: 'NodePort' });
    assert.deepEqual(body.status, { loadBalancer: {} });
    await remove('balanced');
  });

  it('become a name alone for clients that know one address field or the other', async () => {
    for (const left of ['clusterIP', 'clusterIPs']) {
      const { body } = await post('named', {});
      const spec = { ...body.spec, type: 'ExternalName', externalName: 'example.com' };
      delete spec[left === 'clusterIP' ? 'clusterIPs' : 'clusterIP'];
      const answer = await server.request('PUT', `${services}/named`, {
        body: { metadata: { name: 'named' }, spec },
      });
      assert.equal(answer.status, 200, answer.text);
      for (const field of ['clusterIP', 'clusterIPs', 'ipFamilies', 'internalTrafficPolicy'])
        assert.equal(answer.body.spec[field], undefined, field);
      await remove('named');
    }
  });
});

describe('ranges and objects of service addresses', () => {
  const networking = '/apis/networking.k8s.io/v1';
  const addresses = `${networking}/ipaddresses`;
  const ranges = `${networking}/servicecidrs`;
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ serviceClusterIpRange: '10.50.0.0/28' });
  });
  after(() => server.close());

  const post = (name: string, spec: object) =>
    server.request('POST', services, { body: { metadata: { name }, spec: { ports, ...spec } } });
  const addressAnswers = async (address: string, wanted: number) => {
    for (;;) {
      const answer = await server.request('GET', `${addresses}/${address}`);
      if (answer.status === wanted) return answer.body;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };

  it('begin with the range of the flag, which is ready, and the address of the kubernetes service', async () => {
    const { body } = await server.request('GET', `${ranges}/kubernetes`);
    assert.deepEqual(body.spec, { cidrs: ['10.50.0.0/28'] });
    assert.deepEqual(
      body.status.conditions.map(({ type, status }: Record<string, string>) => [type, status]),
      [['Ready', 'True']],
    );
    const { spec } = await addressAnswers('10.50.0.1', 200);
    assert.deepEqual(spec.parentRef, { resource: 'services', namespace: 'default', name: 'kubernetes' });
  });

  it('come, come back and go with their service', async () => {
    await post('told', { clusterIP: '10.50.0.6' });
    const { metadata, spec } = await addressAnswers('10.50.0.6', 200);
    assert.deepEqual(metadata.labels, {
      'ipaddress.kubernetes.io/ip-family': 'IPv4',
      'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
    });
    assert.equal(spec.parentRef.name, 'told');
    await server.request('DELETE', `${addresses}/10.50.0.6`);
    await addressAnswers('10.50.0.6', 200);
    await server.request('DELETE', `${services}/told`);
    await addressAnswers('10.50.0.6', 404);
  });

  it('leave an address alone that somebody has made an object for', async () => {
    const parentRef = { group: 'example.com', resource: 'routers', name: 'edge' };
    const made = { metadata: { name: '10.50.0.9' }, spec: { parentRef } };
    assert.equal((await server.request('POST', addresses, { body: made })).status, 201);
    const refused = await post('late', { clusterIP: '10.50.0.9' });
    assert.match(
      refused.body.message,
      /failed to allocate IP 10\.50\.0\.9: provided IP is already allocated/,
    );
    await server.request('DELETE', `${addresses}/10.50.0.9`);
    assert.equal((await post('late', { clusterIP: '10.50.0.9' })).status, 201);
    await server.request('DELETE', `${services}/late`);
  });

  it('are taken from another range once that is ready, and not from one that is going', async () => {
    const clusterIP = '203.0.113.10';
    const range = {
      metadata: { name: 'more', finalizers: ['example.com/held'] },
      spec: { cidrs: ['203.0.113.0/24'] },
    };
    await server.request('POST', ranges, { body: range });
    assert.equal((await post('early', { clusterIP })).status, 422);
    const conditions = [
      {
        type: 'Ready',
        status: 'True',
        reason: 'Here',
        message: '',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      },
    ];
    await server.request('PATCH', `${ranges}/more/status`, { body: { status: { conditions } }, type: merge });
    assert.equal((await post('early', { clusterIP })).status, 201);
    for (let at = 0; at < 13; at++) await post(`fill-${at}`, {});
    const { body } = await post('spilled', {});
    assert.match(body.spec.clusterIP, /^203\.0\.113\./, 'the first range is full');
    await server.request('DELETE', `${ranges}/more`);
    assert.equal((await post('last', { clusterIP: '203.0.113.11' })).status, 422);
  });
});

describe('external IPs of services', () => {
  const spec = { ports, externalIPs: ['203.0.113.7'] };
  const body = { metadata: { name: 'outside' }, spec };

  it('are warned of', async () => {
    const server = await TestServer.start();
    const { status, headers } = await server.request('POST', services, { body });
    await server.close();
    assert.equal(status, 201);
    assert.match(String(headers['warning']), /spec\.externalIPs is deprecated/);
  });

  it('are refused where DenyServiceExternalIPs is on; what was there before may stay', async () => {
    const server = await TestServer.start();
    try {
      await server.request('POST', services, { body });
      await server.apiserver.close();
      const options = { ...server.options, enableAdmissionPlugins: ['DenyServiceExternalIPs'] };
      server.apiserver = await startApiserver(options);
      const refused = await server.request('POST', services, {
        body: { ...body, metadata: { name: 'new' } },
      });
      assert.equal(refused.status, 403);
      assert.match(refused.body.message, /Use of external IPs is denied by admission control/);
      const change = (externalIPs: string[]) =>
        server.request('PATCH', `${services}/outside`, { body: { spec: { externalIPs } }, type: merge });
      assert.equal((await change(['203.0.113.7', '203.0.113.8'])).status, 403);
      assert.equal((await change([])).status, 200);
    } finally {
      await server.close();
    }
  });
});

describe('node ports of another range', () => {
  it('are taken from it alone', async () => {
    const server = await TestServer.start({ serviceNodePortRange: '20000+3' });
    const create = (name: string, port: object = {}) =>
      server.request('POST', services, {
        body: { metadata: { name }, spec: { type: 'NodePort', ports: [{ port: 80, ...port }] } },
      });
    const given = new Set<number>();
    for (const name of ['a', 'b', 'c', 'd']) given.add((await create(name)).body.spec.ports[0].nodePort);
    assert.deepEqual([...given].sort(), [20_000, 20_001, 20_002, 20_003]);
    assert.match((await create('e')).body.message, /range is full/);
    const outside = await create('f', { nodePort: 30_000 });
    assert.match(outside.body.message, /The range of valid ports is 20000-20003/);
    await server.close();
    await assert.rejects(TestServer.start({ serviceNodePortRange: '30000-20000' }), /is no range of ports/);
  });
});
