import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../../../test/test-server.ts';

const slices = '/apis/resource.k8s.io/v1/resourceslices';

describe('slices of devices', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.close());

  const post = (name: string, device: object) =>
    server.request('POST', slices, {
      body: {
        metadata: { name },
        spec: {
          ...{ driver: 'gpu.example.com', nodeName: 'node', devices: [{ name: 'gpu-0', ...device }] },
          pool: { name: 'pool', generation: 1, resourceSliceCount: 1 },
        },
      },
    });

  it('lose what stands behind gates that are off', async () => {
    const { status, body } = await post('a', {
      attributes: { slot: { int: 1, ints: [1, 2] } },
      nodeAllocatableResourceMappings: { cpu: { capacityKey: 'cores' } },
    });
    assert.equal(status, 201);
    assert.deepEqual(body.spec.devices, [{ name: 'gpu-0', attributes: { slot: { int: 1 } } }]);
    const empty = await post('b', { attributes: { slot: { ints: [1, 2] } } });
    assert.equal(empty.status, 422);
    assert.match(empty.body.message, /attributes\[slot\]: Invalid value: "": exactly one value must be/);
  });

  it('are refused with devices that say too much', async () => {
    const attributes = Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`a${at}`, { int: at }]));
    const { status, body } = await post('c', { attributes });
    assert.equal(status, 422);
    assert.match(body.message, /the total number of attributes and capacities must not exceed 32/);
  });
});
