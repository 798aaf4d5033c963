import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { checkServerIdentity, connect } from 'node:tls';
import { parse } from 'yaml';
import { run } from './command.ts';
import { freePort } from './free-port.ts';
import { testImage } from './image.ts';
import { eventually, TestNode } from './node.ts';
import { stretched, timeoutFlag } from './slowness.ts';

let node: TestNode;
let machine: string;
const ok = (...words: string[]) => node.kubectlOk(words);
const field = (what: string, path: string) => ok('get', what, '-o', `jsonpath={${path}}`);
const connectSeconds = '2';

/** What a server of a test says when it is connected to: the name of its pod. */
const fromMachine = async (address: string, port: string | number) =>
  (await run('busybox', ['nc', '-w', connectSeconds, address, String(port)], { stdin: '' })).stdout.trim();
/** All that is heard in a pod over so many connections, each once. */
const fromPod = async (
  pod: string,
  address: string,
  port: string | number,
  count = 12,
  seconds = connectSeconds,
) => {
  const script = `for i in $(seq ${count}); do nc -w ${seconds} ${address} ${port} 2>&1; done`;
  const lines = (await ok('exec', pod, '--', 'sh', '-c', `${script}; true`)).trim().split('\n');
  return [...new Set(lines)].sort();
};
const pod = (name: string, command: string[], labels = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels },
  spec: {
    terminationGracePeriodSeconds: 0,
    containers: [{ name: 'main', image: testImage, imagePullPolicy: 'IfNotPresent', command }],
  },
});
const policy = (app: string, spec: object) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: app },
  spec: { podSelector: { matchLabels: { app } }, ...spec },
});
const serving = ['sh', '-c', 'trap exit TERM; while true; do nc -ll -p 8080 -e hostname & wait; done'];
/** Answers every datagram by its name. */
const answeringDatagrams = async (name: string) => {
  const socket = createSocket('udp4', (_message, { port, address }) => socket.send(name, port, address));
  socket.bind(0, machine);
  await once(socket, 'listening');
  return { name, socket };
};
const answers = async (ask: () => Promise<string>, count = 12) => {
  const heard = new Set<string>();
  for (let at = 0; at < count; at++) heard.add(await ask());
  return [...heard].sort();
};

before(async () => {
  node = await TestNode.start('services');
  machine = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)!.address;
  const labels = { app: 'web' };
  await node.apply(
    pod('client', ['sleep', '100000']),
    pod('one', serving, labels),
    pod('two', serving, labels),
  );
});
after(() => node?.remove());

test('what kubectl exposes is answered by each of its pods, from pods, from the machine and from themselves', {
  timeout: stretched(60_000),
}, async () => {
  await ok('expose', 'pod', 'one', '--name=web', '--port=80', '--target-port=8080', '--selector=app=web');
  const address = await field('service/web', '.spec.clusterIP');
  await eventually('both pods answer', async () => {
    const heard = await answers(() => fromMachine(address, 80), 6);
    return heard.join() === 'one,two';
  });
  assert.deepEqual(await fromPod('client', address, 80), ['one', 'two']);
  assert.deepEqual(await fromPod('one', address, 80), ['one', 'two']);
  assert.match((await fromPod('client', address, 81, 1)).join(), /refused/);
});

test('a node port leads to the pods from every address of the machine, a client that is to stay stays', {
  timeout: stretched(60_000),
}, async () => {
  await ok('patch', 'service', 'web', '-p', '{"spec":{"type":"NodePort"}}');
  const port = await field('service/web', '.spec.ports[0].nodePort');
  for (const address of ['127.0.0.1', machine])
    await eventually(
      `both answer at ${address}`,
      async () => (await answers(() => fromMachine(address, port), 6)).join() === 'one,two',
    );
  assert.deepEqual(await fromPod('client', machine, port), ['one', 'two']);
  await ok('patch', 'service', 'web', '-p', '{"spec":{"sessionAffinity":"ClientIP"}}');
  const address = await field('service/web', '.spec.clusterIP');
  await eventually('one alone answers', async () => (await fromPod('client', address, 80)).length === 1);
  const [chosen] = await fromPod('client', address, 80);
  assert.equal((await answers(() => fromMachine(machine, port), 4)).length, 1);
  await ok('delete', 'pod', chosen ?? '');
  const other = chosen === 'one' ? 'two' : 'one';
  await eventually(
    'the other one takes over',
    async () => (await fromPod('client', address, 80, 1))[0] === other,
  );
  await node.apply(pod(chosen ?? '', serving, { app: 'web' }));
});

