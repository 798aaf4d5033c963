import { ownNamespace, type RoleName } from './roles.ts';

/** A request that was answered as done, as the oracle judges it. */
export interface Done {
  role: RoleName;
  method: string;
  /** Path and query as they were sent. */
  target: string;
  /** What a node said that it is. */
  nodeName: string;
}

const isRead = (method: string) => method === 'GET' || method === 'HEAD';

/** What everyone may read, without a name (system:public-info-viewer). */
const publicPaths = /^\/(healthz|livez|readyz|version)(\/.*)?$/;

/** What whoever has a name may read, and ask of themselves (system:discovery, system:basic-user). */
const discoveryPaths = /^\/(api|apis|openapi)(\/[^/]+){0,3}\/?$/;
const discoveryDepth = (path: string) =>
  /^\/api\/?$|^\/api\/v1\/?$|^\/apis(\/[^/]+){0,2}\/?$|^\/openapi\/.*$/.test(path) &&
  discoveryPaths.test(path);
const selfReviews =
  /^\/apis\/(authorization\.k8s\.io\/v1\/selfsubject(access|rules)reviews|authentication\.k8s\.io\/v1\/selfsubjectreviews)\/?$/;

/** What service accounts may read of the issuer. */
const issuerPaths = /^\/(\.well-known\/openid-configuration|openid\/v1\/jwks)\/?$/;

/** Everything in the owner's own namespace; what the role `admin` leaves out there is refused by the server itself. */
const ownPath = new RegExp(
  `^/(api/v1|apis/[^/]+/[^/]+)/(watch/)?namespaces/${ownNamespace}(/(?!resourcequotas/.*/status).*)?$`,
);

/** What a node may do to be a node. The owner's pods may be bound to it, and then it may have what they name. */
const nodeReads =
  /^\/(api\/v1\/(nodes|services|pods|namespaces\/[^/]+\/(pods|services))|apis\/(storage|node)\.k8s\.io\/v1\/[a-z]+)(\/[^/]*)?\/?$/;
const nodeWrites = [
  new RegExp(
    `^/api/v1/namespaces/${ownNamespace}/(pods|serviceaccounts|secrets|configmaps)/[^/]+(/[a-z]+)?$`,
  ),
  /^\/api\/v1\/namespaces\/[^/]+\/events(\/[^/]+)?$/,
  /^\/apis\/events\.k8s\.io\/v1\/namespaces\/[^/]+\/events(\/[^/]+)?$/,
  /^\/apis\/(authentication\.k8s\.io\/v1\/tokenreviews|authorization\.k8s\.io\/v1\/(local)?subjectaccessreviews)$/,
  /^\/apis\/authorization\.k8s\.io\/v1\/namespaces\/[^/]+\/localsubjectaccessreviews$/,
  /^\/apis\/certificates\.k8s\.io\/v1\/certificatesigningrequests(\/[^/]+)?$/,
];
const nodeOwn = (name: string) => [
  new RegExp(`^/api/v1/nodes/${name}(/status)?$`),
  new RegExp(`^/apis/coordination\\.k8s\\.io/v1/namespaces/kube-node-lease/leases(/${name})?$`),
  new RegExp(`^/apis/storage\\.k8s\\.io/v1/csinodes(/${name})?$`),
];

/** Says why a role may have had that done, or nothing when it may not: a rise above its rights. */
export function mayHave({ role, method, target, nodeName }: Done): string | undefined {
  const path = decoded(target.split('?')[0] ?? '');
  if (method === 'OPTIONS') return undefined;
  if (isRead(method) && publicPaths.test(path)) return 'public';
  if (role === 'anonymous') return undefined;
  if (isRead(method) && discoveryDepth(path)) return 'discovery';
  if (method === 'POST' && selfReviews.test(path)) return 'about itself';
  if (role !== 'node' && isRead(method) && issuerPaths.test(path)) return 'issuer';
  if (role === 'namespaceOwner' && ownPath.test(path)) return 'own namespace';
  if (role === 'node') return nodeMay(method, path, nodeName);
  return undefined;
}

function nodeMay(method: string, path: string, nodeName: string): string | undefined {
  if (isRead(method) && nodeReads.test(path)) return 'what nodes read';
  if (nodeWrites.some((pattern) => pattern.test(path))) return 'what nodes write';
  if (nodeOwn(nodeName).some((pattern) => pattern.test(path))) return 'its own';
  return undefined;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
