import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

/** Runs a program that has to succeed. */
function need(program: string, ...words: string[]): void {
  const { status, stderr, error } = spawnSync(program, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${error?.message ?? stderr.trim()}`);
}

/**
 * A network of its own that leads out by this machine: what two systems have there is told by two versions of nft, and the older
 * one crashes on tables of the newer.
 */
export function ownNetwork(): { path: string } & Disposable {
  const name = `wherry-first-${process.pid}`;
  const [here, there] = [`wfh${process.pid}`, `wft${process.pid}`];
  // A /30 of the range for benchmarks (RFC 2544), by process.
  const base = (process.pid * 4) % 0x1_ff_fc;
  const address = (last: number) => `198.${18 + (base >> 16)}.${(base >> 8) & 0xff}.${(base & 0xfc) + last}`;
  const remove = () => {
    spawnSync('nft', ['delete', 'table', 'ip', name]);
    spawnSync('ip', ['link', 'delete', here]);
    spawnSync('ip', ['netns', 'delete', name]);
  };
  try {
    need('ip', 'netns', 'add', name);
    need('ip', 'link', 'add', here, 'type', 'veth', 'peer', 'name', there, 'netns', name);
    need('ip', 'address', 'add', `${address(1)}/30`, 'dev', here);
    need('ip', 'link', 'set', here, 'up');
    need('ip', '-n', name, 'link', 'set', 'lo', 'up');
    need('ip', '-n', name, 'address', 'add', `${address(2)}/30`, 'dev', there);
    need('ip', '-n', name, 'link', 'set', there, 'up');
    need('ip', '-n', name, 'route', 'add', 'default', 'via', address(1));
    writeFileSync('/proc/sys/net/ipv4/ip_forward', '1');
    need('nft', 'add', 'table', 'ip', name);
    need('nft', 'add', 'chain', 'ip', name, 'out', '{ type nat hook postrouting priority srcnat; }');
    need('nft', 'add', 'rule', 'ip', name, 'out', 'ip', 'saddr', address(2), 'masquerade');
  } catch (error) {
    remove();
    throw error;
  }
  return { path: `/run/netns/${name}`, [Symbol.dispose]: remove };
}
