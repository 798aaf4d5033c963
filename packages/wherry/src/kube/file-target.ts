import { readFileSync } from 'node:fs';
import type { ForwardTarget } from '@wherry/client';
import { goYaml } from '@wherry/kubeapi';
import { parseAllDocuments } from 'yaml';
import { CommandError } from '../errors.ts';
import { readStandardInput } from '../system/standard-input.ts';
import { parseTarget } from './pod-target.ts';

interface Named {
  kind?: string;
  metadata?: { name?: string; namespace?: string };
}

/** The pods, or what has pods, that a file of YAML or JSON holds, or standard input (`-`). Throws `CommandError`. */
export async function targetsOfFile(path: string, namespace: string | undefined): Promise<ForwardTarget[]> {
  return parseAllDocuments(await readText(path), goYaml).flatMap((document) => {
    const { kind, metadata } = (document.toJS() ?? {}) as Named;
    if (!kind || !metadata?.name) return [];
    return parseTarget(`${kind}/${metadata.name}`, namespace ?? metadata.namespace);
  });
}

async function readText(path: string): Promise<string> {
  try {
    return path === '-' ? (await readStandardInput()).toString('utf8') : readFileSync(path, 'utf8');
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const message = isAbsent ? `the path "${path}" does not exist` : (error as Error).message;
    throw new CommandError(message, { cause: error });
  }
}
