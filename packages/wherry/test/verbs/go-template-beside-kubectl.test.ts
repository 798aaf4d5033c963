/** `-o go-template` and its like, and the real kubectl at the same server. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { KubeObject } from '@wherry/client';
import { goTemplate } from '../../src/output/go-template/go-template.ts';
import { Served } from './served.ts';

let served: Served;
let thing: KubeObject;
/** kubectl before 1.32 is built with an older Go, whose templates know less and say less. */
let hasPeer = false;

before(async () => {
  served = await Served.start();
  await served.defineThings();
  await served.client.create({
    ...{
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: { name: 'web', labels: { 'a.b/c': 'x', tier: 'f' } },
    },
    spec: {
      ...{
        replicas: 3,
        most: 9007199254740991,
        zero: 0,
        below: -5,
        part: 1234567.5,
        small: 1e-7,
        great: 1e25,
      },
      ...{ whole: 2, on: true, none: null, empty: '', text: `héllo <b>&"'\``, odd: 'a\u2028b\n\t' },
      ...{
        secret: 'aGVsbG8=',
        bytes: 'gIH/AA==',
        names: ['a', 'b', 'c'],
        mixed: [1, 'two', { a: 1 }, [1, 2], 2.5, false],
      },
      ...{ maps: [{ name: 'x', v: 1 }, { name: 'y' }], map: { b: 2, a: 1, c: { d: 'e' } }, nothing: {} },
    },
  } as KubeObject);
  for (const name of ['one', 'two'])
    await served.client.create({
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { of: 'test' } } },
      data: { key: name },
    } as KubeObject);
  const shown = await served.run('get things web -o json --show-managed-fields');
  thing = JSON.parse(shown.stdout);
  const { stdout } = await served.server.kubectl(['version', '--client', '-o', 'json']);
  hasPeer = Number.parseInt(JSON.parse(stdout).clientVersion.minor, 10) >= 32;
});
after(() => served?.close());

/** Fails where kubectl writes or says something else about the thing than the engine does. */
async function compare(templates: readonly string[], flags: readonly string[] = []): Promise<void> {
  for (const template of templates) {
    const line = ['get', 'things', 'web', '-o', `go-template=${template}`, ...flags];
    const theirs = await served.server.kubectl(line);
    assert.deepEqual(ours(template, flags.length === 0), theirs, template);
  }
}

function ours(template: string, allowsMissingKeys: boolean) {
  try {
    const { bytes, error } = goTemplate(template, { allowsMissingKeys })(thing);
    const said = error ? { code: 1, stderr: `${error.message}\n` } : { code: 0, stderr: '' };
    return { ...said, stdout: Buffer.from(bytes).toString() };
  } catch (error) {
    return { code: 1, stderr: `${(error as Error).message}\n`, stdout: '' };
  }
}

