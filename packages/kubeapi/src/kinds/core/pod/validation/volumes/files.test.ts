import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VolumeProjection } from '../../../../../generated/types.ts';
import { validateFiles } from './files.ts';

const field = { path: 'p', fieldRef: { fieldPath: 'metadata.name' } };

test('the sources of a projected volume are held to what volumes of one source are held to', () => {
  const said = (...sources: VolumeProjection[]) =>
    validateFiles({ projected: { sources } }, 'v').map((error) => `${error.field}: ${error.body}`);
  for (const [sources, says] of [
    [
      [{ secret: { items: [{ key: 'k', path: 'p' }] } }],
      /^v\.projected\.sources\[0\]\.secret\.name: Required/,
    ],
    [
      [{ configMap: { name: 'm', items: [{ key: 'k', path: '../p' }] } }],
      /items\[0\]\.path: .* must not contain '\.\.'/,
    ],
    [[{ downwardAPI: { items: [{ ...field, path: '/p' }] } }], /must be a relative path/],
    [[{ serviceAccountToken: { path: '..p' } }], /^v\.projected\.path: .* must not start with '\.\.'/],
    [[{ serviceAccountToken: { path: 'p', expirationSeconds: 599 } }], /less than 10 minutes/],
    [
      [{ secret: { name: 's' }, configMap: { name: 'm' } }],
      /may not specify more than 1 volume type per source/,
    ],
    [
      [{ secret: { name: 's', items: [{ key: 'k', path: 'p' }] } }, { downwardAPI: { items: [field] } }],
      /^v\.projected: Invalid value: "p": conflicting duplicate paths$/,
    ],
  ] as const) {
    const all = said(...(sources as readonly VolumeProjection[]));
    assert.match(all.join('\n'), says);
  }
  const fine = { secret: { name: 's', items: [{ key: 'k', path: 'q' }] } };
  assert.deepEqual(
    said(fine, { downwardAPI: { items: [field] } }, { serviceAccountToken: { path: 't' } }),
    [],
  );
});
