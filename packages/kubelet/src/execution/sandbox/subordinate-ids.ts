import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Ids of the machine that pods with users of their own may have. */
export interface SubordinateIds {
  firstId: number;
  count: number;
  idsPerPod: number;
}

const unit = 65_536;
const idsEnd = 2 ** 32 - 1;
const account = 'kubelet';

/** What the system tells of the ids for a user; undefined when it knows no such user or has no way to tell. */
export type AskForIds = (kind: 'users' | 'groups') => string | undefined;

/**
 * The ids for pods, as upstream finds them (pkg/kubelet/kubelet_pods.go): those subordinate to the user "kubelet", where there
 * is one, else all from the second range on. Throws for what can't be divided into ranges, or is too little for `maxPods`.
 */
export function subordinateIds(
  { idsPerPod, maxPods }: { idsPerPod: number; maxPods: number },
  ask: AskForIds = askSystem,
): SubordinateIds {
  const size = idsPerPod || unit;
  if (size % unit !== 0) throw new Error(`userNamespaces.idsPerPod ${size} is not a multiple of ${unit}`);
  const { firstId, count } = rangeFor(size, ask);
  const where = `the ids subordinate to the user "${account}"`;
  if (firstId % size !== 0 || firstId < size)
    throw new Error(`${where} begin at ${firstId}, want a multiple of ${size} other than 0`);
  if (count % size !== 0) throw new Error(`${where} are ${count}, want a multiple of ${size}`);
  if (count / size < maxPods) throw new Error(`${where} are ${count}, not enough for ${maxPods} pods`);
  return { firstId, count, idsPerPod: size };
}

function rangeFor(size: number, ask: AskForIds): { firstId: number; count: number } {
  const users = ask('users');
  if (users === undefined) return { firstId: size, count: Math.floor((idsEnd - size) / size) * size };
  if (users !== ask('groups')) throw new Error(`mismatched subuids and subgids for user "${account}"`);
  const lines = users.trim().split('\n');
  const found = /^0: \S+ (\d+) (\d+)$/.exec(lines[0] ?? '');
  const [firstId, count] = [Number(found?.[1]), Number(found?.[2])];
  if (!found || lines.length > 1 || Math.max(firstId, count) > idsEnd)
    throw new Error(
      `want one range of ids subordinate to the user "${account}", getsubids said "${users.trim()}"`,
    );
  return { firstId, count };
}

function askSystem(kind: 'users' | 'groups'): string | undefined {
  if (!/^kubelet:/m.test(readFileSync('/etc/passwd', 'utf8'))) return undefined;
  try {
    return execFileSync('getsubids', [...(kind === 'groups' ? ['-g'] : []), account], { encoding: 'utf8' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`error retrieving additional ids for user "${account}"`, { cause: error });
  }
}
