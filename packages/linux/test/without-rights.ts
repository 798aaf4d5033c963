import { spawnSync } from 'node:child_process';

/** Runs a command as root in a container as it comes has it: without the capabilities that a node needs. Needs root. */
export function runWithoutRights(words: readonly string[], cwd = process.cwd()) {
  const without = '-sys_admin,-net_admin,-sys_ptrace,-sys_resource';
  const options = [`--bounding-set=${without}`, `--inh-caps=${without}`];
  return spawnSync('setpriv', [...options, ...words], { cwd, encoding: 'utf8' });
}

/** Runs a command where control groups can be looked at, and not made. Needs root. */
export function runWithFixedGroups(words: readonly string[], cwd = process.cwd()) {
  const script = `
    awk '$3 ~ /^cgroup2?$/ { print $2 }' /proc/mounts | while read -r group; do
      mount -o remount,bind,ro "$group"
    done
    exec "$@"`;
  return spawnSync('unshare', ['--mount', 'sh', '-ec', script, 'sh', ...words], { cwd, encoding: 'utf8' });
}
