import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApiserver } from '@wherry/apiserver';
import { TestServer } from '../../../test/test-server.ts';
import { parseRanges } from './address-range.ts';

const services = '/api/v1/namespaces/default/services';
const networking = '/apis/networking.k8s.io/v1';
const merge = 'application/merge-patch+json';
const v4 = '10.50.0.0/24';
const v6 = 'fd00:50::/112';
const selector = { app: 'web' };

type Spec = Record<string, unknown>;

/** Which family each address is of: `None` for none. */
const kindsOf = (addresses: string[] = []) =>
  addresses.map((each) => (each === 'None' ? each : each.includes(':') ? 'IPv6' : 'IPv4')).join();

/** What a service has got, in one line. */
const told = ({ spec }: { spec: Record<string, string[]> }) =>
  `${spec['ipFamilyPolicy']} ${spec['ipFamilies']?.join()} ${kindsOf(spec['clusterIPs'])}`;

function asking(server: () => TestServer) {
  return {
    post: (name: string, spec: Spec) =>
      server().request('POST', services, {
        body: { metadata: { name }, spec: { ports: [{ port: 80 }], selector, ...spec } },
      }),
    patch: (name: string, spec: Spec) =>
      server().request('PATCH', `${services}/${name}`, { body: { spec }, type: merge }),
    remove: (name: string) => server().request('DELETE', `${services}/${name}`),
  };
}