test('a load balancer has the machine’s address, and of a port that is taken its owner is told', {
  timeout: stretched(90_000),
}, async () => {
  const balance = (name: string, port: number) =>
    ok(
      'expose',
      'pod',
      'one',
      `--name=${name}`,
      `--port=${port}`,
      '--target-port=8080',
      '--type=LoadBalancer',
    );
  const addressOf = (name: string) => field(`service/${name}`, '.status.loadBalancer.ingress[*].ip');
  const [port, taken] = [await freePort(), await freePort()];
  await balance('outside', port);
  await eventually('the address', async () => (await addressOf('outside')) === machine);
  await eventually('its pods answer there', async () => (await fromMachine(machine, port)) !== '');
  assert.deepEqual(await fromPod('client', machine, port), ['one', 'two']);
  await balance('second', port);
  const complaints = () => ok('events', '--for', 'service/second', '--types=Warning');
  await eventually('word of the service that has the port', async () =>
    /is the service "default\/outside"'s/.test(await complaints()),
  );
  const listener = createServer((socket) => socket.end('machine\n')).listen(taken);
  await once(listener, 'listening');
  await balance('third', taken);
  await eventually('word of a program that has the port', async () =>
    /a program of this machine/.test(await ok('events', '--for', 'service/third')),
  );
  assert.equal(await fromMachine(machine, taken), 'machine');
  listener.close();
  await ok('delete', 'service', 'outside');
  await eventually('the port for the second', async () => (await addressOf('second')) === machine);
  await eventually('the port for the third', async () => (await addressOf('third')) === machine);
  await ok('delete', 'service', 'second', 'third');
});

test('without endpoints a service refuses at once, and nothing for an address of services leaves the machine', {
  timeout: stretched(60_000),
}, async () => {
  await ok('create', 'service', 'clusterip', 'empty', '--tcp=80:8080');
  const address = await field('service/empty', '.spec.clusterIP');
  assert.match((await fromPod('client', address, 80, 1)).join(), /refused/);
  const { stderr } = await run('busybox', ['nc', '-w', connectSeconds, address, '80'], { stdin: '' });
  assert.match(stderr, /refused/);
  const further = { apiVersion: 'networking.k8s.io/v1', kind: 'ServiceCIDR', metadata: { name: 'further' } };
  await node.apply({ ...further, spec: { cidrs: ['10.97.128.0/24'] } });
  await eventually('a range that is added is refused as well', async () =>
    /refused/.test((await fromPod('client', '10.97.128.77', 80, 1)).join()),
  );
  await ok('delete', 'servicecidr', 'further');
});

test('endpoints that somebody wrote by hand are led to, until they are said to be of a headless service', {
  timeout: stretched(60_000),
}, async () => {
  await node.apply({
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'by-hand' } },
    spec: { ports: [{ port: 80 }] },
  });
  const metadata = { name: 'by-hand-1', labels: { 'kubernetes.io/service-name': 'by-hand' } };
  await node.apply({
    ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata, addressType: 'IPv4' },
    endpoints: [{ addresses: [await field('pod/one', '.status.podIP')] }],
    ports: [{ port: 8080 }],
  });
  const address = await field('service/by-hand', '.spec.clusterIP');
  const heard = async () => (await fromPod('client', address, 80, 1)).join();
  await eventually('the pod answers', async () => (await heard()) === 'one');
  await ok('label', 'endpointslice', 'by-hand-1', 'service.kubernetes.io/headless=');
  await eventually('nobody is led there', async () => /refused/.test(await heard()));
});

test('pods reach the API server at its service address, which its certificate names', {
  timeout: stretched(60_000),
}, async () => {
  const server = await field('service/kubernetes', '.spec.clusterIP');
  const script = `nc -w ${connectSeconds} ${server} 443 </dev/null; echo $?`;
  assert.equal((await ok('exec', 'client', '--', 'sh', '-c', script)).trim(), '0');
  const [ca] = parse(readFileSync(node.kubeconfig, 'utf8')).clusters;
  const socket = connect({
    ...{ host: machine, port: Number(new URL(ca.cluster.server).port), servername: '' },
    ca: Buffer.from(ca.cluster['certificate-authority-data'], 'base64'),
    checkServerIdentity: (_host, certificate) => checkServerIdentity(server, certificate),
  });
  await once(socket, 'secureConnect');
  socket.destroy();
});

test('datagrams go to an endpoint that is there, also those of a client whose endpoint went', {
  timeout: stretched(60_000),
}, async () => {
  const servers = await Promise.all(['first', 'second'].map(answeringDatagrams));
  const client = createSocket('udp4');
  const leadTo = (port: number) =>
    node.apply({
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: 'echo', labels: { 'kubernetes.io/service-name': 'echo' } },
      addressType: 'IPv4',
      ports: [{ port, protocol: 'UDP' }],
      endpoints: [{ addresses: [machine] }],
    });
  try {
    await node.apply({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'echo' },
      spec: { ports: [{ port: 53, protocol: 'UDP' }] },
    });
    const address = await field('service/echo', '.spec.clusterIP');
    let heard = '';
    client.on('message', (message) => {
      heard = message.toString();
    });
    // One socket, so that all its datagrams are one flow; refusals of what is not there yet come as errors.
    client.on('error', () => {});
    for (const { name, socket } of servers) {
      await leadTo(socket.address().port);
      await eventually(`${name} answers`, async () => {
        client.send('hi', 53, address);
        await delay(20);
        return heard === name;
      });
    }
  } finally {
    client.close();
    for (const { socket } of servers) socket.close();
  }
});

