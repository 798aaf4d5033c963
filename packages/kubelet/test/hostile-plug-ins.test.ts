/** Plug-ins that are broken, or mean harm: real gRPC servers on real sockets. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { FakeClock } from '@wherry/clock';
import {
  type CriError,
  createGrpcServer,
  type GrpcServer,
  type HandlersOf,
  openConnection,
} from '@wherry/cri/grpc';
import { MetricsRegistry, silentLogger } from '@wherry/telemetry';
import { ClaimDriver } from '../src/execution/claims/claim-driver.ts';
import { ClaimDrivers } from '../src/execution/claims/claim-drivers.ts';
import { DeviceHealths } from '../src/execution/claims/device-health.ts';
import { DeviceManager } from '../src/execution/devices/device-manager.ts';
import {
  DevicePlugIn,
  devicePlugInSchema,
  devicePlugInVersion,
} from '../src/execution/devices/device-plug-in.ts';
import { DeviceRegistry } from '../src/execution/devices/device-registry.ts';
import { CsiDriverReports } from '../src/execution/plug-ins/csi-driver-reports.ts';
import { csiPlugIns } from '../src/execution/plug-ins/csi-plug-ins.ts';
import type { DriverNode } from '../src/execution/plug-ins/driver-node.ts';
import { PlugInWatcher } from '../src/execution/plug-ins/plug-in-watcher.ts';
import { MemoryNodes } from '../src/execution/topology/memory-nodes.ts';
import { CsiDrivers } from '../src/execution/volumes/csi/csi-drivers.ts';
import type { NodeGetInfoResponse } from '../src/generated/csi.ts';
import type {
  ContainerAllocateResponse,
  DevicePluginMethods,
  RegistrationMethods,
} from '../src/generated/device-plugin.ts';
import * as registration from '../src/generated/plugin-registration.ts';
import {
  claimSettingsCharactersMax,
  deviceHealthsMax,
  deviceIdMax,
  deviceRegistrationsMax,
  deviceSettingsBytesMax,
  plugInAnswerBytesMax,
  plugInEntriesMax,
  plugInPollMs,
  plugInTold,
} from '../src/limits.ts';
import { SampleClaimDriver } from './claim-driver.ts';
import { FolderDriver } from './csi-driver.ts';

const { signal } = new AbortController();
let root = '';
let clock: FakeClock;
const servers: (() => Promise<void>)[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hostile-plug-ins-'));
  clock = new FakeClock();
});
afterEach(async () => {
  for (const close of servers.splice(0)) await close();
  rmSync(root, { recursive: true });
});

async function served(server: GrpcServer, path: string): Promise<string> {
  servers.push(() => server.close(0));
  await server.listen(path);
  return path;
}

const openFiles = () => readdirSync('/proc/self/fd').length;

async function until(what: string, isSo: () => boolean): Promise<void> {
  for (const end = performance.now() + 10_000; performance.now() < end; await delay(10)) if (isSo()) return;
  assert.fail(`it did not come to this: ${what}`);
}

describe('a device plug-in', () => {
  const resource = 'example.com/gpu';
  let manager: DeviceManager;
  let changes = 0;

  beforeEach(() => {
    changes = 0;
    const durations = new MetricsRegistry().histogram('seconds', 'of calls', [1]);
    manager = new DeviceManager({
      ...{ folder: root, clock, logger: silentLogger, durations },
      nodes: new MemoryNodes({ nodes: [{ id: 0, distances: [10] }] } as never),
      turns: { take: (work: () => Promise<void>) => work() } as never,
      onChanged: () => {
        changes += 1;
      },
      onPodChanged: () => {},
    });
  });
  afterEach(() => manager.close());

  async function plugIn(name: string, more: Partial<HandlersOf<DevicePluginMethods>>): Promise<string> {
    const handlers: HandlersOf<DevicePluginMethods> = {
      getDevicePluginOptions: async () => ({}),
      async *listAndWatch(_request, { signal: gone }) {
        yield { devices: [{ id: 'a', health: 'Healthy' }] };
        await new Promise((resolve) => gone.addEventListener('abort', resolve));
      },
      getPreferredAllocation: async () => ({}),
      allocate: async () => ({ containerResponses: [{}] }),
      preStartContainer: async () => ({}),
      ...more,
    };
    const server = createGrpcServer([{ schema: devicePlugInSchema, name: 'DevicePlugin', handlers }]);
    return served(server, join(root, `${name}.sock`));
  }
  const devicesOf = (name: string) => manager.capacity.capacity[name];

  it('that tells of its devices without end is heard now and then, and has to wait', async () => {
    let sent = 0;
    const health = (at: number) => (at % 2 === 0 ? 'Healthy' : 'Unhealthy');
    const flood = await plugIn('flood', {
      async *listAndWatch(_request, { signal: gone }) {
        const devices = (count: number) =>
          Array.from({ length: 20_000 }, (_, at) => ({ id: `device-${at}`, health: health(count) }));
        for (; !gone.aborted; sent += 1) yield { devices: devices(sent) };
      },
    });
    await manager.sources.connect(resource, flood, signal);
    await until('the flood is dammed', () => changes > plugInTold.burst);
    await delay(300);
    assert.equal(changes, plugInTold.burst + 1);
    assert.ok(sent < 100, `${sent} lists were sent`);
    await manager.sources.connect('example.com/other', await plugIn('calm', {}), signal);
    await until('another is heard', () => devicesOf('example.com/other') === '1');
  });

  it('that tells of more devices than an answer may have is gone, and others are not', async () => {
    await manager.sources.connect('example.com/other', await plugIn('calm', {}), signal);
    const id = 'x'.repeat(plugInAnswerBytesMax);
    const large = await plugIn('large', {
      async *listAndWatch() {
        yield { devices: [{ id, health: 'Healthy' }] };
      },
    });
    await manager.sources.connect(resource, large, signal);
    await until('it is gone', () => devicesOf(resource) === '0');
    await until('the other is there', () => devicesOf('example.com/other') === '1');
  });

  it('whose devices have endless names has none of those', async () => {
    const named = await plugIn('named', {
      async *listAndWatch(_request, { signal: gone }) {
        const ids = ['x'.repeat(deviceIdMax), 'y'.repeat(deviceIdMax + 1), '../a', 'a'];
        yield { devices: ids.map((id) => ({ id, health: 'Healthy' })) };
        await new Promise((resolve) => gone.addEventListener('abort', resolve));
      },
    });
    await manager.sources.connect(resource, named, signal);
    await until('its devices', () => devicesOf(resource) === '3');
  });

  it('gives a container settings that are written down, and so are no more than that', async () => {
    let answer: Partial<ContainerAllocateResponse> = {};
    const path = await plugIn('settings', { allocate: async () => ({ containerResponses: [answer] }) });
    const asked = new DevicePlugIn(resource, path);
    try {
      answer = { annotations: { a: 'x'.repeat(deviceSettingsBytesMax - 100) } };
      assert.equal(Object.keys((await asked.allocate(['a'], signal)).annotations).length, 1);
      answer = { annotations: { a: 'x'.repeat(deviceSettingsBytesMax) } };
      await assert.rejects(
        asked.allocate(['a'], signal),
        /^Error: the device plug-in of example\.com\/gpu wants a container to be given \d+ bytes of settings; 262144 are the most$/,
      );
    } finally {
      asked.close();
    }
  });

  it('that dies while it is asked fails that call at once', async () => {
    const asking = Promise.withResolvers<void>();
    const path = await plugIn('mortal', {
      allocate: () => {
        asking.resolve();
        return new Promise(() => {});
      },
    });
    const asked = new DevicePlugIn(resource, path);
    try {
      const answer = assert.rejects(asked.allocate(['a'], signal), ({ code }: CriError) =>
        ['CANCELLED', 'UNAVAILABLE'].includes(code),
      );
      await asking.promise;
      await servers.pop()?.();
      await answer;
    } finally {
      asked.close();
    }
  });

  it('that registers again and again leaves nothing open', async () => {
    const path = await plugIn('restless', {});
    await manager.sources.connect(resource, path, signal);
    await until('its devices', () => devicesOf(resource) === '1');
    const before = openFiles();
    for (let at = 0; at < 100; at += 1) await manager.sources.connect(resource, path, signal);
    await until('what was open is closed', () => openFiles() <= before + 2);
    assert.equal(devicesOf(resource), '1');
  });

  it('that registers over and over and never answers has others wait for no place', async () => {
    const registrations = new MetricsRegistry().counter('registrations', 'so many');
    const registry = new DeviceRegistry({ folder: root, manager, registrations, logger: silentLogger });
    await registry.start();
    await plugIn('deaf', { getDevicePluginOptions: () => new Promise(() => {}) });
    const connection = openConnection(join(root, 'kubelet.sock'), 'kubelet');
    try {
      const { register } = connection.service<RegistrationMethods>(devicePlugInSchema, 'Registration');
      const codes: string[] = [];
      for (let at = 0; at < deviceRegistrationsMax + 10; at += 1)
        void register({
          ...{ version: devicePlugInVersion, endpoint: 'deaf.sock' },
          resourceName: `example.com/r${at}`,
        }).catch(({ code }: { code: string }) => codes.push(code));
      await until('those beyond the bound are sent away', () => codes.length === 10);
      assert.deepEqual([...new Set(codes)], ['RESOURCE_EXHAUSTED']);
    } finally {
      connection.close();
      manager.close();
      await registry.close();
    }
  });
});

describe('a CSI driver', () => {
  const name = 'folders.example';
  let registry = '';
  let drivers: CsiDrivers;
  let watcher: PlugInWatcher;
  /** What the node's object says of drivers. */
  let told: Map<string, DriverNode>;

  beforeEach(() => {
    registry = join(root, 'plugins_registry');
    mkdirSync(registry);
    drivers = new CsiDrivers();
    told = new Map();
    const object = {
      begin: async () => {},
      install: async (driver: DriverNode) => void told.set(driver.name, driver),
      uninstall: async (gone: string) => void told.delete(gone),
    };
    const client = {
      resource: () => ({
        listAll: async () => ({ items: [], metadata: { resourceVersion: '1' } }),
        async *watch({ signal: over }: { signal: AbortSignal }) {
          await new Promise((resolve) => over.addEventListener('abort', resolve));
          yield* [];
        },
      }),
    };
    const cluster = { client: client as never, object };
    const reports = new CsiDriverReports({ drivers, cluster, clock, logger: silentLogger });
    watcher = new PlugInWatcher({
      ...{ folder: registry, handlers: [csiPlugIns(drivers, reports)], clock, logger: silentLogger },
    });
    watcher.start();
  });
  afterEach(() => {
    watcher.close();
    drivers.close();
  });

  async function driver(folder: string, as = name): Promise<FolderDriver> {
    const found = new FolderDriver(as, join(root, folder));
    servers.push(() => found[Symbol.asyncDispose]());
    await found.listen();
    return found;
  }
  async function after(what: string, isSo: () => boolean): Promise<void> {
    for (let turn = 0; turn < 400; turn += 1) {
      if (isSo()) return;
      await delay(5);
      if (turn % 4 === 3) await clock.advance(plugInPollMs);
    }
    assert.fail(`it did not come to this: ${what}`);
  }
  const folder = (below: string) => {
    const path = join(registry, below);
    mkdirSync(path);
    return path;
  };

  it('that takes another’s name and says nothing of its node takes nothing from that', async () => {
    const first = await driver('first');
    await first.register(registry);
    await after('the first is there', () => first.answers.length === 1);
    const node = drivers.node(name);
    const second = await driver('second');
    second.info = { nodeId: '' };
    await second.register(folder('second'), ['1.99.0']);
    await after('the second is refused', () => second.answers.length > 0);
    assert.match(second.answers[0]?.error ?? '', /driverNodeID must not be empty$/);
    assert.equal(drivers.node(name), node);
    assert.equal(told.get(name)?.nodeId, 'node-of-folders');
    await second.deregister();
    await after('its socket is forgotten', () => watcher.sockets.length === 1);
    assert.equal(drivers.node(name), node);
  });

  it('that comes and goes leaves nothing open, and nothing told', async () => {
    const restless = await driver('restless');
    const round = async (count: number) => {
      await restless.register(registry);
      await after('it is taken', () => restless.answers.length === count);
      await restless.deregister();
      await after('it is gone', () => watcher.sockets.length === 0);
    };
    await round(1);
    const before = openFiles();
    for (let count = 2; count <= 12; count += 1) await round(count);
    assert.ok(openFiles() <= before + 2, `${before} files were open, and ${openFiles()} are`);
    assert.deepEqual([told.size, drivers.has(name), readdirSync(registry)], [0, false, []]);
  });

  it('whose name a later one took is asked again when that goes', async () => {
    const first = await driver('first');
    await first.register(registry);
    await after('the first is there', () => first.answers.length === 1);
    const second = await driver('second');
    second.info = { nodeId: 'elsewhere' };
    await second.register(folder('second'), ['1.99.0']);
    await after('the second is taken', () => told.get(name)?.nodeId === 'elsewhere');
    await second.deregister();
    await after('the first is told of again', () => told.get(name)?.nodeId === 'node-of-folders');
    const before = first.count('nodeGetInfo');
    await drivers.node(name).nodeGetInfo({});
    assert.equal(first.count('nodeGetInfo'), before + 1);
  });

  const poison: [what: string, info: Partial<NodeGetInfoResponse>, why: RegExp][] = [
    ['no id', { nodeId: '' }, /driverNodeID must not be empty$/],
    ['an id of 200 KiB', { nodeId: 'x'.repeat(200 * 1024) }, /by an id of 204800 bytes; 256 are the most$/],
    [
      'what is no label',
      { accessibleTopology: { segments: { '../zone': 'a' } } },
      /says where this node is by the label "\.\.\/zone": prefix part/,
    ],
    [
      'a value with a NUL',
      { accessibleTopology: { segments: { zone: 'a\0b' } } },
      /by the value "a\\u0000b": a valid label/,
    ],
    [
      'labels without end',
      {
        accessibleTopology: {
          segments: Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`zone-${at}`, 'a'])),
        },
      },
      /wants this node to have 1000 labels; 64 are the most$/,
    ],
  ];
  for (const [what, info, why] of poison)
    it(`that says ${what} of its node is refused before anything is written`, async () => {
      const bad = await driver('bad');
      bad.info = info;
      await bad.register(registry);
      await after('it is refused', () => bad.answers.length > 0);
      assert.match(bad.answers[0]?.error ?? '', why);
      assert.equal(told.size, 0);
      assert.equal(drivers.has(name), false);
    });

  it('says of itself no more than it may, and neither links nor heaps of files are looked at for it', async () => {
    const handlers: HandlersOf<registration.RegistrationMethods> = {
      getInfo: async () => ({ type: 'CSIPlugin', name, endpoint: 'x'.repeat(5_000), supportedVersions: [] }),
      notifyRegistrationStatus: async () => ({}),
    };
    const { messages, services } = registration;
    const schema = { package: 'pluginregistration', messages, services };
    const server = createGrpcServer([{ schema, name: 'Registration', handlers }]);
    const socket = await served(server, join(root, 'long.sock'));
    symlinkSync(socket, join(registry, 'link.sock'));
    const heap = folder('heap');
    for (let at = 0; at < plugInEntriesMax; at += 1) writeFileSync(join(heap, `file-${at}`), '');
    const first = await driver('first');
    await first.register(registry);
    await after('one beside the heap is taken', () => first.answers.length === 1);
    const sockets = () => watcher.sockets.map(({ path }) => path);
    assert.deepEqual(sockets(), [join(registry, `${name}-reg.sock`)]);
    for (let at = 0; at <= plugInEntriesMax; at += 1) writeFileSync(join(registry, `file-${at}`), '');
    for (let turn = 0; turn < 5; turn += 1) {
      await clock.advance(plugInPollMs);
      await delay(100);
    }
    assert.deepEqual([sockets(), drivers.has(name)], [[join(registry, `${name}-reg.sock`)], true]);
  });
});

