/** Programs in Python that speak Kubernetes by their own code, on a whole node: each step comes out as it should. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { testImage } from '../e2e/image.ts';
import { TestNode } from '../e2e/node.ts';
import { startGoPeer } from './peers/go-process.ts';
import { pythonEnvironment } from './pythonclients/build.ts';
import { compareTold } from './pythonclients/told.ts';

const project = join(import.meta.dirname, 'pythonclients');
let node: TestNode;
let programs: string;

before(async () => {
  programs = pythonEnvironment('python-clients', 'requirements.txt');
  node = await TestNode.start('pythonic');
});
after(() => node?.remove());

async function judge(program: string, group: string, folder = programs): Promise<void> {
  const words = [
    '-B',
    '-W',
    'ignore',
    join(project, `${program}_judge.py`),
    group,
    node.kubeconfig,
    testImage,
  ];
  await using peer = startGoPeer(join(folder, 'python'), words);
  // It asks for its API server's death on stderr: what it tells is compared line by line.
  let complaint = '';
  peer.process.stderr?.on('data', async (chunk: Buffer) => {
    complaint += chunk;
    if (!/^kill$/m.test(complaint)) return;
    complaint = '';
    process.kill(await node.pidOf('apiserver'), 'SIGKILL');
    await node.up();
    peer.process.stdin?.write('it is back\n');
  });
  const { exitCode, stdout, stderr } = await peer.result;
  compareTold(`${program}-${group}`, stdout.toString(), stderr);
  assert.equal(exitCode, 0, stderr);
}

test('an operator of kopf is told what happens, over the death of its API server and its own', () =>
  judge('kopf', 'handlers'));

for (const [program, groups] of Object.entries({
  kr8s: ['objects', 'pods'],
  lightkube: ['objects', 'pods'],
  asyncio: ['objects', 'leaders', 'pods'],
}))
  for (const group of groups)
    test(`${program}, ${group}: every step comes out as it should`, () => judge(program, group));

test('sessions of Kubernetes’ own client end at once with a version that waits for the socket', () =>
  judge('old', 'sessions', pythonEnvironment('python-old', 'requirements-old.txt')));

for (const group of ['tasks', 'commands'])
  test(`Airflow's operators for pods, ${group}: logs, results and codes come out as they should`, () =>
    judge('airflow', group, pythonEnvironment('python-airflow', 'requirements-airflow.txt')));
