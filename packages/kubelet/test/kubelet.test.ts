import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect } from 'node:tls';
import { PodSandboxState } from '@wherry/cri';
import { createGroup, detectCgroups, enterGroup, foldersAt, readPressure, removeGroup } from '@wherry/linux';
import { containerLabels } from '../src/pod/labels.ts';
import { withPodBench } from './pod-bench.ts';

const spec = { containers: [{ name: 'a', image: 'demo:1' }], terminationGracePeriodSeconds: 7 };

test('a manifest becomes a running pod under the name of the node', () =>
  withPodBench(async (bench) => {
    await bench.manifest('web', spec);
    const shown = await bench.until('a running pod', async () => {
      const found = await bench.pod('web-n1');
      return found?.status?.phase === 'Running' && found;
    });
    assert.match(shown.status?.podIP ?? '', /^10\.0\.0\./);
    assert.equal(shown.status?.hostIP, '192.0.2.1');
    const { config } = bench.running('a') ?? {};
    assert.equal(config?.labels[containerLabels.podName], 'web-n1');
    assert.equal(config?.image?.userSpecifiedImage, 'demo:1');
    assert.ok(config?.mounts.some(({ containerPath }) => containerPath === '/etc/hosts'));
    assert.ok(config?.mounts.some(({ containerPath }) => containerPath === '/dev/termination-log'));
  }));

for (const events of [true, false]) {
  test(`a container that ends is started again (${events ? 'told by the event stream' : 'found by listing'})`, () =>
    withPodBench(
      async (bench) => {
        await bench.manifest('web', spec);
        const first = await bench.until('the container', () => bench.running('a'));
        bench.runtime.exit(first.status.id, 3);
        const second = await bench.until('its successor', () => bench.running('a'));
        assert.equal(second.config.metadata?.attempt, 1);
        const shown = await bench.until('the restart in the status', async () => {
          const [status] = (await bench.pod('web-n1'))?.status?.containerStatuses ?? [];
          return status?.restartCount === 1 && status;
        });
        assert.equal(shown.lastState?.terminated?.exitCode, 3);
      },
      { events },
    ));
}

const refusedSpecs: [name: string, more: object, says: RegExp][] = [
  [
    'mounts a volume of a kind that is not there',
    { volumes: [{ name: 'v', iscsi: { targetPortal: 's', iqn: 'i', lun: 0 } }] },
    /spec\.volumes\[0\]\.iscsi: volumes of this kind are not supported/,
  ],
];
for (const [name, more, says] of refusedSpecs) {
  test(`a pod that ${name} fails, and its message says so`, () =>
    withPodBench(async (bench) => {
      await bench.manifest('web', { ...spec, ...more });
      const status = await bench.until('the verdict', async () => {
        const found = (await bench.pod('web-n1'))?.status;
        return found?.phase !== 'Pending' && found;
      });
      assert.equal(status.phase, 'Failed');
      assert.match(status.message ?? '', says);
      assert.equal(bench.running('a'), undefined);
    }));
}

test('a manifest that goes takes its pod with it, within its grace', () =>
  withPodBench(async (bench) => {
    await bench.manifest('web', spec);
    const { status } = await bench.until('the container', () => bench.running('a'));
    await rm(join(bench.folder, 'manifests', 'web.yaml'));
    await bench.until('the sandbox to stop', () =>
      bench.runtime.calls.some((call) => call.startsWith('stopPodSandbox')),
    );
    assert.ok(bench.runtime.calls.includes(`stopContainer ${status.id} 7`));
    await bench.until('nothing to be left', () => bench.runtime.sandboxes.size === 0);
    assert.equal(bench.runtime.containers.size, 0);
  }));

