/** What a failed connection means, and what to do, by the code of its cause (Node's, OpenSSL's). */
const words = new Map<string, string>([
  ['ENOTFOUND', 'no such host; look at "server" in the kubeconfig'],
  ['EAI_AGAIN', 'the host name could not be looked up; look at the name servers of this machine'],
  ['ETIMEDOUT', 'it does not answer; is the address right, and no firewall between?'],
  ['EHOSTUNREACH', 'no way leads to this address'],
  ['ENETUNREACH', 'no way leads to this address'],
  ['ECONNRESET', 'it ended the connection'],
  ['CERT_HAS_EXPIRED', 'its certificate has expired; "wherry up" renews that of a node'],
]);

/** Codes of a certificate that no trusted authority has signed. */
const strangers = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_SIGNATURE_FAILURE',
]);

const stranger =
  'its certificate is of an authority that the kubeconfig does not trust, as after a node was made anew or where another cluster ' +
  'answers; "wherry kubeconfig --merge" has that of the node, and --certificate-authority names another';

/** A message that begins with who could not be reached, with the reason in words where it is a usual one. */
export function describeUnreachable({ message, cause }: Error): string {
  const who = /^Unable to connect to the server \S+:/.exec(message)?.[0];
  const why = who === undefined ? undefined : reasonOf(cause);
  return why === undefined ? message : `${who} ${why}`;
}

function reasonOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  if (strangers.has(code)) return stranger;
  if (cause.message.includes('wrong version number')) {
    return 'it speaks HTTP without TLS; is its URL http:// and not https://?';
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `${cause.message}; --tls-server-name says which name the certificate has`;
  }
  return words.get(code) ?? reasonOf(cause.cause);
}
