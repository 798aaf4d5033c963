/** Every command and flag that kubectl 1.36's help has is one of wherry's, but those that are named here. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from 'commander';
import { run } from '../../e2e/command.ts';
import { createProgram } from '../../packages/wherry/src/cli/program.ts';
import { buildKubectl } from '../e2e/build.ts';
import { areBuilt } from '../peers/are-built.ts';

/** Flags without an effect there, or at which kubectl panics (docs/LIMITS.md). */
const absent: readonly string[] = [
  ...['run --filename', 'run --kustomize', 'run --recursive', 'wait --local'],
  ...['edit --template', 'edit --allow-missing-template-keys'],
  ...['apply edit-last-applied --template', 'apply edit-last-applied --allow-missing-template-keys'],
];

interface Help {
  commands: string[];
  /** As `--long` and `-s`. */
  flags: { long: string; short: string | undefined }[];
}

function helpOf(text: string): Help {
  const lists = text.matchAll(/^(?:Available |[A-Z][\w ]* |Sub)[Cc]ommands.*:\n((?: {2}\S.*\n)+)/gm);
  const commands = [...lists].flatMap(([, list = '']) =>
    [...list.matchAll(/^ {2}([\w-]+) /gm)].map(([, name = '']) => name),
  );
  const [, below = ''] = text.split(/^Options:$/m);
  const [options = ''] = below.split(/^Usage:$/m);
  const flags = [...options.matchAll(/^ {4}(?:(-\w), )?(--[\w-]+)=/gm)];
  return { commands, flags: flags.map(([, short, long = '']) => ({ long, short })) };
}

/** `top node` and its like are words of one command here, or names that stand for another. */
function commandAt(program: Command, words: readonly string[]): Command | undefined {
  const [word, ...rest] = words;
  if (word === undefined) return program;
  const found = program.commands.find((each) => each.name() === word || each.aliases().includes(word));
  return found && commandAt(found, rest);
}

test('flags of all commands', async () => {
  const kubectl = areBuilt ? new URL('../bin/kubectl', import.meta.url).pathname : await buildKubectl();
  const { program } = createProgram();
  const missing: string[] = [];
  let flagCount = 0;
  async function compare(words: string[]): Promise<void> {
    const { stdout } = await run(kubectl, [...words, '--help'], { timeoutMs: 60_000 });
    const { commands, flags } = helpOf(stdout);
    const ours = commandAt(program, words);
    if (!ours) missing.push(words.join(' '));
    const known = new Set(ours?.options.flatMap(({ long, short }) => [long, short]));
    for (const { long, short } of flags) {
      flagCount += 1;
      const has = known.has(long) || known.has(long.replace('--', '--no-'));
      if (!has || (short !== undefined && !known.has(short))) missing.push(`${words.join(' ')} ${long}`);
    }
    if (words.length < 3) for (const each of commands) await compare([...words, each]);
  }
  await compare([]);
  assert.ok(flagCount > 800, `only ${flagCount} flags were found`);
  assert.deepEqual(missing.toSorted(), absent.toSorted());
});
