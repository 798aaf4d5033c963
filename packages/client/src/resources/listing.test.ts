import assert from 'node:assert/strict';
import { test } from 'node:test';
import { json, startScriptedServer } from '../../test/scripted-server.ts';
import * as kinds from '../generated/kinds.ts';

const page = (name: string, token?: string) =>
  json({
    metadata: { resourceVersion: '5', ...(token ? { continue: token } : {}) },
    items: [{ metadata: { name } }],
  });
const expired = (token?: string) =>
  json(
    { kind: 'Status', code: 410, reason: 'Expired', ...(token ? { metadata: { continue: token } } : {}) },
    410,
  );

test('a list whose snapshot is gone goes on with what is there now, where the server says how', async (context) => {
  const { client, requests } = await startScriptedServer(context, [
    ...[page('a', 'old'), expired('rest'), page('b', 'more'), page('c')],
  ]);
  const names = (await client.list(kinds.configMaps).toArray()).map(({ metadata }) => metadata.name);
  assert.deepEqual(names, ['a', 'b', 'c']);
  const tokens = requests.map(({ url }) => new URLSearchParams(url.split('?')[1]).get('continue'));
  assert.deepEqual(tokens, [null, 'old', 'rest', 'more']);
});

test('a list whose snapshot is gone ends with 410 where the server does not say how to go on', async (context) => {
  const { client } = await startScriptedServer(context, [page('a', 'old'), expired()]);
  await assert.rejects(client.list(kinds.configMaps).toArray(), { code: 410 });
});
