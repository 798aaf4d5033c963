import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { customTable, parseCustomColumns } from '../custom-columns/custom-columns.ts';
import { jsonPathTemplate } from './jsonpath-template.ts';
import { parseTemplate } from './parse.ts';
import { sortedBy } from './sort-by.ts';
import { writeAsJson, writeTemplate } from './template.ts';

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

const odd = {
  texts: ['one', ''],
  numbers: [1, 2.5, 1e21, 0.00001],
  mixed: [null, true, { b: '<', a: 1 }, []],
  items: [
    { name: 'a', kids: [{ n: 1 }, { n: 2 }] },
    { name: 'b', kids: [] },
    { name: 'c', kids: [{ n: 3 }] },
  ],
};
const about = (template: string) => writeTemplate(parseTemplate(template), odd);

test('nodes of an action go on from what the one before has found', () => {
  for (const [template, text] of [
    ['{.items[0] .name}', 'a'],
    ['{.items[0].name "x"}', 'x'],
    ['{.items[*].kids.n}', ''],
    // An empty list ends the search among those behind it, as upstream.
    ['{.items[*].kids[*].n}', '1 2'],
    ['{.texts[0]}{" "}{true}{-1.50}', 'one true-1.5'],
    ["{.items[0]['kids.n']}{.items['0']}", ''],
    ["{.items[0]['name','kids']}", 'a [{"n":1},{"n":2}]'],
    ['{.}', ''],
    ['{.texts[]}', 'one'],
  ] as const)
    assert.equal(about(template), text, template);
});

test('values are written as Go prints them, and what has parts as its JSON', () => {
  assert.equal(about('{.numbers[*]}'), '1 2.5 1e+21 1e-05');
  assert.equal(about('{.mixed[*]}'), String.raw`null true {"a":1,"b":"\u003c"} []`);
  assert.equal(about('{range .mixed[0:2]}{@}{end}'), '<no value>true');
  assert.equal(about('{.texts[0].*}'), '111 110 101');
  assert.equal(about('{.texts..}'), '["one",""] one');
});

test('a range of nothing is passed, up to its own end', () => {
  const text = '{range .items[*]}{.name}:{range .kids[*]}{.n}{range .none[*]}{.x}{end},{end};{end}.';
  assert.equal(about(text), 'a:1,2,;b:;c:3,;.');
  assert.equal(about('{range .none[*]}{range .x[*]}{.y}{end}{end}{.items[0].name}'), 'a');
  assert.equal(about('{range .texts[*]}<{@}>{end}'), '<one><>');
});

test('filters compare what is of one type, and count what they find', () => {
  assert.equal(about('{.items[?(@.name=="b")].name}'), 'b');
  assert.equal(about('{.items[?(@.kids[0].n)].name}'), 'a b c');
  assert.equal(about("{.texts[?(@>'a)')]}"), 'one');
  assert.equal(about('{.items[?(@.none==1)].name}'), '');
  for (const [template, message] of [
    ['{.items[?(@.name==1)]}', 'incompatible types for comparison'],
    ['{.numbers[?(@>1.5)]}', 'incompatible types for comparison'],
    ['{.items[?(@.kids==1)]}', 'invalid type for comparison'],
    ['{.items[?(@.kids[*].n==1)]}', 'can only compare one element at a time'],
    ['{.items[?(@.name=<1)]}', 'unrecognized filter operator =<'],
    [
      '{.items[0][?(@.a)]}',
      'map[kids:[map[n:1] map[n:2]] name:a] is not array or slice and cannot be filtered',
    ],
  ] as const)
    assert.throws(() => about(template), { name: 'JsonPathError', message }, template);
});

