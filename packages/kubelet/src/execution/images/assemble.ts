import type { RoomsBelow } from '../rooms-below.ts';
import type { AccountSource } from './credential-plug-ins/credential-plug-in.ts';
import { CredentialPlugIns } from './credential-plug-ins/credential-plug-ins.ts';
import { ImageManager } from './image-manager.ts';
import { PullFigures } from './pull-figures.ts';
import { PullRecordFiles } from './pull-records/pull-record-files.ts';
import { PullRecords } from './pull-records/pull-records.ts';
import { verificationPolicy } from './pull-records/verification-policy.ts';

/** What brings images, and what is remembered of them. */
export interface Images {
  images: ImageManager;
  records: PullRecords;
}

/** Builds it. Throws when a program that knows logins is not there. */
export function assembleImages({ ground, reporting }: RoomsBelow, accounts: AccountSource): Images {
  const { cri, clock, configuration, logger, metrics, paths, credentialPrograms } = ground;
  const records = new PullRecords({
    files: new PullRecordFiles(paths.pullRecordsDir, logger),
    policy: verificationPolicy(configuration),
    clock,
    logger,
    metrics,
  });
  const images = new ImageManager({
    images: cri.images,
    recorder: reporting.recorder,
    clock,
    records,
    plugIns:
      credentialPrograms &&
      new CredentialPlugIns({ ...credentialPrograms, accounts, clock, logger, metrics }),
    figures: new PullFigures(metrics),
    onPull: (uid) => reporting.starts.pulls(uid),
    serialize: configuration.serializeImagePulls,
    maxParallelPulls: configuration.maxParallelImagePulls ?? 0,
    rate: { perSecond: configuration.registryPullQPS, burst: configuration.registryBurst },
  });
  return { images, records };
}
