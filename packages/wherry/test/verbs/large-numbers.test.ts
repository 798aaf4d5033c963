/** Whole numbers that a double does not hold, through commands, API server and store and back, and the real kubectl. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { BesideKubectl } from './beside-kubectl.ts';

const digits = '9007199254740993';
const most = '9223372036854775807';
const list = `[${digits}, -${digits}]`;

const whole = { type: 'integer', format: 'int64' };
const definition = {
  ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
  metadata: { name: 'meters.example.com' },
  spec: {
    ...{ group: 'example.com', scope: 'Namespaced', names: { kind: 'Meter', plural: 'meters' } },
    versions: [
      {
        ...{ name: 'v1', served: true, storage: true },
        additionalPrinterColumns: [
          { name: 'Count', type: 'integer', jsonPath: '.spec.count' },
          { name: 'Most', type: 'number', jsonPath: '.spec.most' },
        ],
        selectableFields: [{ jsonPath: '.spec.count' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  count: {
                    ...whole,
                    multipleOf: 1,
                    'x-kubernetes-validations': [{ rule: 'self != 9007199254740999' }],
                  },
                  most: { type: 'integer', maximum: 2 ** 63, minimum: 1 },
                  set: { type: 'array', items: whole, 'x-kubernetes-list-type': 'set' },
                  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                },
              },
            },
          },
        },
      },
    ],
  },
};

let both: BesideKubectl;

before(async () => {
  both = await BesideKubectl.start([definition]);
  for (const { client } of [both.kubectl, both.wherry])
    await client.waitFor('crd/meters.example.com', 'Established');
});
after(() => both?.close());

/** A file of one meter, whose text has the digits. */
function file(name: string, text: string): string {
  const path = join(both.kubectl.server.folder, name);
  writeFileSync(path, text);
  return path;
}

const yaml = (name: string, count = digits) =>
  `apiVersion: example.com/v1\nkind: Meter\nmetadata: {name: ${name}}\nspec: {count: ${count}, most: ${most}, set: ${list}, free: {deep: [{x: ${digits}}]}}\n`;

test('whole numbers beyond 2^53 keep their digits through create, apply, replace, patch and label, and in every form that is printed', async () => {
  const given = file('meter.yaml', yaml('one'));
  for (const line of [
    `create -f ${given}`,
    'label meters one a=b',
    'patch meters one --type=merge -p {"spec":{"free":{"y":9007199254740995}}}',
    'patch meters one --type=json -p [{"op":"test","path":"/spec/count","value":9007199254740993},{"op":"copy","from":"/spec/count","path":"/spec/free/z"}]',
    'get meters one -o json',
    'get meters one',
    'get meters --field-selector spec.count=9007199254740993 -o name',
    'get meters one -o custom-columns=N:.spec.count,M:.spec.set',
    'get meters one -o go-template={{.spec.count}}-{{.spec.most}}',
    'get meters -o json',
    `replace -f ${file('replaced.yaml', yaml('one', '9007199254740995'))}`,
    'get meters one -o jsonpath={.kind}{.spec}',
    `apply --server-side --field-manager=x -f ${file('applied.json', `{"apiVersion":"example.com/v1","kind":"Meter","metadata":{"name":"two"},"spec":{"count":${digits},"set":${list}}}`)}`,
    'get meters two -o jsonpath={.kind}{.spec}{.metadata.managedFields[0].fieldsV1}',
  ])
    await (/jsonpath|template/.test(line) ? both.typeInto(line, '') : both.typeLine(line));
  await both.compareObjects('Meter');
  const { stdout: inYaml } = await both.wherry.run('get meters one -o yaml');
  const { stdout: inJson } = await both.wherry.run('get meters one -o json');
  for (const part of ['count: 9007199254740995', `most: ${most}`, `- -${digits}`, `- x: ${digits}`])
    assert.ok(inYaml.includes(part), `${part} in ${inYaml}`);
  assert.ok(inJson.includes('"count": 9007199254740995,'), inJson);
});

test('an object that holds one is edited and applied without a change of it', async () => {
  assert.equal((await both.wherry.run(`apply -f ${file('three.yaml', yaml('three'))}`)).code, 0);
  process.env['KUBE_EDITOR'] = 'sed -i \'s/^  name: three$/&\\n  labels: {edited: "yes"}/\'';
  assert.equal((await both.wherry.run('edit meters three')).stdout, 'meter.example.com/three edited\n');
  const { stdout } = await both.wherry.spawn(
    ['get', 'meters', 'three', '-o', 'jsonpath={.metadata.labels}{.spec}'],
    '',
  );
  assert.equal(
    stdout,
    `{"edited":"yes"}{"count":${digits},"free":{"deep":[{"x":${digits}}]},"most":${most},"set":[${digits},-${digits}]}`,
  );
  assert.equal(
    (await both.wherry.run(`apply -f ${file('three.yaml', yaml('three'))}`)).stdout,
    'meter.example.com/three unchanged\n',
  );
  assert.equal((await both.wherry.run('delete meters three')).code, 0);
});

test('what a schema says of one is held against all of its digits', async () => {
  for (const [name, spec] of Object.entries({
    rule: '{count: 9007199254740999}',
    twice: `{set: [${digits}, ${digits}]}`,
    low: `{most: -${digits}}`,
    type: '{count: "9007199254740993"}',
    fraction: '{count: 9007199254740993.5}',
  }))
    await both.typeLine(
      `create -f ${file(`${name}.yaml`, `apiVersion: example.com/v1\nkind: Meter\nmetadata: {name: ${name}}\nspec: ${spec}\n`)}`,
    );
  await both.compareObjects('Meter');
});

test('a client reads and writes such numbers as bigint', async () => {
  const { client } = both.wherry;
  type Meter = {
    apiVersion: string;
    kind: string;
    metadata: { name: string };
    spec: { count: bigint | number };
  };
  const meter: Meter = {
    ...{ apiVersion: 'example.com/v1', kind: 'Meter', metadata: { name: 'client' } },
    spec: { count: 2n ** 62n },
  };
  const created = (await client.create(meter)) as Meter;
  assert.equal(created.spec.count, 2n ** 62n);
  const updated = (await client.replace({ ...created, spec: { count: -(2n ** 62n) } })) as Meter;
  assert.equal(updated.spec.count, -(2n ** 62n));
});
