import { paint } from '../output/colours.ts';
import { harmless } from '../words/harmless.ts';

/** Prints what a server warns of, each text once. With `areErrors` the process ends with 1 when there was any. */
export function warningPrinter({ areErrors }: { areErrors: boolean }): (text: string) => void {
  const said = new Set<string>();
  return (text) => {
    if (said.has(text)) return;
    if (areErrors && said.size === 0) process.once('exit', () => failFor(said.size));
    said.add(text);
    warnLine(text);
  };
}

/** A warning as kubectl prints it. */
export function warnLine(text: string): void {
  console.error(`${paint('Warning:', 'warning', process.stderr)} ${harmless(text)}`);
}

function failFor(count: number): void {
  console.error(`error: ${count} ${count === 1 ? 'warning' : 'warnings'} received`);
  process.exitCode ||= 1;
}
