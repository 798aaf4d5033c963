/** `/statusz` and `/flagz` of our API server and of Kubernetes' own: the same forms for the same Accept headers. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parse } from 'yaml';
import { TwoServers } from './two-servers.ts';

let two: TwoServers;

before(async () => {
  two = await TwoServers.start({
    ...{ port: 26_481, etcdPort: 26_482 },
    prepare: async () => ({ options: { flags: { v: '2' } }, flags: [] }),
  });
});
after(() => two?.close());

const asked = (type: string, as: string, version = 'v1beta1') =>
  `${type};v=${version};g=config.k8s.io;as=${as}`;
const accepts = [
  ...[
    '',
    '*/*',
    'text/plain',
    'text/*',
    'text/html',
    'application/json',
    'application/*',
    'application/yaml',
  ],
  ...['application/cbor', 'application/json, */*;q=0.1'],
  ...['Statusz', 'Flagz'].flatMap((kind) => [
    ...['application/json', 'application/yaml', 'application/*', '*/*'].map((type) => asked(type, kind)),
    asked('application/json', kind, 'v1alpha1'),
    asked('application/json', kind, 'v1'),
    `${asked('application/json', kind)};pretty=1`,
    `${asked('application/json', kind)};sv=v1`,
    `${asked('application/json', kind)};stream=watch`,
    `text/plain;as=${kind}`,
    `text/plain;q=0.5, ${asked('application/yaml', kind)}`,
    `text/plain, ${asked('application/yaml', kind)};q=0.5`,
  ]),
];

/** Which fields there are, of which kinds; texts of errors as they are. */
function shapeOf(text: string, type: string): unknown {
  if (type.startsWith('text/')) return text.split('\n', 2);
  const body = parse(text) as Record<string, unknown>;
  // Empty details say nothing.
  const { details: _details, ...status } = body;
  if (body['kind'] === 'Status') return status;
  const { kind, apiVersion, metadata, flags, ...rest } = body;
  const kinds = Object.entries(rest).map(([name, value]) => [name, typeof value]);
  return { kind, apiVersion, metadata, hasFlags: typeof flags, kinds, isIndented: text.startsWith('{\n') };
}

for (const path of ['/statusz', '/flagz'])
  for (const accept of accepts)
    test(`${path} as "${accept}"`, async () => {
      const [ours, theirs] = await Promise.all(
        two.urls.map(async (url) => {
          const answer = await two.ask(url, { method: 'GET', path, headers: { accept } });
          const type = String(answer.headers['content-type']);
          const { warning } = answer.headers;
          return { code: answer.code, type, warning, shape: shapeOf(answer.text, type) };
        }),
      );
      assert.deepEqual(ours, theirs);
    });

test('both may be asked for by whoever monitors, and by nobody else', async () => {
  for (const path of ['/statusz', '/flagz', '/'])
    for (const method of ['GET', 'POST']) {
      const codes = await Promise.all(
        two.urls.map(async (url) => (await two.ask(url, { method, path, as: null })).code),
      );
      assert.equal(codes[0], codes[1], `${method} ${path}`);
    }
});

test('both are told of among the paths of the server', async () => {
  for (const url of two.urls) {
    const { paths } = JSON.parse((await two.ask(url, { method: 'GET', path: '/' })).text) as {
      paths: string[];
    };
    assert.deepEqual(
      ['/statusz', '/flagz', '/statusz/'].map((path) => paths.includes(path)),
      [true, true, false],
    );
  }
});
