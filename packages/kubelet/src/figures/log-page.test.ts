import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logPage } from './log-page.ts';

test('what the log of each container takes is told by pod and container', () => {
  const pod = { uid: 'u', namespace: 'default', name: 'p' };
  const page = logPage([{ pod, bytes: new Map([['a', 4_096]]) }]);
  assert.match(
    page,
    /^kubelet_container_log_filesystem_used_bytes\{uid="u",namespace="default",pod="p",container="a"\} 4096$/m,
  );
  assert.equal(logPage([]), '');
});
