/** EgressSelectorConfigurations that are refused: by Kubernetes' own API server and by ours, with which words. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { createLogger, MetricsRegistry } from '@wherry/telemetry';
import { run } from '../../e2e/command.ts';
import { Egress } from '../../packages/apiserver/src/egress/egress.ts';
import { type ClusterFiles, makeClusterFiles } from '../peers/joining-node.ts';
import { serverFlags } from '../peers/own-plane.ts';
import { buildUpstream } from './build.ts';
import { complaintsIn } from './said-complaint.ts';

const port = 26_477;
const selection = (name: string, proxyProtocol?: string, transport?: object) => ({
  name,
  connection: { proxyProtocol, transport },
});
const uds = (udsName?: string) => ({ uds: { udsName } });
const tcp = (url?: string, tlsConfig?: object) => ({ tcp: { url, tlsConfig } });
const nowhere = '/nowhere/file';

/** Of whose violations both tell in the same words. */
const invalid: Record<string, readonly object[]> = {
  'no protocol': [selection('cluster')],
  'a protocol that is none': [selection('cluster', 'SOCKS')],
  'Direct with a transport': [selection('cluster', 'Direct', uds('/x'))],
  'HTTPConnect without a transport': [selection('cluster', 'HTTPConnect')],
  'HTTPConnect with an empty transport': [selection('cluster', 'HTTPConnect', {})],
  'HTTPConnect at a socket without a name': [selection('cluster', 'HTTPConnect', uds())],
  'HTTPConnect at no URL': [selection('cluster', 'HTTPConnect', tcp())],
  'HTTPConnect at another scheme': [selection('cluster', 'HTTPConnect', tcp('tcp://a:1'))],
  'http with TLS': [selection('cluster', 'HTTPConnect', tcp('http://a:1', {}))],
  'https without TLS': [selection('cluster', 'HTTPConnect', tcp('https://a:1'))],
  'https without files': [selection('cluster', 'HTTPConnect', tcp('https://a:1', {}))],
  'https with files that are not there': [
    selection(
      'cluster',
      'HTTPConnect',
      tcp('https://a:1', { caBundle: nowhere, clientCert: nowhere, clientKey: nowhere }),
    ),
  ],
  'GRPC without a transport': [selection('cluster', 'GRPC')],
  'GRPC over TCP': [selection('cluster', 'GRPC', tcp('https://a:1'))],
  'a name that is none': [selection('node', 'Direct')],
  'names twice': [
    selection('cluster', 'Direct'),
    selection('Cluster', 'Direct'),
    selection('master', 'Direct'),
  ],
  'several of them': [
    selection('x', 'GRPC'),
    selection('cluster', 'Direct', uds('/x')),
    selection('x', 'Direct'),
  ],
};
/** What can't be read, which each says in its own words. */
const unreadable: Record<string, object> = {
  'a field that is none': { egressSelections: [{ ...selection('cluster', 'Direct'), more: 1 }] },
  'a version that is none': { apiVersion: 'apiserver.k8s.io/v1', egressSelections: [] },
  'another group': { apiVersion: 'apiserver.config.k8s.io/v1beta1', egressSelections: [] },
  'another kind': { kind: 'AdmissionConfiguration', egressSelections: [] },
  'a list that is none': { egressSelections: 'x' },
};

describe('an EgressSelectorConfiguration', () => {
  let files: ClusterFiles;
  let program: string;
  before(async () => {
    program = await buildUpstream('kube-apiserver');
    files = await makeClusterFiles(`https://127.0.0.1:${port}`);
  });
  after(() => rmSync(files.folder, { recursive: true, force: true }));

  /** What each says of a file; undefined: it takes it. */
  const said = async (document: object): Promise<[own: string | undefined, upstream: string | undefined]> => {
    const file = files.at('egress.json');
    const usual = { apiVersion: 'apiserver.k8s.io/v1beta1', kind: 'EgressSelectorConfiguration' };
    writeFileSync(file, JSON.stringify({ ...usual, ...document }));
    const flags = [...serverFlags(files, port), '--etcd-servers=http://127.0.0.1:1'];
    const { stderr } = await run(program, [...flags, `--egress-selector-config-file=${file}`], {
      timeoutMs: 30_000,
    });
    const [complaint = ''] = complaintsIn(stderr, 'command failed');
    const [, words] =
      /^failed to (?:validate egress selector configuration|read egress selector config): (.*)$/s.exec(
        complaint,
      ) ?? [];
    return [ownWords(file), words];
  };

  for (const [name, egressSelections] of Object.entries(invalid))
    it(`is refused in the same words with ${name}`, async () => {
      const [own, upstream] = await said({ egressSelections });
      assert.ok(upstream);
      assert.equal(own, upstream);
    });

  for (const [name, document] of Object.entries(unreadable))
    it(`is refused by both with ${name}`, async () => {
      const [own, upstream] = await said(document);
      assert.ok(own && upstream);
    });
});

function ownWords(file: string): string | undefined {
  const parts = {
    ...{ clock: new FakeClock(), metrics: new MetricsRegistry() },
    logger: createLogger('test', { write: () => {} }),
  };
  try {
    Egress.open(file, parts).close();
    return undefined;
  } catch (error) {
    return (error as Error).message.replace(`--egress-selector-config-file ${file}: `, '');
  }
}
