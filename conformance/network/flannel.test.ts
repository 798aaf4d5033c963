/** The network comes as pods: flannel, on nodes of ours that begin without one. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { eventually, scriptPod } from '../../e2e/node.ts';
import { needProgram } from '../../packages/linux/test/needs.ts';
import { tickerScript } from '../peers/session-checks.ts';
import { buildUpstream } from '../upstream/build.ts';
import { loadCoreDns, loadNodeImages } from '../upstream/kubeadm-images.ts';
import { Machine, Wire } from '../upstream/kubeadm-machine.ts';
import { flannelManifest, loadFlannel } from './flannel-images.ts';
import { Plane } from './plane.ts';

const wire = new Wire();
const machines: Machine[] = [];
let plane: Plane;
const kubectl = (words: string) => plane.cluster.kubectlOk(words.split(' '), { timeoutMs: 130_000 });
const apply = (...objects: object[]) =>
  plane.cluster.kubectlOk(['apply', '-f', '-'], {
    stdin: objects.map((each) => JSON.stringify(each)).join('\n'),
  });
const of = (what: string, template: string) => kubectl(`get ${what} -o jsonpath=${template}`);
const onNode = (name: string) => ({ nodeSelector: { 'kubernetes.io/hostname': name } });
const ready = (node: string) =>
  of(`node/${node}`, '{range.status.conditions[?(@.type=="Ready")]}{.status}|{.reason}|{.message}{end}');

before(async () => {
  needProgram('/usr/lib/cni/portmap', 'containernetworking-plugins');
  needProgram('/usr/sbin/xtables-nft-multi', 'iptables');
  const kubeadm = await buildUpstream('kubeadm');
  const manifest = await flannelManifest();
  await wire.lay();
  for (const [at, name] of ['first', 'second'].entries()) {
    const machine = await Machine.start({ wire, name, number: at + 1, kubeadm });
    machines.push(machine);
    // What the package kubernetes-cni brings.
    await machine.runOk(['sh', '-c', 'mkdir -p /opt/cni/bin && cp /usr/lib/cni/* /opt/cni/bin/']);
    await machine.startRuntimeOnCni();
    await loadNodeImages(machine.images);
    await loadCoreDns(machine.images);
    await loadFlannel(machine.images, manifest);
  }
  plane = await Plane.start(machines[0]!);
  for (const machine of machines) await plane.join(machine);
});
after(async () => {
  for (const machine of machines.reverse()) await machine.remove();
  plane?.remove();
  await wire.remove();
});

test('nodes without a network are NotReady, and say why as with containerd', async () => {
  for (const { name } of machines)
    assert.equal(
      await ready(name),
      'False|KubeletNotReady|container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized',
    );
});

test('pods on the network of the machine run meanwhile, and others say what they wait for', {
  timeout: 120_000,
}, async () => {
  await kubectl('-n kube-system rollout status daemonset/kube-proxy --timeout=60s');
  const waiting = scriptPod('waiting', tickerScript, {
    ...onNode('second'),
    tolerations: [{ operator: 'Exists' }],
  });
  const pending = scriptPod('pending', tickerScript, onNode('first'));
  await eventually(
    'the account',
    async () => (await plane.cluster.kubectl(['get', 'sa', 'default'])).code === 0,
  );
  await apply(waiting, pending);
  const warning = await eventually('the event', async () => {
    const said = await of(
      'events',
      '{range.items[?(@.reason=="NetworkNotReady")]}{.type}|{.message}{"\\n"}{end}',
    );
    return said.split('\n')[0] || false;
  });
  assert.equal(
    warning,
    'Warning|network is not ready: container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized',
  );
  const state = 'jsonpath={.status.phase} {.status.containerStatuses[0].state.waiting.reason}';
  assert.equal(
    await plane.cluster.kubectlOk(['get', 'pod', 'waiting', '-o', state]),
    'Pending ContainerCreating',
  );
  const template = '{.status.conditions[?(@.type=="PodScheduled")].message}';
  const said = await eventually(
    'why it has no node',
    async () => (await of('pod/pending', template)) || false,
  );
  assert.match(said, /\d\/2 nodes are available|node\(s\) had untolerated taint\(s\)/);
});

test('nodes are Ready once flannel has installed its network, and nothing starts anew', {
  timeout: 180_000,
}, async () => {
  const kubelets = machines.map((machine) => machine.kubeletPid);
  await plane.cluster.kubectlOk(['apply', '-f', '-'], { stdin: await flannelManifest() });
  await kubectl('wait --for=condition=Ready nodes --all --timeout=120s');
  await kubectl('-n kube-flannel rollout status daemonset/kube-flannel-ds --timeout=60s');
  for (const name of ['waiting', 'pending'])
    await kubectl(`wait --for=condition=Ready pod/${name} --timeout=60s`);
  for (const { name } of machines) {
    assert.equal(await ready(name), 'True|KubeletReady|kubelet is posting ready status');
    const unavailable = '{range.status.conditions[?(@.type=="NetworkUnavailable")]}{.status}|{.reason}{end}';
    assert.equal(await of(`node/${name}`, unavailable), 'False|FlannelIsUp');
    assert.equal(await of(`node/${name}`, '{.spec.taints}'), '');
  }
  assert.deepEqual(
    machines.map((machine) => machine.kubeletPid),
    kubelets,
  );
});

/** What a pod with {@link tickerScript} gives back. */
const echoed = async (from: string, to: string, port = 9000, text = `hello from ${from}`) =>
  (
    await plane.cluster.kubectl(['exec', '-i', from, '--', 'sh', '-c', `nc -w 3 ${to} ${port}`], {
      stdin: text,
    })
  ).stdout;

