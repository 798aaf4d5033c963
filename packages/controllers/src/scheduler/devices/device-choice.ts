import type {
  DeviceClass,
  DeviceRequest,
  DeviceSubRequest,
  ExactDeviceRequest,
  ResourceV1ResourceClaim,
} from '@wherry/kubeapi/objects';
import type { KnownDevice } from './device-pools.ts';

/** One way to meet a request: the request itself, or one of its alternatives. */
export interface DeviceChoice {
  name: string;
  /** The request whose alternative it is. */
  parent: string | undefined;
  /** As results name it: `REQUEST` or `REQUEST/ALTERNATIVE`. */
  fullName: string;
  asked: ExactDeviceRequest | DeviceSubRequest;
  isAdmin: boolean;
  deviceClass: DeviceClass;
  count: number;
  /** What it gets where it asks for all. */
  all: readonly KnownDevice[] | undefined;
}

/** The ways to meet a request, in the order in which they are tried. */
export function alternatives({ name, exactly, firstAvailable = [] }: DeviceRequest) {
  if (exactly) return [{ name, parent: undefined, fullName: name, asked: exactly }];
  return firstAvailable.map((asked) => {
    const fullName = `${name}/${asked.name}`;
    return { name: asked.name, parent: name, fullName, asked };
  });
}

/** `NAMESPACE/NAME`, as messages show it. */
export const claimText = ({ metadata }: ResourceV1ResourceClaim): string =>
  `${metadata.namespace}/${metadata.name}`;
