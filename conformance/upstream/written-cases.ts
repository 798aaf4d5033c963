/** OpenShift's definitions, and the cases that stand beside them: what may be created, and what may become of it. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CustomResourceDefinition, JsonObject } from '@wherry/kubeapi';
import { parse } from 'yaml';
import { folderOfModule } from '../peers/go-sources.ts';

/** An object, and what it is changed into. */
export interface WrittenCase {
  name: string;
  initial: JsonObject;
  updated?: JsonObject;
}

/** A definition with all that is said of it. */
export interface Described {
  definition: CustomResourceDefinition;
  cases: WrittenCase[];
}

interface CaseFile {
  crdName: string;
  tests: Record<
    string,
    { name: string; initial: string; updated?: string; initialCRDPatches?: object }[] | null
  >;
}

/** By the names of definitions. Cases that begin with another definition are left out. */
export async function openshiftCases(): Promise<Map<string, Described>> {
  const folder = await folderOfModule('github.com/openshift/api', 'v0.0.0-20251015095338-264e80a2b6e7');
  const found = new Map<string, Described>();
  for (const path of globSync(join(folder, '**/zz_generated.crd-manifests/*.yaml'))) {
    // Of those that are there once for each set of features, the one that has all.
    if (/-(Default|DevPreviewNoUpgrade|TechPreviewNoUpgrade)\.crd/.test(path)) continue;
    const definition = read<CustomResourceDefinition>(path);
    found.set(definition.metadata?.name ?? '', { definition, cases: [] });
  }
  for (const path of globSync(join(folder, '**/tests/*/*.yaml')).sort()) {
    const { crdName, tests } = read<CaseFile>(path);
    const file = path.split('/').at(-1);
    for (const each of Object.values(tests).flatMap((list) => list ?? []))
      if (!each.initialCRDPatches)
        found.get(crdName)?.cases.push({
          name: `${file}: ${each.name}`,
          initial: parse(each.initial),
          ...(each.updated ? { updated: parse(each.updated) } : {}),
        });
  }
  return new Map([...found].filter(([, { cases }]) => cases.length > 0));
}

/** Some files say a key twice. */
const read = <T>(path: string): T => parse(readFileSync(path, 'utf8'), { uniqueKeys: false });