test('pods of both reach each other over its tunnel, by address, by service and by name', {
  timeout: 120_000,
}, async () => {
  await kubectl('-n kube-system rollout status deployment/coredns --timeout=60s');
  for (const [from, to] of [
    ['waiting', 'pending'],
    ['pending', 'waiting'],
  ] as const) {
    const node = to === 'pending' ? 'first' : 'second';
    const address = await of(`pod/${to}`, '{.status.podIP}');
    const range = await of(`node/${node}`, '{.spec.podCIDR}');
    assert.equal(address.split('.').slice(0, 3).join('.'), range.split('.').slice(0, 3).join('.'));
    const text = 'x'.repeat(200_000);
    assert.equal(await echoed(from, address, 9000, text), text);
    assert.equal(await kubectl(`exec ${to} -- cat /sys/class/net/eth0/mtu`), '1450\n');
    await kubectl(`label pod ${to} app=${to}`);
    await kubectl(`expose pod ${to} --port=80 --target-port=9000`);
    const cluster = await of(`service/${to}`, '{.spec.clusterIP}');
    await eventually('the service', async () => (await echoed(from, cluster, 80)) === `hello from ${from}`);
    await eventually('its name', async () => (await echoed(from, to, 80)) === `hello from ${from}`);
  }
});

test('a host port leads to a pod from another machine', { timeout: 90_000 }, async () => {
  const { spec, ...rest } = scriptPod('hosted', tickerScript, onNode('second'));
  const [container] = spec.containers;
  const ports = [{ containerPort: 9000, hostPort: 18_080 }];
  await apply({ ...rest, spec: { ...spec, containers: [{ ...container, ports }] } });
  await kubectl('wait --for=condition=Ready pod/hosted --timeout=60s');
  const words = ['sh', '-c', `echo hello | busybox nc -w 3 ${machines[1]!.address} 18080`];
  await eventually('the answer', async () => (await machines[0]!.run(words)).stdout === 'hello\n');
});

const leases = (machine: Machine, network = 'cbr0') => {
  const folder = machine.file(`/var/lib/cni/networks/${network}`);
  return existsSync(folder) ? readdirSync(folder).filter((name) => /^[\d.]+$/.test(name)) : [];
};

test('a runtime that is killed is followed by one that knows the network and its pods', {
  timeout: 120_000,
}, async () => {
  const second = machines[1]!;
  const address = await of('pod/waiting', '{.status.podIP}');
  const uid = await of('pod/waiting', '{.status.containerStatuses[0].containerID}');
  await second.replaceRuntime();
  assert.equal(await echoed('pending', address), 'hello from pending');
  await apply(scriptPod('later', tickerScript, onNode('second')));
  await kubectl('wait --for=condition=Ready pod/later --timeout=60s');
  assert.equal(await echoed('pending', await of('pod/later', '{.status.podIP}')), 'hello from pending');
  assert.equal(await of('pod/waiting', '{.status.podIP}'), address);
  assert.equal(await of('pod/waiting', '{.status.containerStatuses[0].containerID}'), uid);
  const hosted = await of('pod/hosted', '{.status.podIP}');
  assert.ok(leases(second).includes(hosted));
  await kubectl('delete pod hosted --grace-period=1');
  await eventually('its address to be free', () => !leases(second).includes(hosted));
});

const conflist = '/etc/cni/net.d/10-flannel.conflist';

