import { Writable } from 'node:stream';
import { type Clock, deadline } from '@wherry/clock';
import { CriError, type ExecSyncResponse } from '@wherry/cri';
import { limits } from '../limits.ts';
import type { PodProvider } from '../provider.ts';
import type { ContainerRecord } from './container-record.ts';
import { LatestSizes } from './latest-sizes.ts';
import { runCommand } from './run-command.ts';

/** What to run, and how long it may take (0: for ever). */
export interface ExecSyncOptions {
  provider: PodProvider;
  clock: Clock;
  command: readonly string[];
  timeoutMs: number;
  signal: AbortSignal;
}

/** Runs a command to its end and gives back its output. Rejects `CriError` DEADLINE_EXCEEDED when it was ended for time. */
export async function execSync(
  container: ContainerRecord,
  { provider, clock, command, timeoutMs, signal }: ExecSyncOptions,
): Promise<ExecSyncResponse> {
  if (command.length === 0) throw new CriError('INVALID_ARGUMENT', 'there is no command to run');
  using limit = deadline({ clock, timeoutMs: timeoutMs || Number.POSITIVE_INFINITY, signal });
  const kept = new KeptOutput();
  const [stdout, stderr] = [kept.writable(), kept.writable()];
  const io = { stdin: null, stdout, stderr, sizes: new LatestSizes() };
  const options = { provider, clock, io, signal: limit.signal };
  const running = runCommand(container, { command, hasTerminal: false }, options);
  // What becomes of one that was ended for time says nothing.
  const exitCode = await running.catch((error: unknown) => {
    if (!limit.signal.aborted) throw error;
    return 0;
  });
  signal.throwIfAborted();
  if (limit.signal.aborted)
    throw new CriError(
      'DEADLINE_EXCEEDED',
      `command ${JSON.stringify(command)} timed out after ${timeoutMs} ms`,
    );
  return { stdout: kept.of(stdout), stderr: kept.of(stderr), exitCode };
}

/** Keeps output up to a common bound; what comes beyond is dropped. */
class KeptOutput {
  readonly #chunks = new Map<Writable, Buffer[]>();
  #left: number = limits.execSyncOutputBytesMax;

  writable(): Writable {
    const chunks: Buffer[] = [];
    const writable = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        const kept = chunk.subarray(0, this.#left);
        this.#left -= kept.byteLength;
        if (kept.byteLength > 0) chunks.push(kept);
        done();
      },
    });
    this.#chunks.set(writable, chunks);
    return writable;
  }

  of(writable: Writable): Uint8Array {
    return Buffer.concat(this.#chunks.get(writable) ?? []);
  }
}
