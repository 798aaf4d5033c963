/** `top` in front of a server with figures of its own: nodes with swap and without, pods that nobody has measured. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { inProcess } from '../in-process.ts';

const mebibyte = 2 ** 20;
const usage = (cpu: string, memoryMi: number, swapMi?: number) => ({
  ...{ cpu, memory: `${memoryMi}Mi` },
  ...(swapMi === undefined ? {} : { swap: `${swapMi}Mi` }),
});
const node = (name: string, swapMi?: number) => ({
  metadata: { name },
  status: {
    ...{ allocatable: { cpu: '2', memory: '1000Mi' }, capacity: { cpu: '4', memory: '2000Mi' } },
    nodeInfo: swapMi === undefined ? {} : { swap: { capacity: swapMi * mebibyte } },
  },
});
const nodes = [node('with', 400), node('without'), node('unmeasured', 100), node('empty', 0)];
const measuredNodes = [
  { metadata: { name: 'with' }, usage: usage('500m', 250, 100) },
  { metadata: { name: 'without' }, usage: usage('1', 100, 0) },
  { metadata: { name: 'empty' }, usage: usage('0', 0, 0) },
];
const pod = (name: string, ageMs: number) => ({
  metadata: { name, namespace: 'default', creationTimestamp: new Date(Date.now() - ageMs).toISOString() },
});
const container = (name: string, taken: object) => ({ name, usage: taken });
const measuredPods = [
  {
    metadata: { name: 'a', namespace: 'default' },
    containers: [container('one', usage('100m', 10, 5)), container('two', usage('200m', 20, 7))],
  },
  { metadata: { name: 'b', namespace: 'default' }, containers: [container('one', usage('1', 30))] },
];

let answers: Map<string, object[]>;
let server: Server;
const run = (line: string) =>
  inProcess([...line.split(' '), '--server', `http://127.0.0.1:${(server.address() as AddressInfo).port}`]);

before(async () => {
  process.env['KUBECONFIG'] = '/dev/null';
  server = createServer(({ url = '' }, response) => {
    const items = answers.get(url.replace(/\?.*/, '').replace('/namespaces/default', ''));
    response.setHeader('content-type', 'application/json');
    response.statusCode = items ? 200 : 404;
    response.end(JSON.stringify({ kind: 'List', apiVersion: 'v1', metadata: {}, items }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
after(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  answers = new Map<string, object[]>([
    ['/api/v1/nodes', nodes],
    ['/api/v1/pods', []],
    ['/apis/metrics.k8s.io/v1beta1/nodes', measuredNodes],
    ['/apis/metrics.k8s.io/v1beta1/pods', measuredPods],
  ]);
});

const lines = (...text: string[]) => `${text.join('\n')}\n`;

test('top nodes --show-swap tells of swap where a node says that it has some', async () => {
  for (const name of ['nodes', 'node', 'no'])
    assert.deepEqual(await run(`top ${name} --show-swap`), {
      code: 0,
      stderr: '',
      stdout: lines(
        'NAME         CPU(cores)   CPU(%)      MEMORY(bytes)   MEMORY(%)   SWAP(bytes)   SWAP(%)',
        'empty        0m           0%          0Mi             0%          0Mi           0%',
        'with         500m         25%         250Mi           25%         100Mi         25%',
        'without      1000m        50%         100Mi           10%         <unknown>     <unknown>',
        'unmeasured   <unknown>    <unknown>   <unknown>       <unknown>   <unknown>     <unknown>',
      ),
    });
  const { stdout } = await run('top nodes --show-swap --no-headers --show-capacity --sort-by=memory');
  assert.equal(stdout.split('\n')[0]?.replace(/ +/g, ' '), 'with 500m 12% 250Mi 12% 100Mi 25%');
});

test('top pods --show-swap tells of the swap of pods, their containers and all together', async () => {
  const { stdout } = await run('top po --show-swap --sum --use-protocol-buffers=false');
  assert.equal(
    stdout,
    lines(
      'NAME   CPU(cores)   MEMORY(bytes)   SWAP(bytes)',
      'a      300m         30Mi            12Mi',
      'b      1000m        30Mi            0Mi',
      '       ________     ________        ________',
      '       1300m        60Mi            12Mi',
    ),
  );
  const containers = await run('top pods --show-swap --containers --no-headers --sort-by=cpu');
  assert.deepEqual(containers.stdout.trimEnd().replace(/ +/g, ' ').split('\n'), [
    ...['b one 1000m 30Mi 0Mi', 'a two 200m 20Mi 7Mi', 'a one 100m 10Mi 5Mi'],
  ]);
});

test('top refuses what kubectl refuses, in its words', async () => {
  for (const [line, message] of [
    ['top nodes --sort-by=swap', '--sort-by accepts only cpu or memory'],
    ['top nodes -l a=b with', 'only one of NAME or --selector can be provided'],
    ['top pods --field-selector a=b a', 'only one of NAME or selector can be provided'],
  ] as const) {
    const { code, stderr } = await run(line);
    assert.deepEqual([code, stderr], [1, `error: ${message}\n`], line);
  }
});

test('top says of whom there are no figures yet', async () => {
  answers.set('/apis/metrics.k8s.io/v1beta1/nodes', []);
  answers.set('/apis/metrics.k8s.io/v1beta1/pods', []);
  const ended = async (line: string) => {
    const { code, stderr } = await run(line);
    return [code, stderr];
  };
  assert.deepEqual(await ended('top nodes'), [1, 'error: metrics not available yet\n']);
  assert.deepEqual(await ended('top pods'), [0, 'No resources found in default namespace.\n']);
  answers.set('/api/v1/pods', [pod('new', 1_000)]);
  assert.deepEqual(await ended('top pods'), [1, 'error: metrics not available yet\n']);
  answers.set('/api/v1/pods', [pod('new', 1_000), pod('old', 200_500)]);
  assert.deepEqual(await ended('top pods'), [
    1,
    'error: Metrics not available for pod default/old, age: 3m20s\n',
  ]);
});
