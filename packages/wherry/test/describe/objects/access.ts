import { type Described, longAgo, metadata, namespaced, ofCluster } from './described.ts';

const group = 'rbac.authorization.k8s.io';
const rules = [
  { apiGroups: ['', 'apps'], resources: ['pods', 'deployments/scale'], verbs: ['get', 'list'] },
  { apiGroups: [''], resources: ['pods'], verbs: ['watch', 'get'] },
  { apiGroups: [''], resources: ['secrets'], resourceNames: ['b', 'a'], verbs: ['get', 'update'] },
  { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
];
const subjects = [
  { kind: 'User', name: 'ann', apiGroup: group },
  { kind: 'Group', name: 'all', apiGroup: group },
  { kind: 'ServiceAccount', name: 'robot', namespace: 'default' },
];

/** A request with every attribute and name, made with `openssl req`. */
const richRequest = `-----BEGIN CERTIFICATE REQUEST-----
MIIByzCCAXACAQAwgZ4xCzAJBgNVBAYTAkRFMQswCQYDVQQIDAJCWTEPMA0GA1UE
BwwGTXVuaWNoMQ8wDQYDVQQJDAZSb2FkIDExDjAMBgNVBBEMBTgwMzMxMQwwCgYD
VQQKDANvbmUxDDAKBgNVBAoMA3R3bzENMAsGA1UECwwEdW5pdDEYMBYGA1UEAwwP
d2ViLmV4YW1wbGUuY29tMQswCQYDVQQFEwI0MjBZMBMGByqGSM49AgEGCCqGSM49
AwEHA0IABJDwsI/2cDZ0K7Ur8jJF1/SnWXkkvarUWQugMdylIzjjITcYpER0DaAC
5auMjVPKRk7+L8bMzd300ZqqjUKFuhCgbzBtBgkqhkiG9w0BCQ4xYDBeMFwGA1Ud
EQRVMFOCDWEuZXhhbXBsZS5jb22CDWIuZXhhbXBsZS5jb22BDm1lQGV4YW1wbGUu
Y29thgtodHRwczovL2EvYocEAQIDBIcQ/QAAAAAAAAAAAAAAAAAAATAKBggqhkjO
PQQDAgNJADBGAiEA/wM90HTSgJuT7422h0WLym2/Pl87Hw9A3DufGnBffqUCIQD+
VgE6ZxnDrkLrU+qm5jPI8wLVR8+y+XNdwGE/ZOpLdQ==
-----END CERTIFICATE REQUEST-----
`;
const plainRequest = `-----BEGIN CERTIFICATE REQUEST-----
MIHKMHICAQAwEDEOMAwGA1UEAwwFcGxhaW4wWTATBgcqhkjOPQIBBggqhkjOPQMB
BwNCAAQ3j8i/gyayq186IuGC+nTKjtTfRFGu74VB5vRWv4HRLcG0vGGNRop15Uvb
BfFIBTQM2Xm6ofkddH1Zu79hSHcjoAAwCgYIKoZIzj0EAwIDSAAwRQIhANEWLfW6
6MsUStWJsogYwsmUFI0QkW4LE7Rd9kn1K2fKAiAK+3FWIVcNbQhyzXsKLKVCM1JK
0aI5/sMF8QnCE/fO7w==
-----END CERTIFICATE REQUEST-----
`;
const request = (pem: string, more: object = {}) => ({
  ...{ request: Buffer.from(pem).toString('base64'), usages: ['client auth'], ...more },
  signerName: 'example.com/signer',
});

/** Who may do what, and what they show. */
export const access: readonly Described[] = [
  { object: namespaced(`${group}/v1`, 'Role', 'rich', { metadata, rules }) },
  { object: namespaced(`${group}/v1`, 'Role', 'none', { rules: [] }) },
  {
    object: ofCluster(`${group}/v1`, 'ClusterRole', 'rich', {
      metadata,
      rules: [...rules, { nonResourceURLs: ['/healthz', '/metrics/*'], verbs: ['get', 'head'] }],
    }),
  },
  {
    object: namespaced(`${group}/v1`, 'RoleBinding', 'rich', {
      ...{ metadata, subjects, roleRef: { apiGroup: group, kind: 'Role', name: 'rich' } },
    }),
  },
  {
    object: ofCluster(`${group}/v1`, 'ClusterRoleBinding', 'rich', {
      ...{ metadata, subjects, roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'rich' } },
    }),
  },
  {
    object: namespaced('v1', 'ServiceAccount', 'puller', {
      ...{ metadata, imagePullSecrets: [{ name: 'a' }, { name: 'b' }], secrets: [{ name: 'c' }] },
    }),
  },
  {
    object: namespaced('v1', 'Secret', 'words', {
      metadata,
      ...{ data: { word: 'aHVzaA==', other: '', binary: 'AAECAwT/' }, type: 'example.com/words' },
    }),
  },
  {
    object: ofCluster('certificates.k8s.io/v1', 'CertificateSigningRequest', 'rich', {
      metadata: { labels: { b: '2', a: '1' }, annotations: { c: 'd' } },
      spec: request(richRequest, { expirationSeconds: 86400 }),
    }),
  },
  {
    object: ofCluster('certificates.k8s.io/v1', 'CertificateSigningRequest', 'plain', {
      spec: request(plainRequest),
    }),
    status: {
      conditions: [{ type: 'Failed', status: 'True', reason: 'So', lastUpdateTime: longAgo }],
    },
  },
];
