import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { parseCustomColumns } from '../custom-columns/custom-columns.ts';
import { writeTemplate } from './evaluate.ts';
import { parseTemplate } from './parse.ts';

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', labels: { 'app.kubernetes.io/name': 'web', tier: 'front' } },
  spec: {
    containers: [
      { name: 'main', image: 'app:1', ports: [{ containerPort: 80 }, { containerPort: 443 }] },
      { name: 'side', image: 'log:2' },
      { name: 'third', image: 'third:3', command: ['a b', 'c'] },
    ],
  },
};

const write = (template: string) => writeTemplate(parseTemplate(template), pod);

const templates = [
  '{.metadata.name}',
  'pod {.metadata.name} runs {.spec.containers[0].image}{"\\n"}',
  '{.spec.containers[*].name}',
  '{.spec.containers[-1].name} {.spec.containers[0:2].name} {.spec.containers[:2].image}',
  '{.spec.containers[0,2].name}',
  "{.spec.containers[0]['name','image']}",
  '{.metadata.labels.app\\.kubernetes\\.io/name}',
  "{.metadata.labels['tier']}",
  '{range .spec.containers[*]}{.name}={.image}{"\\n"}{end}',
  '{range .spec.containers[*]}{range .ports[*]}{.containerPort},{end};{end}',
  '{.spec.containers[?(@.name=="side")].image}',
  "{.spec.containers[?(@.name!='side')].image}",
  '{.spec.containers[?(@.ports)].name}',
  '{..containerPort}',
  '{$.metadata.name}',
  '{.spec.containers[0].ports}',
  '{.spec.containers[?(@.ports[0].containerPort<81)].name}',
  '{.nope.nothing}',
  'no template at all',
  '{@.kind}',
];

test('templates write what kubectl writes', () => {
  for (const template of templates) {
    const words = ['label', '--local', '-f', '-', 'added=1', '-o', `jsonpath=${template}`];
    const { stdout, stderr, error } = spawnSync('kubectl', words, {
      input: JSON.stringify(pod),
      encoding: 'utf8',
    });
    assert.equal(error, undefined, 'kubectl is missing; apt-get install kubernetes-client');
    assert.equal(write(template), stdout, `${template} ${stderr}`);
  }
});

test('what is no template is refused with the place', () => {
  for (const [template, message] of [
    ['{.a', /at its end: a } is missing/],
    ['{.a[}', /at "}": expected an index/],
    ['{range .a[*]}x', /\{end\} is missing/],
    ['x{end}', /\{end\} without \{range\}/],
    ['{.a[?(@.b==)]}', /expected a path/],
  ] as const) {
    assert.throws(() => parseTemplate(template), { name: 'CommandError', message }, template);
  }
});

test('names that every object inherits are found only where they are own', () => {
  assert.equal(write('{.constructor}{.metadata.__proto__}{.spec.toString}'), '');
});

test('columns are a title and a path, with unions inside of brackets', () => {
  const columns = parseCustomColumns('NAME:.metadata.name,TWO:.spec.containers[0,1].name');
  assert.deepEqual(
    columns.map(({ title }) => title),
    ['NAME', 'TWO'],
  );
  assert.throws(() => parseCustomColumns('NAME'), /"NAME" is no TITLE:\.path/);
});