test('a configuration that changes counts for pods from then on, and those before go by theirs', {
  timeout: 120_000,
}, async () => {
  const second = machines[1]!;
  await second.runOk(['sed', '-i', 's/"cbr0"/"cbr1"/', conflist]);
  await eventually('the network', async () => {
    const { info } = await second.cri.runtime.status({ verbose: true });
    return info['cniconfig']?.includes('"Name":"cbr1"');
  });
  const former = await of('pod/later', '{.status.podIP}');
  // What the former network gave out the later one does not know of: the same bridge, another book of addresses.
  await kubectl('delete pod later --grace-period=1');
  await eventually('its address to be free', () => !leases(second).includes(former));
  await apply(scriptPod('changed', tickerScript, onNode('second')));
  await kubectl('wait --for=condition=Ready pod/changed --timeout=60s');
  assert.deepEqual(leases(second, 'cbr1'), [await of('pod/changed', '{.status.podIP}')]);
  await kubectl('delete pod changed --grace-period=1');
  await eventually('its address to be free', () => leases(second, 'cbr1').length === 0);
});

test('without its configuration a node is not Ready again, pods live on and can go, and come back with it', {
  timeout: 180_000,
}, async () => {
  const second = machines[1]!;
  await second.runOk(['mv', conflist, '/etc/cni/aside']);
  await kubectl('wait --for=condition=Ready=False node/second --timeout=60s');
  assert.match(await ready('second'), /cni plugin not initialized$/);
  await kubectl('exec waiting -- true');
  const tolerations = [{ operator: 'Exists' }];
  await apply(scriptPod('again', tickerScript, { ...onNode('second'), tolerations }));
  const address = await of('pod/waiting', '{.status.podIP}');
  await kubectl('delete pod waiting --grace-period=1');
  await eventually('its address to be free', () => !leases(second).includes(address));
  assert.equal(await of('pod/again', '{.status.phase}'), 'Pending');
  // Whoever looks after the network lets flannel install it again.
  await kubectl('-n kube-flannel delete pod -l app=flannel --field-selector=spec.nodeName=second');
  await kubectl('wait --for=condition=Ready node/second --timeout=60s');
  await kubectl('wait --for=condition=Ready pod/again --timeout=60s');
  assert.equal(await echoed('pending', await of('pod/again', '{.status.podIP}')), 'hello from pending');
});

test('a plug-in that fails is told as with containerd, and its pod starts once it does not', {
  timeout: 120_000,
}, async () => {
  const second = machines[1]!;
  const [there, aside] = ['/run/flannel/subnet.env', '/run/flannel/aside'];
  await second.runOk(['mv', there, aside]);
  await apply(scriptPod('early', tickerScript, onNode('second')));
  const template = '{range.items[?(@.reason=="FailedCreatePodSandBox")]}{.message}{"\\n"}{end}';
  const said = await eventually('the event', async () => (await of('events', template)) || false);
  assert.match(
    said.split('\n')[0]!,
    /^Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "\w{64}": plugin type="flannel" failed \(add\): open \/run\/flannel\/subnet\.env: no such file or directory$/,
  );
  await second.runOk(['mv', aside, there]);
  await kubectl('wait --for=condition=Ready pod/early --timeout=60s');
});

test("our service proxy takes kube-proxy's place", { timeout: 120_000 }, async () => {
  await kubectl('-n kube-system delete daemonset kube-proxy');
  for (const machine of machines) {
    await eventually('no kube-proxy', async () => {
      const { items } = await machine.cri.runtime.listPodSandbox();
      return !items.some(({ metadata }) => metadata?.name.startsWith('kube-proxy-'));
    });
    // As `kube-proxy --cleanup` does it.
    await machine.runOk(['nft', 'delete', 'table', 'ip', 'kube-proxy']);
    machine.wherry('network', [
      ...['--kubeconfig', plane.files.kubeconfig, '--hostname-override', machine.name],
      ...['--pod-cidr=10.244.0.0/16', '--masquerade-all', '--network-policies=false'],
    ]);
  }
  await apply(scriptPod('asks', tickerScript, onNode('second')));
  await kubectl('wait --for=condition=Ready pod/asks --timeout=60s');
  // Behind it is a pod of the other machine.
  const address = await of('service/pending', '{.spec.clusterIP}');
  await eventually('the service', async () => (await echoed('asks', address, 80)) === 'hello from asks');
  const name = 'pending.default.svc.cluster.local';
  await eventually('its name', async () => (await echoed('asks', name, 80)) === 'hello from asks');
  const words = ['sh', '-c', `echo hello | busybox nc -w 3 ${address} 80`];
  for (const machine of machines)
    await eventually('the answer', async () => (await machine.run(words)).stdout === 'hello\n');
});

test('nothing of its pods stays in the network', { timeout: 120_000 }, async () => {
  await kubectl('delete pod --all --grace-period=1');
  await kubectl('-n kube-system delete deployment coredns');
  for (const machine of machines) {
    await eventually('the addresses', () => leases(machine).length === 0, 60_000);
    const plugged = () => machine.runOk(['ip', '-o', 'link', 'show', 'master', 'cni0']);
    await eventually('the wires', async () => (await plugged()) === '');
  }
});
