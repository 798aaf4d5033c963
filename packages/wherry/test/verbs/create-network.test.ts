/** `create service TYPE NAME` and `create ingress NAME`. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Ingress, Service } from '@wherry/kubeapi';
import { Served } from './served.ts';

let served: Served;

before(async () => {
  served = await Served.start();
});
after(() => served?.close());

const failed = (stderr: string) => ({ code: 1, stdout: '', stderr: `${stderr}\n` });

/** What a command line would create. */
async function wouldBe<T>(line: string): Promise<T> {
  const ended = await served.run(`create ${line} --dry-run=client -o json`);
  assert.deepEqual([ended.code, ended.stderr], [0, ''], line);
  return JSON.parse(ended.stdout) as T;
}

test('create service makes services of each type', async () => {
  for (const [line, type] of [
    ['clusterip a --tcp=80:http --tcp=81', 'ClusterIP'],
    ['nodeport b --tcp=80:8080 --node-port=30001', 'NodePort'],
    ['loadbalancer c --tcp=80,81', 'LoadBalancer'],
    ['externalname d --external-name=example.com', 'ExternalName'],
  ] as const) {
    const name = line.split(' ')[1] ?? '';
    const created = { code: 0, stdout: `service/${name} created\n`, stderr: '' };
    assert.deepEqual(await served.run(`create service ${line}`), created);
    const { metadata, spec } = await served.client.get<Service>(`Service/${name}`);
    assert.deepEqual([spec?.type, spec?.selector, metadata.labels], [type, { app: name }, { app: name }]);
  }
  const { spec } = await served.client.get<Service>('Service/a');
  assert.deepEqual(spec?.ports, [
    { name: '80-http', protocol: 'TCP', port: 80, targetPort: 'http' },
    { name: '81', protocol: 'TCP', port: 81, targetPort: 81 },
  ]);
  assert.equal((await served.client.get<Service>('Service/b')).spec?.ports?.[0]?.nodePort, 30_001);
  assert.equal((await served.client.get<Service>('Service/d')).spec?.externalName, 'example.com');
  const headless = await wouldBe<Service>('svc clusterip e --clusterip=None');
  assert.deepEqual([headless.spec?.clusterIP, headless.spec?.ports], ['None', undefined]);
});

test('create service refuses ports and names that are none', async () => {
  for (const [line, says] of [
    ['clusterip x', 'error: at least one tcp port specifier must be provided'],
    ['clusterip x --tcp=x', 'error: strconv.ParseUint: parsing "x": invalid syntax'],
    ['clusterip x --tcp=70000', 'error: strconv.ParseUint: parsing "70000": value out of range'],
    ['clusterip x --tcp=80:70000', 'error: must be between 1 and 65535, inclusive'],
    ['externalname x', 'error: required flag(s) "external-name" not set'],
    ['externalname x --external-name=A_b', 'error: invalid service external name A_b'],
    ['clusterip a --tcp=80', 'error: failed to create ClusterIP service: services "a" already exists'],
  ] as const)
    assert.deepEqual(await served.run(`create service ${line}`), failed(says), line);
});

test('create ingress puts the paths of a host, and the hosts of a secret, together', async () => {
  const rules = [
    ...['--rule=a.com/*=svc:8080,tls=own', '--rule=b.com/=other:http,tls=own'],
    ...['--rule=a.com/x=svc:81,tls=late', '--rule=/=any:1,tls'],
  ];
  const line = `ing web --class=mine --annotation=k=v=w --default-backend=d:80 ${rules.join(' ')}`;
  const { metadata, spec } = await wouldBe<Ingress>(line);
  const at = (name: string, port: object) => ({ service: { name, port } });
  assert.deepEqual(metadata.annotations, { k: 'v=w' });
  assert.deepEqual([spec?.ingressClassName, spec?.defaultBackend], ['mine', at('d', { number: 80 })]);
  assert.deepEqual(spec?.tls, [{ hosts: ['a.com', 'b.com'], secretName: 'own' }]);
  const first = { path: '/', pathType: 'Prefix', backend: at('svc', { number: 8080 }) };
  const second = { path: '/x', pathType: 'Exact', backend: at('svc', { number: 81 }) };
  assert.deepEqual(spec.rules, [
    { host: 'a.com', http: { paths: [first, second] } },
    {
      host: 'b.com',
      http: { paths: [{ path: '/', pathType: 'Exact', backend: at('other', { name: 'http' }) }] },
    },
    { http: { paths: [{ path: '/', pathType: 'Exact', backend: at('any', { number: 1 }) }] } },
  ]);
  assert.deepEqual(await served.run(`create ${line}`), {
    ...{ code: 0, stdout: 'ingress.networking.k8s.io/web created\n', stderr: '' },
  });
});

test('create ingress refuses rules that it can not read', async () => {
  const rule = (text: string) =>
    `error: rule ${text} is invalid and should be in format host/path=svcname:svcport[,tls[=secret]]`;
  for (const [line, says] of [
    ['--rule=foo', rule('foo')],
    ['--rule=a.com/=svc', rule('a.com/=svc')],
    ['--rule=a.com/=svc:1,tsl', rule('a.com/=svc:1,tsl')],
    ['--rule=/=svc:1 --annotation=a', 'error: annotation a is invalid and should be in format key=[value]'],
    ['--default-backend=d', 'error: default-backend should be in format servicename:serviceport'],
  ] as const)
    assert.deepEqual(await served.run(`create ingress x ${line}`), failed(says), line);
  assert.match((await served.run('create ingress x')).stderr, /^error: not enough information provided/);
});
