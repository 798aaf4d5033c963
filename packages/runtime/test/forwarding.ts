/** Connects two pods by a bridge of this network namespace, whose chain FORWARD drops all, and prints what each reaches. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@wherry/clock';
import { acceptForwarded, pinNamespaces, unpinNamespace, withdrawForwarded } from '@wherry/linux';
import { silentLogger } from '@wherry/telemetry';
import { BridgeNetwork } from '../src/network/bridge.ts';
import type { PodAddress } from '../src/network/pod-network.ts';
import { PodRange } from '../src/network/pod-range.ts';

const families = ['ip', 'ip6'] as const;
const folder = mkdtempSync(join(tmpdir(), 'wherry-forwarding-'));
const nft = (...words: string[]) => execFileSync('nft', words, { encoding: 'utf8' });
execFileSync('ip', ['link', 'set', 'lo', 'up']);
for (const family of families) {
  nft(`add table ${family} filter`);
  nft(`add chain ${family} filter FORWARD { type filter hook forward priority 0; policy drop; }`);
}
nft('add rule ip filter FORWARD tcp dport 7 drop');

const network = new BridgeNetwork({
  bridgeName: 'pods',
  range: new PodRange({ fixed: '10.85.9.0/24,fd00:85:9::/64', file: join(folder, 'range') }),
  peerBridges: undefined,
  mtu: undefined,
  blockedCidrs: [],
  clock: systemClock,
  logger: silentLogger,
});
await network.open(() => []);
if (network.problem !== null) throw new Error(network.problem);

const spaces: string[] = [];
async function runPod(sandboxId: string): Promise<{ space: string; address: PodAddress }> {
  const request = { sandboxId, config: { portMappings: [], annotations: {} } } as never;
  const address = network.reserve(request);
  const directory = join(folder, sandboxId);
  mkdirSync(directory);
  const { net: space = '' } = pinNamespaces({
    types: ['net'],
    directory,
    inside: () => network.connect(address),
  });
  spaces.push(space);
  return { space, address: await network.attach(request, address) };
}

try {
  const one = await runPod('one');
  const two = await runPod('two');
  const reached = () =>
    [two.address.ip, ...two.address.additionalIps].map((ip) => {
      const words = [`--net=${one.space}`, 'busybox', 'ping', '-c', '2', '-W', '2', ip];
      return spawnSync('nsenter', words).status === 0;
    });
  const first = reached();
  for (const family of families) await acceptForwarded(family, 'pods');
  const rules = families.map((family) => nft('list', 'chain', family, 'filter', 'FORWARD'));
  for (const family of families) await withdrawForwarded(family, 'pods');
  const without = reached();
  const rest = families.map((family) => nft('list', 'chain', family, 'filter', 'FORWARD'));
  console.log(JSON.stringify({ first, without, rules, rest }));
} finally {
  await network.close();
  for (const space of spaces) unpinNamespace(space);
  rmSync(folder, { recursive: true, force: true });
}
