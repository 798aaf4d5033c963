import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinFieldErrors } from '../../../../../status/field-error.ts';
import { validateMounts } from './mounts.ts';

test('a recursively read-only mount is read-only itself and sees no mounts made later', () => {
  const told = (more: object) =>
    joinFieldErrors(validateMounts([{ name: 'v', mountPath: '/v', ...more }], 'mounts', new Set(['v'])));
  assert.match(
    told({ recursiveReadOnly: 'Enabled' }),
    /mounts\.recursiveReadOnly: Forbidden: may only be specified when readOnly is true/,
  );
  assert.match(
    told({ recursiveReadOnly: 'IfPossible', readOnly: true, mountPropagation: 'HostToContainer' }),
    /mounts\.recursiveReadOnly: Forbidden: may only be specified when mountPropagation is None or not specified/,
  );
  assert.match(
    told({ recursiveReadOnly: 'Always', readOnly: true }),
    /mounts\.recursiveReadOnly: Unsupported value: "Always"/,
  );
  assert.equal(told({ recursiveReadOnly: 'Disabled' }), '[]');
  assert.equal(told({ recursiveReadOnly: 'Enabled', readOnly: true, mountPropagation: 'None' }), '[]');
});
