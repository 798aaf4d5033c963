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

const hostText = 'nameserver 192.0.2.53\nsearch example.com.\noptions timeout:1\n';
const ownSearches = ['default.svc.cluster.local', 'svc.cluster.local', 'cluster.local'];

async function dnsOf(spec: object, clusterDns = ['10.96.0.10'], text = hostText) {
  const folder = await mkdtemp(join(tmpdir(), 'kubelet-dns-'));
  const resolvConf = join(folder, 'resolv.conf');
  try {
    await writeFile(resolvConf, text);
    return podDns(pod({ containers, ...spec }), {
      clusterDns,
      clusterDomain: 'cluster.local',
      resolvConf,
      hostIps: ['192.0.2.1'],
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('ClusterFirst asks the cluster, then searches as the host does', async () => {
  const { config } = await dnsOf({});
  assert.deepEqual(config.servers, ['10.96.0.10']);
  assert.deepEqual(config.searches, [...ownSearches, 'example.com']);
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

test('where the host has no resolv.conf, a pod asks its own loopback alone, or the cluster', () => {
  const [ip4, ip6] = ['192.0.2.1', '2001:db8::1'];
  const without = (dnsPolicy: 'ClusterFirst' | 'Default', hostIps: string[]) =>
    podDns(pod({ containers, dnsPolicy }), {
      clusterDns: ['10.96.0.10'],
      clusterDomain: 'cluster.local',
      resolvConf: '',
      hostIps,
    }).config;
  const alone = (servers: string[]) => ({ servers, searches: ['.'], options: [] });
  assert.deepEqual(without('Default', [ip4]), alone(['127.0.0.1']));
  assert.deepEqual(without('Default', [ip6]), alone(['::1']));
  assert.deepEqual(without('Default', [ip4, ip6]), alone(['127.0.0.1', '::1']));
  assert.deepEqual(without('ClusterFirst', [ip4]).searches, ownSearches);
});

test('of resolv.conf the last search and the last of an option count; the root is no domain to search', async () => {
  const text = 'search a.org\nsearch . b.org. b.org\noptions ndots:1 rotate ndots:4\noptions ndots:3\n';
  const host = await dnsOf({ dnsPolicy: 'Default' }, [], text);
  assert.deepEqual(host.config, {
    servers: [],
    searches: ['b.org', 'b.org'],
    options: ['ndots:3', 'rotate'],
  });
  const options = [{ name: 'ndots', value: '' }];
  const merged = await dnsOf({ dnsPolicy: 'Default', dnsConfig: { options } }, [], text);
  assert.deepEqual(merged.config.options, ['ndots', 'rotate']);
  assert.deepEqual(merged.config.searches, ['b.org']);
});

test('a resolv.conf with a server that has no address is refused, whatever the pod asks for', async () => {
  const refused =
    /^Error: Encountered error while parsing resolv conf file\. Error: nameserver list is empty $/;
  await assert.rejects(dnsOf({ dnsPolicy: 'None' }, [], 'nameserver \n'), refused);
});

test('domains past the thirty-second go, those of more than 253 characters, and the last until the line fits', async () => {
  const searchesOf = async (searches: string[]) => {
    const { config, notes } = await dnsOf({ dnsPolicy: 'None', dnsConfig: { searches } });
    return { searches: config.searches, reasons: notes.map(({ reason }) => reason) };
  };
  const reasons = ['DNSConfigForming'];
  const tooLong = 'x'.repeat(254);
  assert.deepEqual(await searchesOf([tooLong, 'a']), { searches: ['a'], reasons });
  const many = Array.from({ length: 33 }, (_, index) => `d${index}`);
  assert.deepEqual(await searchesOf([tooLong, ...many]), { searches: many.slice(0, 31), reasons });
  const long = Array.from({ length: 9 }, (_, index) => `${index}`.repeat(250));
  assert.deepEqual(await searchesOf([...long, 'a']), { searches: long.slice(0, 8), reasons });
  assert.deepEqual(await searchesOf(['a', 'b']), { searches: ['a', 'b'], reasons: [] });
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
