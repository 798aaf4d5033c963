import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '../../limits.ts';
import { goTemplate } from './go-template.ts';

const object = {
  kind: 'Thing',
  metadata: { name: 'web', labels: { 'a.b/c': 'x', tier: 'front' } },
  spec: {
    ...{ replicas: 3, part: 1234567.5, whole: 2, on: true, none: null, text: `é<b>&"'`, secret: 'aGVsbG8=' },
    ...{ names: ['a', 'b', 'c'], mixed: [1, 'two', null, { a: 1 }], map: { b: 2, a: 1, c: { d: 'e' } } },
  },
};

/** What a template writes about the object; throws as the command line would. */
function write(template: string, { value = object as unknown, allowsMissingKeys = true } = {}): string {
  const { bytes, error } = goTemplate(template, { allowsMissingKeys })(value);
  if (error) throw error;
  return Buffer.from(bytes).toString();
}

/** Rows of a template and what kubectl 1.36 writes by it. */
function check(...rows: [template: string, text: string][]): void {
  for (const [template, text] of rows) assert.equal(write(template), text, template);
}

/** Rows of a template and what kubectl 1.36 says against it, without what it says of each. */
function checkErrors(...rows: [template: string, words: string][]): void {
  for (const [template, words] of rows) {
    assert.throws(
      () => write(template),
      ({ name, message }: Error) => name === 'CommandError' && message.endsWith(` ${words}`),
      template,
    );
  }
}

test('values stand as Go prints them', () => {
  check(
    [
      '{{.spec.replicas}} {{.spec.part}} {{.spec.whole}} {{.spec.on}} {{.spec.text}}',
      `3 1.2345675e+06 2 true é<b>&"'`,
    ],
    [
      '{{.spec.map}} {{.spec.mixed}} {{.spec.none}} {{.nope.more}}',
      'map[a:1 b:2 c:map[d:e]] [1 two <nil> map[a:1]] <no value> <no value>',
    ],
    [
      `{{1}} {{0x10}} {{017}} {{1_000}} {{1e3}} {{.5}} {{'a'}} {{"\\u00e9"}} {{true}} {{\`a\\b\`}}`,
      '1 16 15 1000 1000 0.5 97 é true a\\b',
    ],
  );
});

test('if, with and range choose and repeat', () => {
  check(
    ['{{if .nope}}a{{else if .spec.on}}b{{else}}c{{end}}', 'b'],
    [
      '{{with .nope}}a{{else with .spec.map}}{{.a}}{{else}}c{{end}}{{with $x := .kind}}{{$x}}{{end}}',
      '1Thing',
    ],
    [
      '{{range $i, $e := .spec.names}}{{$i}}{{$e}} {{end}}{{range $k, $v := .metadata.labels}}{{$k}}={{$v}};{{end}}',
      '0a 1b 2c a.b/c=x;tier=front;',
    ],
    [
      '{{range .spec.names}}{{if eq . "b"}}{{continue}}{{end}}{{.}}{{end}}{{range .spec.names}}{{.}}{{break}}{{end}}',
      'aca',
    ],
    [
      '{{range .nope}}x{{else}}none{{end}} {{range 3}}{{.}}{{end}} {{range .spec.replicas}}{{.}}{{end}}',
      'none 012 012',
    ],
    [
      '{{$x := ""}}{{range .spec.names}}{{$x = print . $x}}{{end}}{{$x}}{{$x := 1}}{{if true}}{{$x := 2}}{{end}}{{$x}}',
      'cba1',
    ],
  );
});

test('templates are defined and called, without the variables of who calls', () => {
  check(
    [
      '{{define "t"}}<{{.}}{{$}}>{{end}}{{template "t" .kind}}{{template "t"}}',
      '<ThingThing><<no value><no value>>',
    ],
    ['{{block "b" .spec.map}}{{.a}}{{end}}{{template "b" .spec.map}}', '11'],
    ['{{define "output"}}1{{end}} ', '1'],
  );
});

