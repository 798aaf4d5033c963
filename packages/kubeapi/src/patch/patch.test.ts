import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { jsonPatchOperationsMax } from '../limits.ts';
import { messageSchema } from '../schema/schema.ts';
import { applyJsonPatch } from './json-patch.ts';
import { applyMergePatch, createMergePatch } from './merge-patch.ts';
import { PatchError, type PatchErrorCode } from './patch-error.ts';
import { applyStrategicPatch } from './strategic-patch.ts';

const withCode = (code: PatchErrorCode) => (error: unknown) =>
  error instanceof PatchError && error.code === code;

describe('a JSON merge patch', () => {
  const cases: [target: JsonValue, patch: JsonValue, expected: JsonValue][] = [
    // RFC 7386, appendix A
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'foo' }, null, null],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ];
  for (const [target, patch, expected] of cases) {
    it(`${JSON.stringify(target)} + ${JSON.stringify(patch)} = ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(applyMergePatch(target, patch), expected);
    });
  }

  it('leaves its inputs alone', () => {
    const target = { a: { b: 1 } };
    applyMergePatch(target, { a: { b: 2 } });
    assert.deepEqual(target, { a: { b: 1 } });
  });

  it('can be made from two states', () => {
    const before = { a: { b: 1, c: 2 }, d: [1], e: 1 };
    const after = { a: { b: 1, c: 3 }, d: [1, 2], f: 1 };
    const patch = createMergePatch(before, after);
    assert.deepEqual(patch, { a: { c: 3 }, d: [1, 2], e: null, f: 1 });
    assert.deepEqual(applyMergePatch(before, patch), after);
    assert.deepEqual(createMergePatch(after, after), {});
  });

  it('sets a key called __proto__ as any other', () => {
    const result = applyMergePatch({}, JSON.parse('{"__proto__":{"polluted":true}}')) as JsonObject;
    assert.deepEqual(Object.keys(result), ['__proto__']);
    assert.equal('polluted' in {}, false);
  });
});

describe('a JSON patch', () => {
  const document = { a: { b: [1, 2, 3], 'x/y': 1, 'm~n': 2 } };
  const cases: [name: string, patch: JsonValue, expected: JsonValue][] = [
    ['adds to an object', [{ op: 'add', path: '/a/c', value: 1 }], { a: { ...document.a, c: 1 } }],
    [
      'inserts into a list',
      [{ op: 'add', path: '/a/b/1', value: 9 }],
      { a: { ...document.a, b: [1, 9, 2, 3] } },
    ],
    [
      'appends to a list',
      [{ op: 'add', path: '/a/b/-', value: 9 }],
      { a: { ...document.a, b: [1, 2, 3, 9] } },
    ],
    ['removes', [{ op: 'remove', path: '/a/b/0' }], { a: { ...document.a, b: [2, 3] } }],
    ['replaces', [{ op: 'replace', path: '/a/b', value: 0 }], { a: { ...document.a, b: 0 } }],
    ['moves', [{ op: 'move', from: '/a/b/0', path: '/a/b/2' }], { a: { ...document.a, b: [2, 3, 1] } }],
    ['copies', [{ op: 'copy', from: '/a/b', path: '/c' }], { ...document, c: [1, 2, 3] }],
    [
      'unescapes paths',
      [
        { op: 'replace', path: '/a/x~1y', value: 5 },
        { op: 'remove', path: '/a/m~0n' },
      ],
      { a: { b: [1, 2, 3], 'x/y': 5 } },
    ],
    [
      'makes what it is to replace',
      [{ op: 'replace', path: '/a/new', value: 0 }],
      { a: { ...document.a, new: 0 } },
    ],
    [
      'takes an index with zeros before it',
      [{ op: 'remove', path: '/a/b/00' }],
      { a: { ...document.a, b: [2, 3] } },
    ],
    ['copies a field that is not there as null', [{ op: 'copy', from: '/x', path: '/a' }], { a: null }],
    ['passes over what is before the first slash', [{ op: 'add', path: '#/a', value: 1 }], { a: 1 }],
    ['replaces the whole document', [{ op: 'replace', path: '', value: { b: 1 } }], { b: 1 }],
    [
      'goes on after a test that holds',
      [
        { op: 'test', path: '/a/b', value: [1, 2, 3] },
        { op: 'remove', path: '/a' },
      ],
      {},
    ],
  ];
  for (const [name, patch, expected] of cases) {
    it(name, () => assert.deepEqual(applyJsonPatch(document, patch), expected));
  }

  const refused: [name: string, patch: JsonValue, code: PatchErrorCode][] = [
    ['no list', {}, 'malformed'],
    ['no object', [1], 'malformed'],
    ['no path', [{ op: 'add', value: 1 }], 'rejected'],
    ['an unknown operation', [{ op: 'put', path: '/a' }], 'rejected'],
    ['a path without a slash', [{ op: 'remove', path: 'a' }], 'rejected'],
    ['a path to nowhere', [{ op: 'remove', path: '/x' }], 'rejected'],
    ['a parent that is missing', [{ op: 'add', path: '/x/y', value: 1 }], 'rejected'],
    ['an index past the end', [{ op: 'add', path: '/a/b/4', value: 1 }], 'rejected'],
    ['an index that is no number', [{ op: 'remove', path: '/a/b/0x0' }], 'rejected'],
    ['an operation that is null', [null], 'rejected'],
    ['the whole document that is added', [{ op: 'add', path: '', value: {} }], 'rejected'],
    ['the whole document that becomes a text', [{ op: 'replace', path: '', value: 'x' }], 'rejected'],
    ['a move of what is not there', [{ op: 'move', from: '/x', path: '/y' }], 'rejected'],
    ['a test that fails', [{ op: 'test', path: '/a/b', value: [] }], 'test-failed'],
    ['a prototype', [{ op: 'add', path: '/__proto__/polluted', value: 1 }], 'rejected'],
  ];
  for (const [name, patch, code] of refused) {
    it(`is refused for ${name}`, () => assert.throws(() => applyJsonPatch(document, patch), withCode(code)));
  }

  it('is refused for too many operations', () => {
    const patch = Array(jsonPatchOperationsMax + 1).fill({ op: 'test', path: '' });
    assert.throws(() => applyJsonPatch({}, patch), withCode('too-many-operations'));
  });

  it('cannot double a document until memory ends', () => {
    const doubling = [{ op: 'add', path: '/l', value: ['x'.repeat(1000)] }];
    const patch = [...doubling, ...Array(60).fill({ op: 'copy', from: '/l', path: '/l/-' })];
    assert.throws(() => applyJsonPatch({}, patch), withCode('rejected'));
  });
});

describe('a strategic merge patch', () => {
  const pod = messageSchema('Pod');
  const apply = (original: JsonObject, patch: JsonObject) => applyStrategicPatch(original, patch, pod);
  const two = {
    spec: {
      containers: [
        { name: 'a', image: '1' },
        { name: 'b', image: '1' },
      ],
    },
  };

  it('merges containers by name', () => {
    const patch = {
      spec: {
        containers: [
          { name: 'b', image: '2' },
          { name: 'c', image: '3' },
        ],
      },
    };
    assert.deepEqual(apply(two, patch), {
      spec: {
        containers: [
          { name: 'a', image: '1' },
          { name: 'b', image: '2' },
          { name: 'c', image: '3' },
        ],
      },
    });
  });

  it('deletes an item by its key', () => {
    const patch = { spec: { containers: [{ $patch: 'delete', name: 'a' }] } };
    assert.deepEqual(apply(two, patch), { spec: { containers: [{ name: 'b', image: '1' }] } });
  });

  it('replaces a list on demand', () => {
    const patch: JsonObject = { spec: { containers: [{ $patch: 'replace' }, { name: 'z' }] } };
    assert.deepEqual(apply(two, patch), { spec: { containers: [{ name: 'z' }] } });
  });

  it('puts a list into the order that is stated', () => {
    const patch = {
      spec: {
        '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }],
        containers: [{ name: 'b', image: '2' }],
      },
    };
    assert.deepEqual(apply(two, patch), {
      spec: {
        containers: [
          { name: 'b', image: '2' },
          { name: 'a', image: '1' },
        ],
      },
    });
  });

  it('retains the keys that are stated', () => {
    const volumes = [{ name: 'v', emptyDir: {} }];
    const patch = {
      spec: { volumes: [{ name: 'v', $retainKeys: ['name', 'hostPath'], hostPath: { path: '/x' } }] },
    };
    assert.deepEqual(apply({ spec: { volumes } }, patch), {
      spec: { volumes: [{ name: 'v', hostPath: { path: '/x' } }] },
    });
  });

  it('treats finalizers as a set, with deletions', () => {
    const original = { metadata: { finalizers: ['a', 'b'] } };
    assert.deepEqual(apply(original, { metadata: { finalizers: ['c', 'a'] } }), {
      metadata: { finalizers: ['c', 'a', 'b'] },
    });
    assert.deepEqual(apply(original, { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } }), {
      metadata: { finalizers: ['b'] },
    });
  });

  it('replaces atomic lists and merges maps', () => {
    const original = {
      metadata: { labels: { a: '1', b: '2' } },
      spec: { containers: [{ name: 'a', args: ['1'] }] },
    };
    const patch = {
      metadata: { labels: { a: null, c: '3' } },
      spec: { containers: [{ name: 'a', args: ['2'] }] },
    };
    assert.deepEqual(apply(original, patch), {
      metadata: { labels: { b: '2', c: '3' } },
      spec: { containers: [{ name: 'a', args: ['2'] }] },
    });
  });

  it('deletes an object that carries the directive', () => {
    assert.deepEqual(
      apply(
        { spec: { securityContext: { runAsUser: 1 } } },
        { spec: { securityContext: { $patch: 'delete' } } },
      ),
      {
        spec: { securityContext: {} },
      },
    );
  });

  it('has what is new where items went stand behind those that stay', () => {
    const kept = { '$setElementOrder/containers': [{ name: 'b' }, { name: 'new' }] };
    const three = { spec: { containers: [{ name: 'a' }, { name: 'b' }, { name: 'sidecar' }] } };
    const containers: JsonObject[] = [{ name: 'new' }, { name: 'a', $patch: 'delete' }];
    const patched = apply(three, { spec: { ...kept, containers } });
    assert.deepEqual(patched['spec'], {
      containers: [{ name: 'b' }, { name: 'sidecar' }, { name: 'new' }],
    });
  });

  const refused: [name: string, patch: JsonObject, message: string][] = [
    [
      'an item without its key',
      { spec: { containers: [{ image: 'x' }] } },
      'map: map[image:x] does not contain declared merge key: name',
    ],
    [
      'an unknown directive',
      { spec: { $patch: 'explode', hostname: 'h' } },
      'unknown patch type: explode in map: map[$patch:explode hostname:h]',
    ],
    [
      'an unknown directive of an item',
      { spec: { containers: [{ $patch: 'explode', name: 'a' }] } },
      'unknown patch type: explode in map: map[$patch:explode name:a]',
    ],
    [
      'an order that contradicts the list',
      { spec: { '$setElementOrder/containers': [{ name: 'a' }], containers: [{ name: 'b' }] } },
      "The order in patch list:\n[map[name:b]]\n doesn't match $setElementOrder list:\n[map[name:a]]\n",
    ],
    [
      'keys to retain that leave out a field',
      { spec: { $retainKeys: ['volumes'], containers: [] } },
      'invalid patch format of retainKeys',
    ],
    [
      'an order without a field',
      { spec: { $setElementOrder: [] } },
      'invalid patch format of setElementOrder list',
    ],
    [
      'a deletion without a field',
      { spec: { $deleteFromPrimitiveList: [] } },
      'invalid patch format of primitive list',
    ],
  ];
  for (const [name, patch, message] of refused) {
    it(`is refused for ${name}`, () => assert.throws(() => apply(two, patch), { code: 'rejected', message }));
  }
});
