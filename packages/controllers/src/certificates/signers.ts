/** The signers of `kubernetes.io` that a cluster has itself, and what each of them signs (pkg/apis/certificates). */

/** Signers whose requests are looked at here. */
const signerNames = [
  'kubernetes.io/kube-apiserver-client',
  'kubernetes.io/kube-apiserver-client-kubelet',
  'kubernetes.io/kubelet-serving',
] as const;

/** One of {@link signerNames}. */
export type SignerName = (typeof signerNames)[number];

/** Whether it is one of {@link signerNames}. */
export const isSignerName = (name: string): name is SignerName => signerNames.some((known) => known === name);

/** What a certificate request asks to vouch for. */
export interface RequestedNames {
  commonName: string;
  organizations: readonly string[];
  dnsNames: readonly string[];
  ipAddresses: readonly string[];
  emailAddresses: readonly string[];
  uris: readonly string[];
}

const nodeGroup = 'system:nodes';
const nodePrefix = 'system:node:';

/** Why a signer refuses such a request; undefined when it signs it. */
export function refusalOf(
  signer: SignerName,
  names: RequestedNames,
  usages: readonly string[],
): string | undefined {
  if (signer === 'kubernetes.io/kube-apiserver-client') return clientUsageRefusal(usages);
  return signer === 'kubernetes.io/kubelet-serving'
    ? (servingNamesRefusal(names) ?? nodeRefusal(names, usages, 'server auth'))
    : (clientNamesRefusal(names) ?? nodeRefusal(names, usages, 'client auth'));
}

function clientUsageRefusal(usages: readonly string[]): string | undefined {
  const strange = usages.find(
    (usage) => !['digital signature', 'key encipherment', 'client auth'].includes(usage),
  );
  if (strange !== undefined) return `invalid usage for client certificate: ${strange}`;
  if (usages.includes('client auth')) return undefined;
  return 'missing required usage for client certificate: client auth';
}

function servingNamesRefusal({ dnsNames, ipAddresses, emailAddresses, uris }: RequestedNames) {
  if (dnsNames.length === 0 && ipAddresses.length === 0) return 'DNS or IP subjectAltName is required';
  if (emailAddresses.length > 0) return 'Email subjectAltNames are not allowed';
  return uris.length > 0 ? 'URI subjectAltNames are not allowed' : undefined;
}

function clientNamesRefusal({ dnsNames, ipAddresses, emailAddresses, uris }: RequestedNames) {
  if (dnsNames.length > 0) return 'DNS subjectAltNames are not allowed';
  if (emailAddresses.length > 0) return 'Email subjectAltNames are not allowed';
  if (ipAddresses.length > 0) return 'IP subjectAltNames are not allowed';
  return uris.length > 0 ? 'URI subjectAltNames are not allowed' : undefined;
}

function nodeRefusal({ commonName, organizations }: RequestedNames, usages: readonly string[], use: string) {
  if (organizations.length !== 1 || organizations[0] !== nodeGroup)
    return `subject organization is not ${nodeGroup}`;
  if (!commonName.startsWith(nodePrefix)) return `subject common name does not begin with ${nodePrefix}`;
  const given = new Set(usages);
  given.delete('key encipherment');
  if (given.size === 2 && given.has('digital signature') && given.has(use)) return undefined;
  return `usages did not match [digital signature key encipherment ${use}]`;
}
