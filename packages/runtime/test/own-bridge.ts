/** A bridge in the network namespace of this process, with pods that have namespaces of their own. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@wherry/clock';
import { pinNamespaces, unpinNamespace } from '@wherry/linux';
import { silentLogger } from '@wherry/telemetry';
import { BridgeNetwork } from '../src/network/bridge.ts';
import { PodRange } from '../src/network/pod-range.ts';
import { addressesOf } from '../src/network/port-guard.ts';

/** A pod on the bridge. */
export interface BridgedPod {
  /** Its network namespace. */
  space: string;
  addresses: string[];
  release(): Promise<void>;
}

/** Only for scripts that tests run in network namespaces of their own; throws where it would be in that of who started it. */
export class OwnBridge {
  readonly network: BridgeNetwork;
  readonly #folder = mkdtempSync(join(tmpdir(), 'wherry-bridge-'));
  readonly #spaces: string[] = [];

  private constructor() {
    const [own, others] = ['self', process.ppid].map((id) => readlinkSync(`/proc/${id}/ns/net`));
    if (own === others) throw new Error("this is the machine's network namespace: run it by its test");
    this.network = new BridgeNetwork({
      bridgeName: 'pods',
      range: new PodRange({ given: '10.85.9.0/24,fd00:85:9::/64', file: join(this.#folder, 'range') }),
      peerBridges: undefined,
      mtu: undefined,
      blockedCidrs: [],
      clock: systemClock,
      logger: silentLogger,
    });
  }

  static async open(): Promise<OwnBridge> {
    const bridge = new OwnBridge();
    await bridge.network.open(() => []);
    if (bridge.network.problem !== null) throw new Error(bridge.network.problem);
    return bridge;
  }

  async runPod(sandboxId: string, portMappings: readonly object[] = []): Promise<BridgedPod> {
    const request = { sandboxId, config: { portMappings, annotations: {} } } as never;
    const { network } = this;
    const address = network.reserve(request);
    const directory = join(this.#folder, sandboxId);
    mkdirSync(directory);
    const { net: space = '' } = pinNamespaces({
      types: ['net'],
      directory,
      inside: () => network.connect(address),
    });
    this.#spaces.push(space);
    try {
      const pod = await network.attach(request, address);
      return { space, addresses: addressesOf(pod), release: () => network.release({ sandboxId }, pod) };
    } catch (error) {
      await network.release({ sandboxId }, address);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.network.close();
    for (const space of this.#spaces) unpinNamespace(space);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Whether a pod reaches each address of another. */
export const reaches = (from: BridgedPod, to: BridgedPod): boolean[] =>
  to.addresses.map((address) => {
    const words = [`--net=${from.space}`, 'busybox', 'ping', '-c', '2', '-W', '2', address];
    return spawnSync('nsenter', words).status === 0;
  });
