/** `wherry describe` beside the kubectl of its version: what it says of every kind, to the letter, whichever API server there is. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'node:test';
import { eventually } from '../../e2e/node.ts';
import type { DescribedServer } from '../../packages/wherry/test/describe/beside.ts';
import { testDescriptions } from '../../packages/wherry/test/describe/run-lines.ts';
import { buildKubectl } from '../e2e/build.ts';
import { TwoServers } from './two-servers.ts';

/** kube-apiserver, once it has made what it makes for itself. */
async function serveUpstream(): Promise<DescribedServer> {
  const two = await TwoServers.start({ port: 17_473, etcdPort: 24_860 });
  const [own, other] = two.urls;
  const kubeconfig = join(two.own.folder, 'other.kubeconfig');
  writeFileSync(kubeconfig, readFileSync(two.own.kubeconfig, 'utf8').replace(own, other));
  const path = '/api/v1/namespaces/kube-node-lease';
  await eventually(
    'its namespaces',
    async () => (await two.ask(other, { method: 'GET', path })).code === 200,
  );
  return { kubeconfig, close: () => two.close() };
}

const judge = { minor: 36, kubectl: buildKubectl };

suite('at our API server', () => testDescriptions(judge));
suite('at kube-apiserver', () => testDescriptions({ ...judge, serve: serveUpstream }));
