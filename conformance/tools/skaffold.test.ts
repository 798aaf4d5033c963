/** skaffold before a real node: what it deploys, follows, forwards and synchronises while somebody develops. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { run } from '../../e2e/command.ts';
import { freePort } from '../../e2e/free-port.ts';
import { type GuardedRegistry, guardedRegistry } from '../../e2e/guarded-registry.ts';
import { eventually, TestNode } from '../../e2e/node.ts';
import { type GoPeer, startGoPeer } from '../peers/go-process.ts';
import { buildTool } from './build.ts';
import { login, SkaffoldProject } from './skaffold-project.ts';

const stepMs = 60_000;
const testMs = 3 * stepMs;

let node: TestNode;
let folder: string;
let registry: GuardedRegistry;
let project: SkaffoldProject;
let skaffold: string;
let port: number;
let dev: GoPeer;

const environment = () => ({ KUBECONFIG: node.kubeconfig, HOME: folder });
/** What starts skaffold in its project's folder, where it looks for its files. */
const inProject = (...words: string[]) => ['-C', folder, skaffold, ...words, '--update-check=false'];

before(async () => {
  skaffold = await buildTool('skaffold');
  folder = mkdtempSync(join(tmpdir(), 'wherry-skaffold-'));
  registry = await guardedRegistry(login.username, login.password);
  port = await freePort();
  project = new SkaffoldProject(folder, registry, port);
  node = await TestNode.start('developed');
  const flags = [
    '--port-forward',
    '--tail',
    '--interactive=false',
    '--cache-artifacts=false',
    '--force-colors',
  ];
  dev = startGoPeer('env', inProject('dev', ...flags), environment());
});
after(async () => {
  await dev?.[Symbol.asyncDispose]();
  await node?.remove();
  await registry?.[Symbol.asyncDispose]();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** Waits until the forwarded port answers with that page. */
const shows = (text: string) =>
  eventually(
    `the page to be ${text}`,
    async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
      return (await answer?.text()) === text;
    },
    stepMs,
  );

test('it deploys, waits, and follows the log in the color of its container', {
  timeout: testMs,
}, async () => {
  await dev.output(/deployment\/web is ready[\s\S]*Port forwarding service\/web in namespace default/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences of a terminal
  await dev.output(/\x1b\[\d+m\[main\]\x1b\[0m one/);
});

test('a page that changes is in the pod, and at the forwarded port, without a deployment', {
  timeout: testMs,
}, async () => {
  const names = ['get', 'pods', '-o', 'jsonpath={.items[*].metadata.name}'];
  const before = await node.kubectlOk(names);
  project.page('second');
  await dev.output(/Syncing 1 files/);
  await shows('second');
  assert.equal(await node.kubectlOk(names), before);
});

test('objects that change are deployed; the log and the forwarded port go on with the new pod', {
  timeout: testMs,
}, async () => {
  project.says('two');
  await dev.output(/\[main\]\S* two/);
  project.page('third');
  await shows('third');
});

test('it takes everything away when it is interrupted', { timeout: testMs }, async () => {
  dev.process.kill('SIGINT');
  const { exitCode, stdout } = await dev.result;
  assert.equal(exitCode, 0);
  assert.match(stdout.toString(), /deployment.apps "web" deleted/);
  const left = ['get', 'deployments,pods,secrets', '-o', 'name', '--ignore-not-found'];
  await eventually('the end of what it made', async () => (await node.kubectlOk(left)) === '');
});

test('run leaves what it deploys, and delete takes it away', { timeout: testMs }, async () => {
  const options = { env: environment(), timeoutMs: stepMs };
  const ran = await run('env', inProject('run', '--cache-artifacts=false'), options);
  assert.equal(ran.code, 0, ran.stdout + ran.stderr);
  assert.match(await node.kubectlOk(['get', 'deployment', 'web']), /1\/1/);
  const deleted = await run('env', inProject('delete'), options);
  assert.equal(deleted.code, 0, deleted.stdout + deleted.stderr);
  assert.equal(await node.kubectlOk(['get', 'deployments', '-o', 'name']), '');
});