/** What is asked for of each kind of cluster, and what comes of it; a text in slashes is a refusal. */
const cases: [asked: Spec, both: string | RegExp, onlyV6: string | RegExp][] = [
  [{}, 'SingleStack IPv4 IPv4', 'SingleStack IPv6 IPv6'],
  [
    { ipFamilies: ['IPv4'] },
    'SingleStack IPv4 IPv4',
    /spec\.ipFamilies\[0\]: Invalid value: "IPv4": not configured on this cluster/,
  ],
  [{ ipFamilies: ['IPv6'] }, 'SingleStack IPv6 IPv6', 'SingleStack IPv6 IPv6'],
  [{ ipFamilyPolicy: 'PreferDualStack' }, 'PreferDualStack IPv4,IPv6 IPv4,IPv6', 'PreferDualStack IPv6 IPv6'],
  [
    { ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv6'] },
    'PreferDualStack IPv6,IPv4 IPv6,IPv4',
    'PreferDualStack IPv6 IPv6',
  ],
  [
    { ipFamilyPolicy: 'RequireDualStack' },
    'RequireDualStack IPv4,IPv6 IPv4,IPv6',
    /spec\.ipFamilyPolicy: .*not configured for dual-stack services/,
  ],
  [
    { ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv6', 'IPv4'] },
    'RequireDualStack IPv6,IPv4 IPv6,IPv4',
    /spec\.ipFamilyPolicy: /,
  ],
  [
    { ipFamilies: ['IPv4', 'IPv6'] },
    /must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified/,
    /when multiple IP families are specified/,
  ],
  [{ clusterIP: 'None' }, 'SingleStack IPv4 None', 'SingleStack IPv6 None'],
  [
    { clusterIP: 'None', ipFamilyPolicy: 'RequireDualStack' },
    'RequireDualStack IPv4,IPv6 None',
    /not configured for dual-stack services/,
  ],
  [
    { clusterIP: 'None', selector: undefined },
    'RequireDualStack IPv4,IPv6 None',
    'RequireDualStack IPv6,IPv4 None',
  ],
  [
    { clusterIP: 'None', selector: undefined, ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
    'SingleStack IPv4 None',
    'SingleStack IPv4 None',
  ],
  [{ clusterIP: 'fd00:50::77' }, 'SingleStack IPv6 IPv6', 'SingleStack IPv6 IPv6'],
  [
    { clusterIP: '10.50.0.77' },
    'SingleStack IPv4 IPv4',
    /spec\.clusterIPs\[0\]: .*IPv4 is not configured on this cluster/,
  ],
  [
    { clusterIP: 'fd00:50::77', clusterIPs: ['fd00:50::77', '10.50.0.77'] },
    /must be 'RequireDualStack' or 'PreferDualStack' when multiple cluster IPs are specified/,
    /when multiple cluster IPs are specified/,
  ],
  [
    {
      clusterIP: 'fd00:50::77',
      clusterIPs: ['fd00:50::77', '10.50.0.77'],
      ipFamilyPolicy: 'PreferDualStack',
    },
    'PreferDualStack IPv6,IPv4 IPv6,IPv4',
    /spec\.clusterIPs\[1\]: .*IPv4 is not configured on this cluster/,
  ],
  [
    { clusterIP: '10.50.0.7', clusterIPs: ['10.50.0.7', '10.50.0.8'], ipFamilyPolicy: 'PreferDualStack' },
    /spec\.clusterIPs: .*may specify no more than one IP for each IP family/,
    /no more than one IP for each/,
  ],
  [
    { clusterIP: '10.50.0.7', ipFamilies: ['IPv6'] },
    /spec\.clusterIPs\[0\]: .*expected an IPv6 value as indicated by `ipFamilies\[0\]`/,
    /expected an IPv6 value/,
  ],
  [
    { ipFamilies: ['IPv4', 'IPv4'], ipFamilyPolicy: 'PreferDualStack' },
    /spec\.ipFamilies\[1\]: Duplicate value/,
    /Duplicate value/,
  ],
  [{ ipFamilyPolicy: 'Both' }, /spec\.ipFamilyPolicy: Unsupported value: "Both"/, /Unsupported value/],
  [
    { clusterIPs: ['10.50.0.7'] },
    /spec\.clusterIPs: .*must be empty when `clusterIP` is not specified/,
    /must be empty/,
  ],
  [
    { clusterIP: '10.50.0.7', clusterIPs: ['10.50.0.8'] },
    /spec\.clusterIPs: .*first value must match `clusterIP`/,
    /first value must match/,
  ],
  [{ clusterIP: 'fe80::1%eth0' }, /spec\.clusterIPs\[0\]: .*must be a valid IP address/, /valid IP address/],
  [{ clusterIP: 'fd00:51::7' }, /does not match the current range/, /does not match the current range/],
  [{ clusterIP: 'fd00:50::' }, /does not match the current range/, /does not match the current range/],
  [{ clusterIP: 'fd00:50::ffff' }, 'SingleStack IPv6 IPv6', 'SingleStack IPv6 IPv6'],
];

describe('services of a cluster with both families', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ serviceClusterIpRange: `${v4},${v6}` });
  });
  after(() => server.close());
  const { post, patch, remove } = asking(() => server);

  it('get the addresses that their policy and families ask for', async () => {
    for (const [asked, both] of cases) {
      const { status, body, text } = await post('asked', asked);
      const name = JSON.stringify(asked);
      if (typeof both === 'string') assert.equal(status === 201 ? told(body) : text, both, name);
      else assert.match(status === 422 ? body.message : text, both, name);
      await remove('asked');
    }
  });

  it('get a second address, and give it back, when their policy changes; the first one stays', async () => {
    const { body: made } = await post('grown', {});
    const [first] = made.spec.clusterIPs;
    const { body: grown } = await patch('grown', { ipFamilyPolicy: 'PreferDualStack' });
    assert.equal(told(grown), 'PreferDualStack IPv4,IPv6 IPv4,IPv6');
    assert.equal(grown.spec.clusterIPs[0], first);
    const { body: kept } = await patch('grown', { sessionAffinity: 'ClientIP' });
    assert.deepEqual(kept.spec.clusterIPs, grown.spec.clusterIPs);
    const second = grown.spec.clusterIPs[1];
    const other = second === 'fd00:50::9' ? 'fd00:50::a' : 'fd00:50::9';
    const refusals: [Spec, RegExp][] = [
      [{ clusterIPs: [first, other] }, /spec\.clusterIPs\[1\]: .*may not change once set/],
      [{ clusterIPs: [first] }, /must be 'SingleStack' to release the secondary cluster IP/],
      [{ ipFamilies: ['IPv4'] }, /must be 'SingleStack' to release the secondary IP family/],
      [{ ipFamilies: ['IPv6', 'IPv4'] }, /expected an IPv6 value/],
      [{ clusterIP: second, clusterIPs: [second, first] }, /expected an IPv4 value/],
    ];
    for (const [change, words] of refusals) {
      const { status, body } = await patch('grown', change);
      assert.equal(status, 422, JSON.stringify(change));
      assert.match(body.message, words);
    }
    const { body: single } = await patch('grown', { ipFamilyPolicy: 'SingleStack' });
    assert.equal(told(single), 'SingleStack IPv4 IPv4');
    assert.equal(single.spec.clusterIP, first);
    assert.equal((await post('heir', { clusterIP: second })).status, 201, 'the second one is free again');
    const wanted = { ipFamilyPolicy: 'RequireDualStack', clusterIPs: [first, second] };
    assert.match((await patch('grown', wanted)).body.message, /provided IP is already allocated/);
    await remove('heir');
    const { body: named } = await patch('grown', wanted);
    assert.deepEqual(named.spec.clusterIPs, [first, second]);
    const { body: elsewhere } = await patch('grown', { type: 'ExternalName', externalName: 'example.com' });
    for (const field of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'])
      assert.equal(elsewhere.spec[field], undefined, field);
    await remove('grown');
  });

  it('have an IPAddress for each of them, written in one way, and an address only once', async () => {
    const addresses = ['10.50.0.20', 'fd00:50:0::0014'];
    const asked = { ipFamilyPolicy: 'PreferDualStack', clusterIP: addresses[0], clusterIPs: addresses };
    const { body } = await post('told', asked);
    assert.deepEqual(body.spec.clusterIPs, addresses);
    assert.match((await post('late', { clusterIP: 'fd00:50::14' })).body.message, /already allocated/);
    for (const [name, family] of Object.entries({ '10.50.0.20': 'IPv4', 'fd00:50::14': 'IPv6' })) {
      let found = await server.request('GET', `${networking}/ipaddresses/${name}`);
      while (found.status === 404) found = await server.request('GET', `${networking}/ipaddresses/${name}`);
      assert.equal(found.body.metadata.labels['ipaddress.kubernetes.io/ip-family'], family);
      assert.equal(found.body.spec.parentRef.name, 'told');
    }
    await remove('told');
  });
});

