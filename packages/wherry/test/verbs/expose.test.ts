/** `expose`. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Service } from '@wherry/kubeapi';
import { Served } from './served.ts';

let served: Served;

const template = (name: string, ports: object[]) => ({
  metadata: { labels: { app: name } },
  spec: { containers: [{ name: 'c', image: 'app', ports }] },
});

before(async () => {
  served = await Served.start();
  const both = [{ containerPort: 80 }, { containerPort: 53, protocol: 'UDP' }, { containerPort: 53 }];
  for (const [kind, name, ports] of [
    ['Deployment', 'web', both],
    ['Deployment', 'bare', []],
    ['ReplicaSet', 'set', [{ containerPort: 7 }]],
    ['DaemonSet', 'each', []],
  ] as const) {
    await served.client.create({
      ...{ apiVersion: 'apps/v1', kind, metadata: { name, labels: { tier: 'front' } } },
      spec: { selector: { matchLabels: { app: name } }, template: template(name, [...ports]) },
    });
  }
  await served.client.create({
    ...{ apiVersion: 'v1', kind: 'ReplicationController', metadata: { name: 'rc' } },
    spec: { selector: { app: 'rc' }, template: template('rc', [{ containerPort: 8 }]) },
  });
});
after(() => served?.close());

const failed = (stderr: string) => ({ code: 1, stdout: '', stderr: `${stderr}\n` });
const exposed = (name: string) => ({ code: 0, stdout: `service/${name} exposed\n`, stderr: '' });

/** The service that a command line would create. */
async function wouldBe(line: string, ...more: string[]): Promise<Service> {
  const ended = await served.run(`expose ${line} --dry-run=client -o json`, ...more);
  assert.deepEqual([ended.code, ended.stderr], [0, ''], line);
  return JSON.parse(ended.stdout) as Service;
}

test('expose takes selector, labels, ports and their protocols from the object', async () => {
  assert.deepEqual(await served.run('expose deploy/web'), exposed('web'));
  const { metadata, spec } = await served.client.get<Service>('Service/web');
  assert.deepEqual([metadata.labels, spec?.selector], [{ tier: 'front' }, { app: 'web' }]);
  assert.deepEqual(spec?.ports, [
    { name: 'port-1', protocol: 'TCP', port: 80, targetPort: 80 },
    { name: 'port-2-udp', protocol: 'UDP', port: 53, targetPort: 53 },
    { name: 'port-2-tcp', protocol: 'TCP', port: 53, targetPort: 53 },
  ]);
  assert.deepEqual(
    await served.run('expose service web --name=again --type=NodePort --port=80'),
    exposed('again'),
  );
  const again = await served.client.get<Service>('Service/again');
  assert.deepEqual([again.spec?.type, again.spec?.selector], ['NodePort', { app: 'web' }]);
  assert.deepEqual((await wouldBe('rs set')).spec?.ports?.[0]?.port, 7);
  assert.deepEqual((await wouldBe('rc/rc')).spec?.selector, { app: 'rc' });
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', labels: { a: 'b' } } };
  const file = served.file('pod.json', { ...pod, spec: template('p', [{ containerPort: 9 }]).spec });
  assert.deepEqual((await wouldBe(`-f ${file}`)).spec, {
    ports: [{ protocol: 'TCP', port: 9, targetPort: 9 }],
    selector: { a: 'b' },
  });
});

test('expose makes the service as its flags say', async () => {
  const flags = [
    '--name=x --port=80,81 --target-port=http --protocol=UDP --type=LoadBalancer --selector=a=b,c=d -l l=m',
    '--cluster-ip=10.0.0.9 --external-ip=1.2.3.4 --load-balancer-ip=1.1.1.1 --session-affinity=ClientIP',
  ];
  const { metadata, spec } = await wouldBe(`deploy/bare -n default ${flags.join(' ')}`);
  assert.deepEqual(metadata, { name: 'x', labels: { l: 'm' }, namespace: 'default' });
  assert.deepEqual(spec, {
    ports: [
      { name: 'port-1', protocol: 'UDP', port: 80, targetPort: 'http' },
      { name: 'port-2', protocol: 'UDP', port: 81, targetPort: 'http' },
    ],
    selector: { a: 'b', c: 'd' },
    ...{ clusterIP: '10.0.0.9', type: 'LoadBalancer', externalIPs: ['1.2.3.4'] },
    ...{ loadBalancerIP: '1.1.1.1', sessionAffinity: 'ClientIP' },
  });
  assert.equal((await wouldBe('deploy/bare --cluster-ip=None')).spec?.ports, undefined);
});

test('expose --overrides changes the service before it is created, by each kind of patch', async () => {
  const line = 'deploy/bare --port=80';
  const merged = await wouldBe(line, '--overrides', '{"spec":{"type":"NodePort"}}');
  assert.equal(merged.spec?.type, 'NodePort');
  const json = '[{"op":"add","path":"/metadata/labels/x","value":"y"}]';
  const { metadata } = await wouldBe(`${line} --override-type=json`, '--overrides', json);
  assert.equal(metadata.labels?.['x'], 'y');
  const strategic = '{"spec":{"ports":[{"port":80,"name":"x"}]}}';
  const { spec } = await wouldBe(`${line} --override-type=strategic`, '--overrides', strategic);
  assert.deepEqual(spec?.ports, [{ name: 'x', protocol: 'TCP', port: 80, targetPort: 80 }]);
});

test('expose refuses what no service can be made for', async () => {
  for (const [line, says] of [
    ['ds/each --port=1', 'error: cannot expose a DaemonSet.apps'],
    ['deploy/bare', "error: couldn't find port via --port flag or introspection"],
    ['deploy/nope --port=1', 'Error from server (NotFound): deployments.apps "nope" not found'],
    ['deploy', 'error: resource(s) were provided, but no name was specified'],
    ['deploy/bare --port=x', 'error: strconv.Atoi: parsing "x": invalid syntax'],
    ['deploy/bare --port=1 --session-affinity=No', 'error: unknown session affinity: No'],
    ['deploy/bare --port=1 --selector=x', 'error: unexpected label spec: x'],
    ['deploy/bare --port=1 --overrides={} --override-type=no', 'error: invalid override type: no'],
  ] as const)
    assert.deepEqual(await served.run(`expose ${line}`), failed(says), line);
});
