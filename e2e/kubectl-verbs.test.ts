import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testImage } from './image.ts';
import { unlessKubectlHas } from './kubectl-version.ts';
import { eventually, podOf, scriptPod, TestNode } from './node.ts';
import { stretched, timeoutFlag } from './slowness.ts';

let node: TestNode;

before(async () => {
  node = await TestNode.start();
  await node.apply(podOf('steady'));
});
after(() => node?.remove());

const ok = (...words: string[]) => node.kubectlOk(words);
const fromImage = ['--image', testImage, '--image-pull-policy=Never'];

test('the node is Ready, with its version and address', async () => {
  const [header = '', line = ''] = (await ok('get', 'nodes', '-o', 'wide')).split('\n');
  assert.match(header, /^NAME +STATUS +ROLES +AGE +VERSION +INTERNAL-IP/);
  assert.match(line, /^e2e +Ready +control-plane +/);
});

test('get prints the columns, and the whole object as YAML and JSON', async () => {
  const [header = '', line = ''] = (await ok('get', 'pods', '-o', 'wide')).split('\n');
  assert.match(header, /^NAME +READY +STATUS +RESTARTS +AGE +IP +NODE +NOMINATED NODE +READINESS GATES$/);
  assert.match(line, /^steady +1\/1 +Running +0 +\S+ +10\.88\.\d+\.\d+ +e2e +<none> +<none>$/);
  const pod = JSON.parse(await ok('get', 'pod', 'steady', '-o', 'json'));
  assert.deepEqual([pod.kind, pod.spec.nodeName, pod.status.phase], ['Pod', 'e2e', 'Running']);
  const yaml = await ok('get', 'po/steady', '-o', 'yaml');
  assert.match(yaml, /^apiVersion: v1\nkind: Pod\nmetadata:/);
});

test('get -w shows a change as it happens', async () => {
  const watching = node.startKubectl(['get', 'pod', 'steady', '-w', '--show-labels']);
  let seen = '';
  watching.stdout.on('data', (chunk: Buffer) => {
    seen += chunk;
  });
  await eventually('the first line', () => seen.includes('steady'));
  await ok('label', 'pod', 'steady', 'watched=yes');
  await eventually('the change', () => seen.includes('watched=yes'));
  watching.kill('SIGINT');
});

test('apply creates, changes and leaves alone', async () => {
  const configMap = (value: string) =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'applied' },
      data: { key: value },
    });
  const apply = (value: string) => node.kubectlOk(['apply', '-f', '-'], { stdin: configMap(value) });
  assert.equal(await apply('one'), 'configmap/applied created\n');
  assert.equal(await apply('one'), 'configmap/applied unchanged\n');
  assert.equal(await apply('two'), 'configmap/applied configured\n');
  assert.equal(await ok('get', 'cm', 'applied', '-o', 'jsonpath={.data.key}'), 'two');
  // kubectl from 1.34 on says from where.
  assert.match(
    await ok('delete', 'cm', 'applied'),
    /^configmap "applied" deleted( from default namespace)?\n$/,
  );
});

