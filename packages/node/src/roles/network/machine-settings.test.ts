import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { silentLogger } from '@wherry/telemetry';
import { readProxyConfiguration } from './configuration/read-configuration.ts';
import { setMachine } from './machine-settings.ts';

/** Folders in the form of the kernel's, with these files. */
function kernel(t: TestContext, files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'kernel-'));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const read = () =>
    Object.fromEntries(Object.keys(files).map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  return { folders: { proc: join(root, 'proc'), sys: join(root, 'sys') }, read };
}

const limit = (name: string) => `proc/sys/net/netfilter/nf_conntrack_${name}`;
const hashSize = 'sys/module/nf_conntrack/parameters/hashsize';
const usual = {
  ...{ [limit('max')]: '1000\n', [limit('tcp_timeout_established')]: '432000\n' },
  ...{ [limit('tcp_timeout_close_wait')]: '60\n', [limit('udp_timeout')]: '30\n' },
  ...{ [limit('tcp_be_liberal')]: '0\n', [hashSize]: '1024\n', 'proc/self/oom_score_adj': '0\n' },
};

const set = (
  t: TestContext,
  flags: object,
  said?: readonly string[],
  files: Readonly<Record<string, string>> = usual,
) => {
  const { folders, read } = kernel(t, files);
  const found = readProxyConfiguration(undefined, flags);
  setMachine(found.configuration, { said: said ? new Set(said) : found.said, logger: silentLogger, folders });
  return read();
};

test('limits of connection tracking are set as upstream sets them, where the configuration is a file’s', (t) => {
  const said = [
    ...['conntrack.maxPerCore', 'conntrack.min', 'conntrack.tcpEstablishedTimeout'],
    ...['conntrack.tcpCloseWaitTimeout', 'conntrack.udpTimeout', 'oomScoreAdj'],
  ];
  const tracked = Math.min(Math.max(32_768 * cpus().length, 131_072), 1_048_576);
  assert.deepEqual(set(t, {}, said), {
    ...{ [limit('max')]: `${tracked}`, [limit('tcp_timeout_established')]: '86400' },
    ...{ [limit('tcp_timeout_close_wait')]: '3600', [limit('udp_timeout')]: '30\n' },
    ...{ [limit('tcp_be_liberal')]: '0\n', [hashSize]: `${tracked / 4}`, 'proc/self/oom_score_adj': '-999' },
  });
});

test('without a file the flags that are given act alone, and 0 leaves a limit as it is', (t) => {
  assert.deepEqual(set(t, { kubeconfig: '/k' }), usual);
  assert.deepEqual(
    set(t, { conntrackMaxPerCore: ['0'], conntrackMin: ['5'], conntrackTcpTimeoutEstablished: ['0s'] }),
    usual,
  );
  assert.deepEqual(
    set(t, { conntrackTcpBeLiberal: ['true'], conntrackUdpTimeout: ['1m30s'], oomScoreAdj: ['5'] }),
    {
      ...usual,
      ...{ [limit('tcp_be_liberal')]: '1', [limit('udp_timeout')]: '90', 'proc/self/oom_score_adj': '5' },
    },
  );
});

test('a limit that the kernel has not is refused by its field', (t) => {
  const without = { [hashSize]: '1\n', 'proc/self/oom_score_adj': '0\n' };
  assert.throws(() => set(t, { conntrackMaxPerCore: ['1'] }, undefined, without), {
    code: 'bad-settings',
    message: /^conntrack\.maxPerCore: the kernel refuses nf_conntrack_max \d+; 0 leaves it as it is: ENOENT/,
  });
});
