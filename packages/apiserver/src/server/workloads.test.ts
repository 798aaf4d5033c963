import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../../test/test-server.ts';

describe('workloads under the real kubectl', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.close());

  const kubectl = async (...args: string[]) => {
    const { code, stdout, stderr } = await server.kubectl(args);
    assert.equal(code, 0, `kubectl ${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  const field = (what: string, path: string) =>
    kubectl('get', ...what.split(' '), '-o', `jsonpath={${path}}`);

  it('a deployment is created, printed, scaled, explained', async () => {
    await kubectl('create', 'deployment', 'web', '--image=busybox:1.36', '--replicas=2');
    assert.match(await kubectl('get', 'deployments'), /^NAME +READY +UP-TO-DATE +AVAILABLE +AGE\nweb +0\/2 /);
    await kubectl('scale', 'deployment', 'web', '--replicas=5', '--current-replicas=2');
    assert.equal(await field('deployment web', '.spec.replicas'), '5');
    assert.equal(await field('deployment web', '.metadata.generation'), '2');
    await kubectl('annotate', 'deployment', 'web', 'a=b');
    assert.equal(await field('deployment web', '.metadata.generation'), '3');
    await kubectl('label', 'deployment', 'web', 'a=b');
    assert.equal(await field('deployment web', '.metadata.generation'), '3');
    assert.match(await kubectl('explain', 'deployment.spec.replicas'), /replicas/);
  });

  it('what was just made has the status that its type prints, so that clients can look into it', async () => {
    const make = async (path: string, spec: object) =>
      (await server.request('POST', path, { body: { metadata: { name: 'bare' }, spec } })).body.status;
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] } };
    assert.deepEqual(await make('/apis/batch/v1/namespaces/default/jobs', { suspend: true, template }), {});
    const services = '/api/v1/namespaces/default/services';
    assert.deepEqual(await make(services, { ports: [{ port: 80 }] }), { loadBalancer: {} });
    const spec = { attacher: 'a', nodeName: 'a', source: { persistentVolumeName: 'a' } };
    const attachments = '/apis/storage.k8s.io/v1/volumeattachments';
    assert.deepEqual(await make(attachments, spec), { attached: false });
    const { body } = await server.request('GET', '/apis/batch/v1/namespaces/default/jobs/bare');
    assert.deepEqual(body.status, {});
  });

  it('scale is a document of its own, with the selector as a query', async () => {
    const path = '/apis/apps/v1/namespaces/default/deployments/web/scale';
    const { body: scale } = await server.request('GET', path);
    assert.equal(scale.kind, 'Scale');
    assert.deepEqual([scale.spec.replicas, scale.status.selector], [5, 'app=web']);
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
    const { body: table } = await server.request('GET', path, { accept });
    const columns: { name: string }[] = table.columnDefinitions;
    assert.deepEqual(
      columns.map(({ name }) => name),
      ['Name', 'Desired', 'Available', 'Age'],
    );
    assert.deepEqual(table.rows[0].cells.slice(0, 3), ['web', 5, 0]);
    const put = (body: object) => server.request('PUT', path, { body });
    assert.equal((await put({ ...scale, spec: { replicas: 6 } })).body.spec.replicas, 6);
    assert.equal((await put({ ...scale, spec: { replicas: 7 } })).status, 409);
    const none = await put({ ...scale, metadata: { name: 'web' }, spec: {} });
    assert.deepEqual([none.body.spec, none.body.status.selector], [{}, 'app=web'], 'a nought is left out');
    assert.equal((await put({ metadata: { name: 'web', namespace: 'other' } })).status, 400);
    const negative = await put({ ...scale, metadata: { name: 'web' }, spec: { replicas: -1 } });
    assert.equal(negative.status, 422);
    assert.match(
      negative.body.message,
      /^Scale\.autoscaling "web" is invalid: spec\.replicas: Invalid value: -1/,
    );
    const type = 'application/apply-patch+yaml';
    const config = { apiVersion: 'autoscaling/v1', kind: 'Scale', spec: { replicas: 8 } };
    const apply = (query: string) => server.request('PATCH', `${path}?${query}`, { type, body: config });
    const applied = await apply('fieldManager=me&force=true');
    assert.equal(applied.body.spec.replicas, 8, applied.text);
    const { body: owner } = await server.request('GET', path.replace('/scale', ''));
    const mine = owner.metadata.managedFields.find(({ manager }: { manager: string }) => manager === 'me');
    assert.deepEqual([mine.subresource, mine.fieldsV1], ['scale', { 'f:spec': { 'f:replicas': {} } }]);
  });

  it('who applies a scale changes the replicas alone, and is told of who else has them', async () => {
    const path = '/apis/apps/v1/namespaces/default/deployments/web';
    const type = 'application/apply-patch+yaml';
    const metadata = { labels: { taken: 'over' }, finalizers: ['example.com/held'] };
    const apply = (manager: string, replicas: number) =>
      server.request('PATCH', `${path}/scale?fieldManager=${manager}`, {
        ...{ type, body: { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata, spec: { replicas } } },
      });
    const refused = await apply('you', 9);
    const why = 'conflict with "me" with subresource "scale"';
    assert.deepEqual([refused.status, refused.body.details.causes[0].message], [409, why]);
    assert.equal((await apply('me', 9)).body.spec.replicas, 9);
    const { body: web } = await server.request('GET', path);
    assert.deepEqual([web.spec.replicas, web.metadata.finalizers], [9, undefined]);
    assert.equal(web.metadata.labels.taken, undefined);
    await server.request('PATCH', path, {
      ...{ type: 'application/merge-patch+json', body: { metadata: { managedFields: [] } } },
    });
    assert.equal((await apply('you', 9)).status, 200);
    const { body: after } = await server.request('GET', path);
    const owners = after.metadata.managedFields.map((entry: { manager: string; subresource: string }) =>
      [entry.manager, entry.subresource].join(),
    );
    assert.deepEqual(owners, ['you,scale', 'before-first-apply,scale']);
  });

  it('a job selects its own pods, and a daemon set counts its templates', async () => {
    await kubectl('create', 'job', 'once', '--image=busybox:1.36', '--', 'true');
    const uid = await field('job once', '.metadata.uid');
    const path = '.spec.selector.matchLabels.batch\\.kubernetes\\.io/controller-uid';
    assert.equal(await field('job once', path), uid);
    assert.equal(await field('job once', '.spec.template.metadata.labels.job-name'), 'once');
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const set = { metadata: { name: 'each' }, spec: { selector: { matchLabels: { a: 'b' } }, template } };
    const sets = '/apis/apps/v1/namespaces/default/daemonsets';
    const created = await server.request('POST', sets, { body: set });
    assert.equal(created.status, 201);
    const [{ fieldsV1 }] = created.body.metadata.managedFields;
    assert.ok(fieldsV1['f:metadata']['f:annotations']['f:deprecated.daemonset.template.generation']);
    await kubectl('set', 'image', 'daemonset/each', 'c=j');
    const annotation = '.metadata.annotations.deprecated\\.daemonset\\.template\\.generation';
    assert.equal(await field('daemonset each', annotation), '2');
  });

  it('a request for a certificate is approved, once', async () => {
    const script =
      "openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout /dev/null -subj '/CN=me'";
    const pem = execFileSync('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    const spec = {
      request: pem.toString('base64'),
      signerName: 'example.com/signer',
      usages: ['client auth'],
    };
    const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
    assert.equal(
      (await server.request('POST', path, { body: { metadata: { name: 'me' }, spec } })).status,
      201,
    );
    await kubectl('certificate', 'approve', 'me');
    assert.match(await kubectl('get', 'csr', 'me'), / Approved\n$/);
    assert.notEqual(await field('csr me', '.status.conditions[0].lastTransitionTime'), '');
    const { code, stderr } = await server.kubectl(['certificate', 'deny', 'me']);
    assert.notEqual(code, 0);
    assert.match(stderr, /already Approved/);
    const { body: approved } = await server.request('GET', `${path}/me`);
    const both = [...approved.status.conditions, { type: 'Denied', status: 'True' }];
    const decide = (conditions: object[], subresource: string) =>
      server.request('PUT', `${path}/me${subresource}`, { body: { ...approved, status: { conditions } } });
    assert.match((await decide(both, '/approval')).body.message, /mutually exclusive/);
    assert.match(
      (await decide([], '/approval')).body.message,
      /may not remove a condition of type "Approved"/,
    );
    assert.match((await decide(both, '/status')).body.message, /may not add a condition of type "Denied"/);
    assert.equal((await decide([], '')).body.status.conditions.length, 1);
  });
});