test('describe tells of containers, conditions and events', async () => {
  const text = await ok('describe', 'pod', 'steady');
  for (const part of [/^Containers:$/m, /^Conditions:$/m, /Normal +Started /, /^Node: +e2e\//m]) {
    assert.match(text, part);
  }
  assert.match(await ok('describe', 'node', 'e2e'), /Allocatable:[\s\S]*Non-terminated Pods:/);
});

test('delete waits for the grace period of a pod that will not end, and --force does not', {
  timeout: 90_000,
}, async () => {
  const stubborn = (name: string) =>
    scriptPod(name, 'trap "" TERM; while true; do sleep 1; done', { terminationGracePeriodSeconds: 3 });
  await node.apply(stubborn('graceful'), stubborn('forced'));
  const began = performance.now();
  await ok('delete', 'pod', 'graceful');
  const seconds = (performance.now() - began) / 1000;
  assert.ok(seconds >= 2.5 && seconds < 15, `${seconds} s`);
  const forced = performance.now();
  await ok('delete', 'pod', 'forced', '--force', '--grace-period=0');
  assert.ok(performance.now() - forced < 10_000);
  assert.match((await node.kubectl(['get', 'pod', 'forced'])).stderr, /NotFound/);
});

test('a pod that handles SIGTERM ends at once', { timeout: stretched(60_000) }, async () => {
  await node.apply(
    scriptPod('polite', 'trap "exit 0" TERM; while true; do sleep 0.1; done', {
      terminationGracePeriodSeconds: 30,
    }),
  );
  const began = performance.now();
  await ok('delete', 'pod', 'polite');
  assert.ok(performance.now() - began < 10_000);
});

test('run makes a pod, and run -it --rm gives back output and exit code', {
  timeout: stretched(60_000),
}, async () => {
  assert.equal(await ok('run', 'made', ...fromImage, '--', 'sleep', '1000'), 'pod/made created\n');
  await ok('wait', '--for=condition=Ready', 'pod/made', timeoutFlag(30));
  await ok('delete', 'pod', 'made', '--force', '--grace-period=0');
  const flags = `--image ${testImage} --image-pull-policy=Never --restart=Never`;
  const { stdout, code } = await node.inTerminal(
    `kubectl run -it --rm once ${flags} -- sh -c 'sleep 1; echo said this; exit 3'`,
  );
  assert.match(stdout, /said this/);
  assert.equal(code, 3);
  assert.match((await node.kubectl(['get', 'pod', 'once'])).stderr, /NotFound/);
});

test('run -i --rm of a command that ends at once prints all of its output and gives back its code', {
  timeout: stretched(60_000),
}, async () => {
  const { stdout, code } = await node.kubectl([
    'run',
    '-i',
    '--rm',
    'quick',
    ...fromImage,
    '--restart=Never',
    '--',
    'sh',
    '-c',
    'echo quick; exit 3',
  ]);
  assert.match(stdout, /^quick\n/);
  assert.equal(code, 3);
});

test('label, annotate and the three patches change the object', async () => {
  await ok('label', 'pod', 'steady', 'tier=one');
  await ok('annotate', 'pod', 'steady', 'note=hello');
  await ok('patch', 'pod', 'steady', '--type=merge', '-p', '{"metadata":{"labels":{"tier":"two"}}}');
  await ok(
    'patch',
    'pod',
    'steady',
    '--type=json',
    '-p',
    '[{"op":"add","path":"/metadata/labels/json","value":"yes"}]',
  );
  await ok('patch', 'pod', 'steady', '-p', '{"metadata":{"labels":{"strategic":"yes"}}}');
  const { labels, annotations } = JSON.parse(await ok('get', 'pod', 'steady', '-o', 'json')).metadata;
  assert.deepEqual(
    [labels.tier, labels.json, labels.strategic, annotations.note],
    ['two', 'yes', 'yes', 'hello'],
  );
  assert.equal((await ok('get', 'pods', '-l', 'tier=two', '-o', 'name')).trim(), 'pod/steady');
  assert.equal((await ok('get', 'pods', '-l', 'tier!=two', '-o', 'name')).includes('steady'), false);
});

test('explain knows the schema', async () => {
  const text = await ok('explain', 'pod.spec');
  assert.match(text, /KIND: +Pod\nVERSION: +v1/);
  // Versions before 1.27 call every message an object.
  assert.match(text, /containers\s+<\[\](Container|Object)> -required-/);
  const whole = await ok('explain', 'pod', '--recursive');
  for (const field of ['topologySpreadConstraints', 'httpGet', 'podIPs'])
    assert.match(whole, new RegExp(`^ +${field}\t`, 'm'));
});

test('a field that the schema has not is refused, and nothing is created', async () => {
  const wrong = JSON.stringify({ ...podOf('wrong'), spec: { contaners: [] } });
  for (const verb of ['create', 'apply']) {
    const { code, stderr } = await node.kubectl([verb, '-f', '-'], { stdin: wrong });
    assert.equal(code, 1);
    assert.match(stderr, /unknown field "(spec\.)?contaners"/);
  }
  assert.match((await node.kubectl(['get', 'pod', 'wrong'])).stderr, /NotFound/);
});

test('diff shows what apply would change, and a dry run stores nothing', async () => {
  const settings = (value: string) =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings' },
      data: { key: value },
    });
  await node.kubectlOk(['apply', '-f', '-'], { stdin: settings('one') });
  const same = await node.kubectl(['diff', '-f', '-'], { stdin: settings('one') });
  assert.deepEqual([same.code, same.stdout], [0, '']);
  const other = await node.kubectl(['diff', '-f', '-'], { stdin: settings('two') });
  assert.equal(other.code, 1, other.stderr);
  assert.match(other.stdout, /^- +key: one\n\+ +key: two$/m);
  const dry = await node.kubectlOk(['apply', '--dry-run=server', '-f', '-'], { stdin: settings('two') });
  assert.equal(dry, 'configmap/settings configured (server dry run)\n');
  assert.equal(await ok('get', 'cm', 'settings', '-o', 'jsonpath={.data.key}'), 'one');
});

