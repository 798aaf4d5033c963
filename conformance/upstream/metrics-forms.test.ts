/** Pages of metrics of our API server and of Kubernetes' own, in the forms that they are asked for in; protobuf is read by Prometheus' own schema. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import protobuf from 'protobufjs';
import { folderOfModule } from '../peers/go-sources.ts';
import { shownFamilies } from './shown-families.ts';
import { TwoServers } from './two-servers.ts';

interface Family {
  name: string;
  help: string;
  type: string;
  metric: {
    label?: { name: string; value: string }[];
    counter?: { value: number };
    gauge?: { value: number };
    histogram?: { sampleCount: string; sampleSum: number; bucket?: { upperBound: number }[] };
  }[];
}

const protobufType =
  'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited';
let two: TwoServers;
let familyType: protobuf.Type;

before(async () => {
  two = await TwoServers.start({
    ...{ port: 26_483, etcdPort: 26_484 },
    prepare: async () => ({ options: {}, flags: [] }),
  });
  const folder = await folderOfModule('github.com/prometheus/client_model', 'v0.6.2');
  const root = await protobuf.load(join(folder, 'io/prometheus/client/metrics.proto'));
  familyType = root.lookupType('io.prometheus.client.MetricFamily');
});
after(() => two?.close());

const ask = (url: string, accept: string, path = '/metrics') =>
  two.ask(url, { method: 'GET', path, headers: { accept } });

async function families(url: string, path?: string): Promise<Map<string, Family>> {
  const reader = protobuf.Reader.create((await ask(url, protobufType, path)).bytes);
  const found = new Map<string, Family>();
  while (reader.pos < reader.len) {
    const message = familyType.decodeDelimited(reader);
    const family = familyType.toObject(message, { enums: String, longs: String }) as Family;
    assert.ok(!found.has(family.name), `${family.name} twice`);
    found.set(family.name, family);
  }
  return found;
}

for (const accept of [
  ...['', '*/*', 'text/plain', 'text/plain;version=0.0.4;q=0.5, application/openmetrics-text', 'text/html'],
  ...[protobufType, `${protobufType};q=0.5, text/plain`, `text/plain;q=0.5, ${protobufType};q=0.9`],
  ...[`${protobufType};escaping=allow-utf-8`, 'text/plain;escaping=dots', 'text/plain;escaping=odd'],
  'application/openmetrics-text;version=1.0.0;escaping=values, text/plain;version=1.0.0',
])
  test(`the form of "${accept}"`, async () => {
    for (const path of ['/metrics', '/metrics/slis']) {
      const [ours, theirs] = await Promise.all(
        two.urls.map(async (url) => (await ask(url, accept, path)).headers['content-type']),
      );
      assert.equal(ours, theirs, path);
    }
  });

test('families have the types, labels and bounds in protobuf that they have at upstream’s', async () => {
  const [ours, theirs] = await Promise.all(two.urls.map((url) => families(url)));
  const shared = [...ours!.keys()].filter((name) => theirs!.has(name));
  assert.ok(shared.length > 25, String(shared.length));
  const boundsOf = ({ metric: [first] }: Family) =>
    first?.histogram?.bucket?.map(({ upperBound }) => upperBound);
  const shape = (family: Family) => ({ name: family.name, type: family.type, bounds: boundsOf(family) });
  const known = ['rest_client_', 'process_'];
  for (const name of shared.filter((each) => !known.some((begin) => each.startsWith(begin))))
    assert.deepEqual(shape(ours!.get(name)!), shape(theirs!.get(name)!));
});

test('it says the same as text', async () => {
  const [url] = two.urls;
  const [binary, { text }] = await Promise.all([families(url), ask(url, 'text/plain')]);
  for (const [name, { type, labels }] of shownFamilies([text])) {
    if (labels.length === 0) continue;
    assert.equal(binary.get(name)?.type.toLowerCase(), type, name);
  }
  const build = binary.get('kubernetes_build_info')?.metric[0];
  assert.equal(build?.gauge?.value, 1);
  assert.ok(build?.label?.some(({ name, value }) => name === 'git_version' && value.startsWith('v1.36')));
});
