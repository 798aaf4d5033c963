/** Tekton on a real node by its own manifests: pipelines whose steps are containers that wait for each other. */
import assert from 'node:assert/strict';
import {
  copyFileSync,
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
import { buildImage, buildTestImage } from '../../e2e/image.ts';
import { eventually, TestNode } from '../../e2e/node.ts';
import { buildProgram, folderOf } from './build.ts';
import { failing, greeting, pipeline, pipelineRun, shellImage, taskRun, waiting } from './tekton/objects.ts';

const namespace = 'tekton-pipelines';
const module = 'github.com/tektoncd/pipeline';
const parts = ['controller', 'webhook', 'entrypoint', 'nop', 'workingdirinit'] as const;

let folder: string;
let node: TestNode;

/** Its manifests as they stand, but for the images, and without what resolves tasks of other places and sends events. */
async function manifests(): Promise<string> {
  const config = join(await folderOf(module, 'tekton-controller'), 'config');
  const left = /^(events|webhook-hpa|config-leader-election-events)\.yaml$/;
  const files = readdirSync(config, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml') && !file.startsWith('resolvers') && !left.test(file))
    .sort();
  const text = files.map((file) => readFileSync(join(config, file), 'utf8')).join('\n---\n');
  return text
    .replaceAll(/ko:\/\/github\.com\/tektoncd\/pipeline\/cmd\/(\w+)/g, 'docker.io/tekton/$1:judged')
    .replaceAll(/cgr\.dev\/chainguard\/busybox@sha256:\w+/g, shellImage);
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wherry-tekton-'));
  const programs = new Map<string, string>();
  for (const part of parts) programs.set(part, await buildProgram(`tekton-${part}`));
  node = await TestNode.start('pipelines');
  await buildTestImage(node.dataDir, shellImage);
  for (const part of parts) {
    const fill = (tree: string) => {
      for (const path of ['ko-app', 'tmp', 'etc']) mkdirSync(join(tree, path));
      copyFileSync(programs.get(part)!, join(tree, 'ko-app', part));
    };
    await buildImage(node.dataDir, `docker.io/tekton/${part}:judged`, fill, [
      '--entrypoint',
      `/ko-app/${part}`,
    ]);
  }
  const file = join(folder, 'tekton.yaml');
  writeFileSync(file, await manifests());
  await node.kubectlOk(['apply', '--server-side', '-f', file], { timeoutMs: 120_000 });
  for (const part of ['controller', 'webhook'])
    await node.kubectlOk(
      ['-n', namespace, 'rollout', 'status', `deployment/tekton-pipelines-${part}`, '--timeout=120s'],
      { timeoutMs: 130_000 },
    );
  // Its webhooks are believed once it has written its own certificate into their configurations.
  const bundle = 'jsonpath={.webhooks[*].clientConfig.caBundle}';
  for (const kind of ['mutating', 'validating'])
    await eventually(`the authority of its ${kind} webhooks`, async () => {
      const words = ['get', `${kind}webhookconfigurations`, '-o', `jsonpath={.items[*].webhooks[*].name}`];
      const names = (await node.kubectlOk(words)).split(' ');
      const found = (await node.kubectlOk([...words.slice(0, 3), bundle.replace('{', '{.items[*]')])).trim();
      return found.split(' ').length === names.length;
    });
  await node.create(greeting, failing, waiting, pipeline);
});
after(async () => {
  await node?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const get = async (...words: string[]) => JSON.parse(await node.kubectlOk(['get', ...words, '-o', 'json']));

/** Waits until a run has ended well or badly, and answers its status. */
async function ended(run: string, isGood: boolean) {
  const wanted = isGood ? 'True' : 'False';
  const condition = `--for=condition=Succeeded=${wanted}`;
  await node.kubectlOk(['wait', condition, run, '--timeout=120s'], { timeoutMs: 130_000 });
  return (await get(run)).status;
}

const logs = (pod: string, container: string) => node.kubectlOk(['logs', pod, '-c', `step-${container}`]);

test('steps of a task run one behind the other beside its sidecar, and leave a result', async () => {
  const workspaces = [{ name: 'shared', emptyDir: {} }];
  const params = [{ name: 'whom', value: 'world' }];
  await node.create(taskRun('first', 'greet', { workspaces, params }));
  const status = await ended('taskrun/first', true);
  assert.deepEqual(status.results, [{ name: 'said', type: 'string', value: 'hello world' }]);
  assert.match(await logs(status.podName, 'tell'), /^hello world\nroot:x:0:0/);
  const starts = status.steps.map(
    ({ terminated }: { terminated: { startedAt: string } }) => terminated.startedAt,
  );
  assert.deepEqual(starts, [...starts].sort());
  assert.match(await node.kubectlOk(['get', 'taskruns']), /^first +True +Succeeded +/m);
});

test('a step that fails ends the task, unless it may', async () => {
  await node.create(taskRun('bad', 'fail'));
  const status = await ended('taskrun/bad', false);
  const codes = status.steps.map(
    ({ terminated }: { terminated: { exitCode: number } }) => terminated.exitCode,
  );
  assert.deepEqual(codes.slice(0, 2), [3, 7]);
  assert.notEqual(codes[2], 0);
  assert.match(status.conditions[0].message, /step-fails.* exited with code 7/);
});

test('a task that takes too long is ended, and one that is cancelled', async () => {
  await node.create(taskRun('slow', 'wait', { timeout: '5s' }), taskRun('unwanted', 'wait'));
  const slow = await ended('taskrun/slow', false);
  assert.equal(slow.conditions[0].reason, 'TaskRunTimeout');
  const patch = JSON.stringify({ spec: { status: 'TaskRunCancelled' } });
  await node.kubectlOk(['patch', 'taskrun/unwanted', '--type=merge', '-p', patch]);
  const unwanted = await ended('taskrun/unwanted', false);
  assert.equal(unwanted.conditions[0].reason, 'TaskRunCancelled');
  await node.kubectlOk(['wait', '--for=delete', 'pod', '-l', 'tekton.dev/task=wait', '--timeout=60s']);
});

test('a pipeline hands results and a claim on, tries again, leaves out, and ends with what it is to end with', async () => {
  await node.create(pipelineRun('whole', 'world'));
  const status = await ended('pipelinerun/whole', true);
  assert.deepEqual(status.results, [{ name: 'said', value: 'hello world' }]);
  assert.equal(status.skippedTasks[0].name, 'skipped');
  const pod = async (task: string) => (await get(`taskrun/whole-${task}`)).status.podName;
  assert.match(await logs(await pod('meet'), 'join'), /^hello world\n[\s\S]*got hello world\n$/);
  assert.match(await logs(await pod('report'), 'tell'), /^done with it: Succeeded, Completed\n$/);
  assert.equal((await get('taskrun/whole-unsteady')).status.retriesStatus.length, 1);
  await node.kubectlOk(['delete', 'pipelinerun/whole', '--timeout=60s']);
  await node.kubectlOk(['wait', '--for=delete', 'taskrun,pvc', '--all', '--timeout=60s']).catch(() => {});
  assert.deepEqual((await get('pvc')).items, []);
  assert.deepEqual((await get('pods', '-l', 'tekton.dev/pipelineRun=whole')).items, []);
});

test('what makes no sense is refused by its webhook, and older versions are converted', async () => {
  const task = { ...greeting, metadata: { name: 'unsound' }, spec: { steps: [] } };
  const { code, stderr } = await node.kubectl(['create', '-f', '-'], { stdin: JSON.stringify(task) });
  assert.equal(code, 1);
  assert.match(stderr, /admission webhook "validation\.webhook\.pipeline\.tekton\.dev" denied the request/);
  const old = await get('tasks.v1beta1.tekton.dev', 'greet');
  assert.equal(old.apiVersion, 'tekton.dev/v1beta1');
  assert.equal(old.spec.steps.length, 3);
});

test('its programs have complained of nothing that was sound', async () => {
  const known = new RegExp(
    [
      // Watches end when a definition changes, as its webhook writes its authority into each.
      'very short watch',
      'stopping task run .{1,2}(slow|unwanted)',
      // Until it has made its certificate.
      'webhook-certs.{1,3} is missing',
      // It writes by what it last saw, and tries again.
      'the object has been modified',
      // Whoever calls it for the first time breaks off, since its certificate has its authority's name.
      'TLS handshake error from .*: EOF',
    ].join('|'),
  );
  for (const part of ['controller', 'webhook']) {
    const text = await node.kubectlOk(['-n', namespace, 'logs', `deployment/tekton-pipelines-${part}`]);
    const lines = text
      .split('\n')
      .filter((line) => /"(level|severity)":"(error|warn)|^[WE]\d{4} /i.test(line));
    assert.deepEqual(
      lines.filter((line) => !known.test(line)),
      [],
      part,
    );
  }
});
