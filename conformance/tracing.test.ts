/** The spans of a node, as a collector gets them that is made from OpenTelemetry's own Go definitions. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createKubeClient } from '@wherry/client';
import { eventually, podOf, TestNode } from '../e2e/node.ts';
import { type ReceivedSpan, type SpanCollector, startCollector } from './peers/spans.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-tracing-'));
let collector: SpanCollector;
let node: TestNode;

before(async () => {
  collector = await startCollector();
  const config = join(folder, 'node.yaml');
  const { endpoint } = collector;
  const tracing = { endpoint, samplingRatePerMillion: 1_000_000 };
  writeFileSync(config, JSON.stringify({ apiVersion: 'wherry/v1alpha1', kind: 'Node', tracing }));
  node = await TestNode.start('traced', ['--config', config]);
});
after(async () => {
  await node?.remove();
  await collector?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const found = (wanted: (span: ReceivedSpan) => boolean) => collector.spans().filter(wanted);

/** The one span above it. */
function parentOf(span: ReceivedSpan | undefined): ReceivedSpan | undefined {
  return collector
    .spans()
    .find(({ traceId, spanId }) => traceId === span?.traceId && spanId === span.parentSpanId);
}

test('a pod’s start is one trace, named by its UID, from the API write to Ready', async () => {
  await node.apply(podOf('seen'));
  const uid = await node.kubectlOk(['get', 'pod', 'seen', '-o', 'jsonpath={.metadata.uid}']);
  const traceId = uid.replaceAll('-', '');
  const ofPod = (service: string, name: string) =>
    found((span) => span.traceId === traceId && span.service === service && span.name === name);
  const last = [
    ['kubelet', 'start pod'],
    ['apiserver', 'bind pod'],
    ['runtime', 'runtime.v1.RuntimeService/StartContainer'],
  ] as const;
  await eventually('the spans of each process', () =>
    last.every(([service, name]) => ofPod(service, name).length > 0),
  );
  const [root] = ofPod('kubelet', 'start pod');
  assert.ok(root);
  assert.equal(root.parentSpanId, '');
  assert.equal(root.facts['k8s.pod.name'], 'seen');
  const sync = ofPod('kubelet', 'syncPod').find(({ facts }) => facts['k8s.pod.update_type'] === 'create');
  for (const span of [ofPod('apiserver', 'create pod')[0], ofPod('apiserver', 'bind pod')[0], sync])
    assert.deepEqual(
      parentOf(span),
      collector.spans().find(({ spanId }) => spanId === root.spanId),
    );
  for (const call of ['RunPodSandbox', 'CreateContainer', 'StartContainer']) {
    const name = `runtime.v1.RuntimeService/${call}`;
    const [asked] = ofPod('kubelet', name);
    assert.equal(parentOf(asked)?.name, 'syncPod', call);
    const [served] = ofPod('runtime', name);
    assert.ok(served, `${call} at the runtime`);
    assert.deepEqual(parentOf(served), asked, call);
    assert.ok((asked?.startMs ?? 0) <= served.startMs + 1 && served.endMs <= (asked?.endMs ?? 0) + 1, call);
  }
  assert.equal(parentOf(ofPod('kubelet', 'mount volumes')[0])?.name, 'syncPod');
  assert.ok(!ofPod('kubelet', 'syncPod').some(({ hasFailed }) => hasFailed));
  const [created] = found(({ name }) => name === 'POST /api/v1/namespaces/{:namespace}/pods/{:name}/binding');
  assert.equal(created?.service, 'apiserver');
});

test('an exec is one trace from the API server to the runtime’s call', async () => {
  await node.kubectlOk(['exec', 'seen', '--', 'true']);
  const name = 'runtime.v1.RuntimeService/Exec';
  const isServed = (span: ReceivedSpan) => span.service === 'runtime' && span.name === name;
  // The spans of four processes, each sent when that process has gathered some.
  const [served, asked, session, request] = await eventually('the spans of the session', () => {
    const [first] = found(isServed);
    const second = parentOf(first);
    const third = parentOf(second);
    const fourth = parentOf(third);
    return fourth && [first, second, third, fourth];
  });
  assert.equal(served?.parentSpanId, asked?.spanId);
  assert.deepEqual([asked?.service, asked?.name], ['kubelet', name]);
  assert.match(session?.name ?? '', /^(GET|POST) \/exec$/);
  assert.match(
    request?.name ?? '',
    /^(GET|POST) \/api\/v1\/namespaces\/\{:namespace\}\/pods\/\{:name\}\/exec$/,
  );
  assert.deepEqual([request?.service, request?.facts['http.response.status_code']], ['apiserver', '101']);
});

test('a trusted caller’s trace goes on in the server, another’s is named beside its own', async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const ask = async (more: Record<string, string>) => {
    const headers = { ...more, traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
    const client = createKubeClient({ kubeconfig: node.kubeconfig, onSend: () => ({ headers, ended() {} }) });
    await client.request({ method: 'GET', path: '/api/v1/namespaces/default' }).catch(() => {});
    client.close();
  };
  await ask({});
  await ask({ 'impersonate-user': 'stranger' });
  await eventually(
    'both spans',
    () => found((span) => span.traceId === traceId || span.links.includes(traceId)).length === 2,
  );
  const [below] = found((span) => span.traceId === traceId);
  assert.equal(below?.parentSpanId, '00f067aa0ba902b7');
  const [beside] = found((span) => span.links.includes(traceId));
  assert.equal(beside?.parentSpanId, '');
  assert.equal(beside?.facts['http.response.status_code'], '403');
  assert.equal(beside?.hasFailed, false);
});