test('a changed manifest replaces the pod after the old one has stopped', () =>
  withPodBench(async (bench) => {
    await bench.manifest('web', spec);
    const old = await bench.until('the container', () => bench.running('a'));
    await bench.manifest('web', { ...spec, containers: [{ name: 'a', image: 'demo:2' }] });
    const fresh = await bench.until('the new container', () => {
      const found = bench.running('a');
      return found !== undefined && found.status.id !== old.status.id && found;
    });
    assert.equal(fresh.config.image?.userSpecifiedImage, 'demo:2');
    const { calls } = bench.runtime;
    assert.ok(
      calls.indexOf(`stopContainer ${old.status.id} 7`) < calls.indexOf(`createContainer ${fresh.status.id}`),
    );
  }));

test('a new kubelet takes running pods over without touching them', () =>
  withPodBench(async (bench) => {
    await bench.manifest('web', spec);
    await bench.until('the container', () => bench.running('a'));
    await bench.kubelet?.close();
    const before = [...bench.runtime.calls];
    await bench.start();
    await bench.until(
      'the pod to be shown',
      async () => (await bench.pod('web-n1'))?.status?.phase === 'Running',
    );
    assert.deepEqual(bench.runtime.calls, before);
  }));

test('a pod that no source names is stopped', () =>
  withPodBench(async (bench) => {
    await bench.manifest('web', spec);
    await bench.until('the container', () => bench.running('a'));
    await bench.kubelet?.close();
    await rm(join(bench.folder, 'manifests', 'web.yaml'));
    await bench.start();
    await bench.until('the orphan to stop', () => !bench.running('a'));
  }));

test('logs and errors of the API are in upstream words', () =>
  withPodBench(async (bench) => {
    await bench.manifest('web', spec);
    const { status } = await bench.until('the container', () => bench.running('a'));
    const answers: [string, number, string][] = [
      ['/containerLogs/default/web-n1/a', 200, `hello from ${status.id}\n`],
      ['/containerLogs/default/web-n1/a?limitBytes=5', 200, 'hello'],
      ['/containerLogs/default/none/a', 404, 'pod "none" does not exist\n'],
      ['/containerLogs/default/web-n1/b', 404, 'container "b" not found in pod "web-n1"\n'],
      ['/containerLogs/default/web-n1/a?tailLines=-1', 422, '{"message": "Invalid request."}\n'],
      ['/exec/default/web-n1/a?output=1&command=true', 500, 'Upgrade request required\n'],
      ['/healthz', 200, 'ok'],
      ['/nothing', 404, '404 page not found\n'],
    ];
    await bench.until(
      'the status to say so',
      async () => (await bench.pod('web-n1'))?.status?.phase === 'Running',
    );
    for (const [path, statusCode, body] of answers)
      assert.deepEqual(await bench.get(path), { statusCode, body });
    const previous = await bench.get('/containerLogs/default/web-n1/a?previous=true');
    const text = 'previous terminated container "a" in pod "web-n1" not found\n';
    assert.deepEqual(previous, { statusCode: 400, body: text });
  }));

test('a replaced sandbox initializes anew in order, also where a sidecar still ran', () =>
  withPodBench(
    async (bench) => {
      const always = { restartPolicy: 'Always' };
      await bench.manifest('web', {
        initContainers: [
          { name: 'setup', image: 'demo:1' },
          { name: 'side', image: 'demo:1', ...always },
        ],
        containers: [{ name: 'a', image: 'demo:1' }],
      });
      const { runtime } = bench;
      const setup = await bench.until('the init container', () => bench.running('setup'));
      runtime.exit(setup.status.id, 0);
      await bench.until('the container', () => bench.running('a'));
      const [sandbox] = [...runtime.sandboxes.values()];
      if (sandbox) sandbox.status.state = PodSandboxState.SANDBOX_NOTREADY;
      const again = await bench.until('the init container again', () => bench.running('setup'));
      assert.notEqual(again.status.id, setup.status.id);
      // What a kubelet does too early, it does at once: nothing else is to happen until the init container has ended.
      await new Promise((resolve) => setTimeout(resolve, 500));
      assert.deepEqual([bench.running('side'), bench.running('a')], [undefined, undefined]);
      runtime.exit(again.status.id, 0);
      await bench.until('the sidecar again', () => bench.running('side'));
      await bench.until('the container again', () => bench.running('a'));
    },
    { events: false },
  ));

