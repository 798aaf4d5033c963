import { isIP } from 'node:net';
import { ClientError } from '../errors.ts';

/** An address to listen on. Of the optional ones one must do; every other must bind. */
export interface ListenAddress {
  address: string;
  isOptional: boolean;
}

/**
 * IP addresses, and `localhost` for 127.0.0.1 and ::1, each once: one that is named beside `localhost` must bind. Throws
 * `ClientError` `bad-argument` for what is no address (client-go, tools/portforward).
 */
export function listenAddresses(wanted: readonly string[]): ListenAddress[] {
  const found = new Map<string, ListenAddress>();
  for (const address of wanted) {
    if (address === 'localhost') {
      for (const each of ['127.0.0.1', '::1']) {
        if (!found.has(each)) found.set(each, { address: each, isOptional: true });
      }
    } else if (isIP(address) === 0) throw new ClientError('bad-argument', `${address} is not a valid IP`);
    else found.set(address, { address, isOptional: false });
  }
  return [...found.values()];
}
