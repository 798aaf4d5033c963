import type { KubeClient, KubeObject } from '@wherry/client';
import type { GivenObject } from '../../objects/given/each-manifest.ts';
import type { ApplyFlags } from './flags.ts';
import { serverSideManager } from './own-conflict.ts';

/** An object that is applied, and how. */
export interface Applying {
  client: KubeClient;
  one: GivenObject;
  name: string;
  flags: ApplyFlags;
}

/** What became of an object. */
export interface Applied {
  object: KubeObject;
  outcome: 'created' | 'configured' | 'unchanged' | 'serverside-applied';
}

/** Where nothing says under which name fields are managed. */
const managers = { server: serverSideManager, client: 'wherry-client-side-apply' } as const;

/** In whose name what is changed is managed, how it is checked, and whether it is stored. */
export const writeOptions = ({ serverSide, fieldManager, validate, dryRun }: ApplyFlags) => ({
  fieldManager: fieldManager ?? managers[serverSide === false ? 'client' : 'server'],
  ...{ fieldValidation: validate, dryRun: dryRun === 'server' },
});
