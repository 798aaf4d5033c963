import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Built } from '@wherry/kustomize';
import { CommandError } from '../../errors.ts';
import { build } from '../../objects/manifests/kustomization.ts';

export interface KustomizeFlags {
  /** A file, or a folder that is there. */
  output?: string;
  loadRestrictor: string;
  enableManagedbyLabel?: boolean;
}

/** Prints what comes of the kustomization of a folder, or writes it. */
export async function kustomize(folder: string, flags: KustomizeFlags): Promise<void> {
  const { output, loadRestrictor, enableManagedbyLabel: hasManagedByLabel = false } = flags;
  const mayLeaveRoot = loadRestrictor === 'LoadRestrictionsNone';
  const built = await build(folder, { mayLeaveRoot, hasManagedByLabel });
  if (output === undefined) {
    if (built.yaml !== '') console.log(built.yaml.slice(0, -1));
  } else if (statSync(output, { throwIfNoEntry: false })?.isDirectory()) writeEach(output, built);
  else writeFileSync(output, built.yaml);
}

/** A file for each object, with its namespace in front where there are several. */
function writeEach(folder: string, { objects, documents }: Built): void {
  const names = objects.map((object) => fileName(object));
  const namespaces = new Set(names.flatMap(({ namespace }) => namespace ?? []));
  for (const [index, { name, namespace }] of names.entries()) {
    const file = namespaces.size > 1 && namespace !== undefined ? `${namespace}_${name}` : name;
    if (file.includes('/'))
      throw new CommandError(`"${file}" can't be the name of a file; choose one with -o FILE`);
    writeFileSync(join(folder, file), documents[index] ?? '');
  }
}

function fileName({ apiVersion, kind, metadata }: Built['objects'][number]): {
  name: string;
  namespace: string | undefined;
} {
  const { name, namespace } = metadata as { name?: string; namespace?: string };
  const words = [...textOf(apiVersion).split('/'), textOf(kind)].filter((word) => word !== '').join('_');
  return { name: `${words}_${name}.yaml`.toLowerCase(), namespace: namespace?.toLowerCase() };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