test('apply merges lists by their keys: it changes and removes its own items and leaves those of others', async () => {
  const apply = (ports: object[]) =>
    node.kubectlOk(['apply', '-f', '-'], {
      stdin: JSON.stringify({
        ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'merged' } },
        spec: { selector: { app: 'steady' }, ports },
      }),
    });
  const port = (number: number, targetPort = number) => ({
    name: `port-${number}`,
    port: number,
    targetPort,
  });
  await apply([port(80), port(81)]);
  await ok('patch', 'service', 'merged', '-p', JSON.stringify({ spec: { ports: [port(82)] } }));
  await apply([port(80, 8080)]);
  const { spec } = JSON.parse(await ok('get', 'service', 'merged', '-o', 'json'));
  const left = spec.ports.map((entry: { port: number; targetPort: number }) => [
    entry.port,
    entry.targetPort,
  ]);
  assert.deepEqual(
    new Map(left),
    new Map([
      [80, 8080],
      [82, 82],
    ]),
  );
});

test('wait sees a condition and a deletion', async () => {
  await ok('wait', '--for=condition=Ready', 'pod/steady', timeoutFlag(10));
  const { stderr, code } = await node.kubectl(['wait', '--for=delete', 'pod/steady', '--timeout=1s']);
  assert.match(stderr, /timed out waiting for the condition/);
  assert.equal(code, 1);
});

test('auth can-i answers for the administrator', async () => {
  assert.equal(await ok('auth', 'can-i', 'create', 'pods'), 'yes\n');
});

test('auth whoami names the administrator', { skip: unlessKubectlHas('auth whoami') }, async () => {
  assert.match(await ok('auth', 'whoami'), /wherry-admin/);
});

const story = [/Scheduled/, /Created/, /Started/];

test('a pod whose whole name is too long for a hostname stays Pending, and an event says why', async () => {
  const name = `long-${'x'.repeat(50)}`;
  const spec = podOf(name, {}, { subdomain: 'sub', setHostnameAsFQDN: true });
  await node.kubectlOk(['apply', '-f', '-'], { stdin: JSON.stringify(spec) });
  const words = ['get', 'events', '--field-selector', `involvedObject.name=${name}`];
  await eventually('the event', async () => {
    const told = await ok(...words, '-o', 'jsonpath={range .items[*]}{.reason}: {.message}{"\\n"}{end}');
    return /FailedCreatePodSandBox: Failed to create pod sandbox: failed to construct FQDN/.test(told);
  });
  assert.equal(await ok('get', 'pod', name, '-o', 'jsonpath={.status.phase}'), 'Pending');
  await ok('delete', 'pod', name);
});

