/** Specs that cannot pass here for a reason that is not ours, by a part of their name. */
const reasons: Readonly<Record<string, string>> = {
  'should be consumable via the environment':
    "the image's shell, Debian's busybox, hands on no variable whose name no shell can use (`data-1`)",
  'works for CRD with validation schema':
    "`kubectl explain` has to show upstream's sentence about `apiVersion`; what wherry says of it are its own words",
  PrivilegedPod: 'this kernel has no dummy network devices',
};

/** Why the spec may fail; undefined when it may not. */
export function reasonOf(name: string): string | undefined {
  return Object.entries(reasons).find(([part]) => name.includes(part))?.[1];
}
