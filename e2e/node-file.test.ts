/** A node that a file describes, and its images from a registry that knows its users. */
import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type GuardedRegistry, guardedRegistry } from './guarded-registry.ts';
import { wherry } from './node.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-file-'));
const dataDir = join(folder, 'data');
const config = join(folder, 'node.yaml');
let registry: GuardedRegistry;

const atNode = (...words: string[]) => wherry([...words, '--data-dir', dataDir], { env: { HOME: folder } });
const description = `apiVersion: wherry/v1alpha1
kind: Node
name: filed
dataDir: ${dataDir}
ports: {api: 0, kubelet: 0}
runtimeConfig: {batch/v1: false}
kubelet: {maxPods: 7}
apiserverFlags: {encryption-provider-config: encryption.yaml}
controllersFlags: {node-monitor-grace-period: 31s}
proxy: {http: "http://127.0.0.1:9", noProxy: [127.0.0.1]}
manifests: [objects.yaml]
`;

const encryption = `apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
  - resources: [secrets]
    providers:
      - secretbox: {keys: [{name: one, secret: ${Buffer.alloc(32, 7).toString('base64')}}]}
`;

before(async () => {
  registry = await guardedRegistry('ann', 'secret');
  writeFileSync(
    join(folder, 'objects.yaml'),
    JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'given' }, data: { a: 'b' } }),
  );
  writeFileSync(join(folder, 'encryption.yaml'), encryption);
  writeFileSync(config, description);
  const { code, stderr } = await wherry(['up', '--config', config, '--detach']);
  assert.equal(code, 0, stderr);
});
after(async () => {
  await registry?.[Symbol.asyncDispose]();
  const { code, stderr } = await atNode('down', '--purge');
  assert.equal(code, 0, stderr);
  assert.ok(!existsSync(dataDir), 'the folder of the node is still there');
  rmSync(folder, { recursive: true, force: true });
});

