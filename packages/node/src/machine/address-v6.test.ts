import assert from 'node:assert/strict';
import { it } from 'node:test';
import { lastingAddressV6 } from './address-v6.ts';

it('the address of IPv6 is a lasting one of that device, for the world outside', () => {
  const table = [
    'fe8000000000000000fc00fffe000001 04 40 20 80     eth0',
    '20010db8000000000000000000000001 04 40 00 01     eth0',
    '20010db8000000000000000000000002 04 40 00 20     eth0',
    '20010db8000000000000000000000003 07 40 00 80    wh-ab',
    '20010db8000000000000000000000004 04 40 00 80     eth0',
    '00000000000000000000000000000001 01 80 10 80       lo',
    '',
  ].join('\n');
  assert.equal(lastingAddressV6('eth0', table), '2001:db8::4');
  for (const device of ['lo', 'eth1', '']) assert.equal(lastingAddressV6(device, table), undefined);
  assert.equal(lastingAddressV6('eth0', ''), undefined);
});