test('comments and trim markers leave nothing behind', () => {
  check(
    ['a  {{- " b " -}}  c{{/* d */}}', 'a b c'],
    [' x \n{{- /* y */ -}}\n z{{- "" }} {{- 3}} {{ -3 }}', ' xz3 -3'],
  );
});

test('functions do what Go and kubectl have them do', () => {
  check(
    [
      '{{len .spec.text}} {{len .spec.map}} {{index .spec.mixed 1}} {{index .metadata.labels "a.b/c"}} {{index .spec "map" "c" "d"}} {{index "abc" 1}}',
      '8 3 two x e 98',
    ],
    ['{{slice "hello" 1 3}} {{slice .spec.names 1}} {{(index .spec.mixed 3).a}}', 'el [b c] 1'],
    ['{{and 1 0 2}} {{or 0 "" "x"}} {{not 0}} {{or 1 (index nil 1)}} {{0 | or 2}}', '0 x true 1 2'],
    [
      '{{eq 3 1 3}} {{eq .spec.none nil}} {{ne 1 2}} {{lt 1 2}} {{le "a" "b"}} {{gt 2.5 1.5}} {{ge 2 2}} {{eq .spec.replicas 3}}',
      'true true true true true true true true',
    ],
    [
      '{{print 1 2 "a"}} {{printf "%-5s|%03d" .kind .spec.replicas}} {{"b" | printf "%s-%s" "a"}}{{println 1 "x"}}',
      '1 2a Thing|003 a-b1 x\n',
    ],
    [
      '{{.spec.text | html}} {{.spec.text | js}} {{.spec.text | urlquery}} {{html .nope}}',
      `é&lt;b&gt;&amp;&#34;&#39; é\\u003Cb\\u003E\\u0026\\"\\' %C3%A9%3Cb%3E%26%22%27 &lt;no value&gt;`,
    ],
    [
      '{{exists .spec "map" "a"}} {{exists .spec "map" "z"}} {{exists .spec.names 9}} {{exists .spec "none"}}',
      'true false false false',
    ],
    ['{{base64decode .spec.secret}} {{"YQ==" | base64decode}}', 'hello a'],
  );
});

test('bytes that are no text are written as they are', () => {
  const { bytes } = goTemplate('{{.x | base64decode}}', { allowsMissingKeys: true })({ x: 'gIH/AA==' });
  assert.deepEqual([...bytes], [0x80, 0x81, 0xff, 0x00]);
});

test('mistakes are named with their place in the words of text/template', () => {
  checkErrors(
    ['{{.a', 'template: output:1: unclosed action'],
    ['{{if true}}x', 'template: output:1: unexpected EOF'],
    ['{{nope .x}}', 'template: output:1: function "nope" not defined'],
    ['{{constructor}}', 'template: output:1: function "constructor" not defined'],
    ['{{$x}}', 'template: output:1: undefined variable "$x"'],
    ['a\n{{end}}', 'template: output:2: unexpected {{end}}'],
    ['{{.a b}}', 'template: output:1: function "b" not defined'],
    ['{{1 | 2}}', 'template: output:1: non executable command in pipeline stage 2'],
    ['{{break}}', 'template: output:1: {{break}} outside {{range}}'],
    ['{{.a-b}}', `template: output:1: bad character U+002D '-'`],
    ['{{if .x}}\n{{.a\n', 'template: output:3: unclosed action started at output:2'],
    [
      '{{.kind.x}}',
      'template: output:1:7: executing "output" at <.kind.x>: can\'t evaluate field x in type interface {}',
    ],
    [
      'é\n {{(.kind).x}}',
      'template: output:2:4: executing "output" at <.kind>: can\'t evaluate field x in type string',
    ],
    [
      '{{.spec.none.x}}',
      'template: output:1:7: executing "output" at <.spec.none.x>: nil pointer evaluating interface {}.x',
    ],
    [
      '{{index .spec.names 7}}',
      'template: output:1:2: executing "output" at <index .spec.names 7>: error calling index: index out of range: 7',
    ],
    [
      '{{eq 1 "a"}}',
      'template: output:1:2: executing "output" at <eq 1 "a">: error calling eq: incompatible types for comparison: int and string',
    ],
    [
      '{{call .kind}}',
      'template: output:1:2: executing "output" at <call .kind>: error calling call: non-function .kind of type string',
    ],
    [
      '{{range .kind}}{{end}}',
      `template: output:1:8: executing "output" at <.kind>: range can't iterate over Thing`,
    ],
    [
      '{{template "t"}}',
      'template: output:1:11: executing "output" at <{{template "t"}}>: template "t" not defined',
    ],
    [
      '{{base64decode "a"}}',
      'template: output:1:2: executing "output" at <base64decode "a">: error calling base64decode: base64 decode failed: illegal base64 data at input byte 0',
    ],
    [
      '{{len}}',
      'template: output:1:2: executing "output" at <len>: wrong number of args for len: want 1 got 0',
    ],
    [
      '{{printf .spec.replicas}}',
      'template: output:1:14: executing "output" at <.spec.replicas>: wrong type for value; expected string; got int64',
    ],
  );
});

