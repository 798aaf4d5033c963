/** Our codecs, patches, selectors and quantities against the upstream Go libraries, on objects made by chance. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  applyStrategicPatch,
  canonicalQuantity,
  configMapKey,
  conform,
  decodeBody,
  decodeProtobuf,
  dns1035Label,
  dnsLabel,
  dnsSubdomain,
  encodeProtobuf,
  environmentName,
  httpHeaderName,
  humanDuration,
  type JsonObject,
  type JsonValue,
  labelValueFormat,
  type MessageSchema,
  messageNames,
  messageSchema,
  parseLabelSelector,
  percentage,
  portName,
  qualifiedName,
  resources,
  schemaFor,
} from '@wherry/kubeapi';
import { randomObject, SeededRandom } from '../packages/kubeapi/test/random-object.ts';
import { buildGoPeer } from './peers/go-peer.ts';
import { Judge } from './peers/kubeapi-judge.ts';

const seed = Number(process.env['SEED'] ?? Date.now() % 1e9);
const roundsPerKind = 6;

/** Kinds that Go's client scheme knows and that are stored or sent as objects. */
const kinds = messageNames
  .map(messageSchema)
  .filter(
    (schema) => schema.isKind && schema.group !== 'meta.k8s.io' && !/Options$/.test(schema.upstreamName),
  )
  .filter(
    (schema) =>
      !['apiregistration.k8s.io', 'apiextensions.k8s.io', 'admission.k8s.io'].includes(schema.group),
  )
  .filter(
    (schema) => !['RangeAllocation', 'PodStatusResult', 'SerializedReference'].includes(schema.upstreamName),
  );

/** Go prints nil lists and unset times as null; we leave them out or print empty lists. */
function comparable(value: JsonValue | undefined): JsonValue | undefined {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value))
    return value.length === 0 ? undefined : value.map((item) => comparable(item) ?? null);
  if (typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([key, item]): [string, JsonValue | undefined] => [
    key,
    comparable(item),
  ]);
  return Object.fromEntries(entries.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}

