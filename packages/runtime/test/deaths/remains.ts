import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { detectCgroups, foldersAt, readMountInfo } from '@wherry/linux';

/** First words of what is found while containers live. */
export const kindsOfRemains = ['process', 'mount', 'namespace', 'group', 'network', 'file'] as const;

/** What there is of a node's containers on the machine, a line for each thing: to be compared before and after. */
export function remains({ folder, bridgeName }: { folder: string; bridgeName: string }): string[] {
  const mounts = readMountInfo().filter(({ mountPoint }) => mountPoint.startsWith(`${folder}/`));
  return [
    ...processes(folder, bridgeName),
    ...mounts.map(({ mountPoint }) => `mount ${mountPoint}`),
    ...mounts.filter(({ type }) => type === 'nsfs').map(({ root }) => `namespace ${root}`),
    ...controlGroups(bridgeName),
    ...networkLines(bridgeName),
    ...files(folder),
  ].sort();
}

/** Keepers, holders, programs of the OCI runtime and containers: by their program, words or control group. */
function processes(folder: string, cgroup: string): string[] {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .flatMap((pid) => {
      const words = textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
      const isIn = textOf(`/proc/${pid}/cgroup`).includes(`/${cgroup}`);
      const isOfNode = isIn || [words, programOf(pid)].some((text) => text.includes(folder));
      const isServer = /(monitor|runtime)-process\.ts/.test(words);
      return isOfNode && !isServer ? [`process ${words}`] : [];
    });
}

function programOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return '';
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function controlGroups(cgroup: string): string[] {
  const { controllers, unified } = foldersAt(detectCgroups(), `/${cgroup}`);
  return [...controllers.values(), unified]
    .filter((root): root is string => root !== null && existsSync(root))
    .flatMap((root) => globSync('**/cgroup.procs', { cwd: root }).map((path) => `group ${join(root, path)}`));
}

/** Interfaces on the bridge, and what the packet filter's tables hold of pods. */
function networkLines(bridgeName: string): string[] {
  const links = execFileSync('ip', ['-o', 'link', 'show', 'master', bridgeName], { encoding: 'utf8' });
  const tables = ['ip', 'ip6', 'bridge'].map((family) => rules(family, `wherry-${bridgeName}`));
  return [...links.split('\n'), ...tables.flatMap((text) => text.split('\n'))]
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(counter|#)/.test(line))
    .map((line) => `network ${line.replace(/packets \d+ bytes \d+/, '')}`);
}

function rules(family: string, table: string): string {
  try {
    return execFileSync('nft', ['list', 'table', family, table], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}

const kept = [
  'monitor/containers',
  'monitor/oci',
  'monitor/exec',
  'monitor/sockets',
  'runtime/containers',
  'runtime/sandboxes',
  'runtime/pause',
];

function files(folder: string): string[] {
  return kept
    .filter((path) => existsSync(join(folder, path)))
    .flatMap((path) => readdirSync(join(folder, path)).map((name) => `file ${path}/${name}`));
}
