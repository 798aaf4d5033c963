import type { OpenFile } from '../machine/descriptors.ts';
import type { Machine } from '../machine/machine.ts';
import { Fifo } from '../machine/pipe.ts';
import type { SimProcess } from '../machine/process.ts';
import type { Behaviour } from '../machine/processes.ts';

const kinds = { started: 1, runtimeEnded: 2, exited: 3 } as const;
const messageBytes = 32;
/** CLD_EXITED and CLD_KILLED of waitid(2). */
const [exitedByItself, killed] = [1, 2];
const pipeDescriptor = 3;
const stepMs = 1;

/** What the keepers' machine code does (packages/monitor/src/keeper/program.ts), step by step. */
export function keeperProgram(machine: Machine): Behaviour {
  return (self, words) => {
    const [, program] = words;
    if (program === undefined) return;
    self.isSubreaper = true;
    self.after(stepMs, () => startRuntime(machine, self, words.slice(1)));
  };
}

function startRuntime(machine: Machine, self: SimProcess, words: readonly string[]): void {
  const { processes } = machine;
  const [executable = ''] = words;
  const behaviour = processes.programs.get(executable);
  if (!behaviour) throw new Error(`a keeper was given "${executable}" to run, which is not simulated`);
  const runtime = processes.begin({ parent: self, executable, words });
  for (const descriptor of [0, 1, 2]) {
    runtime.descriptors.add(self.descriptors.get(descriptor) as OpenFile, descriptor);
    self.descriptors.close(descriptor);
  }
  tell(self, { kind: kinds.started, value: runtime.pid, third: self.pid });
  runtime.whenEnded(() =>
    self.after(0, () => {
      const { status = 0 } = runtime;
      runtime.reap();
      self.isSubreaper = false;
      tell(self, { kind: kinds.runtimeEnded, value: status, third: self.pid });
      awaitContainer(machine, self);
    }),
  );
  behaviour(runtime, words);
}

/** Without a child it rests. */
function awaitContainer({ clock }: Machine, self: SimProcess): void {
  const [child] = self.children;
  if (!child) return;
  const note = () => {
    const { status = 0, pid } = child;
    const signal = status & 0x7f;
    tell(self, {
      kind: kinds.exited,
      value: pid,
      third: signal === 0 ? exitedByItself : killed,
      fourth: signal === 0 ? status >> 8 : signal,
      atMs: clock.nowMs(),
    });
  };
  if (child.hasEnded) note();
  else child.whenEnded(() => self.after(0, note));
}

interface Message {
  kind: number;
  value: number;
  third: number;
  fourth?: number;
  atMs?: number;
}

function tell(self: SimProcess, { kind, value, third, fourth = 0, atMs = 0 }: Message): void {
  const message = Buffer.alloc(messageBytes);
  for (const [index, field] of [kind, value, third, fourth].entries()) message.writeInt32LE(field, index * 4);
  const seconds = Math.floor(atMs / 1_000);
  message.writeBigInt64LE(BigInt(seconds), 16);
  message.writeBigInt64LE(BigInt(Math.round((atMs - seconds * 1_000) * 1e6)), 24);
  const pipe = self.descriptors.get(pipeDescriptor)?.node;
  if (pipe instanceof Fifo) pipe.write(message);
}
