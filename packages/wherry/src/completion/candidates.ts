import type { Command, Option } from 'commander';
import { subCommand } from '../words/sub-command.ts';

/** What the last word of a command line may be. */
export interface Completion {
  /** Sub-commands, flags and fixed values. */
  words: string[];
  /** What has to be looked up, where a flag's value or an argument is meant. */
  wanted?: Wanted | undefined;
  /** The command that the words chose, and its flags so far: `--namespace` tells where to look. */
  command: Command;
  flags: Map<string, string>;
  /** The arguments in front of the last word. */
  before: string[];
}

/** Things that a running cluster, a node, a kubeconfig or the file system knows. */
export type Wanted =
  | ('pod' | 'container' | 'resource' | 'object' | 'namespace' | 'node' | 'session')
  | ('context' | 'cluster' | 'user')
  | ('image' | 'criContainer' | 'criPod')
  | 'file';

/** What the arguments of a command are. */
interface Arguments {
  first: Wanted | readonly string[];
  /** What follows the first; nothing without. */
  rest?: Wanted;
}

/** The arguments of commands by their path below `wherry`. */
const argumentsOf = new Map<string, Arguments>([
  ['exec', { first: 'pod' }],
  ['attach', { first: 'pod' }],
  ['debug', { first: 'pod' }],
  ['logs', { first: 'pod', rest: 'container' }],
  ['port-forward', { first: 'pod' }],
  ['sessions show', { first: 'session' }],
  ['cp', { first: 'pod', rest: 'pod' }],
  ['get', { first: 'resource', rest: 'object' }],
  ['describe', { first: 'resource', rest: 'object' }],
  ['explain', { first: 'resource', rest: 'object' }],
  ['delete', { first: 'resource', rest: 'object' }],
  ['wait', { first: 'resource', rest: 'object' }],
  ['rollout status', { first: 'resource', rest: 'object' }],
  ['rollout restart', { first: 'resource', rest: 'object' }],
  ['rollout undo', { first: 'resource', rest: 'object' }],
  ['rollout history', { first: 'resource', rest: 'object' }],
  ['rollout pause', { first: 'resource', rest: 'object' }],
  ['rollout resume', { first: 'resource', rest: 'object' }],
  ['cordon', { first: 'node', rest: 'node' }],
  ['uncordon', { first: 'node', rest: 'node' }],
  ['drain', { first: 'node', rest: 'node' }],
  ['taint', { first: ['nodes'], rest: 'node' }],
  ['scale', { first: 'resource', rest: 'object' }],
  ['patch', { first: 'resource', rest: 'object' }],
  ['edit', { first: 'resource', rest: 'object' }],
  ['apply view-last-applied', { first: 'resource', rest: 'object' }],
  ['apply edit-last-applied', { first: 'resource', rest: 'object' }],
  ['label', { first: 'resource', rest: 'object' }],
  ['annotate', { first: 'resource', rest: 'object' }],
  ['set env', { first: 'resource', rest: 'object' }],
  ['set image', { first: 'resource', rest: 'object' }],
  ['set resources', { first: 'resource', rest: 'object' }],
  ['set selector', { first: 'resource', rest: 'object' }],
  ['set serviceaccount', { first: 'resource', rest: 'object' }],
  ['set subject', { first: 'resource', rest: 'object' }],
  ['autoscale', { first: 'resource', rest: 'object' }],
  ['expose', { first: 'resource', rest: 'object' }],
  ['config use-context', { first: 'context' }],
  ['config rename-context', { first: 'context' }],
  ['config set-context', { first: 'context' }],
  ['config get-contexts', { first: 'context', rest: 'context' }],
  ['config delete-context', { first: 'context' }],
  ['config set-cluster', { first: 'cluster' }],
  ['config delete-cluster', { first: 'cluster' }],
  ['config set-credentials', { first: 'user' }],
  ['config delete-user', { first: 'user' }],
  ['image remove', { first: 'image', rest: 'image' }],
  ['image inspect', { first: 'image' }],
  ['kustomize', { first: 'file' }],
  ['image load', { first: 'file' }],
  ['image push', { first: 'image' }],
  ['image save', { first: 'image', rest: 'image' }],
  ['cri exec', { first: 'criContainer' }],
  ['cri attach', { first: 'criContainer' }],
  ['cri inspect', { first: 'criContainer' }],
  ['cri port-forward', { first: 'criPod' }],
]);

