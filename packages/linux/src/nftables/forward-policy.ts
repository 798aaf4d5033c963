import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { AddressFamily } from '../netlink/ip-address.ts';
import { runNft } from './run-nft.ts';

/** What `iptables -P FORWARD` and Docker set: a chain of a table that belongs to neither of us. */
const chain = { table: 'filter', name: 'FORWARD' } as const;

interface Rule {
  handle: number;
  comment?: string;
}

interface ForwardChain {
  policy: string | undefined;
  rules: Rule[];
}

/** Rules of ours in that chain are known by this. */
const commentOf = (bridgeName: string) => `wherry-${bridgeName}`;

/**
 * Has the machine forward what comes from a bridge and what goes to it, where the policy of its chain FORWARD is to drop
 * all (Docker, ufw). The rules come last: what others accept, refuse or drop there goes before. Repeats add nothing.
 * Rejects with what nft(8) complained of.
 */
export async function acceptForwarded(family: AddressFamily, bridgeName: string): Promise<void> {
  const found = await forwardChain(family);
  const comment = commentOf(bridgeName);
  if (found?.policy !== 'drop' || found.rules.some((rule) => rule.comment === comment)) return;
  const ends = ['iifname', 'oifname'].map(
    (end) =>
      `add rule ${family} ${chain.table} ${chain.name} ${end} "${bridgeName}" accept comment "${comment}"`,
  );
  await runNft(ends.join('\n'));
}

/** Takes back what {@link acceptForwarded} has added. Nothing to take back is fine. */
export async function withdrawForwarded(family: AddressFamily, bridgeName: string): Promise<void> {
  const own = (await forwardChain(family))?.rules.filter(({ comment }) => comment === commentOf(bridgeName));
  if (!own?.length) return;
  await runNft(
    own.map(({ handle }) => `delete rule ${family} ${chain.table} ${chain.name} handle ${handle}`).join('\n'),
  );
}

/** Undefined where there is no such chain, or no nft(8). */
async function forwardChain(family: AddressFamily): Promise<ForwardChain | undefined> {
  const words = ['--json', '--handle', 'list', 'chain', family, chain.table, chain.name];
  const { stdout } = await promisify(execFile)('nft', words).catch(() => ({ stdout: '' }));
  if (stdout === '') return undefined;
  const { nftables }: { nftables: { chain?: { policy?: string }; rule?: Rule }[] } = JSON.parse(stdout);
  return {
    policy: nftables.find((entry) => entry.chain)?.chain?.policy,
    rules: nftables.flatMap(({ rule }) => rule ?? []),
  };
}
