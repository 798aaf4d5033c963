import { checkpointAbility, type ProbeResult, probeMachine } from '@wherry/linux';
import { paint } from '../../output/colours.ts';
import { print, printValue } from '../../output/listing.ts';
import type { ValueFormat } from '../../output/output-format.ts';

/** Options of `wherry doctor`. */
export interface DoctorOptions {
  output?: ValueFormat;
}

/** Prints what this machine offers to a node, what is lost without it, and how to get it. */
export async function doctor({ output }: DoctorOptions): Promise<void> {
  const results = [...probeMachine(), checkpoints()];
  if (output) printValue({ checks: results }, output);
  else print(results.map(describe).join('\n'));
}

function checkpoints(): ProbeResult {
  const { detail, remedy = '' } = checkpointAbility();
  const available = remedy === '';
  const lost = available ? '' : 'containers can be neither checkpointed nor restored';
  return { name: 'checkpoints', available, detail, lost, remedy };
}

function describe({ name, available, detail, lost, remedy }: ProbeResult): string {
  const mark = available ? paint('✓', 'good', process.stdout) : paint('✗', 'bad', process.stdout);
  const first = `${mark} ${name}: ${detail}`;
  return available ? first : `${first}\n    lost: ${lost}\n    to get it: ${remedy}`;
}
