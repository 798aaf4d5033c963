import { ownValue } from '@wherry/kubeapi';
import { downwardMapText } from '@wherry/podrules';
import type { AssignedPod } from '../../pod/assigned-pod.ts';

/** What downward references to fields read from. */
export interface FieldSources {
  pod: AssignedPod;
  podIps: readonly string[];
  hostIps: readonly string[];
}

const subscriptPattern = /^metadata\.(labels|annotations)\['(.+)'\]$/;

/** The value of a downward API field, such as `metadata.labels['app']`. Throws on a path it does not know. */
export function fieldValue(fieldPath: string, { pod, podIps, hostIps }: FieldSources): string {
  const { metadata, spec } = pod;
  const subscript = subscriptPattern.exec(fieldPath);
  if (subscript) {
    const [, list = '', key = ''] = subscript;
    return ownValue(list === 'labels' ? metadata.labels : metadata.annotations, key) ?? '';
  }
  switch (fieldPath) {
    case 'metadata.name':
      return metadata.name;
    case 'metadata.namespace':
      return metadata.namespace;
    case 'metadata.uid':
      return metadata.uid;
    case 'metadata.labels':
      return downwardMapText(metadata.labels);
    case 'metadata.annotations':
      return downwardMapText(metadata.annotations);
    case 'spec.nodeName':
      return spec.nodeName ?? '';
    case 'spec.serviceAccountName':
      return spec.serviceAccountName ?? '';
    case 'status.hostIP':
      return hostIps[0] ?? '';
    case 'status.hostIPs':
      return hostIps.join(',');
    case 'status.podIP':
      return podIps[0] ?? '';
    case 'status.podIPs':
      return podIps.join(',');
    default:
      throw new Error(`unsupported fieldPath: ${fieldPath}`);
  }
}
