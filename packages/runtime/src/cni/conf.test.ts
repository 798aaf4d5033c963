import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { bandwidthOf } from './bandwidth.ts';
import { readConfFolder } from './conf-folder.ts';
import { listFromText, pluginFrom, textOfList } from './network-list.ts';
import { addressesOf, resultFrom } from './plugin-result.ts';

const text = (change: object = {}) =>
  JSON.stringify({ cniVersion: '1.0.0', name: 'net', plugins: [{ type: 'bridge' }], ...change });

test("a plug-in's type is a file name and nothing else", () => {
  for (const type of ['../sh', '/bin/sh', 'a/b', '..', '.', '', 'a b', 'a\0b', 7, undefined])
    assert.throws(() => pluginFrom({ type }), { code: 'INVALID_ARGUMENT' }, String(type));
  assert.equal(pluginFrom({ type: 'aws-cni_v1.2' }).type, 'aws-cni_v1.2');
});

test('a configuration that cannot be spoken to plug-ins is refused by what is wrong with it', () => {
  const wrong: [string, RegExp][] = [
    ['{', /error parsing configuration/],
    ['[]', /no JSON object/],
    [text({ name: undefined }), /no name/],
    [text({ name: '../x' }), /invalid characters found in network name/],
    [text({ cniVersion: '0.2.0' }), /cniVersion "0\.2\.0": want one of 0\.3\.1, 0\.4\.0, 1\.0\.0, 1\.1\.0/],
    [text({ cniVersion: undefined }), /there is no cniVersion/],
    [text({ plugins: [] }), /'plugins'/],
    [text({ plugins: undefined, loadOnlyInlinedPlugins: true }), /loadOnlyInlinedPlugins/],
    [text({ disableCheck: 'perhaps' }), /invalid value "perhaps" for disableCheck/],
  ];
  for (const [source, words] of wrong) assert.throws(() => listFromText(source), words, source);
  const list = listFromText(text({ cniVersions: ['0.4.0', '1.1.0'], plugins: [{ type: 'x', mtu: 9 }] }));
  assert.equal(list.version, '1.1.0');
  assert.deepEqual(listFromText(textOfList(list)).plugins, list.plugins);
});

test('the first file of the folder is the network, with the plug-ins of the folder that is named like it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-conf-'));
  const put = (name: string, content: string) => writeFileSync(join(folder, name), content);
  try {
    assert.equal(readConfFolder(join(folder, 'absent')), null);
    put('00-readme.txt', 'not one');
    assert.equal(readConfFolder(folder), null);
    put('50-single.conf', JSON.stringify({ cniVersion: '0.4.0', name: 'single', type: 'ptp' }));
    assert.deepEqual(
      [readConfFolder(folder)?.name, readConfFolder(folder)?.plugins[0]?.type],
      ['single', 'ptp'],
    );
    put('20-list.conflist', text());
    mkdirSync(join(folder, 'net'));
    put('net/10-more.conf', JSON.stringify({ type: 'tuning' }));
    assert.deepEqual(
      readConfFolder(folder)?.plugins.map(({ type }) => type),
      ['bridge', 'tuning'],
    );
    put('10-broken.conflist', '{');
    assert.throws(
      () => readConfFolder(folder),
      /failed to load CNI config list file .*10-broken\.conflist: error parsing/,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a pod's addresses are those of its own interface, the first IPv4 one in front", () => {
  const interfaces = [{ name: 'cni0' }, { name: 'eth0', sandbox: '/ns' }];
  const at = (address: string, index?: number) => ({ address, interface: index });
  const of = (...ips: object[]) => addressesOf(resultFrom({ interfaces, ips }, '1.0.0'), 'eth0');
  assert.deepEqual(of(at('fd00::2/64', 1), at('10.0.0.2/24', 1), at('10.0.0.1/24', 0), at('10.0.0.3/24')), [
    ...['10.0.0.2', 'fd00::2', '10.0.0.3'],
  ]);
  assert.deepEqual(of(), []);
  assert.throws(() => of(at('10.0.0.2/24', 7)), /interface 7, which is not there/);
  assert.throws(() => of(at('ten', 1)), /"ten" is no address/);
  assert.throws(() => resultFrom({ cniVersion: '7.0.0' }, '1.0.0'), /cniVersion "7\.0\.0"/);
  const old = resultFrom(
    { cniVersion: '1.1.0', interfaces: [{ name: 'eth0', mtu: 9 }], ips: [at('fd00::2/64')] },
    '0.4.0',
  );
  assert.deepEqual(JSON.parse(JSON.stringify(old)), {
    ...{ cniVersion: '0.4.0', interfaces: [{ name: 'eth0' }] },
    ips: [{ version: '6', address: 'fd00::2/64' }],
  });
});

test('limits of bandwidth are quantities from 1k to 1P', () => {
  const ingress = (value: string) => bandwidthOf({ 'kubernetes.io/ingress-bandwidth': value })?.ingressRate;
  const rates: [string, number][] = [
    ['1k', 1e3],
    ['10M', 1e7],
    ['1.5Mi', 1_572_864],
    ['1e6', 1e6],
    ['1P', 1e15],
    ['1500', 1500],
  ];
  for (const [value, rate] of rates) assert.equal(ingress(value), rate, value);
  for (const value of ['999', '1001P', '-1M', '', 'fast', '1E', '10 M'])
    assert.throws(() => ingress(value), /ingress-bandwidth.*from 1k to 1P/, value);
  assert.equal(bandwidthOf({ other: '1' }), undefined);
});
