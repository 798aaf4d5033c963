/** Every command and flag that kubectl 1.36's help has is one of wherry's; those that are named here are not in our help. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from 'commander';
import { run } from '../../e2e/command.ts';
import { createProgram } from '../../packages/wherry/src/cli/program.ts';
import { buildKubectl } from '../e2e/build.ts';
import { areBuilt } from '../peers/are-built.ts';

/** Known, and not in our help: nothing comes of them there or here, or they are refused (docs/LIMITS.md). */
const hiddenFlags: readonly string[] = [
  ...['run --filename', 'run --kustomize', 'run --recursive', 'wait --local'],
  ...['apply --openapi-patch', 'top node --use-protocol-buffers', 'top pod --use-protocol-buffers'],
  // What each is by itself, or stands in our help the other way round.
  ...['apply --overwrite', 'diff --server-side'],
  ...['--as-current-user', '--enable-alpha-plugins', '--enable-helm', '--env', '--helm-api-versions'].map(
    (flag) => `kustomize ${flag}`,
  ),
  ...['--helm-command', '--helm-debug', '--helm-kube-version', '--mount', '--network', '--network-name'].map(
    (flag) => `kustomize ${flag}`,
  ),
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
  const hidden: string[] = [];
  let flagCount = 0;
  async function compare(words: string[]): Promise<void> {
    const { stdout } = await run(kubectl, [...words, '--help'], { timeoutMs: 60_000 });
    const { commands, flags } = helpOf(stdout);
    const ours = commandAt(program, words);
    if (!ours) missing.push(words.join(' '));
    for (const { long, short } of flags) {
      flagCount += 1;
      const name = `${words.join(' ')} ${long}`;
      const option = ours?.options.find((one) =>
        [long, long.replace('--', '--no-')].includes(one.long ?? ''),
      );
      const isShort = short === undefined || ours?.options.some((one) => one.short === short);
      if (!option || !isShort) missing.push(name);
      else if (option.hidden) hidden.push(name);
    }
    if (words.length < 3) for (const each of commands) await compare([...words, each]);
  }
  await compare([]);
  assert.ok(flagCount > 800, `only ${flagCount} flags were found`);
  assert.deepEqual(missing, []);
  assert.deepEqual(hidden.toSorted(), hiddenFlags.toSorted());
});