describe('a DRA driver', () => {
  it('has the name of a driver', () => {
    const wiper = { away: () => {}, back: () => {} };
    const durations = new MetricsRegistry().histogram('seconds', 'of calls', [1]);
    const drivers = new ClaimDrivers({ wiper, clock, durations, onAdded: () => {} });
    for (const name of ['', '../x', 'a,spec.nodeName=other', 'a\0', 'a\nb', 'x'.repeat(64)])
      assert.throws(() => drivers.add(name, join(root, 's'), ['v1.DRAPlugin']), /is no name of a DRA driver/);
    drivers.add('GPU.example.com', join(root, 's'), ['v1.DRAPlugin']);
    drivers.close();
  });

  it('says no more of a claim’s devices than may be written down', async () => {
    await using sample = new SampleClaimDriver(join(root, 'dra.sock'));
    await sample.listen();
    const durations = new MetricsRegistry().histogram('seconds', 'of calls', [1]);
    const version = 'v1.DRAPlugin';
    const driver = new ClaimDriver({
      name: 'd.example.com',
      endpoint: sample.endpoint,
      version,
      clock,
      durations,
    });
    const claim = { namespace: 'default', name: 'c', uid: 'u' };
    try {
      assert.equal((await driver.prepare([claim], signal)).size, 1);
      sample.cdiDevices = ['x'.repeat(claimSettingsCharactersMax)];
      await assert.rejects(
        driver.prepare([claim], signal),
        /d\.example\.com says \d+ characters of the devices of the claim u; 262144 are the most$/,
      );
      sample.cdiDevices = ['x'.repeat(plugInAnswerBytesMax)];
      await assert.rejects(driver.prepare([claim], signal), /code = ResourceExhausted/);
    } finally {
      driver.close();
    }
  });

  it('tells of so many devices, by names of some length, for a year at most', () => {
    const path = join(root, 'health');
    const healths = new DeviceHealths(path, clock);
    const health = (deviceName: string, seconds = 0) => ({
      ...{ device: { poolName: 'p', deviceName }, health: 1, lastUpdatedTime: 0, message: '' },
      healthCheckTimeoutSeconds: seconds,
    });
    const many = Array.from({ length: deviceHealthsMax + 5 }, (_, at) => health(`d${at}`));
    assert.equal(healths.told('gpu.example.com', many as never).length, deviceHealthsMax);
    healths.forget('gpu.example.com');
    const long = [health('x'.repeat(1_000_000)), health('d', 2 ** 62)];
    assert.deepEqual(healths.told('gpu.example.com', long as never), [
      { driver: 'gpu.example.com', pool: 'p', device: 'd' },
    ]);
    clock.advance(366 * 24 * 3_600_000);
    assert.equal(healths.of({ driver: 'gpu.example.com', pool: 'p', device: 'd' }).health, 'Unknown');
  });
});