test('a pod begins anew in its sandbox when a container ends with a code that wants that', () =>
  withPodBench(async (bench) => {
    const image = 'demo:1';
    const exitCodes = { operator: 'In', values: [42] };
    await bench.manifest('web', {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 7,
      initContainers: [
        { name: 'setup', image },
        { name: 'side', image, restartPolicy: 'Always' },
      ],
      containers: [
        {
          ...{ name: 'a', image, restartPolicy: 'Never' },
          restartPolicyRules: [{ action: 'RestartAllContainers', exitCodes }],
        },
        { name: 'b', image },
      ],
    });
    const { runtime } = bench;
    const first = await bench.until('the init container', () => bench.running('setup'));
    runtime.exit(first.status.id, 0);
    const [a, b, side] = [
      await bench.until('the container', () => bench.running('a')),
      await bench.until('the other container', () => bench.running('b')),
      await bench.until('the sidecar', () => bench.running('side')),
    ];
    runtime.exit(a.status.id, 42);
    const again = await bench.until('the init container again', () => {
      const found = bench.running('setup');
      return found && found.status.id !== first.status.id && found;
    });
    assert.deepEqual(
      runtime.calls.filter((call) => call.startsWith('stop')),
      [`stopContainer ${b.status.id} 2`, `stopContainer ${side.status.id} 2`],
    );
    runtime.exit(again.status.id, 0);
    const status = await bench.until('all containers to be started anew', async () => {
      const found = (await bench.pod('web-n1'))?.status;
      const counts = [...(found?.initContainerStatuses ?? []), ...(found?.containerStatuses ?? [])];
      return found?.phase === 'Running' && counts.every(({ restartCount }) => restartCount === 1) && found;
    });
    assert.equal(runtime.sandboxes.size, 1);
    const [shown] = status.containerStatuses ?? [];
    assert.equal(shown?.lastState?.terminated?.reason, 'RestartingAllContainers');
    const conditionOf = (type: string) => status.conditions?.find((each) => each.type === type)?.status;
    assert.deepEqual([conditionOf('AllContainersRestarting'), conditionOf('Initialized')], ['False', 'True']);
  }));

test('a container that was not started since its sandbox could not be made is not held back for that', () =>
  withPodBench(
    async (bench) => {
      await bench.manifest('web', spec);
      const { runtime } = bench;
      const first = await bench.until('the container', () => bench.running('a'));
      await bench.until(
        'a running pod',
        async () => (await bench.pod('web-n1'))?.status?.phase === 'Running',
      );
      // What the start has changed is listed and looked at by then: the end of both is to be seen in one look.
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      const [sandbox] = [...runtime.sandboxes.values()];
      runtime.sandboxFailures = 1;
      if (sandbox) sandbox.status.state = PodSandboxState.SANDBOX_NOTREADY;
      runtime.exit(first.status.id, 137);
      await bench.until('the failure', () => runtime.calls.includes('runPodSandbox failed'));
      // Something else of the pod changes, and the kubelet looks at it anew.
      const labels = { ...first.status.labels, [containerLabels.containerName]: 'gone' };
      runtime.containers.set('gone', { ...first, status: { ...first.status, id: 'gone', labels } });
      await bench.until('its successor', () => bench.running('a'));
      const [status] = (await bench.pod('web-n1'))?.status?.containerStatuses ?? [];
      assert.notEqual(status?.state?.waiting?.reason, 'CrashLoopBackOff');
      assert.ok(
        Date.now() - Number(first.status.finishedAt / 1_000_000n) < 9_000,
        'it waited for its back-off',
      );
    },
    { events: false },
  ));

test('why the runtime does not start a container is told in its own words alone', () =>
  withPodBench(async (bench) => {
    bench.runtime.startFailure = 'exec: "/nope": no such file or directory';
    await bench.manifest('web', spec);
    const waiting = await bench.until('the failure', async () => {
      const [status] = (await bench.pod('web-n1'))?.status?.containerStatuses ?? [];
      return status?.state?.waiting?.reason === 'RunContainerError' && status.state.waiting;
    });
    assert.equal(waiting.message, bench.runtime.startFailure);
  }));

