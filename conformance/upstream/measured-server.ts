import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identity, writeEncryption } from '../../packages/apiserver/test/test-encryption.ts';
import { TestKms } from '../../packages/apiserver/test/test-kms.ts';
import { TestReviewWebhook } from '../../packages/apiserver/test/test-review-webhook.ts';
import { TestServer } from '../../packages/apiserver/test/test-server.ts';
import { TestWebhook } from '../../packages/apiserver/test/test-webhook.ts';
import { MetricsRegistry } from '../../packages/telemetry/src/index.ts';

const admission = '/apis/admissionregistration.k8s.io/v1';
const named = (kind: string, name: string, more: object = {}) => ({ kind, metadata: { name }, ...more });

/** What an API server tells of itself that encrypts, audits, and asks webhooks and policies about everything. */
export async function pageOfMeasuredServer(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-families-'));
  const at = (name: string) => join(folder, name);
  const metrics = new MetricsRegistry();
  const kms = await TestKms.start();
  writeEncryption(at('encryption.yaml'), [kms.provider(), identity]);
  writeFileSync(
    at('audit.yaml'),
    JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level: 'Metadata' }] }),
  );
  let server: TestServer | undefined;
  let review: TestReviewWebhook | undefined;
  let webhook: TestWebhook | undefined;
  try {
    const options = {
      ...{ metrics, encryptionProviderConfig: at('encryption.yaml'), authorizationConfig: at('authz.yaml') },
      ...{ auditPolicyFile: at('audit.yaml'), auditLogPath: at('audit.log') },
    };
    const authority = await TestServer.start();
    review = await TestReviewWebhook.start(authority.authority);
    webhook = await TestWebhook.start(authority.authority);
    const connection = { type: 'KubeConfigFile', kubeConfigFile: review.kubeconfig(at('kubeconfig')) };
    writeFileSync(at('authz.yaml'), authorizationOf(connection));
    await authority.close();
    server = await TestServer.start(options);
    await askAbout(server, webhook);
    return metrics.render();
  } finally {
    webhook?.close();
    await review?.close();
    await server?.close();
    await kms.close();
    rmSync(folder, { recursive: true });
  }
}

function authorizationOf(connectionInfo: object): string {
  const webhook = {
    ...{ timeout: '3s', subjectAccessReviewVersion: 'v1', failurePolicy: 'NoOpinion', connectionInfo },
    ...{ matchConditionSubjectAccessReviewVersion: 'v1' },
    matchConditions: [{ expression: "request.user != 'nobody'" }],
  };
  return JSON.stringify({
    ...{ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthorizationConfiguration' },
    authorizers: [
      { type: 'RBAC', name: 'rbac' },
      { type: 'Webhook', name: 'asked', webhook },
    ],
  });
}

/** Each is asked, and most of them refuse something. */
async function askAbout(server: TestServer, webhook: TestWebhook): Promise<void> {
  const post = (path: string, body: object) => server.request('POST', path, { body });
  const rules = [{ apiGroups: [''], apiVersions: ['*'], resources: ['secrets'], operations: ['*'] }];
  const hook = {
    ...{ name: 'asked.example.com', rules, sideEffects: 'None', admissionReviewVersions: ['v1'] },
    ...{ clientConfig: webhook.clientConfig() },
    matchConditions: [{ name: 'some', expression: "object.metadata.name != 'left'" }],
  };
  const away = { ...hook, name: 'away.example.com', clientConfig: { url: 'https://127.0.0.1:1/' } };
  webhook.judge = ({ name }) => ({ allowed: name !== 'refused' });
  for (const kind of ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'])
    await post(
      `${admission}/${kind.toLowerCase()}s`,
      named(kind, 'all', { webhooks: [hook, { ...away, failurePolicy: 'Ignore' }] }),
    );
  const places = { matchConstraints: { resourceRules: rules } };
  await post(
    `${admission}/validatingadmissionpolicies`,
    named('ValidatingAdmissionPolicy', 'never', {
      spec: { ...places, validations: [{ expression: "object.metadata.name != 'never'" }] },
    }),
  );
  await post(
    `${admission}/validatingadmissionpolicybindings`,
    named('ValidatingAdmissionPolicyBinding', 'never', {
      spec: { policyName: 'never', validationActions: ['Deny'] },
    }),
  );
  const applied = 'Object{metadata: Object.metadata{labels: {"a": "b"}}}';
  await post(
    `${admission}/mutatingadmissionpolicies`,
    named('MutatingAdmissionPolicy', 'labels', {
      spec: {
        ...{ ...places, reinvocationPolicy: 'Never', failurePolicy: 'Fail' },
        mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: applied } }],
      },
    }),
  );
  await post(
    `${admission}/mutatingadmissionpolicybindings`,
    named('MutatingAdmissionPolicyBinding', 'labels', { spec: { policyName: 'labels' } }),
  );
  const secrets = '/api/v1/namespaces/default/secrets';
  for (const name of ['good', 'left', 'refused', 'never'])
    await post(`${secrets}?fieldValidation=Strict`, named('Secret', name, { stringData: { a: 'b' } }));
  await server.request('GET', secrets);
  // Nobody, whom no role knows.
  await server.request('GET', secrets, { as: null });
  const watched = '?watch=true&timeoutSeconds=1&allowWatchBookmarks=true&sendInitialEvents=true';
  await server.request('GET', `${secrets}${watched}&resourceVersionMatch=NotOlderThan`);
}
