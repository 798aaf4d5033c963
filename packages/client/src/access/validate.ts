import { accessSync, constants } from 'node:fs';
import type { ExecConfig, KubeconfigCluster, KubeconfigUser } from '../config/kubeconfig.ts';
import { systemMessage } from '../config/system-message.ts';
import { ClientError } from '../errors.ts';
import { proxyUrlProblem } from '../proxy/proxy-url.ts';
import type { Choice } from './choice.ts';

/**
 * Refuses a cluster and a user that contradict themselves, in the words of client-go (tools/clientcmd/validation.go)
 * and with all that is wrong at once, as kubectl lists it. Throws `ClientError` `bad-config`.
 */
export function validateChoice({ cluster, clusterName, user, userName }: Choice): void {
  const problems = [...userProblems(user, userName), ...clusterProblems(cluster, clusterName)];
  if (problems.length === 0) return;
  const [only = ''] = problems;
  const all = ['Error in configuration: ', ...problems.map((problem) => `* ${problem}`)].join('\n');
  throw new ClientError('bad-config', problems.length === 1 ? only : all);
}

function* clusterProblems(cluster: KubeconfigCluster, name: string): Generator<string> {
  if (!cluster.server) {
    yield name === '' ? 'default cluster has no server defined' : `no server found for cluster "${name}"`;
  }
  const proxyProblem = cluster['proxy-url'] && proxyUrlProblem(cluster['proxy-url']);
  if (proxyProblem) {
    yield `invalid 'proxy-url' "${cluster['proxy-url']}" for cluster "${name}": ${proxyProblem}`;
  }
  const file = cluster['certificate-authority'];
  const data = cluster['certificate-authority-data'];
  if (file && data) {
    yield `certificate-authority-data and certificate-authority are both specified for ${name}. certificate-authority-data will override.`;
  }
  yield* unreadable(file, 'certificate-authority', name);
  if (cluster['insecure-skip-tls-verify'] && (file || data)) {
    yield 'specifying a root certificates file with the insecure flag is not allowed';
  }
}

function* userProblems(user: KubeconfigUser, name: string): Generator<string> {
  yield* certificateProblems(user, name);
  if (user.exec) yield* execProblems(user.exec, name, user['auth-provider'] !== undefined);
  else if (user['auth-provider']) yield* authProviderProblems(user['auth-provider'].name ?? '');
  if (user.token && (user.username || user.password)) {
    yield `more than one authentication method found for ${name}; found [token basicAuth], only one is allowed`;
  }
  const extra = Object.keys(user['as-user-extra'] ?? {});
  if (!user.as && (user['as-uid'] || user['as-groups']?.length || extra.length > 0)) {
    yield `requesting uid, groups or user-extra for ${name} without impersonating a user`;
  }
}

function* certificateProblems(user: KubeconfigUser, name: string): Generator<string> {
  const certificate = user['client-certificate'];
  const certificateData = user['client-certificate-data'];
  const key = user['client-key'];
  const keyData = user['client-key-data'];
  if (!certificate && !certificateData) return;
  if (certificate && certificateData) {
    yield `client-cert-data and client-cert are both specified for ${name}. client-cert-data will override.`;
  }
  if (key && keyData) {
    yield `client-key-data and client-key are both specified for ${name}; client-key-data will override`;
  }
  if (!key && !keyData) {
    yield `client-key-data or client-key must be specified for ${name} to use the clientCert authentication method.`;
  }
  yield* unreadable(certificate, 'client-cert', name);
  if (certificate) yield* unreadable(key, 'client-key', name);
}

const interactiveModes = new Set<string>(['Never', 'IfAvailable', 'Always']);
const olderVersions = new Set([
  'client.authentication.k8s.io/v1beta1',
  'client.authentication.k8s.io/v1alpha1',
]);

function* execProblems(exec: ExecConfig, name: string, hasProvider: boolean): Generator<string> {
  const lacking = (what: string) => `${what} must be specified for ${name} to use exec authentication plugin`;
  if (hasProvider) yield `authProvider cannot be provided in combination with an exec plugin for ${name}`;
  if (!exec.command) yield lacking('command');
  if (!exec.apiVersion) yield lacking('apiVersion');
  if (exec.env?.some((variable) => !variable?.name)) yield lacking('env variable name');
  if (exec.interactiveMode && !interactiveModes.has(exec.interactiveMode)) {
    yield `invalid interactiveMode for ${name}: "${exec.interactiveMode}"`;
  } else if (!exec.interactiveMode && !olderVersions.has(exec.apiVersion)) yield lacking('interactiveMode');
}

function* authProviderProblems(provider: string): Generator<string> {
  if (provider === 'oidc') return;
  const plugin = { gcp: 'gke-gcloud-auth-plugin', azure: 'kubelogin (https://github.com/Azure/kubelogin)' };
  if (provider !== 'gcp' && provider !== 'azure') {
    yield `no Auth Provider found for name "${provider}"; use an exec plugin, a certificate or a token`;
    return;
  }
  yield `The ${provider} auth plugin has been removed. Please use the ${plugin[provider]} kubectl/client-go credential plugin instead`;
}

function* unreadable(path: string | undefined, what: string, name: string): Generator<string> {
  if (!path) return;
  try {
    accessSync(path, constants.R_OK);
  } catch (error) {
    yield `unable to read ${what} ${path} for ${name} due to open ${path}: ${systemMessage(error)}`;
  }
}
