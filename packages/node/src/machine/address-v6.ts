import { readFileSync } from 'node:fs';
import { decodeAddress } from '@wherry/linux';

const globalScope = '00';
/** Of linux/if_addr.h: temporary, its duplicate was found, deprecated, not yet known to be nobody else's. */
const passing = 0x01 | 0x08 | 0x20 | 0x40;

/**
 * The first lasting IPv6 address of a network device that other machines may reach, by the lines of `/proc/net/if_inet6`;
 * undefined where it has none.
 */
export function lastingAddressV6(device: string, table = readTable()): string | undefined {
  const rows = table.split('\n').map((line) => line.trim().split(/ +/));
  const row = rows.find(([address = '', , , scope, flags = '', name]) => {
    const isLasting = (Number.parseInt(flags, 16) & passing) === 0;
    return name === device && scope === globalScope && isLasting && /^[0-9a-f]{32}$/.test(address);
  });
  return row && decodeAddress(Buffer.from(row[0]!, 'hex'));
}

/** Empty where the kernel has no IPv6. */
function readTable(): string {
  try {
    return readFileSync('/proc/net/if_inet6', 'utf8');
  } catch {
    return '';
  }
}
