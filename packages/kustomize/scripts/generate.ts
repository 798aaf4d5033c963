/** Writes what kustomize knows of Kubernetes' own kinds into `src/generated`, from kustomize's Go module; needs Go. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { readGeneration, writeGenerated } from '../../../tools/generated.ts';

const judge = join(import.meta.dirname, '../../../conformance/kustomize');
const generation = readGeneration(import.meta.dirname, '5.8.1');
const facts: Record<string, unknown> = JSON.parse(
  execFileSync('go', ['run', '.', 'facts'], { cwd: judge, encoding: 'utf8', maxBuffer: 1 << 24 }),
);
const literal = (value: unknown) => JSON.stringify(value, undefined, 2);
writeGenerated(generation, {
  name: 'kinds.ts',
  source: `kustomize ${generation.version}`,
  text: `/** The definition of each kind that has lists which patches merge: \`apps/v1/Deployment\` → its name below. */
export const kindDefinitions: Readonly<Record<string, string>> = ${literal(facts['kinds'])};

/**
 * The fields of each definition that lead to such lists: the definition behind them, \`[]\` before one of items, \`{}\` before
 * one of a map's values, and behind \`@\` the keys by which the items of a merged list are told apart (none: by their value).
 */
export const definitions: Readonly<Record<string, Readonly<Record<string, string>>>> = ${literal(facts['definitions'])};

/** Kinds whose objects are in no namespace. */
export const clusterScopedKinds: readonly string[] = ${literal(facts['clusterScoped'])};
`,
});
