/** What users of @wherry/testing do, in any runtime. Prints what came of it as JSON. */
import type { ClientError } from '@wherry/client';
import { startApiServer } from '@wherry/testing';

await using server = await startApiServer();
await server.apply(`{ apiVersion: v1, kind: ConfigMap, metadata: { name: colours }, data: { sky: blue } }`);
const before = await server.snapshot();
await server.client.patch('ConfigMap/colours', { data: { sky: 'grey' } });
await server.restore(before);
const { data } = await server.waitFor('ConfigMap/colours', 'create');
const late = await server.waitFor('ConfigMap/missing', 'create', { timeoutMs: 100 }).then(
  () => 'is there',
  (error: ClientError) => error.code,
);
console.log(JSON.stringify({ data, late }));