test('templates write what kubectl writes', async (context) => {
  if (!hasPeer) return context.skip('kubectl before 1.32 has an older Go');
  await compare([
    '{{.metadata.name}} runs {{.spec.replicas}}',
    '{{.}}',
    '{{.spec.most}} {{.spec.part}} {{.spec.small}} {{.spec.great}} {{.spec.whole}} {{.spec.below}}',
    '{{.spec.none}} {{.nope}} {{.nope.more}} {{.spec.mixed}} {{.spec.map}} {{.spec.nothing}}',
    '{{range .spec.names}}{{.}},{{end}}{{range $i, $e := .spec.names}}{{$i}}={{$e}} {{end}}',
    '{{range $k, $v := .spec.map}}{{$k}}={{$v}};{{end}}{{range .spec.nothing}}x{{else}}none{{end}}',
    '{{range .spec.names}}{{if eq . "b"}}{{break}}{{end}}{{.}}{{end}}',
    '{{range .spec.names}}{{if eq . "b"}}{{continue}}{{end}}{{.}}{{end}}',
    '{{if .spec.zero}}a{{else if .spec.replicas}}b{{else}}c{{end}}',
    '{{with .nope}}a{{else with .spec.map}}{{.b}}{{else}}c{{end}}{{with $x := .spec.map}}{{$x.a}}{{$.kind}}{{end}}',
    '{{define "t"}}<{{.}}>{{end}}{{template "t" .kind}}{{template "t"}}{{block "b" .spec.map}}{{.a}}{{end}}',
    '{{define "output"}}whole{{end}}',
    'a  {{- " b " -}}  c{{/* d */}} {{- 3}} {{ -3 }}',
    '{{$x := 1}}{{if true}}{{$x = 5}}{{$x := 9}}{{end}}{{$x}}',
    '{{"a" | printf "%s-%s" "b"}} {{.metadata.name | len}} {{(index .spec.maps 0).name | printf "%-5s|"}}',
    '{{len .spec.text}} {{len .spec.map}} {{len .spec.mixed}}',
    '{{index .spec.mixed 1}} {{index .metadata.labels "a.b/c"}} {{index .spec "map" "c" "d"}} {{index "abc" 1}} {{index .spec.map "z"}}',
    '{{slice "hello" 1 3}} {{slice .spec.names 1}} {{slice .spec.names 0 1 2}} {{slice "é" 0 1 | printf "%q"}}',
    '{{print 1 2 "a" "b" 3 nil}} {{print}} {{println 1 "a" nil}}{{print .spec.map .spec.names}}',
    '{{.spec.text | html}} {{.spec.text | js}} {{.spec.text | urlquery}} {{.spec.odd | js}}',
    '{{html .nope}} {{html .spec.none}} {{html 1 2 "a"}} {{js .spec.map}} {{urlquery "a b/c?~" 1}}',
    '{{eq .kind "Thing"}} {{eq 1 1}} {{eq .spec.replicas 3}} {{ne 1 2}} {{lt 1 2}} {{le 2 2}} {{gt "b" "a"}} {{ge 1.5 1.5}} {{eq 3 1 2 3}}',
    '{{eq .spec.map nil}} {{eq nil nil}} {{eq .spec.none nil}} {{eq .nope nil}} {{eq .nope "x"}}',
    '{{and 1 0 2}} {{and 1 2}} {{or 0 "" "x"}} {{or 0 ""}} {{not 0}} {{not .nope}} {{or .spec.none .spec.map}} {{or 1 (index .nope 1)}}',
    '{{exists .spec "map" "a"}} {{exists .spec "map" "z"}} {{exists .spec.mixed 1}} {{exists .spec.mixed 9}} {{exists .spec.none}} {{exists .spec.map 1}} {{exists "abc" 1}}',
    '{{base64decode .spec.secret}} {{"YW\\nI=" | base64decode}}',
    '{{printf "%v|%+v|%#v" .spec .spec.map .spec.mixed}}',
    '{{printf "%#v %#v %#v %#v %T %T %T" 1 "a" 1.5 true .spec.map .spec.mixed .spec.replicas}}',
    '{{printf "%s %d %q %x" .spec.names .spec.names .spec.names .spec.names}}',
    '{{printf "%5d|%-5d|%05d|%+d|% d|%x|%X|%#x|%o|%#o|%O|%b|%c|%q|%U|%#U" 42 42 42 42 42 42 42 42 42 42 42 42 42 42 42 42}}',
    '{{printf "%f %.2f %8.3f|%-8.1f|%08.2f|%+.1f|%e|%E|%g|%G|%.3g|%#g|%x|%b" 1.5 1.005 3.14159 2.25 -3.7 1.0 12345.678 1.5 1e21 1e-10 123456.0 1.0 1.5 1.5}}',
    '{{printf "%10s|%-10s|%.2s|%q|%+q|%#q|%x|%X|% x|%# x" "héllo" "héllo" "héllo" "héllo" "héllo" "héllo" "héllo" "héllo" "héllo" "héllo"}}',
    '{{printf "%t %v %5t|%-7t|" true false true false}} {{printf "%T %T" nil .spec.none}}',
    '{{printf "%%"}} {{printf "%"}} {{printf "%z" 1}} {{printf "%d %s" 1}} {{printf "%d" 1 "x" nil}}',
    '{{printf "%d" "x"}} {{printf "%s" 1}} {{printf "%5d" "x"}} {{printf "%t" 1}} {{printf "%d" nil}} {{printf "%d" .spec.mixed}}',
    '{{printf "%.2T|%5.1T|%3T" 1 "a" nil}} {{printf "%- 03.X|%03.X|" "two" "two"}}',
    '{{printf "%[2]d %[1]d" 1 2}} {{printf "%[3]d" 1}} {{printf "%[x]d" 1}} {{printf "%[2]*[1]d|" 1 5}}',
    '{{printf "%*d|%-*d|%.*f" 5 1 5 2 2 1.239}} {{printf "%*d" "a" 1}}',
    '{{printf "%.30g %.20f %.0f %.0f" 0.1 0.1 0.5 1.5}} {{1e6}} {{1e5}} {{1e-5}} {{123456789.0}}',
    '{{0x10}} {{0b11}} {{0o17}} {{017}} {{1_000}} {{1e3}} {{0x1p4}} {{.5}} {{+3}} {{9223372036854775807}}',
    `{{'a'}} {{'\\n'}} {{'é'}} {{"\\101\\x41\\u0041\\a"}} {{\`a\\b\`}}`,
    '{{.constructor}} {{.__proto__}} {{.metadata.toString}}',
    'a\n  {{- range .spec.maps }}\n{{ .name }}: {{ with .v }}{{ . }}{{ else }}-{{ end }}\n{{- end }}\n',
  ]);
});

