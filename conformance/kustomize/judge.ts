/** kustomize itself, and ours, on the same folders. */
import { spawnSync } from 'node:child_process';
import { buildKustomization, KustomizeError } from '../../packages/kustomize/src/index.ts';
import { buildGoPeer } from '../peers/go-peer.ts';

/** What comes of a kustomization; that it was refused, when it was. */
export interface Outcome {
  yaml: string;
  error?: string;
}

/** What kustomize makes of each folder. It finds no network and no programs. */
export async function builtByKustomize(folders: readonly string[]): Promise<Outcome[]> {
  const judge = await buildGoPeer('kustomize');
  const nowhere = 'http://127.0.0.1:1';
  const { stdout } = spawnSync(judge, {
    input: folders.map((folder) => `${folder}\n`).join(''),
    env: { PATH: '', http_proxy: nowhere, https_proxy: nowhere },
    encoding: 'utf8',
    maxBuffer: 1 << 29,
  });
  return stdout
    .trimEnd()
    .split('\n')
    .map((line): Outcome => JSON.parse(line));
}

export function builtByUs(folder: string): Outcome {
  try {
    return { yaml: buildKustomization(folder).yaml };
  } catch (error) {
    if (!(error instanceof KustomizeError)) throw error;
    return { yaml: '', error: error.message };
  }
}
