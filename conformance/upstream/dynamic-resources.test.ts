/** A driver on Kubernetes' own helper for drivers of dynamic resources below a whole node, with real containers. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { replaceKubelet } from '../../e2e/changed-kubelet.ts';
import { eventually, podOf, TestNode } from '../../e2e/node.ts';
import { openConnection } from '../../packages/cri/src/grpc/index.ts';
import {
  readClaimCheckpoint,
  writeClaimCheckpoint,
} from '../../packages/kubelet/src/execution/claims/claim-checkpoint.ts';
import { podResourcesSchema } from '../../packages/kubelet/src/execution/managers/pod-resources.ts';
import type { PodResourcesListerMethods } from '../../packages/kubelet/src/generated/pod-resources.ts';
import { buildUpstream } from './build.ts';

const run = promisify(execFile);
const driverName = 'devices.example.com';
const cdiFolder = '/var/run/cdi';

let node: TestNode;
let folder: string;
let nodeName: string;
let program: string;
let judge: string;
let driver: ChildProcess | undefined;
let kubelet: ChildProcess | undefined;
let said = '';

const apply = (object: object) => node.kubectlOk(['apply', '-f', '-'], { stdin: JSON.stringify(object) });
const read = (what: string, path: string) => node.kubectlOk(['get', what, '-o', `jsonpath={${path}}`]);
const recordPath = () => join(node.dataDir, 'kubelet', 'dra_manager_state');
const record = () => readClaimCheckpoint(recordPath());

/** Starts the driver, and waits until its devices are known. */
async function startDriver(words: readonly string[] = []): Promise<void> {
  const kubeletDir = join(node.dataDir, 'kubelet');
  const flags = [`--kubeconfig=${node.kubeconfig}`, `--driver=${driverName}`, `--node=${nodeName}`];
  const folders = [`--kubelet-dir=${kubeletDir}`, `--cdi-dir=${cdiFolder}`];
  driver = spawn(program, [...flags, ...folders, ...words], { stdio: ['ignore', 'pipe', 'ignore'] });
  driver.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await slices(1);
  await eventually('the driver is registered', async () =>
    existsSync(join(kubeletDir, 'plugins', driverName, 'dra.sock')),
  );
}

async function stopDriver(): Promise<void> {
  if (driver?.exitCode !== null) return;
  const ended = new Promise((resolve) => driver?.once('exit', resolve));
  driver?.kill('SIGTERM');
  await ended;
}

/** The helper puts slices that are gone back after half a minute. */
const slices = (count: number) =>
  eventually(
    `${count} slices`,
    async () => {
      const names = await read('resourceslices', '.items[*].metadata.name');
      return names.split(' ').filter((name) => name !== '').length === count;
    },
    90_000,
  );
const request = { name: 'unit', exactly: { deviceClassName: 'units' } };
const spec = { devices: { requests: [request] } };
const claimNamed = (name: string) =>
  apply({ apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata: { name }, spec });
const using = (claim: object, more: object = {}) => ({
  ...more,
  resourceClaims: [{ name: 'unit', ...claim }],
});
const container = { resources: { claims: [{ name: 'unit', request: 'unit' }] } };
/** The driver names the device after the request. */
const unitOf = async (pod: string, variable = 'DEVICE_UNIT') =>
  (await node.kubectlOk(['exec', pod, '--', 'sh', '-c', `echo $${variable}`])).trim();
const count = (line: string) => said.split('\n').filter((each) => each === line).length;
const eventOf = (pod: string) =>
  node.kubectlOk([
    ...['get', 'events', '-o', 'jsonpath={.items[*].message}'],
    `--field-selector=involvedObject.name=${pod},reason=FailedPrepareDynamicResources`,
  ]);

