import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { silentLogger } from '@wherry/telemetry';
import { ConfigurationError } from '../configuration/configuration-error.ts';
import { readConfiguration } from './read-configuration.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-configuration-'));
const configDir = join(folder, 'conf.d');
const config = join(folder, 'config.yaml');
const head = 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n';
mkdirSync(join(configDir, '20-more'), { recursive: true });
after(() => rmSync(folder, { recursive: true, force: true }));

test('drop-ins are merged over the file by their paths: maps field by field, lists as a whole', async () => {
  writeFileSync(
    config,
    'port: 1\nmaxPods: 7\nclusterDNS: [10.0.0.1, 10.0.0.2]\nkubeReserved: {cpu: 100m, memory: 1Gi}\n',
  );
  writeFileSync(
    join(configDir, '10.conf'),
    `${head}port: 2\nclusterDNS: [10.0.0.3]\nkubeReserved: {memory: 2Gi}\n`,
  );
  writeFileSync(join(configDir, '20-more', 'a.conf'), `${head}port: 3\n`);
  writeFileSync(join(configDir, '99.yaml'), `${head}port: 4\n`);
  const { port, maxPods, clusterDNS, kubeReserved } = await readConfiguration(
    { config, configDir },
    silentLogger,
  );
  assert.deepEqual(
    { port, maxPods, clusterDNS, kubeReserved },
    { port: 3, maxPods: 7, clusterDNS: ['10.0.0.3'], kubeReserved: { cpu: '100m', memory: '2Gi' } },
  );
});

test('a drop-in that does not say what it is, and one that can not be read, are refused by name', async () => {
  for (const text of ['port: 5\n', `${head}port: [`]) {
    writeFileSync(join(configDir, '30.conf'), text);
    await assert.rejects(
      readConfiguration({ config, configDir }, silentLogger),
      (error) => error instanceof ConfigurationError && error.message.includes('30.conf'),
    );
  }
});

test('taints of the flag are the ones, and are looked at as those of the file', async () => {
  const file = 'taint.yaml';
  writeFileSync(join(folder, file), 'registerWithTaints: [{key: of-the-file, effect: NoExecute}]\n');
  const read = (...taints: string[]) =>
    readConfiguration(
      { config: join(folder, file), configurationFlags: { 'register-with-taints': taints } },
      silentLogger,
    );
  assert.deepEqual((await read('a=b:NoSchedule', 'c:NoExecute')).registerWithTaints, [
    { key: 'a', effect: 'NoSchedule', value: 'b' },
    { key: 'c', effect: 'NoExecute' },
  ]);
  for (const [text, message] of [
    ['a', /"a" is not KEY=VALUE:EFFECT/],
    ['a:Never', /registerWithTaints\[0\]\.effect: "Never" is not one of/],
    ['-:NoSchedule', /registerWithTaints\[0\]\.key/],
  ] as const)
    await assert.rejects(read(text), message);
});
