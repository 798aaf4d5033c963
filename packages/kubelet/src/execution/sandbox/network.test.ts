import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { container, pod } from '../../../test/builders.ts';
import { podDns } from './dns.ts';
import { etcHosts } from './etc-hosts.ts';
import { podHostname } from './hostname.ts';

const containers = [container('a')];

async function dnsOf(spec: object, clusterDns = ['10.96.0.10']) {
  const folder = await mkdtemp(join(tmpdir(), 'kubelet-dns-'));
  const resolvConf = join(folder, 'resolv.conf');
  try {
    await writeFile(resolvConf, 'nameserver 192.0.2.53\nsearch example.com.\noptions timeout:1\n');
    return podDns(pod({ containers, ...spec }), { clusterDns, clusterDomain: 'cluster.local', resolvConf });
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('ClusterFirst asks the cluster, then searches as the host does', async () => {
  const { config } = await dnsOf({});
  assert.deepEqual(config.servers, ['10.96.0.10']);
  const own = ['default.svc.cluster.local', 'svc.cluster.local', 'cluster.local'];
  assert.deepEqual(config.searches, [...own, 'example.com']);
  assert.deepEqual(config.options, ['ndots:5']);
});

test('Default, host network, and a missing cluster DNS give what the host has', async () => {
  assert.deepEqual((await dnsOf({ dnsPolicy: 'Default' })).config.servers, ['192.0.2.53']);
  assert.deepEqual((await dnsOf({ hostNetwork: true })).config.servers, ['192.0.2.53']);
  const fallen = await dnsOf({}, []);
  assert.deepEqual(fallen.config.servers, ['192.0.2.53']);
  const [ofNode, ofPod] = fallen.notes;
  assert.deepEqual([ofNode?.reason, ofNode?.isOfNode], ['MissingClusterDNS', true]);
  assert.equal(ofPod?.reason, 'MissingClusterDNS');
  assert.match(
    ofPod?.message ?? '',
    /^pod: ".*_default\(.*\)"\. kubelet does not have ClusterDNS IP configured/,
  );
});

test('dnsConfig is added, options by name; too many servers are cut and told', async () => {
  const { config, notes } = await dnsOf({
    dnsPolicy: 'None',
    dnsConfig: {
      nameservers: ['1.1.1.1', '2.2.2.2', '3.3.3.3', '4.4.4.4'],
      searches: ['a.b'],
      options: [{ name: 'ndots', value: '2' }, { name: 'rotate' }],
    },
  });
  assert.deepEqual(config, {
    servers: ['1.1.1.1', '2.2.2.2', '3.3.3.3'],
    searches: ['a.b'],
    options: ['ndots:2', 'rotate'],
  });
  assert.equal(notes[0]?.reason, 'DNSConfigForming');
});

test('a hostname is cut to 63 characters and loses trailing dashes', () => {
  const named = pod({ containers, hostname: `${'x'.repeat(62)}-more` });
  assert.equal(podHostname(named, 'cluster.local').sandbox, 'x'.repeat(62));
  const other = pod({ containers, hostname: 'short', hostnameOverride: `${'y'.repeat(60)}.example.com` });
  assert.equal(podHostname(other, 'cluster.local').sandbox, `${'y'.repeat(60)}.ex`);
});

test('/etc/hosts has the pod under both names, and its aliases', () => {
  const named = pod({
    containers,
    subdomain: 'db',
    hostAliases: [{ ip: '1.2.3.4', hostnames: ['foo', 'bar'] }],
  });
  const text = etcHosts(named, { podIps: ['10.0.0.5'], clusterDomain: 'cluster.local', hostFile: '' });
  assert.match(text, /^# Kubernetes-managed hosts file\.\n127\.0\.0\.1\tlocalhost\n/);
  assert.match(text, /^10\.0\.0\.5\tp\.db\.default\.svc\.cluster\.local\tp$/m);
  assert.match(text, /\n# Entries added by HostAliases\.\n1\.2\.3\.4\tfoo\tbar\n$/);
});

test('a pod on the host network sees the host file', () => {
  const onHost = pod({ containers, hostNetwork: true });
  const text = etcHosts(onHost, { podIps: [], clusterDomain: '', hostFile: '127.0.0.1 localhost\n' });
  assert.equal(text, '# Kubernetes-managed hosts file (host network).\n127.0.0.1 localhost\n');
});
