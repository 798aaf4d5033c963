import { join } from 'node:path';
import { readGroupFile } from './files.ts';

/** How long tasks stood still for want of something, and the share of time in percent over the last seconds. */
export interface Stall {
  totalNs: number;
  avg10: number;
  avg60: number;
  avg300: number;
}

/** Pressure stall information: of any task, and of all at once (undefined where the kernel does not say). */
export interface Pressure {
  some: Stall | undefined;
  full: Stall | undefined;
}

/** What can be short. */
export type PressureResource = 'cpu' | 'memory' | 'io';

const nsPerUs = 1_000;

/** The pressure in a group (cgroup v2 alone; Documentation/accounting/psi.rst); undefined where there is none. */
export function readPressure(unified: string | null, resource: PressureResource): Pressure | undefined {
  return unified === null ? undefined : pressureIn(join(unified, `${resource}.pressure`));
}

/** The pressure on the whole machine; undefined where the kernel does not count it. */
export function readMachinePressure(resource: PressureResource): Pressure | undefined {
  return pressureIn(`/proc/pressure/${resource}`);
}

function pressureIn(path: string): Pressure | undefined {
  const text = readGroupFile(path);
  return text === null ? undefined : { some: stallIn(text, 'some'), full: stallIn(text, 'full') };
}

function stallIn(text: string, kind: 'some' | 'full'): Stall | undefined {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${kind} `));
  if (line === undefined) return undefined;
  const fields = new Map(
    line
      .split(' ')
      .slice(1)
      .map((field) => field.split('=') as [string, string]),
  );
  const number = (name: string) => Number(fields.get(name) ?? 0);
  const averages = { avg10: number('avg10'), avg60: number('avg60'), avg300: number('avg300') };
  return { totalNs: number('total') * nsPerUs, ...averages };
}
