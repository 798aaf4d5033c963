import { once, type Story, script } from '../story.ts';

const mounts = `awk '{for(i=7;i<=NF;i++) if($i=="-"){print "mount", $5, $6, $(i+1); break}}' /proc/self/mountinfo | sort`;
const names = 'hostname; hostname -f 2>&1; cat /etc/hostname; cat /etc/hosts; cat /etc/resolv.conf';

/** Names, networks and mounts that a container finds. */
export const surroundings: readonly Story[] = [
  once('names', names),
  once(
    'names-of-the-host',
    'cat /etc/resolv.conf; grep -v "^#" /etc/hosts | head -3; head -1 /etc/hosts',
    {},
    { hostNetwork: true },
  ),
  once(
    'names-aliases',
    names,
    {},
    {
      hostAliases: [
        { ip: '1.2.3.4', hostnames: ['a', 'b.c'] },
        { ip: '::1', hostnames: ['six'] },
      ],
    },
  ),
  once(
    'names-aliases-of-the-host',
    'tail -4 /etc/hosts',
    {},
    { hostNetwork: true, hostAliases: [{ ip: '1.2.3.4', hostnames: ['a', 'b.c'] }] },
  ),
  once('names-subdomain', names, {}, { hostname: 'named', subdomain: 'below' }),
  once('names-hostname', names, {}, { hostname: 'named' }),
  once('names-full', names, {}, { hostname: 'named', subdomain: 'below', setHostnameAsFQDN: true }),
  once('names-full-without-subdomain', names, {}, { setHostnameAsFQDN: true }),
  once('names-override', names, {}, { hostnameOverride: 'over.ridden.test' }),
  {
    name: 'names-full-too-long',
    spec: {
      hostname: 'n'.repeat(60),
      subdomain: 'below',
      setHostnameAsFQDN: true,
      containers: [script('hostname')],
    },
    until: (seen) => seen.events.some(({ type }) => type === 'Warning'),
  },
  once(`names-long-${'x'.repeat(70)}`, names),
  once('dns-default', 'cat /etc/resolv.conf', {}, { dnsPolicy: 'Default' }),
  once(
    'dns-none',
    'cat /etc/resolv.conf',
    {},
    {
      dnsPolicy: 'None',
      dnsConfig: {
        nameservers: ['9.9.9.9'],
        searches: ['a.test', 'b.test'],
        options: [{ name: 'ndots', value: '2' }, { name: 'edns0' }],
      },
    },
  ),
  once(
    'dns-first',
    'cat /etc/resolv.conf',
    {},
    {
      dnsConfig: {
        nameservers: ['9.9.9.9'],
        searches: ['a.test', 'svc.cluster.local'],
        options: [{ name: 'ndots', value: '3' }],
      },
    },
  ),
  once(
    'dns-first-of-the-host',
    'cat /etc/resolv.conf',
    {},
    { hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' },
  ),
  once(
    'dns-many-searches',
    'cat /etc/resolv.conf',
    {},
    { dnsConfig: { searches: Array.from({ length: 30 }, (_, at) => `s${at}.test`) } },
  ),
  once('mounts', mounts),
  once('mounts-privileged', mounts, { securityContext: { privileged: true } }),
  once('mounts-read-only', mounts, { securityContext: { readOnlyRootFilesystem: true } }),
  once('mounts-of-the-host-network', mounts, {}, { hostNetwork: true }),
  once('image-of-the-hub', 'true', { image: 'box:1' }),
  once('image-of-the-hub-by-full-name', 'true', { image: 'docker.io/library/box:1' }),
  once('image-without-tag', 'true', { image: 'box' }),
  once('account-not-mounted', 'ls /var/run/secrets 2>&1', {}, { automountServiceAccountToken: false }),
  once('image-with-words', 'true', { image: 'stories.test/worded:1', command: undefined }),
  once('image-with-words-and-args', 'true', {
    image: 'stories.test/worded:1',
    command: undefined,
    args: ['own', '$(FROM_IMAGE)', '$(OWN)'],
    env: [{ name: 'OWN', value: 'mine' }],
  }),
  once('image-with-words-and-command', 'true', {
    image: 'stories.test/worded:1',
    command: [
      'sh',
      '-c',
      'pwd; id; env; stat -c "%n %a %u:%g" /data /data/kept /fresh; touch /fresh/x; touch /data/x; grep -E " /(data|fresh) " /proc/self/mountinfo | cut -d" " -f5,6',
    ],
  }),
  once(
    'image-with-words-over-mounts',
    'true',
    {
      image: 'stories.test/worded:1',
      command: ['sh', '-c', 'stat -c "%a %u:%g" /data; ls /data'],
      volumeMounts: [{ name: 'v', mountPath: '/data' }],
    },
    { volumes: [{ name: 'v', emptyDir: {} }] },
  ),
  once(
    'network',
    'ip link | grep -c mtu; ip addr show lo | grep -c inet; ip addr show eth0 | grep -c "inet "; ip route | sed "s/ .*dev/ dev/"',
  ),
  {
    name: 'ports-of-the-machine',
    spec: {
      restartPolicy: 'Never',
      containers: [script('true', { ports: [{ containerPort: 80, hostPort: 15_681, protocol: 'UDP' }] })],
    },
  },
];
