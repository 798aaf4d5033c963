import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLoopbackHost } from './loopback.ts';

test('a host is this machine by its name, or by a loopback address in every spelling', () => {
  const here = ['localhost', '127.0.0.1', '127.9.9.9', '::1', '[::1]', '::ffff:127.0.0.1', '[::ffff:7f00:1]'];
  for (const host of here) assert.equal(isLoopbackHost(host), true, host);
  const elsewhere = [
    '',
    'localhost.example',
    '10.0.0.1',
    '128.0.0.1',
    '::2',
    '[::ffff:a00:1]',
    '127.1',
    '0.0.0.0',
  ];
  for (const host of elsewhere) assert.equal(isLoopbackHost(host), false, host);
});
