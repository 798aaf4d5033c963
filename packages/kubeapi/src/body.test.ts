import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type BodyFormat, decodeBody, encodeBody, parseText, strictError } from './body.ts';
import type { JsonObject } from './json/json-value.ts';
import { nestingDepthMax } from './limits.ts';
import { StatusError } from './status/status-error.ts';

const pod = { group: '', version: 'v1', kind: 'Pod' };
const decode = (text: string, format: BodyFormat = 'json', expected = pod) =>
  decodeBody(Buffer.from(text), { format, expected });

function complaintOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    assert.ok(error instanceof StatusError, String(error));
    assert.equal(error.code, 400);
    return error.message;
  }
  assert.fail('nothing was thrown');
}

describe('a body', () => {
  it('comes out in the form of the schema', () => {
    const { object } = decode(
      '{"spec":{"containers":[{"name":"a","tty":false,"resources":{"limits":{"cpu":"1000m"}}}]},"metadata":{"name":"x","creationTimestamp":null}}',
    );
    assert.deepEqual(object, {
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { name: 'x' },
      spec: { containers: [{ name: 'a', resources: { limits: { cpu: '1' } } }] },
      status: {},
    });
  });

  it('is the same in YAML', () => {
    const yaml =
      'apiVersion: v1\nkind: Pod\nmetadata:\n  name: x\nspec:\n  containers:\n  - name: a\n    args: ["22:22"]\n';
    const json = '{"metadata":{"name":"x"},"spec":{"containers":[{"name":"a","args":["22:22"]}]}}';
    assert.deepEqual(decode(yaml, 'yaml').object, decode(json).object);
  });

  it('survives protobuf', () => {
    const { object } = decode(
      '{"metadata":{"name":"x","labels":{"a":""}},"spec":{"containers":[{"name":"a"}]}}',
    );
    const bytes = encodeBody(object, 'protobuf');
    assert.deepEqual(decodeBody(bytes, { format: 'protobuf', expected: pod }).object, object);
  });

  it('reports unknown and doubled fields', () => {
    const decoded = decode(
      '{"spec":{"containers":[{"name":"a","foo":1}],"bar":2},"kind":"Pod","kind":"Pod"}',
    );
    assert.deepEqual(decoded.complaints, [
      'unknown field "spec.containers[0].foo"',
      'unknown field "spec.bar"',
      'duplicate field "kind"',
    ]);
    assert.equal(
      strictError(decoded, pod)?.message,
      'Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.containers[0].foo", unknown field "spec.bar", duplicate field "kind"',
    );
  });

  it('reports doubled keys of YAML with their lines', () => {
    assert.deepEqual(decode('metadata:\n  name: a\n  name: b\n', 'yaml').complaints, [
      'line 3: key "name" already set in map',
    ]);
  });

  it('has no strict error when there is nothing to complain about', () => {
    assert.equal(strictError(decode('{}'), pod), undefined);
  });

  it('keeps a label called __proto__ to itself', () => {
    const { object } = decode('{"metadata":{"labels":{"__proto__":"x"}},"__proto__":{"y":1}}');
    assert.deepEqual(Object.keys((object['metadata'] as { labels: object }).labels), ['__proto__']);
    assert.equal(Object.getPrototypeOf(object), Object.prototype);
  });

  const wrong: [name: string, text: string, message: string][] = [
    [
      'a text where a boolean belongs',
      '{"kind":"Pod","spec":{"hostNetwork":"yes"}}',
      'Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal string into Go struct field PodSpec.spec.hostNetwork of type bool',
    ],
    [
      'a number where a text belongs, in a list',
      '{"spec":{"containers":[{"name":5}]}}',
      'Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal number into Go struct field Container.spec.containers.name of type string',
    ],
    [
      'an object where a list belongs',
      '{"spec":{"containers":{}}}',
      'Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container',
    ],
    [
      'no JSON at all',
      'kind: Pod',
      "the object provided is unrecognized (must be of type Pod): couldn't get version/kind; json parse error: invalid character 'k' looking for beginning of value (6b696e643a20506f64)",
    ],
    [
      'an empty body',
      '',
      "the object provided is unrecognized (must be of type Pod): couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)",
    ],
    [
      'an unknown kind',
      '{"kind":"Foo","apiVersion":"v1"}',
      'Foo in version "v1" cannot be handled as a Pod: no kind "Foo" is registered for version "v1"',
    ],
    ['a bad version', '{"apiVersion":"a/b/c"}', 'unexpected GroupVersion string: a/b/c'],
    [
      'a bad quantity',
      '{"spec":{"containers":[{"resources":{"limits":{"cpu":"lots"}}}]}}',
      `Pod in version "v1" cannot be handled as a Pod: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`,
    ],
    [
      'a list',
      '[]',
      'Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal array into Go value of type v1.Pod',
    ],
  ];
  for (const [name, text, message] of wrong) {
    it(`is refused with upstream's words: ${name}`, () =>
      assert.equal(
        complaintOf(() => decode(text)),
        message,
      ));
  }

  it('bytes are base64 or a list of numbers, as upstream reads them', () => {
    const read = (data: string) => {
      const body = Buffer.from(`{"data":{"a":${data}}}`);
      return decodeBody(body, { format: 'json', expected: { group: '', version: 'v1', kind: 'Secret' } });
    };
    const told = (data: string) => complaintOf(() => read(data)).replace(/^.*: json: /, '');
    const bytes = (data: string) => (read(data).object['data'] as JsonObject)['a'];
    assert.deepEqual(['[104,105]', '[104,null]', '[]', '"aGk="'].map(bytes), ['aGk=', 'aAA=', '', 'aGk=']);
    const misfit = (what: string) =>
      `cannot unmarshal ${what} into Go struct field Secret.data of type uint8`;
    assert.deepEqual(
      ['[256]', '[-1]', '[1.5]', '["x"]', '[true]', '[300,"x"]'].map(told),
      ['number 256', 'number -1', 'number 1.5', 'string', 'bool', 'number 300'].map(misfit),
    );
  });

  it('is refused when it nests too deeply, in every form', () => {
    const deep = nestingDepthMax * 40;
    complaintOf(() => decode('{"spec":'.repeat(deep)));
    complaintOf(() => decode(`${'['.repeat(deep)}${']'.repeat(deep)}`));
    complaintOf(() => decode('['.repeat(deep), 'yaml'));
    complaintOf(() => parseText(Buffer.from('{"a":'.repeat(deep)), 'json'));
  });

  it('is refused when its aliases explode', () => {
    const lines = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (let at = 98; at < 110; at++) {
      const letter = String.fromCharCode(at);
      const before = `*${String.fromCharCode(at - 1)}`;
      lines.push(`${letter}: &${letter} [${Array(9).fill(before).join(', ')}]`);
    }
    complaintOf(() => decode(lines.join('\n'), 'yaml'));
  });

  it('is refused as protobuf without the magic', () => {
    assert.match(
      complaintOf(() => decode('nonsense', 'protobuf')),
      /provided data does not appear to be a protobuf message, expected prefix \[107 56 115 0\]/,
    );
  });
});
