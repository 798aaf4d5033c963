import { existsSync } from 'node:fs';
import { Command, type Option } from 'commander';
import { hasKuberc, kubercPlace } from '../kuberc/place.ts';
import type { PreferredLine } from '../kuberc/preferred-line.ts';
import { readVersion } from '../version.ts';
import { subCommand } from '../words/sub-command.ts';
import { commandGroups, ownCommands } from './command-groups.ts';
import { addExamples } from './examples.ts';
import { commandWord, fromGoFlags } from './flags/go-flags.ts';
import { withKubeFlags } from './flags/kube-flags.ts';
import { withCommandHints } from './unknown-commands.ts';

/** Runs one command line, as in `process.argv`. Throws `CommandError` and what commands throw. */
export async function runProgram(argv: readonly string[]): Promise<void> {
  const [node = '', script = '', ...typed] = argv;
  const globalFlags = withKubeFlags(new Command()).options;
  const { words, pluginPolicy } = await withPreferences(typed, globalFlags);
  const { program, kubeCommands: commands } = createProgram(commandWord(words, globalFlags));
  // Who types nothing asks what there is; as in kubectl that is no mistake.
  if (words.length === 0) program.help();
  if (pluginPolicy) for (const command of commands) command.setOptionValue('pluginPolicy', pluginPolicy);
  const least = pluginWords(program, words);
  if (least !== undefined && (await ranPlugin(words, least))) return;
  await program.parseAsync([node, script, ...fromGoFlags({ words, commands, globalFlags })]);
}

/**
 * The command line; of its commands no more than a line that begins with this word needs, since a sixth of a short command's
 * time goes into making all of them. Without one they are all there. Each command loads its code only when it runs.
 */
export function createProgram(word?: string): { program: Command; kubeCommands: Command[] } {
  const program = new Command('wherry')
    .description('A complete Kubernetes node in TypeScript.')
    .version(readVersion())
    .enablePositionalOptions();
  const named = commandGroups.filter(({ names }) => names.some((name) => name === word));
  const groups = named.length > 0 ? named : commandGroups;
  const kubeCommands = groups.flatMap(({ add }) => add(program));
  addExamples(program);
  withCommandHints(program);
  return { program, kubeCommands };
}

/** What is typed with the user's preferences (kuberc), for all but the node's own commands. */
async function withPreferences(
  typed: readonly string[],
  globalFlags: readonly Option[],
): Promise<PreferredLine> {
  const word = commandWord(typed, globalFlags);
  const isOwn = ownCommands.some((name) => name === word);
  if (typed.length === 0 || isOwn || !hasKuberc()) return { words: [...typed] };
  if (kubercIsAbsent(typed)) return { words: [...typed] };
  const { preferredLine } = await import('../kuberc/preferred-line.ts');
  return preferredLine(typed, { program: () => createProgram().program, globalFlags });
}

/** True where nobody names a file and there is none at its usual place: most of the time, which costs nothing more. */
function kubercIsAbsent(typed: readonly string[]): boolean {
  if (typed.some((word) => word.startsWith('--kuberc'))) return false;
  const place = kubercPlace(undefined);
  return place === undefined || (!place.isExplicit && !existsSync(place.path));
}

/** How many words name the plug-in that a command line may mean; undefined where the program knows its command itself. */
function pluginWords(program: Command, [word, next]: readonly string[]): number | undefined {
  if (word === undefined || word.startsWith('-') || word === 'help') return undefined;
  const command = subCommand(program, word);
  if (!command) return 1;
  // As in kubectl: what is not created here may be created by a plug-in.
  const mayCreate = command.name() === 'create' && next !== undefined && !next.startsWith('-');
  return mayCreate && !subCommand(command, next) ? 2 : undefined;
}

async function ranPlugin(words: readonly string[], least: number): Promise<boolean> {
  const found = (await import('../commands/plugin/found-plugins.ts')).pluginFor(words, least);
  if (!found) return false;
  await (await import('../commands/plugin/run.ts')).runPlugin(found);
  return true;
}
