import { ClientError } from '@wherry/client';
import { qualifiedResource, StatusError } from '@wherry/kubeapi';
import type { NamedObject } from '../../objects/targets.ts';
import type { Reason } from './edited-text.ts';

/** What became of the objects of one file, of those that were not changed as it says. */
export class EditResults {
  /** What the server found wrong with them: they can be edited again. */
  readonly reasons: Reason[] = [];
  /** Refused for another reason, such as somebody else's change. */
  failed = 0;
  /** Deleted meanwhile. */
  gone = 0;

  /** Nothing is left that another look at the file could mend. */
  get isOver(): boolean {
    return this.failed + this.gone > 0 || this.reasons.length === 0;
  }

  /** Counts what went wrong with one object, and says it. Throws what is no failure of the server's or of the way to it. */
  add(error: unknown, { resource: { group, plural }, name }: NamedObject): void {
    if (!(error instanceof StatusError) && !(error instanceof ClientError)) throw error;
    const what = `${qualifiedResource(group, plural)} ${JSON.stringify(name)}`;
    if (!(error instanceof StatusError) || !['Invalid', 'NotFound'].includes(error.reason)) {
      this.failed += 1;
      console.error(`error: ${what} could not be patched: ${error.message}`);
    } else if (error.reason === 'NotFound') {
      this.gone += 1;
      console.error(`error: ${what} could not be found on the server`);
    } else {
      const causes = error.causes.map(({ field = '', message = '' }) => `${field}: ${message}`);
      this.reasons.push({ head: `${what} was not valid`, causes });
      console.error(`error: ${what} is invalid`);
    }
  }
}
