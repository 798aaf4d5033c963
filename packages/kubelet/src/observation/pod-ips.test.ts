import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneOfEachFamily } from './pod-ips.ts';

test("one address of each family counts, the node's family first, in whatever order they come", () => {
  const [v4, v6] = ['10.0.0.1', 'fd01::1'];
  assert.deepEqual(oneOfEachFamily([v6, v4], ['192.0.2.1']), [v4, v6]);
  assert.deepEqual(oneOfEachFamily([v4, v6], ['2001:db8::1']), [v6, v4]);
  assert.deepEqual(oneOfEachFamily([v4, '10.0.0.2', v6, 'fd01::2'], []), [v4, v6]);
  assert.deepEqual(oneOfEachFamily([v4], ['2001:db8::1']), [v4]);
});
