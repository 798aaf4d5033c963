import assert from 'node:assert/strict';
import { it } from 'node:test';
import { kinds } from '@wherry/client';
import type { ConfigMap } from '@wherry/kubeapi';
import { eventually, TestCluster } from '../../test/cluster.ts';

it('a namespace has the certificate of its server, which says what it is for, and stays as it is', async (test) => {
  const cluster = await TestCluster.start();
  test.after(() => cluster.close());
  const [namespace, name] = ['one', 'kube-root-ca.crt'];
  const description = 'kubernetes.io/description';
  await cluster.create(kinds.namespaces, namespace);
  const read = async () => (await cluster.read(kinds.configMaps, name, namespace)) as ConfigMap | undefined;
  await eventually('it is there', async () => (await read()) !== undefined);
  const first = await read();
  assert.match(
    first?.metadata?.annotations?.[description] ?? '',
    /^Contains a CA bundle that can be used to/,
  );
  const annotations = { 'example.com/mine': 'yes', [description]: '' };
  await cluster.client
    .resource(kinds.configMaps)
    .update({ ...first, metadata: { ...first?.metadata, annotations }, data: { more: 'x' } });
  await eventually('it is mended', async () => (await read())?.data?.['more'] === undefined);
  const mended = await read();
  assert.deepEqual(mended?.data, first?.data);
  assert.deepEqual(mended?.metadata?.annotations, {
    ...first?.metadata?.annotations,
    'example.com/mine': 'yes',
  });
});

it('a certificate that is another one than before the controllers ended is given to every namespace', async (test) => {
  const cluster = await TestCluster.startServer();
  test.after(() => cluster.close());
  const names = ['one', 'two', 'three', 'four'];
  for (const namespace of names) {
    await cluster.create(kinds.namespaces, namespace);
    const [apiVersion, kind] = ['v1', 'ConfigMap'];
    const metadata = { name: 'kube-root-ca.crt', namespace };
    await cluster.client
      .resource(kinds.configMaps)
      .create({ apiVersion, kind, metadata, data: { 'ca.crt': 'that of before' } });
  }
  cluster.startControllers();
  for (const namespace of names)
    await eventually(`that of ${namespace}`, async () => {
      const found = (await cluster.read(kinds.configMaps, 'kube-root-ca.crt', namespace)) as ConfigMap;
      return found.data?.['ca.crt'] !== 'that of before';
    });
});