test('the deadline of a pod is kept while its container is held back', () =>
  withPodBench(
    async (bench) => {
      const beganMs = Date.now();
      await bench.manifest('web', { ...spec, activeDeadlineSeconds: 4 });
      for (let run = 0; run < 2; run += 1) {
        const { status } = await bench.until('the container', () => bench.running('a'));
        bench.runtime.exit(status.id, 1);
      }
      const status = await bench.until('the verdict', async () => {
        const found = (await bench.pod('web-n1'))?.status;
        return found?.phase === 'Failed' && found;
      });
      assert.equal(status.reason, 'DeadlineExceeded');
      const tookMs = Date.now() - beganMs;
      assert.ok(tookMs < 8_000, `it took ${tookMs} ms`);
    },
    { events: true },
  ));

test('a static pod whose init record is gone is Running for the next kubelet too', () =>
  withPodBench(async (bench) => {
    await bench.manifest('web', {
      initContainers: [{ name: 'setup', image: 'demo:1' }],
      containers: [{ name: 'a', image: 'demo:1' }],
    });
    const { runtime } = bench;
    const setup = await bench.until('the init container', () => bench.running('setup'));
    runtime.exit(setup.status.id, 0);
    await bench.until('the container', () => bench.running('a'));
    await bench.kubelet?.close();
    runtime.containers.delete(setup.status.id);
    await bench.start();
    const shown = await bench.until('a status', async () => {
      const found = await bench.pod('web-n1');
      return found?.status?.containerStatuses?.[0]?.state?.running && found;
    });
    assert.equal(shown.status?.phase, 'Running');
    const [init] = shown.status?.initContainerStatuses ?? [];
    assert.deepEqual([init?.state?.terminated?.exitCode, init?.ready], [0, true]);
    assert.equal(bench.running('setup'), undefined);
  }));

test('a pod whose volume is not there has no sandbox and no address', () =>
  withPodBench(async (bench) => {
    const path = join(bench.folder, 'later');
    const volumes = [{ name: 'v', hostPath: { path, type: 'Directory' } }];
    const volumeMounts = [{ name: 'v', mountPath: '/v' }];
    const containers = [{ name: 'a', image: 'demo:1', volumeMounts }];
    await bench.manifest('web', { containers, volumes });
    const made = () => bench.runtime.calls.some((call) => call.startsWith('runPodSandbox'));
    const failed = /storage_operation_duration_seconds_count\{[^}]*status="fail/;
    await bench.until('a failed mount', async () => failed.test((await bench.get('/metrics')).body));
    const status = (await bench.pod('web-n1'))?.status;
    const condition = status?.conditions?.find(({ type }) => type === 'PodReadyToStartContainers');
    assert.deepEqual([made(), status?.podIP, condition?.status], [false, undefined, 'False']);
    await mkdir(path);
    await bench.until('the container', () => bench.running('a'));
  }));

test("a pod's address is shown while its image is still being pulled", () =>
  withPodBench(async (bench) => {
    const pull = Promise.withResolvers<void>();
    bench.runtime.pull = pull.promise;
    await bench.manifest('web', { containers: [{ name: 'a', image: 'demo:1', imagePullPolicy: 'Always' }] });
    const shown = await bench.until('an address', async () => {
      const found = await bench.pod('web-n1');
      return found?.status?.podIP !== undefined && found;
    });
    const condition = shown.status?.conditions?.find(({ type }) => type === 'PodReadyToStartContainers');
    assert.deepEqual([shown.status?.phase, condition?.status], ['Pending', 'True']);
    pull.resolve();
    await bench.until('the container', () => bench.running('a'));
  }));

