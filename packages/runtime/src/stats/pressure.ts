import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Input, PsiData, PsiStats } from '@wherry/cri';

const nsPerUs = 1000;

function parseLine(text: string, kind: 'some' | 'full'): Input<PsiData> | undefined {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${kind} `));
  if (line === undefined) return undefined;
  const fields = new Map(
    line
      .split(' ')
      .slice(1)
      .map((field) => field.split('=') as [string, string]),
  );
  const number = (name: string) => Number(fields.get(name) ?? 0);
  return {
    total: number('total') * nsPerUs,
    avg10: number('avg10'),
    avg60: number('avg60'),
    avg300: number('avg300'),
  };
}

/** Pressure stall information of a cgroup (v2 only; Documentation/accounting/psi.rst); undefined when there is none. */
export function readPressure(
  folder: string | null,
  resource: 'cpu' | 'memory' | 'io',
): Input<PsiStats> | undefined {
  if (folder === null) return undefined;
  try {
    const text = readFileSync(join(folder, `${resource}.pressure`), 'utf8');
    return { some: parseLine(text, 'some'), full: parseLine(text, 'full') };
  } catch {
    return undefined;
  }
}