test('complex numbers are refused by name', () => {
  checkErrors(['{{1i}}', 'template: output:1: complex numbers are not there: "1i"']);
});

test('what was written up to a mistake is there, and behind it what helps to find it', () => {
  const { bytes, error } = goTemplate('{{.kind}} {{.kind.x}}', { allowsMissingKeys: true })({ kind: '<A>' });
  const problem = `template: output:1:17: executing "output" at <.kind.x>: can't evaluate field x in type interface {}`;
  assert.equal(error?.message, `error: error executing template "{{.kind}} {{.kind.x}}": ${problem}`);
  assert.equal(
    Buffer.from(bytes).toString(),
    `<A> Error executing template: ${problem}. Printing more information for debugging the template:\n\ttemplate was:\n\t\t{{.kind}} {{.kind.x}}\n\traw data was:\n\t\t{"kind":"\\u003cA\\u003e"}\n\tobject given to template engine was:\n\t\tmap[kind:<A>]\n\n`,
  );
});

test('keys that are not there are errors where they are not allowed', () => {
  for (const [template, words] of [
    ['{{.nope}}', /at <\.nope>: map has no entry for key "nope"$/],
    ['{{$x := .spec.none}}{{$x.y}}', /at <\$x\.y>: nil data; no entry for key "y"$/],
  ] as const)
    assert.throws(() => write(template, { allowsMissingKeys: false }), {
      name: 'CommandError',
      message: words,
    });
});

test('names that every object inherits are found only where they are own', () => {
  assert.equal(
    write('{{.constructor}} {{.__proto__}} {{.metadata.toString}}'),
    '<no value> <no value> <no value>',
  );
  assert.equal(
    write('{{.__proto__.a}} {{.constructor}}', {
      value: JSON.parse('{"__proto__":{"a":1},"constructor":2}'),
    }),
    '1 2',
  );
});

test('templates that call themselves, and those that stand too deep in each other, are refused', () => {
  checkErrors([
    '{{define "r"}}{{template "r" .}}{{end}}{{template "r" .}}',
    `template: output:1:25: executing "r" at <{{template "r" .}}>: exceeded maximum template depth (${limits.templateDepthMax})`,
  ]);
  const deep = (count: number) => `{{print ${'('.repeat(count)}1${')'.repeat(count)}}}`;
  assert.equal(write(deep(limits.templateNestingMax)), '1');
  for (const template of [
    deep(limits.templateNestingMax + 1),
    '{{if true}}'.repeat(10_000),
    `{{if 1}}${'{{else if 1}}'.repeat(10_000)}{{end}}`,
    '{{block "a" .}}'.repeat(10_000),
    `{{print ${'('.repeat(100_000)}`,
  ])
    assert.throws(() => write(template), /max expression depth exceeded$/);
  const call = `{{if 1}}{{template "r" ${'('.repeat(limits.templateNestingMax)}.${')'.repeat(limits.templateNestingMax)}}}{{end}}`;
  assert.throws(
    () => write(`{{define "r"}}${call}{{end}}{{template "r" .}}`),
    /exceeded maximum template depth/,
  );
});