test("a pod's address is shown while the hook after its container's start still runs", () =>
  withPodBench(async (bench) => {
    const hook = Promise.withResolvers<void>();
    bench.runtime.command = hook.promise;
    const lifecycle = { postStart: { exec: { command: ['prepare'] } } };
    await bench.manifest('web', { containers: [{ name: 'a', image: 'demo:1', lifecycle }] });
    const shown = await bench.until('an address', async () => {
      const found = await bench.pod('web-n1');
      return found?.status?.podIP !== undefined && found;
    });
    const condition = shown.status?.conditions?.find(({ type }) => type === 'PodReadyToStartContainers');
    assert.deepEqual([shown.status?.phase, condition?.status], ['Pending', 'True']);
    hook.resolve();
    await bench.until('the container', () => bench.running('a'));
  }));

test('the image of a volume comes to the node before the container that mounts it', () =>
  withPodBench(async (bench) => {
    const pull = Promise.withResolvers<void>();
    bench.runtime.pull = pull.promise;
    const mounting = { name: 'a', image: 'demo:1', volumeMounts: [{ name: 'files', mountPath: '/files' }] };
    const files = { name: 'files', image: { reference: 'files:2', pullPolicy: 'Always' } };
    await bench.manifest('web', { containers: [{ name: 'b', image: 'demo:1' }, mounting], volumes: [files] });
    await bench.until('the container that mounts nothing', () => bench.running('b'));
    await bench.until('the pull', () => bench.runtime.pulls.length > 0);
    assert.equal(bench.running('a'), undefined);
    pull.resolve();
    await bench.until('the container', () => bench.running('a'));
    assert.deepEqual(bench.runtime.pulls, ['files:2']);
    const configs = [...bench.runtime.containers.values()].map(({ config }) => config);
    const mounts = configs.find(({ metadata }) => metadata?.name === 'a')?.mounts;
    assert.equal(mounts?.find(({ containerPath }) => containerPath === '/files')?.image?.image, 'sha256:1');
  }));

test('a pod has no more processes than podPidsLimit says', async () => {
  const cgroupRoot = `/wherry-test-${randomBytes(4).toString('hex')}`;
  const configuration = { cgroupDriver: 'cgroupfs', cgroupRoot, podPidsLimit: 77 };
  const layout = detectCgroups();
  try {
    await withPodBench(
      async (bench) => {
        await bench.manifest('web', spec);
        await bench.until('the container', () => bench.running('a'));
        const uid = (await bench.pod('web-n1'))?.metadata.uid;
        const { controllers, unified } = foldersAt(layout, `${cgroupRoot}/kubepods/besteffort/pod${uid}`);
        const file = join(controllers.get('pids') ?? unified ?? '', 'pids.max');
        assert.equal((await readFile(file, 'utf8')).trim(), '77');
      },
      { configuration },
    );
  } finally {
    removeGroup(foldersAt(layout, cgroupRoot));
  }
});