test('get events tells the story of a pod', async () => {
  const text = await ok('get', 'events', '--field-selector=involvedObject.name=steady');
  for (const reason of story) assert.match(text, reason);
});

test('events tells the story of a pod', { skip: unlessKubectlHas('events') }, async () => {
  const text = await ok('events', '--for', 'pod/steady');
  for (const reason of story) assert.match(text, reason);
});

test('create sends protobuf bodies: namespace, configmap, secret', async () => {
  assert.equal(await ok('create', 'ns', 'made'), 'namespace/made created\n');
  assert.equal(
    await ok('-n', 'made', 'create', 'configmap', 'settings', '--from-literal=a=b'),
    'configmap/settings created\n',
  );
  assert.equal(
    await ok('-n', 'made', 'create', 'secret', 'generic', 'keys', '--from-literal=k=v'),
    'secret/keys created\n',
  );
  assert.equal(
    await ok('-n', 'made', 'get', 'secret', 'keys', '-o', 'jsonpath={.data.k}'),
    Buffer.from('v').toString('base64'),
  );
  await eventually(
    'the default account',
    async () => (await node.kubectl(['-n', 'made', 'get', 'sa', 'default'])).code === 0,
  );
  await eventually(
    'the CA',
    async () => (await node.kubectl(['-n', 'made', 'get', 'cm', 'kube-root-ca.crt'])).code === 0,
  );
  await ok('delete', 'ns', 'made', timeoutFlag(30));
  assert.match((await node.kubectl(['get', 'ns', 'made'])).stderr, /NotFound/);
});

test('create token gives one of the default account', {
  skip: unlessKubectlHas('create token'),
}, async () => {
  assert.match(await ok('create', 'token', 'default'), /^[\w-]+\.[\w-]+\.[\w-]+\n?$/);
});

test('a deleted namespace takes its pods along', { timeout: stretched(90_000) }, async () => {
  await ok('create', 'ns', 'doomed');
  await ok('-n', 'doomed', 'run', 'inside', ...fromImage, '--', 'sleep', '1000');
  await ok('delete', 'ns', 'doomed', timeoutFlag(60));
  assert.match((await node.kubectl(['-n', 'doomed', 'get', 'pod', 'inside'])).stderr, /NotFound/);
});

test('environment, volumes and the token reach the container', { timeout: stretched(60_000) }, async () => {
  await ok('create', 'configmap', 'config', '--from-literal=greeting=hello');
  await ok('create', 'secret', 'generic', 'password', '--from-literal=word=secret');
  const container = {
    env: [
      { name: 'PLAIN', value: 'value' },
      { name: 'GREETING', valueFrom: { configMapKeyRef: { name: 'config', key: 'greeting' } } },
      { name: 'WORD', valueFrom: { secretKeyRef: { name: 'password', key: 'word' } } },
      { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    ],
    volumeMounts: [
      { name: 'config', mountPath: '/config' },
      { name: 'info', mountPath: '/info' },
    ],
  };
  const volumes = [
    { name: 'config', configMap: { name: 'config' } },
    {
      name: 'info',
      downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] },
    },
  ];
  await node.apply(podOf('furnished', container, { volumes }));
  const said = await ok(
    'exec',
    'furnished',
    '--',
    'sh',
    '-c',
    'echo $PLAIN $GREETING $WORD $POD; cat /config/greeting /info/labels',
  );
  assert.equal(said, 'value hello secret furnished\nhelloapp="furnished"');
  const token = await ok(
    'exec',
    'furnished',
    '--',
    'cat',
    '/var/run/secrets/kubernetes.io/serviceaccount/token',
  );
  assert.match(token, /^[\w-]+\.[\w-]+\.[\w-]+$/);
});
