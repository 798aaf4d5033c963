import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeFieldDocuments } from '../../../tools/fields/suite.ts';
import { proxyMessages } from '../src/generated/kube-proxy.ts';
import { proxyFlags } from '../src/roles/flags/nodes/proxy-flags.ts';
import { proxyFields } from '../src/roles/network/configuration/proxy-fields.ts';
import { documents, kubeProxyFlags } from './field-documents.ts';
import { readRoleLine } from './role-line.ts';

describeFieldDocuments(documents);

it('zero is a value of its own in those fields of a KubeProxyConfiguration that are pointers in Go', () => {
  const pointers = Object.values(proxyMessages)
    .flatMap((fields) => fields.split(';'))
    .filter((field) => field.includes(' *'))
    .map((field) => field.split(' ')[0]);
  const kept = (type: typeof proxyFields.fields): string[] =>
    Object.entries(type ?? {}).flatMap(([name, field]) => [
      ...(field.keepsZero ? [name] : []),
      ...kept(field.fields),
    ]);
  const ownOnes = ['apiVersion', 'kind', 'windowsRunAsService'];
  assert.deepEqual(
    kept(proxyFields.fields)
      .filter((name) => !ownOnes.includes(name))
      .sort(),
    pointers.sort(),
  );
});

it('every flag of kube-proxy is taken by `wherry network`, or refused with a reason', () => {
  const isUnknown = (flag: string) => /unknown option/.test(readRoleLine('network', [`--${flag}=1`]).said);
  assert.ok(isUnknown('no-such-flag'));
  assert.deepEqual(
    kubeProxyFlags.filter((name) => name !== 'version' && isUnknown(name)),
    [],
  );
});

it('flags of a configuration are kube-proxy’s', () => {
  assert.deepEqual(
    proxyFlags.filter(({ name }) => !kubeProxyFlags.includes(name)),
    [],
  );
});
