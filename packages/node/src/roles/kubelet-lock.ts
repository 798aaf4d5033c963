import { type Clock, sleep, systemClock } from '@wherry/clock';
import { closeDescriptor, Poller, tryLockFile, watchOpening } from '@wherry/linux';
import type { Logger } from '@wherry/telemetry';
import { NodeError } from '../errors.ts';
import { limits } from '../limits.ts';

/** What upstream's flags of the same names ask for. */
export interface KubeletLockOptions {
  /** Without it there is no lock. */
  lockFile?: string | undefined;
  /** Whether the kubelet ends when another one comes for the lock. */
  exitOnLockContention?: boolean | undefined;
  logger: Logger;
  /** Default: the machine's. */
  clock?: Clock;
  signal?: AbortSignal;
}

/** The lock, until it is disposed of: a process that still watches its file does not end. Repeats are harmless. */
export interface KubeletLock extends Disposable {
  /** Where another one's coming is watched for: resolves once somebody has opened or deleted the file, with words for that. */
  contended?: Promise<string>;
}

/**
 * Waits until this process has the lock, and watches its file where the kubelet is to end when another comes (upstream:
 * watchForLockfileContention). Throws what the kernel says.
 */
export async function holdKubeletLock(options: KubeletLockOptions): Promise<KubeletLock> {
  const { lockFile, exitOnLockContention } = options;
  if (lockFile === undefined) {
    if (!exitOnLockContention) return { [Symbol.dispose]: () => {} };
    throw new NodeError(
      'bad-settings',
      '--exit-on-lock-contention: there is no lock to come for; name its file with --lock-file',
    );
  }
  const descriptor = await waitForLock(lockFile, options);
  if (!exitOnLockContention) return { [Symbol.dispose]: once(() => closeDescriptor(descriptor)) };
  const { promise: contended, resolve } = Promise.withResolvers<string>();
  const poller = new Poller();
  const watch = watchOpening(lockFile, poller, () =>
    resolve(`another process came for the lock ${lockFile}`),
  );
  return {
    contended,
    [Symbol.dispose]: once(() => {
      watch[Symbol.dispose]();
      poller.close();
      closeDescriptor(descriptor);
    }),
  };
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}

async function waitForLock(lockFile: string, options: KubeletLockOptions): Promise<number> {
  const { logger, clock = systemClock, signal } = options;
  for (let tries = 0; ; tries++) {
    const descriptor = tryLockFile(lockFile);
    if (descriptor !== undefined) return descriptor;
    if (tries === 0) logger.info('waiting for the lock that another process holds', { lockFile });
    await sleep({ clock, delayMs: limits.lockRetryMs, signal });
  }
}
