/** Versions of the CNI specification that this runtime speaks, oldest first. */
export const cniVersions = ['0.3.1', '0.4.0', '1.0.0', '1.1.0'] as const;

/** One of them. */
export type CniVersion = (typeof cniVersions)[number];

/** Whether this runtime speaks it. */
export const isCniVersion = (text: unknown): text is CniVersion =>
  (cniVersions as readonly unknown[]).includes(text);

/** Whether a version is that one or a later one. */
export const isAtLeast = (version: CniVersion, wanted: CniVersion): boolean =>
  cniVersions.indexOf(version) >= cniVersions.indexOf(wanted);

/** The newest of the offered versions that every plug-in knows; undefined when there is none. */
export const commonVersion = (
  offered: readonly CniVersion[],
  known: readonly (readonly string[])[],
): CniVersion | undefined =>
  cniVersions.findLast(
    (version) => offered.includes(version) && known.every((versions) => versions.includes(version)),
  );
