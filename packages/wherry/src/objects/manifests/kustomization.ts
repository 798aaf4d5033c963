/** A kustomization as a source of objects, beside files and URLs. */
import { resolve } from 'node:path';
import type { BuildOptions, Built } from '@wherry/kustomize';
import { CommandError } from '../../errors.ts';

const mark = 'kustomization:';

/** The source that stands for the kustomization of a folder. */
export const kustomization = (folder: string): string => `${mark}${folder}`;

export const isKustomization = (source: string): boolean => source.startsWith(mark);

/** What comes of such a source, as one text. Throws `CommandError`. */
export async function builtSource(source: string): Promise<{ name: string; text: string }> {
  const name = source.slice(mark.length);
  return { name, text: (await build(name)).yaml };
}

/** Builds the kustomization of a folder; what it says is told on standard error. Throws `CommandError`. */
export async function build(folder: string, options: Omit<BuildOptions, 'warn'> = {}): Promise<Built> {
  const { buildKustomization, isRemote, KustomizeError } = await import('@wherry/kustomize');
  try {
    const path = isRemote(folder) ? folder : resolve(folder);
    return buildKustomization(path, { ...options, warn: (line) => console.error(line) });
  } catch (error) {
    if (error instanceof KustomizeError) throw new CommandError(error.message, { cause: error });
    throw error;
  }
}
