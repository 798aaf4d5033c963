import { constants } from 'node:fs';
import { OpenFile } from '../machine/descriptors.ts';
import type { Machine } from '../machine/machine.ts';
import { Fifo } from '../machine/pipe.ts';
import type { SimProcess } from '../machine/process.ts';
import { live } from '../machine/processes.ts';
import type { KnownContainer } from './ledger.ts';

/** Path of what `exec` starts. */
export const execPath = '/exec';

const signalKill = 9;
const stepMs = 1;
const readBytes = 65_536;

/** One `exec --detach` of the OCI runtime, with where its process is told and what it writes its id to. */
export interface ExecRequest {
  machine: Machine;
  self: SimProcess;
  container: KnownContainer | undefined;
  /** `/proc/PID/fd/N`, which is opened anew and read to its end. */
  source: string;
  writeFile(pid: number): boolean;
  fail(reason: string): void;
  end(): void;
}

/** Waits until it was told which process to start, and starts that in the container. */
export function exec(request: ExecRequest): void {
  const { machine, self, source, fail } = request;
  const [, pid, descriptor] = /^\/proc\/(\d+)\/fd\/(\d+)$/.exec(source) ?? [];
  const pipe = machine.processes.find(Number(pid))?.descriptors.get(Number(descriptor))?.node;
  if (!(pipe instanceof Fifo)) {
    fail(`open ${source}: no such file or directory`);
    return;
  }
  self.descriptors.add(new OpenFile({ node: pipe, path: source, flags: constants.O_RDONLY }));
  let text = '';
  let isTold = false;
  const look = () => {
    if (self.hasEnded || isTold) return;
    const buffer = Buffer.alloc(readBytes);
    while (pipe.byteLength > 0) text += buffer.toString('utf8', 0, pipe.read(buffer));
    if (pipe.hasWriters) return;
    isTold = true;
    leave();
    self.after(stepMs, () => begin(request, text));
  };
  const leave = pipe.watch(() => self.after(0, look));
  look();
}

function begin({ machine, self, container, writeFile, fail, end }: ExecRequest, text: string): void {
  if (text === '' || !container || container.process.hasEnded) {
    fail(text === '' ? 'unexpected end of JSON input' : 'cannot exec in a stopped container');
    return;
  }
  const { args } = JSON.parse(text) as { args: string[] };
  const started = machine.processes.begin({ parent: self, executable: execPath, words: args });
  for (const descriptor of [0, 1, 2]) {
    const file = self.descriptors.get(descriptor);
    if (file) started.descriptors.add(file, descriptor);
  }
  // A process namespace goes with its first process.
  container.process.whenEnded(() => started.signal(signalKill));
  if (!writeFile(started.pid)) {
    started.signal(signalKill);
    fail('the pid file cannot be written');
    return;
  }
  live(started, args, () => {});
  end();
}
