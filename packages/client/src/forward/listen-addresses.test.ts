import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listenAddresses } from './listen-addresses.ts';

/** Those that may fail in parentheses. */
const told = (...wanted: string[]) =>
  listenAddresses(wanted).map(({ address, isOptional }) => (isOptional ? `(${address})` : address));

test('of localhost one address must do, and every address that is named must, in whichever order', () => {
  assert.deepEqual(told('localhost'), ['(127.0.0.1)', '(::1)']);
  assert.deepEqual(told('localhost', '127.0.0.1', '10.10.10.1'), ['127.0.0.1', '(::1)', '10.10.10.1']);
  assert.deepEqual(told('::1', 'localhost'), ['::1', '(127.0.0.1)']);
  assert.deepEqual(told('10.0.0.1', '10.0.0.1'), ['10.0.0.1']);
});

test('what is no address is refused, names too', () => {
  for (const wanted of ['127.0.0.257', '::g', 'domain.invalid', '']) {
    assert.throws(() => told('localhost', wanted), { message: `${wanted} is not a valid IP` });
  }
});
