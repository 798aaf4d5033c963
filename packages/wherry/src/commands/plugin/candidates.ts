import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { limits } from '../../limits.ts';
import { subCommand } from '../../words/sub-command.ts';
import { foldersOfPath, isProgram, pluginFor, pluginNames, pluginPrefixes } from './found-plugins.ts';

/** A bit of cobra's directives: no files where there are no candidates. */
const noFiles = 4;

/**
 * What the last of `words` may be where they mean a plug-in: names of plug-ins, and what the program beside a plug-in says
 * (`kubectl_complete-NAME` for `kubectl-NAME`, which gets the plug-in's words and prints a candidate a line), or `:file`.
 */
export async function plugInCandidates(program: Command, words: readonly string[]): Promise<string[]> {
  const [first = '', ...rest] = words;
  if (first.startsWith('-') || (rest.length > 0 && subCommand(program, first))) return [];
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const names = pluginNames()
    .filter((name) => before.every((word, index) => name[index] === word))
    .flatMap((name) => name[before.length] ?? []);
  const own = before.length > 0 ? await ownCandidates(before, typed) : [];
  const offered = [...new Set([...names, ...own])];
  return offered.filter((word) => word === ':file' || word.startsWith(typed));
}

/** What the plug-in's own program for completion says. */
async function ownCandidates(before: readonly string[], typed: string): Promise<string[]> {
  const call = pluginFor(before);
  if (!call) return [];
  const helper = pluginPrefixes
    .flatMap((prefix) =>
      foldersOfPath().map((folder) => join(folder || '.', `${prefix.slice(0, -1)}_complete-${call.name}`)),
    )
    .find(isProgram);
  return helper === undefined ? [':file'] : ask(helper, [...call.words, typed]);
}

async function ask(helper: string, words: string[]): Promise<string[]> {
  const bounds = { timeout: limits.completionTimeoutMs, maxBuffer: limits.completionBytesMax };
  try {
    const { stdout } = await promisify(execFile)(helper, words, bounds);
    const lines = stdout.split('\n').filter((line) => line !== '');
    const [, directive] = /^:(\d+)$/.exec(lines.at(-1) ?? '') ?? [];
    // Behind a tab stands what a candidate is.
    const candidates = (directive === undefined ? lines : lines.slice(0, -1)).map(
      (line) => line.split('\t')[0] ?? '',
    );
    const hasFiles = (Number(directive ?? 0) & noFiles) === 0;
    return candidates.length === 0 && hasFiles ? [':file'] : candidates;
  } catch {
    return [':file'];
  }
}
