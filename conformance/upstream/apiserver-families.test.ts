/** The families of metrics that our API server shows, beside those that the source of Kubernetes declares for its own. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { TestNode } from '../../e2e/node.ts';
import { apiserverReads } from '../peers/dashboards.ts';
import { absentApiserverFamilies } from './absent-apiserver-families.ts';
import { type DeclaredFamily, declaredFamilies } from './declared-families.ts';
import { otherBounds, otherLabels, otherTypes } from './family-differences.ts';
import { pageOfMeasuredServer } from './measured-server.ts';
import { type ShownFamily, shownFamilies } from './shown-families.ts';

/** Where the API server's families are declared. */
const declaredIn = [
  ['k8s.io/apiserver', ['.']],
  ['k8s.io/apiextensions-apiserver', ['.']],
  ['k8s.io/kube-aggregator', ['.']],
  ['k8s.io/pod-security-admission', ['metrics']],
  ['k8s.io/component-base', ['.']],
  [
    'k8s.io/kubernetes',
    ['pkg/controlplane', 'pkg/registry', 'pkg/kubeapiserver', 'pkg/serviceaccount', 'plugin'],
  ],
] as const;

/** Of clients of Prometheus for any program. */
const ofProcess = /^process_/;

/** Families with labels that have no series here, by what they wait for. */
const silent: Readonly<Record<string, readonly string[]>> = {
  'a store that fails': ['etcd_request_errors_total'],
  'a watch that reads too slowly': ['apiserver_terminated_watchers_total'],
  'too many requests, or one that can not be answered to its end': [
    'apiserver_flowcontrol_rejected_requests_total',
    'apiserver_request_terminations_total',
    'apiserver_request_aborts_total',
  ],
  'a webhook whose conditions can not be said': [
    'apiserver_admission_match_condition_evaluation_errors_total',
    'apiserver_authorization_match_condition_evaluation_errors_total',
  ],
  'a webhook that can not be asked what somebody may, or is not to be': [
    'apiserver_authorization_match_condition_exclusions_total',
    'apiserver_authorization_webhook_evaluations_fail_open_total',
  ],
  'a definition whose versions a webhook converts': [
    'apiserver_conversion_webhook_request_total',
    'apiserver_conversion_webhook_duration_seconds',
    'apiserver_crd_conversion_webhook_duration_seconds',
  ],
  'a changed file': [
    'apiserver_authorization_config_controller_automatic_reloads_total',
    'apiserver_authorization_config_controller_automatic_reload_last_timestamp_seconds',
    'apiserver_encryption_config_controller_automatic_reloads_total',
    'apiserver_encryption_config_controller_automatic_reload_last_timestamp_seconds',
  ],
  'a program that keeps keys and has none': [
    'apiserver_envelope_encryption_invalid_key_id_from_status_total',
  ],
  'an audit that can not be written': ['apiserver_audit_error_total'],
  'a pod in a namespace with a policy': ['pod_security_evaluations_total', 'pod_security_exemptions_total'],
  'an extension server that goes away': ['aggregator_unavailable_apiservice_total'],
  'a session': [
    'apiserver_websocket_streaming_requests_total',
    'apiserver_stream_translator_requests_total',
    'apiserver_stream_tunnel_requests_total',
  ],
};

let node: TestNode;
let pages: string[];
let declared: ReadonlyMap<string, DeclaredFamily>;
let shown: ReadonlyMap<string, ShownFamily>;

before(async () => {
  [declared, node] = await Promise.all([declaredFamilies(declaredIn), TestNode.start('families')]);
  await node.kubectlOk(['get', 'endpoints,componentstatuses', '-A']);
  const paths = ['/metrics', '/metrics/slis'];
  pages = await Promise.all(paths.map((path) => node.kubectlOk(['get', '--raw', path])));
  pages.push(await pageOfMeasuredServer());
  shown = shownFamilies(pages);
});
after(() => node?.remove());

test('upstream declares families as it always did: the program that finds them finds them', () => {
  assert.ok(declared.size > 200, String(declared.size));
  assert.deepEqual(declared.get('authorization_attempts_total'), {
    ...{ type: 'counter', labels: ['result'], bounds: undefined },
  });
});

test('each of its families is shown, or is named as absent with its reason', () => {
  assert.deepEqual(
    [...declared.keys()].filter((name) => !shown.has(name) && !absentApiserverFamilies.has(name)),
    [],
  );
  assert.deepEqual(
    [...absentApiserverFamilies.keys()].filter((name) => shown.has(name) || !declared.has(name)),
    [],
    'no reason to be named as absent',
  );
});

test('no family is shown that upstream does not declare', () => {
  assert.deepEqual(
    [...shown.keys()].filter((name) => !declared.has(name) && !ofProcess.test(name)),
    [],
  );
});

test('types are those of upstream', () => assert.deepEqual(otherTypes(declared, shown), []));

test('labels are those of upstream, in every series', () =>
  assert.deepEqual(otherLabels(declared, shown), []));

test('bounds of histograms are those of upstream', () => assert.deepEqual(otherBounds(declared, shown), []));

test('what has no series here is named with what it waits for', () => {
  const without = [...shown].filter(([, { labels }]) => labels.length === 0);
  assert.deepEqual(without.map(([name]) => name).sort(), Object.values(silent).flat().sort());
});

test('promtool reads each page, and finds fault with names alone that are upstream’s', () => {
  for (const page of pages) {
    const { stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: page, encoding: 'utf8' });
    const faults = [stdout, stderr].join('\n').split('\n').filter(Boolean);
    assert.deepEqual(
      faults.filter((line) => !declared.has(line.split(' ')[0] ?? '')),
      [],
    );
  }
});

test('every metric that dashboards and alerts read has series with the labels that they read', () => {
  const lines = pages.join('\n').split('\n');
  const missing = apiserverReads.filter(([metric, ...labels]) => {
    const series = lines.filter((line) => new RegExp(`^${metric}[{ ]`).test(line));
    return !series.some((line) => labels.every((label) => line.includes(`${label}="`)));
  });
  assert.deepEqual(missing, []);
});
