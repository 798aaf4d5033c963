import type { Container, Pod, PodSpec, Volume } from '../../../generated/types.ts';

/** What other objects of its namespace a pod reads, by name. */
export interface PodReferences {
  secrets: ReadonlySet<string>;
  configMaps: ReadonlySet<string>;
  claims: ReadonlySet<string>;
  /** '' = none. */
  serviceAccount: string;
}

/** Every container of a pod, of all three kinds. */
export function allContainers(spec: PodSpec): Container[] {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = spec;
  return [...initContainers, ...containers, ...(ephemeralContainers as Container[])];
}

/** Upstream: VisitPodSecretNames and VisitPodConfigmapNames in pkg/api/v1/pod, claims as its node authorizer has them. */
export function podReferences({ metadata, spec }: Pod): PodReferences {
  const secrets = new Set<string | undefined>();
  const configMaps = new Set<string | undefined>();
  const claims = new Set<string | undefined>();
  for (const { name } of spec?.imagePullSecrets ?? []) secrets.add(name);
  for (const container of spec ? allContainers(spec) : []) {
    for (const { valueFrom } of container.env ?? []) {
      secrets.add(valueFrom?.secretKeyRef?.name);
      configMaps.add(valueFrom?.configMapKeyRef?.name);
    }
    for (const source of container.envFrom ?? []) {
      secrets.add(source.secretRef?.name);
      configMaps.add(source.configMapRef?.name);
    }
  }
  for (const volume of spec?.volumes ?? []) {
    for (const name of volumeSecrets(volume)) secrets.add(name);
    configMaps.add(volume.configMap?.name);
    for (const source of volume.projected?.sources ?? []) configMaps.add(source.configMap?.name);
    claims.add(volume.persistentVolumeClaim?.claimName);
    if (volume.ephemeral) claims.add(`${metadata?.name ?? ''}-${volume.name}`);
  }
  return {
    secrets: named(secrets),
    configMaps: named(configMaps),
    claims: named(claims),
    serviceAccount: spec?.serviceAccountName ?? '',
  };
}

/** The secrets that one volume reads. */
export function volumeSecrets(volume: Volume): (string | undefined)[] {
  return [
    volume.secret?.secretName,
    volume.azureFile?.secretName,
    volume.csi?.nodePublishSecretRef?.name,
    ...[volume.cephfs, volume.cinder, volume.flexVolume, volume.rbd].map((source) => source?.secretRef?.name),
    ...[volume.scaleIO, volume.iscsi, volume.storageos].map((source) => source?.secretRef?.name),
    ...(volume.projected?.sources ?? []).map(({ secret }) => secret?.name),
  ];
}

function named(names: ReadonlySet<string | undefined>): Set<string> {
  return new Set([...names].filter((name): name is string => name !== undefined && name !== ''));
}