/** Which flags' values are looked up; behind the path of a command, of that alone. */
const valuesOf = new Map<string, Wanted>([
  ['--container', 'container'],
  ['debug --target', 'container'],
  ['debug --custom', 'file'],
  ['--namespace', 'namespace'],
  ['--node', 'node'],
  ['--context', 'context'],
  ['--cluster', 'cluster'],
  ['--user', 'user'],
  ['--kubeconfig', 'file'],
  ['--kuberc', 'file'],
  ['--data-dir', 'file'],
  ['--filename', 'file'],
  ['--kustomize', 'file'],
  ['kustomize --output', 'file'],
  ['--patch-file', 'file'],
  ['--output-directory', 'file'],
  ['--from-file', 'file'],
  ['--from-env-file', 'file'],
  ['--certificate-authority', 'file'],
  ['--client-certificate', 'file'],
  ['--client-key', 'file'],
  ['--exec-command', 'file'],
  ['--cert', 'file'],
  ['--key', 'file'],
  ['image build --from', 'file'],
  ['proxy --www', 'file'],
  ['proxy --unix-socket', 'file'],
  ['--config', 'file'],
  ['--registry-config', 'file'],
  ['--cni-conf-dir', 'file'],
  ['--cni-bin-dir', 'file'],
  ['--manifests', 'file'],
]);

/** What can stand at the end of `line`, the words behind `wherry`; the last one is being typed and may be empty. */
export function complete(program: Command, line: readonly string[]): Completion {
  const words = withoutEquals(line);
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const { command, path, flags, pending, given } = walk(program, before);
  const found = { command, flags, before: given };
  if (before.includes('--')) return { ...found, words: [] };
  const [flag, value] = splitFlag(typed);
  const option = pending ?? (value === undefined ? undefined : optionNamed(command, flag));
  if (option)
    return {
      ...found,
      words: startingWith(value ?? typed, option.argChoices ?? []).map((word) =>
        value === undefined ? word : `${flag}=${word}`,
      ),
      wanted: valuesOf.get([...path, option.long].join(' ')) ?? valuesOf.get(option.long ?? ''),
    };
  if (typed.startsWith('-')) return { ...found, words: startingWith(typed, flagsOf(command)) };
  const children = command.commands.map((child) => child.name()).filter((name) => !name.startsWith('_'));
  if (children.length > 0 && given.length === 0) return { ...found, words: startingWith(typed, children) };
  const meant = argumentsOf.get(path.join(' '));
  const next = given.length === 0 ? meant?.first : meant?.rest;
  if (typeof next === 'object') return { ...found, words: startingWith(typed, next) };
  return { ...found, words: [], wanted: next };
}

/** bash hands out `--flag=value` as three words. */
function withoutEquals(line: readonly string[]): string[] {
  const words = line.filter((word) => word !== '=');
  return line.at(-1) === '=' ? [...words, ''] : words;
}

interface Walked {
  command: Command;
  path: string[];
  /** The arguments of the command. */
  given: string[];
  flags: Map<string, string>;
  /** A flag whose value is the word that comes next. */
  pending: Option | undefined;
}

function walk(program: Command, words: readonly string[]): Walked {
  const walked: Walked = { command: program, path: [], given: [], flags: new Map(), pending: undefined };
  for (const word of words) {
    if (walked.pending) {
      walked.flags.set(walked.pending.long ?? '', word);
      walked.pending = undefined;
      continue;
    }
    const [name, value] = splitFlag(word);
    const option = word.startsWith('-') ? optionNamed(walked.command, name) : undefined;
    if (option && value !== undefined) walked.flags.set(option.long ?? '', value);
    else if (option?.required) walked.pending = option;
    const child = subCommand(walked.command, word);
    if (!child && !word.startsWith('-')) walked.given.push(word);
    if (!child) continue;
    walked.command = child;
    walked.path.push(child.name());
  }
  return walked;
}

function splitFlag(word: string): [name: string, value: string | undefined] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at === -1 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

const optionNamed = (command: Command, name: string): Option | undefined =>
  command.options.find(({ long, short }) => long === name || short === name);

const flagsOf = (command: Command): string[] =>
  command.options.flatMap(({ hidden, long }) => (hidden || !long ? [] : [long])).concat('--help');

const startingWith = (typed: string, all: readonly string[]) => all.filter((word) => word.startsWith(typed));