test('mistakes end with what kubectl says and shows', async (context) => {
  if (!hasPeer) return context.skip('kubectl before 1.32 has an older Go');
  await compare([
    ...[
      '{{',
      '{{.a',
      '{{}}',
      '{{end}}',
      '{{else}}',
      '{{if true}}x',
      '{{if}}{{end}}',
      '{{range}}{{end}}',
      '{{break}}',
    ],
    ...[
      '{{nope .x}}',
      '{{.x | 2}}',
      '{{nil}}',
      '{{nil.x}}',
      '{{.a.}}',
      '{{..a}}',
      '{{$x}}',
      '{{$x := }}',
      '{{1 2}}',
    ],
    ...[
      '{{.kind 1}}',
      '{{1 | .kind}}',
      '{{(1}}',
      '{{1)}}',
      '{{|}}',
      '{{1|}}',
      '{{#}}',
      '{{.a-b}}',
      '{{"abc}}',
      '{{1a}}',
    ],
    ...[
      '{{"\\q"}}',
      '{{template}}',
      '{{template "nope"}}',
      '{{define "a"}}',
      '{{define "a"}}1{{end}}{{define "a"}}2{{end}}',
    ],
    ...[
      '{{if .x}}\n{{.a\n',
      '{{.kind.x}}',
      '{{(.kind).x}}',
      '{{.spec.none.x}}',
      'é\n{{.kind.x}}',
      '{{range .kind}}{{end}}',
    ],
    ...[
      '{{index .spec.names 7}}',
      '{{index .spec.map 1}}',
      '{{index .nope 1}}',
      '{{len .spec.replicas}}',
      '{{len nil}}',
    ],
    ...[
      '{{slice "abc" 2 1}}',
      '{{slice .spec.names .spec.replicas}}',
      '{{.',
      '{{printf 1}}',
      '{{printf .spec.replicas}}',
      '{{len}}',
      '{{eq 1}}',
      '{{lt true false}}',
    ],
    ...[
      '{{eq .spec.map .spec.map}}',
      '{{call .kind}}',
      '{{call nil}}',
      '{{base64decode "a"}}',
      '{{base64decode "ab=x"}}',
    ],
    ...[
      '{{.kind}} and {{.kind.x}}',
      '{{define "t"}}{{.x.y}}{{end}}{{template "t" .kind}}',
      '{{99999999999999999999}}',
    ],
  ]);
});

