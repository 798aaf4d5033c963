import { basename } from 'node:path';
import {
  boundsOfGroup,
  type CgroupLayout,
  foldersAt,
  groupPathOf,
  isSystemdPath,
  type Systemd,
} from '@wherry/linux';
import type { Logger } from '@wherry/telemetry';
import { messageOf } from '../errors.ts';

/** What scopes are looked at with. */
export interface ScopeBoundsOptions {
  systemd: Pick<Systemd, 'completeScope'>;
  layout: CgroupLayout;
  logger: Logger;
}

/**
 * Has systemd know what containers' scopes are held to: crun before 1.16 tells it of the weight alone on cgroup v2, so that
 * it would take the other bounds away when it reads its units again.
 */
export class ScopeBounds {
  readonly #options: ScopeBoundsOptions;

  constructor(options: ScopeBoundsOptions) {
    this.#options = options;
  }

  /** After the OCI runtime has set bounds. The container goes on when systemd does not answer. */
  async keep(cgroupsPath: string): Promise<void> {
    const { systemd, layout, logger } = this.#options;
    if (layout.version !== 'v2' || !isSystemdPath(cgroupsPath)) return;
    const path = groupPathOf(cgroupsPath);
    try {
      const { unified } = foldersAt(layout, path);
      await systemd.completeScope(basename(path), unified === null ? {} : boundsOfGroup(unified));
    } catch (error) {
      const why = 'systemd was not told what a container is held to, and may take it away when it reloads';
      logger.warn(why, { scope: basename(path), error: messageOf(error) });
    }
  }
}
