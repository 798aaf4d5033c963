/** Programs on older @kubernetes/client-node, on kubernetes-fluent-client above it, and on kubernetes-client, before a real node. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { run } from '../../e2e/command.ts';
import { testImage } from '../../e2e/image.ts';
import { podOf, scriptPod, TestNode } from '../../e2e/node.ts';
import { installPrograms, programOf } from './npm-programs.ts';
import { tokenKubeconfig } from './token-kubeconfig.ts';

const script = 'n=0; while :; do n=$((n+1)); echo line $n; sleep 1; done & exec httpd -f -p 8080 -h /etc';
/** Loading a client takes seconds, as does each of a dozen attempts. */
const timeoutMs = 120_000;
const majors = { '0': '0.22', '1': '1.4' };

let node: TestNode;
let folder: string;
let kubeconfig: string;

before(async () => {
  installPrograms();
  folder = mkdtempSync(join(tmpdir(), 'wherry-client-node-'));
  node = await TestNode.start('told');
  const labels = { app: 'many' };
  const template = { metadata: { labels }, spec: podOf('many', { image: testImage }).spec };
  await node.apply(scriptPod('talks', script), podOf('evicted'), {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'many' } },
    spec: { replicas: 0, selector: { matchLabels: labels }, template },
  });
  // Of clients' certificates, kubernetes-client makes nothing where it opens a WebSocket.
  await node.kubectlOk(['create', 'serviceaccount', 'program']);
  const words = ['--clusterrole=cluster-admin', '--serviceaccount=default:program'];
  await node.kubectlOk(['create', 'clusterrolebinding', 'program', ...words]);
  kubeconfig = await tokenKubeconfig(node, 'program', folder);
});
after(async () => {
  await node?.remove();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** The values of JSON that one of the programs prints, a line each. */
async function printed(program: string, ...words: string[]): Promise<unknown[]> {
  const env = { KUBECONFIG: kubeconfig, HOME: folder };
  const finished = await run(process.execPath, [programOf(program), ...words], { env, timeoutMs });
  assert.equal(finished.code, 0, `${finished.stdout}${finished.stderr}`);
  return finished.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

for (const [major, version] of Object.entries(majors)) {
  const inPod = (...command: string[]) => node.kubectlOk(['exec', 'talks', '--', ...command]);

  describe(`@kubernetes/client-node ${version}`, () => {
    let told: Record<string, unknown>;

    before(async () => {
      const lines = await printed('client-node.ts', major, 'talks', folder);
      told = Object.fromEntries(lines as [string, unknown][]);
    });

    test('exec brings both outputs whole, and the exit code', () => {
      assert.deepEqual(told['exec'], ['Failure', '3', 'out\n', 'oops\n']);
      assert.deepEqual(told['output'], ['Success', 1_988_895]);
    });

    test('a terminal has the size that its window has', () => {
      assert.deepEqual(told['terminal'], ['Success', null, '31 101\r\n', '']);
    });

    test('a command whose input ends goes on to its end', async () => {
      assert.equal(await inPod('cat', `/tmp/by-${major}`), 'hello\nall\n');
    });

    test('attach and a followed log bring lines as they come', () => {
      assert.match(String(told['attach']), /^line \d+\n$/);
      const counts = (told['log'] as string[]).map((line) => Number(/^line (\d+)$/.exec(line)?.[1]));
      const wanted = counts.map((_, index) => counts[0]! + index);
      assert.deepEqual(counts, wanted);
    });

    test('a forwarded port answers', () => {
      assert.equal(told['forward'], 'HTTP/1.1 200 OK');
    });

    test('an informer tells of an object in each of its states', () => {
      const name = `by-${major}`;
      assert.deepEqual(told['informer'], [`add ${name}`, `update ${name}`, `delete ${name}`]);
    });

    test('nodes and pods have what they take', () => {
      assert.deepEqual(told['figures'], [1, ['evicted', 'talks']]);
    });

    test('files are copied into a pod', { skip: major === '1' && 'its own are broken' }, async () => {
      assert.equal(await inPod('cat', '/tmp/up.txt'), 'content\n');
    });
  });
}

test('kubernetes-client makes its calls of the OpenAPI document: exec, logs, a scale, a watch', async () => {
  const [{ log, pods, ...rest }] = (await printed('kubernetes-client.mjs')) as [
    { log: string; pods: string[] },
  ];
  assert.match(log, /^line \d+\n$/);
  assert.ok(pods.includes('talks'), String(pods));
  assert.deepEqual(rest, {
    // A Scale leaves out that there are none.
    scale: {},
    missing: '404 configmaps "made" not found',
    messages: [
      { channel: 'stdout', message: 'out\n' },
      { channel: 'stderr', message: 'oops\n' },
      // The protocol without a version has words in place of a Status.
      { channel: 'error', message: 'command terminated with non-zero exit code: exit code 3' },
    ],
    seen: ['ADDED made', 'MODIFIED made', 'DELETED made'],
  });
});

test('kubernetes-fluent-client applies, patches, watches, scales, evicts, and reads logs', async () => {
  const schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { sails: { type: 'integer' } } } },
  };
  await node.create({
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: { name: 'boats.harbour.example.com' },
    spec: {
      ...{ group: 'harbour.example.com', scope: 'Namespaced', names: { plural: 'boats', kind: 'Boat' } },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  });
  await node.kubectlOk(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=30s']);
  const [{ line, ...rest }] = (await printed('fluent.ts')) as [{ line: string }];
  assert.match(line, /^\[pod\/talks\] line \d+$/);
  assert.deepEqual(rest, {
    // What an application leaves out, it gives up.
    ...{ data: { b: '2', c: '3' }, held: ['example.com/held'], released: [] },
    ...{ told: [], seen: ['ADDED watched', 'MODIFIED watched', 'DELETED watched'] },
    // Of the folder that is served there, no page is the first.
    ...{ page: 404, boats: [{ sails: 1 }], missing: '404 NotFound', again: '409 AlreadyExists' },
  });
  const replicas = ['get', 'deployment', 'many', '-o', 'jsonpath={.spec.replicas}'];
  assert.equal(await node.kubectlOk(replicas), '2');
  await node.kubectlOk(['wait', '--for=delete', 'pod/evicted', '--timeout=30s']);
});
