import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { askStorePlace } from './store-place.ts';

let folder: string;
let url: string;
let answer = '';
const server = createServer((_, response) => response.end(answer));

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wherry-place-'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const told = (place: object) => {
  answer = JSON.stringify(place);
  return askStorePlace([url]);
};

test('a place is taken as its keeper tells it, and is safe from a loss of power unless that is given up', async () => {
  assert.deepEqual(await told({ dataDir: folder, durability: 'process' }), {
    ...{ dataDir: folder, durability: 'process' },
  });
  assert.deepEqual(await told({ dataDir: folder, durability: 'x' }), {
    ...{ dataDir: folder, durability: 'machine' },
  });
});

test('what is no place is taken for etcd, and nobody elsewhere is asked', async () => {
  for (const place of [{}, { dataDir: 'here' }, { dataDir: folder, padding: 'x'.repeat(20_000) }])
    assert.equal(await told(place), undefined);
  answer = 'no JSON';
  assert.equal(await askStorePlace([url]), undefined);
  answer = JSON.stringify({ dataDir: folder });
  for (const servers of [[url, url], ['http://192.0.2.1:2379'], [url.replace('http', 'https')], []])
    assert.equal(await askStorePlace(servers), undefined);
});

test('a keeper can not lead a server to what is no folder of its user', async () => {
  const refused = { code: 'bad-settings', message: /is no folder of this user/ };
  await assert.rejects(told({ dataDir: join(folder, 'absent') }), refused);
  chownSync(folder, 65_534, 65_534);
  await assert.rejects(told({ dataDir: folder }), refused);
});