describe('services of a cluster with IPv6 alone', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ serviceClusterIpRange: v6 });
  });
  after(() => server.close());
  const { post, remove } = asking(() => server);

  it('get the addresses that there are', async () => {
    const { body: kubernetes } = await server.request('GET', `${services}/kubernetes`);
    assert.equal(kubernetes.spec.clusterIP, 'fd00:50::1');
    for (const [asked, , onlyV6] of cases) {
      const { status, body, text } = await post('asked', asked);
      const name = JSON.stringify(asked);
      if (typeof onlyV6 === 'string') assert.equal(status === 201 ? told(body) : text, onlyV6, name);
      else assert.match(status === 422 ? body.message : text, onlyV6, name);
      await remove('asked');
    }
  });
});

describe('a cluster that gets its second family', () => {
  it('keeps what services have, and has both ranges in its ServiceCIDR', async () => {
    const server = await TestServer.start({ serviceClusterIpRange: v4 });
    const { post, patch } = asking(() => server);
    try {
      const { body: single } = await post('single', {});
      const { body: preferring } = await post('preferring', { ipFamilyPolicy: 'PreferDualStack' });
      await server.apiserver.close();
      server.apiserver = await startApiserver({ ...server.options, serviceClusterIpRange: `${v4},${v6}` });
      const { body: range } = await server.request('GET', `${networking}/servicecidrs/kubernetes`);
      assert.deepEqual(range.spec.cidrs, [v4, v6]);
      assert.equal(range.status.conditions[0].status, 'True');
      for (const { metadata, spec } of [single, preferring]) {
        const { body } = await patch(metadata.name, { sessionAffinity: 'ClientIP' });
        assert.deepEqual(body.spec.clusterIPs, spec.clusterIPs);
        assert.deepEqual(body.spec.ipFamilies, ['IPv4']);
      }
      const { body } = await patch('preferring', { ipFamilyPolicy: 'RequireDualStack' });
      assert.equal(told(body), 'RequireDualStack IPv4,IPv6 IPv4,IPv6');
      const { body: kubernetes } = await server.request('GET', `${services}/kubernetes`);
      assert.equal(told(kubernetes), 'SingleStack IPv4 IPv4');
    } finally {
      await server.close();
    }
  });
});

it('ranges that are none, too large or twice of one family are refused', () => {
  const bad = [
    '10.50.0.0',
    'fd00::/48',
    `${v4},10.51.0.0/24`,
    `${v4},${v6},${v6}`,
    '10.0.0.0/31',
    'fe80::%a/64',
    '',
  ];
  for (const text of bad) assert.throws(() => parseRanges(text), /service range/, text);
});
