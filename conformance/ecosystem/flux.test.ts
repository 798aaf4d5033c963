/** Flux on a real node, in pods by the manifests of its controllers: a git repository becomes what runs, and stays it. */
import assert from 'node:assert/strict';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { buildImage, testImage } from '../../e2e/image.ts';
import { eventually, TestNode } from '../../e2e/node.ts';
import { buildProgram, folderOf } from './build.ts';
import { GitServer } from './flux/git-server.ts';
import {
  application,
  deployment,
  kustomization,
  release,
  repository,
  resources,
  source,
} from './flux/objects.ts';

const controllers = {
  'source-controller': 'v1.9.6',
  'kustomize-controller': 'v1.9.6',
  'helm-controller': 'v1.6.0',
} as const;
type Controller = keyof typeof controllers;
const names = Object.keys(controllers) as Controller[];
const namespace = 'flux-system';

let folder: string;
let node: TestNode;
let git: GitServer;

/** What the controllers are installed by: their own definitions and Deployments, in one namespace and with one account. */
async function writeManifests(): Promise<string> {
  const root = join(folder, 'manifests');
  for (const name of names) {
    const config = join(await folderOf(`github.com/fluxcd/${name}`, name), 'config');
    for (const part of ['crd', 'manager'])
      cpSync(join(config, part), join(root, name, part), { recursive: true });
  }
  const account = { kind: 'ServiceAccount', name: 'default', namespace };
  const binding = {
    ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding' },
    metadata: { name: 'cluster-reconciler' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [account],
  };
  const parts = names.flatMap((name) => [`${name}/crd`, `${name}/manager`]);
  const whole = { namespace, resources: ['namespace.json', 'binding.json', ...parts] };
  const write = (name: string, object: object) => writeFileSync(join(root, name), JSON.stringify(object));
  write('namespace.json', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  write('binding.json', binding);
  write('kustomization.yaml', {
    ...whole,
    kind: 'Kustomization',
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
  });
  return root;
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wherry-flux-'));
  const programs = new Map<Controller, string>();
  for (const name of names) programs.set(name, await buildProgram(name));
  git = await GitServer.start(folder);
  git.commit(repository);
  cpSync(join(import.meta.dirname, '../charts/web'), join(git.folder, 'web'), { recursive: true });
  git.commit({});
  node = await TestNode.start('fleet');
  for (const name of names) {
    const fill = (tree: string) => {
      for (const path of ['bin', 'tmp', 'data', 'etc']) mkdirSync(join(tree, path));
      writeFileSync(join(tree, 'etc/passwd'), 'controller:x:65534:65534::/tmp:/bin/false\n');
      copyFileSync(programs.get(name)!, join(tree, 'bin', name));
    };
    const image = `docker.io/fluxcd/${name}:${controllers[name]}`;
    await buildImage(node.dataDir, image, fill, ['--entrypoint', `/bin/${name}`, '--user', '65534:65534']);
  }
  await node.kubectlOk(['apply', '--server-side', '-k', await writeManifests()], { timeoutMs: 120_000 });
  for (const name of names)
    await node.kubectlOk(['-n', namespace, 'rollout', 'status', `deployment/${name}`, '--timeout=120s'], {
      timeoutMs: 130_000,
    });
});
after(async () => {
  await node?.remove();
  await git?.close();
  rmSync(folder, { recursive: true, force: true });
});

const flux = (...words: string[]) => node.kubectlOk(['-n', namespace, ...words], { timeoutMs: 150_000 });
const shop = (...words: string[]) => node.kubectlOk(['-n', 'shop', ...words]);

/** Asks a controller to look at once, as `flux reconcile` does. */
async function reconcile(...objects: string[]): Promise<void> {
  const requestedAt = `reconcile.fluxcd.io/requestedAt=${performance.now()}`;
  for (const object of objects) await flux('annotate', '--overwrite', object, requestedAt);
}

/** The condition Ready of an object, once it is of this reason. */
const ready = (object: string, reason: string) =>
  eventually(
    `${object} to tell ${reason}`,
    async () => {
      const { metadata, status } = JSON.parse(await flux('get', object, '-o', 'json'));
      const told = status?.conditions?.find(({ type }: { type: string }) => type === 'Ready');
      const isNew = told?.observedGeneration === metadata.generation;
      return isNew && told.reason === reason && (told as { status: string; message: string });
    },
    120_000,
  );

/** Waits until a commit has become what runs. */
const applied = (commit: string) =>
  flux(
    ...['wait', 'kustomization/app', '--timeout=120s'],
    `--for=jsonpath={.status.lastAppliedRevision}=main@sha1:${commit}`,
  );

/** What the application's pods answer, asked from the machine. */
async function answer(): Promise<string> {
  const address = await shop('get', 'service', 'web', '-o', 'jsonpath={.spec.clusterIP}');
  return (await fetch(`http://${address}/`)).text();
}

test('what the repository holds is applied, its own kinds too, and Ready once it runs', async () => {
  const path = ['get', 'node', '-o', 'jsonpath={.items[0].status.addresses[0].address}'];
  await node.create(source(git.url(await node.kubectlOk(path))), application);
  await flux('wait', '--for=condition=Ready', 'gitrepository/fleet', 'kustomization/app', '--timeout=120s');
  assert.equal(await answer(), 'hello');
  assert.equal(
    await shop('get', 'note', 'first', '-o', 'jsonpath={.spec.text}'),
    'of a kind that comes with it',
  );
  const entries = JSON.parse(await flux('get', 'kustomization', 'app', '-o', 'json')).status.inventory
    .entries;
  assert.equal(entries.length, resources.length + 1);
  const managers = await shop(
    'get',
    'deployment',
    'web',
    '-o',
    'jsonpath={.metadata.managedFields[*].manager}',
  );
  assert.match(managers, /kustomize-controller/);
  const columns = await flux('get', 'kustomization', 'app');
  assert.match(columns, /^app +\d+s +True +Applied revision: main@sha1:[0-9a-f]+\n/m);
});

test('a commit changes what runs, and what it takes away is pruned', async () => {
  const content = await shop('get', 'configmap', '-o', 'name');
  const files = resources.filter((file) => file !== 'note.json');
  const commit = git.commit({
    'app/kustomization.yaml': kustomization('goodbye', files),
    'app/note.json': null,
  });
  await reconcile('gitrepository/fleet');
  await applied(commit);
  assert.equal(await answer(), 'goodbye');
  assert.equal(await shop('get', 'notes', '-o', 'name'), '');
  const both = (text: string) => text.match(/configmap\/content-\w+/g);
  const now = both(await shop('get', 'configmap', '-o', 'name'));
  assert.equal(now?.length, 1);
  assert.notDeepEqual(now, both(content));
});

test('what somebody else changes or deletes is put back', async () => {
  await shop('scale', 'deployment/web', '--replicas=1');
  await shop('set', 'env', 'deployment/web', 'MINE=kept');
  await shop('label', 'deployment/web', 'mine=kept', '--field-manager=somebody');
  await shop('delete', 'service', 'web');
  await reconcile('kustomization/app');
  await eventually(
    'the service',
    async () => (await node.kubectl(['-n', 'shop', 'get', 'svc', 'web'])).code === 0,
  );
  await shop('wait', '--for=jsonpath={.status.readyReplicas}=2', 'deployment/web', '--timeout=60s');
  assert.equal(await shop('get', 'deployment', 'web', '-o', 'jsonpath={.metadata.labels.mine}'), 'kept');
  const names = await shop('get', 'deployment', 'web', '-o', 'jsonpath={..env[*].name}');
  assert.equal(names, '', 'what kubectl edits of what Flux applies goes');
  const told = await flux('events', '--for=kustomization/app');
  assert.match(told, /Deployment\/shop\/web configured/);
  assert.match(told, /Service\/shop\/web created/);
});

test('what would be refused changes nothing, and is told as the server words it', async () => {
  git.commit({
    'app/kustomization.yaml': kustomization(
      'never',
      resources.filter((file) => file !== 'note.json'),
    ),
    'app/deployment.json': deployment(testImage, 'many'),
  });
  await reconcile('gitrepository/fleet');
  const { message } = await ready('kustomization/app', 'ReconciliationFailed');
  assert.match(message, /Deployment\/shop\/web dry-run failed.*spec\.replicas/);
  assert.equal(await answer(), 'goodbye');
  git.revert();
  await reconcile('gitrepository/fleet');
  await ready('kustomization/app', 'ReconciliationSucceeded');
});

test('what does not become healthy is told of', async () => {
  git.commit({ 'app/deployment.json': deployment('docker.io/library/nowhere:1') });
  await reconcile('gitrepository/fleet');
  const { message } = await ready('kustomization/app', 'HealthCheckFailed');
  assert.match(message, /Deployment\/shop\/web status: 'Failed'/);
  git.revert();
  await reconcile('gitrepository/fleet');
  await ready('kustomization/app', 'ReconciliationSucceeded');
  await shop('rollout', 'status', 'deployment/web', '--timeout=60s');
});

test('a chart of the repository is installed, tested, upgraded, held against drift, and rolled back', async () => {
  const charts = (...words: string[]) => node.kubectlOk(['-n', 'charts', ...words]);
  await node.create(release);
  await flux('wait', '--for=condition=Ready', 'helmrelease/web', '--timeout=120s');
  assert.match((await ready('helmrelease/web', 'TestSucceeded')).message, /test hook/);
  const [{ name }] = JSON.parse(await charts('get', 'deployments', '-o', 'json')).items.map(
    ({ metadata }: { metadata: object }) => metadata,
  );
  await charts('scale', `deployment/${name}`, '--replicas=3');
  await reconcile('helmrelease/web');
  const replicas = `--for=jsonpath={.spec.replicas}=1`;
  await charts('wait', replicas, `deployment/${name}`, '--timeout=60s');
  const patch = (values: object) =>
    flux('patch', 'helmrelease/web', '--type=merge', '-p', JSON.stringify({ spec: { values } }));
  await patch({ greeting: 'goodbye' });
  await ready('helmrelease/web', 'TestSucceeded');
  assert.match(await charts('get', 'configmaps', '-o', 'jsonpath={..data}'), /goodbye/);
  const timeout = JSON.stringify({
    spec: { timeout: '10s', values: { image: 'docker.io/library/nowhere:1' } },
  });
  await flux('patch', 'helmrelease/web', '--type=merge', '-p', timeout);
  await eventually(
    'the release to be rolled back',
    async () =>
      /RollbackSucceeded|remediat|rollback.*succeeded/i.test(
        await flux('get', 'helmrelease/web', '-o', 'json'),
      ),
    120_000,
  );
  assert.match(await charts('get', 'configmaps', '-o', 'jsonpath={..data}'), /goodbye/);
  await flux('delete', 'helmrelease/web', '--timeout=60s');
  assert.equal(await charts('get', 'deployments,services', '-o', 'name'), '');
});

test('with the kustomization goes all that it has made', async () => {
  await flux('delete', 'kustomization/app', '--timeout=120s');
  await node.kubectlOk(['wait', '--for=delete', 'namespace/shop', '--timeout=60s']);
  const definition = await node.kubectl(['get', 'crd', 'notes.flux.wherry.dev']);
  assert.match(definition.stderr, /NotFound/);
});

test('the controllers have complained of nothing but what was not sound', async () => {
  const known = [
    ...[/dry-run failed/, /health check failed/i],
    ...[/nowhere:1/, /context deadline exceeded/, /upgrade failed/i, /rolled back/i],
    // Dry runs beside one that fails are broken off, which client-go logs.
    /"error":"context canceled"/,
    // It compares a time in UTC with one that it has read; this condition is not among those that it calls its own.
    /The condition .{1,2}Drifted.{1,2} was modified by a different process/,
  ];
  for (const name of names) {
    const text = await flux('logs', `deployment/${name}`);
    const lines = text.split('\n').filter((line) => /"level":"(error|warn)|^[WEF]\d{4} /.test(line));
    assert.deepEqual(
      lines.filter((line) => !known.some((each) => each.test(line))),
      [],
      name,
    );
    assert.equal(await flux('get', 'pods', '-l', `app=${name}`, '-o', 'jsonpath={..restartCount}'), '0');
  }
});
