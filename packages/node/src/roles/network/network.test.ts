import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { parse } from 'yaml';

const main = join(import.meta.dirname, '../../main.ts');
const run = (...words: string[]) => promisify(execFile)(process.execPath, [main, 'network', ...words]);

function folder(t: TestContext): string {
  const made = mkdtempSync(join(tmpdir(), 'network-'));
  t.after(() => rmSync(made, { recursive: true }));
  return made;
}

test('wherry network --write-config-to writes what a file or a command line comes to, and ends', async (t) => {
  const [file, out] = [join(folder(t), 'config.conf'), join(folder(t), 'out.yaml')];
  const head = 'apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\n';
  writeFileSync(file, `${head}mode: nftables\nconntrack: {min: 0}\n`);
  await run(`--config=${file}`, '--hostname-override=here', `--write-config-to=${out}`);
  const ofFile = parse(readFileSync(out, 'utf8'));
  assert.equal(ofFile.kind, 'KubeProxyConfiguration');
  assert.deepEqual(
    [ofFile.mode, ofFile.hostnameOverride, ofFile.bindAddress],
    ['nftables', 'here', '0.0.0.0'],
  );
  assert.equal(ofFile.conntrack.min, 0);
  assert.equal(ofFile.conntrack.tcpEstablishedTimeout, '24h0m0s');
  await run('--masquerade-all', '--cluster-cidr=10.0.0.0/8', `--write-config-to=${out}`);
  const ofLine = parse(readFileSync(out, 'utf8'));
  assert.deepEqual([ofLine.clusterCIDR, ofLine.iptables.masqueradeAll], ['10.0.0.0/8', true]);
});

test('wherry network says what is wrong with its file and its flags, and ends', async (t) => {
  const file = join(folder(t), 'config.conf');
  writeFileSync(
    file,
    'apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\nmode: ipvs\n',
  );
  await assert.rejects(run(`--config=${file}`), {
    code: 1,
    stderr: /\n {2}mode: "ipvs" is not supported here/,
  });
  await assert.rejects(run('--kubeconfig=/nowhere'), { code: 1, stderr: /^error: give --pod-cidr/m });
});