test('ports, kubelet, runtime-config, proxies and manifests of the file have effect', async () => {
  const get = async (...words: string[]) => (await atNode('get', ...words)).stdout;
  assert.equal(await get('node', 'filed', '-o', 'jsonpath={.status.capacity.pods}'), '7');
  assert.equal(await get('cm', 'given', '-o', 'jsonpath={.data.a}'), 'b');
  assert.match((await atNode('get', 'jobs')).stderr, /doesn't have a resource type "jobs"/);
  const { processes } = JSON.parse(readFileSync(join(dataDir, 'node.json'), 'utf8'));
  const environment = readFileSync(`/proc/${processes.runtime.pid}/environ`, 'utf8').split('\0');
  assert.ok(environment.includes('HTTP_PROXY=http://127.0.0.1:9'));
  assert.ok(environment.includes('NO_PROXY=127.0.0.1'));
});

const storedTexts = () =>
  readdirSync(join(dataDir, 'apiserver'), { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.startsWith('state.db'))
    .map(({ name }) => readFileSync(join(dataDir, 'apiserver', name), 'latin1'))
    .join('');

test('flags of the file reach the API server and the controllers', async () => {
  const made = await atNode('create', 'secret', 'generic', 'hidden', '--from-literal=word=wherry-hides-this');
  assert.equal(made.code, 0, made.stderr);
  await atNode('create', 'configmap', 'open', '--from-literal=word=wherry-shows-this');
  assert.ok(storedTexts().includes('wherry-shows-this'), 'the store is read here');
  const value = Buffer.from('wherry-hides-this').toString('base64');
  assert.ok(!storedTexts().includes(value), 'the secret is stored as it is');
  const { processes } = JSON.parse(readFileSync(join(dataDir, 'node.json'), 'utf8'));
  const words = readFileSync(`/proc/${processes.controllers.pid}/cmdline`, 'utf8').split('\0');
  assert.ok(words.includes('--node-monitor-grace-period=31s'));
});

test('another file changes the processes that read it, and refuses what cannot change', async () => {
  const idOf = (role: string) =>
    JSON.parse(readFileSync(join(dataDir, 'node.json'), 'utf8')).processes[role].pid;
  const [apiserver, kubelet] = [idOf('apiserver'), idOf('kubelet')];
  const changed = await atNode('up', '--detach', '--runtime-config', 'batch/v1=true');
  assert.equal(changed.code, 0, changed.stderr);
  assert.match((await atNode('get', 'jobs')).stderr, /No resources found in default namespace/);
  assert.notEqual(idOf('apiserver'), apiserver);
  const hidden = await atNode('get', 'secret', 'hidden', '-o', 'go-template={{.data.word | base64decode}}');
  assert.equal(hidden.stdout, 'wherry-hides-this', 'flags of the file stay');
  assert.equal(idOf('kubelet'), kubelet);
  for (const [words, says] of [
    [['--name', 'other'], /^error: the node in this folder has name filed; "wherry down --purge" it first$/m],
    [['--api-port', '1'], /has API port \d+/],
  ] as const) {
    const { code, stderr } = await atNode('up', '--detach', ...words);
    assert.equal(code, 1);
    assert.match(stderr, says);
  }
});

test('an image that is not shown to everyone: denied, pulled by name and password, saved and loaded', async () => {
  const image = `${registry.address}/team/app`;
  const denied = await atNode('image', 'pull', image);
  assert.equal(denied.code, 1);
  assert.match(denied.stderr, /^error: pulling .*app: .* docker login first, or give --creds/);
  const absent = await atNode('image', 'pull', `${registry.address}/team/none`, '--creds', 'ann:secret');
  assert.match(absent.stderr, /^error: pulling .*none: .* no such image or tag/);
  const pulled = await atNode('image', 'pull', image, '--creds', 'ann:secret');
  assert.match(
    pulled.stdout,
    new RegExp(`^pulled ${image}:latest \\(sha256:[0-9a-f]{64}\\)$`, 'm'),
    pulled.stderr,
  );
  const auth = Buffer.from('ann:secret').toString('base64');
  assert.match((await atNode('image', 'remove', image)).stdout, /^removed /);
  const docker = join(folder, 'docker');
  const env = { DOCKER_CONFIG: docker };
  mkdirSync(docker);
  writeFileSync(join(docker, 'config.json'), JSON.stringify({ auths: { [registry.address]: { auth } } }));
  const again = await wherry(['image', 'pull', image, '--data-dir', dataDir, '-o', 'name'], { env });
  assert.equal(again.stdout, `${image}:latest\n`, again.stderr);
  // A helper is a program in the search path, which is told the registry.
  await atNode('image', 'remove', image);
  const helper = join(folder, 'docker-credential-ann');
  const answer = '{"Username":"ann","Secret":"secret"}';
  writeFileSync(helper, `#!/bin/sh\n[ "$1 $(cat)" = "get ${registry.address}" ] && echo '${answer}'\n`, {
    mode: 0o755,
  });
  writeFileSync(join(docker, 'config.json'), JSON.stringify({ credHelpers: { [registry.address]: 'ann' } }));
  const helped = { env: { ...env, PATH: `${folder}:${process.env['PATH']}` } };
  const third = await wherry(['image', 'pull', image, '--data-dir', dataDir, '-o', 'name'], helped);
  assert.equal(third.stdout, `${image}:latest\n`, third.stderr);
  writeFileSync(helper, '#!/bin/sh\necho locked\nexit 1\n');
  const failed = await wherry(['image', 'pull', image, '--data-dir', dataDir], helped);
  assert.match(failed.stderr, /^error: docker-credential-ann fails with code 1: locked$/m);
  const tar = join(folder, 'app.tar');
  assert.match((await atNode('image', 'save', image, '-o', tar)).stdout, /^saved /);
  await atNode('image', 'remove', image);
  assert.equal((await atNode('image', 'load', tar)).stdout, `loaded ${image}:latest\n`);
  assert.match(
    (await atNode('image', 'prune', '--all')).stdout,
    /removed .*\/team\/app:latest\n.* came free/,
  );
});
