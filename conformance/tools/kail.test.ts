/** kail, which tails logs of pods that it chooses by what they belong to, before a real node. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testImage } from '../../e2e/image.ts';
import { podOf, scriptPod, TestNode } from '../../e2e/node.ts';
import { startGoPeer } from '../peers/go-process.ts';
import { buildTool } from './build.ts';

const testMs = 60_000;
const beats = (word: string) => `while :; do echo ${word}; sleep 1; done`;
const labels = { app: 'shop' };

let node: TestNode;
let kail: string;

before(async () => {
  kail = await buildTool('kail');
  node = await TestNode.start('tailed');
  const container = { command: ['sh', '-c', beats('till')], image: testImage };
  const template = { metadata: { labels }, spec: podOf('shop', container).spec };
  await node.apply(
    scriptPod('alone', beats('alone')),
    {
      ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'shop' } },
      spec: { replicas: 2, selector: { matchLabels: labels }, template },
    },
    {
      ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'shop' } },
      spec: { selector: labels, ports: [{ port: 80 }] },
    },
  );
  await node.kubectlOk(['rollout', 'status', 'deployment/shop', '--timeout=60s']);
});
after(() => node?.remove());

const tail = (...words: string[]) => startGoPeer(kail, words, { KUBECONFIG: node.kubeconfig });

for (const chosen of [
  ['--label', 'app=shop'],
  ['--svc', 'shop'],
  ['--deploy', 'shop'],
])
  test(`it follows both pods that ${chosen.join(' ')} chooses, and no other`, {
    timeout: testMs,
  }, async () => {
    await using following = tail(...chosen);
    const text = await following.output(/default\/(shop-\S+)\[main\]: till\n[\s\S]*default\/(?!\1)shop-/);
    assert.doesNotMatch(text, /alone/);
  });

test('it takes up a pod that comes later, and lets one go that is deleted', { timeout: testMs }, async () => {
  await using following = tail('--ns', 'default', '--label', 'app=later');
  await node.apply(scriptPod('later', beats('here')));
  await following.output(/default\/later\[main\]: here/);
  await node.kubectlOk(['delete', 'pod', 'later', '--now']);
  await node.apply(scriptPod('later', beats('again')));
  await following.output(/default\/later\[main\]: again/);
});

test('it lists what it would follow', { timeout: testMs }, async () => {
  await using listed = tail('--dry-run', '--pod', 'alone');
  assert.match((await listed.result).stdout.toString(), /^default +alone +main +tailed$/m);
});
