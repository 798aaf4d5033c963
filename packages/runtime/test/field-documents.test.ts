import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  type ContainerConfig,
  type Input,
  messageFields,
  NamespaceMode,
  type PodSandboxConfig,
  requestsOf,
} from '@wherry/cri';
import { describeFieldDocuments } from '../../../tools/fields/suite.ts';
import { refuseUnsupported } from '../src/fields/gate.ts';
import { requestTables } from '../src/fields/tables.ts';
import { documents } from './field-documents.ts';
import { startTestNode } from './node.ts';

describeFieldDocuments(documents);

/** Methods without a handler: see the page. */
const absent = ['checkpointPod', 'restorePod'];

test('every message that a request can hold has a table, and no other', () => {
  const reached = new Set<string>();
  const visit = (message: string) => {
    if (reached.has(message)) return;
    reached.add(message);
    const verdicts = requestTables.get(message) ?? {};
    for (const field of messageFields(message) ?? [])
      if (field.message && (verdicts[field.name]?.actedOn || !verdicts[field.name])) visit(field.message);
  };
  for (const service of ['RuntimeService', 'ImageService'] as const)
    for (const [method, request] of requestsOf(service)) if (!absent.includes(method)) visit(request);
  assert.deepEqual([...requestTables.keys()].sort(), [...reached].sort());
});

suite('a CRI request', () => {
  const ground = { hasSelinux: true, runtimeHandlers: new Map() };
  const refuses = (message: string, value: Record<string, unknown>, words: RegExp) =>
    assert.throws(() => refuseUnsupported(message, value, ground), words);

  test('that wants labels is refused where the kernel has them, and passes where it has none', () => {
    const selinuxOptions = { user: '', role: '', type: 'spc_t', level: '' };
    const config = { linux: { securityContext: { selinuxOptions } } };
    refuses(
      'CreateContainerRequest',
      { config },
      /^RuntimeError: config\.linux\.securityContext\.selinuxOptions: SELinux/,
    );
    const mounts = [{ selinuxRelabel: false }, { selinuxRelabel: true }];
    refuses('ContainerConfig', { mounts }, /mounts\[1\]\.selinuxRelabel: SELinux/);
    refuseUnsupported('CreateContainerRequest', { config }, { ...ground, hasSelinux: false });
  });
});

test('what the runtime cannot do is refused by the name of its field, and leaves nothing', async () => {
  const node = await startTestNode(16);
  try {
    const metadata = { name: 'pod', namespace: 'n', uid: 'uid', attempt: 0 };
    const securityContext = { namespaceOptions: { usernsOptions: { mode: NamespaceMode.TARGET } } };
    const pods: Record<string, Input<PodSandboxConfig>> = {
      'user namespace: mode TARGET is not supported': { linux: { securityContext } },
      'annotation kubernetes.io/egress-bandwidth: "fast": want bits': {
        annotations: { 'kubernetes.io/egress-bandwidth': 'fast' },
      },
      'config.hostname: "other": a pod on the machine': {
        hostname: 'other',
        linux: { securityContext: { namespaceOptions: { network: NamespaceMode.NODE } } },
      },
      'config.windows: this runtime runs Linux': { windows: {} },
    };
    for (const [words, change] of Object.entries(pods)) {
      const refused = node.cri.runtime.runPodSandbox({ config: { metadata, ...change } });
      await assert.rejects(refused, startsWith(words));
    }
    assert.deepEqual((await node.cri.runtime.listPodSandbox()).items, []);
    const podSandboxId = await node.runPod();
    const mount = {
      hostPath: node.folder,
      containerPath: '/m',
      uidMappings: [{ hostId: 1, containerId: 0, length: 1 }],
    };
    const containers: Record<string, Input<ContainerConfig>> = {
      'config.cdiDevices: "gpu0" is no CDI device': { cdiDevices: [{ name: 'gpu0' }] },
      'config.annotations["cdi.k8s.io/gpu"]: "" is no CDI device': { annotations: { 'cdi.k8s.io/gpu': '' } },
      'mount of "/m": mapped ids need a pod with a user namespace': { mounts: [mount] },
      'config.image.runtimeHandler: there is no runtime handler': {
        image: { image: 'box', runtimeHandler: 'gvisor' },
      },
      'config.linux.securityContext.capabilities.addAmbientCapabilities: ambient': {
        linux: { securityContext: { capabilities: { addAmbientCapabilities: ['CHOWN'] } } },
      },
      'user namespace: mode TARGET is not': { linux: { securityContext } },
      'no privileged container allowed in sandbox': { linux: { securityContext: { privileged: true } } },
    };
    for (const [words, change] of Object.entries(containers))
      await assert.rejects(node.runScript(podSandboxId, 'true', change), startsWith(words));
    assert.deepEqual((await node.cri.runtime.listContainers()).containers, []);
  } finally {
    await node.close();
  }
});

const startsWith = (words: string) => (error: Error & { code?: unknown }) => {
  assert.equal(error.code, 'INVALID_ARGUMENT');
  assert.ok(error.message.startsWith(words), error.message);
  return true;
};
