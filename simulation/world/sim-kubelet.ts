import type { Clock } from '@wherry/clock';
import type { CriClient } from '@wherry/cri';
import { createLogger, MetricsRegistry, noTracer } from '@wherry/telemetry';
import { decodeConfiguration } from '../../packages/kubelet/src/configuration/decode-configuration.ts';
import {
  limitsForAllPods,
  nodeAllocatable,
  nodeCapacity,
} from '../../packages/kubelet/src/ground/node-capacity.ts';
import { NodePaths } from '../../packages/kubelet/src/ground/node-paths.ts';
import { beginRooms, buildRooms, type Rooms } from '../../packages/kubelet/src/rooms.ts';
import type { SimClient } from '../api/sim-client.ts';
import type { Participant } from '../machine/participant.ts';

const rootDir = '/var/lib/kubelet';
const podLogsDir = '/var/log/pods';
const filesystemBytes = 2 ** 37;
const machine = {
  machineId: 'sim',
  systemUuid: 'sim',
  bootId: 'sim',
  bootedAtMs: undefined,
  kernelVersion: '6.1',
  osImage: 'Simulated',
  architecture: 'amd64',
  hostname: 'sim-node',
  cores: 4,
  memoryBytes: 2 ** 34,
  swapBytes: 0,
  processesMax: undefined,
  hugePages: [],
};

/** Starts the real kubelet as a process of the simulation. */
export function startSimKubelet(options: {
  process: Participant;
  clock: Clock;
  client: SimClient;
  cri: CriClient;
  note(line: string): void;
}): Rooms {
  const { process, client, cri, note } = options;
  return process.run(() => {
    const { configuration } = decodeConfiguration({
      podLogsDir,
      registryPullQPS: 0,
      resolvConf: '/etc/resolv.conf',
    });
    const paths = new NodePaths({ rootDir, podLogsDir });
    for (const folder of [paths.podsDir, podLogsDir]) process.machine.tree.makeFolders(folder);
    const capacity = nodeCapacity({ machine, configuration, filesystemBytes });
    const write = (line: string) => process.isAlive && note(`  log ${line.slice(line.indexOf(' ') + 1)}`);
    const rooms = buildRooms({
      configuration,
      client,
      cri,
      clock: options.clock,
      logger: createLogger('kubelet', { level: 'warn', write }),
      metrics: new MetricsRegistry(),
      nodeName: machine.hostname,
      nodeLabels: {},
      addresses: {
        ...{ ips: ['192.0.2.1'], look: async () => false },
        ...{ tell: () => {}, isOfCloud: false, provided: undefined },
      },
      startedAtMs: options.clock.nowMs(),
      machine,
      topology: { nodes: [], sockets: 0 },
      host: { isSelinuxEnforcing: false, hasAppArmor: false },
      tracer: noTracer,
      traits: { hasSwap: false, cgroupVersion: 'v2', limitsSwap: true },
      paths,
      rootDir,
      certDir: `${rootDir}/pki`,
      strictStreaming: true,
      credentialPrograms: undefined,
      flags: undefined,
      setVerbosity: undefined,
      filesystemBytes,
      clientRotation: undefined,
      allocatable: nodeAllocatable(capacity, configuration),
      reservedMilliCpu: 0,
      reservedBytes: new Map(),
      forAllPods: limitsForAllPods(machine, configuration),
      systemGroups: { kubelet: '', runtime: '', misc: '' },
      groups: { cgroupDriver: configuration.cgroupDriver, cgroupRoot: configuration.cgroupRoot },
    });
    void beginRooms(rooms, configuration.port);
    return rooms;
  });
}
