import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needProgram } from '../../linux/test/needs.ts';
import { orphanedBridges, startTestNode, type TestNode } from './node.ts';

/** One call that the recorder plug-in got. */
export interface RecordedCall {
  environment: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: whatever a plug-in is told
  config: any;
}

/**
 * A plug-in that hands the previous result on and writes down what it was called with. A file `COMMAND` in `orders` holds
 * what it is to do else: `{"fail": {...}}` with that error, `{"hang": true}`, `{"kill": PID}` or `{"print": TEXT}`.
 */
const recorder = (folder: string) => `#!${process.execPath}
const fs = require('fs');
const config = JSON.parse(fs.readFileSync(0, 'utf8'));
const { CNI_COMMAND: command } = process.env;
if (command !== 'VERSION') fs.appendFileSync('${folder}/calls', JSON.stringify({ environment: process.env, config }) + '\\n');
let order = {};
try { order = JSON.parse(fs.readFileSync('${folder}/orders/' + command, 'utf8')); } catch {}
if (order.kill) process.kill(order.kill, 'SIGKILL');
if (order.fail) { console.log(JSON.stringify(order.fail)); process.exit(1); }
if (order.hang) setInterval(() => {}, 1000);
else if (order.print !== undefined) process.stdout.write(order.print);
else if (command === 'VERSION') console.log('{"cniVersion":"1.1.0","supportedVersions":["0.3.1","0.4.0","1.0.0","1.1.0"]}');
else if (command === 'ADD') console.log(JSON.stringify(config.prevResult ?? { cniVersion: config.cniVersion }));
`;

const bridgePrefix = 'wc';
const deleteBridge = (name: string) => execFileSync('ip', ['link', 'delete', name], { stdio: 'ignore' });

