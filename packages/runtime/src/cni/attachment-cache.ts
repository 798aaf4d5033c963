import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder, writeFileAtomicSync } from '@wherry/linux';
import { isRecord, type JsonObject, textOf } from '../state/json.ts';
import { listFromText, type NetworkList, textOfList } from './network-list.ts';
import type { Attachment } from './plugin-call.ts';
import { type PluginResult, resultFrom } from './plugin-result.ts';

/** What is kept of an attachment until its DEL was successful. */
export interface CachedAttachment {
  list: NetworkList;
  attachment: Attachment;
  /** What the last plug-in of ADD that was through gave; absent before the first one. */
  result?: PluginResult | undefined;
}

const kind = 'cniCacheV1';
const namePattern = /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/;

/**
 * The attachments of this node, as libcni keeps them (`results/NETWORK-CONTAINER-INTERFACE`), with two things more: a file
 * is there before the first plug-in is called and is written after each, so that a runtime that dies in between leaves
 * nothing that no file tells of;
 * and its configuration holds every plug-in, so that DEL calls those that ADD has called, whatever was changed since.
 */
export class AttachmentCache {
  readonly #folder: string;

  constructor(root: string) {
    this.#folder = join(root, 'results');
  }

  open(): void {
    makePrivateFolder(this.#folder);
    for (const name of readdirSync(this.#folder))
      if (isDraft(name)) rmSync(join(this.#folder, name), { force: true });
  }

  /** Writes an attachment, to the disk. */
  put({ list, attachment, result }: CachedAttachment): void {
    const { containerId, namespacePath, interfaceName, args, capabilityArgs } = attachment;
    const content = {
      kind,
      containerId,
      config: Buffer.from(textOfList(list)).toString('base64'),
      ifName: interfaceName,
      networkName: list.name,
      netns: namespacePath,
      cniArgs: args,
      capabilityArgs,
      ...(result && { result }),
    };
    writeFileAtomicSync(this.#path(list.name, attachment), JSON.stringify(content));
  }

  remove({ list, attachment }: CachedAttachment): void {
    rmSync(this.#path(list.name, attachment), { force: true });
  }

  /** Every attachment that can be read. */
  list(): CachedAttachment[] {
    return this.#read(readdirSync(this.#folder));
  }

  /** Those of one sandbox. */
  of(sandboxId: string): CachedAttachment[] {
    const names = readdirSync(this.#folder).filter((name) => name.includes(`-${sandboxId}-`));
    return this.#read(names).filter(({ attachment }) => attachment.containerId === sandboxId);
  }

  #read(names: readonly string[]): CachedAttachment[] {
    return names.flatMap((name) => {
      if (isDraft(name)) return [];
      try {
        return [decode(JSON.parse(readFileSync(join(this.#folder, name), 'utf8')))];
      } catch {
        // Nothing of ours.
        return [];
      }
    });
  }

  #path(network: string, { containerId, interfaceName }: Attachment): string {
    return join(this.#folder, `${network}-${containerId}-${interfaceName}`);
  }
}

/** A write that a crash cut off. */
const isDraft = (name: string) => name.endsWith('.tmp');

/** Throws on whatever {@link AttachmentCache.put} has not written. */
function decode(content: unknown): CachedAttachment {
  if (!isRecord(content) || content['kind'] !== kind) throw new TypeError('not of this kind');
  const list = listFromText(Buffer.from(textOf(content['config']), 'base64').toString());
  const { containerId, ifName, cniArgs, capabilityArgs, result } = content;
  const attachment = {
    containerId: nameFrom(containerId),
    namespacePath: textOf(content['netns']),
    interfaceName: nameFrom(ifName),
    args: Array.isArray(cniArgs) ? (cniArgs as Attachment['args']) : [],
    capabilityArgs: isRecord(capabilityArgs) ? (capabilityArgs as JsonObject) : {},
  };
  return { list, attachment, result: result === undefined ? undefined : resultFrom(result, list.version) };
}

function nameFrom(value: unknown): string {
  if (typeof value === 'string' && namePattern.test(value)) return value;
  throw new TypeError('not a name');
}
