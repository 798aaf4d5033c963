import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, resolve } from 'node:path';
import { ClientError } from '../errors.ts';
import type { Kubeconfig } from './kubeconfig.ts';
import { parseKubeconfig } from './parse-kubeconfig.ts';
import { systemMessage } from './system-message.ts';

/** The kubeconfig files that apply: `path`, else each of `$KUBECONFIG`, else `~/.kube/config`. */
export function kubeconfigPaths(path?: string, environment: NodeJS.ProcessEnv = process.env): string[] {
  if (path) return [path];
  const listed = environment['KUBECONFIG']?.split(delimiter).filter((entry) => entry !== '') ?? [];
  return listed.length > 0 ? [...new Set(listed)] : [resolve(homedir(), '.kube/config')];
}

/**
 * Reads and merges kubeconfig files: of each cluster, user and context the first file that names it counts, whole; of
 * `current-context` the first that says one. Files of `$KUBECONFIG` that don't exist are skipped, as kubectl does.
 * Throws `ClientError` `bad-config` when files can't be read or parsed, with all that is wrong, or when none is there.
 */
export function loadKubeconfig(path?: string, environment: NodeJS.ProcessEnv = process.env): Kubeconfig {
  const paths = kubeconfigPaths(path, environment);
  if (path && !existsSync(path))
    throw new ClientError('bad-config', `stat ${path}: no such file or directory`);
  const problems: ClientError[] = [];
  const found = paths.flatMap((each): Kubeconfig[] => {
    try {
      const text = readText(each);
      return text === undefined ? [] : [parseKubeconfig(text, each)];
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      problems.push(error);
      return [];
    }
  });
  const [problem] = problems;
  if (problem) {
    const message = problems.map((each) => each.message).join('\n');
    throw problems.length === 1 ? problem : new ClientError('bad-config', message, { cause: problem });
  }
  if (found.length === 0) {
    throw new ClientError(
      'bad-config',
      `no kubeconfig at ${paths.map((entry) => JSON.stringify(entry)).join(', ')}; pass --kubeconfig or set KUBECONFIG`,
    );
  }
  return found.reduce(merge);
}

/** Undefined where there is none. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    const why = code === 'EISDIR' ? `read ${path}: is a directory` : `open ${path}: ${systemMessage(error)}`;
    throw new ClientError('bad-config', `error loading config file "${path}": ${why}`, { cause: error });
  }
}

function merge(first: Kubeconfig, second: Kubeconfig): Kubeconfig {
  return {
    currentContext: first.currentContext || second.currentContext,
    clusters: new Map([...second.clusters, ...first.clusters]),
    users: new Map([...second.users, ...first.users]),
    userFiles: new Map([...second.userFiles, ...first.userFiles]),
    contexts: new Map([...second.contexts, ...first.contexts]),
  };
}
