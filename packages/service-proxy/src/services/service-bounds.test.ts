import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EndpointSlice, Service } from '@wherry/kubeapi';
import { limits } from '../limits.ts';
import { frontendsOf } from './frontends.ts';
import { boundedService } from './service-bounds.ts';
import type { Place } from './usable-endpoints.ts';

const many = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index));
const serviceOf = (addresses: number, ports: number): Service => ({
  metadata: {},
  spec: {
    clusterIP: '10.96.0.7',
    externalIPs: many(addresses, (index) => `192.0.${index >> 8}.${index & 255}`),
    ports: many(ports, (index) => ({ name: `p${index}`, port: index + 1 })),
  },
});
const sliceOf = (endpoints: number): EndpointSlice => ({
  ...{ metadata: {}, addressType: 'IPv4', ports: [{ name: 'p0', port: 80 }] },
  endpoints: many(endpoints, (index) => ({ addresses: [`10.88.${index >> 8}.${index & 255}`] })),
});
const place: Place = {
  family: 'ip',
  nodeName: 'a',
  zone: undefined,
  nodeAddress: undefined,
  isOwn: () => false,
};

test('a service with thousands of addresses and of ports takes no more of a node than others, and is led by the first of them', () => {
  const { service, leftOut } = boundedService(serviceOf(20_000, 20_000), [sliceOf(1)]);
  assert.match(leftOut ?? '', /^19900 external addresses and \d+ ports$/);
  const led = frontendsOf(service, [sliceOf(1)], place);
  assert.ok(led.length > 1_000 && led.length <= limits.serviceElementsMax, `${led.length} frontends`);
  assert.deepEqual([led[0]?.address, led[0]?.port, led[0]?.endpoints.length], ['10.96.0.7', 1, 1]);
});

test('the more endpoints a service has, the fewer of thousands of ports are led', () => {
  const { service } = boundedService(serviceOf(0, 20_000), [sliceOf(1_000), sliceOf(1_000)]);
  assert.equal(service.spec?.ports?.length, 25);
});

test('a service as people have them is left as it is', () => {
  const service = serviceOf(3, 100);
  assert.deepEqual(boundedService(service, [sliceOf(200)]), { service, leftOut: undefined });
});
