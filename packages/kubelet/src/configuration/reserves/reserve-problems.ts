/** The fields of a configuration that say what is kept back, and who is held to it. */
export interface ReserveSettings {
  enforceNodeAllocatable: readonly string[];
  kubeReserved: Readonly<Record<string, string>>;
  systemReserved: Readonly<Record<string, string>>;
  kubeReservedCgroup: string;
  systemReservedCgroup: string;
  reservedSystemCPUs: string;
}

const owners = ['system', 'kube'] as const;

/** What is wrong with them together; upstream: pkg/kubelet/apis/config/validation. */
export function reserveProblems(settings: ReserveSettings): string[] {
  const { enforceNodeAllocatable: levels, kubeReservedCgroup, systemReservedCgroup } = settings;
  const twice = new Set(levels.filter((level, at) => levels.indexOf(level) < at));
  const hasGroup = kubeReservedCgroup !== '' || systemReservedCgroup !== '';
  return [
    ...[...twice].map((level) => `enforceNodeAllocatable: "${level}" is named twice`),
    ...(levels.includes('none') && levels.length > 1
      ? ['enforceNodeAllocatable: "none" can not stand beside others']
      : []),
    ...owners.flatMap((owner) => ownerProblems(owner, settings)),
    ...(settings.reservedSystemCPUs !== '' && hasGroup
      ? ['reservedSystemCPUs: can not be given beside systemReservedCgroup or kubeReservedCgroup']
      : []),
  ];
}

function ownerProblems(owner: (typeof owners)[number], settings: ReserveSettings): string[] {
  const [whole, compressible] = [`${owner}-reserved`, `${owner}-reserved-compressible`];
  const named = [whole, compressible].filter((level) => settings.enforceNodeAllocatable.includes(level));
  if (named.length === 0) return [];
  const why = `since enforceNodeAllocatable names "${named.join('" and "')}"`;
  return [
    ...(named.length > 1
      ? [`enforceNodeAllocatable: "${whole}" and "${compressible}" can not stand together`]
      : []),
    ...(settings[`${owner}ReservedCgroup`] === ''
      ? [`${owner}ReservedCgroup: must name a control group, ${why}`]
      : []),
    ...(Object.keys(settings[`${owner}Reserved`]).length === 0
      ? [`${owner}Reserved: must say what its control group is held to, ${why}`]
      : []),
  ];
}
