import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { unlessKubectlHas } from '../../../../e2e/kubectl-version.ts';
import { TestServer } from '../../test/test-server.ts';

const pod = (labels?: Record<string, string>) =>
  JSON.stringify({
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', ...(labels && { labels }) } },
    spec: { containers: [{ name: 'main', image: 'busybox:1.36', ports: [{ containerPort: 80 }] }] },
  });

describe('the real kubectl', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    await kubectl('create', 'serviceaccount', 'default');
  });
  after(() => server.close());

  const run = (args: string[], input?: string) => server.kubectl(args, input === undefined ? {} : { input });
  const kubectl = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(args);
    assert.equal(code, 0, `kubectl ${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  const refused = async (...args: string[]) => {
    const { code, stderr } = await run(args);
    assert.notEqual(code, 0, `kubectl ${args.join(' ')} was not refused`);
    return stderr;
  };

  it('creates with protobuf bodies: namespace, config map, secret, role, binding', async () => {
    assert.equal(await kubectl('create', 'namespace', 'made'), 'namespace/made created\n');
    await kubectl('create', 'configmap', 'made', '--from-literal=a=b');
    await kubectl('create', 'secret', 'generic', 'made', '--from-literal=a=b');
    await kubectl('create', 'role', 'made', '--verb=get', '--resource=pods');
    await kubectl('create', 'rolebinding', 'made', '--role=made', '--serviceaccount=default:default');
    await kubectl('create', 'service', 'clusterip', 'made', '--tcp=80:80');
    assert.match(await kubectl('get', 'configmap,secret,role,service', 'made', '-o', 'name'), /secret\/made/);
  });

  it('creates a token', { skip: unlessKubectlHas('create token') }, async () => {
    assert.match(await kubectl('create', 'token', 'default'), /^[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  it('applies, changes, and applies again without change', async () => {
    assert.equal((await run(['apply', '-f', '-'], pod())).stdout, 'pod/web created\n');
    assert.equal((await run(['apply', '-f', '-'], pod())).stdout, 'pod/web unchanged\n');
    assert.equal((await run(['apply', '-f', '-'], pod({ a: 'b' }))).stdout, 'pod/web configured\n');
    assert.match((await run(['diff', '-f', '-'], pod({ a: 'c' }))).stdout, /\+ +a: c/);
    assert.equal(
      (await run(['apply', '--server-side', '-f', '-'], pod({ a: 'd' }))).stdout,
      'pod/web serverside-applied\n',
    );
    assert.equal(await kubectl('get', 'pod', 'web', '-o', 'jsonpath={.metadata.labels.a}'), 'd');
  });

  it('applies lists', async () => {
    const items = ['list-a', 'list-b'].map((name) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name },
    }));
    const { stdout, stderr } = await run(
      ['apply', '-f', '-'],
      JSON.stringify({ apiVersion: 'v1', kind: 'List', items }),
    );
    assert.equal(stdout, 'configmap/list-a created\nconfigmap/list-b created\n', stderr);
  });

  it('prints tables, wide tables, YAML, JSON and columns of its own', async () => {
    const table = await kubectl('get', 'pods');
    assert.match(table, /^NAME +READY +STATUS +RESTARTS +AGE\nweb +0\/1 +Pending +0 +\d+s\n$/);
    assert.match(await kubectl('get', 'pods', '-o', 'wide'), /IP +NODE +NOMINATED NODE +READINESS GATES/);
    assert.match(await kubectl('get', 'pod', 'web', '-o', 'yaml'), /kind: Pod/);
    assert.equal(JSON.parse(await kubectl('get', 'pod', 'web', '-o', 'json')).metadata.name, 'web');
    assert.equal(
      await kubectl('get', 'pods', '--no-headers', '-o', 'custom-columns=X:.metadata.name'),
      'web\n',
    );
    assert.match(await kubectl('get', 'pods', '-A', '--show-labels'), /default +web/);
    assert.match(await kubectl('get', 'po,svc,sa,cm'), /service\/kubernetes +ClusterIP/);
  });

  it('labels, annotates and patches', async () => {
    await kubectl('label', 'pod', 'web', 'tier=front');
    await kubectl('annotate', 'pod', 'web', 'note=here');
    await kubectl('patch', 'pod', 'web', '-p', '{"metadata":{"labels":{"patched":"yes"}}}');
    await kubectl(
      'patch',
      'pod',
      'web',
      '--type=json',
      '-p',
      '[{"op":"replace","path":"/metadata/labels/tier","value":"back"}]',
    );
    assert.equal(await kubectl('get', 'pods', '-l', 'tier=back,patched=yes', '-o', 'name'), 'pod/web\n');
    await kubectl('set', 'image', 'pod/web', 'main=busybox:1.37');
    assert.equal(await kubectl('get', 'pod', 'web', '-o', 'jsonpath={..image}'), 'busybox:1.37');
  });

  it('watches', async () => {
    const child = server.spawnKubectl(['get', 'configmaps', '-w', '--no-headers', '-o', 'name']);
    let seen = '';
    const saw = new Promise<void>((resolve) => {
      child.stdout?.on('data', (chunk: Buffer) => {
        seen += chunk.toString();
        if (seen.includes('configmap/watched')) resolve();
      });
    });
    await kubectl('create', 'configmap', 'watched');
    await saw;
    child.kill();
  });

  it('describes and lists events', async () => {
    const uid = await kubectl('get', 'pod', 'web', '-o', 'jsonpath={.metadata.uid}');
    const event = {
      ...{ apiVersion: 'v1', kind: 'Event', metadata: { name: 'web.1', namespace: 'default' } },
      involvedObject: { kind: 'Pod', name: 'web', namespace: 'default', uid },
      ...{ reason: 'Tested', message: 'seen by the test', type: 'Normal', source: { component: 'test' } },
      ...{ firstTimestamp: '2026-01-01T00:00:00Z', lastTimestamp: '2026-01-01T00:00:00Z', count: 1 },
    };
    await run(['create', '-f', '-'], JSON.stringify(event));
    assert.match(await kubectl('get', 'events'), /Tested +pod\/web +seen by the test/);
    assert.match(await kubectl('get', 'events.events.k8s.io'), /Tested +pod\/web +seen by the test/);
    const described = await kubectl('describe', 'pod', 'web');
    assert.match(described, /Status: +Pending/);
    assert.match(described, /Normal +Tested .* test +seen by the test/);
    assert.match(await kubectl('describe', 'namespace', 'default'), /Status: +Active/);
    assert.match(await kubectl('describe', 'service', 'kubernetes'), /10\.96\.0\.1/);
  });

  it('lists events by a verb of their own', { skip: unlessKubectlHas('events') }, async () => {
    assert.match(await kubectl('events'), /Tested +Pod\/web +seen by the test/);
  });

  it('explains', async () => {
    // Versions before 1.27 call every message an object.
    const containers = /KIND: +Pod[\s\S]*containers\t<\[\](Container|Object)> -required-/;
    assert.match(await kubectl('explain', 'pod.spec'), containers);
    assert.match(await kubectl('explain', 'pod.spec.containers.resources', '--recursive'), /limits/);
  });

  it('asks what it may do', async () => {
    assert.equal(await kubectl('auth', 'can-i', 'create', 'pods'), 'yes\n');
    assert.match(await kubectl('auth', 'can-i', '--list'), /\*\.\*/);
    const account = '--as=system:serviceaccount:default:default';
    assert.equal(await kubectl('auth', 'can-i', 'get', 'pods', account), 'yes\n');
    assert.equal((await run(['auth', 'can-i', 'delete', 'pods', account])).stdout, 'no\n');
  });

  it('asks who it is', { skip: unlessKubectlHas('auth whoami') }, async () => {
    assert.match(await kubectl('auth', 'whoami'), /Username +admin/);
  });

  it('creates kinds that can only be created', async () => {
    const review = {
      ...{ apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview' },
      spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
    };
    const { stdout, stderr } = await run(['create', '-f', '-', '-o', 'json'], JSON.stringify(review));
    assert.equal(JSON.parse(stdout || '{}').status?.allowed, true, stderr);
  });

  it('runs a pod, waits, and deletes with and without force', async () => {
    await kubectl('run', 'runner', '--image=busybox', '--restart=Never', '--', 'true');
    await kubectl('delete', 'pod', 'runner');
    await kubectl('run', 'runner', '--image=busybox');
    await kubectl('delete', 'pod', 'runner', '--force', '--grace-period=0');
    const { code, stderr } = await run(['wait', '--for=delete', 'pod/runner', '--timeout=5s']);
    // Older versions call it an error when there is nothing left to wait for.
    if (code !== 0) assert.match(stderr, /no matching resources found/);
    await kubectl('delete', 'configmaps', '-l', 'no=such');
    await kubectl('delete', 'pods', '--all');
    assert.equal(await kubectl('get', 'pods', '-o', 'name'), '');
  });

  it('replaces, edits nothing it should not, and reports refusals in upstream’s words', async () => {
    assert.match(
      await refused('get', 'pod', 'absent'),
      /Error from server \(NotFound\): pods "absent" not found/,
    );
    assert.match(await refused('get', 'nonsense'), /the server doesn't have a resource type "nonsense"/);
    assert.match(await refused('create', 'configmap', 'made'), /configmaps "made" already exists/);
    assert.match(
      await refused('get', 'pods', '--as=nobody'),
      /\(Forbidden\): pods is forbidden: User "nobody" cannot list/,
    );
    assert.match(
      await refused('create', 'deployment', 'D', '--image=x'),
      /"D" is invalid: metadata.name: Invalid value/,
    );
    assert.match(await refused('delete', 'namespace', 'default'), /this namespace may not be deleted/);
    const { stderr } = await run(['create', '-f', '-'], pod().replace('containers', 'contaners'));
    // Versions before 1.25 have their own validation, from /openapi/v2.
    const unknownField =
      /strict decoding error: unknown field "spec.contaners"|ValidationError\(Pod.spec\): unknown field "contaners" in io.k8s.api.core.v1.PodSpec/;
    assert.match(stderr, unknownField);
  });

  it('tells versions and resources', async () => {
    assert.match(await kubectl('version'), /Server Version: .*v1\.36\.2/);
    const resources = await kubectl('api-resources');
    assert.match(resources, /pods +po +v1 +true +Pod/);
    assert.match(resources, /deployments +deploy +apps\/v1 +true +Deployment/);
    assert.match(resources, /ValidatingWebhookConfiguration/);
    assert.match(resources, /ValidatingAdmissionPolicyBinding/);
    assert.match(resources, /MutatingAdmissionPolicyBinding/);
    assert.match(resources, /componentstatuses +cs +v1 +false +ComponentStatus/);
    assert.match(await kubectl('api-versions'), /^rbac\.authorization\.k8s\.io\/v1$/m);
    assert.match(await kubectl('cluster-info'), /control plane/);
  });
});
