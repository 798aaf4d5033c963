import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinFieldErrors } from '../../../../../status/field-error.ts';
import { validateMounts } from './mounts.ts';

const told = (more: object, securityContext = {}) => {
  const container = { volumeMounts: [{ name: 'v', mountPath: '/v', ...more }], securityContext };
  return joinFieldErrors(validateMounts(container, 'mounts', new Set(['v'])));
};

test('only a privileged container mounts for the whole machine', () => {
  const refusal =
    /mounts\.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers/;
  assert.match(told({ mountPropagation: 'Bidirectional' }), refusal);
  assert.match(told({ mountPropagation: 'Bidirectional' }, { privileged: false }), refusal);
  assert.equal(told({ mountPropagation: 'Bidirectional' }, { privileged: true }), '');
  assert.equal(told({ mountPropagation: 'HostToContainer' }), '');
  assert.match(
    told({ mountPropagation: 'Shared' }),
    /mounts\.mountPropagation: Unsupported value: "Shared": supported values: "Bidirectional", "HostToContainer", "None"/,
  );
});

test('a recursively read-only mount is read-only itself and sees no mounts made later', () => {
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
  assert.equal(told({ recursiveReadOnly: 'Disabled' }), '');
  assert.equal(told({ recursiveReadOnly: 'Enabled', readOnly: true, mountPropagation: 'None' }), '');
});
