/** A node of an earlier version goes on as one of this version, and back: pods run on, and what was stored is whole. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import type { Pod } from '@wherry/kubeapi';
import { run } from './command.ts';
import { layEarlierTree, unlessHistoryHas } from './earlier-tree.ts';
import { eventually, podOf, scriptPod, TestNode, wherryEntry } from './node.ts';
import { stretched, timeoutFlag } from './slowness.ts';

/**
 * The last commit whose service proxy knows of one table alone. It runs on what is installed for the tree of now; once it does not any
 * more, a later one takes its place.
 */
const earlier = '09d91328ccb2f9f359b159e172a3f4eee9e24154~1';

const writer = 'i=0; while true; do i=$((i+1)); echo "line $i"; usleep 20000; done';
const claim = {
  ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'kept' } },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } },
};
const claiming = podOf(
  'claiming',
  {
    command: ['sh', '-c', 'while true; do date +%s >> /kept/seconds; sleep 1; done'],
    volumeMounts: [{ name: 'kept', mountPath: '/kept' }],
  },
  { volumes: [{ name: 'kept', persistentVolumeClaim: { claimName: 'kept' } }] },
);
const labels = { app: 'web' };
const web = podOf('web', { command: ['sh', '-c', 'hostname > /tmp/index.html; httpd -f -p 8080 -h /tmp'] });
const deployment = {
  ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } },
  spec: {
    replicas: 2,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: web.spec },
  },
};
const service = {
  ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' } },
  spec: { type: 'NodePort', selector: labels, ports: [{ port: 80, targetPort: 8080 }] },
};
const definition = {
  ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
  metadata: { name: 'boats.sea.example.com' },
  spec: {
    ...{ group: 'sea.example.com', scope: 'Namespaced', names: { plural: 'boats', kind: 'Boat' } },
    versions: [
      {
        ...{ name: 'v1', served: true, storage: true },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};
const boat = { apiVersion: 'sea.example.com/v1', kind: 'Boat', metadata: { name: 'one' }, sails: 3 };
const others = [
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kept' }, data: { text: 'kept' } },
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'kept' }, stringData: { text: 'kept' } },
];

/** What an upgrade may not change. */
const kinds =
  'pods,services,configmaps,secrets,persistentvolumeclaims,persistentvolumes,deployments,replicasets,boats,serviceaccounts';

describe('a node of an earlier version', {
  concurrency: false,
  timeout: stretched(600_000),
  skip: unlessHistoryHas(earlier),
}, () => {
  let tree: ReturnType<typeof layEarlierTree>;
  let node: TestNode;
  const ok = (line: string) => node.kubectlOk(line.split(' '));

  before(async () => {
    tree = layEarlierTree(earlier);
    node = await TestNode.start('earlier', [], undefined, tree.entry);
    await node.create(definition);
    await ok(`wait --for=condition=Established crd/boats.sea.example.com ${timeoutFlag(30)}`);
    await node.create(boat, claim, deployment, service, ...others);
    await node.apply(scriptPod('writer', writer), claiming);
    await ok(`rollout status deployment/web ${timeoutFlag(60)}`);
  });
  after(async () => {
    if (node) node.entry = wherryEntry;
    await node?.remove();
    tree?.remove();
  });

  /** Objects by what an upgrade leaves to them. */
  const objects = async () => {
    const { items } = JSON.parse(await ok(`get ${kinds} -o json`)) as { items: Record<string, unknown>[] };
    return items.map(({ kind, metadata, spec, data, sails }) => {
      const { name, uid, creationTimestamp } = metadata as NonNullable<Pod['metadata']>;
      return { kind, name, uid, creationTimestamp, spec, data, sails };
    });
  };
  /** Containers, since when they run, and how often they were started again. */
  const containers = async () => {
    const { items } = JSON.parse(await ok('get pods -o json')) as { items: Pod[] };
    return items.map(({ metadata, status }) => [
      metadata?.name,
      status?.podIP,
      status?.containerStatuses?.map(({ containerID, restartCount, state }) => [
        containerID,
        restartCount,
        state?.running?.startedAt,
      ]),
    ]);
  };
  const lines = async () => {
    const all = (await ok('logs writer')).trimEnd().split('\n');
    assert.deepEqual(
      all.filter((line, index) => line !== `line ${index + 1}`),
      [],
    );
    return all.length;
  };
  const tables = async () => {
    const { layoutOf } = await import('@wherry/node');
    const { bridgeName } = layoutOf(node.dataDir);
    const { stdout } = await run('nft', ['list', 'tables', 'ip']);
    return (stdout.match(/\S+-services\S*/g) ?? []).filter((name) => name.includes(bridgeName));
  };
  const answers = async () => {
    const { spec } = JSON.parse(await ok('get service web -o json'));
    const urls = [`http://${spec.clusterIP}/`, `http://127.0.0.1:${spec.ports[0].nodePort}/`];
    return Promise.all(urls.map(async (url) => (await fetch(url)).text()));
  };

  const goesOnBy = async (entry: string) => {
    const [objectsBefore, containersBefore, linesBefore] = [
      await objects(),
      await containers(),
      await lines(),
    ];
    const secondsBefore = await ok('exec claiming -- cat /kept/seconds');
    const session = node.startKubectl(['exec', '-i', 'writer', '--', 'cat']);
    const ended = once(session, 'close');
    node.entry = entry;
    await node.up();
    await ended;
    assert.deepEqual(await containers(), containersBefore);
    assert.deepEqual(await objects(), objectsBefore);
    await eventually('further lines', async () => (await lines()) > linesBefore + 50);
    assert.ok((await ok('exec claiming -- cat /kept/seconds')).startsWith(secondsBefore));
    await eventually('the service', async () =>
      (await answers().catch(() => [''])).every((text) => text.startsWith('web-')),
    );
    await eventually('one table of services', async () => {
      const found = await tables();
      return found.length === 1 && found[0]?.endsWith('-services');
    });
    await ok('rollout restart deployment/web');
    await ok(`rollout status deployment/web ${timeoutFlag(90)}`);
    await eventually('the service, led to other pods', async () =>
      (await answers().catch(() => [''])).every((text) => text.startsWith('web-')),
    );
    await eventually('those of before to be gone', async () => (await containers()).length === 4);
  };

  it('goes on as one of this version', () => goesOnBy(wherryEntry));

  it('goes back to the earlier one, and nothing of this version stays behind', () => goesOnBy(tree.entry));

  it('goes on as one of this version once more', () => goesOnBy(wherryEntry));
});
