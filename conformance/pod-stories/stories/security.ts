import { isOver, isRunning, once, type Story, script } from '../story.ts';

const whoAmI = 'id; grep -E "^(Uid|Gid|Groups|Cap...|NoNewPrivs|Seccomp):" /proc/self/status; umask';
const as = (name: string, container: object = {}, pod: object = {}): Story =>
  once(name, whoAmI, { securityContext: container }, { securityContext: pod });

/** Users, rights and what is kept from containers. */
export const security: readonly Story[] = [
  as('rights-by-default'),
  as('rights-of-user', { runAsUser: 1000 }),
  as('rights-of-user-and-group', { runAsUser: 1000, runAsGroup: 3000 }),
  as('rights-of-unknown-user', { runAsUser: 4321 }),
  as(
    'rights-of-group-of-the-pod',
    { runAsUser: 1000 },
    { runAsUser: 33, runAsGroup: 33, fsGroup: 2000, supplementalGroups: [6, 5] },
  ),
  as(
    'rights-of-groups-strict',
    { runAsUser: 1000 },
    { runAsUser: 1000, runAsGroup: 1000, supplementalGroups: [7], supplementalGroupsPolicy: 'Strict' },
  ),
  as(
    'rights-of-groups-merged',
    { runAsUser: 1000 },
    { runAsUser: 1000, runAsGroup: 1000, supplementalGroups: [7], supplementalGroupsPolicy: 'Merge' },
  ),
  as('rights-of-a-group-alone', {}, { runAsGroup: 33 }),
  as('rights-dropped', { capabilities: { drop: ['ALL'] } }),
  as('rights-dropped-and-added', {
    capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE', 'CAP_SYS_TIME'] },
  }),
  as('rights-all-added', { capabilities: { add: ['ALL'], drop: ['CHOWN'] } }),
  as('rights-added-to-a-user', { runAsUser: 1000, capabilities: { add: ['SYS_TIME'] } }),
  as('rights-without-escalation', { allowPrivilegeEscalation: false }),
  as('rights-privileged', { privileged: true }),
  as('rights-privileged-user', { privileged: true, runAsUser: 1000 }),
  as('rights-unconfined', { seccompProfile: { type: 'Unconfined' } }),
  once('user-of-the-image', 'true', { image: 'stories.test/named-user:1', command: undefined }),
  once('user-of-the-image-by-number', 'true', { image: 'stories.test/worded:1', command: ['id'] }),
  once('group-alone-of-the-image', 'true', {
    image: 'stories.test/named-user:1',
    command: ['id'],
    securityContext: { runAsGroup: 77 },
  }),
  once(
    'read-only-root',
    'touch /x; touch /tmp/x; touch /dev/shm/x && echo shm; touch /dev/x && echo dev; touch /etc/hosts && echo hosts; echo x > /dev/termination-log && echo log',
    { securityContext: { readOnlyRootFilesystem: true } },
  ),
  once(
    'masked',
    'for each in /proc/kcore /proc/keys /proc/timer_list /proc/scsi /proc/acpi /proc/asound /proc/interrupts /sys/firmware /sys/devices/virtual/powercap /proc/latency_stats /proc/sched_debug; do echo $each $(ls -ld $each 2>&1 | cut -c1-10) $(grep -c " $each " /proc/self/mountinfo); done; for each in bus fs irq sys sysrq-trigger; do grep " /proc/$each " /proc/self/mountinfo | cut -d" " -f6; done',
  ),
  once(
    'masked-not',
    'grep -c " /proc/" /proc/self/mountinfo',
    { securityContext: { procMount: 'Unmasked' } },
    { hostUsers: false },
  ),
  once(
    'devices',
    'ls -l /dev | sed "s/  */ /g" | cut -d" " -f1,3,4,5,6,10-; cat /sys/fs/cgroup/devices/devices.list',
  ),
  once('limits', 'ulimit -a | grep -v -E "open files|processes|pending"'),
  once(
    'sysctls',
    'cat /proc/sys/net/ipv4/ip_unprivileged_port_start /proc/sys/net/ipv4/ping_group_range /proc/sys/kernel/shm_rmid_forced /proc/sys/net/ipv4/tcp_syncookies',
    {},
    { securityContext: { sysctls: [{ name: 'kernel.shm_rmid_forced', value: '1' }] } },
  ),
  once(
    'sysctls-by-default',
    'cat /proc/sys/net/ipv4/ip_unprivileged_port_start /proc/sys/net/ipv4/ping_group_range',
  ),
  once('processes-of-the-host', 'test $$ -gt 100 && echo far', {}, { hostPID: true }),
  once(
    'ipc-of-the-host',
    'ls /dev/shm >/dev/null && echo there; grep " /dev/shm \\| /dev/mqueue " /proc/self/mountinfo | cut -d" " -f5,6',
    {},
    { hostIPC: true },
  ),
  as('rights-added-unknown', { capabilities: { add: ['NO_SUCH', 'net_admin'] } }),
  as('rights-unmasked-without-own-users', { procMount: 'Unmasked', runAsUser: 1000 }),
  as('rights-with-labels-of-selinux', { seLinuxOptions: { level: 's0:c1,c2' } }),
  as('rights-with-apparmor-of-the-runtime', { appArmorProfile: { type: 'RuntimeDefault' } }),
  as('rights-with-apparmor-unconfined', { appArmorProfile: { type: 'Unconfined' } }),
  once(
    'files-of-the-node',
    'stat -c "%n %F %a %u:%g" / /etc /etc/hosts /etc/hostname /etc/resolv.conf /dev /dev/shm /dev/termination-log /dev/pts /proc /sys /sys/fs/cgroup /run /var/run /tmp; touch /etc/hostname /etc/resolv.conf /etc/hosts && echo written',
    { securityContext: { runAsUser: 0 } },
  ),
  once(
    'groups-of-control',
    'sed "s/[0-9a-f-]\\{36,\\}/ID/g; s/stories-[a-z]*-[0-9]*/ROOT/" /proc/self/cgroup; ls /sys/fs/cgroup',
  ),
  once(
    'mounts-propagation',
    `awk '{o="-"; for(i=7;i<=NF;i++){ if($i=="-") break; split($i,a,":"); o=o a[1]}; print $5, o}' /proc/self/mountinfo | sort`,
    {
      securityContext: { privileged: true },
      volumeMounts: [
        { name: 'h', mountPath: '/h', mountPropagation: 'HostToContainer' },
        { name: 'h', mountPath: '/b', mountPropagation: 'Bidirectional' },
        { name: 'h', mountPath: '/n' },
      ],
    },
    { volumes: [{ name: 'h', hostPath: { path: '/tmp' } }] },
  ),
  once(
    'two-in-one-volume',
    'sleep 1; cat /v/said; stat -c "%a %u:%g" /v/said',
    { volumeMounts: [{ name: 'v', mountPath: '/v' }] },
    {
      volumes: [{ name: 'v', emptyDir: {} }],
      initContainers: [
        script('umask 027; echo hello > /v/said', {
          name: 'before',
          securityContext: { runAsUser: 1000 },
          volumeMounts: [{ name: 'v', mountPath: '/v' }],
        }),
      ],
    },
  ),
  {
    name: 'processes-shared',
    spec: {
      restartPolicy: 'Never',
      shareProcessNamespace: true,
      containers: [script('test $$ = 1 || echo not first; sleep 1'), script('sleep 2', { name: 'other' })],
    },
    until: isOver,
  },
  {
    name: 'user-of-its-own',
    spec: { hostUsers: false, containers: [script(`${whoAmI}; cat /proc/self/uid_map | wc -l; sleep 100`)] },
    until: isRunning,
  },
];
