import { Socket } from 'node:net';
import { aborted, onAbort } from '@wherry/bytes';
import { DeadlineError, deadline, sleep } from '@wherry/clock';
import { closeDescriptor, openPipe, signalById, spawnProgram } from '@wherry/linux';
import { MonitorError, type ProgramOutput, type ProgramRequest } from '@wherry/monitor-api';
import { limits } from '../limits.ts';
import { WatchedProcess, type WatchTools } from './exit-watch.ts';

const signalKill = 9;

/** What running programs takes. */
export interface ProgramTools extends WatchTools {
  /** Children that somebody waits for: nobody else may reap them. */
  running: Set<number>;
}

/** Programs of the machine that callers have run: each in a session of its own, and one after another in its turn. */
export class Programs {
  readonly #tools: ProgramTools;
  readonly #turns = new Map<string, Promise<void>>();

  constructor(tools: ProgramTools) {
    this.#tools = tools;
  }

  /**
   * Runs a program to its end. Rejects `DEADLINE_EXCEEDED` when its time is over, `RESOURCE_EXHAUSTED` when it prints too
   * much and with `signal.reason` when the caller is gone; in each case it is killed first, with its process group.
   */
  async run(request: ProgramRequest, signal: AbortSignal): Promise<ProgramOutput> {
    if (!request.program.startsWith('/'))
      throw new MonitorError('INVALID_ARGUMENT', `program "${request.program}": want an absolute path`);
    const before = this.#turns.get(request.turn) ?? Promise.resolve();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const own = before.then(() => ended);
    this.#turns.set(request.turn, own);
    try {
      await Promise.race([before, aborted(signal)]);
      signal.throwIfAborted();
      return await runOnce(request, this.#tools, signal);
    } finally {
      end();
      if (this.#turns.get(request.turn) === own) this.#turns.delete(request.turn);
    }
  }
}

async function runOnce(
  request: ProgramRequest,
  tools: ProgramTools,
  signal: AbortSignal,
): Promise<ProgramOutput> {
  const { timeoutMs } = request;
  using limit = deadline({ clock: tools.clock, timeoutMs, signal });
  const running = start(request, tools);
  const tooMuch = () => running.kill();
  const outputs = running.outputs.map((socket) => new Output(socket, request.outputBytesMax, tooMuch));
  const leave = onAbort(limit.signal, () => running.kill());
  try {
    const exitCode = await running.ended;
    if (outputs.some((output) => output.isTooLong)) {
      const words = `"${request.program}" printed more than ${request.outputBytesMax} bytes and was killed`;
      throw new MonitorError('RESOURCE_EXHAUSTED', words);
    }
    limit.signal.throwIfAborted();
    const drained = Promise.all(outputs.map((output) => output.closed));
    await Promise.race([drained, sleep({ clock: tools.clock, delayMs: limits.execDrainMs })]);
    const [stdout = none, stderr = none] = outputs.map((output) => output.bytes());
    return { exitCode, stdout, stderr };
  } catch (error) {
    if (!(error instanceof DeadlineError)) throw error;
    const words = `"${request.program}" did not end within ${timeoutMs} ms and was killed`;
    throw new MonitorError('DEADLINE_EXCEEDED', words, { cause: error });
  } finally {
    leave();
    running.close();
  }
}

const none = Buffer.alloc(0);
const unknownExitCode = 255;

/** A program that was started: its end, its outputs, and how it is killed. */
interface Started {
  /** Settles with its exit code; a killed one that the kernel holds on to is not waited for without end. */
  ended: Promise<number>;
  outputs: Socket[];
  /** Kills it with its process group. */
  kill(): void;
  /** Lets go of its pipes. */
  close(): void;
}

function start({ program, environment, stdin }: ProgramRequest, tools: ProgramTools): Started {
  const [input, ...outputs] = [openPipe(), openPipe(), openPipe()];
  const theirs = [input!.readDescriptor, ...outputs.map(({ writeDescriptor }) => writeDescriptor)];
  const ours = [input!.writeDescriptor, ...outputs.map(({ readDescriptor }) => readDescriptor)];
  let child: WatchedProcess;
  try {
    const stdio = theirs as [number, number, number];
    const pid = spawnProgram({ program, arguments: [], environment, stdio, ownSession: true });
    tools.running.add(pid);
    child = WatchedProcess.openChild(pid, tools);
  } catch (error) {
    for (const descriptor of ours) closeDescriptor(descriptor);
    throw error;
  } finally {
    for (const descriptor of theirs) closeDescriptor(descriptor);
  }
  const { pid } = child.identity;
  const writer = new Socket({ fd: ours[0]!, readable: false, writable: true });
  writer.on('error', () => {});
  writer.end(stdin);
  const readers = ours.slice(1).map((fd) => new Socket({ fd, readable: true, writable: false }));
  const exited = child.exited.then((code) => {
    tools.running.delete(pid);
    return code ?? unknownExitCode;
  });
  const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<number>();
  return {
    ended: Promise.race([exited, givenUp]),
    outputs: readers,
    kill() {
      // While it was not reaped, its id is its own, and so is its group's.
      if (child.isThere) signalById(-pid, signalKill);
      void sleep({ clock: tools.clock, delayMs: limits.programDeathMs }).then(() => giveUp(unknownExitCode));
    },
    close() {
      for (const socket of [writer, ...readers]) socket.destroy();
    },
  };
}

/** One output, up to a bound. */
class Output {
  readonly closed: Promise<void>;
  readonly #chunks: Buffer[] = [];
  #left: number;

  constructor(socket: Socket, bytesMax: number, tooMuch: () => void) {
    this.#left = bytesMax;
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      this.#left -= chunk.byteLength;
      if (this.#left >= 0) this.#chunks.push(chunk);
      else tooMuch();
    });
  }

  get isTooLong(): boolean {
    return this.#left < 0;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}
