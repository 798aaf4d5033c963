import type { Machine } from '../machine/machine.ts';
import { File, Folder } from '../machine/nodes.ts';
import type { SimProcess } from '../machine/process.ts';
import { type Behaviour, live } from '../machine/processes.ts';
import type { Fault } from '../world/faults.ts';
import type { Ledger } from './ledger.ts';
import { exec } from './oci-exec.ts';
import { monitorFolder } from './sim-monitor.ts';

const stepMs = 2;
const verbs: ReadonlySet<string> = new Set(['run', 'delete', 'exec']);

/** What a simulated OCI runtime works with. */
export interface OciProgramOptions {
  machine: Machine;
  ledger: Ledger;
  /** What goes wrong in the next call. */
  fault(): Fault | undefined;
  note(line: string): void;
}

/** One call of the program. */
interface Call {
  self: SimProcess;
  verb: string;
  id: string;
  fault: Fault | undefined;
  word(name: string): string;
}

/** Folder of the OCI runtime's state. */
export const ociFolder = `${monitorFolder}/oci`;

/**
 * runc as the monitor sees it: `run`, `exec` and `delete`, on the machine's files, control groups and processes. It goes on whoever
 * of the node is killed. It may be slow, fail before or behind what it does, or die in the middle.
 */
export function ociProgram(options: OciProgramOptions): Behaviour {
  const oci = new OciProgram(options);
  return (self, words) => {
    const verb = words.find((word) => verbs.has(word)) ?? '';
    const word = (name: string) => words[words.indexOf(name) + 1] ?? '';
    const fault = options.fault();
    const id = words.at(-1) ?? '';
    options.note(`oci ${verb} ${id}${fault ? `: ${JSON.stringify(fault)}` : ''}`);
    const call: Call = { self, verb, id, fault, word };
    const delayMs = fault?.kind === 'slow' && fault.before ? fault.delayMs : stepMs;
    self.after(delayMs, () => {
      if (fault?.kind === 'refused') oci.fail(call, 'a fault of the simulation');
      else if (verb === 'run') oci.run(call);
      else if (verb === 'delete') oci.delete(call);
      else if (verb === 'exec') oci.exec(call);
      else oci.fail(call, `"${words.join(' ')}" is not simulated`);
    });
  };
}

class OciProgram {
  readonly #options: OciProgramOptions;

  constructor(options: OciProgramOptions) {
    this.#options = options;
  }

  run(call: Call): void {
    const { machine, ledger, note } = this.#options;
    const { self, id, word } = call;
    const { tree, processes, groups } = machine;
    const state = `${ociFolder}/${id}`;
    if (tree.at(state)) {
      this.fail(call, 'container with given ID already exists');
      return;
    }
    const spec = this.#spec(word('--bundle'));
    if (!spec) {
      this.fail(call, 'the bundle cannot be read');
      return;
    }
    const groupPath = `/sys/fs/cgroup${spec.linux.cgroupsPath}`;
    tree.makeFolders(state);
    const group = tree.makeFolders(groupPath);
    this.#save(id, { groupPath });
    self.after(stepMs, () => {
      const first = processes.begin({ parent: self, executable: '/container', words: spec.process.args });
      first.onSignal = (signal) => first.exit(128 + signal);
      for (const descriptor of [0, 1, 2]) {
        const file = self.descriptors.get(descriptor);
        if (file) first.descriptors.add(file, descriptor);
      }
      const leave = groups.join(group, first.pid);
      first.whenEnded(leave);
      this.#save(id, { groupPath, pid: first.pid });
      if (this.#goesWrong(call, () => this.#clear(id))) return;
      self.after(stepMs, () => {
        if (!this.#writeFile(word('--pid-file'), String(first.pid))) {
          this.#clear(id);
          this.fail(call, 'the pid file cannot be written');
          return;
        }
        self.after(stepMs, () => {
          if (first.hasEnded) {
            this.#clear(id);
            this.fail(call, 'the first process is gone');
            return;
          }
          const known = ledger.started(id, word('--bundle'), first);
          note(`container ${known.name} (${id}) runs as ${first.pid}`);
          live(first, spec.process.args, () => known.say('stdout', 'bye'));
          first.whenEnded(() => note(`container ${known.name} (${id}) ended with ${first.exitCode}`));
          known.talk();
          this.#end(call);
        });
      });
    });
  }

  delete(call: Call): void {
    const { machine } = this.#options;
    const { self, id } = call;
    const state = this.#state(id);
    if (!state) {
      this.fail(call, 'container does not exist');
      return;
    }
    if (state.pid !== undefined) machine.processes.signal(state.pid, 9);
    self.after(stepMs, () => {
      if (this.#goesWrong(call, () => {})) return;
      this.#clear(id);
      this.#end(call);
    });
  }

  exec(call: Call): void {
    const { machine, ledger } = this.#options;
    if (this.#goesWrong(call, () => {})) return;
    exec({
      machine,
      self: call.self,
      container: ledger.find(call.id),
      source: call.word('--process'),
      writeFile: (pid) => this.#writeFile(call.word('--pid-file'), String(pid)),
      fail: (reason) => this.fail(call, reason),
      end: () => this.#end(call),
    });
  }

  fail({ self, verb, word, id }: Call, reason: string): void {
    this.#options.note(`oci ${verb} ${id} failed: ${reason}`);
    this.#writeFile(word('--log'), `${JSON.stringify({ level: 'error', msg: reason })}\n`);
    self.exit(1);
  }

  /** Whether the call ends here: it fails, when it clears what it did, or dies, when it does not. */
  #goesWrong(call: Call, clear: () => void): boolean {
    if (call.fault?.kind === 'lost') call.self.signal(9);
    else if (call.fault?.kind === 'error') {
      clear();
      this.fail(call, 'a fault of the simulation');
    } else return false;
    return true;
  }

  #end({ self, fault }: Call): void {
    if (fault?.kind === 'slow' && !fault.before) self.after(fault.delayMs, () => self.exit(0));
    else self.exit(0);
  }

  #clear(id: string): void {
    const { tree, processes } = this.#options.machine;
    const state = this.#state(id);
    if (state?.pid !== undefined) processes.signal(state.pid, 9);
    for (const path of [state?.groupPath, `${ociFolder}/${id}`]) {
      if (path === undefined) continue;
      const at = path.lastIndexOf('/');
      const parent = tree.at(path.slice(0, at));
      if (parent instanceof Folder) parent.entries.delete(path.slice(at + 1));
    }
  }

  #spec(bundle: string): Spec | undefined {
    const node = this.#options.machine.tree.at(`${bundle}/config.json`);
    return node instanceof File ? (JSON.parse(node.content().toString()) as Spec) : undefined;
  }

  #state(id: string): State | undefined {
    const node = this.#options.machine.tree.at(`${ociFolder}/${id}/state.json`);
    return node instanceof File ? (JSON.parse(node.content().toString()) as State) : undefined;
  }

  #save(id: string, state: State): void {
    this.#writeFile(`${ociFolder}/${id}/state.json`, JSON.stringify(state));
  }

  /** False when there is no folder for it. */
  #writeFile(path: string, text: string): boolean {
    try {
      this.#options.machine.tree.write(path, text);
      return true;
    } catch {
      return false;
    }
  }
}

interface State {
  groupPath: string;
  pid?: number;
}

interface Spec {
  process: { args: string[] };
  linux: { cgroupsPath: string };
}
