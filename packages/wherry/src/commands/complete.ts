import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { complete } from '../completion/candidates.ts';
import { lookUp } from '../completion/look-up.ts';
import { hasKuberc, kubercPlace } from '../kuberc/place.ts';
import type { PreferredLine } from '../kuberc/preferred-line.ts';
import { plugInCandidates } from './plugin/candidates.ts';

/** Prints what the last of `words` may be, one candidate a line; `:file` where a path is meant. */
export async function printCandidates(program: Command, typed: readonly string[]): Promise<void> {
  const { words, pluginPolicy } = await preferredForCompletion(program, typed);
  const { words: fixed, wanted, flags, before } = complete(program, words);
  const last = words.at(-1)?.replace(/^--[^=]*=/, '') ?? '';
  const prefix = words.at(-1)?.slice(0, -last.length || undefined) ?? '';
  const candidates = [...fixed];
  if (wanted === 'file') candidates.push(':file');
  else if (wanted !== undefined) {
    const found = await lookUp({ wanted, flags, words: before, pluginPolicy });
    candidates.push(
      ...found
        .filter((name) => name.startsWith(last))
        .map((name) => `${last === words.at(-1) ? '' : prefix}${name}`),
    );
  }
  candidates.push(...(await plugInCandidates(program, words)));
  for (const candidate of new Set(candidates)) console.log(candidate);
}

/** An alias stands for its command here, too, and what its file forbids is not run. */
async function preferredForCompletion(program: Command, typed: readonly string[]): Promise<PreferredLine> {
  const place = hasKuberc() ? kubercPlace(undefined) : undefined;
  if (!place || !existsSync(place.path)) return { words: [...typed] };
  const { aliasForCompletion } = await import('../kuberc/preferred-line.ts');
  return aliasForCompletion(typed, { program, place });
}
