import { readFileSync } from 'node:fs';
import {
  applyStrategicPatch,
  ConformError,
  type Container,
  conform,
  type EphemeralContainer,
  goYaml,
  type JsonObject,
  type JsonValue,
  messageSchema,
  unknownFieldText,
} from '@wherry/kubeapi';
import { parse } from 'yaml';
import { CommandError } from '../../errors.ts';
import { warnLine } from '../../kube/warnings.ts';

/** A part of a container, which is laid over the one that flags and profile make. */
export type CustomProfile = JsonObject;

/** Reads the file of `--custom`; undefined for one that says nothing. Throws `CommandError` for what is no container. */
export function readCustomProfile(path: string): CustomProfile | undefined {
  const value = parsed(path, read(path));
  if (value === null || value === undefined) return undefined;
  try {
    const { object, unknownFields } = conform(value, messageSchema('Container'));
    for (const field of unknownFields) warnLine(`${path}: ${unknownFieldText(field)}`);
    return object;
  } catch (error) {
    throw error instanceof ConformError ? noContainer(path, error) : error;
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const why = (error as Error).message;
    throw new CommandError(`must pass a container spec json file for custom profile: ${why}`, {
      cause: error,
    });
  }
}

function parsed(path: string, text: string): JsonValue | undefined {
  try {
    return parse(text, goYaml) as JsonValue | undefined;
  } catch (error) {
    throw noContainer(path, error as Error);
  }
}

const noContainer = (path: string, cause: Error): CommandError =>
  new CommandError(`${path} does not contain a valid container spec: ${cause.message}`, { cause });

/** Throws `CommandError` for a field that flags alone may say. */
export function refuseFixedFields({ name, command, image, lifecycle, volumeDevices }: CustomProfile): void {
  const isSaid = (list: JsonValue | undefined) => Array.isArray(list) && list.length > 0;
  if (!name && !image && !lifecycle && !isSaid(command) && !isSaid(volumeDevices)) return;
  throw new CommandError(
    'name, command, image, lifecycle and volume devices are not modifiable via custom profile',
  );
}

/** The container with the custom profile over it: lists are merged by their keys. */
export function customized<T extends Container | EphemeralContainer>(container: T, custom: CustomProfile): T {
  const patch = { ...custom, name: container.name };
  const own = container as unknown as JsonObject;
  return applyStrategicPatch(own, patch, messageSchema('Container')) as unknown as T;
}
