import { backoff, sleep } from '@wherry/clock';
import { limits } from '../limits.ts';
import { openTcpDoor } from './tcp-door.ts';
import { type Door, type DoorOptions, openUdpDoor } from './udp-door.ts';

/**
 * Opens one address to both transports, on the same port. An address that the machine does not have yet, since its
 * interface is still to come, is waited for, and so is a port that somebody else has.
 */
export function openDoors(options: DoorOptions, signal: AbortSignal): Promise<Door> {
  return untilFree(() => openBoth(options), options, signal);
}

/** Opens what listens on an address once the machine has that address, and the port is free. */
export async function untilFree<T>(
  open: () => Promise<T>,
  { address, port, clock, logger }: Pick<DoorOptions, 'address' | 'port' | 'clock' | 'logger'>,
  signal: AbortSignal,
): Promise<T> {
  const waits = backoff(limits.listenRetryMs);
  let told = '';
  for (;;) {
    try {
      return await open();
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException;
      if (code !== 'EADDRNOTAVAIL' && code !== 'EADDRINUSE') throw error;
      if (code !== told && code === 'EADDRINUSE')
        logger.error('the port is taken and will be tried again', {
          address,
          port,
          error: message,
        });
      told = code;
      await sleep({ clock, delayMs: waits.nextDelayMs(), signal });
    }
  }
}

async function openBoth(options: DoorOptions): Promise<Door> {
  const tcp = await openTcpDoor(options);
  try {
    const udp = await openUdpDoor({ ...options, port: tcp.port });
    return {
      port: tcp.port,
      async close() {
        await Promise.all([tcp.close(), udp.close()]);
      },
    };
  } catch (error) {
    await tcp.close();
    throw error;
  }
}
