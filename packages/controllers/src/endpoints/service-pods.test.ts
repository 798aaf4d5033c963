import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod, Service } from '@wherry/kubeapi';
import { portsOn } from './service-pods.ts';

const many = <T>(make: (index: number) => T): T[] =>
  Array.from({ length: 20_000 }, (_, index) => make(index));

test('of ports of one name the first of the protocol counts, sidecars last', () => {
  const ports = (containerPort: number, protocol?: 'TCP' | 'UDP') => ({
    ports: [{ name: 'web', containerPort, ...(protocol && { protocol }) }],
  });
  const pod: Pod = {
    metadata: {},
    spec: {
      initContainers: [
        { name: 'once', ...ports(1, 'UDP') },
        { name: 'side', restartPolicy: 'Always', ...ports(2, 'UDP') },
      ],
      containers: [
        { name: 'a', ...ports(3) },
        { name: 'b', ...ports(4) },
      ],
    },
  };
  const leading = [
    { port: 80, targetPort: 'web' },
    { name: 'u', port: 80, protocol: 'UDP' as const, targetPort: 'web' },
  ];
  const service: Service = {
    metadata: {},
    spec: { ports: [...leading, { name: 'n', port: 81, targetPort: 'none' }] },
  };
  assert.deepEqual(
    portsOn(service, pod).map(({ port }) => port),
    [3, 2],
  );
});

test('a service with thousands of ports by name is led to a pod with as many in a time of both', () => {
  const pod: Pod = {
    metadata: {},
    spec: { containers: [{ name: 'a', ports: many((at) => ({ name: `p${at}`, containerPort: at + 1 })) }] },
  };
  const ports = many((at) => ({ name: `s${at}`, port: at + 1, targetPort: `p${19_999 - at}` }));
  const began = performance.now();
  assert.equal(portsOn({ metadata: {}, spec: { ports } }, pod).at(-1)?.port, 1);
  const tookMs = performance.now() - began;
  assert.ok(tookMs < 3_000, `${tookMs} ms, where each of the one with each of the other takes half a minute`);
});
