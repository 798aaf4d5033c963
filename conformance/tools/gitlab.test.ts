/** GitLab's runner before a real node: jobs are pods, whose scripts go in by attach or exec and whose logs come out by exec. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { WebSocket } from 'ws';
import { freePort } from '../../e2e/free-port.ts';
import { testImage } from '../../e2e/image.ts';
import { eventually, TestNode } from '../../e2e/node.ts';
import { type GoPeer, startGoPeer } from '../peers/go-process.ts';
import { buildTool } from './build.ts';
import { Coordinator } from './gitlab/coordinator.ts';
import { buildHelperImage } from './gitlab/helper-image.ts';
import { writeRunnerSettings } from './gitlab/runner-settings.ts';

const jobMs = 120_000;
const legacy = { FF_USE_LEGACY_KUBERNETES_EXECUTION_STRATEGY: 'true' };
const ways = { attach: {}, exec: legacy };
const account = 'runner';

let node: TestNode;
let folder: string;
let coordinator: Coordinator;
let runner: GoPeer;

before(async () => {
  const program = await buildTool('gitlab-runner');
  folder = mkdtempSync(join(tmpdir(), 'wherry-gitlab-'));
  node = await TestNode.start('jobs');
  await buildHelperImage(node, program);
  await node.kubectlOk(['create', 'serviceaccount', account]);
  const words = ['--clusterrole=cluster-admin', `--serviceaccount=default:${account}`];
  await node.kubectlOk(['create', 'clusterrolebinding', account, ...words]);
  coordinator = await Coordinator.start(testImage);
  const sessions = `127.0.0.1:${await freePort()}`;
  const file = await writeRunnerSettings(folder, node, account, { coordinator: coordinator.url, sessions });
  runner = startGoPeer(program, ['run', '--config', file, '--working-directory', folder], { HOME: folder });
});
after(async () => {
  await runner?.[Symbol.asyncDispose]();
  await coordinator?.[Symbol.asyncDispose]();
  await node?.remove();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** The numbers of the lines `WORD NUMBER` in a log. */
const numbered = (log: string, word = 'line') =>
  [...log.matchAll(new RegExp(`^${word} (\\d+)$`, 'gm'))].map(([, number]) => Number(number));
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const counting = (count: number, word = 'line') => `seq 1 ${count} | sed "s/^/${word} /"`;
/** Keeps on talking, since a silent job is told only every half minute that nobody wants it. */
const endless = 'n=0; while :; do n=$((n+1)); echo line $n; sleep 1; done';
const podsLeft = () => node.kubectlOk(['get', 'pods', '-o', 'name']);

for (const [way, variables] of Object.entries(ways)) {
  test(`ten thousand lines come in order, by ${way}`, { timeout: jobMs }, async () => {
    const job = coordinator.hand({ name: `talks-${way}`, script: [counting(10_000)], variables });
    assert.deepEqual(
      await job.ended.promise,
      { state: 'success', exitCode: undefined, reason: undefined },
      job.log,
    );
    assert.deepEqual(numbered(job.log), upTo(10_000));
  });

  test(`a script that fails is told with its code, by ${way}`, { timeout: jobMs }, async () => {
    const script = ['echo line 1', 'sh -c "exit 37"', 'echo line 2'];
    const job = coordinator.hand({ name: `fails-${way}`, script, variables });
    const { state, exitCode, reason } = await job.ended.promise;
    assert.deepEqual([state, exitCode, reason], ['failed', 37, 'script_failure'], job.log);
    assert.deepEqual(numbered(job.log), [1]);
  });

  test(`a job that is cancelled ends, and its pod with it, by ${way}`, { timeout: jobMs }, async () => {
    const job = coordinator.hand({ name: `long-${way}`, script: [endless], variables });
    await eventually('its first line', () => numbered(job.log).length > 0, jobMs);
    job.isCanceled = true;
    await eventually('the end of its pod', async () => (await podsLeft()) === '', jobMs);
  });
}

test('four jobs at once keep what they say apart, beside a service that one of them asks', {
  timeout: jobMs,
}, async () => {
  const web = { name: testImage, alias: 'web', command: ['httpd', '-f', '-p', '8080', '-h', '/etc'] };
  const asking = 'until wget -q -O - http://web:8080/group; do sleep 1; done';
  const jobs = ['a', 'b', 'c', 'd'].map((word, index) =>
    coordinator.hand({
      name: word,
      script: [counting(2_000, word), ...(index === 0 ? [asking] : [])],
      variables: index % 2 === 0 ? {} : legacy,
      ...(index === 0 && { services: [web] }),
    }),
  );
  for (const [index, job] of jobs.entries()) {
    assert.equal((await job.ended.promise).state, 'success', job.log);
    const others = ['a', 'b', 'c', 'd'].map((word) => numbered(job.log, word).length);
    assert.deepEqual(
      others,
      [0, 1, 2, 3].map((each) => (each === index ? 2_000 : 0)),
    );
  }
  assert.match(jobs[0]!.log, /^root:x:0:/m);
});

test('a terminal opens in a job that runs', { timeout: jobMs }, async () => {
  const job = coordinator.hand({
    name: 'looked-into',
    script: ['echo line 1', 'until test -e /tmp/go; do sleep 1; done'],
  });
  await eventually('its first line', () => numbered(job.log).length === 1, jobMs);
  const { url, certificate, authorization } = await job.session.promise;
  const socket = new WebSocket(`${url.replace('https', 'wss')}/exec`, ['terminal.gitlab.com'], {
    ca: certificate,
    headers: { authorization },
  });
  let shown = '';
  socket.on('message', (data: Buffer) => (shown += data));
  await once(socket, 'open');
  socket.send(Buffer.from('tty; echo $((6*7)); touch /tmp/go; exit\n'));
  await eventually('what the shell says', () => /\/dev\/pts\/\d[\s\S]*\b42\b/.test(shown));
  assert.equal((await job.ended.promise).state, 'success', job.log);
  socket.terminate();
});

test('a log is whole though the API server dies while a job talks', { timeout: jobMs }, async () => {
  const script = ['for n in $(seq 1 60); do echo line $n; sleep 0.5; done'];
  const job = coordinator.hand({ name: 'outlives', script });
  await eventually('some lines', () => numbered(job.log).length > 5, jobMs);
  process.kill(await node.pidOf('apiserver'), 'SIGKILL');
  await node.up();
  assert.equal((await job.ended.promise).state, 'success', job.log);
  assert.deepEqual(numbered(job.log), upTo(60));
});

test('nothing of the jobs is left', { timeout: jobMs }, async () => {
  const left = ['get', 'pods,secrets,configmaps,services', '-o', 'name'];
  await eventually('the end of their objects', async () => {
    const names = (await node.kubectlOk(left)).trim().split('\n');
    return names.every((name) => /kube-root-ca|service\/kubernetes$/.test(name));
  });
});
