import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Toleration } from '@wherry/kubeapi';
import { MetricsRegistry } from '@wherry/telemetry';
import { pluginSuite } from '../../test/plugin-suite.ts';
import { TestParts } from '../../test/test-parts.ts';
import { TestServer } from '../../test/test-server.ts';
import { enabledPlugins, plugins, storageRules } from './plugins.ts';

for (const make of [...plugins, ...storageRules]) pluginSuite(make);

/** As in upstream's pkg/kubeapiserver/options/plugins.go, those that are not here left out. */
const upstreamOrder = [
  ...['NamespaceAutoProvision', 'NamespaceLifecycle', 'NamespaceExists', 'LimitPodHardAntiAffinityTopology'],
  ...['LimitRanger', 'ServiceAccount', 'NodeRestriction', 'TaintNodesByCondition'],
  ...['AlwaysPullImages', 'ImagePolicyWebhook', 'PodSecurity', 'PodNodeSelector', 'Priority'],
  ...['DefaultTolerationSeconds', 'PodTolerationRestriction', 'EventRateLimit', 'ExtendedResourceToleration'],
  ...['DefaultStorageClass', 'StorageObjectInUseProtection', 'OwnerReferencesPermissionEnforcement'],
  ...['PersistentVolumeClaimResize', 'RuntimeClass'],
  ...['CertificateApproval', 'CertificateSigning', 'CertificateSubjectRestriction'],
  ...['DefaultIngressClass', 'DenyServiceExternalIPs', 'PodTopologyLabels'],
  ...[
    'NodeDeclaredFeatureValidator',
    'PodResizeValidator',
    'MutatingAdmissionPolicy',
    'MutatingAdmissionWebhook',
    'ValidatingAdmissionPolicy',
  ],
  ...['ValidatingAdmissionWebhook', 'ResourceQuota'],
];

/** As in the same file (DefaultOffAdmissionPlugins). NodeRestriction, which is off there, is on in every node of ours. */
const offByDefault = [
  ...['NamespaceAutoProvision', 'NamespaceExists', 'LimitPodHardAntiAffinityTopology', 'AlwaysPullImages'],
  ...['ImagePolicyWebhook', 'PodNodeSelector', 'PodTolerationRestriction', 'EventRateLimit'],
  ...['ExtendedResourceToleration', 'OwnerReferencesPermissionEnforcement', 'DenyServiceExternalIPs'],
];

describe('the list of admission plug-ins', () => {
  let parts: TestParts;
  beforeEach(async () => {
    parts = await TestParts.start();
  });
  afterEach(() => parts.close());

  const names = (enableAdmissionPlugins: string[] = [], disableAdmissionPlugins: string[] = []) =>
    enabledPlugins(
      { ...parts.all, metrics: new MetricsRegistry() },
      { enableAdmissionPlugins, disableAdmissionPlugins },
    ).map(({ name }) => name);

  it('has upstream’s order', () => {
    assert.deepEqual(
      plugins.map((make) => make(parts.all).name),
      upstreamOrder,
    );
  });

  it('leaves out what is off, and takes in and leaves out what it is told to', () => {
    const usual = names();
    for (const name of offByDefault) assert.ok(!usual.includes(name), name);
    assert.deepEqual(usual.slice(-6), [
      ...['RoleEscalation', 'PolicyParamAccess', 'ServiceAddresses', 'PodResizeClass'],
      ...['DeviceAdminAccess', 'ResourceClaimStatusAccess'],
    ]);
    const told = names(['DenyServiceExternalIPs', 'NodeRestriction'], ['Priority', 'PodSecurity']);
    const without = usual.filter((name) => name !== 'Priority' && name !== 'PodSecurity');
    assert.deepEqual(told, without.toSpliced(-14, 0, 'DenyServiceExternalIPs'));
  });

  it('refuses names that no plug-in has, and those that are to be on and off', () => {
    const unknown = /^SettingsError: enable-admission-plugins plugin "AlwaysMaybe" is unknown$/;
    assert.throws(() => names(['NodeRestriction', 'AlwaysMaybe']), unknown);
    assert.throws(
      () => names([], ['RoleEscalation']),
      /disable-admission-plugins plugin "RoleEscalation" is unknown/,
    );
    const both =
      /\[PodSecurity Priority\] in enable-admission-plugins and disable-admission-plugins overlapped/;
    assert.throws(() => names(['Priority', 'PodSecurity'], ['PodSecurity', 'Priority']), both);
  });
});

describe('a plug-in that is switched on or off', () => {
  it('acts, or does not: new nodes get their taint, volumes their finalizer, pods no tolerations', async () => {
    const server = await TestServer.start({
      disableAdmissionPlugins: ['DefaultTolerationSeconds'],
      runtimeConfig: { 'v1/persistentvolumeclaims': true },
    });
    const post = async (path: string, body: object) =>
      (await server.request('POST', `/api/v1/${path}`, { body })).body;
    const node = await post('nodes', { metadata: { name: 'worker' } });
    assert.deepEqual(node.spec.taints, [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }]);
    const claim = await post('namespaces/default/persistentvolumeclaims', {
      metadata: { name: 'a' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    });
    assert.deepEqual(claim.metadata.finalizers, ['kubernetes.io/pvc-protection']);
    await post('namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
    const pod = await post('namespaces/default/pods', {
      metadata: { name: 'a' },
      spec: { containers: [{ name: 'main', image: 'x' }] },
    });
    assert.deepEqual([pod.metadata.name, pod.spec.tolerations], ['a', undefined]);
    await server.close();
  });

  it('lets pods stay on a node that is not ready, or can’t be reached, as long as flags say', async () => {
    const server = await TestServer.start({
      ...{ defaultNotReadyTolerationSeconds: 10, defaultUnreachableTolerationSeconds: 0 },
    });
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await server.request('POST', accounts, { body: { metadata: { name: 'default' } } });
    const spec = { containers: [{ name: 'main', image: 'x' }] };
    const { body } = await server.request('POST', '/api/v1/namespaces/default/pods', {
      body: { metadata: { name: 'a' }, spec },
    });
    const told = body.spec.tolerations.map(({ key, tolerationSeconds }: Toleration) => [
      key,
      tolerationSeconds,
    ]);
    assert.deepEqual(told, [
      ['node.kubernetes.io/not-ready', 10],
      ['node.kubernetes.io/unreachable', 0],
    ]);
    await server.close();
  });
});
