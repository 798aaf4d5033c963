import { ClientError, type ConfigMap, createKubeClient, StatusError } from '@wherry/client';

/** Applies, waits, changes, lists and deletes; what is found by the name of a built-in kind has that kind's type. */
async function main(): Promise<void> {
  const client = createKubeClient();
  await client.apply(`
apiVersion: v1
kind: ConfigMap
metadata: { name: colours, labels: { app: example } }
data: { sky: blue }
---
{ apiVersion: v1, kind: ConfigMap, metadata: { name: sizes, labels: { app: example } } }
`);
  const { data } = await client.waitFor('ConfigMap/colours', 'jsonpath={.data.sky}=blue');
  const changed = await client.patch('ConfigMap/colours', { data: { grass: 'green' } });
  console.log(data, changed.data);
  for await (const { metadata } of client.list('ConfigMap', { labelSelector: 'app=example' })) {
    console.log(metadata.name);
  }
  // Other names, and kinds of one's own, take a type.
  const { metadata } = await client.get<ConfigMap>('cm/sizes');
  await client.delete({ kind: 'ConfigMap', name: 'colours' });
  await client.delete(`cm/${metadata.name}`);
  await client.get('ConfigMap/colours').catch((error: unknown) => {
    if (error instanceof StatusError) console.log(error.code, error.reason);
  });
}

await main().catch((error: unknown) => {
  if (!(error instanceof ClientError)) throw error;
  console.log(`no cluster: ${error.code}`);
});

// Prints:
// no cluster: bad-config
