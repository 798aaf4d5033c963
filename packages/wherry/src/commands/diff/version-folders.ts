import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { groupVersionOf } from '../../objects/catalog.ts';
import { withoutManagers } from '../../objects/printed-object.ts';
import type { NamedObject } from '../../objects/targets.ts';
import { sortedKeys } from '../../output/json.ts';
import { formatValue } from '../../output/listing.ts';
import type { DiffFlags } from './flags.ts';
import { masked, type Versions } from './masked.ts';

/** Two folders of files of the same names, one for each object: as it is, and as it would be. They go when this is disposed of. */
export class VersionFolders implements Disposable {
  readonly live = mkdtempSync(join(tmpdir(), 'LIVE-'));
  readonly merged = mkdtempSync(join(tmpdir(), 'MERGED-'));
  readonly #flags: DiffFlags;

  constructor(flags: DiffFlags) {
    this.#flags = flags;
  }

  /** Writes an object into both; an empty file where there is none. */
  write(one: NamedObject, versions: Versions): void {
    const { showManagedFields, showSecrets } = this.#flags;
    const shown = showSecrets ? versions : masked(versions);
    for (const version of ['live', 'merged'] as const) {
      const object = shown[version];
      const value = object && (showManagedFields ? object : withoutManagers(object));
      const text = value ? `${formatValue(sortedKeys(value), 'yaml')}\n` : '';
      writeFileSync(join(this[version], fileName(one)), text, { mode: 0o600 });
    }
  }

  [Symbol.dispose](): void {
    for (const folder of [this.live, this.merged]) rmSync(folder, { recursive: true, force: true });
  }
}

/** `apps.v1.Deployment.default.web`; never a path. */
function fileName({ resource, namespace = '', name }: NamedObject): string {
  const type = groupVersionOf(resource).replace('/', '.');
  return `${type}.${resource.kind}.${namespace}.${name}`.replaceAll('/', '%2F');
}
