import { createHash } from 'node:crypto';
import type { Table } from './messages.ts';

/** Rules for a table that a program keeps. */
export interface VersionedRules {
  /** Name of an empty chain that tells which rules a table holds. */
  versionChain: string;
  /** Commands of nft: one transaction that replaces whatever the table held. */
  commands: string;
}

/** Makes rules out of what stands inside of a table, in nft's language. */
export function versionedRules({ family, name }: Table, body: string): VersionedRules {
  const versionChain = `rules-${createHash('sha256').update(body).digest('hex').slice(0, 16)}`;
  const commands = `
add table ${family} ${name}
delete table ${family} ${name}
table ${family} ${name} {
  chain ${versionChain} {}
${body}
}
`;
  return { versionChain, commands };
}
