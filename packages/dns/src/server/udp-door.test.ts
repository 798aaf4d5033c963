import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { test } from 'node:test';
import { systemClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { type DoorOptions, openUdpDoor } from './udp-door.ts';

/** Sockets that this process has open. */
function openSockets(): number {
  const targets = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return '';
    }
  });
  return targets.filter((target) => target.startsWith('socket:')).length;
}

test('a port that somebody else has costs no socket, however often it is tried', async (test) => {
  const other = createSocket('udp4');
  test.after(() => other.close());
  other.bind(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address();
  const door = { address: '127.0.0.1', port, clock: systemClock, logger: silentLogger } as DoorOptions;
  const before = openSockets();
  for (let tries = 0; tries < 10; tries++) await assert.rejects(openUdpDoor(door), { code: 'EADDRINUSE' });
  assert.equal(openSockets(), before);
});
