import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../../../test/test-server.ts';

const claims = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims';
const spec = (exactly: object) => ({
  devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu', ...exactly } }] },
});
const allocation = {
  devices: { results: [{ request: 'gpu', driver: 'gpu.example.com', pool: 'a', device: 'gpu-0' }] },
  nodeSelector: {
    nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] }],
  },
};
const device = { driver: 'gpu.example.com', pool: 'a', device: 'gpu-0' };
const rule = (resources: string[], verbs: string[], resourceNames?: string[]) => ({
  ...{ apiGroups: ['resource.k8s.io'], resources, verbs },
  ...(resourceNames ? { resourceNames } : {}),
});

describe('claims on devices', () => {
  let server: TestServer;
  const post = (path: string, body: object) => server.request('POST', path, { body });

  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.close());

  it('have selectors that compile and cost no more than they may, as templates and classes have', async () => {
    const selected = (expression: string) => [{ cel: { expression } }];
    const loop = (inner: string) => `device.attributes.all(a, ${inner})`;
    const costly = loop(loop(loop(loop('a + a + a + a != ""'))));
    const bad = await post(claims, {
      metadata: { name: 'bad' },
      spec: spec({ selectors: selected('device.speed') }),
    });
    assert.equal(bad.status, 422);
    assert.match(
      bad.body.message,
      /spec\.devices\.requests\[0\]\.exactly\.selectors\[0\]\.cel\.expression: Invalid value: "device\.speed": compilation failed: ERROR: <input>:1:7: undefined field 'speed'/,
    );
    const template = await post('/apis/resource.k8s.io/v1/namespaces/default/resourceclaimtemplates', {
      metadata: { name: 'bad' },
      spec: { spec: spec({ selectors: selected('1') }) },
    });
    assert.match(
      template.body.message,
      /spec\.spec\.devices\..*cel\.expression: Invalid value: "1": must evaluate to bool or the unknown type, not int/,
    );
    const deviceClass = await post('/apis/resource.k8s.io/v1/deviceclasses', {
      metadata: { name: 'bad' },
      spec: { selectors: selected(costly) },
    });
    assert.equal(deviceClass.status, 422);
    assert.match(
      deviceClass.body.message,
      /spec\.selectors\[0\]\.cel\.expression: Forbidden: too complex, exceeds cost limit/,
    );
    const good = selected('cel.bind(a, device.attributes["gpu.example.com"], a.ready && a.model == "x")');
    const { status } = await post(claims, { metadata: { name: 'good' }, spec: spec({ selectors: good }) });
    assert.equal(status, 201);
  });

  it('have configurations for drivers that are objects of at most 10 KiB', async () => {
    const path = '/apis/resource.k8s.io/v1/deviceclasses';
    const configured = async (name: string, parameters: unknown) => {
      const config = [{ opaque: { driver: 'gpu.example.com', parameters } }];
      return (await post(path, { metadata: { name }, spec: { config } })).body;
    };
    assert.equal((await configured('fits', { text: 'x'.repeat(10 * 1024 - 11) })).metadata.name, 'fits');
    assert.match(
      (await configured('large', { text: 'x'.repeat(10 * 1024 - 10) })).message,
      /spec\.config\[0\]\.opaque\.parameters: Too long: may not be more than 10240 bytes/,
    );
  });

  it('stand for extended resources that are no ones of Kubernetes, where their class says so', async () => {
    const path = '/apis/resource.k8s.io/v1/deviceclasses';
    const named = (name: string, extendedResourceName: string) =>
      post(path, { metadata: { name }, spec: { extendedResourceName } });
    assert.equal((await named('fine', 'example.com/gpu')).status, 201);
    for (const name of [
      'gpu',
      'deviceclass.resource.kubernetes.io/fine',
      'requests.example.com/gpu',
      'a/b/c',
      '',
    ]) {
      const { status, body } = await named('bad', name);
      assert.equal(status, 422, name);
      assert.match(
        body.message,
        /spec\.extendedResourceName: Invalid value: ".*": must be a valid extended resource name/,
      );
    }
  });

  it('are of devices whose binding conditions come in both kinds, none twice, as slices tell of them', async () => {
    const path = '/apis/resource.k8s.io/v1/resourceslices';
    const told = async (name: string, wanted: string[], failing: string[]) => {
      const pool = { name: 'p', generation: 1, resourceSliceCount: 1 };
      const device = { name: 'a', bindingConditions: wanted, bindingFailureConditions: failing };
      const { status, body } = await post(path, {
        metadata: { name },
        spec: { driver: 'd.io', nodeName: 'n', pool, devices: [device] },
      });
      return status === 201 ? 'stored' : body.message;
    };
    assert.equal(await told('fine', ['d.io/attached'], ['d.io/broken']), 'stored');
    assert.match(
      await told('a', ['x'], []),
      /bindingFailureConditions are required to use bindingConditions/,
    );
    assert.match(
      await told('b', [], ['x']),
      /bindingConditions are required to use bindingFailureConditions/,
    );
    assert.match(
      await told('c', ['x'], ['x']),
      /devices\[0\]\.bindingFailureConditions\[0\]: Invalid value: "x": .*must not overlap/,
    );
    assert.match(
      await told('d', ['x', 'x'], ['y']),
      /devices\[0\]\.bindingConditions\[1\]: Duplicate value: "x"/,
    );
    assert.match(await told('e', ['-'], ['y']), /devices\[0\]\.bindingConditions\[0\]: Invalid value: "-"/);
    assert.match(await told('f', ['1', '2', '3', '4', '5'], ['y']), /Too many: 5: must have at most 4 items/);
  });

  it('have devices that others use only in namespaces labelled for it', async () => {
    const body = { metadata: { name: 'admin' }, spec: spec({ adminAccess: true }) };
    const path = '/apis/resource.k8s.io/v1/namespaces/watched';
    const label = 'resource.kubernetes.io/admin-access';
    await post('/api/v1/namespaces', { metadata: { name: 'watched', labels: { [label]: 'yes' } } });
    for (const [plural, object] of [
      ['resourceclaims', body],
      ['resourceclaimtemplates', { ...body, spec: { spec: body.spec } }],
    ] as const) {
      const refused = await post(`${path}/${plural}`, object);
      assert.equal(refused.status, 422);
      assert.match(
        refused.body.message,
        /spec\.devices\.requests\[0\]\.adminAccess: Forbidden: admin access to devices requires the `resource\.kubernetes\.io\/admin-access: true` label on the containing namespace/,
      );
    }
    await server.request('PATCH', '/api/v1/namespaces/watched', {
      type: 'application/merge-patch+json',
      body: { metadata: { labels: { [label]: 'true' } } },
    });
    assert.equal((await post(`${path}/resourceclaims`, body)).status, 201);
  });

  it('have a status that who may write it writes in part: users and devices, or what a driver says of its own', async () => {
    await post(claims, { metadata: { name: 'shared' }, spec: spec({}) });
    const as = (name: string) => server.authority.issue({ name, groups: [] });
    const allow = async (name: string, rules: object[]) => {
      const rbac = '/apis/rbac.authorization.k8s.io/v1';
      await post(`${rbac}/clusterroles`, { metadata: { name }, rules });
      await post(`${rbac}/clusterrolebindings`, {
        metadata: { name },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }],
      });
      return as(name);
    };
    const status = rule(['resourceclaims/status'], ['patch', 'update']);
    const writer = await allow('writer', [status]);
    const binder = await allow('binder', [status, rule(['resourceclaims/binding'], ['patch'])]);
    const driver = await allow('driver', [
      status,
      rule(['resourceclaims/driver'], ['arbitrary-node:patch'], ['gpu.example.com']),
    ]);
    const write = (who: Awaited<ReturnType<typeof as>>, change: object) =>
      server.request('PATCH', `${claims}/shared/status`, {
        ...{ as: who, type: 'application/merge-patch+json', body: { status: change } },
      });
    const refused = await write(writer, { allocation });
    assert.equal(refused.status, 422);
    assert.match(
      refused.body.message,
      /status\.allocation: Forbidden: changing status\.allocation or status\.reservedFor requires resource="resourceclaims\/binding", verb="patch" permission: resourceclaims\.resource\.k8s\.io is forbidden: User "writer" cannot patch resource "resourceclaims\/binding" in API group "resource\.k8s\.io" at the cluster scope/,
    );
    assert.equal((await write(binder, { allocation })).status, 200);
    const other = { ...allocation, nodeSelector: null };
    assert.match((await write(binder, { allocation: other })).body.message, /field is immutable/);
    const stranger = await write(binder, { devices: [device] });
    assert.match(
      stranger.body.message,
      /status\.devices: Forbidden: changing status\.devices requires resource="resourceclaims\/driver", verb="\[arbitrary-node:patch\]" permission: resourceclaims\.resource\.k8s\.io "gpu\.example\.com" is forbidden/,
    );
    const unknown = await write(driver, { devices: [{ ...device, device: 'gpu-1' }] });
    assert.match(unknown.body.message, /status\.devices\[0\]: .*must be an allocated device in the claim/);
    assert.equal((await write(driver, { devices: [device] })).status, 200);
    const told = async (more: object) => (await write(driver, { devices: [{ ...device, ...more }] })).body;
    const network = (data: object) => told({ networkData: data });
    const ips = ['10.9.8.7/24', '2001:db8::1/64', '::102:304/96'];
    const fine = await told({
      data: { text: 'x'.repeat(10 * 1024 - 11) },
      networkData: { interfaceName: 'e'.repeat(256), hardwareAddress: 'a'.repeat(128), ips },
    });
    assert.equal(fine.status.devices[0].networkData.ips.length, 3);
    for (const [answer, why] of [
      [
        told({ data: { text: 'x'.repeat(10 * 1024 - 10) } }),
        /data: Too long: may not be more than 10240 bytes/,
      ],
      [
        network({ interfaceName: 'e'.repeat(257) }),
        /interfaceName: Too long: may not be more than 256 bytes/,
      ],
      [
        network({ hardwareAddress: 'a'.repeat(129) }),
        /hardwareAddress: Too long: may not be more than 128 bytes/,
      ],
      [
        network({ ips: ['10.9.8.7'] }),
        /ips\[0\]: Invalid value: "10.9.8.7": must be a valid address in CIDR/,
      ],
      [network({ ips: ['10.09.8.7/24'] }), /must be in canonical form \("10.9.8.7\/24"\)/],
      [network({ ips: ['2001:DB8:0::1/64'] }), /must be in canonical form \("2001:db8::1\/64"\)/],
      [network({ ips: ['::ffff:1.2.3.4/120'] }), /must be in canonical form \("1.2.3.4\/24"\)/],
      [network({ ips: ['10.9.8.7/24', '10.9.8.7/24'] }), /ips\[1\]: Duplicate value: "10.9.8.7\/24"/],
      [
        network({ ips: Array.from({ length: 17 }, (_, index) => `10.9.8.${index}/24`) }),
        /ips: Too many: 17: must have at most 16 items/,
      ],
      [told({ shareID: 'A' }), /shareID: Invalid value: "A": error validating uid: invalid UUID length: 1/],
    ] as const)
      assert.match((await answer).message, why);
    const { body } = await write(binder, { allocation: null });
    assert.deepEqual(body.status, {}, 'what is said of devices goes with them');
  });
});
