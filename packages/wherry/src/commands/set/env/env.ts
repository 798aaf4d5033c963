import type { KubeObject } from '@wherry/client';
import type { Container } from '@wherry/kubeapi';
import { CommandError } from '../../../errors.ts';
import { clientFor } from '../../../kube/flags.ts';
import { warnLine } from '../../../kube/warnings.ts';
import { podSpecOf } from '../../../objects/pod-spec-of.ts';
import { Failures } from '../../../output/failures.ts';
import { refuseServerDryRunLocally } from '../../changes/local-objects.ts';
import { changeObjects } from '../change-objects.ts';
import { chooseObjects, namespaceFor, type SetFlags } from '../chosen-objects.ts';
import { containersNamed, requirePodSpec } from '../pod-spec.ts';
import { dataFrom, listVariables } from './list-env.ts';
import { variablesOf } from './sources.ts';
import { changedVariables, refuseOverwrites, type VariableChanges } from './variables.ts';
import { readEnvChanges, splitEnvWords } from './words.ts';

/** Flags of `wherry set env`. */
export interface SetEnvFlags extends SetFlags {
  /** `KEY=VALUE`, `KEY-`, `-`. */
  env?: string[];
  /** `configmap/NAME`, `secret/NAME`. */
  from?: string;
  /** In front of the names of what is set. */
  prefix?: string;
  /** Of `from`, these keys alone. */
  keys?: string[];
  /** Which containers, `*` for anything. */
  containers: string;
  /** Print variables as they would be, and change nothing. */
  list?: boolean;
  /** With `list`: values in the place of references. */
  resolve?: boolean;
  overwrite: boolean;
}

/** Sets, takes away or lists environment variables of containers. */
export async function setEnv(words: readonly string[], flags: SetEnvFlags): Promise<void> {
  const { resources, variables } = splitEnvWords(words);
  refuse(resources, flags);
  const texts = [...(flags.env ?? []), ...variables];
  if (texts.includes('-') && flags.filename?.includes('-'))
    throw new CommandError('standard input cannot be used for multiple arguments');
  const failures = new Failures();
  const changes = await withSource(await readEnvChanges(texts), flags, failures);
  if (!failures.isEmpty) return failures.report();
  if (flags.list) return list(resources, changes, flags);
  const stdinInUse = texts.includes('-');
  await changeObjects(resources, { ...flags, stdinInUse }, () => ({
    change: (object) => giveVariables(object, changes, flags),
    done: 'env updated',
    refusal: 'failed to patch env update to pod template:',
  }));
}

function refuse(resources: readonly string[], flags: SetEnvFlags): void {
  refuseServerDryRunLocally(flags);
  if (!flags.filename && resources.length === 0) {
    throw new CommandError(
      'one or more resources must be specified as <resource> <name> or <resource>/<name>',
    );
  }
  if (flags.list && flags.output !== undefined)
    throw new CommandError('--list and --output may not be specified together');
  if (flags.keys && !flags.from) {
    throw new CommandError('when specifying --keys, a configmap or secret must be provided with --from');
  }
}

/** The changes, and behind them what `--from` sets; what goes is meant without the prefix. */
async function withSource(
  { set, remove }: VariableChanges,
  flags: SetEnvFlags,
  failures: Failures,
): Promise<VariableChanges> {
  const { from, keys = [], prefix = '' } = flags;
  const sources = from ? (await chooseObjects([from], flags, failures)).objects : [];
  const all = [
    ...set,
    ...variablesOf(
      sources.map(({ object }) => object),
      keys,
    ),
  ];
  return { set: all.map((one) => ({ ...one, name: `${prefix}${one.name}` })), remove };
}

function giveVariables(object: KubeObject, changes: VariableChanges, flags: SetEnvFlags): boolean {
  const named = chosenContainers(object, flags);
  for (const container of named) {
    const env = variablesBehind(container, changes, flags);
    if (env.length > 0) container.env = env;
    else delete container.env;
  }
  return named.length > 0;
}

function chosenContainers(object: KubeObject, { containers: pattern }: SetEnvFlags): Container[] {
  const named = containersNamed(requirePodSpec(object), pattern);
  if (named.length === 0) {
    const what = `${object.kind}/${object.metadata?.name}`;
    warnLine(`${what} does not have any containers matching ${JSON.stringify(pattern)}`);
  }
  return named;
}

function variablesBehind({ env = [] }: Container, changes: VariableChanges, { overwrite }: SetEnvFlags) {
  if (!overwrite) refuseOverwrites(env, changes);
  return changedVariables(env, changes);
}

/** What is about no pods, or would lose a value, is left out without a word. */
async function list(
  resources: readonly string[],
  changes: VariableChanges,
  flags: SetEnvFlags,
): Promise<void> {
  const failures = new Failures();
  const { client, objects } = await chooseObjects(resources, flags, failures);
  if (!failures.isEmpty) return failures.report();
  const dataOf = flags.resolve ? dataFrom(client ?? clientFor(flags), namespaceFor(flags)) : undefined;
  for (const { object } of objects) {
    if (!podSpecOf(object)) continue;
    for (const container of chosenContainers(object, flags)) {
      const env = unlessRefused(() => variablesBehind(container, changes, flags));
      if (!env) break;
      await listVariables({ object, container, variables: env }, dataOf);
    }
  }
}

function unlessRefused<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}