test('--allow-missing-template-keys=false makes errors of what is not there', async (context) => {
  if (!hasPeer) return context.skip('kubectl before 1.32 has an older Go');
  await compare(
    ['{{.nope}}', '{{.kind}}', '{{.spec.none}}', '{{$x := .spec.none}}{{$x.y}}', '{{index .spec "nope"}}'],
    ['--allow-missing-template-keys=false'],
  );
});

/** Fails where wherry, in a process of its own, writes or says something else than kubectl. */
async function compareLine(...words: string[]): Promise<void> {
  const theirs = await served.server.kubectl(words);
  assert.deepEqual(await served.spawn(words, ''), theirs, words.join(' '));
}

test('the flags choose a template as in kubectl', async () => {
  const file = join(served.server.folder, 'names.tmpl');
  writeFileSync(file, '{{range .items}}{{.metadata.name}}\n{{end}}');
  const name = '{{.metadata.name}}\n';
  await compareLine('get', 'cm', '-l', 'of=test', '-o', `go-template-file=${file}`);
  await compareLine('get', 'cm', '-l', 'of=test', '-o', 'templatefile', '--template', file);
  await compareLine('get', 'cm/one', '-o', 'go-template', '--template', name);
  await compareLine('get', 'cm/one', `--template=${name}`);
  await compareLine('get', 'cm/one', '-o', `template=${name}`);
  await compareLine('get', 'cm/one', '-o', 'name', `--template=${name}`);
  await compareLine('get', 'cm/one', '-o', 'jsonpath', '--template={.metadata.name}');
  await compareLine('get', 'cm/one', '-o', 'go-template');
  await compareLine('get', 'cm/one', '-o', 'go-template-file=/nope/none.tmpl');
  await compareLine('get', 'cm/one', '-o', 'go-template={{len .metadata.managedFields}}');
  await compareLine('get', 'cm/one', '--template={{.nope}}', '--allow-missing-template-keys');
  await compareLine('get', 'cm/one', '--template={{.kind}} {{.nope}}', '--allow-missing-template-keys=false');
  await compareLine('get', 'cm/one', '-o', 'jsonpath={.metadata.managedFields[*].manager}');
  await compareLine('get', 'things/web', '-o', 'go-template={{.spec.bytes | base64decode | printf "%x"}}');
  await compareLine('label', 'cm/two', 'more=yes', '-o', 'go-template={{.metadata.labels}}');
});

test('bytes that are no text come out as they are', async () => {
  const { stdout, stderr } = await served.spawn(
    ['get', 'things/web', '-o', 'go-template={{.spec.bytes | base64decode}}'],
    '',
  );
  assert.deepEqual([stdout, stderr], ['\ufffd\ufffd\ufffd\0', '']);
});

test('a template that stands twice, and one where nothing is printed by it, are refused by name', async () => {
  for (const [line, words] of [
    [
      'get cm/one -o go-template={{.a}} --template={{.b}}',
      /"go-template=\{\{\.a\}\}" has a template, and --template is another/,
    ],
    [
      'get cm/one -o jsonpath={.a} --allow-missing-template-keys=false',
      /^error: error executing jsonpath "\{\.a\}": Error executing template: a is not found\./m,
    ],
    [
      'get cm/one -o go-template={{.a',
      /^error: error parsing template \{\{\.a, template: output:1: unclosed action$/m,
    ],
    ['delete cm/one -o go-template={{.kind}}', /Allowed choices are name/],
    ['explain pod.spec --template={{.kind}}', /templates are about a pod by its name/],
  ] as const) {
    const { code, stderr } = await served.run(line);
    assert.deepEqual([code, words.test(stderr)], [1, true], `${line}: ${stderr}`);
  }
});
