import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod, Service } from '@wherry/kubeapi';
import { checkPorts, numberOf, parseForwardPort, podPortOf } from './ports.ts';

const pod = {
  metadata: { name: 'web' },
  spec: {
    containers: [
      {
        name: 'main',
        ports: [
          { name: 'http', containerPort: 8080 },
          { name: 'dns', containerPort: 53, protocol: 'UDP' },
        ],
      },
    ],
  },
} as Pod;

const service = {
  metadata: { name: 'front' },
  spec: {
    ports: [
      { name: 'web', port: 80, targetPort: 'http' },
      { name: 'plain', port: 81 },
      { name: 'names', port: 53, protocol: 'UDP' },
    ],
  },
} as Service;

test('ports are read in all their forms', () => {
  assert.deepEqual(parseForwardPort('5000'), { remote: 5000 });
  assert.deepEqual(parseForwardPort('http'), { remote: 'http' });
  assert.deepEqual(parseForwardPort('80:http'), { local: 80, remote: 'http' });
  assert.deepEqual(parseForwardPort(':5000'), { local: 0, remote: 5000 });
  assert.deepEqual(parseForwardPort('0:5000'), { local: 0, remote: 5000 });
  assert.throws(() => parseForwardPort('1:2:3'), /invalid port format '1:2:3'/);
  assert.throws(() => parseForwardPort('80:0'), /remote port must be > 0/);
  assert.throws(() => parseForwardPort('70000'), /error parsing remote port '70000'/);
});

test('a name alone is listened for at the number that it stands for, at the service or in the pod', () => {
  assert.equal(numberOf('http', { pod }), 8080);
  assert.equal(numberOf('web', { pod, service }), 80);
  assert.equal(numberOf(80, { pod, service }), 80);
  assert.throws(() => numberOf('ssh', { pod, service }), /Service 'front' does not have a named port 'ssh'/);
});

test('a port of an init container has a name, too', () => {
  const [beside] = [
    { name: 'proxy', restartPolicy: 'Always', ports: [{ name: 'admin', containerPort: 15000 }] },
  ];
  const withSidecar = { ...pod, spec: { ...pod.spec, initContainers: [beside] } } as Pod;
  assert.equal(podPortOf('admin', { pod: withSidecar }), 15000);
});

test('a name of a headless service stands for its own port, whatever its target', () => {
  const headless = { ...service, spec: { ...service.spec, clusterIP: 'None' } } as Service;
  assert.equal(podPortOf('web', { pod, service: headless }), 80);
});

test('names and service ports become ports of the pod', () => {
  assert.equal(podPortOf('http', { pod }), 8080);
  assert.equal(podPortOf(9, { pod }), 9);
  assert.equal(podPortOf(80, { pod, service }), 8080);
  assert.equal(podPortOf('plain', { pod, service }), 81);
  assert.throws(() => podPortOf('ssh', { pod }), /Pod 'web' does not have a named port 'ssh'/);
  assert.throws(() => podPortOf(99, { pod, service }), /Service front does not have a service port 99/);
  assert.throws(() => podPortOf('dns', { pod }), /UDP protocol is not supported for dns/);
  assert.throws(() => podPortOf(53, { pod, service }), /UDP protocol is not supported for 53/);
});

test('no ports, and numbers that are none, are refused by name', () => {
  checkPorts([{ local: 0, remote: 65_535 }, { remote: 'http' }]);
  assert.throws(() => checkPorts([]), { code: 'bad-argument', message: /at least one port/ });
  assert.throws(
    () => checkPorts([{ remote: 99_999 }]),
    /remote port 99999 is not a whole number from 1 to 65535/,
  );
  assert.throws(() => checkPorts([{ remote: 0 }]), /remote port 0 is not/);
  assert.throws(
    () => checkPorts([{ local: -1, remote: 80 }]),
    /local port -1 is not a whole number from 0 to 65535/,
  );
});
