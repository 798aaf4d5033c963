import assert from 'node:assert/strict';
import { constants } from 'node:os';
import { test } from 'node:test';
import { errnoName } from './errors.ts';

test('an errno with two names has the one that Node gives it', () => {
  assert.equal(errnoName(constants.errno.EWOULDBLOCK), 'EAGAIN');
  assert.equal(errnoName(constants.errno.EOPNOTSUPP), 'ENOTSUP');
  assert.equal(errnoName(12345), 'errno 12345');
});
