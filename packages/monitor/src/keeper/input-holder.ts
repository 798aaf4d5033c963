import {
  closeDescriptor,
  copyDescriptorOf,
  openPidDescriptor,
  type ProcessIdentity,
  spawnProgram,
} from '@wherry/linux';
import { WatchedProcess, type WatchTools } from '../process/exit-watch.ts';

const signalKill = 9;
/** Where the process has what it holds. */
const heldDescriptor = 0;

/**
 * A keeper without a program, that holds a container's input: its terminal, which would hang up otherwise, or the
 * writing end of a stdin that is to end once. It is a process apart from the container's keeper since an input ends
 * before its container does.
 */
export class InputHolder {
  readonly #process: WatchedProcess;

  private constructor(process: WatchedProcess) {
    this.#process = process;
  }

  /** Starts one for a descriptor, which is not closed here. */
  static start(program: string, descriptor: number, tools: WatchTools): InputHolder {
    const pid = spawnProgram({
      program,
      arguments: [],
      environment: {},
      stdio: [descriptor, 'ignore', 'ignore'],
    });
    return new InputHolder(WatchedProcess.openChild(pid, tools));
  }

  /** Takes on that of an earlier monitor; null when it is gone. */
  static find(identity: ProcessIdentity, tools: WatchTools): InputHolder | null {
    const process = WatchedProcess.open({ pid: identity.pid, identity, tools });
    return process && new InputHolder(process);
  }

  get identity(): ProcessIdentity {
    return this.#process.identity;
  }

  /** A copy of what it holds, the caller's own. Throws when the process is gone. */
  copy(): number {
    const process = openPidDescriptor(this.identity.pid);
    try {
      return copyDescriptorOf(process, heldDescriptor);
    } finally {
      closeDescriptor(process);
    }
  }

  end(): void {
    this.#process.signal(signalKill);
  }

  /** Stops watching it; it stays for the next monitor. */
  abandon(): void {
    this.#process.abandon();
  }
}