const linesOf = (program: string, ...words: string[]) =>
  execFileSync(program, words, { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '');
const rulesOf = (table: string) =>
  linesOf('iptables-save', '-t', table).filter((line) => line.startsWith('-A'));
/** Names of the devices by which the plug-in for bandwidth slows down what pods send. */
const shapers = () =>
  linesOf('ip', '-o', 'link', 'show', 'type', 'ifb').flatMap(
    (line) => /^\d+: (bwp\w+)/.exec(line)?.[1] ?? [],
  );

/** A node whose pods are connected by Debian's CNI plug-ins, and by one that records. */
export class CniNode {
  readonly folder = mkdtempSync(join(tmpdir(), 'wherry-cni-'));
  readonly confDir = join(this.folder, 'net.d');
  readonly bridge = `${bridgePrefix}${process.pid}`;
  readonly leases = join(this.folder, 'leases', 'pods');
  readonly subnet: string;
  #node: TestNode | undefined;
  #seen = 0;
  #shapersBefore = new Set<string>();

  constructor(subnet: number) {
    this.subnet = `10.85.${subnet}`;
    needProgram('/usr/lib/cni/bridge', 'containernetworking-plugins');
    needProgram('/usr/sbin/iptables', 'iptables');
    for (const name of ['bin', 'orders']) mkdirSync(join(this.folder, name));
    writeFileSync(join(this.folder, 'bin/recorder'), recorder(this.folder), { mode: 0o755 });
  }

  get node(): TestNode {
    if (!this.#node) throw new Error('the node was not started');
    return this.#node;
  }

  async start(): Promise<void> {
    this.#clearOrphans();
    const binDirs = [join(this.folder, 'bin'), '/usr/lib/cni'];
    const cni = { confDir: this.confDir, binDirs, pluginTimeoutMs: 3_000 };
    this.#node = await startTestNode(0, { podCidr: `${this.subnet}.0/24`, cni }, { apart: true });
  }

  /** What a test file that was ended has left would lead packets of this one astray. */
  #clearOrphans(): void {
    for (const bridge of orphanedBridges(bridgePrefix)) deleteBridge(bridge);
    for (const table of ['nat', 'filter'])
      for (const rule of rulesOf(table).filter((line) => line.includes(`${this.subnet}.`)))
        execFileSync('sh', ['-c', `iptables --wait -t ${table} ${rule.replace('-A', '-D')}`]);
    this.#shapersBefore = new Set(shapers());
  }

  /** Every plug-in of a usual node, and the recorder at the end. */
  list(change: object = {}) {
    const { bridge, leases } = this;
    const ipam = { type: 'host-local', dataDir: join(leases, '..'), routes: [{ dst: '0.0.0.0/0' }] };
    const ports = { type: 'portmap', capabilities: { portMappings: true }, snat: true };
    return {
      cniVersion: '1.0.0',
      name: 'pods',
      plugins: [
        {
          type: 'bridge',
          bridge,
          isGateway: true,
          ipMasq: true,
          hairpinMode: true,
          capabilities: { ipRanges: true },
          ipam,
        },
        ports,
        { type: 'bandwidth', capabilities: { bandwidth: true } },
        { type: 'firewall' },
        { type: 'tuning', sysctl: { 'net.core.somaxconn': '511' } },
        { type: 'recorder', capabilities: { dns: true, 'io.kubernetes.cri.pod-annotations': true } },
      ],
      ...change,
    };
  }

  write(name: string, content: object): void {
    writeFileSync(join(this.confDir, name), JSON.stringify(content));
  }

  /** Waits until pods join the network of that name, and of so many plug-ins: the folder is looked at a moment after it changes. */
  async joins(name: string, plugins?: number): Promise<void> {
    for (let tries = 0; tries < 400; tries++) {
      const { info } = await this.node.cri.runtime.status({ verbose: true });
      const { Config } = JSON.parse(info['cniconfig'] ?? '{}').Networks?.[0] ?? {};
      if (Config?.Name === name && Config.Plugins.length === (plugins ?? Config.Plugins.length)) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`pods do not join the network ${name}`);
  }

  /** Waits until the network is ready, or is not. */
  async until(isReady: boolean): Promise<string> {
    for (let tries = 0; tries < 400; tries++) {
      const { status } = await this.node.cri.runtime.status({});
      const condition = status?.conditions.find(({ type }) => type === 'NetworkReady');
      if (condition?.status === isReady) return condition.message;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`the network did not become ${isReady ? '' : 'un'}ready`);
  }

  order(command: string, order: object | null): void {
    const path = join(this.folder, 'orders', command);
    if (order) writeFileSync(path, JSON.stringify(order));
    else rmSync(path, { force: true });
  }

  /** The calls that the recorder has got since the last time. */
  calls(): RecordedCall[] {
    const path = join(this.folder, 'calls');
    if (!existsSync(path)) return [];
    // A line that is being written is left for the next time.
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
    const fresh = lines.slice(this.#seen);
    this.#seen = lines.length;
    return fresh.map((line) => JSON.parse(line));
  }

  /** Waits until the recorder is called with this command. */
  async called(command: string): Promise<RecordedCall> {
    for (let tries = 0; tries < 200; tries++) {
      const call = this.calls().find(({ environment }) => environment['CNI_COMMAND'] === command);
      if (call) return call;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`no plug-in was called with ${command}`);
  }

  /** All that pods have outside of themselves. */
  traces() {
    const rules = [...rulesOf('nat'), ...rulesOf('filter')].filter((line) =>
      line.includes(`${this.subnet}.`),
    );
    const isLease = (name: string) => name.startsWith(this.subnet);
    return {
      leases: existsSync(this.leases) ? readdirSync(this.leases).filter(isLease) : [],
      cables: linesOf('ip', '-o', 'link', 'show', 'master', this.bridge),
      shapers: shapers().filter((name) => !this.#shapersBefore.has(name)),
      rules,
      results: readdirSync(join(this.node.folder, 'runtime/cni/results')),
      namespaces: readFileSync('/proc/self/mountinfo', 'utf8')
        .split('\n')
        .filter((line) => line.includes(`${this.node.folder}/`) && line.includes('/ns/net')),
    };
  }

  async close(): Promise<void> {
    for (const command of ['ADD', 'DEL', 'CHECK', 'STATUS', 'GC']) this.order(command, null);
    await this.#node?.close();
    try {
      deleteBridge(this.bridge);
    } catch {
      // No pod was ever made.
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** What {@link CniNode.traces} says of a node without pods. */
export const noTraces = { leases: [], cables: [], shapers: [], rules: [], results: [], namespaces: [] };