test('pods, calls of the runtime and lists are counted under upstream’s names, and logs linked beside the pods’', () =>
  withPodBench(async (bench) => {
    const volumeMounts = [{ name: 'v', mountPath: '/v' }];
    await bench.manifest('web', {
      containers: [{ name: 'a', image: 'pulled:latest', volumeMounts }],
      volumes: [{ name: 'v', emptyDir: {} }],
    });
    const patterns = [
      /^kubelet_running_pods 1$/m,
      /^kubelet_running_containers\{container_state="running"\} 1$/m,
      /^kubelet_desired_pods\{static="true"\} 1$/m,
      /^kubelet_runtime_operations_total\{operation_type="create_container"\} 1$/m,
      /^kubelet_runtime_operations_duration_seconds_bucket\{operation_type="run_podsandbox",le="0.005"\} /m,
      /^kubelet_run_podsandbox_duration_seconds_count\{runtime_handler=""\} 1$/m,
      /^kubelet_pleg_relist_duration_seconds_count [1-9]/m,
      /^kubelet_pod_start_duration_seconds_count 1$/m,
      /^kubelet_pod_worker_duration_seconds_count\{operation_type="create"\} 1$/m,
      /^kubelet_started_containers_total\{container_type="container"\} 1$/m,
      /^kubelet_started_pods_total 1$/m,
      /^kubelet_started_user_namespaced_pods_total 0$/m,
      /^kubelet_started_user_namespaced_pods_errors_total 0$/m,
      /^kubelet_cgroup_version [12]$/m,
      /^kubelet_http_requests_total\{method="GET",path="metrics",server_type="readwrite",long_running="false"\} [1-9]/m,
      /^kubelet_http_inflight_requests\{method="GET",path="metrics",server_type="readwrite",long_running="false"\} 1$/m,
      /^kubelet_image_pull_duration_seconds_count\{image_size_in_bytes="[^"]+"\} 1$/m,
      /^volume_manager_total_volumes\{plugin_name="kubernetes.io\/empty-dir",state="actual_state_of_world"\} 1$/m,
      /^storage_operation_duration_seconds_count\{volume_plugin="kubernetes.io\/empty-dir",operation_name="volume_mount",status="success",migrated="false"\} 1$/m,
      /^process_cpu_seconds_total \d/m,
      /^process_resident_memory_bytes [1-9]\d+/m,
      /^process_open_fds [1-9]/m,
      /^process_start_time_seconds 1\d+/m,
    ];
    let page = '';
    await bench.until('everything to be counted', async () => {
      page = (await bench.get('/metrics')).body;
      return patterns.every((pattern) => pattern.test(page));
    });
    const [link = ''] = await readdir(join(bench.folder, 'containers'));
    assert.match(link, /^web-n1_default_a-.+\.log$/);
    const target = await readlink(join(bench.folder, 'containers', link));
    assert.match(target.slice(join(bench.folder, 'logs').length), /^\/default_web-n1_[^/]+\/a\/0\.log$/);
  }));

test('the metrics of probes are their own; the configuration is shown with durations as Go writes them', () =>
  withPodBench(async (bench) => {
    const readinessProbe = { exec: { command: ['true'] }, periodSeconds: 1 };
    await bench.manifest('web', { containers: [{ name: 'a', image: 'demo:1', readinessProbe }] });
    const counted = await bench.until('a counted probe', async () => {
      const { body } = await bench.get('/metrics/probes');
      return body.includes('prober_probe_total{') && body;
    });
    assert.match(
      counted,
      /^prober_probe_total\{probe_type="Readiness",container="a",pod="web-n1",namespace="default",result="successful",pod_uid="[^"]+"\} \d+$/m,
    );
    assert.doesNotMatch(counted, /kubelet_node_name/);
    assert.doesNotMatch((await bench.get('/metrics')).body, /prober_probe_total/);
    await rm(join(bench.folder, 'manifests', 'web.yaml'));
    await bench.until('nothing to be counted of a pod that is gone', async () => {
      const { body } = await bench.get('/metrics/probes');
      return !body.includes('prober_probe_total{');
    });
    const { kubeletconfig } = JSON.parse((await bench.get('/configz')).body);
    assert.deepEqual([kubeletconfig.syncFrequency, kubeletconfig.runtimeRequestTimeout], ['1m0s', '2m0s']);
  }));

