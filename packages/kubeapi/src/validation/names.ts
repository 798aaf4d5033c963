/** Which format the names of each kind have. A DNS subdomain where nothing is said. */
import { ownValue } from '../json-value.ts';
import { dnsLabel, dnsSubdomain, type FormatCheck, pathSegment } from './formats.ts';

const byKind: Readonly<Record<string, FormatCheck>> = {
  '/Namespace': dnsLabel,
  '/Service': dnsLabel,
  'rbac.authorization.k8s.io/Role': pathSegment,
  'rbac.authorization.k8s.io/ClusterRole': pathSegment,
  'rbac.authorization.k8s.io/RoleBinding': pathSegment,
  'rbac.authorization.k8s.io/ClusterRoleBinding': pathSegment,
};

/** The format of names of a kind. */
export function nameFormat(group: string, kind: string): FormatCheck {
  return ownValue(byKind, `${group}/${kind}`) ?? dnsSubdomain;
}
