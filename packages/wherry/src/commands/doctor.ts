import { type ProbeResult, probeMachine } from '@wherry/linux';

/** Prints what this machine offers to a node, what is lost without it, and how to get it. */
export async function doctor({ json }: { json?: boolean }): Promise<void> {
  const results = probeMachine();
  console.log(json ? JSON.stringify({ checks: results }, null, 2) : results.map(describe).join('\n'));
}

function describe({ name, available, detail, lost, remedy }: ProbeResult): string {
  const first = `${available ? '✓' : '✗'} ${name}: ${detail}`;
  return available ? first : `${first}\n    lost: ${lost}\n    to get it: ${remedy}`;
}
