/** `create KIND NAME`. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { ConfigMap, Deployment, Job, Secret } from '@wherry/kubeapi';
import { Served } from './served.ts';

let served: Served;

before(async () => {
  served = await Served.start();
});
after(() => served?.close());

const said = (stdout: string) => ({ code: 0, stdout: `${stdout}\n`, stderr: '' });
const failed = (stderr: string) => ({ code: 1, stdout: '', stderr: `${stderr}\n` });
const write = (name: string, content: string | Buffer): string => {
  const path = join(served.server.folder, name);
  writeFileSync(path, content);
  return path;
};

test('create makes objects of one kind by words, and says what is there already', async () => {
  for (const [line, name] of [
    ['create ns made', 'namespace/made'],
    ['create sa made', 'serviceaccount/made'],
    ['create deployment made --image=app', 'deployment.apps/made'],
    ['create job made --image=app', 'job.batch/made'],
    ['create cm made', 'configmap/made'],
    ['create secret generic made', 'secret/made'],
  ] as const) {
    for (const [where, words] of [
      ['client', 'dry run'],
      ['server', 'server dry run'],
    ])
      assert.deepEqual(await served.run(`${line} --dry-run=${where}`), said(`${name} created (${words})`));
    assert.deepEqual(await served.run(line), said(`${name} created`));
  }
  assert.deepEqual(
    await served.run('create ns made'),
    failed('Error from server (AlreadyExists): namespaces "made" already exists'),
  );
  assert.deepEqual(
    await served.run('create deployment made --image=app'),
    failed('error: failed to create deployment: deployments.apps "made" already exists'),
  );
});

test('create deployment and job take images and a command', async () => {
  await served.run('create deployment web --image=reg/app:1 --image=side@sha256:0 -r 2 --port=80');
  const { spec } = await served.client.get<Deployment>('Deployment/web');
  const [first, second] = spec?.template.spec?.containers ?? [];
  assert.deepEqual([spec?.replicas, spec?.selector.matchLabels], [2, { app: 'web' }]);
  assert.deepEqual([first?.name, first?.image, first?.ports?.[0]?.containerPort], ['app', 'reg/app:1', 80]);
  assert.deepEqual([second?.name, second?.ports], ['side', undefined]);
  const { stdout } = await served.run('create job one --image=app --dry-run=client -o json -- sleep 1');
  const container = { name: 'one', image: 'app', command: ['sleep', '1'] };
  assert.deepEqual((JSON.parse(stdout) as Job).spec?.template.spec?.containers, [container]);
});

test('create configmap and secret take literals, files, folders and lines of an environment', async () => {
  const folder = join(served.server.folder, 'settings');
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.txt'), 'text');
  writeFileSync(join(folder, 'not a key'), 'left out');
  const binary = write('binary', Buffer.from([0xff, 0xfe]));
  const env = write('x.env', 'A=1\n# none\n  B=2=3\n');
  await served.run(`create cm full --from-literal=k=v=w --from-file=${folder} --from-file=raw=${binary}`);
  const { data, binaryData } = await served.client.get<ConfigMap>('ConfigMap/full');
  assert.deepEqual([data, binaryData], [{ 'a.txt': 'text', k: 'v=w' }, { raw: '//4=' }]);
  await served.run(`create secret generic full --from-env-file=${env} --type=example.com/x`);
  const secret = await served.client.get<Secret>('Secret/full');
  assert.deepEqual([secret.data, secret.type], [{ A: 'MQ==', B: 'Mj0z' }, 'example.com/x']);
  for (const [words, says] of [
    ['--from-literal=a', 'error: invalid literal source a, expected key=value'],
    ['--from-file=/nope', 'error: error reading /nope: no such file or directory'],
    [
      '--from-literal=a=1 --from-literal=a=2',
      'error: cannot add key "a", another key by that name already exists',
    ],
    [
      `--from-literal=a=1 --from-env-file=${env}`,
      'error: from-env-file cannot be combined with from-file or from-literal',
    ],
  ] as const)
    assert.deepEqual(await served.run(`create cm bad ${words}`), failed(says), words);
});
