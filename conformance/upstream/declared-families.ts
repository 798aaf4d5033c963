import { execFile, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { buildUpstream } from './build.ts';

const run = promisify(execFile);

/** A family of metrics as upstream's source declares it. */
export interface DeclaredFamily {
  /** Undefined for one that a collector makes, whatever its type. */
  type: 'counter' | 'gauge' | 'histogram' | undefined;
  labels: readonly string[];
  /** Upper bounds of a histogram, where its declaration says them. */
  bounds: readonly number[] | undefined;
}

/** Where families are declared: a module, and folders of it. */
export type DeclaringPlaces = readonly (readonly [module: string, folders: readonly string[]])[];

/**
 * Families that a program of Kubernetes may show, by name: what the program finds by which Kubernetes' own list of its metrics
 * is made (test/instrumentation). It passes over those of level INTERNAL and those whose name is put together while it runs.
 */
export async function declaredFamilies(
  places: DeclaringPlaces,
): Promise<ReadonlyMap<string, DeclaredFamily>> {
  const program = await buildUpstream('metric-families');
  const files = (await Promise.all(places.map(([module, folders]) => filesOf(module, folders)))).flat();
  const { status, stdout, stderr } = spawnSync(program, ['--allstabilityclasses', '-'], {
    ...{ cwd: import.meta.dirname, input: files.join('\n'), encoding: 'utf8', maxBuffer: 64 << 20 },
  });
  if (status !== 0) throw new Error(`upstream's declarations could not be read: ${stderr}`);
  return new Map((parse(stdout) as Told[]).map((told) => [nameOf(told), familyOf(told)]));
}

async function filesOf(module: string, folders: readonly string[]): Promise<string[]> {
  const words = ['list', '-m', '-f', '{{.Dir}}', module];
  const root = (await run('go', words, { cwd: import.meta.dirname })).stdout.trim();
  const found = folders.flatMap((folder) => globSync(join(root, folder, '**/*.go')));
  const isOfTests = (path: string) => /_test\.go$|\/test(ing|data|util)?\//.test(path.slice(root.length));
  return found.filter(
    (path) => !isOfTests(path) && readFileSync(path, 'utf8').includes('"k8s.io/component-base/metrics"'),
  );
}

interface Told {
  namespace?: string;
  subsystem?: string;
  name: string;
  type: string;
  labels?: string[];
  buckets?: (number | string)[];
}

function nameOf({ namespace, subsystem, name }: Told): string {
  return [namespace, subsystem, name].filter(Boolean).join('_');
}

const types = new Map<string, DeclaredFamily['type']>([
  ['Counter', 'counter'],
  ['Gauge', 'gauge'],
  ['Histogram', 'histogram'],
  ['TimingRatioHistogram', 'histogram'],
]);

function familyOf({ type, labels = [], buckets }: Told): DeclaredFamily {
  return { type: types.get(type), labels: [...labels].sort(), bounds: buckets?.map(Number) };
}