describe(`with upstream's libraries as the judge (SEED=${seed})`, () => {
  let judge: Judge;
  before(async () => {
    judge = new Judge(await buildGoPeer('kubeapijudge'));
  });
  after(() => judge.close());

  async function checkRoundTrip(schema: MessageSchema, made: JsonObject): Promise<void> {
    const { object, unknownFields } = conform(made, schema);
    assert.deepEqual(unknownFields, []);
    const protobuf = Buffer.from(encodeProtobuf(object)).toString('base64');
    const answer = await judge.ask({ op: 'roundTrip', object, protobuf });
    assert.equal(answer.error, undefined, `${schema.name}: ${answer.error}\n${JSON.stringify(object)}`);
    assert.deepEqual(
      comparable(answer.other),
      comparable(answer.object),
      `${schema.name}: our protobuf and our JSON differ for Go`,
    );
    assert.deepEqual(comparable(object), comparable(answer.object), `${schema.name}: our JSON is not Go's`);
    const decoded = decodeProtobuf(Buffer.from(answer.protobuf!, 'base64'));
    assert.deepEqual(
      comparable(decoded),
      comparable(answer.object),
      `${schema.name}: Go's protobuf read by us`,
    );
  }

  it('carries objects of every kind through JSON and protobuf, both ways, without a difference', async () => {
    const random = new SeededRandom(seed);
    for (const schema of kinds) {
      for (let round = 0; round < roundsPerKind; round++)
        await checkRoundTrip(schema, randomObject(schema, random));
    }
  });

  it('applies the strategic merge patches that Go makes, and random ones, as Go does', async () => {
    const random = new SeededRandom(seed + 1);
    const names = [
      'Pod',
      'Deployment',
      'Service',
      'Node',
      'ConfigMap',
      'ServiceAccount',
      'Event',
      'StatefulSet',
      'Job',
    ];
    for (let round = 0; round < 200; round++) {
      const schema = messageSchema(random.pick(names));
      const { group, version, upstreamName: kind } = schema;
      const [before, after] = [randomObject(schema, random), randomObject(schema, random)].map(
        (made) => conform(made, schema).object,
      ) as [JsonObject, JsonObject];
      const made = await judge.ask({ op: 'twoWay', kind, version, group, object: before, patch: after });
      const patch = made.object ?? (after as JsonObject);
      const expected = await judge.ask({ op: 'patch', kind, version, group, object: before, patch });
      let patched: JsonObject | undefined;
      try {
        patched = conform(applyStrategicPatch(before, patch, schema), schema).object;
      } catch (error) {
        assert.notEqual(expected.error, undefined, `${kind}: ours fails, Go's does not: ${error}`);
        continue;
      }
      assert.equal(expected.error, undefined, `${kind}: Go fails, ours does not: ${expected.error}`);
      assert.deepEqual(
        comparable(patched),
        comparable(expected.object),
        `${kind}\n${JSON.stringify({ before, patch })}`,
      );
    }
  });

  it('writes quantities as Go does, and refuses the same texts in the same words', async () => {
    const random = new SeededRandom(seed + 2);
    const parts = [
      '',
      '-',
      '+',
      '0',
      '1',
      '12',
      '1024',
      '999',
      '.',
      '.5',
      '.125',
      '000',
      'm',
      'k',
      'Ki',
      'Gi',
      'M',
      'E',
      'e3',
      'E-2',
      'n',
      'u',
      'x',
      'Mi',
    ];
    for (let round = 0; round < 1500; round++) {
      const text = Array.from({ length: 1 + random.below(4) }, () => random.pick(parts)).join('');
      // Go computes with exponents that nobody means, which we refuse, and has no suffix above E, which it then drops.
      if (/[eE][+-]?\d{2}|000\.?0*E$/.test(text)) continue;
      const expected = await judge.ask({ op: 'quantity', text });
      const actual = attempt(() => canonicalQuantity(text));
      assert.equal(actual, expected.error ?? expected.text, `quantity "${text}"`);
    }
  });

  it('reads label selectors as Go does', async () => {
    const random = new SeededRandom(seed + 3);
    const parts = [
      'app',
      'env',
      '=',
      '==',
      '!=',
      '!',
      ' in ',
      ' notin ',
      '(',
      ')',
      ',',
      'web',
      'a b',
      '>',
      '<',
      '3',
      'x/y',
      '',
    ];
    const labels = { app: 'web', env: '3' };
    for (let round = 0; round < 1500; round++) {
      const text = Array.from({ length: 1 + random.below(7) }, () => random.pick(parts)).join('');
      const expected = await judge.ask({ op: 'selector', text, labels });
      const actual = attempt(() => parseLabelSelector(text).matches(labels).toString());
      if (expected.error === undefined) assert.equal(actual, String(expected.matches), `selector "${text}"`);
      else
        assert.ok(actual !== 'true' && actual !== 'false', `selector "${text}": Go says ${expected.error}`);
    }
  });

  it('judges names as Go does, sentence by sentence', async () => {
    const random = new SeededRandom(seed + 4);
    const parts = [
      'a',
      'B',
      '-',
      '.',
      '_',
      '/',
      '9',
      'kubernetes.io',
      '..',
      'x'.repeat(40),
      ' ',
      'ü',
      '%',
      '',
      '=',
      '--',
    ];
    const formats = {
      dnsLabel,
      dnsSubdomain,
      dns1035Label,
      qualifiedName,
      labelValueFormat,
      configMapKey,
      environmentName,
      portName,
      percentage,
      httpHeaderName,
    };
    for (let round = 0; round < 1500; round++) {
      const text = Array.from({ length: random.below(5) }, () => random.pick(parts)).join('');
      const [format, check] = random.pick(Object.entries(formats));
      const expected = await judge.ask({ op: 'format', format, text });
      assert.deepEqual(check(text), expected.texts ?? [], `${format} "${text}"`);
    }
  });

  it('prints ages as Go does', async () => {
    const random = new SeededRandom(seed + 5);
    for (let round = 0; round < 500; round++) {
      const millis = Math.floor(10 ** (random.fraction() * 12)) - 3000;
      const expected = await judge.ask({ op: 'humanDuration', millis });
      assert.equal(humanDuration(millis), expected.text, `${millis} ms`);
    }
  });

  it('complains about unknown and doubled fields in the words of Go', async () => {
    const bodies = [
      '{"apiVersion":"v1","kind":"Pod","spec":{"foo":1,"containers":[{"name":"a","bar":{}},{"name":"b","image":"x","image":"y"}]}}',
      '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","labels":{"x":"1","x":"2"}},"extra":[]}',
      '{"apiVersion":"v1","kind":"Secret","data":{"a":"YQ==","a":"Yg=="},"type":"x","type":"y"}',
    ];
    for (const body of bodies) {
      const expected = await judge.ask({ op: 'strict', text: body });
      const { kind, apiVersion } = JSON.parse(body);
      const decoded = decodeBody(Buffer.from(body), {
        format: 'json',
        expected: { group: '', version: apiVersion, kind },
      });
      const words = (expected.error ?? '').replace('strict decoding error: ', '').split(', ').sort();
      assert.deepEqual(decoded.complaints.toSorted(), words, body);
    }
  });

  it('reads the recorded objects of every upstream kind, in JSON, YAML and protobuf', () => {
    const list = execFileSync('go', ['list', '-m', '-f', '{{.Dir}}', 'k8s.io/api'], {
      cwd: import.meta.dirname,
    });
    const folder = join(list.toString().trim(), 'testdata/HEAD');
    let count = 0;
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
      const recorded: JsonObject = JSON.parse(readFileSync(join(folder, name), 'utf8'));
      const schema = schemaFor(String(recorded['apiVersion']), String(recorded['kind']));
      if (!schema) continue;
      count++;
      const read = (extension: string) => readFileSync(join(folder, name.replace('json', extension)));
      const expected = { group: schema.group, version: schema.version, kind: schema.upstreamName };
      for (const format of ['json', 'yaml'] as const) {
        const { object, complaints } = decodeBody(read(format), { format, expected });
        assert.deepEqual(complaints, [], name);
        assert.deepEqual(comparable(object), comparable(recorded), `${name} from ${format}`);
      }
      assert.deepEqual(comparable(decodeProtobuf(read('pb'))), comparable(recorded), `${name} from protobuf`);
    }
    assert.ok(count >= resources.length, `only ${count} recorded kinds`);
  });
});

function attempt(action: () => string): string {
  try {
    return action();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
