import { type ProbeResult, probeMachine } from '@wherry/linux';
import { formatValue, print } from '../../output/listing.ts';

/** Options of `wherry doctor`. */
export interface DoctorOptions {
  output?: 'json' | 'yaml';
}

/** Prints what this machine offers to a node, what is lost without it, and how to get it. */
export async function doctor({ output }: DoctorOptions): Promise<void> {
  const results = probeMachine();
  print(output ? formatValue({ checks: results }, output) : results.map(describe).join('\n'));
}

function describe({ name, available, detail, lost, remedy }: ProbeResult): string {
  const first = `${available ? '✓' : '✗'} ${name}: ${detail}`;
  return available ? first : `${first}\n    lost: ${lost}\n    to get it: ${remedy}`;
}
