/** Specs that stand in neither list, chosen by name: `--set NAME`. */

/** What a set is made of. */
export interface SpecSet {
  /** Regular expressions over specs' names. */
  focus: string;
  skip: string;
  /** How many nodes the cluster has. */
  nodes: number;
}

const listed = '\\[Conformance\\]|\\[NodeConformance\\]';
const apart = '\\[(Serial|Slow|Disruptive|Flaky)\\]';

/** Every set, by name. */
export const specSets: Readonly<Record<string, SpecSet>> = {
  /** What any cluster can do, without a cloud or features that are off by default. */
  cluster: {
    focus: '\\[sig-(api-machinery|apps|auth|cli|instrumentation|network)\\]',
    skip: `${listed}|${apart}|\\[Feature:`,
    nodes: 2,
  },
  /** Drivers of devices and of volumes, the latter with upstream's own provisioner, attacher and resizer beside them. */
  drivers: {
    focus: '\\[DRA\\]|CSI Mock',
    skip: `\\[Conformance\\]|${apart}|OffByDefault|Alpha|[Ss]napshot|SELinux|Windows`,
    nodes: 1,
  },
  /** What has the cluster for itself: taints, places on nodes, quotas of whole namespaces. */
  serial: {
    focus: '\\[sig-(api-machinery|apps|auth|cli|network|node|scheduling)\\].*\\[Serial\\]',
    skip:
      '\\[Conformance\\]|\\[(Slow|Disruptive|Flaky)\\]|OffByDefault|Alpha|SCTP|Windows|GPU|' +
      'PerformanceDNS|with a new image|\\[DRA\\]',
    nodes: 2,
  },
  /** What a node does for its pods, resizes above all: half an hour and more. */
  node: {
    focus: '\\[sig-node\\]',
    skip:
      `${listed}|${apart}|OffByDefault|Alpha|Windows|GPU|\\[DRA\\]|` +
      'Feature:(NodeLogQuery|Example|NodeProblemDetector|KubeletCredentialProviders)',
    nodes: 1,
  },
  /** Volumes that need no driver and no other machine, and what protects claims. */
  volumes: {
    focus: '\\[sig-storage\\]',
    skip:
      `${listed}|${apart}|CSI Mock|[Ss]napshot|SELinux|OffByDefault|Alpha|Windows|AWS|loopback local|` +
      'Driver: (nfs|azure|cinder|vsphere|csi-hostpath|pd|iscsi|local|windows)|NFS|-local|Flexvolumes',
    nodes: 1,
  },
  /** Horizontal autoscaling by what pods use: minutes for each. */
  autoscaler: {
    focus: '\\[Feature:HPA\\]',
    skip: `${apart}|OffByDefault|Alpha`,
    nodes: 1,
  },
  /** Network policies. */
  policies: { focus: '\\[Feature:NetworkPolicy\\]', skip: `${apart}|SCTPConnectivity`, nodes: 1 },
};

/** The set of that name. Throws when there is none. */
export function specSet(name: string): SpecSet {
  const found = Object.hasOwn(specSets, name) ? specSets[name] : undefined;
  if (found) return found;
  throw new Error(
    `--set ${name}: there is no such set of specs; there are ${Object.keys(specSets).join(', ')}`,
  );
}
