import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { createLogger } from '@wherry/telemetry';
import { FolderDriver } from '../../../test/csi-driver.ts';
import { plugInPollMs } from '../../limits.ts';
import { CsiDrivers } from '../volumes/csi/csi-drivers.ts';
import { CsiDriverReports } from './csi-driver-reports.ts';
import { csiPlugIns } from './csi-plug-ins.ts';
import { PlugInWatcher } from './plug-in-watcher.ts';

let root = '';
let registry = '';
let clock: FakeClock;
let drivers: CsiDrivers;
let watcher: PlugInWatcher;
const open: FolderDriver[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'plug-ins-'));
  registry = join(root, 'plugins_registry');
  clock = new FakeClock();
  drivers = new CsiDrivers();
  const logger = createLogger('test', { level: 'error', write: () => {} });
  watcher = new PlugInWatcher({
    folder: registry,
    handlers: [csiPlugIns(drivers, new CsiDriverReports({ drivers, cluster: undefined, clock, logger }))],
    clock,
    logger,
  });
  mkdirSync(registry);
});
afterEach(async () => {
  watcher.close();
  drivers.close();
  for (const driver of open.splice(0)) await driver[Symbol.asyncDispose]();
  rmSync(root, { recursive: true });
});

async function driverOf(name: string): Promise<FolderDriver> {
  const driver = new FolderDriver(name, join(root, `driver-${open.length}`));
  open.push(driver);
  await driver.listen();
  return driver;
}

async function until(what: string, isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 400; turn += 1) {
    if (isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (turn % 4 === 3) await clock.advance(plugInPollMs);
  }
  assert.fail(`it did not come to this: ${what}`);
}

function isThere(name: string): boolean {
  try {
    return drivers.node(name) !== undefined;
  } catch {
    return false;
  }
}

describe('plug-ins of the node', () => {
  it('are taken when their socket appears, also in a folder, and are gone with it', async () => {
    const [first, second] = [await driverOf('one.example'), await driverOf('two.example')];
    mkdirSync(join(registry, 'deeper'));
    writeFileSync(join(registry, 'no-socket'), '');
    await first.register(registry);
    watcher.start();
    await until('the first is there', () => isThere('one.example'));
    await second.register(join(registry, 'deeper'));
    await until('the second is there', () => isThere('two.example'));
    assert.deepEqual(first.answers, [{ pluginRegistered: true, error: '' }]);
    assert.equal(first.count('nodeGetInfo'), 1);
    assert.equal(watcher.sockets.length, 2);
    await until('both are registered', () => watcher.sockets.every(({ isRegistered }) => isRegistered));
    await first.deregister();
    await until('the first is gone', () => !isThere('one.example'));
    assert.equal(isThere('two.example'), true);
    await until('its socket is told of no more', () => watcher.sockets.length === 1);
  });

  it('that come again under the same name are asked again', async () => {
    const driver = await driverOf('one.example');
    await driver.register(registry);
    watcher.start();
    await until('it is there', () => driver.answers.length === 1);
    await driver.deregister();
    await driver.register(registry);
    await until('it is told again', () => driver.answers.length === 2);
    assert.equal(isThere('one.example'), true);
  });

  it('that can not say what their node is are told so, and asked again later', async () => {
    const driver = await driverOf('one.example');
    driver.failures.set('nodeGetInfo', [{ code: 'INTERNAL' }]);
    await driver.register(registry);
    watcher.start();
    await until('it is told twice', () => driver.answers.length === 2);
    const words = 'RegisterPlugin error -- plugin registration failed with err: rpc error: code = Internal';
    assert.equal(driver.answers[0]?.pluginRegistered, false);
    assert.ok(driver.answers[0]?.error.startsWith(words), driver.answers[0]?.error);
    assert.deepEqual(driver.answers[1], { pluginRegistered: true, error: '' });
  });

  it('are refused for versions that are not spoken, and for another’s name', async () => {
    const drivers = new CsiDrivers();
    const refused: [versions: string[], why: RegExp][] = [
      [[], /Plugin returned an empty list for supported versions$/],
      [['2.0.0', '0.3.0', 'x'], /None of the versions specified "2.0.0, 0.3.0, x" are supported$/],
    ];
    for (const [versions, why] of refused) assert.throws(() => drivers.validate('d', versions), why);
    assert.throws(() => drivers.validate('../d', ['1.0.0']), /is no name of a CSI driver/);
    drivers.add(
      'd',
      drivers.open('d', { endpoint: join(root, 'd'), version: drivers.validate('d', ['1.2.0', '1.10.0']) }),
    );
    assert.throws(
      () => drivers.validate('d', ['1.9.0']),
      /already registered with a higher supported version: "1.10.0"$/,
    );
    assert.deepEqual(drivers.validate('d', ['1.11.0']), [1, 11, 0]);
    drivers.close();
  });
});
