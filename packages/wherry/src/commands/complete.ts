import type { Command } from 'commander';
import { complete } from '../completion/candidates.ts';
import { lookUp } from '../completion/look-up.ts';
import { plugInCandidates } from './plugin/candidates.ts';

/** Prints what the last of `words` may be, one candidate a line; `:file` where a path is meant. */
export async function printCandidates(program: Command, words: readonly string[]): Promise<void> {
  const { words: fixed, wanted, flags, before } = complete(program, words);
  const typed = words.at(-1)?.replace(/^--[^=]*=/, '') ?? '';
  const prefix = words.at(-1)?.slice(0, -typed.length || undefined) ?? '';
  const candidates = [...fixed];
  if (wanted === 'file') candidates.push(':file');
  else if (wanted !== undefined) {
    const found = await lookUp({ wanted, flags, words: before });
    candidates.push(
      ...found
        .filter((name) => name.startsWith(typed))
        .map((name) => `${typed === words.at(-1) ? '' : prefix}${name}`),
    );
  }
  candidates.push(...(await plugInCandidates(program, words)));
  for (const candidate of new Set(candidates)) console.log(candidate);
}