before(async () => {
  [program, judge] = await Promise.all([buildUpstream('dra-driver'), buildUpstream('claim-record')]);
  folder = mkdtempSync(join(tmpdir(), 'dynamic-resources-'));
  node = await TestNode.start('dynamic');
  nodeName = await read('node', '.items[0].metadata.name');
  await startDriver();
  const expression = `device.driver == "${driverName}"`;
  const metadata = { name: 'units' };
  await apply({
    ...{ apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata },
    spec: { extendedResourceName: 'example.com/unit', selectors: [{ cel: { expression } }] },
  });
  const template = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaimTemplate' };
  await apply({ ...template, metadata: { name: 'one' }, spec: { spec } });
});
after(async () => {
  driver?.kill('SIGKILL');
  kubelet?.kill('SIGKILL');
  for (const { uid } of node ? record() : []) rmSync(join(cdiFolder, `example-${uid}.json`), { force: true });
  await node?.remove();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

describe('a driver of dynamic resources', () => {
  test('prepares the claim of a template, and its container has the device', async () => {
    await node.apply(podOf('own', container, using({ resourceClaimTemplateName: 'one' })));
    assert.match(await unitOf('own'), /^unit-[012]$/);
    const [claim] = record();
    assert.equal(count(`prepare ${claim?.name}`), 1);
    const status = '.status.containerStatuses[0].allocatedResourcesStatus[0]';
    assert.equal(await read('pod/own', `${status}.name`), 'claim:unit/unit');
    await node.kubectlOk(['delete', 'pod', 'own']);
    await eventually('it is forgotten', () => record().length === 0);
    assert.equal(count(`unprepare ${claim?.name}`), 1);
    assert.equal(existsSync(join(cdiFolder, `example-${claim?.uid}.json`)), false);
  });

  test('prepares what pods ask for by the name of an extended resource, and takes it back', async () => {
    const asked = { 'example.com/unit': '1' };
    await node.apply(podOf('extended', { resources: { limits: asked, requests: asked } }));
    assert.match(await unitOf('extended', 'DEVICE_CONTAINER_0_REQUEST_0'), /^unit-[012]$/);
    const status = '.status.extendedResourceClaimStatus';
    const claim = await read('pod/extended', `${status}.resourceClaimName`);
    assert.equal(record()[0]?.name, claim);
    assert.equal(count(`prepare ${claim}`), 1);
    await node.kubectlOk(['delete', 'pod', 'extended']);
    await eventually('it is forgotten', () => record().length === 0);
    assert.equal(count(`unprepare ${claim}`), 1);
    await eventually(
      'the claim is gone',
      async () => (await read('resourceclaims', '.items[*].metadata.name')) === '',
    );
  });

  test('prepares a claim once for two pods, and tells of it', async () => {
    await claimNamed('shared');
    for (const name of ['first', 'second'])
      await node.apply(podOf(name, container, using({ resourceClaimName: 'shared' })));
    assert.equal(await unitOf('first'), await unitOf('second'));
    assert.equal(count('prepare shared'), 1);
    assert.equal(record()[0]?.pods.size, 2);
    const socket = join(node.dataDir, 'kubelet', 'pod-resources', 'kubelet.sock');
    const connection = openConnection(socket, 'kubelet');
    const lister = connection.service<PodResourcesListerMethods>(podResourcesSchema, 'PodResourcesLister');
    const { podResources } = await lister.get({ podName: 'first', podNamespace: 'default' });
    connection.close();
    const [resource] = podResources?.containers[0]?.dynamicResources ?? [];
    assert.equal(resource?.claimName, 'shared');
    assert.equal(resource?.claimResources[0]?.driverName, driverName);
    const metrics = await node.kubectlOk(['get', '--raw', `/api/v1/nodes/${nodeName}/proxy/metrics`]);
    assert.match(metrics, /^dra_resource_claims_in_use\{driver_name="<any>"\} 1$/m);
    assert.match(metrics, /^dra_operations_duration_seconds_count\{.*PrepareResources/m);
    assert.match(metrics, /^dra_grpc_operations_duration_seconds_count\{.*NodePrepareResources/m);
  });

  test("upstream's kubelet reads what is prepared, and what it writes is read here", async () => {
    const written = join(folder, 'written');
    await run(judge, [recordPath(), written]);
    assert.deepEqual(readClaimCheckpoint(written), record());
    const shared = record()[0]!;
    const device = { poolName: 'p', deviceName: 'd', requestNames: [], cdiDeviceIds: [], shareId: 's-1' };
    const other = {
      ...shared,
      name: 'other é',
      pods: new Set(['a', 'b']),
      devices: new Map([['d', [device]]]),
    };
    const [ours, theirs] = [join(folder, 'ours'), join(folder, 'theirs')];
    writeClaimCheckpoint(ours, [shared, other]);
    await run(judge, [ours, theirs]);
    assert.deepEqual(readClaimCheckpoint(theirs), [shared, other]);
  });

  test('a killed kubelet knows the claim again, and unprepares it when the last pod is gone', async () => {
    const before = await unitOf('first');
    const id = await read('pod/first', '.status.containerStatuses[0].containerID');
    kubelet = await replaceKubelet(node, {});
    await slices(0);
    await slices(1);
    assert.equal(await unitOf('first'), before);
    assert.equal(await read('pod/first', '.status.containerStatuses[0].containerID'), id);
    await node.kubectlOk(['delete', 'pod', 'first']);
    await eventually('one user is left', () => record()[0]?.pods.size === 1);
    assert.equal(count('unprepare shared'), 0);
    assert.equal(await unitOf('second'), before);
    await node.kubectlOk(['delete', 'pod', 'second']);
    await eventually('it is forgotten', () => record().length === 0);
    assert.equal(count('unprepare shared'), 1);
  });

  test('a pod that a killed kubelet did not see go has its claim unprepared by the next', async () => {
    await node.apply(podOf('lost', container, using({ resourceClaimName: 'shared' })));
    kubelet?.kill('SIGKILL');
    await node.kubectlOk(['delete', 'pod', 'lost', '--force', '--grace-period=0']);
    await node.up();
    await eventually('the claim is unprepared', () => count('unprepare shared') === 2);
    await eventually('it is forgotten', () => record().length === 0);
    await slices(1);
  });

  test('how its devices are shows in the status of their pods', async () => {
    await node.apply(podOf('sick', container, using({ resourceClaimName: 'shared' })));
    const [device] = record()[0]?.devices.get(driverName) ?? [];
    const path = '.status.containerStatuses[0].allocatedResourcesStatus[0].resources[0]';
    assert.equal(device?.deviceName, 'unit-0');
    await eventually('it is well', async () => (await read('pod/sick', `${path}.health`)) === 'Healthy');
    driver?.kill('SIGUSR1');
    await eventually('it is not', async () => (await read('pod/sick', `${path}.health`)) === 'Unhealthy');
    assert.equal(await read('pod/sick', `${path}.message`), 'too hot');
    await node.kubectlOk(['delete', 'pod', 'sick']);
    await eventually('it is forgotten', () => record().length === 0);
  });

  test('that is away keeps a pod waiting, which says for what, until it is back with an older protocol', async () => {
    await stopDriver();
    await apply(podOf('patient', container, using({ resourceClaimName: 'shared' })));
    const words = `Failed to prepare dynamic resources: prepare dynamic resources: DRA driver ${driverName} is not registered`;
    await eventually('the event', async () => (await eventOf('patient')).includes(words));
    assert.equal(
      await read('pod/patient', '.status.containerStatuses[0].state.waiting.reason'),
      'ContainerCreating',
    );
    await startDriver(['--v1=false']);
    await eventually('it runs', async () => (await read('pod/patient', '.status.phase')) === 'Running');
    assert.equal(await unitOf('patient'), 'unit-0');
    await node.kubectlOk(['delete', 'pod', 'patient']);
  });

  test('a claim that is not reserved for a pod is kept from it', async () => {
    await claimNamed('foreign');
    await apply(podOf('thief', container, using({ resourceClaimName: 'foreign' }, { nodeName })));
    await eventually('the event', async () =>
      /pod thief \(.*\) is not allowed to use ResourceClaim foreign/.test(await eventOf('thief')),
    );
    assert.equal(count('prepare foreign'), 0);
    await node.kubectlOk(['delete', 'pod', 'thief', '--wait=true']);
  });

  test('when it stays away its slices go', async () => {
    await stopDriver();
    await slices(0);
  });
});
