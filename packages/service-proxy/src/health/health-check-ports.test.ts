import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { it } from 'node:test';
import type { EventFacts } from '@wherry/client';
import { FakeClock } from '@wherry/clock';
import type { Endpoint, EndpointSlice, Service } from '@wherry/kubeapi';
import { silentLogger } from '@wherry/telemetry';
import { limits } from '../limits.ts';
import { HealthCheckPorts } from './health-check-ports.ts';

const key = 'default/web';
const endpoint = (uid: string, address: string, nodeName: string, ready = true) => ({
  ...{ addresses: [address], nodeName, conditions: { ready } },
  targetRef: { kind: 'Pod', uid },
});
const slice = (addressType: string, ...endpoints: Endpoint[]) =>
  ({ addressType, endpoints }) as EndpointSlice;

it('load balancers are told how many endpoints a node has, once the port is free, and as long as it is wanted', async () => {
  const holder = createServer().listen();
  await once(holder, 'listening');
  const { port } = holder.address() as AddressInfo;
  const spec = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: port };
  let service: Service | undefined = { metadata: { name: 'web' }, spec } as Service;
  let slices: EndpointSlice[] = [];
  const clock = new FakeClock();
  const events: EventFacts[] = [];
  const ports = new HealthCheckPorts({
    events: { record: (event) => void events.push(event) },
    ...{ nodeName: 'one', clock, logger: silentLogger, isHealthy: () => true },
    ...{ service: () => service, slices: () => slices },
  });
  const ask = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/healthz`);
    return [response.status, response.headers.get('x-load-balancing-endpoint-weight'), await response.json()];
  };
  const told = (localEndpoints: number) => [
    ...[localEndpoints > 0 ? 200 : 503, String(localEndpoints)],
    { service: { namespace: 'default', name: 'web' }, localEndpoints, serviceProxyHealthy: true },
  ];
  ports.look(key);
  await new Promise((resolve) => setTimeout(resolve, 20));
  await new Promise((resolve) => holder.close(resolve));
  clock.advance(limits.retryMs);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(await ask(), told(0));
  assert.deepEqual(
    events.map(({ object, reason }) => [object.kind, object.name, reason]),
    [['Service', 'web', 'FailedToStartServiceHealthcheck']],
  );
  slices = [slice('IPv4', endpoint('a', '10.88.0.4', 'two'), endpoint('b', '10.88.0.5', 'one', false))];
  assert.deepEqual(await ask(), told(0), 'elsewhere, or not ready');
  slices = [
    slice('IPv4', endpoint('a', '10.88.0.4', 'one'), endpoint('b', '10.88.0.5', 'one')),
    slice('IPv6', endpoint('a', 'fd00::4', 'one'), endpoint('b', 'fd00::5', 'one')),
  ];
  assert.deepEqual(await ask(), told(2), 'a pod counts once');
  ports.look(key);
  assert.deepEqual(await ask(), told(2));
  service = { metadata: { name: 'web' }, spec: { ...spec, externalTrafficPolicy: 'Cluster' } } as Service;
  ports.look(key);
  await new Promise((resolve) => setTimeout(resolve, 20));
  await assert.rejects(ask(), 'it is closed');
  await ports.close();
});