test('what does not fit a value is told in client-go’s words', () => {
  for (const [template, message] of [
    ['{.items.name[0]}', undefined],
    ['{.items[0][0]}', 'map[string]interface {} is not array or slice'],
    ['{.texts[0][0]}', 'string is not array or slice'],
    ['{.items[3]}', 'array index out of bounds: index 3, length 3'],
    ['{.items[-4]}', 'array index out of bounds: index -1, length 3'],
    ['{.items[0:9]}', 'array index out of bounds: index 8, length 3'],
    ['{.items[2:1]}', 'starting index 2 is greater than ending index 1'],
    ['{.items[::0]}', 'step must be > 0'],
    ['{items}', 'unrecognized identifier items'],
    ['{end}', 'not in range, nothing to end'],
  ] as const)
    if (message === undefined) assert.equal(about(template), '', template);
    else assert.throws(() => about(template), { name: 'JsonPathError', message }, template);
  assert.throws(() => writeTemplate(parseTemplate('{.items[*].x}'), odd, { refusesMissingKeys: true }), {
    message: 'x is not found',
  });
});

test('what is no template is told in client-go’s words', () => {
  for (const [template, message] of [
    ['{.a', 'unclosed action'],
    ['{.a\n}', 'unclosed action'],
    ['{.a[}', 'unterminated array'],
    ['{.a["b"]}', 'invalid array index "b"'],
    ['{.a[-]}', 'array index - is not a number'],
    ['{.a[?(@.b==)]}', "unrecognized character in action: U+003D '='"],
    ['{.a[?(@.b]}', 'unterminated filter'],
    ['{.a[?(@.b)}', 'unclosed array expect ]'],
    ['{....a}', 'invalid multiple recursive descent'],
    ['{|}', "unrecognized character in action: U+007C '|'"],
    ['{*}', "unrecognized character in action: U+002A '*'"],
    ['{1.2.3}', 'cannot parse number 1.2.3'],
    ['{"a}', 'unterminated quoted string'],
    [String.raw`{"\q"}`, String.raw`unquote string "\q" error invalid syntax`],
  ] as const)
    assert.throws(() => parseTemplate(template), { name: 'JsonPathError', message }, template);
});

test('a template that fails shows itself and the value', () => {
  const options = { allowsMissingKeys: true, isJson: false };
  const write = jsonPathTemplate('{.a[0]}', options);
  assert.equal(
    write({ a: { b: 1 } }).error?.message,
    `error: error executing jsonpath "{.a[0]}": Error executing template: map[string]interface {} is not array or slice. Printing more information for debugging the template:
\ttemplate was:
\t\t{.a[0]}
\tobject given to jsonpath engine was:
\t\tmap[string]interface {}{"a":map[string]interface {}{"b":1}}

`,
  );
  assert.throws(() => jsonPathTemplate('{.a', options), {
    name: 'CommandError',
    message: 'error: error parsing jsonpath {.a, unclosed action',
  });
});

test('templates can write lists of what each action finds', () => {
  const text = writeAsJson(parseTemplate('{.texts[*]}{.none}'), odd);
  assert.equal(text, '[\n    "one",\n    ""\n]\n[]\n');
});

test('items are put in the order of a field: without it first, quantities by their amounts, other texts by their bytes', () => {
  const sorted = (values: unknown[], path = '{.a}') =>
    sortedBy(
      values.map((a) => (a === undefined ? {} : { a })),
      path,
      (item) => item,
    ).map(({ a }) => a);
  assert.deepEqual(sorted([3, undefined, 1, null]), [undefined, null, 1, 3]);
  assert.deepEqual(sorted(['1Gi', '2', '100Mi']), ['2', '100Mi', '1Gi']);
  assert.deepEqual(sorted(['web-9', 'web-10', 'Web']), ['Web', 'web-10', 'web-9']);
  assert.throws(() => sorted([1], '.b'), {
    message: `couldn't find any field with path "{.b}" in the list of objects`,
  });
  assert.throws(() => sorted([true, false]), { name: 'CommandError', message: /is an unsortable type/ });
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
  const refused: [text: string, message: string][] = [
    ['', 'custom-columns format specified but no custom columns given'],
    ['NAME', 'unexpected custom-columns spec: NAME, expected <header>:<json-path-expr>'],
    [
      'A:{.b',
      "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'",
    ],
    ['A:.b[', 'unterminated array'],
  ];
  for (const [text, message] of refused)
    assert.throws(() => parseCustomColumns(text), { name: 'CommandError', message });
  const { rows } = customTable(parseCustomColumns('A:,B:metadata.name,C:{.spec.x}'), [pod]);
  assert.deepEqual(rows, [['<none>', 'web', '<none>']]);
});
