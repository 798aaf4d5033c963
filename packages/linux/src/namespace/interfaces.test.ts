import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseInterfaces } from './interfaces.ts';

test('interfaces are read without loopback', () => {
  const text = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo:     100       1    0    0    0     0          0         0      100       1    0    0    0     0       0          0
  eth0:    2660      21    3    4    0     0          0         0     1760      17    5    6    0     0       0          0
`;
  assert.deepEqual(parseInterfaces(text), [
    {
      name: 'eth0',
      rxBytes: 2660,
      rxPackets: 21,
      rxErrors: 3,
      rxDropped: 4,
      txBytes: 1760,
      txPackets: 17,
      txErrors: 5,
      txDropped: 6,
    },
  ]);
});
