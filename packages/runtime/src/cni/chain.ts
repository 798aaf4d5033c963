import { boundedWords, RuntimeError } from '../errors.ts';
import { isRecord } from '../state/json.ts';
import type { NetworkList, PluginConfig } from './network-list.ts';
import { type Attachment, type CniCommand, callOf, type PluginCall, versionCall } from './plugin-call.ts';
import { PluginError } from './plugin-error.ts';
import { asVersion, type PluginResult, resultFrom } from './plugin-result.ts';
import { type CniVersion, commonVersion, isAtLeast } from './versions.ts';

/**
 * The calls of one operation, one after another: each is given back what the plug-in printed as JSON (undefined for
 * nothing), or thrown the error that it ended with. Nothing here runs anything.
 */
export type PluginCalls<Result> = Generator<PluginCall, Result, unknown>;

const words: Partial<Record<CniCommand, string>> = {
  ADD: 'add',
  DEL: 'delete',
  CHECK: 'check',
  GC: 'gc',
  STATUS: 'status',
};

/** Names plug-in and command in what went wrong, as libcni does. */
function* named(call: PluginCall): PluginCalls<unknown> {
  try {
    return yield call;
  } catch (error) {
    if (!(error instanceof PluginError)) throw error;
    const text = `plugin type=${JSON.stringify(call.type)} failed (${words[call.command]}): ${error.message}`;
    throw new PluginError(text);
  }
}

/**
 * ADD: forward, each plug-in with what the one before it gave. Answers the last one's. `keep` is told of each: a DEL after
 * an ADD that failed half-way needs it, since plug-ins find out by the result what to take away.
 */
export function* addCalls(
  list: NetworkList,
  attachment: Attachment,
  keep: (result: PluginResult) => void,
): PluginCalls<PluginResult> {
  let prevResult: PluginResult | undefined;
  for (const plugin of list.plugins) {
    const call = callOf('ADD', list, plugin, { prevResult, attachment });
    prevResult = resultOf(call, yield* named(call), list);
    keep(prevResult);
  }
  if (!prevResult) throw new RuntimeError('INVALID_ARGUMENT', `network "${list.name}" has no plugins`);
  return prevResult;
}

/** What a plug-in gave, or whose it is and what is wrong with it. */
function resultOf({ type }: PluginCall, answer: unknown, { version }: NetworkList): PluginResult {
  try {
    return resultFrom(answer, version);
  } catch (error) {
    if (!(error instanceof RuntimeError)) throw error;
    throw new PluginError(`plugin type=${JSON.stringify(type)} failed (add): ${error.message}`);
  }
}

/** From 0.4.0 on plug-ins are given the final result of ADD. */
const given = ({ version }: NetworkList, result: PluginResult | undefined): PluginResult | undefined =>
  result && isAtLeast(version, '0.4.0') ? asVersion(result, version) : undefined;

/** DEL: backward. What a plug-in cannot find any more counts as taken away. */
export function* delCalls(
  list: NetworkList,
  attachment: Attachment,
  result: PluginResult | undefined,
): PluginCalls<void> {
  const prevResult = given(list, result);
  for (const plugin of list.plugins.toReversed()) {
    try {
      yield* named(callOf('DEL', list, plugin, { prevResult, attachment }));
    } catch (error) {
      if (!isGoneAlready(error, attachment)) throw error;
    }
  }
}

/** As containerd's go-cni judges it: plug-ins do not agree on how they say that there is nothing. */
const isGoneAlready = (error: unknown, { namespacePath }: Attachment): boolean =>
  error instanceof PluginError &&
  (error.message.includes('not found') ||
    (namespacePath === '' && error.message.includes('no such file or directory')));

/** CHECK, from 0.4.0 on and unless the network says not to. */
export function* checkCalls(
  list: NetworkList,
  attachment: Attachment,
  result: PluginResult | undefined,
): PluginCalls<void> {
  if (list.disableCheck || !isAtLeast(list.version, '0.4.0')) return;
  const prevResult = given(list, result);
  for (const plugin of list.plugins) yield* named(callOf('CHECK', list, plugin, { prevResult, attachment }));
}

/** STATUS, from 1.1.0 on: throws the first plug-in's reason not to take pods. */
export function* statusCalls(list: NetworkList): PluginCalls<void> {
  if (!isAtLeast(list.version, '1.1.0')) return;
  for (const plugin of list.plugins) yield* named(callOf('STATUS', list, plugin));
}

/** An attachment that stays when plug-ins clear up. */
export interface ValidAttachment {
  containerID: string;
  ifname: string;
}

/** GC, from 1.1.0 on and unless the network says not to: plug-ins drop whatever is of none of these. Each gets its turn. */
export function* gcCalls(list: NetworkList, valid: readonly ValidAttachment[]): PluginCalls<void> {
  if (list.disableGC || !isAtLeast(list.version, '1.1.0')) return;
  const failures: string[] = [];
  // The specification's name, and the one that it had by mistake.
  const more = { 'cni.dev/valid-attachments': valid, 'cni.dev/attachments': valid };
  for (const plugin of list.plugins) {
    try {
      yield* named(callOf('GC', list, plugin, { more }));
    } catch (error) {
      if (!(error instanceof PluginError)) throw error;
      failures.push(error.message);
    }
  }
  if (failures.length > 0) throw new PluginError(failures.join('; '));
}

/** VERSION: the newest version that the file offers and all plug-ins know. Throws `RuntimeError` FAILED_PRECONDITION. */
export function* versionCalls({ versions, plugins }: NetworkList): PluginCalls<CniVersion> {
  const known: string[][] = [];
  for (const plugin of plugins) known.push(supportedOf(yield versionCall(plugin.type)));
  const version = commonVersion(versions, known);
  if (version !== undefined) return version;
  const [blamed, theirs] = blame(plugins, known, versions);
  throw new RuntimeError(
    'FAILED_PRECONDITION',
    `plugin ${blamed} does not support config version ${JSON.stringify(versions.join(', '))}; it knows ${theirs}`,
  );
}

const supportedOf = (answer: unknown): string[] => {
  const versions = isRecord(answer) ? answer['supportedVersions'] : undefined;
  return Array.isArray(versions) ? versions.filter((version) => typeof version === 'string') : [];
};

function blame(
  plugins: readonly PluginConfig[],
  known: readonly string[][],
  versions: readonly string[],
): [string, string] {
  const index = known.findIndex((theirs) => !versions.some((version) => theirs.includes(version)));
  const at = Math.max(index, 0);
  return [plugins[at]?.type ?? '', boundedWords(known[at]?.join(', ') || 'none')];
}