test('only the cipher suites of the configuration are offered', () =>
  withPodBench(
    async (bench) => {
      const agreed = (bits: number) =>
        new Promise<string>((resolve, reject) => {
          const ciphers = ['RSA', 'ECDSA'].map(
            (key) => `ECDHE-${key}-AES${bits}-GCM-SHA${bits === 256 ? 384 : 256}`,
          );
          const { port } = bench.kubelet ?? {};
          const options = {
            port,
            rejectUnauthorized: false,
            maxVersion: 'TLSv1.2',
            ciphers: ciphers.join(':'),
          } as const;
          const socket = connect(options, () => {
            resolve(socket.getCipher().name);
            socket.destroy();
          });
          socket.once('error', reject);
        });
      assert.match(await agreed(256), /AES256/);
      await assert.rejects(agreed(128));
    },
    {
      configuration: {
        tlsCipherSuites: ['TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384', 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384'],
      },
    },
  ));

const refusedConfigurations: [name: string, configuration: object, says: RegExp][] = [
  [
    'limits of the system on a control group that is not there',
    {
      enforceNodeAllocatable: ['pods', 'system-reserved'],
      systemReservedCgroup: '/wherry-test-missing',
      systemReserved: { cpu: '1' },
    },
    /systemReservedCgroup: .*there is no control group \/wherry-test-missing; make that group before/,
  ],
  [
    'a field that is not built',
    { configMapAndSecretChangeDetectionStrategy: 'Get' },
    /configMapAndSecretChangeDetectionStrategy: "Get" is not supported here/,
  ],
  [
    'an unknown feature gate',
    { featureGates: { MakesCoffee: true } },
    /unrecognized feature gate: MakesCoffee/,
  ],
  [
    'a feature gate that is locked',
    { featureGates: { NodeSwap: false } },
    /cannot set feature gate NodeSwap to false, feature is locked to true/,
  ],
  [
    'a sysctl of the whole machine',
    { allowedUnsafeSysctls: ['vm.swappiness'] },
    /"vm.swappiness" are not known to be namespaced/,
  ],
];
for (const [name, configuration, says] of refusedConfigurations) {
  test(`a configuration with ${name} starts no kubelet`, async () => {
    await assert.rejects(
      withPodBench(async () => {}, { configuration }),
      says,
    );
  });
}

test('the summary tells of this kubelet what it takes of the processors, from the first time that somebody asks', () =>
  withPodBench(async (bench) => {
    const own = async () => {
      const { statusCode, body } = await bench.get('/stats/summary');
      assert.equal(statusCode, 200, body);
      const { node } = JSON.parse(body) as { node: { systemContainers: { name: string; cpu: CpuPart }[] } };
      return node.systemContainers.find(({ name }) => name === 'kubelet')?.cpu;
    };
    const first = await own();
    assert.equal(typeof first?.usageNanoCores, 'number');
    await new Promise((resolve) => setTimeout(resolve, 600));
    const second = await own();
    assert.ok(second && first && second.usageCoreNanoSeconds > first.usageCoreNanoSeconds);
    assert.ok(second.usageNanoCores >= 10_000 && second.usageNanoCores < 4e9, String(second.usageNanoCores));
  }));

test('the summary tells of the control group that the runtime is said to be in, and of pressure where the kernel does', async () => {
  const layout = detectCgroups();
  const path = `/wherry-test-${process.pid}`;
  const folders = foldersAt(layout, path);
  createGroup(folders);
  const inside = spawn('sleep', ['60']);
  try {
    enterGroup(folders, inside.pid ?? 0);
    await withPodBench(
      async (bench) => {
        const { body } = await bench.get('/stats/summary');
        const { node } = JSON.parse(body) as { node: { systemContainers: SystemPart[] } };
        const parts = new Map(node.systemContainers.map((part) => [part.name, part]));
        const runtime = parts.get('runtime');
        assert.ok(runtime && runtime.memory.rssBytes >= 0 && runtime.memory.availableBytes === undefined);
        assert.ok(Math.abs(Date.parse(runtime.startTime) - Date.now()) < 60_000, runtime.startTime);
        assert.equal(typeof runtime.swap?.swapUsageBytes, 'number');
        const hasPressure = readPressure(folders.unified, 'cpu') !== undefined;
        assert.equal('psi' in runtime.cpu, hasPressure);
        assert.equal('psi' in (parts.get('kubelet')?.memory ?? {}), hasPressure);
      },
      { runtimeCgroups: path },
    );
  } finally {
    inside.kill('SIGKILL');
    await once(inside, 'exit');
    removeGroup(folders);
  }
});

test('a group of the runtime that is no path starts no kubelet', () =>
  assert.rejects(
    withPodBench(async () => {}, { runtimeCgroups: '/a/../b' }),
    /--runtime-cgroups: "\/a\/\.\.\/b" is no path of a control group/,
  ));

interface SystemPart {
  name: string;
  startTime: string;
  cpu: object;
  memory: { rssBytes: number; availableBytes?: number };
  swap?: { swapUsageBytes: number };
}

interface CpuPart {
  usageNanoCores: number;
  usageCoreNanoSeconds: number;
}
