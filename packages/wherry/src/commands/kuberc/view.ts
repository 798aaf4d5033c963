import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { type JsonObject, parseTextWith } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { kubercPlace } from '../../kuberc/place.ts';
import { latestVersion } from '../../kuberc/preference.ts';
import { printPreference, savePreference } from '../../kuberc/save-preference.ts';
import type { OutputFormat } from '../../output/output-format.ts';

/** Flags of `wherry kuberc view`. */
export interface KubercViewFlags {
  kuberc?: string;
  output?: OutputFormat;
}

/** Prints the file of preferences; where there is none, offers to write one. */
export async function viewKuberc({ kuberc, output }: KubercViewFlags): Promise<void> {
  const { path, isExplicit } = placeOf(kuberc);
  if (!existsSync(path)) {
    if (isExplicit) throw new CommandError(`kuberc file not found at ${path}`);
    await offer(path);
    return;
  }
  const document = parseTextWith(readFileSync(path), 'yaml', { findDuplicates: false }).value;
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw new CommandError(`error parsing kuberc file: there are no preferences in ${path}`);
  const { kind, apiVersion, defaults, aliases, ...rest } = document as JsonObject;
  printPreference({ kind, apiVersion, defaults: defaults ?? [], aliases: aliases ?? [], ...rest }, output);
}

/** The file that is meant. Throws `CommandError` where preferences are off. */
export function placeOf(kuberc: string | undefined): { path: string; isExplicit: boolean } {
  const place = kubercPlace(kuberc);
  if (!place) throw new CommandError('KUBERC is disabled via KUBERC=off environment variable');
  return place;
}

/** What is changed here is asked for by nobody else: a server applies, and who deletes is asked. */
const recommended = {
  ...{ apiVersion: latestVersion, kind: 'Preference', aliases: null },
  defaults: [
    { command: 'apply', options: [{ name: 'server-side', default: 'true' }] },
    { command: 'delete', options: [{ name: 'interactive', default: 'true' }] },
  ],
};

async function offer(path: string): Promise<void> {
  console.log(`kuberc file not found at ${path}`);
  process.stdout.write('Would you like to generate a default kuberc file with recommended options? (y/N): ');
  using lines = createInterface({ input: process.stdin });
  for await (const line of lines) {
    if (/^\s*y\s*$/i.test(line)) savePreference(recommended, path);
    break;
  }
}