test('network policies: who reaches a pod, by label, namespace, address and named port; replies and the node always do', {
  timeout: stretched(60_000),
}, async () => {
  const friend = { role: 'friend' };
  const ports = [{ name: 'talk', containerPort: 8080 }];
  const guarded = pod('guarded', serving, { app: 'guarded' });
  Object.assign(guarded.spec.containers[0] ?? {}, { ports });
  await node.apply(guarded, pod('friend', ['sleep', '100000'], friend));
  const [address, friendly] = await Promise.all(
    ['guarded', 'friend'].map((name) => field(`pod/${name}`, '.status.podIP')),
  );
  const allow = (...ingress: object[]) =>
    node.apply(policy('guarded', { ingress, policyTypes: ['Ingress', 'Egress'] }));
  /** Which of the two are answered. */
  const heard = async (port = 8080) => {
    const asked = ['client', 'friend'].map(async (name) =>
      (await fromPod(name, address!, port, 1, '1'))[0] === 'guarded' ? [name] : [],
    );
    return (await Promise.all(asked)).flat().join();
  };
  const eventuallyHeard = (what: string, wanted: string) =>
    eventually(what, async () => (await heard()) === wanted);
  await allow();
  await eventuallyHeard('nobody is answered', '');
  assert.equal(await fromMachine(address!, 8080), 'guarded');
  await allow({ from: [{ podSelector: { matchLabels: friend } }], ports: [{ port: 'talk' }] });
  await eventuallyHeard('the friend is answered, by a pod that may connect nowhere', 'friend');
  await ok('label', 'pod', 'client', 'role=friend');
  await eventuallyHeard('whoever is labelled is answered', 'client,friend');
  await ok('expose', 'pod', 'guarded', '--port=80', '--target-port=8080');
  const service = await field('service/guarded', '.spec.clusterIP');
  await eventually('the port is judged behind the service', async () =>
    (await fromPod('friend', service, 80, 1)).includes('guarded'),
  );
  await allow({ from: [{ namespaceSelector: { matchLabels: { team: 'blue' } } }] });
  await eventuallyHeard('a namespace without the label is not answered', '');
  await ok('label', 'namespace', 'default', 'team=blue');
  await eventuallyHeard('with the label it is', 'client,friend');
  await allow({ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: [`${friendly}/32`] } }] });
  await eventuallyHeard('an address that is excepted is not answered', 'client');
  await ok('delete', 'networkpolicy', 'guarded');
  await eventuallyHeard('without the policy all are answered', 'client,friend');
});

test('network policies: a pod that may ask the cluster’s DNS alone reaches nothing else', {
  timeout: stretched(60_000),
}, async () => {
  const system = { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } };
  const server = { matchLabels: { 'k8s-app': 'kube-dns' } };
  const allow = (...egress: object[]) => node.apply(policy('web', { egress, policyTypes: ['Egress'] }));
  const inOne = async (script: string) =>
    (await ok('exec', 'one', '--', 'sh', '-c', `${script} 2>&1; true`)).trim();
  const finds = async () =>
    /\b10\.96\.0\.1\b/.test(await inOne('timeout 1 nslookup kubernetes.default.svc.cluster.local'));
  const reaches = async () => /^0$/m.test(await inOne('nc -w 1 10.96.0.1 443 </dev/null; echo $?'));
  await eventually(
    'before it is selected it finds and reaches',
    async () => (await finds()) && (await reaches()),
  );
  await allow();
  await eventually('neither names nor the API server', async () => !(await finds()) && !(await reaches()));
  await allow({ to: [{ namespaceSelector: system, podSelector: server }] });
  await eventually('names', finds);
  assert.equal(await reaches(), false);
  await allow({ to: [{ ipBlock: { cidr: `${machine}/32` } }] });
  await eventually('the API server, at its own address behind the service', reaches);
  assert.equal(await finds(), false);
  await ok('delete', 'networkpolicy', 'web');
});

test('services are routed while their process is dead, and follow the changes of that time when it is back', {
  timeout: stretched(90_000),
}, async () => {
  await ok('patch', 'service', 'web', '-p', '{"spec":{"sessionAffinity":"None"}}');
  const address = await field('service/web', '.spec.clusterIP');
  await eventually(
    'both answer',
    async () => (await answers(() => fromMachine(address, 80), 6)).join() === 'one,two',
  );
  process.kill(await node.pidOf('network'), 'SIGKILL');
  assert.deepEqual(await fromPod('client', address, 80), ['one', 'two']);
  await ok('delete', 'pod', 'two');
  await ok('wait', '--for=delete', 'pod/two', timeoutFlag(30));
  await delay(200);
  await node.up();
  await eventually(
    'the one that is left answers alone',
    async () => (await answers(() => fromMachine(address, 80), 6)).join() === 'one',
  );
});
